"""Figures: the same bytes in every process, styles told apart without colour, arrows from the
estimator objects.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from altpg_verify.estimators import alternate, regular
from altpg_verify.report import figures, simplex
from altpg_verify.report.drawing import COLOURS, blank
from altpg_verify.report.highest import highest
from altpg_verify.report.series_styles import styles
from altpg_verify.sim.figures import FigureData, Grid, Line, Panel, Series
from tests.report.figure_rules import RULES, faults
from tests.report.sample import ROOT

ALPHAS = tuple(2.0**n for n in range(-6, 2))


def series(label: str, level: float, errors: bool = True, points: int = 8) -> Series:
    x = ALPHAS if points == 8 else tuple(float(n) for n in range(points))
    y = tuple(level + 0.01 * n for n in range(points))
    return Series(label, x, y, tuple(0.02 for _ in x) if errors else None)


FIGURE = FigureData(
    "sample",
    "A sample",
    "What π_a does at b = +4.",
    "Curves.",
    (
        Panel(
            "b = +4",
            "stepsize α",
            "J",
            "log2",
            (series("alternate, β = 1/4", 2.3), series("regular, true r_π", 2.9)),
            (Line("26/11", 26 / 11),),
        ),
        Panel(
            "curves",
            "step",
            "J",
            "linear",
            (
                series("alternate, β = 1/4", 2.3, points=50),
                series("bare", 1, errors=False, points=50),
            ),
        ),
        Panel("no errors", "stepsize α", "J", "log10", (series("bare", 1, errors=False),)),
        Panel(
            "empty",
            "x",
            "y",
            grid=Grid(
                "ends at",
                (0.25, 0.75),
                (0.25, 0.75),
                ((0.0, 1.0), (float("nan"), 1.0)),
                ("a0", "a1"),
            ),
        ),
    ),
)


@pytest.mark.slow
def test_same_bytes_in_every_process():
    code = (
        "from tests.report import test_figures as t; print(t.figures.draw(t.FIGURE) +"
        " t.simplex.draw(), end='')"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env={
                **os.environ,
                "PYTHONIOENCODING": "utf-8",
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(ROOT),
                "MPLBACKEND": "agg",
                "TZ": zone,
            },
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert answers == {figures.draw(FIGURE) + simplex.draw()}


@pytest.mark.thorough
def test_text_stays_text_in_the_font_of_the_page():
    root = ET.fromstring(figures.draw(FIGURE))
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    said = {"".join(node.itertext()).replace("\u200b", "") for node in texts}
    assert {"stepsize α", "1/32", "26/11", "regular, true rπ"} <= said
    assert all("New Computer Modern" in node.get("style", "") for node in texts)
    assert "metrics" not in figures.draw(FIGURE)


def test_no_date_and_no_machine():
    assert "<dc:date>" not in figures.draw(FIGURE)


def test_looks_differ_without_colour():
    labels = [
        f"{estimator}, β = 1/{n}" for estimator in ("alternate", "regular") for n in (1, 2, 4, 16)
    ]
    for chosen in (
        labels,
        ["one", "two", "three"],
        ["alternate", "alternate, β = 1"],
        ["θ = (0, 0)", "θ = (1, 0)"],
        [*labels, "expected gradient"],
    ):
        for plain in (
            {(look.marker, look.filled, str(look.dashes)) for look in styles(chosen).values()},
            {(look.sparse, str(look.bare)) for look in styles(chosen).values()},
        ):
            assert len(plain) == len(chosen)


def test_same_estimator_same_hue_everywhere():
    one, other = (
        styles(["regular, β = 1", "alternate, β = 1", "regular, β = 2"]),
        styles(["alternate, x", "regular, x", "alternate, y"]),
    )
    assert one["alternate, β = 1"].colour == other["alternate, x"].colour
    assert one["regular, β = 1"].colour == other["regular, x"].colour


def test_an_estimators_colour_is_no_one_elses():
    labels = [
        "alternate with bonus, best",
        "regular with bonus, best",
        "escort, best",
        "α = 1",
        "b = +4",
        "its lower bound",
        "visited",
        "x",
        "y",
    ]
    chosen = styles(labels)
    assert chosen["alternate with bonus, best"].colour == styles(["alternate"])["alternate"].colour
    own = {look.colour for look in styles(["regular", "alternate", "expected gradient"]).values()}
    assert not own & {chosen[label].colour for label in labels[2:]}


def many(labels: int, points: int = 8) -> FigureData:
    """Four panels that share few series, with long titles and words beside the axes."""
    panels = tuple(
        Panel(
            f"learned from +4, best β, θ = ({number}, 0), with words",
            "gap of the saturated preference",
            f"critic's value of the start, {number}",
            series=tuple(
                series(f"{name}, true v_π, α = 1/{number + 2**n}", n, points=points)
                for n in range(labels)
                for name in NAMES
            ),
        )
        for number in range(4)
    )
    return FigureData("many", "Many", "Curves.", "Curves.", panels)


NAMES = ("regular", "alternate")


@pytest.mark.parametrize(
    "figure",
    [FIGURE, pytest.param(many(4), marks=pytest.mark.slow), many(4, points=50)],
    ids=["sample", "many", "bands"],
)
def test_figures_keep_to_the_rules(figure, monkeypatch):
    found = []
    monkeypatch.setattr(figures, "svg", lambda drawn: found.extend(faults(drawn)) or "")
    figures.draw(figure)
    assert found == []


def test_the_rules_find_what_breaks_them():
    with blank(2.0, 1.0) as drawn:
        axis = drawn.subplots()
        axis.set_title("a title that is far too long for so small a figure")
        axis.plot([1, 2, 3], [1, 2, 3], color=COLOURS[0], label="no estimator")
        axis.plot([1, 2, 3], [3, 2, 1], color=COLOURS[5], label="another")
        axis.legend()
        assert [len([*rule(drawn)]) > 0 for rule in RULES] == [True] * len(RULES)


@pytest.mark.slow
def test_every_figure_of_the_report_keeps_to_the_rules(monkeypatch, tmp_path):
    from altpg_verify.errors import Missing
    from altpg_verify.report import headline, inequalities, simplex, variance_figures
    from altpg_verify.sim import experiments

    found: dict[str, list[str]] = {}
    for module in (figures, inequalities, simplex, variance_figures):
        monkeypatch.setattr(
            module, "svg", lambda drawn: found.setdefault("last", []).extend(faults(drawn)) or ""
        )
    kept = experiments.paper_scale(ROOT / "reports")
    results = experiments.run_all(
        "quick", tmp_path, executor="local", progress=lambda *_: None, kept=kept
    )
    shown = 0
    for experiment in experiments.EXPERIMENTS:
        with contextlib.suppress(Missing):
            for figure in experiment.figures(results):
                figures.draw(figure)
                shown += 1
                found.setdefault(figure.name, found.pop("last", []))
    for make in (
        lambda: headline.picture(results),
        inequalities.picture,
        simplex.picture,
        variance_figures.parts,
    ):
        make()
    assert shown > 40
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("y", "errors"),
    [((1.0, 2.0, 4.0), (0.5, 0.0, 0.25)), ((-1.0, 0.0), (1.0, 3.0)), ((7.0,), (0.125,))],
)
def test_bars_reach_two_standard_errors_either_way(y, errors):
    from matplotlib.figure import Figure

    axis = Figure().subplots()
    shown = Series("regular", tuple(float(n) for n in range(len(y))), y, errors)
    figures._series(axis, shown, styles(["regular"])["regular"])
    bars, line = axis.lines
    ends = np.asarray(bars.get_ydata()).reshape(-1, 3)
    assert ends[:, 0].tolist() == [one - 2 * error for one, error in zip(y, errors, strict=True)]
    assert ends[:, 1].tolist() == [one + 2 * error for one, error in zip(y, errors, strict=True)]
    assert np.isnan(ends[:, 2]).all()
    assert np.asarray(bars.get_xdata()).reshape(-1, 3).T.tolist() == [list(shown.x)] * 3
    assert bars.get_color() == line.get_color()
    assert axis.get_legend_handles_labels() == ([line], ["regular"])


def test_powers_of_two_are_raised_letters():
    crowded = Series("regular", tuple(2.0**n for n in range(-11, 2)), (1.0,) * 13)
    panel = Panel("many", "α", "J", "log2", (crowded,))
    svg = figures.draw(FigureData("many", "Many", "Many.", "Curves.", (panel,)))
    for name in ("2⁻¹¹", "2⁻⁹", "2¹"):
        assert f">{name}<" in svg


def test_the_highest_curve_is_read_off_the_data():
    panel = Panel(
        "b = +4", "stepsize α", "J", "log2", (series("alternate", 2.3), series("regular", 2.9))
    )
    assert (
        highest(FigureData("one", "", "", "", (panel,)))
        == "Highest: b = +4: regular (2.97 at α = 2)."
    )
    close = Panel(
        "b = 0",
        "stepsize α",
        "J",
        "log2",
        (series("alternate", 2.9), series("regular", 2.9), series("expected gradient", 1)),
    )
    assert (
        highest(FigureData("one", "", "", "", (close,))) == "Highest: b = 0: 2 curves alike (2.97)."
    )
    assert (
        highest(FigureData("one", "", "", "", (close,) * 5))
        == "Highest in 5 panels: several curves alike in 5."
    )
    assert highest(FIGURE) == ""


def test_picture_is_what_the_template_wants():
    picture = figures.picture(FIGURE)
    assert picture["alt"] == "Curves."
    assert picture["caption"] == ["What ", {"source": "π_(a)", "alt": "π_a"}, " does at b = +4."]


def test_expected_updates_on_the_simplex():
    pi = np.array([0.2, 0.1, 0.7])
    r = np.array([1.0, 2.0, 3.0])
    assert simplex.expected_update(alternate, pi, 4.0) == pytest.approx(pi * (r - 4))
    assert simplex.expected_update(regular, pi, 4.0) == pytest.approx(pi * (r - pi @ r))


def test_fixed_points_are_found_by_following_the_update():
    assert simplex.fixed_point(alternate, 4.0) == pytest.approx(np.array([2, 3, 6]) / 11)
    weight = 1 / (np.array([1.0, 2.0, 3.0]) + 4)
    assert simplex.fixed_point(alternate, -4.0) == pytest.approx(weight / weight.sum())


@pytest.mark.parametrize(
    ("baseline", "rewards"), [(4.0, (1.0, 2.0, 3.0)), (-4.0, (0.0, 0.5)), (5.5, (1.0, 2.0))]
)
def test_a_fixed_point_is_what_all_steps_give(baseline, rewards):
    found = simplex.fixed_point(alternate, baseline, rewards)
    pi = np.full(len(rewards), 1 / len(rewards))
    direction = 1.0 if baseline > max(rewards) else -1.0
    for _ in range(5000):
        update = simplex.expected_update(alternate, pi, baseline, rewards)
        pi = simplex.moved(pi, update, direction * simplex.STEP)
    assert found.tolist() == pi.tolist()


def test_the_regular_estimator_has_no_fixed_point_inside():
    with pytest.raises(ArithmeticError, match="regular"):
        simplex.fixed_point(regular, 4.0)
