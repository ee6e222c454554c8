"""An estimator object as machine code: the agents' inner loops call the formula that was checked.

Both forms below are compiled around `numba.njit(estimator.formula)`, the very function object of
the estimator. A formula that acts on each action by itself
(`altpg_verify.structure.acts_by_action`, derived, never declared) is called with numbers, once for
each action; one that mixes actions is called with vectors. Kernels receive the result as a
first-class function, so they are compiled once for all estimators.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types

from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import ARGUMENTS, Estimator
from altpg_verify.sim.jit import LOCK, compile_kernel
from altpg_verify.structure import acts_by_action

_VECTOR = types.Array(types.float64, 1, "C")
_MATRIX = types.Array(types.float64, 2, "C")
_INDICES = types.Array(types.int64, 1, "C")

LANES = types.void(_MATRIX, _MATRIX, _MATRIX, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _MATRIX)
"""Signature of `lanes`: theta, pi, q (k, n); v, action, r, b (n,); out (k, n)."""

EPISODE = types.void(
    _MATRIX,
    _MATRIX,
    _MATRIX,
    _VECTOR,
    _VECTOR,
    _INDICES,
    _INDICES,
    _VECTOR,
    _VECTOR,
    types.int64,
    _MATRIX,
)
"""Signature of `episode`: theta, pi, q (states, k); v, b (states,); state, action, ret, weight (>=
count,); count; gradient.
"""


def lanes(estimator: Estimator, actions: int, *, by_action: bool | None = None) -> Any:
    """The estimator compiled for n draws from n policies, one each: out[:, i] is the estimate of
    draw i.

    The function that is returned has the signature `LANES` and writes into its last argument. For
    every action a and draw i it computes ĝ_a(θ_i, π_i, e_{A_i}, r_i, b_i, q_i, v_i, q_i - v_i), a
    step of ascent.

    It is cached by estimator and number of actions, so that asking again costs nothing.
    """
    with LOCK:
        return (
            _tried(estimator, actions)[0]
            if by_action is None
            else _lanes(_whole(estimator), by_action)
        )


def episode(estimator: Estimator, actions: int, *, by_action: bool | None = None) -> Any:
    """The estimator compiled for an episode: it adds Σ_t weight[t] ĝ(draw t in state[t]) to the
    gradient.

    The function that is returned has the signature `EPISODE`; the gradient (states, k) is added to,
    not overwritten, and `count` says how many of the entries of state, action, ret and weight are
    steps.

    Args:
        actions: k, for which the compiled code is tried out against the formula.
        by_action: force the scalar or the vector path; by default derived from the formula.

    Raises:
        BadEstimator: the formula breaks its contract or can't be compiled.
    """
    with LOCK:
        return _episode(
            _whole(estimator), _tried(estimator, actions)[1] if by_action is None else by_action
        )


def _whole(estimator: Estimator) -> Any:
    """The formula, compiled, under a signature that offers every argument: (theta, pi, e, r, b, q,
    v, h).
    """
    return _compiled_formula(estimator.formula, estimator.needs)


@functools.lru_cache(maxsize=256)
def _compiled_formula(formula: Callable[..., Any], needs: tuple[str, ...]) -> Any:
    # a formula that the user compiled already is compiled again, with IEEE division
    jitted = njit(error_model="numpy", nogil=True)(getattr(formula, "py_func", formula))
    scope = {"formula": jitted}
    # numba passes no argument by name that a signature doesn't have: a wrapper offers all, the
    # formula takes some
    exec(
        f"def whole({', '.join(ARGUMENTS)}):\n    return"
        f" formula({', '.join(f'{name}={name}' for name in needs)})\n",
        scope,
    )
    return njit(error_model="numpy", nogil=True)(scope["whole"])


@functools.lru_cache(maxsize=256)
def _lanes(estimate: Any, by_action: bool) -> Any:
    @njit(error_model="numpy", nogil=True)
    def one_action(a, theta, pi, q, v, action, r, b, out):
        for i in range(out.size):
            # the indicator vector e_A, one entry at a time
            e = 1.0 if action[i] == a else 0.0
            # h = q - v is computed here, the one argument that the agents don't keep
            out[i] = estimate(theta[i], pi[i], e, r[i], b[i], q[i], v[i], q[i] - v[i])

    def scalar(theta, pi, q, v, action, r, b, out):
        for a in range(out.shape[0]):
            one_action(float(a), theta[a], pi[a], q[a], v, action, r, b, out[a])

    def vector(theta, pi, q, v, action, r, b, out):
        for i in range(out.shape[1]):
            e = np.zeros(out.shape[0])
            e[int(action[i])] = 1.0
            # copies: a formula that writes into its arguments must not change the agent
            theta_i, pi_i, q_i = theta[:, i].copy(), pi[:, i].copy(), q[:, i].copy()
            out[:, i] = estimate(theta_i, pi_i, e, r[i], b[i], q_i, v[i], q_i - v[i])

    return compile_kernel(scalar if by_action else vector, LANES, keep=False)


@functools.lru_cache(maxsize=256)
def _episode(estimate: Any, by_action: bool) -> Any:
    def scalar(theta, pi, q, v, b, state, action, ret, weight, count, gradient):
        for t in range(count):
            s = state[t]
            for a in range(gradient.shape[1]):
                e = 1.0 if action[t] == a else 0.0
                gradient[s, a] += weight[t] * estimate(
                    theta[s, a], pi[s, a], e, ret[t], b[s], q[s, a], v[s], q[s, a] - v[s]
                )

    def vector(theta, pi, q, v, b, state, action, ret, weight, count, gradient):
        for t in range(count):
            s = state[t]
            e = np.zeros(gradient.shape[1])
            e[action[t]] = 1.0
            step = estimate(
                # copies, as above
                theta[s].copy(),
                pi[s].copy(),
                e,
                ret[t],
                b[s],
                q[s].copy(),
                v[s],
                q[s] - v[s],
            )
            gradient[s] += weight[t] * step

    return compile_kernel(scalar if by_action else vector, EPISODE, keep=False)


@functools.lru_cache(maxsize=256)
def _tried(estimator: Estimator, actions: int) -> tuple[Any, bool]:
    """The lanes form and its path, after a comparison with the formula itself on a few draws."""
    draws = _sample(actions)
    expected = np.column_stack([_by_formula(estimator, draws, i) for i in range(draws["r"].size)])
    # action by action is faster: lanes lie side by side in memory, and no vector is made
    path = acts_by_action(estimator)
    try:
        try:
            form = lanes(estimator, actions, by_action=path)
        except Exception:
            if not path:
                raise
            # acts on each action by itself, but is written for vectors only
            path = False
            form = lanes(estimator, actions, by_action=path)
    except Exception as error:
        reason = next(
            (
                line.strip()
                # numba's first lines name its own pipeline; the reason comes after them
                for line in str(error).splitlines()
                if line.strip() and "nopython" not in line
            ),
            type(error).__name__,
        )
        raise BadEstimator(
            f"estimator {estimator.name!r} can't be compiled for the agents ({reason}); write it"
            " with + - * / and plain numpy functions"
        ) from error
    out = np.empty_like(expected)
    form(*(draws[name] for name in ("theta", "pi", "q", "v", "action", "r", "b")), out)
    # a compiler may fuse or reorder, so the last bits may differ; a formula that differs is far off
    if not np.allclose(out, expected, rtol=1e-9, atol=1e-12):
        raise BadEstimator(
            f"estimator {estimator.name!r} gives other numbers when compiled; its formula must"
            " depend on its arguments alone"
        )
    return form, path


def _sample(actions: int) -> dict[str, np.ndarray]:
    # a few draws with a fixed seed: the comparison is of compilers, not of laws
    generator = np.random.Generator(np.random.SFC64(actions))
    draws = 4
    # moderate numbers: what overflows is for the agents to find
    theta = generator.uniform(-1.0, 1.0, (actions, draws))
    pi = np.exp(theta) / np.exp(theta).sum(axis=0)
    q = generator.uniform(-2.0, 2.0, (actions, draws))
    action = np.arange(draws, dtype=float) % actions
    r, b = generator.uniform(-2.0, 2.0, (2, draws))
    return {
        "theta": theta,
        "pi": pi,
        "q": q,
        "v": (pi * q).sum(axis=0),
        "action": action,
        "r": r,
        "b": b,
    }


def _by_formula(estimator: Estimator, draws: dict[str, np.ndarray], i: int) -> np.ndarray:
    """The estimate of draw i by the plain Python formula, with its contract checked."""
    q, v, k = draws["q"][:, i].copy(), draws["v"][i], draws["q"].shape[0]
    e = np.zeros(k)
    e[int(draws["action"][i])] = 1.0
    arguments = {
        "theta": draws["theta"][:, i].copy(),
        "pi": draws["pi"][:, i].copy(),
        "e": e,
        "q": q,
        "v": v,
        "h": q - v,
    }
    arguments |= {"r": draws["r"][i], "b": draws["b"][i]}
    try:
        with warnings.catch_warnings():
            # overflows are refused below, by their result
            warnings.simplefilter("ignore", RuntimeWarning)
            estimate = np.asarray(estimator(**arguments))
    except Exception as error:
        raise BadEstimator(
            f"estimator {estimator.name!r} raises {type(error).__name__}: {error}; it must accept"
            f" any policy of {k} actions"
        ) from error
    if estimate.shape != (k,):
        raise BadEstimator(
            f"estimator {estimator.name!r} gives shape {estimate.shape} for {k} actions; it must"
            f" give ({k},), one entry an action"
        )
    if (
        not (
            np.issubdtype(estimate.dtype, np.floating) or np.issubdtype(estimate.dtype, np.integer)
        )
        # on a policy with moderate preferences every estimate ought to be finite
        or not np.isfinite(estimate).all()
    ):
        raise BadEstimator(
            f"estimator {estimator.name!r} gives {estimate.tolist()}; an estimate is made of finite"
            " real numbers"
        )
    return estimate.astype(float)
