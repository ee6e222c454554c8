"""No check is a rubber stamp: change a side, an estimator or the engine, and the claim is
refuted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from altpg_verify import estimators, exact
from altpg_verify.estimators import Estimator, estimator
from altpg_verify.judging import Verdict
from altpg_verify.report.evidence import complexity, stepping
from altpg_verify.report.evidence.enumerated import Enumerated, flat
from tests.evidence.served import COSTLY, MODULES, SERVED, costly

EXAMPLES = 8


@pytest.fixture(scope="module", autouse=True)
def cases_drawn_before_anything_is_planted():
    for enumerated in SERVED.values():
        enumerated.domain.cases(EXAMPLES, 0)


def verdict(enumerated: Enumerated) -> Verdict:
    return enumerated.judged(EXAMPLES, 0).verdict


def perturbed(enumerated: Enumerated) -> Callable[[Any], tuple[list[Any], list[Any]]]:
    """Sides that should no longer be related: shifted by one for an equality, made equal for
    "differ", swapped for an order.
    """

    def sides(case: Any) -> tuple[list[Any], list[Any]]:
        left, right = map(flat, enumerated.sides(case))
        if enumerated.relation == "=":
            return [entry + 1 for entry in left], right
        if enumerated.relation == "!=":
            return left, left
        return right, left

    return sides


@pytest.mark.parametrize("claim", costly(SERVED))
def test_a_perturbed_side_is_refuted(claim):
    assert verdict(replace(SERVED[claim], sides=perturbed(SERVED[claim]))) is Verdict.REFUTED


@pytest.mark.parametrize(
    "claim", costly(claim for claim, one in SERVED.items() if one.relation == "=")
)
def test_a_flipped_sign_and_a_dropped_factor_are_refuted(claim):
    enumerated = SERVED[claim]
    zero = all(
        not any(flat(enumerated.sides(case))) for case in enumerated.domain.cases(EXAMPLES, 0)
    )
    if zero:
        # zero stays zero under both: that the sides are compared at all is shown by the shift
        # above, and by the faults below
        assert claim in ALL_ZERO
        return
    assert claim not in ALL_ZERO
    for change in (lambda entry: -entry, lambda entry: entry / Fraction(2)):

        def sides(case: Any, change: Any = change) -> tuple[list[Any], list[Any]]:
            left, right = map(flat, enumerated.sides(case))
            return [change(entry) for entry in left], right

        assert verdict(replace(enumerated, sides=sides)) is Verdict.REFUTED


ALL_ZERO = {
    "alternate-updates-single-component",
    "case-2-kappa-zero",
    "chain-all-left-value-zero",
    "corners-fixed-on-closed-simplex",
    "footnote-true-kappa-zero",
    "lemma-case-2-zero-on-face",
    "alternate-zero-in-expectation-at-corners",
    "corner-regular-variance-zero",
    "regular-cannot-leave-corner",
    "regular-variance-zero-at-corners",
    "saturated-alternate-zero",
    "saturated-gradient-zero",
    "saturated-policy-solves-equations",
    "saturated-regular-zero",
}
"""Claims that something is zero."""


def _estimators(**formulas: Callable[..., Any]) -> dict[str, Estimator]:
    return {name: estimator(formula) for name, formula in formulas.items()}


FAULTS: dict[str, dict[str, Any]] = {
    "alternate": _estimators(
        wrong_sign=lambda e, r, b: (b - r) * e,
        doubled=lambda e, r, b: 2 * (r - b) * e,
        regular_formula=lambda pi, e, r, b: (r - b) * (e - pi),
        no_baseline=lambda e, r: r * e,
        nothing=lambda e: 0 * e,
    ),
    "regular": _estimators(
        wrong_sign=lambda pi, e, r, b: (b - r) * (e - pi),
        doubled=lambda pi, e, r, b: 2 * (r - b) * (e - pi),
        alternate_formula=lambda e, r, b: (r - b) * e,
        plus_policy=lambda pi, e, r, b: (r - b) * (e + pi),
    ),
    "expected_gradient": _estimators(
        wrong_sign=lambda pi, q, v: pi * (v - q), no_value=lambda pi, q: pi * q
    ),
    "policy_gradient": {
        "wrong sign": lambda case: -exact.policy_gradient(case),
        "no normaliser": lambda case: case.pi * case.q,
        "one more": lambda case: exact.policy_gradient(case) + 1,
        "the biased update": lambda case: case.pi * (case.q - case.b),
        "nothing": lambda case: 0 * case.pi,
    },
    "variance": {
        "second moment": (
            lambda est, case: (
                case.expectation(lambda a, r: exact.evaluate(est, case, a, r) ** 2) + 0 * case.pi
            )
        ),
        "nothing": lambda est, case: 0 * case.pi,
        "one more": lambda est, case: exact.variance(est, case) + 1,
    },
    "update_jacobian": {
        "transposed and doubled": lambda est, case: 2 * exact.update_jacobian(est, case).T,
        "symmetric": (
            lambda est, case: exact.update_jacobian(est, case) + exact.update_jacobian(est, case).T
        ),
        "a corner changed": (
            lambda est, case: exact.update_jacobian(est, case) + np.eye(case.k, k=1, dtype=int)
        ),
    },
}
PLACES = (*MODULES, stepping)


def plant(monkeypatch: pytest.MonkeyPatch, name: str, fault: Any) -> None:
    for module in PLACES:
        if hasattr(module, name):
            monkeypatch.setattr(module, name, fault)


def recording(name: str, part: Any, seen: set[str]) -> Any:
    """The part itself, noting that it was used."""

    def used(*arguments: Any, **named: Any) -> Any:
        seen.add(name)
        return original(*arguments, **named)

    if isinstance(part, Estimator):
        original = part.formula
        return replace(part, formula=used)
    original = part
    return used


@pytest.fixture(scope="module", params=["most", pytest.param("costly", marks=pytest.mark.slow)])
def resting(request, cases_drawn_before_anything_is_planted) -> dict[str, list[str]]:
    """For each part, the claims whose sides make use of it."""
    claims = COSTLY if request.param == "costly" else set(SERVED) - COSTLY
    found: dict[str, list[str]] = {name: [] for name in FAULTS}
    seen: set[str] = set()
    with pytest.MonkeyPatch.context() as planted:
        for name in FAULTS:
            plant(
                planted,
                name,
                recording(name, getattr(estimators, name, None) or getattr(exact, name), seen),
            )
        # operations are counted once and kept, so that a fault planted later would not be seen
        for claim in claims - set(complexity.COSTS):
            seen.clear()
            verdict(SERVED[claim])
            for name in seen:
                found[name].append(claim)
    return found


@pytest.mark.parametrize("name", FAULTS)
def test_every_claim_that_rests_on_a_part_notices_when_it_is_wrong(monkeypatch, resting, name):
    assert resting[name] or set.union(*map(set, resting.values())) < COSTLY
    unnoticed = set()
    for claim in resting[name]:
        for fault in FAULTS[name].values():
            with monkeypatch.context() as planted:
                plant(planted, name, fault)
                if verdict(SERVED[claim]) is Verdict.REFUTED:
                    break
        else:
            unnoticed.add(claim)
    assert unnoticed - TRUE_OF_ANY_ESTIMATOR == set()


TRUE_OF_ANY_ESTIMATOR = {
    "bias-independent-of-batch-size",
    "corners-fixed-on-closed-simplex",
    "fixed-point-constant-gradient",
    "fixed-point-equation",
}
"""An average has the mean of its parts; a policy stays where it is exactly if all preferences move
alike.
"""
