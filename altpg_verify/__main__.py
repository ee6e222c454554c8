"""The command line: check an estimator, list the laws, print the ledger. (`python -m
altpg_verify.report` writes the PDF.)
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

from altpg_verify.commands import (
    OK,
    run_algorithms,
    run_audits,
    run_check,
    run_compare,
    run_identify,
    run_laws,
)
from altpg_verify.supervised import alone
from altpg_verify.terminal import ended

_NAME = "altpg-verify"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is as it should be, 1 if not, 2 if the input can't be used."""
    return command(arguments, is_process=arguments is None)


def command(arguments: Sequence[str] | None, *, is_process: bool) -> int:
    """Run one command; as `main`, for callers that are a process of their own.

    Args:
        arguments: the words after the program's name; those of the process if None.
        is_process: it is all there is to this process, and may end it: code that is judged then
            runs in a child.

    Returns:
        0 if all is as it should be, 1 if not, 2 if the input can't be used.
    """
    options = _parser().parse_args(arguments)
    runs_theirs = options.run in (run_check, run_compare, run_identify)
    return (alone if is_process and runs_theirs else ended)(_NAME, lambda: options.run(options))


def _writes(parser: argparse.ArgumentParser, option: str, what: str) -> None:
    """An option that takes a file."""
    parser.add_argument(
        option, metavar="FILE", help=f"also write {what} (- for standard output, instead of text)"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m altpg_verify",
        description="Know whether a policy-gradient estimator is what it claims to be.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check",
        help="check estimators against the laws",
        description="Check estimators against the laws.",
    )
    check.add_argument(
        "targets",
        nargs="+",
        metavar="TARGET",
        help="module:name, module (all estimators and updates in it) or file.py:name",
    )
    check.add_argument(
        "--only", action="append", metavar="LAW", help="this law only (may be repeated)"
    )
    check.add_argument(
        "--case", metavar="CASE", help='this case only, e.g. "pi=1/2,1/2; r=0,1; b=1"'
    )
    check.add_argument(
        "--policy", default="softmax", metavar="POLICY", help="softmax (default) or escort:P"
    )
    check.add_argument(
        "--max-examples",
        type=int,
        default=100,
        metavar="N",
        help="cases to search where nothing is proved (default 100)",
    )
    check.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the search (default 0)"
    )
    check.add_argument(
        "--thorough", action="store_true", help="search N cases even where a law is proved"
    )
    check.add_argument(
        "--strict",
        action="store_true",
        help="a skipped law, or one that holds only in part, counts as a failure",
    )
    check.add_argument(
        "--samples",
        type=int,
        metavar="N",
        help="judge updates by N sampled draws, with error rates, instead of enumerating",
    )
    check.add_argument(
        "--bounds",
        metavar="LOW,HIGH",
        help=(
            "with --samples: every entry of the updates lies between these on every draw, written"
            " --bounds=-1,1; the verdict then rests on no normal limit"
        ),
    )
    check.add_argument(
        "--worth-finding",
        metavar="BIAS",
        help="with --samples: the smallest bias, in any component, that a pass must exclude",
    )
    check.add_argument(
        "--false-alarm-rate",
        metavar="RATE",
        help="with --samples: the chance to call a right update wrong (default 0.001)",
    )
    check.add_argument(
        "--budget",
        type=float,
        metavar="SECONDS",
        help="for updates: stop after so long; the rest is INCONCLUSIVE",
    )
    check.add_argument(
        "--jobs",
        metavar="N",
        help=(
            "for updates that are run draw by draw: so many processes, or a Dask scheduler's"
            " address"
        ),
    )
    mending = check.add_mutually_exclusive_group()
    mending.add_argument(
        "--mend",
        action="store_true",
        default=None,
        help=(
            "for updates that aren't right: look for small edits that mend them (unasked only where"
            " that is quick)"
        ),
    )
    mending.add_argument("--no-mend", dest="mend", action="store_false", help="don't look for them")
    check.add_argument(
        "--ends", action="store_true", help="for updates: follow training to its end as well"
    )
    _writes(check, "--json", "the results as JSON")
    _writes(check, "--junit", "the results as JUnit XML")
    _writes(check, "--sarif", "the failures as SARIF, for annotations")
    check.set_defaults(run=run_check)
    compare = commands.add_parser(
        "compare",
        help="compare two updates",
        description="What a patch changes in bias, scale, variance and where training ends.",
    )
    compare.add_argument(
        "before", metavar="BEFORE", help="module:name or file.py:name of an update"
    )
    compare.add_argument(
        "after", metavar="AFTER", help="the same after the patch; tried on this one's space"
    )
    _writes(compare, "--json", "the comparison as JSON")
    compare.set_defaults(run=run_compare)
    identify = commands.add_parser(
        "identify",
        help="name the algorithm an update is",
        description=(
            "Say which published algorithm an update equals on every draw, or where the nearest one"
            " differs."
        ),
    )
    where = "module:name, module (all updates in it) or file.py:name"
    identify.add_argument("targets", nargs="+", metavar="TARGET", help=where)
    identify.add_argument(
        "--conforms-to",
        default="",
        metavar="ALGORITHM",
        help="fail unless it is this one; `algorithms` lists them",
    )
    identify.add_argument(
        "--strict",
        action="store_true",
        help="lines of the update that never ran count as a failure",
    )
    _writes(identify, "--json", "the results as JSON")
    identify.set_defaults(run=run_identify)
    algorithms = commands.add_parser(
        "algorithms",
        help="list the published algorithms",
        description="List the algorithms that `identify` knows, with formula and source.",
    )
    algorithms.set_defaults(run=run_algorithms)
    laws = commands.add_parser(
        "laws", help="list the laws", description="List the laws and what they say."
    )
    laws.set_defaults(run=run_laws)
    claims = commands.add_parser(
        "claims",
        help="print the ledger",
        description=(
            "Print the claims of the paper with their verdicts, and counterexamples to those that"
            " are refuted."
        ),
    )
    for option, word, which in (
        ("--section", "TEXT", "sections named so"),
        ("--kind", "KIND", "claims of this kind"),
        ("--verdict", "WORD", "claims with this verdict"),
        ("--text", "TEXT", "claims that say this"),
    ):
        claims.add_argument(
            option, action="append", default=[], metavar=word, help=f"{which} (may be repeated)"
        )
    claims.add_argument("--json", action="store_true", help="as JSON, with all evidence")
    claims.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help=(
            "read this ledger.json; else that of the last report here if this code made it, else"
            " compute (two minutes)"
        ),
    )
    claims.add_argument(
        "--max-examples",
        type=int,
        default=200,
        metavar="N",
        help="cases tried for each search (default 200)",
    )
    claims.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the searches (default 0)"
    )
    claims.set_defaults(run=_claims)
    audits = commands.add_parser(
        "audits",
        help="audit losses of public libraries",
        description=(
            "Audit the losses of those public libraries that are installed, and say what changed"
            " since the table that was kept."
        ),
        epilog=(
            "Exit codes: 0 if no verdict changed (kind, objective, factor or strength; other words"
            " or numbers are told only), 1 if one did or can't be had any more from a library that"
            " is installed, 2 if nothing could be run or a file can't be used."
        ),
    )
    audits.add_argument(
        "--only", default="", metavar="TEXT", help="audits whose name contains this"
    )
    audits.add_argument(
        "--against",
        type=Path,
        metavar="FILE",
        help=(
            "compare with this table, which --json wrote (default: the checkout's"
            " reports/audits.json)"
        ),
    )
    _writes(audits, "--json", "the table as JSON")
    audits.set_defaults(run=run_audits)
    completion = commands.add_parser(
        "completion",
        help="print shell completion",
        description="Print a completion script for a shell.",
    )
    completion.add_argument("shell", choices=("bash", "zsh"), help="the shell it is for")
    completion.set_defaults(run=_completion)
    return parser


def _claims(options: argparse.Namespace) -> int:
    # the command line hands over to the roof; nothing else imports it
    from altpg_verify.report.listing import claims

    return claims(
        stored=options.ledger,
        sections=options.section,
        kinds=options.kind,
        verdicts=options.verdict,
        texts=options.text,
        as_json=options.json,
        max_examples=options.max_examples,
        seed=options.seed,
    )


def _completion(options: argparse.Namespace) -> int:
    from altpg_verify.completion import completion
    from altpg_verify.laws import LAWS

    print(
        completion(
            options.shell,
            _parser(),
            {"LAW": [law.name for law in LAWS], "POLICY": ["softmax", "escort:2"]},
        ),
        end="",
    )
    return OK


if __name__ == "__main__":
    # the module by its own name, as that is guarded while judged code runs
    from altpg_verify.__main__ import main as of_package

    sys.exit(of_package())
