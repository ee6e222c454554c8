"""Buckets: what a try selects is enumerated, so that exactness is a matter of counting; and their state after any steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from mpmath import mp, mpf
from numba import njit
from scipy import stats

from altpg_verify.estimators import alternate
from sim.large import LogBandit, bucket_stepping, buckets
from sim.large.buckets import BUCKETS, COUNT, LOWER, ROWS, START, TOTAL, WIDTH
from sim.large.filing import Filing
from tests.large.exact import exponentials, shares
from tests.large.test_goodness_of_fit import DRAWS, FALSE_ALARM, p_values, probability
from tests.large.test_long_runs import same_sums


@njit
def propose(x, bucket, inner, outer, arena):
    return buckets.propose(x, bucket, inner, outer, arena)


@njit
def weight(rho, theta, digits):
    return buckets.weight(rho, theta, digits)


@njit
def draw(theta, bucket, inner, outer, arena, rho, digits, words, units, count):
    drawn, done = np.empty(count, np.int64), 0
    for i in range(words.size):
        x, u = words[i], units[i]
        action, _, r, _ = buckets.propose(x, bucket, inner, outer, arena)
        if done < count and u < buckets.chance(r, theta[action], bucket, rho, digits):
            drawn[done] = action
            done += 1
    return drawn[:done]


THETAS = {
    "uniform": np.zeros(64),
    "tied": np.repeat([0.0, 0.25, 1.5, -3.0], 17),
    "spread": np.random.default_rng(1).normal(size=200),
    "widely spread": np.random.default_rng(2).normal(size=300) * 20,
    "settled": np.r_[np.zeros(30), 8.0],
    "beyond 700": np.r_[np.linspace(-900, -700, 20), np.linspace(690, 710, 40)],
    "one dominates by e^1000": np.r_[np.zeros(50), 1000.0, np.zeros(50)],
    "all equal, huge": np.full(100, 1e9),
    "limits": np.array([2.0**30, -(2.0**30), 2.0**30 - 1]),
    "one action": np.array([3.0]),
}


def filed(theta) -> Filing:
    files = Filing(theta.size)
    bucket_stepping.filing()(np.ascontiguousarray(theta), *files.arrays)
    return files


def faults(theta, files: Filing) -> list[str]:
    """What is wrong with the buckets: members, sums, envelopes and bounds, each compared with a plain recount."""
    bucket, inner, outer, arena, place, home, _, whole, reference = files.arrays
    rows = [[int(entry) for entry in row] for row in bucket.reshape(BUCKETS, 8)]
    found, seen, before = [], [], 0
    weights = [mp.ldexp(weight, buckets.scale(theta.size)) for weight in exponentials(np.r_[theta, reference[0]])]
    for g, row in enumerate(rows):
        if g % 8 == 0:
            inside, part = 0, g // 8
            if part % 8 == 0:
                group = 0
            if int(outer[part]) != group:
                found.append(f"sum before part {part}")
        if int(inner[g]) != inside:
            found.append(f"sum before bucket {g}")
        for i in range(row[COUNT]):
            action = int(arena[row[START] + i])
            seen.append(action)
            if (int(place[action]), int(home[action])) != (row[START] + i, g):
                found.append(f"place of action {action}")
            if weights[action] > row[WIDTH]:
                found.append(f"envelope of action {action}")
            own = buckets.number.py_func(reference[0], theta[action])
            if own < g or rows[own][LOWER] > weights[action]:
                found.append(f"bounds of action {action}")
        mass = row[COUNT] * row[WIDTH]
        inside, group, before = inside + mass, group + mass, before + mass
        if g % 64 == 63 and int(outer[ROWS + g // 64]) != group:
            found.append(f"total of group {g // 64}")
    if int(whole[TOTAL]) != before:
        found.append("total")
    if sorted(seen) != list(range(theta.size)):
        found.append("members")
    return found


@pytest.mark.parametrize("name", THETAS)
def test_filing_is_right_and_every_stretch_is_found(name):
    """The ends of all members' stretches: the first and the last number select the member, as its numbers 0 and W - 1."""
    theta = THETAS[name]
    files = filed(theta)
    assert faults(theta, files) == []
    bucket, inner, outer, arena, *_ = files.arrays
    start = 0
    for g, row in enumerate(bucket.reshape(BUCKETS, 8).tolist()):
        for i in range(row[COUNT]):
            for r in (0, row[WIDTH] // 3, row[WIDTH] - 1):
                action, at, rest, _ = propose(np.uint64(start + r), bucket, inner, outer, arena)
                assert (action, at, rest) == (arena[row[START] + i], g, r)
            start += row[WIDTH]
    assert start == files.arrays[7][TOTAL]


@pytest.mark.parametrize("name", THETAS)
def test_a_draw_has_the_probability_of_the_policy(name):
    """A try ends with a with probability E_a / T: E_a as computed, as a fraction, over their sum, against softmax to 60 digits."""
    theta = THETAS[name]
    files = filed(theta)
    rho, digits = files.arrays[-1][0], buckets.scale(theta.size)
    weights = [Fraction(weight(rho, value, digits)) for value in theta]
    depths = [Fraction(float((rho - value) * buckets.PER_NAT / buckets.PER_OCTAVE)) for value in theta]
    total, exact = sum(weights), shares(theta)
    bounds = [(depth + 4) / 2**52 for depth in depths]
    mean = sum(bound * weight for bound, weight in zip(bounds, weights, strict=True)) / total
    for own, bound, (low, high) in zip(weights, bounds, pairwise(exact), strict=True):
        if high - low > Fraction(2) ** -1000:
            assert abs(own / total - (high - low)) <= (high - low) * (bound + mean) * (1 + Fraction(1, 1000)) + Fraction(1, 10**58)
        else:
            assert own / total < Fraction(2) ** -990


@pytest.mark.parametrize("k", [1, 1000, 10**6, 10**7, 10**8])
def test_envelopes_are_wide_enough_and_cheap_to_divide_by(k):
    rows = [[int(entry) for entry in row] for row in buckets.bucket_rows(k).reshape(BUCKETS, 8)]
    width, lower, inverse, shift = ([row[i] for row in rows] for i in range(4))
    assert k * width[0] < 2**63
    with mp.workdps(40):
        for g in range(BUCKETS):
            upper = mpf(2) ** (buckets.scale(k) - mpf(g) / buckets.PER_OCTAVE)
            assert width[g] >= upper * (1 + mpf(2) ** -40)
            assert lower[g] <= upper * mpf(2) ** (-mpf(1) / buckets.PER_OCTAVE) * (1 - mpf(2) ** -40)
            if upper > 2**14:
                assert lower[g] / width[g] > 0.956
            divisor = width[g] >> shift[g]
            assert divisor << shift[g] == width[g]
            # the quotient by multiplication is exact as long as the inverse's error times the numerator stays below a word
            assert inverse[g] * divisor - 2**64 >= 0
            assert (inverse[g] * divisor - 2**64) * k * divisor < 2**64


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


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("k", [3, 200])
def test_buckets_are_right_after_any_steps(name, k):
    bandit = agent(name, k)
    for steps in (1, 2, 7, 60, 1000, 30_000):
        bandit.run(steps)
        if bandit._files.current:
            assert faults(bandit.tree.preferences, bandit._files) == []
        assert same_sums(bandit.tree)
    counts = bandit.counts
    assert counts["filings"] <= 1 + 31_070 / bandit._files.patience
    assert counts["tries"] <= 1.1 * 2**4 * 4 / 3 * counts["steps"] + 200
    assert counts["steps"] <= 31_070


def test_a_run_that_leaves_the_buckets_and_comes_back_is_the_same_in_stretches():
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


def test_the_window_follows_preferences_that_fall_without_end():
    bandit = agent("learning", 20)
    bandit.run(200_000)
    assert bandit.tree.preferences.max() < -1000
    assert bandit.counts["filings"] > 50
    assert bandit.counts["steps"] == 200_000, "filing often enough is no reason to leave the buckets"
    assert bandit.counts["tries"] <= 1.15 * 200_000


def test_where_the_window_would_slide_all_the_time_the_tree_takes_over():
    bandit = agent("rising", 20_000)
    bandit.run(100_000)
    assert bandit.tree.preferences.max() > 100
    assert bandit.counts["filings"] <= 8
    assert bandit.counts["steps"] < 50_000


@pytest.mark.parametrize("name", RUNS)
def test_draws_follow_the_policy_of_their_step(name):
    """u = Σ_{c<A} π_t(c) + V π_t(A) with V uniform is uniform, whatever the policy was, if and only if A ~ π_t: Pearson's test of it."""
    k, steps = 12, 4000
    bandit, generator = agent(name, k), np.random.default_rng(31)
    u = np.empty(steps)
    for t in range(steps):
        before = bandit.tree.preferences.copy()
        pi = np.exp(before - before.max())
        pi /= pi.sum()
        bandit.run(1)
        (action,) = np.flatnonzero(bandit.tree.preferences != before)
        u[t] = pi[:action].sum() + generator.random() * pi[action]
    counts = np.histogram(u, bins=40, range=(0.0, 1.0))[0]
    pairs = np.histogram2d(u[:-1:2], u[1::2], bins=8, range=((0, 1), (0, 1)))[0].ravel()
    assert stats.chisquare(counts).pvalue > FALSE_ALARM / 2 / len(RUNS)
    assert stats.chisquare(pairs).pvalue > FALSE_ALARM / 2 / len(RUNS)


@pytest.mark.parametrize("name", THETAS)
def test_draws_fit_every_policy(name):
    counts, pi = _counted(THETAS[name])
    assert counts.sum() == DRAWS
    assert counts[pi < 1e-12].sum() == 0
    if (pi > 1e-12).sum() > 1:
        assert min(p_values(counts, pi)) > FALSE_ALARM / 2 / len(THETAS)


def _counted(theta, tamper=lambda files: None):
    """How often each action is drawn: fresh uniform numbers below T, one try after the other, in a loop of the test's own."""
    files = filed(theta)
    tamper(files)
    bucket, inner, outer, arena, *_, whole, reference = files.arrays
    generator = np.random.default_rng(20)
    words = generator.integers(0, int(whole[TOTAL]), size=DRAWS * 2, dtype=np.uint64)
    drawn = draw(
        np.ascontiguousarray(theta),
        bucket,
        inner,
        outer,
        arena,
        reference[0],
        buckets.scale(theta.size),
        words,
        generator.random(DRAWS * 2),
        DRAWS,
    )
    return np.bincount(drawn, minlength=theta.size), probability(theta)


def _wrong_squeeze(files):
    rows = files.arrays[0].reshape(BUCKETS, 8)
    rows[:-1, LOWER] = rows[:-1, WIDTH]


def _wrong_sum(files):
    files.arrays[1][1:] += np.uint64(1 << 30)


def _member_twice(files):
    row = files.arrays[0].reshape(BUCKETS, 8)[int(files.arrays[5][5])]
    files.arrays[3][int(row[START])] = files.arrays[3][int(row[START]) + 1]


@pytest.mark.parametrize("fault", [_wrong_squeeze, _wrong_sum, _member_twice], ids=lambda fault: fault.__name__)
def test_planted_faults_are_seen(fault):
    theta = np.r_[THETAS["spread"][:5], np.full(2, 0.02), np.full(2, 0.05)]
    files = filed(theta)
    assert faults(theta, files) == []
    fault(files)
    assert faults(theta, files)


def test_a_squeeze_that_always_accepts_would_be_seen_in_the_draws():
    theta = np.linspace(0.0, 2.0, 64)
    assert min(p_values(*_counted(theta))) > FALSE_ALARM / 2
    assert max(p_values(*_counted(theta, _wrong_squeeze))) < FALSE_ALARM


@pytest.mark.parametrize("name", ["learning", "noisy"])
def test_learning_curves_are_those_on_the_tree(name):
    """Mean rewards of 300 runs each, after 20, 60 and 200 steps: their difference, in standard errors, against a declared rate."""
    rewards, curves = np.random.default_rng(6).uniform(1.0, 3.0, 8), {}
    for on_buckets in (True, False):
        rows = []
        for run in range(300):
            bandit = LogBandit(alternate, rewards, **RUNS[name], run=run, experiment=f"curves on buckets: {on_buckets}")
            if not on_buckets:
                bandit._files = None
            rows.append([bandit.run(steps).expected_reward for steps in (20, 40, 140)])
        curves[on_buckets] = np.array(rows)
    gap = curves[True].mean(axis=0) - curves[False].mean(axis=0)
    error = np.sqrt((curves[True].var(axis=0) + curves[False].var(axis=0)) / 300)
    # three stretches, two settings, and a margin of two for tails that are not quite normal at 300 runs
    assert (2 * stats.norm.sf(abs(gap) / error) > FALSE_ALARM / 12).all()


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


def test_a_tree_kept_from_before_is_up_to_date():
    bandit = agent("noisy", 500)
    tree = bandit.tree
    for steps in (1, 3, 20, 1000):
        bandit.run(steps)
        assert tree.log_normalizer() == pytest.approx(float(np.logaddexp.reduce(tree.preferences)), rel=1e-12)
        assert same_sums(tree)


@pytest.mark.slow
def test_a_hundred_million_steps_leave_the_buckets_right():
    bandit = agent("learning", 1000)
    bandit.run(100_000_000)
    assert bandit.tree.preferences.max() < -10_000
    assert faults(bandit.tree.preferences, bandit._files) == []
    assert same_sums(bandit.tree)
