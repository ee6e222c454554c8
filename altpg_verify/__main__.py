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
import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from altpg_verify.errors import BadInput
from altpg_verify.screen import say
from altpg_verify.supervised import alone, for_theirs
from altpg_verify.terminal import BAD_USE, complain, ended, one_line, waiting
from altpg_verify.untrusted.calling import no_silent_end

OK, NOT_OK = 0, 1
_NAME = "altpg-verify"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is as it should be, 1 if not, 2 if the input can't be used."""
    return command(arguments, is_process=arguments is None)


def command(arguments: Sequence[str] | None, *, is_process: bool) -> int:
    """The same. Args: is_process: it is all there is to this process, and may end it."""
    options = _parser().parse_args(arguments)
    runs_theirs = options.run in (_check, _compare, _identify)
    return (alone if is_process and runs_theirs else ended)(_NAME, lambda: options.run(options))


@contextlib.contextmanager
def _their_code() -> Iterator[TextIO]:
    """While somebody's code is loaded and run: what it prints goes to standard error, and it can't
    end the process.

    Gives the standard output, for what the command itself has to say.
    """
    output = sys.stdout
    with contextlib.redirect_stdout(for_theirs()), no_silent_end():
        yield output


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
    check.add_argument(
        "--json",
        metavar="FILE",
        help="also write the results as JSON (- for standard output, instead of text)",
    )
    check.add_argument(
        "--junit",
        metavar="FILE",
        help="also write the results as JUnit XML (- for standard output, instead of text)",
    )
    check.add_argument(
        "--sarif",
        metavar="FILE",
        help=(
            "also write the failures as SARIF, for annotations (- for standard output, instead of"
            " text)"
        ),
    )
    check.set_defaults(run=_check)
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
    compare.add_argument(
        "--json",
        metavar="FILE",
        help="also write the comparison as JSON (- for standard output, instead of text)",
    )
    compare.set_defaults(run=_compare)
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
    identify.add_argument(
        "--json",
        metavar="FILE",
        help="also write the results as JSON (- for standard output, instead of text)",
    )
    identify.set_defaults(run=_identify)
    algorithms = commands.add_parser(
        "algorithms",
        help="list the published algorithms",
        description="List the algorithms that `identify` knows, with formula and source.",
    )
    algorithms.set_defaults(run=_algorithms)
    laws = commands.add_parser(
        "laws", help="list the laws", description="List the laws and what they say."
    )
    laws.set_defaults(run=_laws)
    claims = commands.add_parser(
        "claims",
        help="print the ledger",
        description=(
            "Print the claims of the paper with their verdicts, and counterexamples to those that"
            " are refuted."
        ),
    )
    claims.add_argument(
        "--section",
        action="append",
        default=[],
        metavar="TEXT",
        help="sections named so (may be repeated)",
    )
    claims.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="KIND",
        help="claims of this kind (may be repeated)",
    )
    claims.add_argument(
        "--verdict",
        action="append",
        default=[],
        metavar="WORD",
        help="claims with this verdict (may be repeated)",
    )
    claims.add_argument(
        "--text",
        action="append",
        default=[],
        metavar="TEXT",
        help="claims that say this (may be repeated)",
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
    audits.add_argument(
        "--json",
        metavar="FILE",
        help="also write the table as JSON (- for standard output, instead of text)",
    )
    audits.set_defaults(run=_audits)
    completion = commands.add_parser(
        "completion",
        help="print shell completion",
        description="Print a completion script for a shell.",
    )
    completion.add_argument("shell", choices=("bash", "zsh"), help="the shell it is for")
    completion.set_defaults(run=_completion)
    return parser


def _check(options: argparse.Namespace) -> int:
    from altpg_verify.cases import parse_case
    from altpg_verify.estimators import Estimator
    from altpg_verify.parameterisations import named
    from altpg_verify.sources import place_of, source_of
    from altpg_verify.targets import checked_at

    parameterisation = named(options.policy)
    case = parse_case(options.case, options.policy) if options.case else None
    quiet = "-" in (options.json, options.junit, options.sarif)
    reports: list[Any] = []
    unusable: dict[str, str] = {}
    sources: dict[str, Any] = {}
    places: dict[str, tuple[str, int] | None] = {}
    with _their_code() as output:
        for origin, found in [pair for target in options.targets for pair in checked_at(target)]:
            try:
                places[origin] = place_of(found)
                sources[origin] = source_of(found)
                if not isinstance(found, Estimator):
                    report = _audit(origin, found, options)
                else:
                    report = _laws_of(origin, found, options, parameterisation, case)
            except BadInput as error:
                # one that can't be used says so, and the others are still checked
                unusable[origin] = one_line(error)
                complain(_NAME, error)
                continue
            reports.append((origin, report))
            if not quiet:
                say(report, output)
    if not quiet:
        for source in dict.fromkeys(sources[origin] for origin, _ in reports):
            if source is not None:
                say(f"source  {source}")
    if options.sarif:
        from altpg_verify.sarif import sarif

        _write(
            options.sarif,
            sarif(reports, places, strict=options.strict, unusable=unusable),
            "--sarif",
        )
    if unusable and not reports:
        return BAD_USE
    if options.json:
        failures = [{"origin": origin, "error": text} for origin, text in unusable.items()]
        _write_json(
            options.json,
            [*(_with_source(report, sources[origin]) for origin, report in reports), *failures],
        )
    if options.junit:
        from altpg_verify.junit import junit

        _write(options.junit, junit(reports, strict=options.strict, unusable=unusable), "--junit")
    if unusable:
        return BAD_USE
    fine = all(report.ok and not (options.strict and _in_part(report)) for _, report in reports)
    return OK if fine else NOT_OK


def _with_source(report: Any, source: Any) -> dict[str, Any]:
    return {**report.as_dict(), "source": None if source is None else source.as_dict()}


def _in_part(report: Any) -> bool:
    """Whether something was left undecided: skipped, under a condition, or with lines of the
    formula that never ran.
    """
    return bool(getattr(report, "skipped", 0) or getattr(report, "partial", 0))


def _laws_of(
    origin: str, estimator: Any, options: argparse.Namespace, parameterisation: Any, case: Any
) -> Any:
    from altpg_verify.checks import check_estimator

    with waiting(origin) as report:
        return check_estimator(
            estimator,
            only=options.only,
            max_examples=options.max_examples,
            seed=options.seed,
            on_fail="return",
            parameterisation=parameterisation,
            case=case,
            thorough=options.thorough,
            origin=origin,
            progress=lambda law: report(f"{origin}: {law}"),
        )


def _audit(origin: str, update: Any, options: argparse.Namespace) -> Any:
    from altpg_verify.audit.diagnosis import audit
    from altpg_verify.audit.mending import cheap

    if options.only or options.case:
        raise BadInput(
            f"{origin!r} is an update, tried on the space it names; --only and --case are for"
            " estimators"
        )
    sampled = {
        "bounds": options.bounds,
        "worth_finding": options.worth_finding,
        "false_alarm_rate": options.false_alarm_rate,
    }
    if options.samples is None and any(given is not None for given in sampled.values()):
        raise BadInput(
            "--bounds, --worth-finding and --false-alarm-rate are of sampled verdicts; give"
            " --samples N as well"
        )
    if options.bounds is not None:
        sampled["bounds"] = options.bounds.split(",")
    with waiting(origin) as report:
        return audit(
            update,
            samples=options.samples,
            **{name: given for name, given in sampled.items() if given is not None},
            seed=options.seed,
            ends=options.ends,
            origin=origin,
            budget=options.budget,
            jobs=options.jobs,
            mend=cheap(update) if options.mend is None else options.mend,
            report=report,
        )


def _compare(options: argparse.Namespace) -> int:
    from altpg_verify.audit.comparing import compare

    with _their_code(), waiting(f"{options.before} and {options.after}"):
        found = compare(_one_update(options.before), _one_update(options.after))
    if options.json != "-":
        say(found)
    if options.json:
        _write_json(options.json, found.as_dict())
    return OK if found.ok else NOT_OK


def _identify(options: argparse.Namespace) -> int:
    from altpg_verify.audit.references.identifying import identify
    from altpg_verify.targets import updates_at

    found = []
    with _their_code() as output:
        for origin, update in [pair for target in options.targets for pair in updates_at(target)]:
            one = identify(update, conforms_to=options.conforms_to)
            found.append((origin, one))
            if options.json != "-":
                print(one, file=output, flush=True)
    if options.json:
        _write_json(options.json, [{"origin": origin, **one.as_dict()} for origin, one in found])
    return (
        OK if all(one.ok and not (options.strict and one.partial) for _, one in found) else NOT_OK
    )


def _algorithms(options: argparse.Namespace) -> int:
    from altpg_verify.audit.references.algorithms import ALGORITHMS

    width = max(map(len, ALGORITHMS)) + 2
    for key, each in ALGORITHMS.items():
        print(f"{key:<{width}}{each.name}: {each.formula}\n{'':<{width}}{each.source}")
    return OK


def _one_update(target: str) -> Any:
    from altpg_verify.targets import updates_at

    found = updates_at(target)
    if len(found) != 1:
        raise BadInput(
            f"{target!r} has {len(found)} updates; name one of them, such as {found[0][0]}"
        )
    return found[0][1]


def _write_json(file: str, data: object) -> None:
    _write(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n", "--json")


def _write(file: str, text: str, option: str) -> None:
    if file == "-":
        print(text, end="")
        return
    from altpg_verify.files import write_whole

    write_whole(Path(file), text.encode(), option)


def _laws(options: argparse.Namespace) -> int:
    from altpg_verify.laws import LAWS

    width = max(len(law.name) for law in LAWS) + 2
    for law in LAWS:
        kind = "required" if law.required else "property"
        say(
            f"{law.name:<{width}}{kind:<10}{law.formula}\n{'':<{width + 10}}{law.says}; for"
            f" {law.domain.name}"
        )
    return OK


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


def _audits(options: argparse.Namespace) -> int:
    from altpg_verify.audit.libraries.drift import as_data as drift_data
    from altpg_verify.audit.libraries.drift import compared, gone
    from altpg_verify.audit.libraries.drift import summary as drift_summary
    from altpg_verify.audit.libraries.kept import kept_table, written_over
    from altpg_verify.audit.libraries.table import as_data, as_row, rows, summary

    # before anything runs: a table that can't be used should be said at once
    left = rows(options.only)
    kept, shown = kept_table(options.against, options.json)
    found, drifts = [], []
    while True:
        with waiting("the next audit"):
            row = next(left, None)
        if row is None:
            break
        found.append(row)
        if kept is not None:
            drifts.append(compared(kept.get(row.what.name), as_row(row)))
        if options.json != "-":
            say(f"{row}\n{drifts[-1]}\n" if drifts else f"{row}\n")
    data = as_data(found)
    if kept is not None:
        drifts += gone(kept, [row.what.name for row in found], options.only)
    if options.json != "-":
        say(summary(found))
        say(drift_summary(drifts, shown) if kept is not None else shown)
    if options.json:
        # the kept table, written anew, holds no comparison with what it was
        data |= (
            {"comparison": drift_data(drifts, shown)}
            if kept is not None and not written_over(options.against, options.json)
            else {}
        )
        _write_json(options.json, data)
    if not any(row.found for row in found):
        return BAD_USE
    return NOT_OK if any(each.outcome.drifted for each in drifts) else OK


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
