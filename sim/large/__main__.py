"""`python -m altpg_verify.sim.large`: time the sampling tree beside what one would use instead."""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the user's folder first, where a random.py or sympy.py would stand in for the
    # real one
    sys.path.append(sys.path.pop(0))

import argparse
from collections.abc import Sequence

from altpg_verify.errors import BadInput
from altpg_verify.screen import say
from altpg_verify.sim.settings import whole
from altpg_verify.terminal import ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 2 bad input (one line on standard error)."""
    options = parser().parse_args(arguments)
    return ended("altpg_verify.sim.large", lambda: options.command(options))


def parser() -> argparse.ArgumentParser:
    """The command line: `bench`, with numbers of actions and of rounds."""
    made = argparse.ArgumentParser(
        prog="python -m altpg_verify.sim.large",
        description="Gradient bandits with very many actions.",
    )
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    timing = commands.add_parser(
        "bench",
        help="time a step beside the peers",
        description=(
            "Time a step of the gradient bandit at each number of actions, beside the peers, in CPU"
            " time on one core."
        ),
    )
    timing.add_argument(
        "--sizes",
        default="",
        metavar="K,K,...",
        help="numbers of actions (default: 10 to 10^7; takes some minutes)",
    )
    timing.add_argument(
        "--rounds",
        type=int,
        default=5,
        metavar="N",
        help="rounds of which the smallest time counts (default 5)",
    )
    timing.set_defaults(command=_bench)
    return made


def _bench(options: argparse.Namespace) -> int:
    sizes = [_size(text) for text in options.sizes.split(",") if text]
    whole("--rounds", options.rounds)
    from altpg_verify.sim.large.bench import SIZES, report

    for line in report(sizes or SIZES, options.rounds):
        say(line)
    return 0


def _size(text: str) -> int:
    try:
        size = int(float(text))
    except (ValueError, OverflowError):
        size = 0
    if not 2 <= size <= 10**8:
        raise BadInput(
            f"--sizes {text!r}: give numbers of actions from 2 to 10^8, such as 10,1000,1e6"
        )
    return size


if __name__ == "__main__":
    sys.exit(main())
