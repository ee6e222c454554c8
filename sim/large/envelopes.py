"""Sampling from a softmax policy without any sums of floating-point numbers: envelopes of weights,
and rejection.

Let ρ be a reference above the largest preference, d = (ρ - θ_a) / ln 2 how many octaves e^θ_a lies
below e^ρ, and

    E_a = 2^S e^(θ_a - ρ)        the weight of action a, a real number.

An action's *depth* is ⌊64 d⌋; the last one stands for everything deeper. Each depth has an
*envelope*, a whole number that is at least the E_a of every action there. An action is *filed* at a
depth that isn't greater than its own, with that depth's envelope W_a, so that W_a >= E_a. Rows of
eight numbers, one cache line each, have the sums of the envelopes before each of eight actions;
rows above them have the sums before each of eight rows, and so on, until two rows are left, which
are the top. A draw goes like this:

    x uniform on 0, ..., T - 1,  T = Σ_a W_a
    x falls into one action's stretch of W_a numbers, as its number r: a walk from the top looks at one row a level
    accept if r < ⌊E_a⌋;  if r = ⌊E_a⌋, with probability E_a - ⌊E_a⌋, for which a second number is drawn;  else start over

**Exact.** A try ends with action a with probability (⌊E_a⌋ + E_a - ⌊E_a⌋) / T = E_a / T, so a draw
is a with probability E_a / Σ_c E_c = π(a), whatever the envelopes are as long as none is below its
weight (von Neumann 1951). x is the high word of a random word times T, low words that would favour
some x being refused (Lemire 2019): it is exactly uniform if the generator's words are. All that
rounds is E_a, the difference θ_a - ρ and its exponential,

    |E'_a / E_a - 1|  <=  (d + 4) 2⁻⁵²        for d <= 1000; far beyond that, E'_a = 0,

and the second number, a multiple of 2⁻⁵³: an E'_a below 1/2 counts as the next multiple above; by
less than 2⁻⁵⁶ T for all together.

**No drift.** Envelopes are whole numbers; sums of them are added to and taken from without
rounding, for any number of steps.

**Usually no exponential.** `LOWER` of the depth that θ_a has now is a whole number not above E_a: r
below it is accepted at once.

**Few tries.** But for rounding, an action that is filed at its own depth is accepted with
probability 2^(-1/64) = 0.989 or more; one that fell by less than `FAR`, and is filed too high for
some more steps (`altpg_verify.sim.large.envelope_stepping`), with 2^(-4 - 1/64) or more. Rounding
envelopes up, to 1 or 2 where weights are far less, takes at most an eighth of T, since T >= 8 k and
T >= 2¹⁶. When T falls below these, or a preference comes too near to ρ, the reference moves and all
actions are filed anew; how often: `altpg_verify.sim.large.filing`.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numba import njit

from altpg_verify.sim.large.exponential import power_of_two, split_exp
from altpg_verify.sim.large.rows import add_beyond, not_above

RANGE, PER_OCTAVE = 50, 64
"""Octaves below the reference that depths tell apart, and how many depths an octave has."""

DEPTHS = RANGE * PER_OCTAVE
PER_NAT = PER_OCTAVE / math.log(2.0)

TOP = 16
"""Entries of the two rows at the top."""

FAR = 4 * PER_OCTAVE
"""How many depths too high an action may be filed for a while: proposals are accepted with
probability 2⁻⁴ at least.
"""

LOWER, WIDTH = (np.uint64(i) for i in range(2))
"""The two entries of a depth in `bound`: the least ⌊E_a⌋ there, and the envelope."""

ENTRIES = 17
"""How many numbers `whole` has."""

(
    TOTAL,
    LOW,
    SCALE,
    PATIENCE,
    SINCE,
    STEPS,
    PROPOSALS,
    BATCHES,
    WALKS,
    MOVES,
    FILINGS,
    HOT,
    SEEN,
    DRAWN,
    NEXT_DRAWN,
    NEWEST,
    OLDEST,
) = (np.uint64(i) for i in range(ENTRIES))
"""Entries of `whole`: T, the smallest T, S; how many steps must lie between two filings, and how
many lie behind; what was counted: steps, proposals, batches of them, walks through the rows,
envelopes changed, filings. Of the proposals made ahead: the action tried first, how many are seen,
are there, and are to be made next time. The two actions that may be filed too high.
"""

_0, _1, _3, _7, _8, _16 = (np.uint64(i) for i in (0, 1, 3, 7, 8, 16))
_OWN = np.uint64(0xFFFF)
_MARGIN = 2.0**-30


def scale(k: int) -> int:
    """S, the binary exponent of the largest weight, so that a total of k envelopes stays below 2⁶².

    At most `RANGE`: with 50 binary digits a weight is a whole number in a double.
    """
    return min(RANGE, 62 - k.bit_length())


def least_total(k: int) -> int:
    """The T below which the actions are filed anew: the larger of 2¹⁶ and 8 k.

    Above it, rounding envelopes up costs at most an eighth of all proposals.
    """
    return max(1 << 16, 8 * k)


def headroom(k: int) -> float:
    """Octaves between the largest preference and the reference when all actions are filed: two
    thirds of what is free.

    The largest preference may rise by so much before all actions are to be filed again, in O(k).
    """
    return (scale(k) - math.log2(least_total(k))) * 2.0 / 3.0


def layout(k: int) -> np.ndarray:
    """(levels + 1,) uint64: where in `sums` each level starts, the top first, and where the last
    one ends.
    """
    sizes = [_rows(k)]
    # up to sixteen entries at the top, in two rows that are read together
    while sizes[0] > TOP:
        sizes.insert(0, _rows(sizes[0] // 8))
    sizes[0] = TOP
    return np.cumsum([0, *sizes], dtype=np.uint64)


def _rows(entries: int) -> int:
    return (entries + 7) // 8 * 8


@functools.cache
def bounds(k: int) -> np.ndarray:
    """(2 DEPTHS,) uint64: `LOWER` and `WIDTH` of each depth.

    Both are widened by 2⁻³⁰ relatively, far more than a depth or a weight is off by rounding, so
    that LOWER <= E_a <= WIDTH holds whatever rounds.
    """
    top = scale(k)
    entries = []
    for g in range(DEPTHS):
        lower = (
            math.floor(math.ldexp(2.0 ** (-(g + 1) / PER_OCTAVE) * (1.0 - _MARGIN), top))
            # the margin keeps the bounds bounds though 2^x is rounded
            if g + 1 < DEPTHS
            else 0
        )
        entries += [lower, math.ceil(math.ldexp(2.0 ** (-g / PER_OCTAVE) * (1.0 + _MARGIN), top))]
    return np.array(entries, dtype=np.uint64)


@njit(error_model="numpy", nogil=True, inline="always")
def depth(reference, theta):
    """⌊64 (ρ - θ) / ln 2⌋, the depth of a preference, at most DEPTHS - 1; 0 if it comes too near to
    ρ.

    A preference that isn't below the reference, too, has depth 0: the caller files all actions
    anew.
    """
    # 64 depths an octave, so an envelope is at most 2^(1/64), 1.1 %, above the weight
    depths = (reference - theta) * PER_NAT
    if depths < DEPTHS - 1:
        return np.int64(depths) if depths > 0.0 else 0
    return DEPTHS - 1


@njit(error_model="numpy", nogil=True, inline="always")
def packed(filed, own):
    """Two depths of an action in one word of 32 bits: where it is filed, and its own.

    Depths are below 2¹⁶, so one load from memory gives both.
    """
    return np.uint32((filed << _16) | own)


@njit(error_model="numpy", nogil=True, inline="always")
def filed_depth(word):
    """Where an action is filed."""
    return np.uint64(word) >> _16


@njit(error_model="numpy", nogil=True, inline="always")
def own_depth(word):
    """An action's own depth."""
    return np.uint64(word) & _OWN


@njit(error_model="numpy", nogil=True, inline="always")
def lower(bound, g):
    """The least ⌊E_a⌋ at a depth."""
    return bound[(g << _1) + LOWER]


@njit(error_model="numpy", nogil=True, inline="always")
def width(bound, g):
    """The envelope of a depth."""
    return bound[(g << _1) + WIDTH]


@njit(error_model="numpy", nogil=True, inline="always")
def weight(reference, theta, digits):
    """E_a = 2^S e^(θ_a - ρ).

    digits is S; beyond 1000 octaves below the reference the weight is 0.
    """
    mantissa, n = split_exp(theta - reference)
    return mantissa * power_of_two(n + digits)


@njit(error_model="numpy", nogil=True, inline="always")
def walk(x, sums, first, levels):
    """Whose stretch of 0, ..., T - 1 the number x lies in: (action, x within the stretch).

    x is a whole number below T; a level of the walk is one row of eight sums, of which those not
    above x are counted.
    """
    # both rows at the top, compared at once; entry 0 is always 0, hence the -1
    place = not_above(sums, _0, x) + not_above(sums, _8, x) - _1
    # the key within the entry, for the level below
    x -= sums[place]
    for level in range(1, levels):
        row = first[level] + (place << _3)
        i = not_above(sums, row, x) - _1
        x -= sums[row + i]
        place = (place << _3) + i
    return place, x


@njit(error_model="numpy", nogil=True, inline="always")
def start(action, sums, first, levels):
    """Where an action's stretch starts.

    Its rows are those that `walk` would look at.
    """
    # up from the action: what lies before it at each level
    x = _0
    for up in range(1, levels):
        x += sums[first[levels - up] + action]
        action >>= _3
    return x + sums[action]


@njit(error_model="numpy", nogil=True, inline="always")
def change(action, amount, sums, first, levels):
    """Make an action's stretch longer by an amount (modulo 2⁶⁴, so that it can be negative).

    On each level the sums behind the action in its row grow; whole numbers, so nothing rounds.
    """
    for up in range(1, levels):
        add_beyond(sums, first[levels - up] + ((action >> _3) << _3), _0, action & _7, amount)
        action >>= _3
    add_beyond(sums, _0, _0, action, amount)
    add_beyond(sums, _8, _8, action, amount)


@njit(error_model="numpy", nogil=True, inline="always")
def chance(r, g, theta, bound, reference, digits):
    """With which probability number r of its stretch is accepted for an action of own depth g: 1
    below ⌊E_a⌋, E_a - ⌊E_a⌋ there, else 0.

    Usually no exponential is computed: `lower` and `width` decide.
    """
    result = 1.0
    # below, it is accepted without an exponential, as nearly all are
    if r >= lower(bound, g):
        result = 0.0
        if r < width(bound, g):
            # E_a itself: its whole part is accepted, and the fraction with that probability
            level = weight(reference, theta, digits)
            full = np.uint64(np.int64(level))
            result = 1.0 if r < full else (level - np.int64(full) if r == full else 0.0)
    return result


@njit(error_model="numpy", nogil=True)
def file_all(theta, bound, sums, first, depths, batch, whole, reference):
    """File every action at its own depth, under a reference chosen for them: reference[1] nats
    above the largest preference.

    O(k). It resets what was proposed ahead, and counts itself in FILINGS.
    """
    largest = theta[0]
    for a in range(theta.size):
        largest = max(largest, theta[a])
    rho = largest + reference[1]
    reference[0] = rho
    # entries beyond the last action stay 0 and are never reached
    sums[:] = _0
    bottom = first[first.size - 2]
    for a in range(theta.size):
        g = np.uint64(depth(rho, theta[a]))
        depths[a] = packed(g, g)
        sums[bottom + np.uint64(a)] = width(bound, g)
    # from the bottom up, each row gets the sums before its entries and hands its total to the level
    # above
    for up in range(2, first.size):
        level, above = first[first.size - up], first[first.size - up - 1]
        for row in range((first[first.size - up + 1] - level) >> _3):
            sums[above + row] = _add_up(sums, level + (row << _3), _8)
    whole[TOTAL] = _add_up(sums, _0, np.uint64(TOP))
    whole[SINCE] = whole[HOT] = whole[SEEN] = whole[DRAWN] = whole[NEWEST] = whole[OLDEST] = _0
    whole[NEXT_DRAWN] = _1
    whole[FILINGS] += _1


@njit(error_model="numpy", nogil=True, inline="always")
def _add_up(sums, begin, count):
    """Put the sums before each entry in the entries' places; the sum of all."""
    inside = _0
    for i in range(count):
        inside, sums[begin + i] = inside + sums[begin + i], inside
    return inside
