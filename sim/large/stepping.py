"""The compiled loop of `LogBandit`: sample, reward, estimate, update, and nothing that looks at all
actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from altpg_verify.sim import streams
from altpg_verify.sim.jit import compile_kernel, compiled_once
from altpg_verify.sim.large.blocks import row_sum, scan, settle
from altpg_verify.sim.large.champions import play_again
from altpg_verify.sim.large.exponential import LIMIT, power_of_two
from altpg_verify.sim.large.kernels import CHAMPIONS, INDICES, NUMBER, NUMBERS, TREE, WHOLE, stamp
from altpg_verify.sim.large.memory import borrowed, prefetch
from altpg_verify.sim.large.values import settle_both

TAKEN = NUMBER(NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER)
"""Signature of an estimate in the taken action: theta(A), pi(A), r, b, q(A), v."""

FIXED, LEARNED, TRUE = 0, 1, 2

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)
_BLOCK = streams.BLOCK
_HALF = _BLOCK // 2
STATE = types.Array(types.uint64, 2, "C")
_SIGNATURE = types.int64(
    types.FunctionType(TAKEN), *TREE, *CHAMPIONS, NUMBERS, NUMBERS, NUMBER, NUMBER, NUMBER, WHOLE,
    STATE, STATE, NUMBERS, NUMBERS, INDICES, WHOLE, NUMBERS, INDICES,
)  # fmt: skip


@njit(error_model="numpy", nogil=True, inline="always")
def next_noise(noise, normal, at):
    """The next standard normal of a stream, of which `normal` has a block, and where the one after
    it stands.
    """
    if at == _BLOCK:
        streams.fill_normals(noise, 0, normal[:_HALF], normal[_HALF:])
        at = _0
    # the stream has its normals in pairs, the fill in two halves
    return normal[(at >> _1) + (at & _1) * np.uint64(_HALF)], at + _1


@compiled_once
def advantage_steps() -> Any:
    """The loop for an estimate R - b in the taken action, which is written out: no function is
    called.

    The alternate estimator is one: ĝ_A = R - b.
    """
    return _steps(valued=False, advantage=True)


@compiled_once
def plain_steps() -> Any:
    """The loop for estimators that don't ask for the value of the policy.

    Their estimate in the taken action is a function of θ(A), π(A), R, b and r(A).
    """
    return _steps(valued=False, advantage=False)


@compiled_once
def valued_steps() -> Any:
    """The loop that also keeps r_π up to date.

    For the true baseline and for estimators that ask for v or h; it keeps a second row of sums, see
    `values`.
    """
    return _steps(valued=True, advantage=False)


def _steps(valued: bool, advantage: bool) -> Any:
    seal = stamp()

    def run(
        taken, own_theta, own_weight, own_exponent, own_offset, own_winner, own_best, own_q, own_worth, sigma, alpha, beta, mode,
        choices, noise, own_uniform, own_normal, next_draw, steps, numbers, last,
    ):  # fmt: skip
        theta, weight, exponent, offset = (
            borrowed(own_theta),
            borrowed(own_weight),
            borrowed(own_exponent),
            borrowed(own_offset),
        )
        winner, best, q, worth = (
            borrowed(own_winner),
            borrowed(own_best),
            borrowed(own_q),
            borrowed(own_worth),
        )
        uniform, normal = borrowed(own_uniform), borrowed(own_normal)
        next_uniform, next_normal = np.uint64(next_draw[0]), np.uint64(next_draw[1])
        b, rewards, expected, done = numbers[0], numbers[1], numbers[2], steps
        bottom = np.uint64(offset.size - 2)
        total, worth_total = row_sum(weight, _0), row_sum(worth, _0)
        for t in range(steps):
            if next_uniform == _BLOCK:
                streams.fill_uniforms(choices, 0, uniform)
                next_uniform = _0
            unit = exponent[_0]
            x = uniform[next_uniform] * total
            next_uniform += _1
            action = _0
            for level in range(bottom + _1):
                block = offset[level] + action
                if level == bottom:
                    # asked for one level early: by the time the action is known they are in the
                    # cache
                    prefetch(theta, action << _3)
                    prefetch(q, action << _3)
                if exponent[block] != unit:
                    x *= power_of_two(np.int64(unit) - np.int64(exponent[block]))
                    unit = exponent[block]
                i, x = scan(weight, block << _3, x)
                action = (action << _3) + i
            # both in units of their blocks, which may differ
            pi = weight[(offset[bottom] << _3) + action] / total
            if unit != exponent[_0]:
                pi *= power_of_two(np.int64(unit) - np.int64(exponent[_0]))
            # r_π = Σ w q / Σ w, both sums in units of the root
            v = worth_total / total if valued else 0.0
            r = q[action]
            expected += r
            if sigma > 0.0:
                z, next_normal = next_noise(noise, normal, next_normal)
                r += sigma * z
            rewards += r
            estimate = (
                r - b
                if advantage
                else taken(theta[action], pi, r, v if valued and mode == TRUE else b, q[action], v)
            )
            moved = theta[action] + alpha * estimate
            # written so that NaN is refused, too
            if not abs(moved) <= LIMIT:
                numbers[3], last[1], done = moved, action, t
                break
            theta[action] = moved
            if valued:
                total, worth_total = settle_both(theta, q, weight, worth, exponent, offset, action)
            else:
                total = settle(theta, weight, exponent, offset, action)
            # kept up to date only once `greedy` was asked
            if winner.size > 0:
                play_again(theta, winner, best, offset, action)
            if mode == LEARNED:
                b = beta * r + (1.0 - beta) * b
        numbers[0], numbers[1], numbers[2], last[0] = b, rewards, expected, done
        next_draw[0], next_draw[1] = next_uniform, next_normal
        return seal

    return compile_kernel(run, _SIGNATURE, keep=True)
