"""Many policies under the expected update of an estimator, in lock step: the mean over actions of
the very formula that was checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.estimators import SAMPLED

if TYPE_CHECKING:
    from altpg_verify.estimators import Estimator


def policies_of(k: int, n: int) -> Callable[[np.ndarray], np.ndarray]:
    """A function from preferences (k, n) to policies (k, n): the agents' own softmax, the same bits
    on every processor.

    Each call returns a new array; the scratch it works in is shared, so one such function serves
    one thread.
    """
    from altpg_verify.sim.bandit import softmax

    largest, total = np.empty((2, n))

    def policies(theta: np.ndarray) -> np.ndarray:
        pi = np.empty((k, n))
        softmax(theta, largest, total, pi)
        return pi

    return policies


def expected_update(estimator: Estimator, pi: np.ndarray, q: np.ndarray, b: Any) -> np.ndarray:
    """E[ĝ] (k, n) of n policies (k, n), given the action values (k, n) or (k, 1) and the
    baseline.

    For the alternate estimator it is π ∘ (q - b) (paper, section 3), computed here from the formula
    itself, Σ_a π(a) ĝ(e_a, r = q(a)), as an update is linear in r. A direction of ascent.

    Args:
        pi: one policy a column.
        b: a number, or one for each policy.
    """
    v = (pi * q).sum(axis=0)
    known = {
        # preferences up to a constant; an estimator that doesn't ask gets anything of the right
        # shape
        "theta": np.log(pi) if "theta" in estimator.needs else pi,
        "pi": pi,
        "b": b,
        "q": q,
        "v": v,
        "h": q - v,
    }
    if not SAMPLED & set(estimator.needs):
        return np.asarray(estimator.at(known))
    mean = np.zeros(pi.shape)
    # the mean over the draws, action by action; the estimate is linear in R, so its mean does for R
    for a, one_hot in enumerate(np.eye(len(pi))[:, :, None]):
        mean += pi[a] * estimator.at({**known, "e": one_hot, "r": q[a]})
    return mean


def fixed_point(rewards: np.ndarray, b: Any) -> tuple[np.ndarray, np.ndarray]:
    """π* and |κ| of bandits (k, ...) with a fixed baseline on one side of all rewards.

    κ = (Σ_a 1/(r(a) - b))⁻¹ is the common value of π*(a) (r(a) - b) (paper, proof of the lemma on
    fixed points). Actions are along the first axis, so many bandits can be asked at once.
    """
    inverse = 1.0 / (b - rewards)
    return inverse / inverse.sum(axis=0), np.abs(1.0 / inverse.sum(axis=0))
