"""The value of the policy, r_π = Σ_a π(a) q(a), at hand after every update: a second row of sums
beside the weights.

`worth[8 b + i]` is what e^θ_a q(a) sums up to where `weight[8 b + i]` is what e^θ_a sums up to, in
the same units, added in the same order. Like the weights it is a function of the present
preferences alone and doesn't drift:

    |v - r_π| <= (6 L + 8) 2⁻⁵³ max_a |q(a)|
"""

from __future__ import annotations

import numpy as np
from numba import njit

from altpg_verify.sim.large.blocks import HIGH, LOW, renew, row_sum, row_sum_with
from altpg_verify.sim.large.exponential import power_of_two, split_exp

_0, _1, _2, _3 = (np.uint64(i) for i in range(4))


@njit(error_model="numpy", nogil=True)
def fill_worth(q, weight, worth, exponent, offset, level, position):
    """Fill a block of `worth` after its weights were filled.

    Args:
        level, position: of the block, whose weights, and whose children's worth, are up to date.
    """
    block = offset[level] + position
    at = block << _3
    if level + _2 == np.uint64(offset.size):
        for a in range(position << _3, min((position + _1) << _3, np.uint64(q.size))):
            worth[at] = weight[at] * q[a]
            at += _1
    else:
        below = offset[level + _1]
        for child in range(
            below + (position << _3), min(below + ((position + _1) << _3), offset[level + _2])
        ):
            worth[at] = row_sum(worth, child << _3) * power_of_two(
                np.int64(exponent[child]) - np.int64(exponent[block])
            )
            at += _1


@njit(error_model="numpy", nogil=True)
def build_worth(q, weight, worth, exponent, offset):
    """Fill all blocks of `worth` from the weights."""
    for level in range(offset.size - 2, -1, -1):
        at = np.uint64(level)
        for position in range(offset[at + _1] - offset[at]):
            fill_worth(q, weight, worth, exponent, offset, at, position)


@njit(error_model="numpy", nogil=True, inline="always")
def settle_both(theta, q, weight, worth, exponent, offset, action):
    """`altpg_verify.sim.large.blocks.settle`, for the weights and their worth; both sums of the
    root.

    v = r_π is the quotient of the two sums, worth over weight, whose units cancel.
    """
    value, n = split_exp(theta[action])
    gain = value * q[action]
    at = np.uint64(action)
    for level in range(offset.size - 2, -1, -1):
        first = offset[np.uint64(level)]
        position = at >> _3
        unit = np.int64(exponent[first + position])
        if n != unit:
            value *= power_of_two(n - unit)
            gain *= power_of_two(n - unit)
            n = unit
        at += first << _3
        weight[at], worth[at] = value, gain
        # both sums of the block are the entries of the level above
        value, gain = row_sum_with(weight, at, value), row_sum_with(worth, at, gain)
        if not LOW < value < HIGH:
            value = renew(theta, weight, exponent, offset, np.uint64(level), position)
            fill_worth(q, weight, worth, exponent, offset, np.uint64(level), position)
            n, gain = np.int64(exponent[first + position]), row_sum(worth, (first + position) << _3)
        at = position
    return value, gain
