"""What a person reads: the pass, the failure and the pytest line, word for word."""

from __future__ import annotations

import re

import pytest

from altpg_verify import LAWS, EstimatorCheckError, alternate, check_estimator, estimator, regular
from altpg_verify.law_domains import ANYWHERE
from altpg_verify.laws import Law
from altpg_verify.wide import RANGES


@estimator(expected_failures={"unbiased": "by design; exact at b = v"})
def half_regular(pi, e, r, b):
    """Half-way between alternate and regular."""
    return (r - b) * (e - pi / 2)


def without_time(text: str) -> str:
    return re.sub(r"\(\d+\.\d s\)", "(TIME)", text)


def test_a_pass_is_one_line_a_law_with_its_evidence():
    report = check_estimator(regular, only=["unbiased", "finite_when_saturated"], facts=False)
    assert (
        without_time(str(report))
        == "regular: 2 laws: 1 proved, 1 holds, none skipped; 120 exact cases (TIME)\n"
        "  ✓ unbiased                  proved   k = 2, 3, 4; and 20 exact cases\n"
        "  ✓ finite_when_saturated     holds    100 float64 cases\n"
        f"  searched: {RANGES}"
    )


@pytest.mark.thorough
def test_a_failure_shows_law_instance_sides_gap_and_how_to_replay_it():
    report = check_estimator(
        half_regular,
        only=["unbiased", "zero_sum"],
        on_fail="return",
        facts=False,
        origin="mine:half_regular",
    )
    shown = without_time(str(report)).splitlines()
    assert shown[0].startswith(
        "half_regular: 2 laws: 1 refuted as expected, 1 REFUTED, none skipped; "
    )
    assert shown[1:] == [
        "  ~ unbiased                  refuted, as expected: by design; exact at b = v",
        "  ✗ zero_sum                  REFUTED by a minimal counterexample",
        (
            "      law       Σₐ ĝₐ = 0      an estimate does not shift all preferences together"
            " (softmax is shift-invariant)"
        ),
        "      where     π = (1/2, 1/2)   r = (0, 0)   b = 1",
        "      left      (-1/2, -1/2)",
        "      right     (0, 0)",
        "      gap       (R - b) / 2   [proved for k = 2, 3, 4]",
        '      intended? expected_failures={"zero_sum": "why"}',
        (
            "      replay    python -m altpg_verify check mine:half_regular --only zero_sum --case"
            ' "pi=1/2,1/2; r=0,0; b=1"'
        ),
        f"  searched: {RANGES}",
    ]


def test_the_alternate_bias_unmarked_reads_as_in_the_paper():
    unmarked = estimator(alternate.formula)
    result = check_estimator(unmarked, only=["unbiased"], on_fail="return")["unbiased"]
    assert result.counterexample is not None
    assert (
        result.counterexample.case,
        result.counterexample.left,
        result.counterexample.right,
    ) == ("π = (1/2, 1/2)   r = (0, 0)   b = 1", "(-1/2, -1/2)", "(0, 0)")
    assert result.gap == "(v - b) π   [proved for k = 2, 3, 4]"


def test_the_first_line_of_the_error_tells_the_story():
    with pytest.raises(EstimatorCheckError) as caught:
        check_estimator(half_regular, only=["zero_sum"])
    assert (
        str(caught.value).splitlines()[0]
        == "half_regular: zero_sum REFUTED by a minimal counterexample"
    )
    assert caught.value.report["zero_sum"].counterexample is not None


def test_a_marked_law_that_holds_is_an_error():
    marked = estimator(expected_failures={"zero_sum": "I thought so"})(regular.formula)
    result = check_estimator(marked, only=["zero_sum"], on_fail="return")["zero_sum"]
    assert not result.ok
    assert result.headline.startswith("UNEXPECTEDLY HOLDS")


@pytest.mark.thorough
def test_a_refuted_promise_counts_against_the_estimator():
    boastful = estimator(promises=("touches_taken_action_only",))(regular.formula)
    assert not check_estimator(boastful, only=["touches_taken_action_only"], on_fail="return").ok
    assert check_estimator(regular, only=["touches_taken_action_only"], on_fail="return").ok


def test_a_users_own_law_joins_in():
    def largest_entry(est, case):
        return [max(map(abs, est.at(case.arguments(0, case.q[0]))))], [1]

    bounded = Law(
        "small",
        "|ĝ| ≤ 1",
        "no entry is larger than one",
        largest_entry,
        ANYWHERE,
        "<=",
        layout="scalar",
    )
    report = check_estimator(regular, laws=(*LAWS, bounded), only=["small"], on_fail="return")
    assert not report.ok
    assert report["small"].counterexample is not None


@pytest.mark.thorough
def test_the_same_search_gives_the_same_result():
    first, again = (
        check_estimator(
            half_regular,
            only=["unbiased", "zero_sum"],
            on_fail="return",
            facts=False,
            max_examples=10,
        )
        for _ in range(2)
    )
    assert first.results == again.results


@pytest.mark.thorough
def test_every_law_is_counted():
    report = check_estimator(regular, on_fail="return", facts=False, max_examples=5)
    assert len(report.results) == len(LAWS) == 17
    assert report.summary().startswith("regular: 17 laws: ")
