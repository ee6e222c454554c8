"""What the paper says of r = [0, 0, 1], with and without reward noise (section 4, experiments 1 and
2, and appendix D.2).

Stepsizes are chosen as the paper chooses them, the best of the sweep over 150 runs; what is
reported are fresh runs at those stepsizes, because the best of up to 40 means flatters itself.
"""

from __future__ import annotations

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import Measured, above, below
from altpg_verify.sim.experiments.bandit_panel import ALPHAS, FRESH
from altpg_verify.sim.experiments.bandit_reward_noise import AGENTS, NAME
from altpg_verify.sim.experiments.readings import LARGE, QUIET_NEVER, SMALL
from altpg_verify.sim.results import Record, Results

RANGE = (0.0, 1.0)
_DOMAIN = (
    "r = (0, 0, 1), 1000 steps, baseline started at 0, α = 1/64 ... 2, β = 1/16 ... 1; best"
    f" stepsizes of 150 runs, {FRESH} fresh runs at them, mean of the last 50 steps"
)
_HALVES = (
    "r = (0, 0, 1), 1000 steps, β = 1/16 ... 1 chosen on 75 runs and reported on 75 others, mean of"
    " the last 50 steps"
)
_LEARNERS = ("true", "learned")


def _record(results: Results, estimator: str, baseline: str, sigma: float, start: float) -> Record:
    return results.one(NAME, estimator=estimator, baseline=baseline, sigma=sigma, start=start)


def best(
    results: Results, estimator: str, baseline: str, sigma: float, start: float, of: str = "mean"
) -> Measured:
    """One of the five agents at the best stepsizes of the sweep, on fresh runs.

    Args:
        sigma: reward noise, 1 or 0; start: θ of the first action, 0 or 10.
        of: which performance, see `best_stepsizes.at_best`.
    """
    # the agent's name in the figures
    label = next(label for one, other, label in AGENTS if (one, other) == (estimator, baseline))
    label += f", noise {sigma:g}, θ = ({start:g}, 0, 0)"
    return best_stepsizes.at_best(
        label, _record(results, estimator, baseline, sigma, start), RANGE, of
    )


def _five(results: Results, sigma: float, start: float) -> list[Measured]:
    return [best(results, estimator, baseline, sigma, start) for estimator, baseline, _ in AGENTS]


def _advantage(results: Results, start: float) -> list[Measured]:
    """Alternate less regular, with the true r_π and with a learned baseline."""
    gaps = []
    for baseline in _LEARNERS:
        one, other = (
            best(results, estimator, baseline, 1.0, start) for estimator in ("alternate", "regular")
        )
        gaps.append(analysis.less(one, other))
    return gaps


@evidence("bandit-competitive-uniform", kind="simulation")
def competitive(results: Results) -> Finding:
    summary = (
        "from the uniform start alternate ends at most 0.05 below regular, and above 0.433, a tenth"
        " above the start, with the true r_π and with a learned baseline"
    )
    alternates = [best(results, "alternate", baseline, 1.0, 0.0) for baseline in _LEARNERS]
    conditions = [above(gap, -SMALL) for gap in _advantage(results, 0.0)]
    return analysis.all_hold(
        summary, [*conditions, *(above(one, QUIET_NEVER + LARGE) for one in alternates)], _DOMAIN
    )


@evidence("bandit-superior-saturated", kind="simulation")
def superior(results: Results) -> Finding:
    summary = (
        "from (10, 0, 0) alternate ends more than 0.1 above regular, with the true r_π and with a"
        " learned baseline"
    )
    return analysis.all_above(summary, _advantage(results, 10.0), 0.1, _DOMAIN)


@evidence("bandit-saturated-alternate-learns", kind="simulation")
def alternate_learns(results: Results) -> Finding:
    summary = "from (10, 0, 0) with noise 1 both alternate estimators end above 0.5"
    return analysis.all_above(
        summary,
        [best(results, "alternate", baseline, 1.0, 10.0) for baseline in _LEARNERS],
        0.5,
        _DOMAIN,
    )


@evidence("bandit-saturated-others-fail", kind="simulation")
def others_fail(results: Results) -> Finding:
    others = [("expected_gradient", "fixed"), ("regular", "true"), ("regular", "learned")]
    summary = (
        "from (10, 0, 0) with noise 1 the expected gradient and both regular estimators end below"
        " 0.05, where both alternate ones, in the same place, end above 0.5"
    )
    conditions = [
        below(best(results, estimator, baseline, 1.0, 10.0), 0.05) for estimator, baseline in others
    ]
    learned = [
        above(best(results, "alternate", baseline, 1.0, 10.0), 0.5) for baseline in _LEARNERS
    ]
    return analysis.all_hold(summary, [*conditions, *learned], _DOMAIN)


@evidence("bandit-learned-baseline-faster", kind="simulation")
def faster(results: Results) -> Finding:
    one, other = (
        best(results, "alternate", baseline, 1.0, 10.0, "whole") for baseline in ("learned", "true")
    )
    gap = analysis.less(one, other)
    summary = (
        "from (10, 0, 0) with noise 1 the mean of J over all steps is larger with a learned"
        " baseline than with the true r_π"
    )
    return analysis.all_above(summary, [gap], 0.0, _DOMAIN)


@evidence("no-noise-uniform-similar", kind="simulation")
def quiet_similar(results: Results) -> Finding:
    summary = (
        "without noise, from the uniform start, any two of the five end within 0.05 of each other,"
        " and all above 0.433"
    )
    return analysis.alike_and_above(
        summary, _five(results, 0.0, 0.0), SMALL, QUIET_NEVER + LARGE, _DOMAIN
    )


@evidence("no-noise-saturated-none-learns", kind="simulation")
def quiet_none_learns(results: Results) -> Finding:
    summary = (
        "without noise, from (10, 0, 0), all five end below 0.1, and from the uniform start the"
        " same five above 0.433"
    )
    conditions = [below(one, LARGE) for one in _five(results, 0.0, 10.0)]
    return analysis.all_hold(
        summary,
        [*conditions, *(above(one, QUIET_NEVER + LARGE) for one in _five(results, 0.0, 0.0))],
        _DOMAIN,
    )


@evidence("reward-noise-helps-alternate", kind="simulation")
def noise_helps(results: Results) -> Finding:
    one, other = (best(results, "alternate", "true", sigma, 10.0) for sigma in (1.0, 0.0))
    gap = analysis.less(one, other)
    return analysis.all_above(
        "from (10, 0, 0) with the true r_π alternate ends more than 0.1 higher with noise than"
        " without",
        [gap],
        0.1,
        _DOMAIN,
    )


@evidence("uniform-start-all-good", kind="simulation")
def all_good(results: Results) -> Finding:
    return analysis.all_above(
        "from the uniform start with noise 1 all five end above 0.8",
        _five(results, 1.0, 0.0),
        0.8,
        _DOMAIN,
    )


@evidence("uniform-start-similar-at-any-noise", kind="simulation")
def similar_at_any_noise(results: Results) -> Finding:
    summary = (
        "from the uniform start, with noise 0 and with noise 1, any two of the five end within 0.05"
        " of each other, and all above 0.433"
    )
    return analysis.alike_and_above(
        summary,
        [*_five(results, 1.0, 0.0), *_five(results, 0.0, 0.0)],
        SMALL,
        QUIET_NEVER + LARGE,
        _DOMAIN,
    )


@evidence("small-stepsizes-all-similar", kind="simulation")
def small_stepsizes_similar(results: Results) -> Finding:
    items = [
        best_stepsizes.at_alpha(label, _record(results, estimator, baseline, 1.0, 0.0), 0, RANGE)
        for estimator, baseline, label in AGENTS
    ]
    summary = (
        "at α = 1/64, from the uniform start with noise 1, any two of the five end within 0.05 of"
        " each other, and all above 0.433"
    )
    return analysis.alike_and_above(summary, items, SMALL, QUIET_NEVER + LARGE, _HALVES)


@evidence("noisy-saturated-range-of-stepsizes", kind="simulation")
def range_of_stepsizes(results: Results) -> Finding:
    records = {
        baseline: _record(results, "alternate", baseline, 1.0, 10.0) for baseline in _LEARNERS
    }
    # which of the two, and which three stepsizes, is chosen on the sweep; the fresh runs decide
    tops = {
        baseline: record["mean"].mean(axis=-1).max(axis=1) for baseline, record in records.items()
    }
    chosen = [
        max(_LEARNERS, key=lambda baseline, i=i: tops[baseline][i])  # type: ignore[misc]
        for i in range(len(ALPHAS))
    ]
    three = []
    for i in sorted(range(len(ALPHAS)), key=lambda i: -tops[chosen[i]][i])[:3]:
        label = f"alternate, {chosen[i]} baseline, α = {captions.fraction(ALPHAS[i])}"
        three.append(analysis.measured(label, [records[chosen[i]]["fresh_by_alpha"][i]], RANGE))
    summary = (
        "from (10, 0, 0) with noise 1 an alternate estimator ends above 0.5 at each of the three"
        " best stepsizes"
    )
    return analysis.all_above(summary, three, 0.5, _DOMAIN)
