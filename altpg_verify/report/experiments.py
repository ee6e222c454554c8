"""The chapters of experiments: a figure or more for each, its scale, and what the kept results took."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from altpg_verify.errors import Missing
from altpg_verify.report.parts import Part, heading, note, table
from altpg_verify.report.summary import text

FAMILIES = {
    "tabular": "The other experiments with bandits and chain",
    "linear": "Actor-critics with linear features",
    "neural": "Actor-critics with neural networks",
}
"""Families of agents, and the titles of their chapters."""


def drawings(results: Any, picture: Callable[[Any], Part]) -> dict[str, list[Part]]:
    """By experiment: its figures, or why there are none. Args: results: of `altpg_verify.sim.experiments.run_all`."""
    from altpg_verify.sim.experiments import EXPERIMENTS

    return {experiment.name: _drawn(experiment, results, picture) for experiment in EXPERIMENTS}


def families(results: Any, drawn: Mapping[str, list[Part]]) -> list[dict[str, Any]]:
    """One chapter for each family. Args: drawn: the figures of the experiments to show."""
    from altpg_verify.sim.experiments import EXPERIMENTS

    chapters = []
    for family, title in FAMILIES.items():
        members = [experiment for experiment in EXPERIMENTS if experiment.family == family and experiment.name in drawn]
        parts = spent([experiment.name for experiment in members if experiment.stored], results)
        for experiment in members:
            scale = experiment.scale[results.profile_of(experiment.name)]
            said = f"Stands for: {experiment.paper}. Scale: {scale}.{failed(experiment.name, results)}"
            parts += [heading(experiment.title[:1].upper() + experiment.title[1:]), note(said), *drawn[experiment.name]]
        chapters.append({"title": title, "parts": parts})
    return [*chapters, choices(results)]


def choices(results: Any) -> dict[str, Any]:
    """The chapter on what the paper's text leaves open: what its authors' code does, what was done here, and what that changes."""
    from altpg_verify.sim.choices import HEADER, rows

    lead = (
        "Where the text is silent the authors' released code decides here, then the text. Numbers in brackets are lines of the paper's "
        "source; the last column is computed from results where both ways were run."
    )
    return {"title": "Text, code and choices", "parts": [text(lead), table(HEADER, rows(results))]}


def _drawn(experiment: Any, results: Any, picture: Callable[[Any], Part]) -> list[Part]:
    try:
        return [picture(figure) for figure in experiment.figures(results)]
    except Missing as error:
        # kept results may be missing, or made by other code
        return [note(f"Not shown: {error}.")]


def failed(experiment: str, results: Any) -> str:
    """How many runs became infinite or not a number: they count as the worst, and none is dropped. Nothing where results are missing."""
    try:
        ((_, number),) = results.failures(experiment)
    except Missing:
        return ""
    return " No run failed." if not number else f" {number} {'run' if number == 1 else 'runs'} failed, and count as the worst."


def spent(kept: list[str], results: Any) -> list[Part]:
    """What the experiments took whose results are kept, as their logs tell; nothing where they are missing."""
    try:
        total = results.spent(*kept) if kept else None
    except Missing:
        return []
    return [text(took(total))] if total and total.cells else []


def took(total: Any) -> str:
    """A sentence. Args: total: a `altpg_verify.sim.log.Totals`."""
    return (
        f"The results of this chapter that take long are kept, at the paper's scale: {total.cells} sweeps, {total.steps / 1e9:.1f} "
        f"billion steps of the environment. They took {total.cpu / 60:.0f} minutes of processor time, {total.wall / 60:.0f} minutes by the "
        f"clock beside other work, on {'; '.join(total.machines)}."
    )
