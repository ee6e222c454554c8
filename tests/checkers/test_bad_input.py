"""Unusable input: one clear sentence that names the argument, what was wrong and what to do."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify import (
    BadEstimator,
    BadInput,
    bandit,
    check_estimator,
    escort,
    estimator,
    parametrize_with_checks,
    regular,
)
from altpg_verify.case_parsing import parse_case
from altpg_verify.parameterisations import named


def raising(pi, e, r, b):
    raise RuntimeError("no luck today")


UNUSABLE = {
    "returned a single number instead of shape": lambda pi, e, r, b: r - b,
    "returned shape (2, 2) instead of shape": lambda pi, e, r, b: np.ones((2, 2)),
    "returned nan": lambda pi, e, r, b: e * float("nan"),
    "returned inf": lambda pi, e, r, b: e * float("inf"),
    "returned the complex number": lambda pi, e, r, b: e * 1j,
    "raised RuntimeError: no luck today": raising,
    "returned None": lambda pi, e, r, b: [None] * len(pi),
    "returned 'no'": lambda pi, e, r, b: ["no"] * len(pi),
}


@pytest.mark.parametrize("fault", UNUSABLE)
def test_an_estimator_that_breaks_its_contract(fault):
    with pytest.raises(BadEstimator) as caught:
        check_estimator(estimator(name="broken")(UNUSABLE[fault]), facts=False)
    message = str(caught.value)
    assert message.startswith("estimator 'broken' ")
    assert fault in message


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda pi, reward: pi, "asks for 'reward', which is not an argument; choose from theta"),
        (lambda *args: 0, "takes *args; name each argument instead"),
        (lambda: 0, "asks for none of the arguments"),
    ],
)
def test_a_signature_that_can_not_be_served(function, words):
    with pytest.raises(BadEstimator, match="estimator") as caught:
        estimator(function)
    assert words in str(caught.value)


def test_a_mark_needs_a_reason_and_a_law():
    with pytest.raises(BadEstimator, match="needs a reason"):
        estimator(expected_failures={"unbiased": " "})(regular.formula)
    with pytest.raises(BadInput, match="law 'unbaised' is not known; choose from unbiased"):
        check_estimator(estimator(expected_failures={"unbaised": "typo"})(regular.formula))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: check_estimator(regular, only=["fair"]), "law 'fair' is not known"),
        (lambda: check_estimator(lambda pi: pi), "decorate the function with @estimator"),
        (lambda: check_estimator(regular, on_fail="explode"), "choose 'raise' or 'return'"),
        (lambda: check_estimator(regular, max_examples=0), "give at least 1"),
        (
            lambda: parametrize_with_checks([regular.formula]),
            "needs estimators or updates, not function",
        ),
        (lambda: bandit([1, 2], ["1/2", "1/3"], 0), "pi sums to 5/6, not to 1"),
        (lambda: bandit([1, 2], [-1, 2], 0), "pi has the negative probability -1"),
        (lambda: bandit([1], [1], 0), "the policy has 1 action; give at least 2"),
        (lambda: bandit([1], ["1/2", "1/2"], 0), "the policy has 2 actions and r has 1"),
        (lambda: parse_case("pi=1/2,1/2; r=0,1"), "b missing"),
        (lambda: parse_case("pi=1/2,1/2; r=0,x; b=1"), "'x', which is no number"),
        (lambda: parse_case("pi=1/2,1/2; r=0,1/0; b=1"), "'1/0', which is no number"),
        (
            lambda: parse_case("pi=1/2,1/2; r=0@1/2,1; b=1"),
            "the reward distribution of action 0 sums to 1/2",
        ),
        (lambda: parse_case("pi=1/2,1/2; pi=1,0; r=0,1; b=1"), "can't use 'pi=1,0'"),
        (lambda: parse_case("theta=0,0; r=0,1; b=1", "escort:2"), "theta is zero for every action"),
        (lambda: escort(0), "a whole number of at least 1"),
        (lambda: named("softmx"), "choose softmax or escort:P"),
        (lambda: named("escort:half"), "write the escort power as a whole number"),
    ],
)
def test_bad_arguments(call, words):
    with pytest.raises(BadInput) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
