"""REINFORCE with true and learned values on the chain, from uniform to saturated starts (paper,
section 6 and its appendix).

Four experiments: the value started at 0 with reward noise (with the true v_π and the expected
gradient beside it), the same without noise, and with noise started at +4 (optimistic) and at -4
(pessimistic).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from altpg_verify.sim import best_stepsizes, captions
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.chain_panel import BETAS, FRESH, SCALE, STARTS, panel, run
from altpg_verify.sim.figures import FigureData, Line, Panel, Series, stepsize_panel
from altpg_verify.sim.results import Results

NOISE = "multiple_bad_init_sensitivity"
NO_NOISE = "multiple_bad_init_no_noise_sensitivity"
OPTIMISTIC = "optimistic_linear_chain_sensitivity"
PESSIMISTIC = "pessimistic_linear_chain_sensitivity"
_OPTIMUM = 0.81
_AGENTS = (
    ("expected_gradient", "fixed", "expected gradient"),
    ("regular", "true", "regular, true v_π"),
    ("alternate", "true", "alternate, true v_π"),
    ("regular", "learned", "regular, learned b"),
    ("alternate", "learned", "alternate, learned b"),
)


def _cells(name: str, sigma: float, b: float, profile: str) -> list[Mapping[str, Any]]:
    agents = _AGENTS if b == 0.0 else _AGENTS[-2:]
    # with noise and values from 0 the paper compares all agents, otherwise alternate with itself
    return [
        panel(
            estimator,
            sigma,
            start,
            baseline,
            b,
            fresh=FRESH if name == NOISE or estimator == "alternate" else 0,
        )
        for start in STARTS
        for estimator, baseline, _ in agents
    ]


def _sensitivity(results: Results, name: str, b: float, start: float) -> tuple[Series, ...]:
    series = []
    for estimator in ("alternate", "regular"):
        record = results.one(name, estimator=estimator, baseline="learned", start=start)
        # the smallest, a middle and the largest beta: all six would hide each other
        for index in (0, 2, 5):
            series.append(
                best_stepsizes.sensitivity(
                    f"{estimator}, β = {captions.fraction(BETAS[index])}", record, index
                )
            )
    if b == 0.0:
        for estimator in ("alternate", "regular"):
            record = results.one(name, estimator=estimator, baseline="true", start=start)
            series.append(best_stepsizes.sensitivity(f"{estimator}, true v_π", record))
        series.append(
            best_stepsizes.sensitivity(
                "expected gradient", results.one(name, estimator="expected_gradient", start=start)
            )
        )
    return tuple(series)


def _figures(name: str, title: str, b: float, results: Results) -> list[FigureData]:
    line = (Line("0.81, the optimum", _OPTIMUM),)
    panels = tuple(
        stepsize_panel(f"θ = ({start:g}, 0)", "v(s3)", _sensitivity(results, name, b, start), line)
        for start in STARTS
    )
    caption = (
        f"REINFORCE on the chain, {title}: exact v(s3), averaged over the last 10 of 100 episodes,"
        f" against the stepsize, for {len(STARTS)} starts θ, the preferences of left and right;"
        f" {captions.runs_each(results.select(name))}."
    )
    alt = f"Four panels of v(s3) against stepsize, one for each start: {title}."
    made = [FigureData(name, f"Chain: {title}", caption, alt, panels)]
    return made if b else [*made, _curves(results, name, title)]


def _curves(results: Results, name: str, title: str) -> FigureData:
    """Learning curves of the five agents, at the stepsizes that are best at the end."""
    panels = []
    for start in STARTS:
        series = tuple(
            best_stepsizes.learning_curve(
                label, results.one(name, estimator=estimator, baseline=baseline, start=start)
            )
            for estimator, baseline, label in _AGENTS
        )
        panels.append(
            Panel(
                f"θ = ({start:g}, 0)",
                "episode",
                "v(s3)",
                "linear",
                series,
                (Line("0.81, the optimum", _OPTIMUM),),
            )
        )
    caption = (
        f"REINFORCE on the chain, {title}: exact v(s3) after each episode, in bins of two, at the"
        f" stepsizes that are best at the end; {captions.runs_each(results.select(name))}."
    )
    alt = f"Four panels of v(s3) against episodes, one for each start: {title}."
    return FigureData(
        name.replace("sensitivity", "learning_curve"),
        f"Chain, learning curves: {title}",
        caption,
        alt,
        tuple(panels),
    )


def _experiment(name: str, title: str, figure: str, sigma: float, b: float) -> Experiment:
    scale = {"quick": SCALE, "paper": SCALE}
    return Experiment(
        name,
        f"chain, {title}",
        figure,
        scale,
        partial(_cells, name, sigma, b),
        run,
        partial(_figures, name, title, b),
    )


MULTIPLE_BAD_INIT_SENSITIVITY = _experiment(
    NOISE,
    "value started at 0",
    "figures multiple_bad_init_sensitivity, multiple_bad_init_learning_curve and tabular_combined"
    " (left, middle)",
    1.0,
    0.0,
)
MULTIPLE_BAD_INIT_NO_NOISE_SENSITIVITY = _experiment(
    NO_NOISE,
    "value started at 0, no reward noise",
    "figures multiple_bad_init_no_noise_sensitivity and multiple_bad_init_no_noise_learning_curve",
    0.0,
    0.0,
)
OPTIMISTIC_LINEAR_CHAIN_SENSITIVITY = _experiment(
    OPTIMISTIC,
    "value started at +4",
    "figures optimistic_linear_chain_sensitivity and tabular_combined (right)",
    1.0,
    4.0,
)
PESSIMISTIC_LINEAR_CHAIN_SENSITIVITY = _experiment(
    PESSIMISTIC,
    "value started at −4",
    "figures pessimistic_linear_chain_sensitivity and tabular_combined (right)",
    1.0,
    -4.0,
)
