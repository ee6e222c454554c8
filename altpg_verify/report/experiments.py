"""The chapters of experiments: a figure or more for each, its scale, and what the kept results
took.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from altpg_verify.errors import Missing
from altpg_verify.ledger import Ledger
from altpg_verify.report.markup import words
from altpg_verify.report.numbering import first_number, numbered
from altpg_verify.report.parts import Part, heading, note
from altpg_verify.report.summary import text

if TYPE_CHECKING:
    from altpg_verify.sim.experiment import Experiment
    from altpg_verify.sim.figures import FigureData
    from altpg_verify.sim.log import Totals
    from altpg_verify.sim.results import Results


def drawing(name: str, results: Results, picture: Callable[[FigureData], Part]) -> list[Part]:
    """The figures of an experiment, or why there are none.

    Args:
        name: of the experiment.
        results: of `altpg_verify.sim.experiments.run_all`.
        picture: how a figure's data become a part.
    """
    from altpg_verify.sim.experiments import experiment_named

    try:
        return [picture(figure) for figure in experiment_named(name).figures(results)]
    except Missing as error:
        # kept results may be missing, or made by other code
        return [note(f"Not shown: {error}.")]


def by_figure(ledger: Ledger, results: Results, drawn: Mapping[str, list[Part]]) -> list[Part]:
    """The experiments that stand for a figure of the paper, in the order of its figures.

    Args:
        ledger: has the claims that the figures decide.
        results: of the simulations.
        drawn: the figures of those to show, by the experiment's name.
    """
    members = sorted(
        (one for one in _shown(drawn) if math.isfinite(first_number(one.paper))),
        key=lambda one: first_number(one.paper),
    )
    kept = spent([one.name for one in members if one.stored], results)
    return [
        *kept,
        *(part for one in members for part in _experiment(ledger, results, one, drawn[one.name])),
    ]


def beyond(ledger: Ledger, results: Results, drawn: Mapping[str, list[Part]]) -> list[Part]:
    """The other experiments: for sentences of the paper, and for what lies beyond it. Those without
    a figure share one table at the end.

    Args:
        ledger: has the claims that they decide.
        results: of the simulations.
        drawn: the figures of those to show, by the experiment's name.
    """
    members = [one for one in _shown(drawn) if not math.isfinite(first_number(one.paper))]
    bare = [one for one in members if not drawn[one.name]]
    parts = [
        part
        for one in members
        if one not in bare
        for part in _experiment(ledger, results, one, drawn[one.name])
    ]
    return [*parts, *_without_figures(results, bare)]


def _without_figures(results: Results, members: list[Experiment]) -> list[Part]:
    """A table of the experiments that have no figure: what each is for, and its scale."""
    if not members:
        return []
    rows = [
        [words(_title(one)), words(numbered(one.paper)), words(_scale(one, results))]
        for one in members
    ]
    return [
        heading("Experiments without a figure"),
        {
            "kind": "prose",
            "header": ["experiment", "for", "scale"],
            "widths": [4, 4, 5],
            "rows": rows,
        },
    ]


def _shown(drawn: Mapping[str, list[Part]]) -> list[Experiment]:
    from altpg_verify.sim.experiments import EXPERIMENTS

    return [one for one in EXPERIMENTS if one.name in drawn]


def _experiment(
    ledger: Ledger, results: Results, one: Experiment, figures: list[Part]
) -> list[Part]:
    """Heading, what to see, scale, the claims that it decides, figures."""
    title = _title(one)
    source = numbered(one.paper)
    named = source.startswith("Figure")
    see = " ".join(part["see"] for part in figures[:1] if part["kind"] == "figure")
    said = f"{'' if named else f'{source[:1].upper()}{source[1:]}. '}{f'To see: {see} ' if see else ''}"
    scale = f"Scale: {_scale(one, results)}"
    decides = judged(ledger, one.paper)
    return [
        heading(f"{source}: {title}" if named else title),
        note(f"{said}{scale}"),
        *decides,
        *figures,
    ]


def _title(one: Experiment) -> str:
    return str(one.title[:1].upper() + one.title[1:])


def _scale(one: Experiment, results: Results) -> str:
    return f"{one.scale[results.profile_of(one.name)]}.{failed(one.name, results)}"


def judged(ledger: Ledger, paper: str) -> list[Part]:
    """The claims on the figures that an experiment stands for, with their verdicts; nothing if
    there are none.

    Args:
        ledger: has the verdicts.
        paper: the experiment's own words, with the labels of figures among them.
    """
    entries = [
        entry
        for entry in ledger.entries
        if _label(entry.claim.label) and _label(entry.claim.label) in re.split(r"[\s,]+", paper)
    ]
    return (
        [
            {
                "kind": "verdicts",
                "items": [{"id": one.claim.id, "verdict": str(one.verdict)} for one in entries],
            }
        ]
        if entries
        else []
    )


def _label(label: str) -> str:
    return label.removeprefix("fig: ").removesuffix(".pdf") if label.startswith("fig: ") else ""


def choices(results: Results) -> dict[str, Any]:
    """The chapter on what the paper's text leaves open: what its authors' code does, what was done
    here, and what that changes.
    """
    from altpg_verify.sim.choices import CHANGED_HEADER, HEADER, changed_verdicts, rows

    lead = (
        "Where the text is silent the authors' released code decides here, then the text. Numbers"
        " in brackets are lines of the paper's source; the last column is computed from results"
        " where both ways were run."
    )
    tables: list[tuple[Sequence[str], list[int], Sequence[Sequence[str]]]] = [
        (HEADER, [4, 3, 4, 3, 4], rows(results)),
        (CHANGED_HEADER, [5, 3, 3], changed_verdicts(results)),
    ]
    return {
        "title": "Text, code and choices",
        "parts": [
            text(lead),
            *(
                {
                    "kind": "prose",
                    "header": list(header),
                    "widths": widths,
                    "rows": [[words(cell) for cell in row] for row in found],
                }
                for header, widths, found in tables
                if found
            ),
        ],
    }


def failed(experiment: str, results: Results) -> str:
    """How many runs became infinite or not a number: they count as the worst, and none is dropped.
    Nothing where results are missing.
    """
    try:
        ((_, number),) = results.failures(experiment)
    except Missing:
        return ""
    return (
        " No run failed."
        if not number
        else f" {number} {'run' if number == 1 else 'runs'} failed, and count as the worst."
    )


def spent(kept: list[str], results: Results) -> list[Part]:
    """What the experiments took whose results are kept, as their logs say; nothing where they are
    missing.

    Args:
        kept: names of experiments.
        results: of the simulations.
    """
    try:
        total = results.spent(*kept) if kept else None
    except Missing:
        return []
    return [text(took(total))] if total and total.cells else []


def took(total: Totals) -> str:
    """A sentence on what kept results took: sweeps, steps, minutes, machines.

    Args:
        total: a `altpg_verify.sim.log.Totals`, its times in seconds.
    """
    return (
        f"The results of this chapter that take long are kept, at the paper's scale: {total.cells}"
        f" sweeps, {total.steps / 1e9:.1f} billion steps of the environment. They took"
        f" {total.cpu / 60:.0f} minutes of processor time, {total.wall / 60:.0f} minutes by the"
        f" clock beside other work, on {'; '.join(total.machines)}."
    )
