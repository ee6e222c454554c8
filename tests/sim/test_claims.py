"""The evidence for the paper's experiments judges what it is given: made-up results in which the
words hold, and others.
"""

import json
import re

import numpy as np
import pytest

from altpg_verify.sim import analysis, best_stepsizes
from altpg_verify.sim.experiments import (
    bandit_gradient_noise,
    bandit_no_baseline,
    bandit_noise_claims,
    bandit_preferences,
    bandit_quiet_baselines,
    bandit_start_claims,
    chain_claims,
    chain_gradient_noise,
    chain_large_stepsizes,
    chain_long_episodes,
)
from altpg_verify.sim.experiments.chain_fixed_points import value
from altpg_verify.sim.experiments.chain_learned_value import NO_NOISE, OPTIMISTIC, PESSIMISTIC
from altpg_verify.sim.results import Record
from altpg_verify.verdicts import Verdict

ALPHAS, BETAS = [2.0**n for n in range(-6, 2)], [0.25, 0.5, 1.0]
INITIAL = {
    bandit_start_claims.OPTIMISTIC: 4.0,
    bandit_start_claims.PESSIMISTIC: -4.0,
    OPTIMISTIC: 4.0,
    PESSIMISTIC: -4.0,
}


class Pretended:
    """Results in which each agent ends where `ends` says, with spread 0.02 over runs; the sweep's
    best is its second alpha and beta.

    `ends` gets the experiment, estimator, baseline, start, b, sigma and gradient noise, those that
    are known.
    """

    def __init__(self, ends, *, best_beta=lambda b: 1, flattery=0.0, off=None):
        self.ends, self.best_beta, self.flattery, self.off = ends, best_beta, flattery, off
        self.generator = np.random.Generator(np.random.SFC64(6))

    def one(self, experiment, **criteria):
        b = INITIAL.get(experiment, criteria.get("b", 0.0))
        noise = criteria.get("gradient_noise", 0.0)
        sigma = (
            0.0
            if experiment in (NO_NOISE, bandit_quiet_baselines.NAME)
            else criteria.get("sigma", 1.0)
        )
        full = {"estimator": "regular", "baseline": "fixed", "start": 0.0} | criteria
        if experiment in (
            bandit_gradient_noise.NAME,
            chain_gradient_noise.NAME,
            chain_claims.OPTIMISTIC,
            chain_claims.PESSIMISTIC,
        ):
            full |= {"baseline": criteria.get("baseline", "learned")}
        value = self.ends(
            experiment=experiment,
            b=b,
            noise=noise,
            sigma=sigma,
            **{n: full[n] for n in ("estimator", "baseline", "start")},
        )
        mean = value - 0.2 + self.generator.normal(0.0, 0.02, (len(ALPHAS), len(BETAS), 200))
        mean[1, self.best_beta(b)] += 0.2 + self.flattery
        fresh = {
            "fresh_mean": value,
            "fresh_whole": value,
            "fresh_off": value / 10 if self.off is None else self.off,
        }
        arrays = {name: at + self.generator.normal(0.0, 0.02, 2000) for name, at in fresh.items()}
        arrays["fresh_by_alpha"] = np.tile(arrays["fresh_mean"], (8, 1))
        setting = {
            "alphas": ALPHAS,
            "betas": BETAS,
            "baseline": full["baseline"],
            "fresh": 2000,
            "runs": 200,
        }
        return Record(setting, arrays | {"mean": mean})

    def select(self, experiment, **criteria):
        return [self.one(experiment, **{"estimator": "alternate", "start": 0.0, **criteria})]


def world(scale, reverse):
    """As the paper has it: alternate escapes and regular doesn't, optimism helps, noise helps;
    reversed, all of it the other way round.
    """

    def ends(*, experiment, estimator, baseline, start, b, noise, sigma):
        uniform = 0.9 if "chain" not in experiment and experiment not in CHAINS else 0.6
        value = uniform - 0.02 * start / 10
        if start:
            value = {"alternate": 0.7 if baseline == "learned" else 0.6}.get(
                estimator, 0.02
            ) - start / 1000
            value += 0.05 * b if estimator == "alternate" else 0.0
        elif estimator == "alternate":
            value += 0.04 * b
        if not sigma and start:
            value = 0.01 if baseline == "learned" else 0.015
        if noise:
            value += 0.3 if start and noise == 2.0 else 0.0
            value -= 0.2 if not start else 0.0
        return scale(1.0 - value if reverse else value)

    return Pretended(ends, best_beta=lambda b: 0 if (b > 0) != reverse else 2)


CHAINS = {chain_claims.NOISE, NO_NOISE, OPTIMISTIC, PESSIMISTIC}
BANDIT = {"scale": lambda value: value}
TWO = {"scale": lambda value: 1.0 + 2.0 * value}

TURNED = [
    (bandit_noise_claims.superior, BANDIT),
    (bandit_noise_claims.others_fail, BANDIT),
    (bandit_noise_claims.noise_helps, BANDIT),
    (bandit_noise_claims.faster, BANDIT),
    (bandit_noise_claims.all_good, BANDIT),
    (bandit_noise_claims.quiet_none_learns, BANDIT),
    (bandit_start_claims.handles_high_saturation, TWO),
    (bandit_start_claims.pessimism_hurts, TWO),
    (bandit_start_claims.optimism_prefers_small, TWO),
    (bandit_gradient_noise.hurts, TWO),
    (chain_claims.superior, BANDIT),
    (chain_claims.true_value_better, BANDIT),
    (chain_claims.optimism_helps, BANDIT),
    (chain_claims.pessimism_hurts, BANDIT),
    (chain_claims.drops_without_noise, BANDIT),
    (chain_claims.optimism_prefers_small, BANDIT),
]


@pytest.mark.parametrize(
    ("function", "scale"), TURNED, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_reversed_world_turns_the_verdict(function, scale):
    assert function(results=world(reverse=False, **scale)).verdict is Verdict.SUPPORTED
    assert function(results=world(reverse=True, **scale)).verdict is Verdict.REFUTED


def level(value):
    """Everybody ends at the same value."""
    return Pretended(lambda **_: value)


@pytest.mark.parametrize(
    ("function", "good", "bad"),
    [
        (bandit_noise_claims.alternate_learns, 0.7, 0.3),
        (bandit_noise_claims.range_of_stepsizes, 0.7, 0.3),
        (bandit_start_claims.reaches_optimum, 2.98, 2.8),
        (chain_large_stepsizes.still_learns, 0.5, 0.3),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_levels_turn_the_verdict(function, good, bad):
    assert function(results=level(good)).verdict is Verdict.SUPPORTED
    assert function(results=level(bad)).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "function",
    [
        bandit_noise_claims.competitive,
        bandit_noise_claims.quiet_similar,
        bandit_noise_claims.similar_at_any_noise,
        bandit_noise_claims.small_stepsizes_similar,
    ],
    ids=lambda function: function.__name__,
)
def test_similar_means_are_told_from_different_ones(function):
    assert function(results=level(0.7)).verdict is Verdict.SUPPORTED
    # settings have values of their own, half or more apart
    apart = Pretended(
        lambda **setting: (
            len(json.dumps(setting)) % 4 / 2
            + (setting["sigma"] == 0.0)
            + 3 * (setting["noise"] > 0)
        )
    )
    assert function(results=apart).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "function",
    [
        bandit_start_claims.optimism_helps,
        bandit_start_claims.saturation_degrades,
        bandit_no_baseline.not_competitive,
        bandit_gradient_noise.escapes,
        chain_claims.best_of_all,
        chain_claims.best_but_expected,
    ],
    ids=lambda function: function.__name__,
)
def test_no_difference_supports_no_advantage(function):
    assert function(results=level(1.5)).verdict is not Verdict.SUPPORTED


def test_stepsizes_that_only_looked_good_do_not_count():
    flattered = Pretended(lambda **_: 0.4, flattery=0.3)
    finding = bandit_noise_claims.alternate_learns(results=flattered)
    assert finding.verdict is Verdict.REFUTED
    assert re.search(
        r"; 0\.(70|69)\d* on the 200 runs it was chosen on", finding.numbers["least_sure"]
    )


def test_a_sweep_alone_is_not_reported():
    record = Record(
        {"alphas": ALPHAS, "betas": BETAS, "baseline": "learned", "fresh": 0, "runs": 9},
        {"mean": np.zeros((8, 3, 9))},
    )
    with pytest.raises(ValueError, match="flatter"):
        best_stepsizes.at_best("", record, (0.0, 1.0))


@pytest.mark.parametrize(
    ("saturated", "uniform", "verdict"),
    [(1.2, 2.5, Verdict.SUPPORTED), (2.5, 2.5, Verdict.REFUTED), (1.2, 1.2, Verdict.REFUTED)],
)
def test_a_poor_end_is_one_of_an_agent_that_can_learn(saturated, uniform, verdict):
    found = bandit_start_claims.zero_baseline_poor(
        results=Pretended(lambda start, **_: saturated if start else uniform)
    )
    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("off", "end", "verdict"),
    [(0.15, 2.95, Verdict.SUPPORTED), (0.25, 2.95, Verdict.REFUTED), (0.15, 2.0, Verdict.REFUTED)],
)
def test_a_bias_disappears_where_the_policy_learns(off, end, verdict):
    assert (
        bandit_start_claims.bias_disappears(results=Pretended(lambda **_: end, off=off)).verdict
        is verdict
    )


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [
        (0.02, Verdict.SUPPORTED),
        (0.0, Verdict.REFUTED),
        (-0.1, Verdict.REFUTED),
        (0.4, Verdict.REFUTED),
    ],
)
def test_slightly_better_is_better(gain, verdict):
    found = chain_gradient_noise.little_help(
        results=Pretended(lambda noise, **_: 0.7 + gain * (noise > 0))
    )
    assert found.verdict is verdict if gain else found.verdict is not Verdict.SUPPORTED


def test_what_is_refuted_says_why():
    assert (
        "spread"
        not in bandit_start_claims.bias_disappears(
            results=Pretended(lambda **_: 2.95, off=0.15)
        ).summary
    )
    assert (
        "standard deviation"
        in bandit_start_claims.bias_disappears(
            results=Pretended(lambda **_: 2.95, off=0.25)
        ).summary
    )


def test_exactly_on_the_bound_is_undecided():
    items = [
        analysis.measured("one", [np.array([0.5])]),
        analysis.measured("other", [np.array([1.0])]),
    ]
    assert analysis.all_above("above", items, 0.5, "").verdict is Verdict.INCONCLUSIVE
    assert analysis.all_above("above", items, 0.4, "").verdict is Verdict.SUPPORTED
    assert analysis.all_above("above", items, 0.6, "").verdict is Verdict.REFUTED


def preferences(walk):
    """theta (alphas, times, runs) of a preference that jumps at first and then walks."""
    generator = np.random.Generator(np.random.SFC64(7))
    alphas = np.array(bandit_preferences.ALPHAS)[:, None]
    first = 3.0 + generator.normal(0.0, 0.1, (len(alphas), 4000))
    middle = first + 0.1 + alphas * np.sqrt(400 * walk) * generator.normal(0.0, 1.0, first.shape)
    last = middle + alphas * np.sqrt(500 * walk) * generator.normal(0.0, 1.0, first.shape)
    return np.stack([first, middle, last], axis=1)


class Walking(Pretended):
    def __init__(self, walk):
        super().__init__(lambda **_: 0.7)
        self.walk = walk

    def one(self, experiment, **criteria):
        if experiment != bandit_preferences.NAME:
            return super().one(experiment, **criteria)
        theta = preferences(self.walk)
        return Record({"runs": 4000}, {"theta": theta, "value": np.full((len(theta), 4000), 0.9)})


def test_a_walk_is_told_from_a_slower_one():
    assert bandit_preferences.walk(results=Walking(1.0)).verdict is Verdict.SUPPORTED
    assert bandit_preferences.walk(results=Walking(0.3)).verdict is Verdict.REFUTED


def test_noise_that_matters_is_told_from_noise_that_does_not():
    def ends(*, experiment, estimator, b, start, lost):
        value = 2.9 if b > 0 and estimator == "alternate" else 1.5
        return value - (lost if experiment == bandit_quiet_baselines.NAME else 0.0)

    same, less = (
        Pretended(
            lambda *, lost=lost, experiment, estimator, b, start, **_: ends(
                experiment=experiment, estimator=estimator, b=b, start=start, lost=lost
            )
        )
        for lost in (0.0, 0.5)
    )
    assert bandit_quiet_baselines.noise_matters_less(results=same).verdict is Verdict.SUPPORTED
    assert bandit_quiet_baselines.noise_matters_less(results=less).verdict is Verdict.REFUTED
    assert bandit_quiet_baselines.noise_matters_less(results=level(1.5)).verdict is Verdict.REFUTED


def test_the_probability_of_a_cut():
    # between two states that point at each other nothing ends; straight out, nothing is cut
    assert chain_long_episodes.cut_probability(
        np.array([0.5, 0.5, 1.0, 0.0, 0.5])
    ) == pytest.approx(1.0)
    assert chain_long_episodes.cut_probability(np.ones(5)) == 0.0
    several = np.array([[0.5] * 5, [1.0] * 5, [0.9, 0.2, 0.5, 0.7, 0.4]])
    assert chain_long_episodes.start_values(several) == pytest.approx(
        [value(one) for one in several]
    )
    uniform, straight, _ = chain_long_episodes.cut_probability(several)
    assert straight == 0.0
    # a fair walk from the middle between two ends, six steps apart: its slowest modes, k = 1 and 5,
    # are all that is left at even n
    assert uniform == pytest.approx(4 / 3 * np.cos(np.pi / 6) ** 100, rel=1e-9)


class Timed:
    """Agents that come to a better value, and of whose episodes these shares are cut in the first
    and in the last ten.
    """

    def __init__(self, first, last):
        self.shares = (first,) * 4 + (last,) * 4

    def one(self, experiment, **criteria):
        alphas, runs = len(chain_long_episodes.ALPHAS), 50
        spread = np.linspace(-0.01, 0.01, runs)
        cut = np.array(self.shares)[:, None] + spread
        better = np.array([0.2] * 4 + [0.4] * 4)[:, None] + spread
        return Record(
            {"runs": runs},
            {"cut": np.tile(cut, (alphas, 1, 1)), "value": np.tile(better, (alphas, 1, 1))},
        )


def test_timeouts_that_decrease_are_told_from_those_that_grow():
    assert chain_long_episodes._sampled_timeouts(Timed(0.4, 0.1)).verdict is Verdict.SUPPORTED
    assert chain_long_episodes._sampled_timeouts(Timed(0.1, 0.4)).verdict is Verdict.REFUTED
