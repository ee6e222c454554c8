"""python -m trust: run the parts, print their figures, keep them."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from altpg_verify.screen import say
from altpg_verify.terminal import ended
from trust import parts, record
from trust.figures import Figure, Outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if every figure keeps its bound, 1 if one doesn't, 2 if the command can't be run."""
    parser = argparse.ArgumentParser(
        prog="python -m trust",
        description="Verify the verifier, and keep the figures in reports/trust.json.",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PART",
        help=f"one of {', '.join(parts.MODULES)}; may be repeated",
    )
    parser.add_argument(
        "--sample",
        action="store_true",
        help=(
            "a small share of every part, about five minutes in all; keeps nothing unless --out is"
            " given"
        ),
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="where to keep the figures (default: reports/trust.json)",
    )
    parser.add_argument("--quiet", action="store_true", help="figures only, no progress")
    options = parser.parse_args(arguments)
    return ended("trust", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    path = options.out or (None if options.sample else record.KEPT)
    chosen = [parts.part(name) for name in options.only or parts.MODULES]
    if path:
        record.read(path)
    missed: list[str] = []
    for part in chosen:
        say(f"{part.name}: {part.title}")
        begin = time.perf_counter()
        outcome = part.run(options.sample, (lambda line: None) if options.quiet else _say)
        seconds = time.perf_counter() - begin
        if path:
            record.keep(
                path, record.entry(part, outcome, seconds, options.sample), list(parts.MODULES)
            )
        _show(outcome, seconds)
        missed += [
            f"not met: {part.name}: {_shown(figure)} ({figure.target})" for figure in outcome.missed
        ]
    # at the very end, where whoever reads the tail of a log finds them
    for line in missed:
        say(line)
    return 1 if missed else 0


def _say(line: str) -> None:
    say(f"  ... {line}", sys.stderr)


def _shown(figure: Figure) -> str:
    return f"{figure.value:,.10g} {figure.summary}"


def _show(outcome: Outcome, seconds: float) -> None:
    for figure in outcome.figures:
        verdict = ("met" if figure.met else "NOT MET") if figure.bounded else ""
        say(
            f"  {figure.value:>12,.10g}  {figure.summary}"
            + (f" ({figure.target}): {verdict}" if figure.bounded else "")
        )
    for note in outcome.notes:
        say(f"  note: {note}")
    say(f"  {seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
