"""The sums of e^θ as a tree of blocks: eight numbers, one cache line each; sampling and updates
walk from top to bottom or back.

Blocks stand level by level, the root first; `offset[l]` is the first block of level l, and block p
of a level has the blocks 8 p, ..., 8 p + 7 of the next level as children. Entry i of block b is
`weight[8 b + i]`, in units of 2^`exponent[b]`:

    bottom level:  e^θ_a of the actions 8 p, ..., 8 p + 7        above:  the sum of the i-th child

so that the total is `row_sum(weight, 0)` times 2^`exponent[0]`. Every block has an exponent of its
own, kept so that

    2⁻²⁰⁰ < sum of its entries < 2²⁰⁰        (`LOW`, `HIGH`)

whenever an update would leave that range, the block is filled anew from what stands below it
(`renew`), at most once for each level. So nothing overflows and no sum underflows, however far
preferences drift or lie apart, and there is never an O(k) pause.

**No drift.** An update doesn't add a difference to the sums above: it adds up the eight entries
again, in the same order. Sums are functions of the present preferences alone; after any number of
updates they equal, bit for bit and up to the exponents, those of a tree just built
(tests/large/test_long_runs.py).

**Error bound.** Let u = 2⁻⁵³ and L the number of levels. A leaf is off by at most 2 u relatively
(`exponential`), units are exact powers of two, and each of the L sums takes three roundings, so
every sum is the exact sum of e^θ times (1 + δ), |δ| <= (3 L + 3) u. On its way down a key x loses
at most seven entries a level, each subtraction rounded by at most u times the block's sum. A key
that rounding takes past the end of a block goes to the block's last entry. Every step is monotone
in the key, so that the keys that select an action are an interval. With C_a = Σ_{i<=a} π_i, as
shares of the total,

    |lower end - C_{a-1}| and |upper end - C_a|  <=  u (1 + 7 L + 2 (3 L + 3))  <=  (16 L + 8) u        (`boundary_error`)

(the product of key and total; the subtractions; the sums on the way and the total): 1.6e-14 for ten
million actions. An entry below 2⁻¹⁰²² in its block's units counts as 0: its share of the total is
under 2⁻⁸⁰⁰, and it is there again when the block is filled anew. To all this a generator's key adds
its own grain, 2⁻⁵³.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from altpg_verify.sim.large.exponential import exponent_of, power_of_two, split_exp

LOW, HIGH = 2.0**-200, 2.0**200
_NEAR_LOW, _NEAR_HIGH = 2.0**-100, 2.0**100
_BELOW = 1.0 - 2.0**-53

# unsigned, since numba tests signed indices for being negative
_0, _1, _2, _3, _4, _5, _6, _7, _8 = (np.uint64(i) for i in range(9))


def offsets(k: int) -> np.ndarray:
    """(L + 1,) uint64: the first block of each level for k actions, and the number of all blocks.

    L = max(1, ⌈log₈ k⌉).

    Examples:
        100 actions: a root of two children, which have 13 blocks of eight actions between them:

        >>> offsets(100).tolist()
        [0, 1, 3, 16]
    """
    sizes = [-(-k // 8)]
    # eight sums of a level to a block of the one above, until one block is left
    while sizes[0] > 1:
        sizes.insert(0, -(-sizes[0] // 8))
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64)


def boundary_error(levels: int) -> float:
    """How far the ends of an action's interval of keys may be off, as a share of the total.

    (16 L + 8) 2⁻⁵³ for L levels, derived above; relative to a total of 1, whatever the preferences.
    """
    # roundings on the way down, in units of 2⁻⁵³
    return (16 * levels + 8) * 2.0**-53


def aligned_zeros(size: int) -> np.ndarray:
    """Zeros that start at a cache line, so that a block never lies across two."""
    room = np.zeros(size + 8)
    start = -room.ctypes.data // 8 % 8
    return room[start : start + size]


@njit(error_model="numpy", nogil=True, inline="always")
def row_sum(weight, first):
    """The sum of the eight entries from `first` on, always added in this order.

    A fixed tree of additions, three roundings deep, so that a sum is a function of its entries
    alone.
    """
    # pairs, not one after the other: shorter chains of additions, and the order that `row_sum_with`
    # keeps
    left = (weight[first] + weight[first + _1]) + (weight[first + _2] + weight[first + _3])
    return left + (
        (weight[first + _4] + weight[first + _5]) + (weight[first + _6] + weight[first + _7])
    )


@njit(error_model="numpy", nogil=True, inline="always")
def row_sum_with(weight, at, value):
    """The same sum, to the bit, after the entry `at` was set to `value`; the value comes last,
    since it is what a walk waits for.

    Halves and pairs are added as in `row_sum`; addition commutes in floating point, so the order
    within a pair doesn't matter.
    """
    # the neighbour, the other pair of the four, and the other four, by the bits of the place
    pair, four = (at ^ _2) & ~_1, (at ^ _4) & ~_3
    others = (weight[four] + weight[four + _1]) + (weight[four + _2] + weight[four + _3])
    return ((value + weight[at ^ _1]) + (weight[pair] + weight[pair + _1])) + others


@njit(error_model="numpy", nogil=True)
def last_positive(weight, first):
    """Where the last positive entry of a block is, and the largest key below it: for keys that
    rounding took past the end.
    """
    # exists: a block's sum is positive
    i = _7
    while weight[first + i] == 0.0:
        i -= _1
    return i, weight[first + i] * _BELOW


@njit(error_model="numpy", nogil=True, inline="always")
def scan(weight, first, x):
    """The entry of a block whose interval of cumulative sums holds the key x, and the key within
    it.

    x is in units of the block and below its sum, up to rounding.
    """
    at = first
    for _ in range(7):
        entry = weight[at]
        if x < entry:
            break
        x -= entry
        at += _1
    i = at - first
    if i == _7 and x >= weight[at]:
        i, x = last_positive(weight, first)
    return i, x


@njit(error_model="numpy", nogil=True, inline="always")
def descend(weight, exponent, offset, x):
    """The action whose interval holds the key x, in units of the root, 0 <= x < `row_sum(weight,
    0)`; L blocks are visited.

    Changing from one block's units to another's multiplies by a power of two, which rounds nothing
    unless it underflows.
    """
    action, unit = _0, exponent[_0]
    for level in range(np.uint64(offset.size - 1)):
        block = offset[level] + action
        if exponent[block] != unit:
            x *= power_of_two(np.int64(unit) - np.int64(exponent[block]))
            unit = exponent[block]
        i, x = scan(weight, block << _3, x)
        action = (action << _3) + i
    return action


@njit(error_model="numpy", nogil=True)
def peak(theta, weight, exponent, offset, level, position):
    """The largest exponent among what the entries of a block stand for.

    That is the unit in which the largest entry of the block lies in [1, 2), more or less.
    """
    highest = np.int64(-(2**62))
    if level + _2 == np.uint64(offset.size):
        for a in range(position << _3, min((position + _1) << _3, np.uint64(theta.size))):
            highest = max(highest, split_exp(theta[a])[1])
    else:
        below = offset[level + _1]
        for child in range(
            below + (position << _3), min(below + ((position + _1) << _3), offset[level + _2])
        ):
            highest = max(
                highest, np.int64(exponent[child]) + exponent_of(row_sum(weight, child << _3))
            )
    return highest


@njit(error_model="numpy", nogil=True)
def fill(theta, weight, exponent, offset, level, position, unit):
    """Fill a block from the preferences or the blocks below it, in units of 2^unit; its sum.

    An entry that is less than 2⁻¹⁰²² in these units becomes 0.
    """
    block = offset[level] + position
    exponent[block] = unit
    at = block << _3
    if level + _2 == np.uint64(offset.size):
        for a in range(position << _3, min((position + _1) << _3, np.uint64(theta.size))):
            mantissa, n = split_exp(theta[a])
            weight[at] = mantissa * power_of_two(n - unit)
            at += _1
    else:
        below = offset[level + _1]
        for child in range(
            below + (position << _3), min(below + ((position + _1) << _3), offset[level + _2])
        ):
            weight[at] = row_sum(weight, child << _3) * power_of_two(
                np.int64(exponent[child]) - unit
            )
            at += _1
    return row_sum(weight, block << _3)


@njit(error_model="numpy", nogil=True)
def renew(theta, weight, exponent, offset, level, position):
    """Fill a block anew, in the root's units if its sum is then in the middle of the range, else in
    its own; its sum.

    The root's units save a rescaling on each walk. `_NEAR_LOW` and `_NEAR_HIGH` lie well inside
    `LOW` and `HIGH`, so that a block isn't filled anew again soon.
    """
    if level > _0:
        total = fill(theta, weight, exponent, offset, level, position, np.int64(exponent[_0]))
        if _NEAR_LOW < total < _NEAR_HIGH:
            return total
    return fill(
        theta,
        weight,
        exponent,
        offset,
        level,
        position,
        peak(theta, weight, exponent, offset, level, position),
    )


@njit(error_model="numpy", nogil=True)
def build(theta, weight, exponent, offset):
    """Fill all blocks from the preferences, bottom level first, in O(k).

    The unit of all blocks is that of the largest preference; a block whose sum is then out of range
    gets an exponent of its own.
    """
    highest = theta[0]
    for a in range(theta.size):
        highest = max(highest, theta[a])
    unit = split_exp(highest)[1]
    exponent[:] = unit
    bottom = np.uint64(offset.size - 2)
    start = offset[bottom] << _3
    for a in range(np.uint64(theta.size)):
        mantissa, n = split_exp(theta[a])
        weight[start + a] = mantissa * power_of_two(n - unit)
    for level in range(bottom, -1, -1):
        at = np.uint64(level)
        for position in range(offset[at + _1] - offset[at]):
            block = offset[at] + position
            total = row_sum(weight, block << _3)
            if not LOW < total < HIGH:
                total = renew(theta, weight, exponent, offset, at, position)
            if at > _0:
                weight[(offset[at - _1] << _3) + position] = total * power_of_two(
                    np.int64(exponent[block])
                    - np.int64(exponent[offset[at - _1] + (position >> _3)])
                )


@njit(error_model="numpy", nogil=True, inline="always")
def settle(theta, weight, exponent, offset, action):
    """Mend all sums after theta[action] changed; L blocks are visited, more only where one must be
    filled anew. The root's sum.

    Each level's sum is computed from its eight entries, not from a difference, so nothing drifts.
    """
    value, n = split_exp(theta[action])
    at = np.uint64(action)
    for level in range(offset.size - 2, -1, -1):
        first = offset[np.uint64(level)]
        position = at >> _3
        unit = np.int64(exponent[first + position])
        if n != unit:
            value *= power_of_two(n - unit)
            n = unit
        at += first << _3
        weight[at] = value
        value = row_sum_with(weight, at, value)
        if not LOW < value < HIGH:
            value = renew(theta, weight, exponent, offset, np.uint64(level), position)
            n = np.int64(exponent[first + position])
        at = position
    return value
