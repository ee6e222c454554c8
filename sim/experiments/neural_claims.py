"""What the paper says of neural actor-critics on DotReacher (section 7, experiment 8, and appendices G and H).

Stepsizes are chosen as the paper chooses them, on 50 runs; what is reported are fresh runs at them. Where a sentence names no set of
stepsizes they are those best at the end, and where it names no start of the critic it is 0.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from sim import analysis
from sim.analysis import Measured, difference, less, measured
from sim.bootstrap import bootstrapped, share_of_wins
from sim.experiments import neural_nonstationary, neural_saturated
from sim.experiments.neural_panel import ESTIMATORS, RETURNS
from sim.experiments.neural_saturated import CRITICS, PREFERENCES
from sim.experiments.online_measures import at_best_betas, domain, fresh, over_stepsizes, sweep_domain
from sim.experiments.online_panel import CHOICES
from sim.results import Results

_SETTING = "two networks, Adam"
LOW, HIGHEST = (5.0, 10.0), PREFERENCES[-1]
STARTS = tuple(product(PREFERENCES, CRITICS))
_UNNAMED = "the paper does not say what its highest saturation is, and 100 may be more than that"


def _domain(results: Results) -> str:
    return domain(_SETTING, results.select(neural_saturated.NAME))


def _sweep(results: Results) -> str:
    return sweep_domain(_SETTING, results.select(neural_saturated.NAME))


def _switched(results: Results) -> str:
    return domain(f"{_SETTING}, goal moved at half-time", results.select(neural_nonstationary.NAME))


def _words(estimator: str, preference: float, critic: float) -> str:
    return f"{estimator}, no movement {preference:g}, critic {analysis.signed(critic)}"


def ends(results: Results, estimator: str, preference: float, critic: float = 0.0) -> Measured:
    """Where fresh runs end."""
    return fresh(
        _words(estimator, preference, critic), neural_saturated.record(results, estimator, preference, critic), "final", RETURNS
    )  # fmt: skip


def _ends_after_move(results: Results, estimator: str, choice: str) -> Measured:
    return fresh(estimator, neural_nonstationary.record(results, estimator), choice, RETURNS)


@evidence("dotreacher-neural-competitive", kind="simulation")
def competitive(results: Results) -> Finding:
    gaps = [less(*(_ends_after_move(results, estimator, choice) for estimator in ESTIMATORS)) for choice in CHOICES]
    says = "after the goal has moved alternate ends at most 0.1 below regular, for both sets of stepsizes"
    return analysis.all_above(says, gaps, -0.1, _switched(results))


@evidence("dotreacher-alternate-competitive", kind="simulation")
def competitive_at_best(results: Results) -> Finding:
    gap = less(*(_ends_after_move(results, estimator, "final") for estimator in ESTIMATORS))
    says = "after the goal has moved alternate ends at most 0.1 below regular, each at the stepsizes best at the end"
    return analysis.all_above(says, [gap], -0.1, _switched(results))


@evidence("neural-alternate-superior", kind="simulation")
def superior(results: Results) -> Finding:
    gaps = []
    for preference in PREFERENCES[1:]:
        items = [
            over_stepsizes(_words(estimator, preference, 0.0), neural_saturated.record(results, estimator, preference, 0.0), RETURNS)
            for estimator in ESTIMATORS
        ]
        gaps.append(less(*items, about="mean over all α and β"))
    says = "alternate ends above regular in the mean over all α and β, from each saturated policy and a critic of 0"
    return analysis.all_above(says, gaps, 0.0, _sweep(results))


@evidence("neural-low-saturation-regular-as-good", kind="simulation")
def regular_as_good(results: Results) -> Finding:
    gaps = [less(*(ends(results, estimator, preference) for estimator in ("regular", "alternate"))) for preference in LOW]
    says = "from preferences 5 and 10 and a critic of 0 regular ends at most 0.3 below alternate"
    return analysis.all_above(says, gaps, -0.3, _domain(results))


@evidence("neural-high-saturation-alternate-only", kind="simulation")
def only_alternate_escapes(results: Results) -> Finding:
    alternate, regular = (ends(results, estimator, HIGHEST) for estimator in ESTIMATORS)
    margins = [difference(f"{alternate.words} less -1", alternate, _exactly(-1.0))]
    margins.append(difference(f"-5 less {regular.words}", _exactly(-5.0), regular))
    says = f"from preference {HIGHEST:g} and a critic of 0 alternate ends above -1 and regular below -5"
    return analysis.explained(lambda says: analysis.all_above(says, margins, 0.0, _domain(results)), says, _UNNAMED)


def _exactly(value: float) -> Measured:
    return Measured("", value, 0.0, 0, 0.0, 0.0)


@evidence("neural-optimism-helps", kind="simulation")
def optimism_helps(results: Results) -> Finding:
    items = [ends(results, "alternate", HIGHEST, critic) for critic in (0.0, 25.0)]
    says = f"from preference {HIGHEST:g} alternate ends above -1 with a critic from 0 and from +25"
    return analysis.explained(lambda says: analysis.all_above(says, items, -1.0, _domain(results)), says, _UNNAMED)


@evidence("neural-pessimism-worse-than-regular", kind="simulation")
def pessimism_worse(results: Results) -> Finding:
    gaps = [
        less(*(ends(results, estimator, preference, -25.0) for estimator in ("regular", "alternate"))) for preference in PREFERENCES[:-1]
    ]
    says = f"with a critic from -25 regular ends above alternate, from each policy but the one with preference {HIGHEST:g}"
    return analysis.all_above(says, gaps, 0.0, _domain(results))


@evidence("neural-alternate-better-for-almost-all", kind="simulation")
def better_for_almost_all(results: Results) -> Finding:
    samples = [neural_saturated.record(results, estimator, *start)["fresh_final"][0] for start in STARTS for estimator in ESTIMATORS]
    share = bootstrapped(f"share of {len(STARTS)} settings", share_of_wins, samples, step=1 / len(STARTS))
    says = "alternate ends above regular in more than 80 % of the settings: four policies and three critics at the start"
    pairs = np.mean([_ahead(results, *start) for start in STARTS])
    why = f"read as single stepsize pairs, the same for both, the share is {pairs:.2f}"
    domain = f"{_domain(results)}; bootstrap over runs"
    return analysis.explained(lambda says: analysis.all_above(says, [share], 0.8, domain), says, why)


def _ahead(results: Results, preference: float, critic: float) -> float:
    """The share of stepsize pairs at which alternate's mean in the sweep is larger."""
    one, other = (neural_saturated.record(results, estimator, preference, critic)["final"].mean(axis=-1) for estimator in ESTIMATORS)
    return float(np.mean(one > other))


@evidence("neural-large-stepsizes-fail", kind="simulation")
def large_stepsizes_fail(results: Results) -> Finding:
    items = [at_largest(results, estimator, *start) for estimator in ESTIMATORS for start in STARTS]
    says = "with the largest stepsize of the actor both estimators end below -5 from every start, each at its best β"
    return analysis.all_below(says, items, -5.0, f"{_sweep(results)}; β chosen on one half of the runs, the other half at it")


def at_largest(results: Results, estimator: str, preference: float, critic: float) -> Measured:
    """Where the runs with the largest stepsize of the actor end: β is chosen on one half of them, and the other half is reported."""
    record = neural_saturated.record(results, estimator, preference, critic)
    label = f"{_words(estimator, preference, critic)}, α = {analysis.fraction(record.setting['alphas'][-1])}"
    return measured(label, [at_best_betas(record["final"])[-1]], RETURNS)
