"""What the commands of `python -m altpg_verify` do; each gives the exit code."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from altpg_verify.errors import BadInput
from altpg_verify.screen import say
from altpg_verify.supervised import for_theirs
from altpg_verify.terminal import BAD_USE, complain, one_line, waiting
from altpg_verify.untrusted.calling import no_silent_end

if TYPE_CHECKING:
    from altpg_verify.audit.findings import Audit
    from altpg_verify.audit.updates import Update
    from altpg_verify.cases import Case
    from altpg_verify.estimators import Estimator
    from altpg_verify.parameterisations import Parameterisation
    from altpg_verify.results import Report
    from altpg_verify.sources import Source

OK, NOT_OK = 0, 1


@contextlib.contextmanager
def _their_code() -> Iterator[TextIO]:
    """While somebody's code is loaded and run: what it prints goes to standard error, and it can't
    end the process.

    Gives the standard output, for what the command itself has to say.
    """
    output = sys.stdout
    with contextlib.redirect_stdout(for_theirs()), no_silent_end():
        yield output


def run_check(options: argparse.Namespace) -> int:
    """Check every target: an estimator's laws, or an update against what it is meant to follow.

    Returns:
        0 if each is as it should be, 1 if not, 2 if one of them can't be used.
    """
    from altpg_verify.case_parsing import parse_case
    from altpg_verify.estimators import Estimator
    from altpg_verify.parameterisations import named
    from altpg_verify.sources import place_of, source_of
    from altpg_verify.targets import checked_at

    parameterisation = named(options.policy)
    case = parse_case(options.case, options.policy) if options.case else None
    quiet = "-" in (options.json, options.junit, options.sarif)
    reports: list[tuple[str, Report | Audit]] = []
    unusable: dict[str, str] = {}
    sources: dict[str, Source | None] = {}
    places: dict[str, tuple[str, int] | None] = {}
    with _their_code() as output:
        for origin, found in [pair for target in options.targets for pair in checked_at(target)]:
            try:
                places[origin] = place_of(found)
                sources[origin] = source_of(found)
                report: Report | Audit
                if not isinstance(found, Estimator):
                    report = _audit(origin, found, options)
                else:
                    report = _laws_of(origin, found, options, parameterisation, case)
            except BadInput as error:
                # one that can't be used says so, and the others are still checked
                unusable[origin] = one_line(error)
                complain("altpg-verify", error)
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


def _with_source(report: Report | Audit, source: Source | None) -> dict[str, object]:
    return {**report.as_dict(), "source": None if source is None else source.as_dict()}


def _in_part(report: Report | Audit) -> bool:
    """Whether something was left undecided: skipped, under a condition, or with lines of the
    formula that never ran.
    """
    return bool(getattr(report, "skipped", 0) or getattr(report, "partial", 0))


def _laws_of(
    origin: str,
    estimator: Estimator,
    options: argparse.Namespace,
    parameterisation: Parameterisation,
    case: Case | None,
) -> Report:
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


def _audit(origin: str, update: Update, options: argparse.Namespace) -> Audit:
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


def run_compare(options: argparse.Namespace) -> int:
    """What an edit of an update changes in expectation.

    Args:
        options: with `before` and `after`, each naming one update, and `json`.

    Returns:
        0 if the edited update is as it should be, else 1.
    """
    from altpg_verify.audit.comparing import compare

    with _their_code(), waiting(f"{options.before} and {options.after}"):
        found = compare(_one_update(options.before), _one_update(options.after))
    if options.json != "-":
        say(found)
    if options.json:
        _write_json(options.json, found.as_dict())
    return OK if found.ok else NOT_OK


def run_identify(options: argparse.Namespace) -> int:
    """Which published loss an update equals on every draw.

    Returns:
        0 if each equals one, or the one that `--conforms-to` names; else 1, as for lines that never
        ran under `--strict`.
    """
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


def run_algorithms(options: argparse.Namespace) -> int:
    """The published losses and advantage estimators, by name."""
    from altpg_verify.audit.references.algorithms import ALGORITHMS

    width = max(map(len, ALGORITHMS)) + 2
    for key, each in ALGORITHMS.items():
        print(f"{key:<{width}}{each.name}: {each.formula}\n{'':<{width}}{each.source}")
    return OK


def _one_update(target: str) -> Update:
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


def run_laws(options: argparse.Namespace) -> int:
    """Every law with its formula and what it is for; the exit code is 0."""
    from altpg_verify.laws import LAWS

    width = max(len(law.name) for law in LAWS) + 2
    for law in LAWS:
        kind = "required" if law.required else "property"
        say(
            f"{law.name:<{width}}{kind:<10}{law.formula}\n{'':<{width + 10}}{law.summary}; for"
            f" {law.domain.name}"
        )
    return OK


def run_audits(options: argparse.Namespace) -> int:
    """The audits of public libraries, of the installed versions or beside the kept table.

    Returns:
        0; 1 if one drifted from the kept table; 2 if none of the libraries could be audited.
    """
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
