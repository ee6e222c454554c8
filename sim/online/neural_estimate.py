"""The estimator object in the rows of a block of runs: from θ, π, action, r and b to the estimate,
in every lane.

The same formula, tried out and derived as in `altpg_verify.sim.compiled`; here its numbers lie in
the flat array of the kernel, where the compiler can make vector code of it.
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
from altpg_verify.sim.online import neural_rows as row
from altpg_verify.sim.online.dot_reacher import ACTIONS

UNKNOWN = ("q", "v", "h")
"""What an online agent can't tell an estimator."""

FORM = types.void(types.Array(types.float64, 1, "C"))


def estimates(estimator: Estimator, count: int, *, by_action: bool | None = None) -> Any:
    """The compiled estimator for `count` runs.

    The function that is returned has the signature `FORM`: it reads THETA, PI, ACTION, SIGNAL (r)
    and BASELINE (b) in the rows of a block and writes ESTIMATE, the ascent direction ĝ by the
    preferences (9 rows).

    Args:
        by_action: force the scalar or the vector path; by default derived from the formula.

    Raises:
        BadInput: the formula asks for what an online agent doesn't know.
        BadEstimator: the formula breaks its contract or can't be compiled.
    """
    missing = [name for name in estimator.needs if name in UNKNOWN]
    if missing:
        raise BadInput(
            f"estimator {estimator.name!r} needs {', '.join(missing)}, which an online agent"
            " doesn't know; use r and b"
        )
    with LOCK:
        # how the formula is written decides, unless the caller does
        path = compiled._tried(estimator, ACTIONS)[1] if by_action is None else by_action
        return _form(compiled._whole(estimator), count, path)


@functools.lru_cache(maxsize=256)
def _form(estimate: Any, count: int, by_action: bool) -> Any:
    def scalar(s):
        # the inner loop is unrolled first, and the outer one becomes vector code
        for i in range(count):
            for a in range(ACTIONS):
                theta, pi = (
                    s[uint64((row.THETA + a) * count + i)],
                    s[uint64((row.PI + a) * count + i)],
                )
                e = 1.0 if s[uint64(row.ACTION * count + i)] == a else 0.0
                r, b = s[uint64(row.SIGNAL * count + i)], s[uint64(row.BASELINE * count + i)]
                s[uint64((row.ESTIMATE + a) * count + i)] = estimate(
                    theta, pi, e, r, b, 0.0, 0.0, 0.0
                )

    def vector(s):
        # q, v and h aren't known online, and no estimator that is let through reads them
        nothing = np.zeros(ACTIONS)
        theta, pi, e = np.empty(ACTIONS), np.empty(ACTIONS), np.empty(ACTIONS)
        for i in range(count):
            for a in range(ACTIONS):
                theta[a], pi[a] = s[(row.THETA + a) * count + i], s[(row.PI + a) * count + i]
                e[a] = 1.0 if s[row.ACTION * count + i] == a else 0.0
            found = estimate(
                theta,
                pi,
                e,
                s[row.SIGNAL * count + i],
                s[row.BASELINE * count + i],
                nothing,
                0.0,
                nothing,
            )
            for a in range(ACTIONS):
                s[(row.ESTIMATE + a) * count + i] = found[a]

    return compile_kernel(scalar if by_action else vector, FORM, keep=False)
