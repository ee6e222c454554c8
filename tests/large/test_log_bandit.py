"""`LogBandit`: which estimators it takes, and that it does what its few lines say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.sim import streams
from altpg_verify.sim.large import LogBandit, SamplingTree
from altpg_verify.sim.large.log_bandit import is_advantage
from tests.shares import share

REWARDS = np.random.default_rng(0).uniform(1.0, 3.0, 100)


@estimator
def importance(pi, e, r, b):
    """(R - b) e_A / π."""
    return (r - b) * e / pi


@estimator
def pulled_back(theta, e, r, b):
    """(R - b - θ/100) e_A."""
    return (r - b - theta / 100) * e


@estimator
def with_true_value(e, r, v):
    """(R - r_π) e_A."""
    return (r - v) * e


@estimator
def mixes_actions(pi, e, r, b):
    """Touches the taken action only, but reads all probabilities."""
    return (r - b) * e * (pi * pi).sum()


@estimator
def almost_alternate(pi, e, r, b):
    """The alternate estimator, and a little of the regular one."""
    return (r - b) * (e - pi / 1000)


def by_hand(
    formula,
    *,
    steps,
    alpha,
    beta=0.0,
    b=0.0,
    sigma=0.0,
    learned=False,
    true=False,
    theta=None,
    actions=None,
):
    """The same run, written with the public parts only; on envelopes, which action is drawn is
    taken from elsewhere.
    """
    words = [
        streams.entropy(0, "log-bandit", formula.name, purpose)
        for purpose in ("actions", "reward noise")
    ]
    choices, noise = streams.states(words, 1)
    uniform, even, odd = np.empty(steps), np.empty(steps), np.empty(steps)
    streams.fill_uniforms(choices, 0, uniform)
    streams.fill_normals(noise, 0, even, odd)
    normal = np.stack([even, odd], axis=1).ravel()
    tree = SamplingTree(np.zeros(REWARDS.size) if theta is None else theta)
    for t in range(steps):
        a = tree.select(uniform[t]) if actions is None else actions[t]
        r = REWARDS[a] + (sigma * normal[t] if sigma else 0.0)
        v = float(tree.policy() @ REWARDS)
        arguments = {
            "theta": tree.preferences[a],
            "pi": tree.policy([a])[0],
            "e": 1.0,
            "r": r,
            "b": v if true else b,
        }
        arguments |= {"q": REWARDS[a], "v": v, "h": REWARDS[a] - v}
        tree.update(a, tree.preferences[a] + alpha * formula(**arguments))
        if learned:
            b = beta * r + (1.0 - beta) * b
    return tree.preferences, b


def drawn(bandit, steps):
    """The actions of a run on envelopes, one step at a time: the action whose preference
    changed.
    """
    actions = []
    for _ in range(steps):
        before = bandit.tree.preferences.copy()
        bandit.run(1)
        (action,) = np.flatnonzero(bandit.tree.preferences != before)
        actions.append(int(action))
    return actions


SETTINGS = {
    "fixed": ({}, {"alpha": 0.5, "b": 4.0}),
    "noisy": ({}, {"alpha": 0.5, "b": 4.0, "sigma": 1.0}),
    "learned": ({"learned": True}, {"alpha": 0.5, "b": 4.0, "sigma": 1.0, "beta": 0.25}),
    "true": ({"true": True}, {"alpha": 0.5, "sigma": 1.0}),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "formula",
    share([alternate, importance, pulled_back, with_true_value], 2),
    ids=lambda formula: formula.name,
)
@pytest.mark.parametrize("setting", share(SETTINGS, 2))
def test_a_run_is_what_its_lines_say(formula, setting):
    flags, arguments = SETTINGS[setting]
    baseline = next(iter(flags), "fixed")
    bandit = LogBandit(formula, REWARDS, baseline=baseline, **arguments)
    on_envelopes = bool(bandit.counts)
    assert on_envelopes == (setting != "true" and formula in (alternate, pulled_back))
    theta, b = by_hand(
        formula,
        steps=300,
        actions=drawn(bandit, 300) if on_envelopes else None,
        **flags,
        **arguments,
    )
    bandit = LogBandit(formula, REWARDS, baseline=baseline, **arguments)
    bandit.run(300)
    exact = setting != "true" and formula in (alternate, pulled_back)
    assert np.allclose(
        bandit.tree.preferences, theta, rtol=0 if exact else 1e-9, atol=0 if exact else 1e-9
    )
    assert bandit.b == b


def test_a_run_in_stretches_is_the_same_run():
    one, many = (
        LogBandit(alternate, REWARDS, alpha=0.1, b=4.0, sigma=1.0, run=3) for _ in range(2)
    )
    whole = one.run(1000)
    parts = [many.run(steps) for steps in (1, 128, 129, 742)]
    assert (one.tree.preferences == many.tree.preferences).all()
    assert sum(part.reward * part.steps for part in parts) / 1000 == pytest.approx(
        whole.reward, rel=1e-12
    )
    assert sum(part.expected_reward * part.steps for part in parts) / 1000 == pytest.approx(
        whole.expected_reward, rel=1e-12
    )


def test_runs_have_streams_of_their_own():
    thetas = []
    for run in range(3):
        bandit = LogBandit(alternate, REWARDS, alpha=0.1, b=4.0, run=run)
        bandit.run(100)
        thetas.append(bandit.tree.preferences.tolist())
    assert thetas[0] != thetas[1] != thetas[2] != thetas[0]


@pytest.mark.parametrize(
    "formula", [regular, expected_gradient, almost_alternate], ids=lambda formula: formula.name
)
def test_an_estimator_that_moves_other_actions_is_refused_with_the_law_that_fails(formula):
    with pytest.raises(BadInput, match="fails touches_taken_action_only") as caught:
        LogBandit(formula, REWARDS, alpha=0.1)
    assert formula.name in str(caught.value)


def test_an_estimator_that_reads_other_actions_is_refused():
    with pytest.raises(BadInput, match="fails acts_by_action"):
        LogBandit(mixes_actions, REWARDS, alpha=0.1)


def test_a_formula_that_cannot_be_compiled_is_refused():
    table = {"scale": 2}

    @estimator
    def reads_a_dictionary(e, r, b):
        return (r - b) * e * table["scale"]

    with pytest.raises(BadEstimator, match="reads_a_dictionary"):
        LogBandit(reads_a_dictionary, REWARDS, alpha=0.1)


@pytest.mark.thorough
def test_the_loop_with_the_advantage_written_out_is_the_loop_that_calls_the_formula():
    """Only R - b itself qualifies; the same steps come out, to the bit."""

    @estimator
    def third(e, r, b):
        """R - b up to rounding."""
        return (r / 3 - b / 3) * 3 * e

    @estimator
    def nearly(e, r, b):
        """Not R - b."""
        return (r - b) * (1 + 2.0**-40) * e

    assert is_advantage(alternate)
    assert not any(
        is_advantage(formula)
        for formula in (third, nearly, pulled_back, importance, with_true_value)
    )
    written, called = (LogBandit(alternate, REWARDS, alpha=0.3, b=2.0, sigma=1.0) for _ in range(2))
    called._advantage = False
    for bandit in (written, called):
        bandit.run(20_000)
    assert (written.tree.preferences == called.tree.preferences).all()


BAD = {
    "rewards[1] is nan": {"rewards": [1.0, math.nan]},
    "theta has 3 entries and rewards 2": {"rewards": [1.0, 2.0], "theta": [0.0] * 3},
    "preferences[0] is nan": {"rewards": [1.0, 2.0], "theta": [math.nan, 0.0]},
    "baseline 'own' is none of": {"rewards": [1.0, 2.0], "baseline": "own"},
    "alpha is nan": {"rewards": [1.0, 2.0], "alpha": math.nan},
    "b is inf": {"rewards": [1.0, 2.0], "b": math.inf},
    "sigma is -1.0": {"rewards": [1.0, 2.0], "sigma": -1.0},
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(message):
    with pytest.raises(BadInput) as caught:
        LogBandit(alternate, **{"alpha": 0.1, **BAD[message]})
    assert str(caught.value).startswith(message)


def test_an_update_to_nowhere_is_not_made():
    bandit = LogBandit(alternate, REWARDS, alpha=1e100, b=4.0)
    with pytest.raises(
        BadInput, match="after 0 steps the update would make the preference of action"
    ):
        bandit.run(10)
    assert (bandit.tree.preferences == 0.0).all()
    with pytest.raises(BadInput, match="steps is 0"):
        bandit.run(0)


@pytest.mark.thorough
def test_the_true_baseline_is_the_value_of_the_policy_after_any_number_of_steps():
    theta = np.random.default_rng(1).normal(size=REWARDS.size) * 20
    bandit = LogBandit(alternate, REWARDS, alpha=2.0, sigma=5.0, baseline="true", theta=theta)
    for steps in (1, 10, 1000, 50_000):
        bandit.run(steps)
        exact = float(bandit.tree.policy() @ REWARDS)
        assert bandit.value == pytest.approx(
            exact, abs=(6 * bandit.tree.levels + 8 + 100) * 2.0**-53 * REWARDS.max()
        )


def test_with_a_learned_baseline_the_sum_of_preferences_follows_it():
    """Σθ - (α/β) b is constant, for the alternate estimator, on every path."""
    bandit = LogBandit(
        alternate, REWARDS, alpha=0.5, beta=0.125, b=4.0, sigma=2.0, baseline="learned"
    )
    before = bandit.tree.preferences.sum() - 4.0 * bandit.b
    bandit.run(20_000)
    assert bandit.tree.preferences.sum() - 4.0 * bandit.b == pytest.approx(before, abs=1e-8)


def test_an_optimistic_baseline_leads_to_its_fixed_point():
    """E π = π* in stationarity, π*(a) ∝ 1 / (b - r(a)): the mean reward is b minus the harmonic
    mean of b - r.
    """
    bandit = LogBandit(alternate, REWARDS, alpha=0.05, b=4.0)
    bandit.run(200_000)
    stretch = bandit.run(2_000_000)
    predicted = 4.0 - REWARDS.size / (1 / (4.0 - REWARDS)).sum()
    # a draw makes its action less likely, so that successive rewards are negatively correlated and
    # six standard errors of independent draws are more than six of these
    assert stretch.expected_reward == pytest.approx(predicted, abs=6 * 0.6 / math.sqrt(2_000_000))


def test_the_greedy_action_follows_the_agent():
    bandit = LogBandit(alternate, REWARDS, alpha=0.5, b=2.0)
    bandit.tree.greedy()
    for _ in range(20):
        bandit.run(50)
        assert bandit.tree.greedy() == bandit.tree.preferences.argmax()


# depth: the same tree with more actions
@pytest.mark.slow
def test_a_million_actions():
    rewards = np.random.default_rng(3).uniform(1.0, 3.0, 1_000_000)
    bandit = LogBandit(alternate, rewards, alpha=1.0, b=4.0)
    bandit.run(1000)
    moved = np.flatnonzero(bandit.tree.preferences)
    assert 900 < moved.size <= 1000
