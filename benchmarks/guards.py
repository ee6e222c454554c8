"""What it costs to establish that an update is pure: the share of an audit that asks the same
again.

    python -m benchmarks.guards [--only TEXT] [--rounds N]

Processor time, of the fastest of several rounds. Beside it, the share of the other guards: that
nothing shared was replaced, that the source is what was loaded, and that nothing looks at types.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from altpg_verify.audit import audit, bandit, contexts, diagnosis, guarding, programs
from altpg_verify.audit.fixtures import stop_or_go
from benchmarks.audits import CASES, Case, _numpy, _torch
from benchmarks.hand_written import grouped, masked, one_step, own_mean, whitened

ALLOWED = 0.25
"""The largest share of an audit that purity may take."""

PURITY = ((diagnosis, "refuse_impure"), (guarding, "_refuse_impure_rows"), (programs, "Purity"))
OTHERS = ((diagnosis, "refuse_stale"), (diagnosis, "intact"), (programs, "type_query"))

SMALL = (
    Case("numpy, one step, 2 arms", _numpy(one_step, bandit([1, 0]))),
    Case("numpy, one step, 4 arms", _numpy(one_step, bandit([1, "1/2", "1/3", 0]))),
    Case("numpy, 2 arms, batch of 2", _numpy(own_mean, bandit([1, 0]).batch(2))),
    Case("numpy, 3 arms, batch of 2", _numpy(own_mean, bandit([1, "1/2", 0]).batch(2))),
    Case(
        "torch, one step, 4 arms",
        _torch(
            lambda theta, actions, rewards: -(theta.log_softmax(-1)[actions] * rewards).sum(),
            bandit([1, 0, 2, 3]),
        ),
    ),
    Case("torch, 2 arms, batch of 3", _torch(whitened, bandit([1, 0]).batch(3))),
    Case(
        "torch, two prompts, a group of 1 from each",
        _torch(grouped, contexts([[1, 0], [0, 1]]).group(1, every_start=True)),
    ),
    Case("torch, sequences with masks, batch of 1", _torch(masked, stop_or_go().batch(1))),
)
"""Audits of a few draws, where asking again weighs most."""


class Spent:
    """Processor time spent within some functions, those within others counted once."""

    def __init__(self) -> None:
        self.seconds, self.depth = 0.0, 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the block."""
        begin, self.depth = time.process_time(), self.depth + 1
        try:
            yield
        finally:
            self.depth -= 1
            if not self.depth:
                self.seconds += time.process_time() - begin

    def within(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, counted; of a context manager its two ends alone."""

        def counted(*given: Any, **named: Any) -> Any:
            with self.counting():
                found = function(*given, **named)
            return _Ends(self, found) if hasattr(found, "__exit__") else found

        return counted


class _Ends:
    def __init__(self, spent: Spent, block: Any) -> None:
        self.spent, self.block = spent, block

    def __enter__(self) -> Any:
        with self.spent.counting():
            return self.block.__enter__()

    def __exit__(self, *error: Any) -> Any:
        with self.spent.counting():
            return self.block.__exit__(*error)


def shares(case: Case) -> tuple[float, float, float]:
    """(seconds of one audit, share of purity, share of the other guards)."""
    purity, others = Spent(), Spent()
    with ExitStack() as stack:
        for spent, places in ((purity, PURITY), (others, OTHERS)):
            for owner, name in places:
                stack.enter_context(
                    mock.patch.object(owner, name, spent.within(getattr(owner, name)))
                )
        update = case.made()
        begin = time.process_time()
        audit(update)
        whole = time.process_time() - begin
    return whole, purity.seconds / whole, others.seconds / whole


def main(arguments: list[str] | None = None) -> int:
    """Print one line a case; 0 if purity keeps within its share everywhere, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.guards", description="What purity costs, as a share of an audit."
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains this")
    parser.add_argument(
        "--rounds",
        type=int,
        default=5,
        metavar="N",
        help="rounds, of which the fastest counts (default 5)",
    )
    options = parser.parse_args(arguments)
    fine = True
    print(f"{'processor time':<64}{'draws':>9}{'audit, ms':>11}{'purity':>8}{'others':>8}  goal")
    for case in (case for case in (*SMALL, *CASES) if options.only in case.name and not case.large):
        # whatever is compiled or imported at first is no part of it
        audit(case.made())
        whole, purity, others = min(shares(case) for _ in range(options.rounds))
        fine = fine and purity <= ALLOWED
        target = f"at most {ALLOWED:.0%}: {'met' if purity <= ALLOWED else 'NOT MET'}"
        print(
            f"{case.name:<64}{case.made().space.draws_count:>9,}{1000 * whole:>11.1f}{purity:>8.1%}{others:>8.1%}"
            f"  {target}",
            flush=True,
        )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
