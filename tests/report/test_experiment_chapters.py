"""The chapters of experiments say what was run, and what isn't there."""

from __future__ import annotations

import pytest

from altpg_verify.report import experiments
from altpg_verify.report.plain import spelled
from altpg_verify.sim.experiments import EXPERIMENTS
from altpg_verify.sim.log import Totals
from altpg_verify.sim.results import Results

STORED = [experiment for experiment in EXPERIMENTS if experiment.stored]


def nothing_kept(folder) -> Results:
    return Results(
        "quick",
        [],
        folder,
        stored=[cell for experiment in STORED for cell in experiment.work("paper")],
        kept=folder,
    )


def plain(part) -> str:
    return "".join(run if isinstance(run, str) else run["alt"] for run in part["text"])


class AnyResults:
    def profile_of(self, name):
        return "paper"

    def failures(self, name):
        yield name, 0

    def spent(self, *names):
        return None


@pytest.mark.thorough
def test_every_experiment_is_shown_once(nothing_ran):
    drawn = {experiment.name: [] for experiment in EXPERIMENTS}
    results = AnyResults()
    # one of those beyond the figures has a picture, the others stand in a table
    pictured = next(one.name for one in EXPERIMENTS if one.paper.startswith("beyond the paper"))
    drawn[pictured] = [{"kind": "note", "text": ["a picture"]}]
    parts = [
        *experiments.by_figure(nothing_ran, results, drawn),
        *experiments.beyond(nothing_ran, results, drawn),
    ]
    (rows,) = [part["rows"] for part in parts if part["kind"] == "prose"]
    titles = [
        part["text"]
        for part in parts
        if part["kind"] == "heading" and part["text"] != "Experiments without a figure"
    ]
    assert len(rows) > 5
    titles += [spelled(cells[0]) for cells in rows]
    assert len(titles) == len(set(titles)) == len(EXPERIMENTS)
    figures = [int(title.split()[1].rstrip(":,")) for title in titles if title.startswith("Figure")]
    assert figures == sorted(figures, key=lambda number: number)
    assert not any("_" in title for title in titles)


def test_a_claim_on_a_figure_stands_at_its_experiment(nothing_ran):
    (part,) = experiments.judged(nothing_ran, "figures entropy_sensitivity and another")
    assert {"entropy_sensitivity"} == {
        nothing_ran[one["id"]].claim.label.removeprefix("fig: ") for one in part["items"]
    }
    assert experiments.judged(nothing_ran, "beyond the paper") == []


def test_kept_results_that_are_missing_are_named_with_the_command(nothing_ran, tmp_path):
    results = nothing_kept(tmp_path)
    drawn = {
        experiment.name: experiments.drawing(experiment.name, results, dict)
        for experiment in STORED
    }
    parts = [
        *experiments.by_figure(nothing_ran, results, drawn),
        *experiments.beyond(nothing_ran, results, drawn),
    ]
    notes = [plain(part) for part in parts if part["kind"] == "note"]
    missing = [note for note in notes if note.startswith("Not shown")]
    # variants have their numbers in the figure of another experiment, or in the table of choices
    figureless = [experiment for experiment in STORED if not drawn[experiment.name]]
    assert all(experiment.paper.startswith("beyond the paper") for experiment in figureless)
    assert len(missing) == len(STORED) - len(figureless)
    for note in missing:
        assert any(
            f"python -m altpg_verify.sim run {experiment.name} --profile paper" in note
            for experiment in STORED
        )
    assert experiments.spent([experiment.name for experiment in STORED], results) == []


def test_the_choices_have_a_chapter(tmp_path):
    chapter = experiments.choices(nothing_kept(tmp_path))
    (table,) = [part for part in chapter["parts"] if part["kind"] == "prose"]
    assert len(table["rows"]) >= 15
    assert any(
        "python -m altpg_verify.sim run released_switch_time" in spelled(row[-1])
        for row in table["rows"]
    )


def test_what_the_kept_results_took_is_told():
    total = Totals(2, 0, 3.5e9, 120.0, 90.0, ("a machine",))
    reported = experiments.took(total)
    assert "2 sweeps, 3.5 billion steps of the environment" in reported
    assert (
        "2 minutes of processor time, 2 minutes by the clock beside other work, on a machine"
        in reported
    )


def test_failed_runs_are_told():
    class Some:
        def __init__(self, number):
            self.number = number

        def failures(self, name):
            yield name, self.number

    assert experiments.failed("any", Some(0)) == " No run failed."
    assert experiments.failed("any", Some(3)) == " 3 runs failed, and count as the worst."
