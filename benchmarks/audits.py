"""Audits of losses, timed beside what an expert would write by hand for that one loss, and beside
one call a draw.

    python -m benchmarks.audits [--only whitened] [--rounds 3] [--cpu] [--large]

The audit and the hand-written program of a case take turns; the smallest of several rounds counts,
of CPU time with `--cpu`, for machines that have other work, too. `--large` adds what takes a
minute. The hand-written program computes what the verdict states, over all sequences of draws, with
torch on one thread as the audit has it: the expected update, the gradient of the expected return
and the variance at the policies that an audit compares, and, where the verdict rests on a curl
(`curl=True` below), the Jacobian by automatic differentiation, policy by policy until one isn't
symmetric. A curl that a verdict prints beside a sentence that doesn't need it is left out of it.
The audit also looks at further policies, establishes the order of the draws and whether the loss is
pure, and puts the verdict into words. `one call a draw` is the same audit with the batched mode
switched off; where it would take minutes it is timed on a share of the draws, and the line says so.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from altpg_verify import Estimator, alternate, check_estimator, estimator, regular
from altpg_verify.audit import audit, bandit, contexts, loss, update, with_policy
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from benchmarks.hand_written import (
    PLACES,
    ByHand,
    by_place,
    clipped,
    grouped,
    in_jax,
    in_order,
    in_torch,
    jax_whitened,
    leave_one_out,
    masked,
    mean_by_hand,
    network,
    network_by_hand,
    network_update,
    one_step,
    others_by_hand,
    own_mean,
    places_by_hand,
    step_by_hand,
    whitened,
    with_kl,
    written_grouped,
    written_masked,
)

SLOW_DRAWS = 2_000
"""Draws on which one call a draw is timed where there are more."""

FOUR = bandit([1, "1/2", "1/3", 0])
EIGHT = bandit([[(0, "1/2"), (1, "1/2")]] * 4, name="four coins")


@dataclass(frozen=True)
class Case:
    """One loss on one space.

    Args:
        name: what is printed.
        made: the update, made anew for each round, so that nothing is remembered.
        by_hand: the space -> what the verdict states, at each of the audit's policies; None where
            there is nothing to write by hand.
        goal: how many times the hand-written program's time the audit may take; None for no goal.
        seconds: how long the audit may take; None for no goal.
        large: takes a minute; it is timed once, and only if asked for.
        gibibytes: how much memory the whole run may have taken by then; None for no goal.
    """

    name: str
    made: Callable[[], Update]
    by_hand: Callable[[Space], ByHand] | None = None
    goal: float | None = None
    seconds: float | None = None
    large: bool = False
    gibibytes: float | None = None


def _torch(function: Callable[..., Any], space: Space, **options: Any) -> Callable[[], Update]:
    return lambda: loss(space=space, **options)(function)


def _numpy(function: Callable[..., Any], space: Space) -> Callable[[], Update]:
    return lambda: update(space=space)(function)


def _network_space() -> Space:
    return with_policy(
        FOUR, network, w=np.linspace(-1, 1, 3), v=np.linspace(-1, 1, 12).reshape(3, 4)
    ).batch(5)


OFF_POLICY = FOUR.sampled_by(["1/4", "1/4", "1/4", "1/4"]).batch(6)
TWO_PROMPTS = contexts([[1, 0, "1/2"], [0, 1, "1/3"]]).group(3, every_start=True)
TAUGHT = FOUR.against(["1/2", "1/6", "1/6", "1/6"]).batch(6)
DATA = ("actions", "rewards")

CASES = (
    Case(
        "torch, 3 arms, batch of 6, whitened",
        _torch(whitened, bandit([1, "1/2", 0]).batch(6)),
        in_torch(whitened, *DATA, curl=True),
    ),
    Case(
        "torch, 4 arms, batch of 8, whitened",
        _torch(whitened, FOUR.batch(8)),
        in_torch(whitened, *DATA, curl=True),
        1.5,
        3.0,
    ),
    Case(
        "torch, 4 arms, batch of 8, looks at the order",
        _torch(in_order, FOUR.batch(8)),
        in_torch(in_order, *DATA, curl=True),
        1.5,
    ),
    Case(
        "numpy, 4 arms, batch of 8, own mean",
        _numpy(own_mean, FOUR.batch(8)),
        mean_by_hand,
        1.5,
        1.5,
    ),
    Case(
        "numpy, 4 arms, batch of 8, leave one out",
        _numpy(leave_one_out, FOUR.batch(8)),
        others_by_hand,
        1.5,
    ),
    Case(
        "JAX, 4 arms, batch of 8, whitened",
        _torch(jax_whitened, FOUR.batch(8), framework="jax"),
        in_jax(jax_whitened, *DATA, curl=True),
        1.5,
    ),
    Case(
        "torch, 8 arms, batch of 3",
        _torch(whitened, bandit(list(range(8))).batch(3)),
        in_torch(whitened, *DATA, curl=True),
    ),
    Case(
        "torch, two prompts, a group of 3 from each",
        _torch(grouped, TWO_PROMPTS),
        in_torch(written_grouped, "states", *DATA),
    ),
    Case(
        "torch, sequences of one or two tokens with masks, batch of 6",
        _torch(masked, stop_or_go().batch(6)),
        in_torch(written_masked, "states", *DATA, "mask", curl=True),
    ),
    Case(
        "torch, PPO clip off policy, batch of 6",
        _torch(clipped, OFF_POLICY),
        in_torch(clipped, *DATA, "old_logprobs"),
    ),
    Case(
        "torch, KL in the loss, batch of 6",
        _torch(with_kl, TAUGHT),
        in_torch(with_kl, *DATA, "ref_logprobs"),
    ),
    Case(
        "numpy, a small network as policy, batch of 5",
        lambda: update(space=_network_space())(network_update),
        network_by_hand,
    ),
    Case(
        "numpy, one step, 60 arms",
        _numpy(one_step, bandit(list(range(60)))),
        step_by_hand,
        None,
        1.0,
    ),
    Case("numpy, one step, 1,000 arms", _numpy(one_step, bandit(list(range(1000)))), step_by_hand),
    Case(
        "torch, a group of 8 from 8 episodes",
        _torch(whitened, EIGHT.batch(8, exchangeable=True)),
        in_torch(whitened, *DATA),
    ),
    Case(
        "torch, a group of 16 from 8 episodes",
        _torch(whitened, EIGHT.batch(16, exchangeable=True)),
        in_torch(whitened, *DATA),
        1.5,
        5.0,
    ),
    Case(
        "numpy, 10 arms, batch of 7, later members count more",
        _numpy(by_place, bandit([i / 8 for i in range(10)]).batch(7)),
        places_by_hand,
        None,
        60.0,
        large=True,
        gibibytes=2.0,
    ),
)

LAW_SECONDS = 2.0
"""How long an estimator may take, all laws together."""


def _law_cases() -> list[Estimator]:
    @estimator
    def rational(r: Any, b: Any, e: Any, pi: Any, q: Any, v: Any) -> Any:
        return (r - b) * (e - pi) / (1 + sum(pi**2 * q**2)) / (1 + v**2 + sum(pi**3))

    return [regular, alternate, rational]


def seconds_of(run: Callable[[], Any], clock: Callable[[], float]) -> float:
    """How long one run takes."""
    begin = clock()
    run()
    return clock() - begin


def in_turns(case: Case, rounds: int, clock: Callable[[], float]) -> tuple[float, float | None]:
    """The smallest times of the audit and of the hand-written program, which take turns."""
    space, by_hand = case.made().space, case.by_hand
    if not case.large:
        audit(case.made())
    audits, hands = [], []
    for _ in range(1 if case.large else rounds):
        audits.append(seconds_of(lambda: audit(case.made()), clock))
        if by_hand is not None:
            hands.append(seconds_of(lambda: by_hand(space), clock))
    return min(audits), min(hands, default=None)


def draw_by_draw(case: Case, clock: Callable[[], float]) -> tuple[float, float]:
    """Seconds of single calls, and the share of the draws that was timed."""
    one = replace(case.made(), batch=None)
    space = one.space
    first, *_ = Enumeration(space, space.exchangeable).parts
    sequences = Enumeration(space, space.exchangeable).count
    tables = Tables.at(space, space.parameters)
    draws = Draws(tables, first.indices(np.arange(min(first.count, SLOW_DRAWS))))
    taken = seconds_of(
        lambda: [one.at(space.parameters, draws.row(i)) for i in range(len(draws))], clock
    )
    return taken / len(draws) * sequences * PLACES, len(draws) / sequences


def gibibytes() -> float:
    """The most memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def goals_of(case: Case, taken: float, hand: float | None) -> list[tuple[str, bool]]:
    """The goals of a case, and whether each is met."""
    found = []
    if case.goal is not None and hand is not None:
        found.append((f"at most {case.goal:g} times by hand", taken <= case.goal * hand))
    if case.seconds is not None:
        found.append((f"at most {case.seconds:g} s", taken <= case.seconds))
    if case.gibibytes is not None:
        found.append((f"at most {case.gibibytes:g} GiB", gibibytes() <= case.gibibytes))
    return found


def said(goals: list[tuple[str, bool]]) -> str:
    """Goals in words."""
    return "; ".join(f"{goal}: {'met' if met else 'NOT MET'}" for goal, met in goals)


def main(arguments: list[str] | None = None) -> int:
    """Print one line a case; 0 if every goal is met, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.audits", description="Time audits beside hand-written programs."
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains this")
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        metavar="N",
        help="rounds, of which the fastest counts (default 3)",
    )
    parser.add_argument("--cpu", action="store_true", help="CPU time of this process")
    parser.add_argument("--large", action="store_true", help="also what takes a minute")
    options = parser.parse_args(arguments)
    clock = time.process_time if options.cpu else time.perf_counter
    missed = 0
    print(
        f"{'seconds':<58}{'draws':>11}{'audit':>9}{'by hand':>9}{'ratio':>7}{'one call a draw':>17}"
        "  goals"
    )
    for case in CASES:
        if options.only not in case.name or (case.large and not options.large):
            continue
        taken, hand = in_turns(case, options.rounds, clock)
        goals = goals_of(case, taken, hand)
        slow, share = draw_by_draw(case, clock)
        missed += sum(not met for _, met in goals)
        ratio = "" if hand is None else f"{taken / hand:.2f}"
        by_hand = "" if hand is None else f"{hand:.3f}"
        one_by_one = ("~" if share < 1 else "") + format(slow, ".3g")
        print(
            f"{case.name:<58}{case.made().space.draws_count:>11,}{taken:>9.3f}{by_hand:>9}"
            f"{ratio:>7}{one_by_one:>17}  {said(goals)}",
            flush=True,
        )
    for each in _law_cases():
        name = f"laws of {each.name}"
        if options.only not in name:
            continue
        taken = min(
            seconds_of(lambda each=each: check_estimator(each, on_fail="return"), clock)  # type: ignore[misc]
            for _ in range(options.rounds)
        )
        goals = [(f"at most {LAW_SECONDS:g} s", taken <= LAW_SECONDS)]
        missed += taken > LAW_SECONDS
        print(f"{name:<58}{'':>11}{taken:>9.3f}{'':>33}  {said(goals)}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
