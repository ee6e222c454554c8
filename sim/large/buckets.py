"""Sampling from a softmax policy without any sums of floating-point numbers: buckets of preferences, and rejection.

Composition and rejection (Matias, Vitter & Ni 2003; Slepoy, Thompson & Plimpton 2008 for chemical kinetics) with whole numbers only.
Let ρ be a reference a little above the largest preference, d = (ρ - θ_a) / ln 2 how many octaves e^θ_a lies below e^ρ, and

    E_a = 2^S e^(θ_a - ρ)        the weight of action a, a real number.

Bucket g is for actions with g <= 16 d < g + 1; the last one takes everything deeper. All members of bucket g have the same *envelope*
W_g, a whole number with  W_g >= E_a,  and a draw goes like this:

    x uniform on 0, ..., T - 1,  T = Σ_g n_g W_g        (n_g members)
    x falls into one bucket's stretch, there into one member's stretch of W_g numbers, as its number r
    accept if r < ⌊E_a⌋;  if r = ⌊E_a⌋, with probability E_a - ⌊E_a⌋, for which a second number is drawn;  else start over

**Exact.** A try ends with action a with probability (⌊E_a⌋ + E_a - ⌊E_a⌋) / T = E_a / T, so a draw is a with probability
E_a / Σ_c E_c = π(a), whatever the envelopes are as long as none is below its weight: neither the bounds of buckets nor members that
should be elsewhere can bias it. x is the high word of a random word times T, low words that would favour some x being refused
(Lemire 2019): it is exactly uniform if the generator's words are. All that rounds is E_a, the difference θ_a - ρ and its exponential,

    |E'_a / E_a - 1|  <=  (d + 4) 2⁻⁵²,        and the second number: it has a grain of 2⁻⁵³, of one of T numbers.

**No drift.** Counts and envelopes are whole numbers; sums of them are added to and taken from without rounding, for any number of steps.

**Usually no exponential.** `LOWER` of the bucket that θ_a belongs to now is a whole number not above E_a: r below it is accepted at once.
An action may stand in a bucket that is too high for it (its preference has fallen since), never in one too low.

**Few numbers looked at.** A row, one cache line, has the sums before each of eight buckets in half an octave (`inner`), of eight such parts
in a group of four octaves (`outer`), and the totals of groups follow in a third. A try looks at a row of each; groups are passed
from the top. What lies j octaves below the highest member has a share below k 2⁻ʲ of T, so that beyond the empty groups, of which there
are at most `EMPTY` / 4, the mean number passed is at most log₂(k) / 4 + 2. When the top has fallen so far that T < 2^(S - `EMPTY`), or
that the deepest bucket could weigh much, the reference moves and all actions are filed anew; how often: `sim.large.filing`.

**Few tries.** A member that is where it should be is accepted with probability 2^(-1/16) = 0.957 or more; one that fell by less than
`FAR`, and stands too high for `PENDING` more steps, with 2^(-4 - 1/16) or more. The deepest bucket has at most a quarter of T.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numba import njit

from sim.large.exponential import power_of_two, split_exp
from sim.large.rows import add_beyond, add_both, not_above, product

RANGE, PER_OCTAVE = 40, 16
"""Octaves below the reference that buckets tell apart, and how many buckets an octave has."""

BUCKETS = RANGE * PER_OCTAVE
ROWS = BUCKETS // 8
HEADROOM, EMPTY = 2.0, 20
"""Octaves between the largest preference and the reference when all actions are filed; how far the top may fall from there."""

PER_NAT = PER_OCTAVE / math.log(2.0)
DIGITS = 15
"""Envelopes have so many leading binary digits, and zeros from there on, so that a division by one is a shift and a product."""

WIDTH, LOWER, INVERSE, SHIFT, START, COUNT, ROOM = (np.uint64(i) for i in range(7))
"""Entries of a bucket's row: W_g, the least ⌊E_a⌋ of its range, the inverse and the shift to divide by W_g, and its segment."""

TOTAL, FREE, LOW, SCALE, NEXT, PATIENCE, SINCE, STEPS, TRIES, GROUPS, MOVES, FILINGS = (np.uint64(i) for i in range(12))
"""Entries of `whole`: T, the first free place, the smallest T, S, the place in `pending`; how many steps must lie between two filings,
how many lie behind; and what was counted."""

PENDING = 4
"""An action whose preference fell is filed anew so many steps later: a step needn't wait for the one before."""

FAR = 4 * PER_OCTAVE
"""How many buckets too high an action may stand meanwhile: proposals are accepted with probability 2⁻⁴ at least."""

_0, _1, _3, _7 = (np.uint64(i) for i in (0, 1, 3, 7))
_GROUPS_AT = np.uint64(ROWS)
_MARGIN = 2.0**-30


def scale(k: int) -> int:
    """S: so that a total of k envelopes stays below 2⁶²."""
    return min(RANGE, 62 - k.bit_length())


def arena_size(k: int) -> int:
    """Places for members: twice what filing all actions takes at most."""
    return 6 * k + 16 * BUCKETS


@functools.cache
def bucket_rows(k: int) -> np.ndarray:
    """(8 BUCKETS,) uint64: a row for each bucket, its constants filled in and its segment empty."""
    rows, digits, top = [0] * (8 * BUCKETS), 1 << DIGITS, scale(k)
    for g in range(BUCKETS):
        shift = max(0, top - DIGITS - g // PER_OCTAVE)
        width = max(2, math.ceil(math.ldexp(2.0 ** (-g / PER_OCTAVE) * (1.0 + _MARGIN), top - shift)))
        lower = math.floor(math.ldexp(2.0 ** (-(g + 1) / PER_OCTAVE) * (1.0 - _MARGIN), top)) if g + 1 < BUCKETS else 0
        assert width <= digits + 1
        rows[8 * g : 8 * g + 4] = [width << shift, lower, -(-(1 << 64) // width), shift]
    return np.array(rows, dtype=np.uint64)


@njit(error_model="numpy", nogil=True, inline="always")
def number(reference, theta):
    """The bucket that a preference belongs to; below 1 if it comes too near to the reference."""
    octaves = (reference - theta) * PER_NAT
    return np.int64(octaves) if octaves < BUCKETS - 1 else np.int64(BUCKETS - 1)


@njit(error_model="numpy", nogil=True, inline="always")
def weight(reference, theta, digits):
    """E_a = 2^S e^(θ_a - ρ)."""
    mantissa, n = split_exp(theta - reference)
    return mantissa * power_of_two(n + digits)


@njit(error_model="numpy", nogil=True, inline="always")
def propose(x, bucket, inner, outer, arena):
    """Whose stretch of 0, ..., T - 1 the number x lies in: (action, its bucket, x within the stretch, groups passed on the way)."""
    group = _0
    while x >= outer[_GROUPS_AT + group]:
        x -= outer[_GROUPS_AT + group]
        group += _1
    part = (group << _3) + not_above(outer, group << _3, x) - _1
    x -= outer[part]
    g = (part << _3) + not_above(inner, part << _3, x) - _1
    x -= inner[g]
    row = g << _3
    member, _ = product(x >> bucket[row + SHIFT], bucket[row + INVERSE])
    return np.uint64(arena[bucket[row + START] + member]), g, x - member * bucket[row + WIDTH], group


@njit(error_model="numpy", nogil=True, inline="always")
def chance(r, theta, bucket, reference, digits):
    """With which probability number r of its stretch is accepted for an action: 1 below ⌊E_a⌋, E_a - ⌊E_a⌋ there, 0 above."""
    result = 1.0
    if r >= bucket[(np.uint64(number(reference, theta)) << _3) + LOWER]:
        level = weight(reference, theta, digits)
        full = np.int64(level)
        if r >= np.uint64(full):
            result = level - full if r == np.uint64(full) else 0.0
    return result


@njit(error_model="numpy", nogil=True)
def file_all(theta, bucket, inner, outer, arena, place, home, pending, whole, reference):
    """File every action by its preference, under a reference chosen for them."""
    largest = theta[0]
    for a in range(theta.size):
        largest = max(largest, theta[a])
    rho = largest + HEADROOM * 0.6931471805599453
    reference[0] = rho
    for g in range(BUCKETS):
        bucket[(np.uint64(g) << _3) + COUNT] = _0
    for a in range(theta.size):
        home[a] = np.uint64(number(rho, theta[a]))
        bucket[(np.uint64(home[a]) << _3) + COUNT] += _1
    free = inside = _0
    outer[:] = _0
    whole[TOTAL] = _0
    for g in range(np.uint64(BUCKETS)):
        row, j = np.uint64(g) << _3, np.uint64(g) >> _3
        count = bucket[row + COUNT]
        inside = inside if np.uint64(g) & _7 else _0
        inner[g] = inside
        room = np.uint64(8)
        while room < count + (count >> _1):
            room <<= _1
        if count > _0:
            mass = count * bucket[row + WIDTH]
            inside += mass
            add_beyond(outer, (j >> _3) << _3, j & _7, mass)
            outer[_GROUPS_AT + (j >> _3)] += mass
            whole[TOTAL] += mass
        bucket[row + START], bucket[row + COUNT], bucket[row + ROOM] = free, _0, room
        free += room
    for a in range(theta.size):
        row = np.uint64(home[a]) << _3
        at = bucket[row + START] + bucket[row + COUNT]
        arena[at], place[a] = a, at
        bucket[row + COUNT] += _1
    whole[FREE], whole[SINCE] = free, _0
    whole[FILINGS] += _1
    pending[:] = _0


@njit(error_model="numpy", nogil=True, inline="always")
def move(action, g, h, bucket, inner, outer, arena, place, home, whole):
    """Take an action out of bucket g and put it into bucket h; False if there is no room left, and then all must be filed anew."""
    old, new = g << _3, h << _3
    count, fits = bucket[new + COUNT], True
    if count == bucket[new + ROOM]:
        fits = grow(new, bucket, arena, place, whole)
    if fits:
        last, at = bucket[old + COUNT] - _1, np.uint64(place[action])
        other = arena[bucket[old + START] + last]
        arena[at], place[other] = other, at
        bucket[old + COUNT] = last
        at = bucket[new + START] + count
        arena[at], place[action], home[action] = action, at, h
        bucket[new + COUNT] = count + _1
        less, more = _0 - bucket[old + WIDTH], bucket[new + WIDTH]
        i, j = g >> _3, h >> _3
        add_beyond(inner, i << _3, g & _7, less)
        add_beyond(inner, j << _3, h & _7, more)
        if (i >> _3) == (j >> _3):
            add_both(outer, (i >> _3) << _3, i & _7, less, j & _7, more)
            outer[_GROUPS_AT + (i >> _3)] += less + more
        else:
            add_beyond(outer, (i >> _3) << _3, i & _7, less)
            add_beyond(outer, (j >> _3) << _3, j & _7, more)
            outer[_GROUPS_AT + (i >> _3)] += less
            outer[_GROUPS_AT + (j >> _3)] += more
        whole[TOTAL] += less + more
        whole[MOVES] += _1
    return fits


@njit(error_model="numpy", nogil=True)
def grow(row, bucket, arena, place, whole):
    """Give a bucket a segment twice as long; False if there is no room for it."""
    count, start, free = bucket[row + COUNT], bucket[row + START], whole[FREE]
    room = max(np.uint64(8), count << _1)
    if free + room > np.uint64(arena.size):
        return False
    for i in range(count):
        member = arena[start + np.uint64(i)]
        arena[free + np.uint64(i)], place[member] = member, free + np.uint64(i)
    bucket[row + START], bucket[row + ROOM], whole[FREE] = free, room, free + room
    return True
