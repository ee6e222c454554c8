"""A formula as the product sees it: an estimator on numpy arrays of whatever numbers, checked
against laws.
"""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.checks import check_estimator
from altpg_verify.estimators import Estimator
from altpg_verify.parameterisations import escort, softmax
from altpg_verify.results import CheckResult
from trust.composed.formulas import Formula

EXAMPLES = 100
"""Cases searched for a counterexample: as many as the product tries by itself."""


def checked(made: Formula) -> tuple[CheckResult, ...]:
    """What the product says of it, law by law."""
    policy = escort(made.power) if made.power else softmax
    return check_estimator(
        as_estimator(made),
        only=made.laws,
        on_fail="return",
        facts=False,
        max_examples=EXAMPLES,
        seed=made.index,
        parameterisation=policy,
    ).results


def as_estimator(made: Formula) -> Estimator:
    """The formula as an estimator that asks for what its terms read."""
    words = " ".join(f"{scalar} {vector}" for _, scalar, vector in made.terms)
    needs = ["pi", "e", "r", "b"]
    needs += [
        name for name, mark in (("v", "v"), ("q", "q"), ("h", "h"), ("theta", "θ")) if mark in words
    ]

    def composed(**given: Any) -> Any:
        total: Any = 0
        for coefficient, scalar, vector in made.terms:
            total = total + _like(coefficient, given["pi"]) * _scalar(scalar, **given) * _vector(
                vector, **given
            )
        return total

    composed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in needs]
    )
    return Estimator(composed, f"composed {made.index}", tuple(needs))


def _like(number: Fraction, array: np.ndarray) -> Any:
    return float(number) if array.dtype == float else number


def _scalar(
    name: str, *, pi: Any, e: Any, r: Any, b: Any, v: Any = None, q: Any = None, **_: Any
) -> Any:
    match name:
        case "r - b":
            return r - b
        case "r":
            return r
        case "b":
            return b
        case "r - v":
            return r - v
        case "v - b":
            return v - b
        case "r b":
            return r * b
        case "(r - b)²":
            return (r - b) ** 2
        case "π_A":
            return (pi * e).sum()
        case "(r - b) π_A":
            return (r - b) * (pi * e).sum()
        case "clipped r - b":
            return max(min(r - b, 1), -1)
        case "|r - b|":
            return abs(r - b)
        case "r - mean q":
            return r - q.sum() / len(q)
    return 1


def _vector(
    name: str, *, pi: Any, e: Any, q: Any = None, h: Any = None, theta: Any = None, **_: Any
) -> Any:
    match name:
        case "e - π":
            return e - pi
        case "e":
            return e
        case "π":
            return pi
        case "e - 1/k":
            return e - (0 * pi + 1) / len(pi)
        case "π∘h":
            return pi * h
        case "q":
            return q
        case "e∘π":
            return e * pi
        case "e/π":
            return e / pi
        case "e - π/2":
            return e - pi / 2
        case "(e - π)/θ":
            return (e - pi) / theta
        case "e/θ":
            return e / theta
    return 0 * pi + 1
