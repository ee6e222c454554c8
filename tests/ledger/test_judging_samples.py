"""The judges of samples: what each says at, below and above its critical distance, and which figures it
shows.
"""

from __future__ import annotations

import math

import pytest

from altpg_verify.judging import compared, normal_quantile, ordered
from altpg_verify.verdicts import Verdict


def compare(mean, error=1.0, **options):
    return compared(
        "it is 5",
        predicted=5.0,
        mean=mean,
        standard_error=error,
        false_alarm_rate=0.05,
        domain="d",
        **options,
    )


def test_a_comparison_decides_at_the_critical_distance_on_both_sides():
    # the two-sided 5 % point of the normal law
    critical = 1.959963984540054
    assert normal_quantile(0.975) == pytest.approx(critical, abs=1e-12)
    for sign in (1, -1):
        inside, outside = (
            compare(5 + sign * (critical - 1e-9)),
            compare(5 + sign * (critical + 1e-9)),
        )
        assert (inside.verdict, outside.verdict) == (Verdict.SUPPORTED, Verdict.REFUTED)
        assert (inside.domain, outside.domain) == ("d", "d")
    assert compare(5 + 2 * critical - 1e-9, error=2.0).verdict is Verdict.SUPPORTED
    assert compare(5 + 2 * critical + 1e-9, error=2.0).verdict is Verdict.REFUTED


def test_a_comparison_exactly_at_the_critical_distance_supports():
    from statistics import NormalDist

    critical = NormalDist().inv_cdf(1 - 0.05 / 1 / 2)
    assert (
        compared(
            "", predicted=0.0, mean=critical, standard_error=1.0, false_alarm_rate=0.05, domain=""
        ).verdict
        is Verdict.SUPPORTED
    )
    # a sample that sees just what is worth finding is large enough
    assert compare(5.0, worth_finding=critical).verdict is Verdict.SUPPORTED


def test_a_comparison_among_many_splits_its_error_rate():
    critical = normal_quantile(1 - 0.05 / 10 / 2)
    assert compare(5 + critical - 1e-9, comparisons=10).verdict is Verdict.SUPPORTED
    assert compare(5 + critical + 1e-9, comparisons=10).verdict is Verdict.REFUTED
    assert compare(5.0, comparisons=10).numbers["comparisons"] == 10
    assert compare(5.0).numbers["comparisons"] == 1


def test_a_comparison_shows_its_figures():
    finding = compare(8.0, numbers={"runs": 30})
    assert finding.instance == {"predicted": "5", "mean ± standard error": "8 ± 1", "z": "3.0"}
    assert finding.numbers == {
        "predicted": 5.0,
        "mean": 8.0,
        "standard_error": 1.0,
        "z": 3.0,
        "critical_z": 1.959964,
        "false_alarm_rate": 0.05,
        "comparisons": 1,
        "runs": 30,
    }
    assert compare(4.0, error=2.0).numbers["z"] == -0.5


@pytest.mark.parametrize(
    ("mean", "error"),
    [(math.nan, 1.0), (math.inf, 1.0), (5.0, math.nan), (5.0, math.inf), (5.0, 0.0), (5.0, -1.0)],
)
def test_nothing_is_compared_without_a_standard_error(mean, error):
    finding = compare(mean, error)
    assert finding.verdict is Verdict.INCONCLUSIVE
    assert "standard error" in finding.summary
    assert finding.numbers["critical_z"] == 1.959964


def test_a_mean_without_spread_has_an_infinite_z_on_its_side():
    assert compare(4.0, 0.0).numbers["z"] == -math.inf
    assert compare(6.0, 0.0).numbers["z"] == math.inf
    assert compare(9.0, -1.0).numbers["z"] == math.inf
    # a spread however small is one
    assert compare(5.5, 0.5).numbers["z"] == 1.0


def test_a_sample_too_small_to_see_what_is_worth_finding_decides_nothing():
    finding = compare(5.0, worth_finding=1.9)
    assert finding.verdict is Verdict.INCONCLUSIVE
    assert (
        finding.summary
        == "it is 5: the sample sees deviations from 1.96 on, and 1.9 is worth finding"
    )
    assert finding.numbers["critical_z"] == 1.959964
    assert compare(5.0, worth_finding=2.0).verdict is Verdict.SUPPORTED
    assert compare(5.0, error=2.0, worth_finding=3.9).verdict is Verdict.INCONCLUSIVE
    assert compare(5.0, error=2.0, worth_finding=4.0).verdict is Verdict.SUPPORTED
    # seen all the same, if it is large enough
    assert compare(9.0, worth_finding=1.9).verdict is Verdict.REFUTED


def order(difference, error=1.0, **options):
    return ordered(
        "it is more",
        difference=difference,
        standard_error=error,
        false_alarm_rate=0.05,
        domain="d",
        **options,
    )


@pytest.mark.parametrize("margin", [0.0, 3.0, -3.0])
def test_an_order_is_decided_beyond_the_one_sided_critical_distance(margin):
    # the one-sided 5 % point of the normal law
    critical = 1.6448536269514722
    options = {"margin": margin} if margin else {}
    for difference, verdict in (
        (critical + 1e-9, Verdict.SUPPORTED),
        (critical - 1e-9, Verdict.INCONCLUSIVE),
        (-critical + 1e-9, Verdict.INCONCLUSIVE),
        (-critical - 1e-9, Verdict.REFUTED),
    ):
        assert order(margin + difference, **options).verdict is verdict
        assert order(margin + 2 * difference, 2.0, **options).verdict is verdict
    assert order(margin, **options).numbers["margin"] == margin


def test_an_order_exactly_at_the_critical_distance_is_not_decided():
    critical = normal_quantile(1 - 0.05 / 1)
    assert order(critical).verdict is Verdict.INCONCLUSIVE
    assert order(-critical).verdict is Verdict.INCONCLUSIVE


def test_an_order_among_many_splits_its_error_rate():
    critical = normal_quantile(1 - 0.05 / 10)
    assert order(critical + 1e-9, comparisons=10).verdict is Verdict.SUPPORTED
    assert order(critical - 1e-9, comparisons=10).verdict is Verdict.INCONCLUSIVE
    assert order(1.0).numbers["comparisons"] == 1


def test_an_order_shows_its_figures():
    supported, against, open_ = (
        order(9.0, numbers={"runs": 30}),
        order(-9.0, margin=1.0),
        order(0.5, 0.25),
    )
    assert (supported.domain, against.domain) == ("d", "d")
    assert against.instance == {
        "distance on the wrong side of the bound": "10",
        "in standard errors": "10.0",
    }
    assert supported.numbers == {
        "difference": 9.0,
        "margin": 0.0,
        "standard_error": 1.0,
        "critical_z": 1.6448536,
        "false_alarm_rate": 0.05,
        "comparisons": 1,
        "runs": 30,
    }
    assert against.numbers["margin"] == 1.0
    assert open_.verdict is Verdict.SUPPORTED
    unclear = order(0.5)
    assert (
        unclear.summary
        == "it is more: not significant at 5 %: 0.5 on the claimed side of the bound, 0.5 standard"
        " errors, where 1.6 are needed"
    )
    assert order(0.0, 0.0).summary == "it is more: exactly on the bound, on neither side of it"
    assert unclear.numbers["difference"] == 0.5


@pytest.mark.parametrize(
    ("difference", "error"),
    [(math.nan, 1.0), (math.inf, 1.0), (9.0, math.nan), (9.0, math.inf), (-math.inf, math.inf)],
)
def test_no_order_without_finite_figures(difference, error):
    finding = order(difference, error)
    assert finding.verdict is Verdict.INCONCLUSIVE
    assert (
        finding.summary == f"it is more: the difference is {difference}, its standard error {error}"
    )
    assert finding.numbers["critical_z"] == 1.6448536


def test_undecided_and_refuted_samples_say_what_was_tested_and_name_their_error():
    wide = ordered(
        "A is above B", difference=0.1, standard_error=1.0, false_alarm_rate=0.01, domain="runs"
    )
    assert wide.reported.startswith(
        "tested: A is above B; found: undecided, not significant at 1 %: 0.1 on the claimed side"
    )
    below = ordered(
        "A is above B", difference=-9.0, standard_error=1.0, false_alarm_rate=0.01, domain="runs"
    )
    assert (
        below.reported
        == "tested: A is above B; found: distance on the wrong side of the bound 9, in standard"
        " errors 9.0"
    )


def test_a_prediction_that_is_no_number_supports_nothing():
    found = compared(
        "x",
        predicted=float("nan"),
        mean=1.0,
        standard_error=0.1,
        false_alarm_rate=0.01,
        domain="here",
    )
    assert found.verdict is Verdict.INCONCLUSIVE
