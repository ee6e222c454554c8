"""Error rates: bounds are the binomial law's, the quick settings keep them, and a judge with too
small a quantile doesn't.
"""

from __future__ import annotations

from collections import Counter

import pytest

from altpg_verify import judging
from altpg_verify.verdicts import Verdict
from trust import rates

pytest.importorskip("numba")


def setting(name):
    return next(each for each in rates.settings() if each.name == name)


def met(one, verdicts):
    (figure,) = rates.outcome([one], [verdicts]).figures
    return figure.met


def test_the_bound_is_the_upper_quantile_of_the_binomial_law():
    from math import comb

    most = rates.limit(1000, 0.01)

    def beyond(errors):
        return 1 - sum(comb(1000, i) * 0.01**i * 0.99 ** (1000 - i) for i in range(errors + 1))

    assert beyond(most) <= rates.SURPRISE < beyond(most - 1)


@pytest.mark.parametrize("name", ["above_true", "above_false", "equal_true", "share_false"])
def test_quick_settings_keep_their_rates(name):
    one = setting(name)
    assert met(one, rates.repeated(one, range(rates.REPETITIONS)))


@pytest.mark.parametrize("name", ["above_true", "equal_true"])
def test_a_judge_whose_critical_value_is_too_small_misses_the_figure(name, monkeypatch):
    true = judging.normal_quantile
    monkeypatch.setattr(judging, "normal_quantile", lambda probability: 0.7 * true(probability))
    from altpg_verify.sim import analysis

    monkeypatch.setattr(analysis, "normal_quantile", judging.normal_quantile)
    one = setting(name)
    assert not met(one, rates.repeated(one, range(rates.REPETITIONS)))


# hundreds of audits; the judges' fault above is found by default
@pytest.mark.slow
def test_a_sampled_audit_that_forgets_the_error_of_its_mean_misses_the_figure(monkeypatch):
    from altpg_verify.audit import intervals

    one = setting("audit_true")
    honest = rates.repeated(one, range(20))
    assert met(one, honest)
    monkeypatch.setattr(intervals, "normal_quantile", lambda probability: 0.5)
    assert not met(one, rates.repeated(one, range(20)))


@pytest.mark.thorough
def test_the_same_repetition_gives_the_same_verdict():
    one = setting("audit_missed")
    assert rates.repeated(one, range(3)) == rates.repeated(one, range(3))
    assert isinstance(rates.repeated(one, range(1)), Counter)
    assert one.wrong is Verdict.SUPPORTED
