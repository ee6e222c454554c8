"""Envelopes: what a try selects is enumerated, so that exactness is a matter of counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from mpmath import mp, mpf
from numba import njit

from altpg_verify.estimators import alternate
from altpg_verify.sim import streams
from altpg_verify.sim.large import LogBandit, envelope_stepping, envelopes
from altpg_verify.sim.large.envelope_stepping import AHEAD
from altpg_verify.sim.large.envelopes import DEPTHS, DRAWN, SEEN, TOTAL
from altpg_verify.sim.large.filing import Filing
from tests.large.exact import exponentials, shares
from tests.large.test_goodness_of_fit import DRAWS, FALSE_ALARM, p_values, probability


@njit
def walk(x, sums, first, levels):
    return envelopes.walk(x, sums, first, levels)


@njit
def start(action, sums, first, levels):
    return envelopes.start(action, sums, first, levels)


@njit
def depth(rho, theta):
    return envelopes.depth(rho, theta)


@njit
def weight(rho, theta, digits):
    return envelopes.weight(rho, theta, digits)


@njit
def chance(r, g, theta, bound, rho, digits):
    return envelopes.chance(r, g, theta, bound, rho, digits)


@njit
def draw(theta, bound, sums, first, depths, rho, digits, words, units, count):
    drawn, done = np.empty(count, np.int64), 0
    for i in range(words.size):
        action, r = envelopes.walk(words[i], sums, first, first.size - 1)
        if done < count and units[i] < envelopes.chance(
            r, envelopes.own_depth(depths[action]), theta[action], bound, rho, digits
        ):
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
    envelope_stepping.filing()(np.ascontiguousarray(theta), *files.arrays)
    return files


def widths(files: Filing) -> list[int]:
    """The envelope of each action."""
    bound, _, _, depths, *_ = files.arrays
    return [int(bound[2 * (int(word) >> 16) + 1]) for word in depths]


def faults(theta, files: Filing) -> list[str]:
    """What is wrong with the envelopes: sums, envelopes and bounds, each compared with a plain
    recount.
    """
    bound, sums, first, depths, batch, whole, reference = files.arrays
    found, entries = [], widths(files)
    weights = [
        mp.ldexp(weight, envelopes.scale(theta.size))
        for weight in exponentials(np.r_[theta, reference[0]])
    ]
    for action, word in enumerate(depths.tolist()):
        at, own = divmod(word, 2**16)
        if weights[action] > entries[action]:
            found.append(f"envelope of action {action}")
        if own != envelopes.depth.py_func(reference[0], theta[action]) or at > own:
            found.append(f"depths of action {action}")
        if int(bound[2 * own]) > weights[action]:
            found.append(f"bound of action {action}")
    ahead = batch.reshape(AHEAD, 2)[int(whole[SEEN]) : int(whole[DRAWN])]
    found += [
        f"proposal of action {action}"
        for action, r in ahead.tolist()
        if not (action < theta.size and r < 2**62)
    ]
    for level in reversed(range(files.levels)):
        row = 8 if level else envelopes.TOP
        entries += [0] * (-len(entries) % row)
        rows = [entries[i : i + row] for i in range(0, len(entries), row)]
        before = [sum(each[:i]) for each in rows for i in range(row)]
        begin = int(first[level])
        if sums[begin : begin + len(before)].tolist() != before:
            found.append(f"sums of level {level}")
        entries = [sum(each) for each in rows]
    if [int(whole[TOTAL])] != entries:
        found.append("total")
    return found


@pytest.mark.parametrize("name", THETAS)
def test_filing_is_right_and_every_stretch_is_found(name):
    """The ends of all actions' stretches: the first and the last number select the action, as its
    numbers 0 and W - 1.
    """
    theta = THETAS[name]
    files = filed(theta)
    assert faults(theta, files) == []
    _, sums, first, *_ = files.arrays
    begin = 0
    for action, own in enumerate(widths(files)):
        assert start(np.uint64(action), sums, first, files.levels) == begin
        for r in (0, own // 3, own - 1):
            assert walk(np.uint64(begin + r), sums, first, files.levels) == (action, r)
        begin += own
    assert begin == files.arrays[5][TOTAL]


@pytest.mark.parametrize("name", THETAS)
def test_a_draw_has_the_probability_of_the_policy(name):
    """A try ends with a with probability E_a / T: E_a as computed, as a fraction, over their sum,
    against softmax to 60 digits.
    """
    theta = THETAS[name]
    files = filed(theta)
    rho, digits = files.arrays[-1][0], envelopes.scale(theta.size)
    weights = [Fraction(weight(rho, value, digits)) for value in theta]
    depths = [
        Fraction(float((rho - value) * envelopes.PER_NAT / envelopes.PER_OCTAVE)) for value in theta
    ]
    total, exact = sum(weights), shares(theta)
    bounds = [(depth + 4) / 2**52 for depth in depths]
    mean = sum(bound * weight for bound, weight in zip(bounds, weights, strict=True)) / total
    for own, bound, (low, high) in zip(weights, bounds, pairwise(exact), strict=True):
        if high - low > Fraction(2) ** -1000:
            assert abs(own / total - (high - low)) <= (high - low) * (bound + mean) * (
                1 + Fraction(1, 1000)
            ) + Fraction(1, 10**58)
        else:
            assert own / total < Fraction(2) ** -990


@pytest.mark.parametrize("k", [10, 10**7])
@pytest.mark.parametrize("octaves", [-60.0, -20.0, -1.5, -0.3, 0.0, 0.7, 3.2, 9.9])
def test_chances_of_all_numbers_add_up_to_the_weight(k, octaves):
    """E_a near 2^octaves, under its own envelope and under one that is too high: Σ_r chance(r) =
    E_a, as fractions.
    """
    bound, digits, rho = envelopes.bounds(k), envelopes.scale(k), 1.25
    theta = rho - (digits - octaves) * np.log(2.0)
    own = np.uint64(depth(rho, theta))
    width = int(bound[2 * own + 1])
    chances = [
        Fraction(chance(np.uint64(r), own, theta, bound, rho, digits)) for r in range(2 * width)
    ]
    assert sum(chances) == Fraction(weight(rho, theta, digits)) > 0
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("k", [1, 10, 1000, 10**6, 10**7, 10**8])
def test_envelopes_are_wide_enough_and_not_too_wide(k):
    lower, width = envelopes.bounds(k).reshape(DEPTHS, 2).T.tolist()
    assert k * width[0] < 2**62
    assert envelopes.least_total(k) * 2 ** envelopes.headroom(k) < 2 ** envelopes.scale(k)
    with mp.workdps(40):
        octave = mpf(2) ** (-mpf(1) / envelopes.PER_OCTAVE)
        for g in range(DEPTHS):
            upper = mpf(2) ** (envelopes.scale(k) - mpf(g) / envelopes.PER_OCTAVE)
            assert width[g] >= upper * (1 + mpf(2) ** -40)
            assert lower[g] <= upper * octave * (1 - mpf(2) ** -40)
            if upper > 2**14:
                assert lower[g] / width[g] > 0.989


def test_depths_are_in_the_table_however_far_preferences_are():
    for far in (0.0, 1e-300, 1e-3, 34.0, 35.0, 1e5, 2.0**30, 2.0**31):
        steps = int(min(mpf(far) * envelopes.PER_OCTAVE / mp.log(2), DEPTHS - 1))
        assert depth(far / 2, -far / 2) == envelopes.depth.py_func(far / 2, -far / 2) == steps
        assert depth(-far / 2, far / 2) == envelopes.depth.py_func(-far / 2, far / 2) == 0


@pytest.mark.parametrize("k", [1, 2, 8, 9, 16, 17, 128, 129, 1024, 1025, 10**7])
def test_rows_have_a_place_for_every_entry_below_and_a_walk_looks_at_few(k):
    ends = envelopes.layout(k).tolist()
    sizes = [after - before for before, after in pairwise(ends)]
    assert sizes[0] == envelopes.TOP
    assert sizes[-1] >= k
    assert all(size % 8 == 0 and above >= size // 8 for above, size in pairwise(sizes))
    assert 8 ** (len(sizes) - 2) < k or k == 1, "no level too many"
    if k >= 2:
        assert len(ends) <= k.bit_length(), "rows of a walk, two at the top, against ⌈log₂(k + 1)⌉"


def test_a_word_that_would_favour_a_number_is_refused():
    """T = 3 W divides no power of two: x = 0 has one word more than others have, the word 0."""
    for word, refused in ((0, True), (1, False)):
        given, later = (LogBandit(alternate, np.full(3, 2.0), alpha=0.1, b=1.0) for _ in range(2))
        given._states[0][:, 0] = 0, word, 77, 0
        drawn, *later._states[0][:, 0] = streams._next(*given._states[0][:, 0])
        assert drawn == word
        same = []
        for _ in range(50):
            given.run(1)
            later.run(1)
            same.append((given.tree.preferences == later.tree.preferences).all())
        assert all(same) == refused


@pytest.mark.parametrize("name", THETAS)
def test_draws_fit_every_policy(name):
    counts, pi = _counted(THETAS[name])
    assert counts.sum() == DRAWS
    assert counts[pi < 1e-12].sum() == 0
    if (pi > 1e-12).sum() > 1:
        assert min(p_values(counts, pi)) > FALSE_ALARM / 2 / len(THETAS)


def _counted(theta, tamper=lambda files: None, fell=0.0):
    """How often each action is drawn: fresh uniform numbers below T, one try after the other, in a
    loop of the test's own.

    Actions were filed when their preferences were higher by `fell`.
    """
    files = filed(theta + fell)
    *arrays, _, whole, reference = files.arrays
    own = np.array(
        [envelopes.depth.py_func(reference[0], value) for value in theta], dtype=np.uint32
    )
    arrays[3][:] = (arrays[3] & np.uint32(0xFFFF0000)) | own
    tamper(files)
    *arrays, _, whole, reference = files.arrays
    generator = np.random.default_rng(20)
    words = generator.integers(0, int(whole[TOTAL]), size=DRAWS * 2, dtype=np.uint64)
    units = generator.random(DRAWS * 2)
    drawn = draw(
        np.ascontiguousarray(theta),
        *arrays,
        reference[0],
        envelopes.scale(theta.size),
        words,
        units,
        DRAWS,
    )
    return np.bincount(drawn, minlength=theta.size), probability(theta)


def _wrong_squeeze(files):
    """It accepts what belongs to a preference higher by a quarter of an octave."""
    bound = files.arrays[0].copy().reshape(DEPTHS, 2)
    bound[16:, 0] = bound[:-16, 1]
    files.arrays = (bound.ravel(), *files.arrays[1:])


def _wrong_sum(files):
    files.arrays[1][1:] += np.uint64(1 << 30)


def _too_low_an_envelope(files):
    files.arrays[3][3] += np.uint32(5 << 16)


@pytest.mark.parametrize(
    "fault", [_wrong_squeeze, _wrong_sum, _too_low_an_envelope], ids=lambda fault: fault.__name__
)
def test_planted_faults_are_seen(fault):
    theta = np.r_[THETAS["spread"][:5], np.full(2, 0.02), np.full(2, 0.05)]
    files = filed(theta)
    assert faults(theta, files) == []
    fault(files)
    assert faults(theta, files)


def test_draws_under_envelopes_that_are_too_high_fit_and_a_wrong_squeeze_would_be_seen():
    theta = np.linspace(0.0, 2.0, 64)
    fell = np.where(np.arange(64) % 3 == 0, 1.0, 0.0)
    assert min(p_values(*_counted(theta, fell=fell))) > FALSE_ALARM / 2
    assert max(p_values(*_counted(theta, _wrong_squeeze, fell=fell))) < FALSE_ALARM
