"""The command line: check stored certificates again, and make new ones."""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the user's folder first, where a random.py or sympy.py would stand in for the
    # real one
    sys.path.append(sys.path.pop(0))

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.screen import say
from altpg_verify.supervised import alone
from altpg_verify.terminal import BAD_USE, complain, ended, one_line, waiting
from altpg_verify.wording import counted

OK, NOT_OK = 0, 1
LONGEST = 400
"""Characters of a statement that are printed."""
LAWS = ("unbiased", "bias", "conservative", "attracts")
"""What can be certified of a user's estimator."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is as it should be, 1 if not, 2 if the input can't be used."""
    options = _parser().parse_args(arguments)
    is_process = arguments is None and options.run is _certify
    return (alone if is_process else ended)("theory", lambda: options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m altpg_verify.theory",
        description="Certificates: check them again, or make new ones.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    again = commands.add_parser(
        "recheck",
        help="check stored certificates again",
        description="Check stored certificates again.",
    )
    again.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="a certificate file, or a folder of them",
    )
    again.set_defaults(run=_recheck)
    certify = commands.add_parser(
        "certify",
        help="make certificates",
        description=(
            "Without a target: all certificates of the paper's claims, into the folder OUT. With a"
            " target and --law: a certificate of that estimator. With --bandit and --alpha alone:"
            " that one expected step of the alternate estimator moves the policy towards π* (b"
            " above all rewards) or away from it (b below all rewards), everywhere on the simplex."
        ),
    )
    certify.add_argument(
        "target", nargs="?", metavar="TARGET", help="an estimator, as module:name or file.py:name"
    )
    certify.add_argument(
        "--law",
        choices=LAWS,
        metavar="LAW",
        help=f"what to certify of the target: {', '.join(LAWS)}",
    )
    certify.add_argument(
        "--bandit", metavar="BANDIT", help='mean rewards and baseline, e.g. "r=1,2,3; b=4"'
    )
    certify.add_argument("--alpha", metavar="A", help="stepsize, an exact number such as 2 or 11/6")
    certify.add_argument(
        "--max-leaves",
        type=int,
        default=50_000,
        metavar="N",
        help="pieces of the simplex to try (default 50000)",
    )
    certify.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="OUT",
        help="where to write: a folder, or with a target or bandit a file",
    )
    certify.set_defaults(run=_certify)
    return parser


def _recheck(options: argparse.Namespace) -> int:
    from altpg_verify.theory.proving.certificate_recheck import files_at, recheck_file

    # files named by themselves are spoken of one by one, those in folders only if they fail
    named, unusable = set(options.paths), 0
    found: list[tuple[Path, Any]] = []
    with waiting("certificates") as report:
        for path in files_at(options.paths):
            report(f"{path}, {len(found) + 1} files so far")
            try:
                found.append((path, recheck_file(path)))
            except BadInput as error:
                unusable += 1
                complain("theory", error)
    for path, checked in found:
        for reason in checked.refused:
            say(f"REFUSED  {path}: {reason}")
        if checked.holds and path in named:
            say(f"holds    {path}: {counted(len(checked.kinds), 'certificate')}")
            for kind, statement in zip(checked.kinds, checked.proved, strict=True):
                say(f"  {kind}: {_short(statement)}")
            say(f"  the file's own words, which are not checked: {_short(checked.words)}")
    results = [checked for _, checked in found]
    refused = sum(not checked.holds for checked in results)
    kinds = Counter(kind for checked in results for kind in checked.kinds)
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    say(
        f"files: {len(results)}, certificates: {kinds.total()} ({counts}); files refused:"
        f" {refused}, unusable: {unusable}"
    )
    return BAD_USE if unusable else NOT_OK if refused else OK


def _short(text: str) -> str:
    """Somebody's words, or a long formula, as one line."""
    line = one_line(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def _certify(options: argparse.Namespace) -> int:
    if options.target is None and options.bandit is None:
        if options.law or options.alpha:
            raise BadInput(
                "certify: --law needs a target (module:name), and --alpha needs a --bandit"
            )
        from altpg_verify.theory.proving.certificate_store import write_certificates

        with waiting(f"certificates into {options.out}"):
            written = write_certificates(options.out)
        say(f"{len(written)} certificate files written to {options.out}")
        return OK
    if options.target is None:
        from altpg_verify.theory.certify.simplex_cover import certify_bandit

        with waiting("the simplex is covered"):
            answer = certify_bandit(options.bandit, options.alpha, options.out, options.max_leaves)
        return _told(answer)
    if options.law is None:
        raise BadInput(
            f"certify: say what to certify of {options.target!r} with --law, one of"
            f" {', '.join(LAWS)}"
        )
    if options.alpha:
        raise BadInput(
            "certify: --alpha goes with a --bandit alone; what is certified of a target holds for"
            " small stepsizes or for any"
        )
    from altpg_verify.theory.certify.user_certificates import certify_target

    with waiting(f"{options.target}: {options.law}"):
        answer = certify_target(options.target, options.law, options.bandit, options.out)
    return _told(answer)


def _told(answer: tuple[bool, str]) -> int:
    done, words = answer
    say(words)
    return OK if done else NOT_OK


if __name__ == "__main__":
    sys.exit(main())
