"""Expectation, variance, gradient and Jacobian of an estimator by enumerating every outcome: no sampling, no tolerance.

The code is the same for `Fraction`, float64, rational functions, and any of these with derivatives carried along.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.cases import Case, vector
from altpg_verify.duals import divide, gradient_of, value_of
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.terminal import one_line
from altpg_verify.untrusted.calling import calling


def evaluate(estimator: Estimator, case: Case, action: int, reward: Any, *, finite: bool = True) -> np.ndarray:
    """(k,) the estimate at one draw, after checking the estimator's contract.

    Raises:
        BadEstimator: it raised, or returned something other than k real (and, unless `finite=False`, finite) numbers.
    """

    def where() -> str:
        return f"for action {action}, reward {value_of(reward)}, case {case}"

    who = f"estimator {estimator.name!r}"
    with np.errstate(all="ignore"), calling(who, where):
        entries = _as_array(estimator.at(case.arguments(action, reward)))
    if entries is None or entries.shape != (case.k,):
        got = "something that is no array" if entries is None else "a single number" if entries.shape == () else f"shape {entries.shape}"
        raise BadEstimator(one_line(f"{who} returned {got} instead of shape ({case.k},) {where()}; return one entry for each action"))
    for entry in entries:
        number = value_of(entry)
        if isinstance(number, complex | np.complexfloating):
            raise BadEstimator(one_line(f"{who} returned the complex number {number} {where()}; an estimate is real"))
        if not isinstance(number, _NUMBERS) and type(number).__module__.split(".")[0] != "altpg_verify":
            with calling(who, where):
                shown = repr(number)
            raise BadEstimator(one_line(f"{who} returned {shown} {where()}; return numbers: int, Fraction or float"))
        if finite and isinstance(number, float | np.floating) and not math.isfinite(number):
            raise BadEstimator(one_line(f"{who} returned {number} {where()}; return finite numbers"))
    return entries


_NUMBERS = (int, float, Fraction, np.integer, np.floating, np.bool_)


def _as_array(returned: Any) -> np.ndarray | None:
    """An array of our own: the estimator may write into its own later; None for what isn't one."""
    if isinstance(returned, list | tuple):
        if any(isinstance(entry, list | tuple | np.ndarray) and np.shape(entry) for entry in returned):
            return np.empty((len(returned), *np.shape(returned[0])))
        return vector(list(returned))
    if isinstance(returned, np.ndarray):
        return np.array(returned, subok=False)
    return np.empty(()) if isinstance(value_of(returned), _NUMBERS) or type(returned).__module__.startswith("altpg_verify") else None


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
