"""With and without reward noise, from a uniform and from a saturated start: r = [0, 0, 1] (paper,
section 4, experiments 1 and 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import Measured, measured, policies
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.bandit_panel import FRESH, SCALE, panel, run
from altpg_verify.sim.figures import FigureData, Panel
from altpg_verify.sim.results import Results

NAME = "param_sensitivity_r001"
REWARDS = [0.0, 0.0, 1.0]
NOISES = (1.0, 0.0)
STARTS = (0.0, 10.0)
AGENTS = (
    ("expected_gradient", "fixed", "expected gradient"),
    ("regular", "true", "regular, true r_π"),
    ("alternate", "true", "alternate, true r_π"),
    ("regular", "learned", "regular, learned b"),
    ("alternate", "learned", "alternate, learned b"),
)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        panel(
            estimator,
            REWARDS,
            sigma,
            start,
            baseline,
            fresh=FRESH,
            by_alpha=estimator == "alternate" and sigma > 0 and start > 0,
        )
        for sigma in NOISES
        for start in STARTS
        for estimator, baseline, _ in AGENTS
    ]


def _figures(results: Results) -> list[FigureData]:
    def panels(
        series: Any, xlabel: str, xscale: str, noises: tuple[float, ...]
    ) -> tuple[Panel, ...]:
        made = []
        for sigma in noises:
            for start in STARTS:
                records = [
                    (
                        label,
                        results.one(
                            NAME, estimator=estimator, baseline=baseline, sigma=sigma, start=start
                        ),
                    )
                    for estimator, baseline, label in AGENTS
                ]
                title = (
                    f"{'uniform' if start == 0 else 'saturated'} start,"
                    f" {'noise 1' if sigma else 'no noise'}"
                )
                made.append(
                    Panel(
                        title,
                        xlabel,
                        "value of the policy, J",
                        xscale,
                        tuple(series(label, record) for label, record in records),
                    )
                )
        return tuple(made)

    runs = captions.runs_each(results.select(NAME))
    sensitivity = FigureData(
        NAME,
        "Reward noise and saturation",
        "Bandit r = (0, 0, 1): J over the last 50 of 1000 steps against the policy stepsize, at"
        " the best baseline stepsize for each; baseline started at 0; starts (0, 0, 0) and (10, 0,"
        f" 0); {runs}.",
        "Four panels of J against stepsize. Only from the saturated start with noise do the"
        " alternate estimators rise above zero.",
        panels(best_stepsizes.best_beta, "stepsize α", "log2", NOISES),
    )
    curves = FigureData(
        "bandit_learning_curve",
        "Learning curves with reward noise",
        "Bandit r = (0, 0, 1) with noise 1: J at the stepsizes that are best at the end, in bins"
        f" of 20 steps; {runs}.",
        "Two panels of J against time: uniform and saturated start.",
        panels(best_stepsizes.learning_curve, "step", "linear", (1.0,)),
    )
    return [sensitivity, curves]


PARAM_SENSITIVITY_R001 = Experiment(
    NAME,
    "bandit r = [0, 0, 1], with and without reward noise",
    "figures combined_bandit_parameter_sensitivity (left, middle), param_sensitivity_r001,"
    " bandit_learning_curve",
    {"quick": SCALE, "paper": SCALE},
    _cells,
    run,
    _figures,
)


@evidence("alternate-escapes-by-noise", kind="simulation")
def escapes_by_noise(results: Results) -> Finding:
    shares: list[Measured] = []
    for sigma in NOISES:
        theta = results.one(NAME, estimator="alternate", baseline="true", sigma=sigma, start=10.0)[
            "theta"
        ]
        escaped = (policies(theta)[:, 0, :, 2] > 0.5).astype(float)
        shares.append(measured(f"noise {sigma:g}, all stepsizes", list(escaped), (0.0, 1.0)))
    gap = analysis.difference(
        f"{shares[0].mean:.3g} with noise, {shares[1].mean:.3g} without", *shares
    )
    summary = (
        "from (10, 0, 0) with the true r_π more runs end with over half of the mass on the best"
        " action with noise than without"
    )
    return analysis.all_above(
        summary,
        [gap],
        0.0,
        "r = (0, 0, 1), 1000 steps, 150 runs for each stepsize 1/64 ... 2, pooled",
    )
