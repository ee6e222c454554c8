"""How an escort policy moves under its expected update, as a softmax policy that moves the same
way.

For π_a ∝ θ_a^p with θ > 0 the flow θ' = E[ĝ] gives (log π_a)' = p E[ĝ_a] / θ_a, up to the same
amount for all actions. So it moves the policy as the update p ĝ / θ moves softmax logits, and
whatever is drawn or followed for softmax policies serves for escort. The common scale of the
preferences doesn't change the policy; here it is the one with Σ θ_a^p = 1. Where it changes the
direction of the update, the policy alone doesn't determine where it goes, see `scale_matters`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.cases import Case, vector
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import expected_update
from altpg_verify.facts import FIXTURE
from altpg_verify.forward_mode import Dual, log, value_of
from altpg_verify.parameterisations import Parameterisation

SCALES = (0.5, 3.0)
"""Common factors of the preferences that are tried."""

TRIED = ((1 / 3, 1 / 3, 1 / 3), (0.2, 0.3, 0.5), (0.7, 0.2, 0.1))
"""Policies at which they are."""


def power(policy: Parameterisation) -> int:
    """p of an escort policy, from its name "escort:p"."""
    return int(policy.name.partition(":")[2])


def preferences(policy: Any, p: int) -> np.ndarray:
    """(k,) θ > 0 with θ_a^p = π_a; at a corner, where it would divide by it, 1 instead of 0."""
    return vector([_root(entry, p) if value_of(entry) != 0 else 1 + 0 * entry for entry in policy])


def as_softmax(estimator: Estimator, policy: Parameterisation) -> Estimator:
    """p ĝ / θ: the update of softmax logits that moves the policy as this one does; the same
    estimator for a softmax policy.
    """
    if policy.normalised:
        return estimator
    p = power(policy)

    def formula(**given: Any) -> Any:
        theta = preferences(given["pi"], p)
        return p * np.asarray(estimator.at({**given, "theta": theta})) / theta

    needs = tuple(name for name in estimator.needs if name not in ("theta", "pi"))
    return Estimator(formula, estimator.name, ("pi", *needs))


def scale_matters(estimator: Estimator, policy: Parameterisation) -> bool:
    """Whether preferences that are a multiple of others, and so give the same policy, are moved to
    another policy.

    Raises:
        BadEstimator: the formula isn't defined at one of the policies that are tried.
    """
    p = power(policy)
    for weights in TRIED:
        theta = preferences(weights, p)
        there = _direction(estimator, policy, theta, p)
        for scale in SCALES:
            if not np.allclose(
                _direction(estimator, policy, scale * theta, p), there, rtol=0, atol=1e-9
            ):
                return True
    return False


def _direction(
    estimator: Estimator, policy: Parameterisation, theta: np.ndarray, p: int
) -> np.ndarray:
    """Where the logarithms of the policy go, without its speed and without shifts."""
    case = Case(tuple(theta), tuple(((float(reward), 1.0),) for reward in FIXTURE), 4.0, policy)
    moved = (
        p
        * np.array([float(entry) for entry in expected_update(estimator, case)])
        / theta.astype(float)
    )
    # a shift of all logarithms is undone by the normalisation
    moved = moved - moved.mean()
    length = np.linalg.norm(moved)
    if not np.isfinite(length):
        raise BadEstimator(f"estimator {estimator.name!r} isn't finite at θ = {theta}")
    return moved / length if length > 1e-12 else np.zeros(len(theta))


def _root(entry: Any, p: int) -> Any:
    if p == 1:
        return entry
    if isinstance(entry, Dual):
        return (log(entry) / p).exp()
    if isinstance(entry, Fraction | int):
        # a rational root is kept exact, if there is one: a guess in float64, then tried
        near = Fraction(float(entry) ** (1 / p)).limit_denominator(10**6)
        return near if near**p == entry else float(entry) ** (1 / p)
    return entry ** (1 / p)
