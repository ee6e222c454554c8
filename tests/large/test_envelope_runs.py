"""Runs on envelopes: the state after any steps, draws at the policy of their step, and the same run
however it is cut.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.estimators import alternate
from altpg_verify.sim.large import LogBandit
from altpg_verify.sim.large.envelope_stepping import AHEAD
from altpg_verify.sim.large.envelopes import DRAWN, NEXT_DRAWN, SEEN
from tests.large.test_envelopes import faults
from tests.large.test_goodness_of_fit import FALSE_ALARM
from tests.large.test_long_runs import same_sums
from tests.shares import share

RUNS = {
    "learning": {"alpha": 0.1, "b": 4.0},
    "rising": {"alpha": 0.1, "b": 0.0},
    "noisy": {"alpha": 0.5, "b": 2.0, "sigma": 3.0},
    "jumps": {"alpha": 50.0, "b": 2.0, "sigma": 3.0},
    "huge jumps": {"alpha": 2.0**14, "b": 2.0, "sigma": 1.0},
    "learned": {"alpha": 0.3, "beta": 0.1, "baseline": "learned", "sigma": 1.0},
}


def agent(name: str, k: int, seed: int = 5) -> LogBandit:
    return LogBandit(alternate, np.random.default_rng(seed).uniform(1.0, 3.0, k), **RUNS[name])


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(RUNS, 2))
@pytest.mark.parametrize("k", share([3, 200], 2))
def test_envelopes_are_right_after_any_steps(name, k):
    bandit = agent(name, k)
    for steps in (1, 2, 7, 60, 1000, 10_000):
        bandit.run(steps)
        if bandit._files.current:
            assert faults(bandit.tree.preferences, bandit._files) == []
        assert same_sums(bandit.tree)
    counts = bandit.counts
    assert counts["filings"] <= 1 + 11_070 / bandit._files.patience
    assert counts["walks"] <= counts["proposals"] <= 2**4 * counts["steps"] + 200
    assert counts["batches"] <= counts["proposals"] <= AHEAD * counts["batches"]
    assert counts["steps"] <= 11_070


@pytest.mark.slow
def test_a_run_that_leaves_the_envelopes_and_comes_back_is_the_same_in_stretches():
    whole, parts, watched = (agent("jumps", 40) for _ in range(3))
    whole.run(5000)
    for _ in range(50):
        parts.run(99)
        parts.run(1)
    for _ in range(250):
        watched.run(20)
        watched.tree.policy()
        watched.tree.greedy()
    assert whole.counts["filings"] > 1
    assert 0 < whole.counts["steps"] < 5000, "both loops had their turn"
    assert (whole.tree.preferences == parts.tree.preferences).all()
    assert (whole.tree.preferences == watched.tree.preferences).all()
    assert whole.counts == parts.counts == watched.counts
    assert watched.tree.greedy() == watched.tree.preferences.argmax()


# depth: 200,000 steps
@pytest.mark.slow
def test_the_window_follows_preferences_that_fall_without_end():
    bandit = agent("learning", 20)
    bandit.run(200_000)
    assert bandit.tree.preferences.max() < -1000
    assert bandit.counts["filings"] > 50
    assert bandit.counts["steps"] == 200_000, (
        "filing often enough is no reason to leave the envelopes"
    )
    assert bandit.counts["proposals"] <= 1.15 * 200_000


@pytest.mark.slow
def test_where_the_window_would_slide_all_the_time_the_tree_takes_over():
    bandit = agent("rising", 20_000)
    bandit.run(100_000)
    assert bandit.tree.preferences.max() > 100
    assert bandit.counts["filings"] <= 8
    assert bandit.counts["steps"] < 50_000


def places(bandit: LogBandit, steps: int, after=lambda whole, before: None) -> np.ndarray:
    """u = Σ_{c before A} π_t(c) + V π_t(A) for each step, V uniform: uniform, whatever the policy
    was, if and only if A ~ π_t.

    The action taken before comes first in the order, the others follow by number: what goes wrong
    with it isn't averaged out.
    """
    generator, u, last = np.random.default_rng(31), np.empty(steps), 0
    for t in range(steps):
        before, whole = bandit.tree.preferences.copy(), bandit._files.arrays[5].copy()
        pi = np.exp(before - before.max())
        pi /= pi.sum()
        bandit.run(1)
        after(bandit._files.arrays[5], whole)
        (action,) = np.flatnonzero(bandit.tree.preferences != before)
        ahead = (
            0.0
            if action == last
            else pi[last] + pi[:action].sum() - (pi[last] if last < action else 0.0)
        )
        u[t] = ahead + generator.random() * pi[action]
        last = action
    return u


def p_of(u: np.ndarray) -> tuple[float, float]:
    """Pearson's test of single places and of pairs of them."""
    from scipy import stats

    counts = np.histogram(u, bins=40, range=(0.0, 1.0))[0]
    pairs = np.histogram2d(u[:-1:2], u[1::2], bins=8, range=((0, 1), (0, 1)))[0].ravel()
    return stats.chisquare(counts).pvalue, stats.chisquare(pairs).pvalue


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(RUNS, 4))
def test_draws_follow_the_policy_of_their_step(name):
    assert min(p_of(places(agent(name, 12), 4000))) > FALSE_ALARM / 2 / len(RUNS)


def _keep_proposals(whole, before):
    """What was given up is tried after all, and no fewer are made."""
    if whole[DRAWN] == 0:
        whole[SEEN], whole[DRAWN] = (
            (before[SEEN] + 1, before[DRAWN])
            if before[SEEN] < before[DRAWN]
            else (1, before[NEXT_DRAWN])
        )
    whole[NEXT_DRAWN] = AHEAD


@pytest.mark.thorough
def test_proposals_kept_after_a_rise_would_be_seen():
    """Preferences that fall by 1 on average, with as much noise: every sixth step makes the
    envelope of a proposal too low.
    """
    least = []
    for after in (lambda whole, before: None, _keep_proposals):
        bandit = LogBandit(alternate, np.full(4, 2.0), alpha=1.0, b=3.0, sigma=1.0)
        least.append(min(p_of(places(bandit, 4000, after))))
    assert least[0] > FALSE_ALARM / 2
    assert least[1] < FALSE_ALARM


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(["learning", "noisy"], 2))
def test_learning_curves_are_those_on_the_tree(name):
    """Mean rewards of 300 runs each, after 20, 60 and 200 steps: their difference, in standard
    errors, against a declared rate.
    """
    from scipy import stats

    rewards, curves = np.random.default_rng(6).uniform(1.0, 3.0, 8), {}
    for on_envelopes in (True, False):
        rows = []
        for run in range(300):
            bandit = LogBandit(
                alternate,
                rewards,
                **RUNS[name],
                run=run,
                experiment=f"curves on envelopes: {on_envelopes}",
            )
            if not on_envelopes:
                bandit._files = None
            rows.append([bandit.run(steps).expected_reward for steps in (20, 40, 140)])
        curves[on_envelopes] = np.array(rows)
    gap = curves[True].mean(axis=0) - curves[False].mean(axis=0)
    error = np.sqrt((curves[True].var(axis=0) + curves[False].var(axis=0)) / 300)
    # three stretches, two settings, and a margin of two for tails that are not quite normal at 300
    # runs
    assert (2 * stats.norm.sf(abs(gap) / error) > FALSE_ALARM / 12).all()


@pytest.mark.thorough
def test_a_change_by_the_user_is_noticed():
    bandit = agent("learning", 30)
    bandit.run(500)
    bandit.tree.update(7, 300.0)
    for _ in range(5):
        before = bandit.tree.preferences[7]
        bandit.run(1)
        assert bandit.tree.preferences[7] != before
    bandit.run(2000)
    assert same_sums(bandit.tree)
    assert not bandit._files.current or faults(bandit.tree.preferences, bandit._files) == []


@pytest.mark.thorough
def test_a_tree_kept_from_before_is_up_to_date():
    bandit = agent("noisy", 500)
    tree = bandit.tree
    for steps in (1, 3, 20, 1000):
        bandit.run(steps)
        assert tree.log_normalizer() == pytest.approx(
            float(np.logaddexp.reduce(tree.preferences)), rel=1e-12
        )
        assert same_sums(tree)


@pytest.mark.slow
def test_a_hundred_million_steps_leave_the_envelopes_right():
    bandit = agent("learning", 1000)
    bandit.run(100_000_000)
    assert bandit.tree.preferences.max() < -10_000
    assert faults(bandit.tree.preferences, bandit._files) == []
    assert same_sums(bandit.tree)
