"""The estimator object in the rows of a block: from THETA, POLICY, ACTION, TARGET and VALUE to
ESTIMATE, in every lane.

The same formula, tried out and derived as in `altpg_verify.sim.compiled`; here its numbers lie in
the one array of the block, where the compiler can make vector code of it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types, uint64

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.sim import compiled
from altpg_verify.sim.jit import LOCK, compile_kernel
from altpg_verify.sim.online.lanes import (
    ACTION,
    ACTIONS,
    ESTIMATE,
    FLOATS,
    POLICY,
    TARGET,
    THETA,
    VALUE,
)

ESTIMATES = types.void(FLOATS)


def estimates(estimator: Estimator, lanes: int, *, by_action: bool | None = None) -> Any:
    """The compiled estimator for a number of lanes.

    The function that is returned has the signature `ESTIMATES`: it reads THETA, POLICY, ACTION,
    TARGET (r) and VALUE (b) in the rows of a block and writes ESTIMATE, the ascent direction ĝ (3
    rows).

    Args:
        by_action: force the scalar or the vector path; by default derived from the formula.

    Raises:
        BadInput: the formula asks for q, v or h, which an online agent doesn't know.
        BadEstimator: the formula breaks its contract or can't be compiled.
    """
    missing = [name for name in estimator.needs if name in ("q", "v", "h")]
    if missing:
        raise BadInput(
            f"estimator {estimator.name!r} asks for {', '.join(missing)}, which an online agent"
            " doesn't know; use r and b"
        )
    with LOCK:
        # how the formula is written decides, unless the caller does
        path = compiled._tried(estimator, ACTIONS)[1] if by_action is None else by_action
        return _form(compiled._whole(estimator), lanes, path)


@functools.lru_cache(maxsize=256)
def _form(estimate: Any, lanes: int, by_action: bool) -> Any:
    def scalar(numbers):
        # the inner loop is unrolled first, and the outer one becomes vector code
        for i in range(lanes):
            for a in range(ACTIONS):
                theta, pi = (
                    numbers[uint64((THETA + a) * lanes + i)],
                    numbers[uint64((POLICY + a) * lanes + i)],
                )
                e = 1.0 if numbers[uint64(ACTION * lanes + i)] == a else 0.0
                r, b = numbers[uint64(TARGET * lanes + i)], numbers[uint64(VALUE * lanes + i)]
                numbers[uint64((ESTIMATE + a) * lanes + i)] = estimate(
                    theta, pi, e, r, b, 0.0, 0.0, 0.0
                )

    def vector(numbers):
        # q, v and h aren't known online, and no estimator that is let through reads them
        nothing = np.zeros(ACTIONS)
        theta, pi, e = np.empty(ACTIONS), np.empty(ACTIONS), np.empty(ACTIONS)
        for i in range(lanes):
            for a in range(ACTIONS):
                theta[a], pi[a] = (
                    numbers[uint64((THETA + a) * lanes + i)],
                    numbers[uint64((POLICY + a) * lanes + i)],
                )
                e[a] = 1.0 if numbers[uint64(ACTION * lanes + i)] == a else 0.0
            r, b = numbers[uint64(TARGET * lanes + i)], numbers[uint64(VALUE * lanes + i)]
            found = estimate(theta, pi, e, r, b, nothing, 0.0, nothing)
            for a in range(ACTIONS):
                numbers[uint64((ESTIMATE + a) * lanes + i)] = found[a]

    return compile_kernel(scalar if by_action else vector, ESTIMATES, keep=False)
