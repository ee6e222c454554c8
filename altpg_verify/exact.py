"""Expectation, variance, gradient and Jacobian of an estimator by enumerating every outcome: no sampling, no tolerance.

The code is the same for `Fraction`, float64, rational functions, and any of these with derivatives carried along.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from altpg_verify.cases import Case, vector
from altpg_verify.duals import divide, gradient_of, value_of
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import Estimator


def evaluate(estimator: Estimator, case: Case, action: int, reward: Any, *, finite: bool = True) -> np.ndarray:
    """(k,) the estimate at one draw, after checking the estimator's contract.

    Raises:
        BadEstimator: it raised, or returned something other than k real (and, unless `finite=False`, finite) numbers.
    """
    where = f"for action {action}, reward {value_of(reward)}, case {case}"
    try:
        with np.errstate(all="ignore"):
            returned = estimator.at(case.arguments(action, reward))
    except BadInput:
        raise
    except Exception as error:
        raise BadEstimator(f"estimator {estimator.name!r} raised {type(error).__name__}: {error} {where}") from error
    entries = returned if isinstance(returned, np.ndarray) else _as_array(returned)
    if entries.shape != (case.k,):
        got = "a single number" if entries.shape == () else f"shape {entries.shape}"
        raise BadEstimator(
            f"estimator {estimator.name!r} returned {got} instead of shape ({case.k},) {where}; return one entry for each action"
        )
    for entry in entries:
        number = value_of(entry)
        if isinstance(number, complex | np.complexfloating):
            raise BadEstimator(f"estimator {estimator.name!r} returned the complex number {number} {where}; an estimate is real")
        if isinstance(number, str | bytes) or number is None:
            raise BadEstimator(f"estimator {estimator.name!r} returned {number!r} {where}; return numbers")
        if finite and isinstance(number, float) and not math.isfinite(number):
            raise BadEstimator(f"estimator {estimator.name!r} returned {number} {where}; return finite numbers")
    return entries


def _as_array(returned: Any) -> np.ndarray:
    if isinstance(returned, list | tuple):
        return vector(list(returned))
    return np.empty((), dtype=object)


def expected_update(estimator: Estimator, case: Case) -> np.ndarray:
    """(k,) E[ĝ(A, R)], ascent direction."""
    total = case.expectation(lambda action, reward: evaluate(estimator, case, action, reward))
    return total if isinstance(total, np.ndarray) else vector([total] * case.k)


def variance(estimator: Estimator, case: Case) -> np.ndarray:
    """(k,) the elementwise variance of ĝ(A, R)."""
    mean = expected_update(estimator, case)
    square = case.expectation(lambda action, reward: evaluate(estimator, case, action, reward) ** 2)
    return square - mean * mean


def outcomes(estimator: Estimator, case: Case) -> list[np.ndarray]:
    """The estimate at every outcome that can happen, in order of action and reward."""
    return case.outcomes(lambda action, reward: evaluate(estimator, case, action, reward))


def policy_gradient(case: Case) -> np.ndarray:
    """(k,) ∇_θ J by exact differentiation of J = π·q, whatever the parameterisation."""
    return vector(list(gradient_of(case.lifted().v, case.k)))


def update_jacobian(estimator: Estimator, case: Case) -> np.ndarray:
    """(k, k) ∂E[ĝ]_a/∂θ_c, row a, column c; the baseline is frozen."""
    update = expected_update(estimator, case.lifted())
    return np.array([gradient_of(entry, case.k) for entry in update], dtype=object)


def without_shift(entries: np.ndarray) -> np.ndarray:
    """A vector less its mean, or a matrix so projected on both sides: what a softmax policy can feel of it."""
    k = entries.shape[0]
    if entries.ndim == 1:
        return entries - divide(entries.sum(), k)
    rows = entries - vector([divide(total, k) for total in entries.sum(axis=0)])[None, :]
    return rows - vector([divide(total, k) for total in rows.sum(axis=1)])[:, None]
