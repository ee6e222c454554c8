"""The command line: check an estimator, list the laws, print the ledger. (`python -m altpg_verify.report` writes the PDF.)"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from altpg_verify.errors import BadInput

OK, NOT_OK, BAD_USE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is as it should be, 1 if not, 2 if the input can't be used."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except BadInput as error:
        print(f"altpg-verify: {' '.join(str(error).split())}", file=sys.stderr)
        return BAD_USE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m altpg_verify", description="Know whether a policy-gradient estimator is what it claims to be."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="check estimators against the laws", description="Check estimators against the laws.")
    check.add_argument("targets", nargs="+", metavar="TARGET", help="module:name, module (all estimators in it) or file.py:name")
    check.add_argument("--only", action="append", metavar="LAW", help="this law only (may be repeated)")
    check.add_argument("--case", metavar="CASE", help='this case only, e.g. "pi=1/2,1/2; r=0,1; b=1"')
    check.add_argument("--policy", default="softmax", metavar="POLICY", help="softmax (default) or escort:P")
    check.add_argument("--max-examples", type=int, default=100, metavar="N", help="cases to search where nothing is proved (default 100)")
    check.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the search (default 0)")
    check.add_argument("--thorough", action="store_true", help="search N cases even where a law is proved")
    check.add_argument("--strict", action="store_true", help="a skipped law counts as a failure")
    check.add_argument("--json", metavar="FILE", help="also write the results as JSON (- for standard output, instead of text)")
    check.set_defaults(run=_check)
    laws = commands.add_parser("laws", help="list the laws", description="List the laws and what they say.")
    laws.set_defaults(run=_laws)
    claims = commands.add_parser("claims", help="print the ledger", description="Print every claim of the paper with its verdict.")
    claims.add_argument("--section", action="append", default=[], metavar="TEXT", help="sections named so (may be repeated)")
    claims.add_argument("--kind", action="append", default=[], metavar="KIND", help="claims of this kind (may be repeated)")
    claims.add_argument("--verdict", action="append", default=[], metavar="WORD", help="claims with this verdict (may be repeated)")
    claims.add_argument("--json", action="store_true", help="as JSON, with all evidence")
    claims.add_argument("--ledger", type=Path, metavar="FILE", help="read a stored ledger.json; else compute, without simulations")
    claims.add_argument("--max-examples", type=int, default=200, metavar="N", help="cases tried for each search (default 200)")
    claims.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the searches (default 0)")
    claims.set_defaults(run=_claims)
    audits = commands.add_parser(
        "audits", help="audit losses of public libraries", description="Audit the losses of those public libraries that are installed."
    )
    audits.add_argument("--only", default="", metavar="TEXT", help="audits whose name contains this")
    audits.add_argument("--json", metavar="FILE", help="also write the table as JSON (- for standard output, instead of text)")
    audits.set_defaults(run=_audits)
    return parser


def _check(options: argparse.Namespace) -> int:
    from altpg_verify.cases import parse_case
    from altpg_verify.checks import check_estimator
    from altpg_verify.parameterisations import named
    from altpg_verify.targets import estimators_at

    parameterisation = named(options.policy)
    case = parse_case(options.case, options.policy) if options.case else None
    chosen = [pair for target in options.targets for pair in estimators_at(target)]
    reports = []
    for origin, estimator in chosen:
        report = check_estimator(
            estimator,
            only=options.only,
            max_examples=options.max_examples,
            seed=options.seed,
            on_fail="return",
            parameterisation=parameterisation,
            case=case,
            thorough=options.thorough,
            origin=origin,
        )
        reports.append(report)
        if options.json != "-":
            print(report, flush=True)
    if options.json:
        _write_json(options.json, [report.as_dict() for report in reports])
    fine = all(report.ok and not (options.strict and report.skipped) for report in reports)
    return OK if fine else NOT_OK


def _write_json(file: str, data: object) -> None:
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    if file == "-":
        print(text, end="")
        return
    from altpg_verify.files import write_whole

    write_whole(Path(file), text.encode(), "--json")


def _laws(options: argparse.Namespace) -> int:
    from altpg_verify.laws import LAWS

    width = max(len(law.name) for law in LAWS) + 2
    for law in LAWS:
        kind = "required" if law.required else "property"
        print(f"{law.name:<{width}}{kind:<10}{law.formula}\n{'':<{width + 10}}{law.says}; for {law.domain.name}")
    return OK


def _claims(options: argparse.Namespace) -> int:
    # the command line hands over to the roof; nothing else imports it
    from altpg_verify.report.listing import claims

    return claims(
        stored=options.ledger,
        sections=options.section,
        kinds=options.kind,
        verdicts=options.verdict,
        as_json=options.json,
        max_examples=options.max_examples,
        seed=options.seed,
    )


def _audits(options: argparse.Namespace) -> int:
    from altpg_verify.audit.libraries.table import as_data, rows, summary

    found = []
    for row in rows(options.only):
        found.append(row)
        if options.json != "-":
            print(f"{row}\n", flush=True)
    if options.json != "-":
        print(summary(found))
    if options.json:
        _write_json(options.json, as_data(found))
    return OK if any(row.found for row in found) else BAD_USE


if __name__ == "__main__":
    sys.exit(main())
