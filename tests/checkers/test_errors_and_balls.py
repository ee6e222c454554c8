"""An error in one law ends no other; and what logarithms and exponentials come to is told from
rounding by intervals.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify import Verdict, balls, check_estimator
from altpg_verify.case_parsing import parse_case
from altpg_verify.errors import BadEstimator
from altpg_verify.exact import Calls, listening
from altpg_verify.laws import LAWS, law_named
from tests.checkers.hostile_formulas import made, regular
from tests.shares import share

HOLDS, REFUTED, OPEN, SKIPPED = (
    Verdict.HOLDS,
    Verdict.REFUTED,
    Verdict.INCONCLUSIVE,
    Verdict.SKIPPED,
)


def few_actions(pi, e, r, b):
    if len(pi) > 4:
        raise ValueError("only four actions")
    return regular(pi, e, r, b)


def asserts(pi, e, r, b):
    assert b >= 0
    return regular(pi, e, r, b)


def looks_up(pi, e, r, b):
    return regular(pi, e, r, b) * {2: 1, 3: 1, 4: 1, 5: 1}[len(pi)]


def overflows(pi, e, r, b):
    return regular(pi, e, r, b) * (math.cosh(float(r)) / math.cosh(float(r)))


def overflows_in_numpy(pi, e, r, b):
    return regular(pi, e, r, b) * np.exp(r) * np.exp(-r)


def logarithm_of_rewards(pi, e, r, b):
    return (math.log(float(r)) - float(b)) * (e - pi)


def at_the_corner(pi, e, r, b):
    return regular(pi, e, r, b) + 0 * math.log(min(float(p) for p in pi))


def softmax_of_preferences(theta, e, r, b):
    exponentials = np.exp(theta - theta.max())
    return (r - b) * (e - exponentials / exponentials.sum())


def nearly_softmax(theta, e, r, b):
    exponentials = np.exp(theta)
    return (r - b) * (e - exponentials / exponentials.sum()) * (1 + 1e-7)


def hardly_off(theta, e, r, b):
    return nearly_softmax(theta, e, r, b) / (1 + 1e-7) * (1 + 1e-12)


ANSWERS = {
    hardly_off: {"unbiased": REFUTED, "zero_sum": HOLDS},
    few_actions: {
        "unbiased": OPEN,
        "zero_sum": OPEN,
        "finite_when_saturated": HOLDS,
        "touches_taken_action_only": REFUTED,
    },
    asserts: {
        "unbiased": OPEN,
        "optimistic_attracts": REFUTED,
        "touches_taken_action_only": REFUTED,
    },
    looks_up: {"unbiased": OPEN, "touches_taken_action_only": REFUTED, "vanishes_at_corner": OPEN},
    overflows: {
        "unbiased": HOLDS,
        "zero_sum": HOLDS,
        "touches_taken_action_only": REFUTED,
        "vanishes_at_corner": HOLDS,
    },
    overflows_in_numpy: {"unbiased": HOLDS, "zero_sum": HOLDS},
    logarithm_of_rewards: {"unbiased": REFUTED, "zero_sum": REFUTED, "vanishes_at_corner": SKIPPED},
    at_the_corner: {
        "unbiased": HOLDS,
        "finite_when_saturated": REFUTED,
        "vanishes_at_corner": SKIPPED,
    },
    softmax_of_preferences: {
        "unbiased": HOLDS,
        "zero_sum": HOLDS,
        "shift_invariant": HOLDS,
        "vanishes_at_corner": HOLDS,
    },
    nearly_softmax: {"unbiased": REFUTED, "zero_sum": HOLDS, "shift_invariant": HOLDS},
}


@pytest.mark.parametrize("formula", share(ANSWERS, 2), ids=lambda formula: formula.__name__)
def test_every_law_has_an_answer(formula):
    report = check_estimator(
        made(formula), only=list(ANSWERS[formula]), on_fail="return", facts=False, max_examples=30
    )
    assert {got.law: got.verdict for got in report} == ANSWERS[formula]
    for got in report:
        assert "\n" not in got.reason
        if got.verdict is OPEN:
            assert f"estimator {formula.__name__!r} raised " in got.reason


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no"),
        ZeroDivisionError("no"),
        OverflowError("no"),
        KeyError("no"),
        AssertionError(),
        IndexError("no"),
    ],
)
def test_what_never_answers_is_refused_in_one_sentence(error):
    def never(pi, e, r, b):
        raise error

    with pytest.raises(BadEstimator, match=f"raised {type(error).__name__}"):
        check_estimator(made(never), only=["unbiased", "zero_sum"], on_fail="return")


def test_what_is_too_large_for_float64_refutes_nothing_and_is_said():
    (got,) = check_estimator(
        made(overflows_in_numpy), only=["unbiased"], on_fail="return", facts=False, max_examples=30
    )
    assert "more are too large for float64)" in got.evidence


def entropy_bonus(pi, e, r, b):
    return regular(pi, e, r, b) - np.log(pi) / 100


def branching(pi, e, r, b):
    return regular(pi, e, r, b) * (2 if r + np.log(pi[0]) - np.log(pi[0]) > r else 1)


def differing(pi, e, r, b):
    try:
        return regular(pi, e, r, b) * float(r) / float(r)
    except ArithmeticError:
        return 3 * regular(pi, e, r, b)


def reported(formula, law, case, floats=None):
    """What balls say of a law that float64, or `floats`, sees so."""
    law, case, estimator = law_named(law, LAWS), parse_case(case), made(formula)
    with listening(Calls()):
        seen = law.sides(estimator, case.as_float()) if floats is None else floats
        return balls.fails(lambda each: law.sides(estimator, each), law.relation, case, seen)


CASE = "pi=1/4,1/4,1/2; r=0,1,0; b=1/4"


@pytest.mark.parametrize(
    ("formula", "law", "case", "fails"),
    [
        (entropy_bonus, "unbiased", CASE, True),
        (entropy_bonus, "right_direction", CASE, True),
        (entropy_bonus, "baseline_invariant", CASE, False),
        (entropy_bonus, "conservative", CASE, None),
        # what float64 takes for a fall of 4.5e-20 is none: the gradient is zero
        (entropy_bonus, "ascends", "pi=18/19,1/19; r=-1,-1; b=-1", False),
        (softmax_of_preferences, "unbiased", CASE, None),
        (nearly_softmax, "unbiased", CASE, True),
        (nearly_softmax, "zero_sum", CASE, False),
        # what balls can't tell, or the formula looks at, decides nothing
        (branching, "unbiased", CASE, None),
        (differing, "unbiased", "pi=1/4,3/4; r=2,1; b=1/4", None),
        (overflows, "unbiased", CASE, None),
    ],
)
def test_balls(formula, law, case, fails):
    found = reported(formula, law, case)
    assert (found if found is None else found[0]) is fails


def test_balls_that_are_not_what_float64_saw_decide_nothing():
    assert (
        reported(entropy_bonus, "unbiased", CASE, floats=([1.0, 0.0, 0.0], [0.0, 0.0, 0.0])) is None
    )


def test_a_refutation_says_that_it_is_certified():
    (got,) = check_estimator(
        made(entropy_bonus), only=["unbiased"], on_fail="return", facts=False, max_examples=20
    )
    assert got.evidence == "certified by interval arithmetic at 128 bits, at exactly this case"
    assert f"evidence  {got.evidence}" in got.block()
    (got,) = check_estimator(
        made(logarithm_of_rewards),
        only=["unbiased"],
        on_fail="return",
        facts=False,
        max_examples=20,
    )
    assert (got.verdict, got.evidence) == (REFUTED, "")


@pytest.mark.parametrize(
    "convert", [float, int, bool, hash, round, lambda ball: ball % 2, lambda ball: ball > 1 / 3]
)
def test_a_ball_is_not_looked_at(convert):
    from flint import arb

    third = balls.Ball(arb(1) / 3)
    with pytest.raises((ArithmeticError, TypeError)):
        convert(third - third if convert is bool else third)


def softmax_of(theta):
    return np.exp(theta) / np.exp(theta).sum()


CONSTANTS = {
    "log e": lambda theta, e, r, b: (r - b) * (e - softmax_of(theta)) * np.log(np.e),
    "√2 squared": lambda theta, e, r, b: (r - b) * (e - softmax_of(theta)) * np.sqrt(2.0) ** 2 / 2,
    "0.1 · 3 / 0.3": lambda theta, e, r, b: (r - b) * (e - softmax_of(theta)) * (0.1 * 3 / 0.3),
    "log-softmax": (
        lambda theta, e, r, b: (r - b) * (e - np.exp(theta - np.log(np.exp(theta).sum())))
    ),
}


@pytest.mark.parametrize("formula", share(CONSTANTS.values(), 2), ids=CONSTANTS)
def test_the_last_bits_of_a_formula_s_own_constants_refute_nothing(formula):
    (got,) = check_estimator(made(formula), only=["unbiased"], on_fail="return", facts=False)
    assert got.verdict is HOLDS


@pytest.mark.thorough
@pytest.mark.parametrize("part", share([1e-14, 1e-9, 1e-12], 3))
def test_a_deviation_above_the_last_bits_is_refuted(part):
    def longer(theta, e, r, b):
        return (r - b) * (e - softmax_of(theta)) * (1 + part)

    (got,) = check_estimator(made(longer), only=["unbiased"], on_fail="return", facts=False)
    assert got.verdict is REFUTED
