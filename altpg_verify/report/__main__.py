"""`python -m altpg_verify.report`: all the evidence, the ledger, and the PDF or HTML; with
`--estimator` the report on one's own.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the user's folder first, where a random.py or sympy.py would stand in for the
    # real one
    sys.path.append(sys.path.pop(0))

import argparse
from collections.abc import Sequence
from pathlib import Path

from altpg_verify.errors import BadInput
from altpg_verify.report.formats import FORMATS
from altpg_verify.screen import say
from altpg_verify.supervised import alone
from altpg_verify.terminal import ended


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(
        prog="python -m altpg_verify.report",
        description=(
            "Run all the evidence, compute the verdict of every claim and write ledger.json, the"
            " figures, report.pdf, proofs.pdf with every derivation, and report.html. With"
            " --estimator: check, derive and simulate one estimator, or audit one update or loss,"
            " and write NAME.pdf, NAME.html and NAME.json."
        ),
        epilog=(
            "exit code: 0 written; 1 written, but some claim has evidence for and against it, or a"
            " law of the estimator isn't as it should be; 2 bad input, nothing written"
        ),
    )
    command.add_argument(
        "--out",
        type=Path,
        default=Path("reports"),
        metavar="FOLDER",
        help="where to write (default: reports)",
    )
    command.add_argument(
        "--estimator",
        metavar="TARGET",
        help="report on this estimator, update or loss instead: module:name or file.py:name",
    )
    command.add_argument(
        "--policy", metavar="POLICY", help="with --estimator: softmax (default) or escort:P"
    )
    command.add_argument(
        "--profile",
        choices=("quick", "paper"),
        help=(
            "scale of the simulations: quick, within two minutes on two cores (default), or the"
            " paper's own"
        ),
    )
    command.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="both",
        help="pdf, html: one file that loads nothing, or both (default)",
    )
    command.add_argument(
        "--seed", type=int, default=0, help="seed of the searches for counterexamples (default: 0)"
    )
    command.add_argument(
        "--max-examples",
        type=int,
        metavar="N",
        help="cases tried for each search (default: 200; 100 with --estimator)",
    )
    command.add_argument("--quiet", action="store_true", help="say nothing but errors")
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the report; the exit code says how it went."""
    options = parser().parse_args(arguments)
    is_process = arguments is None and options.estimator is not None
    return (alone if is_process else ended)("altpg-verify", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    if options.max_examples is not None and options.max_examples < 1:
        raise BadInput(f"--max-examples {options.max_examples}: give a number of cases, 1 or more")
    if options.estimator is not None:
        return _own(options)
    if options.policy is not None:
        raise BadInput("--policy goes with --estimator; the report on the paper has both policies")
    from altpg_verify.report.build import build
    from altpg_verify.report.settings import Settings

    settings = Settings(
        options.out,
        options.seed,
        options.max_examples or 200,
        options.format,
        profile=options.profile or "quick",
    )
    built = build(settings, quiet=options.quiet)
    if not options.quiet:
        say(built.text())
    if not built.ok:
        say(
            f"altpg-verify: evidence for and against: {', '.join(built.inconsistent)}; see the"
            " ledger",
            sys.stderr,
        )
        return 1
    return 0


def _own(options: argparse.Namespace) -> int:
    """The report on one estimator; 1 if a law isn't as it should be, as with `python -m
    altpg_verify check`.
    """
    if options.profile is not None:
        raise BadInput("--profile doesn't go with --estimator, whose simulations have one scale")
    from altpg_verify.report.own.build import build
    from altpg_verify.report.settings import Settings

    built = build(
        Settings(
            options.out,
            options.seed,
            options.max_examples or 100,
            options.format,
            target=options.estimator,
            policy=options.policy or "",
        ),
        quiet=options.quiet,
    )
    if not options.quiet:
        say(built.text())
    return 0 if built.ok else 1


if __name__ == "__main__":
    sys.exit(main())
