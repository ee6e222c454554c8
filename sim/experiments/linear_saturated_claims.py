"""What the paper says of linear actor-critics from saturated policies (appendix F.4).

Stepsizes are those best at the end, chosen on 50 runs; what is reported are fresh runs at them. What a sentence doesn't name is
averaged over: the preferences, or the starts of the critic. Where it names no task it is said of both.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from sim import analysis
from sim.analysis import Measured, less
from sim.bootstrap import bootstrapped, share_of_wins
from sim.experiments.linear_nonstationary import record as nonstationary
from sim.experiments.linear_panel import ESTIMATORS, RETURNS, TASKS
from sim.experiments.linear_saturated import CRITICS, PREFERENCES, record
from sim.experiments.online_measures import best_of, domain, fresh, joined, over_stepsizes, sweep_domain
from sim.results import Results

WORST = PREFERENCES[-1]


def _domain(results: Results) -> str:
    return domain("tile coding", [record(results, task, "alternate") for task in TASKS])


def ends(results: Results, task: str, estimator: str, preference: float = 0.0, critic: float = 0.0, of: str = "final") -> Measured:
    """Where fresh runs end."""
    label = f"{task}, {estimator}, (0, {preference:g}, 0), critic {analysis.signed(critic)}"
    return fresh(label, record(results, task, estimator, preference, critic), "final", RETURNS, of)


@evidence("linear-both-learn-from-uniform", kind="simulation")
def both_learn(results: Results) -> Finding:
    items = [ends(results, task, estimator) for task in TASKS for estimator in ESTIMATORS]
    says = "from the uniform policy and a critic of 0 both estimators end above -200, on both tasks"
    later = fresh("regular", nonstationary(results, "MountainCar", "regular"), "half", RETURNS, "half").mean
    why = (
        "at each of its stepsizes some runs of regular have not solved MountainCar after 50 000 steps (it comes to "
        f"{later:.0f} after 100 000): details of the tile coder that the text doesn't give set how fast it learns"
    )
    return analysis.explained(lambda says: analysis.all_above(says, items, -200.0, _domain(results)), says, why)


@evidence("linear-alternate-faster-from-uniform", kind="simulation")
def alternate_faster(results: Results) -> Finding:
    gaps = [less(*(ends(results, task, estimator, of="whole") for estimator in ESTIMATORS), about=task) for task in TASKS]
    says = "from the uniform policy and a critic of 0 alternate has a larger mean return over all steps than regular, on both tasks"
    why = "the stepsizes are the best at the end, and which of the near ties among them learns faster is the chance of 50 runs"
    about = f"{_domain(results)}; stepsizes chosen by final performance; a return counts once for each step of its episode"
    return analysis.explained(lambda says: analysis.all_above(says, gaps, 0.0, about), says, why)


@evidence("alternate-escapes-preference-100", kind="simulation")
def escapes(results: Results) -> Finding:
    items = [ends(results, task, "alternate", WORST) for task in TASKS]
    says = "from preferences (0, 100, 0) and a critic of 0 alternate ends above -300, on both tasks"
    return analysis.all_above(says, items, -300.0, _domain(results))


@evidence("alternate-superior-for-almost-all-starts", kind="simulation")
def superior_for_almost_all(results: Results) -> Finding:
    settings = list(product(TASKS, PREFERENCES, CRITICS))
    samples = [
        record(results, task, estimator, preference, critic)["fresh_final"][0]
        for task, preference, critic in settings
        for estimator in ESTIMATORS
    ]
    share = bootstrapped(f"share of {len(settings)} settings", share_of_wins, samples, step=1 / len(settings))
    says = "alternate ends above regular in more than 80 % of the settings: two tasks, four policies and three critics at the start"
    return analysis.all_above(says, [share], 0.8, f"{_domain(results)}; bootstrap over runs")


@evidence("regular-better-at-uniform-minus-500", kind="simulation")
def regular_better_at_pessimism(results: Results) -> Finding:
    gaps = [less(*(ends(results, task, estimator, 0.0, -500.0) for estimator in ("regular", "alternate")), about=task) for task in TASKS]
    says = "from the uniform policy and a critic of -500 regular ends above alternate, on both tasks"
    return analysis.all_above(says, gaps, 0.0, _domain(results))


@evidence("negative-start-hurts-alternate", kind="simulation")
def pessimism_hurts(results: Results) -> Finding:
    gaps = []
    for task in TASKS:
        zero, below = (
            joined(
                f"alternate, critic {analysis.signed(critic)}, mean over four policies",
                [ends(results, task, "alternate", preference, critic) for preference in PREFERENCES],
            )
            for critic in (0.0, -500.0)
        )
        gaps.append(less(zero, below, about=task))
    says = "alternate ends higher with a critic from 0 than from -500, in the mean over the four policies at the start, on both tasks"
    return analysis.all_above(says, gaps, 0.0, _domain(results))


@evidence("regular-less-affected-by-critic-start", kind="simulation")
def regular_less_affected(results: Results) -> Finding:
    gaps = []
    for task in TASKS:
        alternate, regular = (_range(results, task, estimator) for estimator in ESTIMATORS)
        gaps.append(less(alternate, regular, about=task))
    says = (
        "from the uniform policy, the best of the three starts of the critic is farther above the worst for alternate than for regular, "
        "on both tasks"
    )
    about = f"{_domain(results)}; which start is best and which worst, too, is chosen in the sweep"
    why = (
        "on MountainCar regular has not got over values from +500 by 50 000 steps, at whatever stepsizes, and alternate has; the paper "
        "reads plots over all stepsizes, here each agent has its best"
    )
    return analysis.explained(lambda says: analysis.all_above(says, gaps, 0.0, about), says, why)


def _range(results: Results, task: str, estimator: str) -> Measured:
    """The best start of the critic less the worst, both chosen in the sweep and measured on fresh runs."""
    records = [record(results, task, estimator, 0.0, critic) for critic in CRITICS]
    top = best_of(records, "final")
    bottom = min(records, key=lambda one: float(one["final"].mean(axis=-1, dtype=np.float64).max()))
    one, other = (ends(results, task, estimator, 0.0, shown.setting["critic"]) for shown in (top, bottom))
    return less(one, other, about=f"{task}, {estimator}")


@evidence("linear-saturation-worsens-both", kind="simulation")
def saturation_worsens(results: Results) -> Finding:
    gaps = []
    for task, estimator in product(TASKS, ESTIMATORS):
        uniform, saturated = (
            joined(
                f"{task}, {estimator}, (0, {preference:g}, 0), mean over three critics",
                [ends(results, task, estimator, preference, critic) for critic in CRITICS],
            )
            for preference in (0.0, WORST)
        )
        gaps.append(less(uniform, saturated, about=task))
    says = "each estimator ends higher from the uniform policy than from (0, 100, 0), in the mean over three critics, on both tasks"
    return analysis.all_above(says, gaps, 0.0, _domain(results))


@evidence("alternate-poorer-at-small-critic-steps", kind="simulation")
def poorer_at_small_critic_steps(results: Results) -> Finding:
    gaps = []
    for task in TASKS:
        large, small = (
            joined(
                f"alternate, β = {beta:g}, mean over all α and all starts",
                [
                    over_stepsizes("", shown, RETURNS, shown.setting["betas"].index(beta))
                    for shown in (record(results, task, "alternate", *start) for start in product(PREFERENCES, CRITICS))
                ],
            )
            for beta in (1.0, 0.01)
        )
        gaps.append(less(large, small, about=task))
    says = "alternate ends higher with β = 1 than with β = 0.01, in the mean over all α and all starts, on both tasks"
    return analysis.all_above(says, gaps, 0.0, sweep_domain("tile coding", [record(results, task, "alternate") for task in TASKS]))
