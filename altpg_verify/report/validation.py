"""How the verifier was validated: the figures that `python -m trust` wrote to reports/trust.json,
with what they were to keep.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import read_json
from altpg_verify.report.content import shown
from altpg_verify.report.markup import words
from altpg_verify.report.parts import note
from altpg_verify.report.summary import text

NAME = "trust.json"
SCHEMA = 1
COMMAND = "python -m trust"

_LEAD = (
    "A verifier can be wrong, too. So it was validated: whether its tests notice faults put into it"
    " (mutation testing), whether its stated error rates are kept, whether independent computations"
    " of one number agree, and whether bad input is refused. Each bound was fixed before anything"
    " was measured; what misses its bound says NOT MET."
)


def trusted(path: Path) -> list[dict[str, Any]]:
    """The parts of the chapter; one sentence, with the command, where nothing is kept.

    Raises:
        BadInput: the file isn't such a record.
    """
    if not path.is_file():
        said = (
            "NOT RUN: how far the verifier itself can be trusted was not measured for this report;"
            f" measure it with: {COMMAND}"
        )
        return [note(said)]
    kept = read_json(path, mend=f"make it again with: {COMMAND}")
    try:
        if kept["schema"] != SCHEMA:
            raise ValueError(f"schema {kept['schema']}")
        bounded = [
            figure
            for part in kept["parts"]
            for figure in part["figures"]
            if figure["met"] is not None
        ]
        missed = sum(not figure["met"] for figure in bounded)
        said = (
            f"{len(bounded)} figures with a bound: {len(bounded) - missed} met, {missed} NOT MET."
        )
        parts = [part for made in kept["parts"] for part in _part(made)]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise BadInput(
            f"{str(path)!r} is no record of trust ({type(error).__name__}); make it again with:"
            f" {COMMAND}"
        ) from error
    return [text(_LEAD), text(said), *parts]


_HEADER = ["what was measured", "value", "to be", ""]


def _part(made: dict[str, Any]) -> list[dict[str, Any]]:
    """One part: its title, how it was made, its figures, its notes."""
    machine = made["machine"]
    where = f"{machine['system']}, {machine['cores']} cores, Python {machine['python']}"
    ran = f"{made['command']}: {shown(float(made['seconds']))} s on {where}, "
    return [
        {"kind": "heading", "text": f"{made['title'][:1].upper()}{made['title'][1:]}"},
        note(f"{ran}{made['date']}."),
        {
            "kind": "prose",
            "header": _HEADER,
            "widths": [8, 2, 3, 2],
            "rows": [_row(figure) for figure in made["figures"]],
        },
        *map(note, [*_whole(made["details"].get("whole") or {}), *made["notes"]]),
    ]


def _whole(suites: dict[str, Any]) -> list[str]:
    """A sentence on the whole test suites that were run in settings, and one on each in which
    something failed.
    """
    if not suites:
        return []
    tests, skipped, failures = (
        sum(amount) for amount in zip(*map(_amounts, suites.values()), strict=True)
    )
    dates = sorted({suite["date"] for suite in suites.values()})
    codes = {suite["code"] for suite in suites.values()}
    when = " to ".join(dict.fromkeys((dates[0], dates[-1])))
    which = f"version {codes.pop()}" if len(codes) == 1 else f"{len(codes)} states of the code"
    said = (
        f"Whole test suites: {len(suites)} settings, {tests} tests, {skipped} of them skipped,"
        f" {failures} failures ({when}, {which})."
    )
    return [
        said,
        *(
            f"Failed in {name}: {', '.join(suite['failures'])}."
            for name, suite in suites.items()
            if suite["failures"]
        ),
    ]


def _amounts(suite: dict[str, Any]) -> tuple[int, int, int]:
    return suite["tests"], suite["skipped"], len(suite["failures"])


def _row(figure: dict[str, Any]) -> list[Any]:
    met = {None: "", True: "met", False: "NOT MET"}[figure["met"]]
    return [
        words(figure["says"]),
        words(shown(float(figure["value"]))),
        words(figure["target"] or "reported only"),
        words(met),
    ]
