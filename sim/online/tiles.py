"""Tile coding: eight tilings of four tiles a dimension, each shifted by offsets of its own (paper,
appendix F).

Two coders, as the paper says no more than that. A coordinate x of range [low, high] counts as z = 4
(x - low)/(high - low), in tiles.

"wrapping" is the coder of the authors' released code, which takes it from a library: an offset is
uniform over the whole range, o = 4 u tiles with u uniform in [0, 1), and tile number Σ_d ⌊z_d +
o_d⌋ 4^d is taken modulo 4^dimensions: what leaves one dimension carries into the next. The library
makes its tiles wider by 4e-12 of a tile and shifts them by as much; that is left out here, and so a
point within 4e-11 of a tile of a border can lie on its other side.

"clamped" has offsets u below one tile, and tiles min(⌊z_d + u_d⌋, 3): the last tile takes in what
the shift leaves over.

In both, a shift leads from ⌊z⌋ to the next tile where z - ⌊z⌋ reaches a threshold, 1 less the
offset's part of a tile. A tile's weights are four neighbouring numbers, three preferences and the
value.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

from altpg_verify.sim.online.lanes import (
    BASE,
    MOST_DIMENSIONS,
    NEXT,
    SCALED,
    SHIFT,
    THRESHOLD,
    TILES,
    TILINGS,
)
from altpg_verify.sim.online.vectors import (
    floats,
    load_from,
    spread,
    store_from,
    truncated,
    unsigned,
    where,
)

CODERS = ("wrapping", "clamped")


def place_tilings(
    numbers: np.ndarray,
    wholes: np.ndarray,
    tiling: int,
    d: int,
    uniform: np.ndarray,
    wraps: np.ndarray,
) -> None:
    """Set one dimension of one tiling in all lanes: uniform numbers in [0, 1), and where they
    stretch over the whole range.

    THRESHOLD gets 1 less the offset's part of a tile, SHIFT adds up its whole tiles, as numbers of
    weights (4 a tile, 4^d tiles a dimension).

    Args:
        tiling, d: which tiling, and which dimension of it.
        uniform: (lanes,) the offsets, as shares.
        wraps: (lanes,) whether the lane's coder is "wrapping".
    """
    # offsets of up to four tiles if tiles wrap around, of less than one if not
    offset = np.where(wraps, TILES * uniform, uniform)
    whole = np.floor(offset)
    # ⌊z + o⌋ = ⌊z⌋ + ⌊o⌋, and one more if the fractions reach 1 together
    numbers[THRESHOLD + tiling * MOST_DIMENSIONS + d] = 1.0 - (offset - whole)
    # whole tiles of the offset, as a distance in the array of weights: 4 weights a tile
    wholes[SHIFT + tiling] += whole.astype(np.uint64) << np.uint64(2 + 2 * d)


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_tiles(numbers, wholes, first, count, lanes, dimensions, wraps):
    """From SCALED, coordinates in tiles, where the weights of the tiles begin: NEXT, in `count`
    lanes from `first` on.

    SCALED becomes the place in the tile without a shift.

    Args:
        dimensions: how many coordinates, in the rows from SCALED on.
        wraps: which coder; known to the compiler, so the other one is not compiled.
    """
    if wraps:
        find_wrapping(numbers, wholes, first, count, lanes, dimensions)
    else:
        find_clamped(numbers, wholes, first, count, lanes, dimensions)


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_wrapping(numbers, wholes, first, count, lanes, dimensions):
    """NEXT by the coder whose shifts wrap around: tile Σ_d ⌊z_d + o_d⌋ 4^d modulo 4^dimensions.

    What leaves one dimension carries into the next, as in the library of the authors' code.
    """
    corner = spread(0, count)
    for d in range(dimensions):
        x = load_from(numbers, (SCALED + d) * lanes + first, count)
        tile = truncated(x)
        # 4 tiles a dimension and 4 weights a tile, hence powers of 4
        corner = corner + tile * (4 << (2 * d))
        store_from(numbers, (SCALED + d) * lanes + first, x - floats(tile))
    begin, unshifted = load_from(wholes, BASE * lanes + first, count), unsigned(corner)
    for tiling in range(TILINGS):
        at = unshifted + load_from(wholes, (SHIFT + tiling) * lanes + first, count)
        for d in range(dimensions):
            place = load_from(numbers, (SCALED + d) * lanes + first, count)
            threshold = load_from(
                numbers, (THRESHOLD + tiling * MOST_DIMENSIONS + d) * lanes + first, count
            )
            at = at + where(place >= threshold, uint64(4 << (2 * d)), uint64(0))
        # the number of tiles is a power of two
        at = (at & uint64((4 << (2 * dimensions)) - 1)) + uint64((4 * tiling) << (2 * dimensions))
        store_from(wholes, (NEXT + tiling) * lanes + first, begin + at)


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_clamped(numbers, wholes, first, count, lanes, dimensions):
    """NEXT by the coder whose last tile takes in the rest: min(⌊z_d + u_d⌋, 3) in each dimension.

    In the last tile SCALED becomes -1, so that no shift leads further.
    """
    corner = spread(0, count)
    for d in range(dimensions):
        x = load_from(numbers, (SCALED + d) * lanes + first, count)
        # the last tile takes in all that lies beyond
        last = x >= TILES - 1.0
        tile = truncated(where(last, TILES - 1.0, x))
        # the first dimension is the slowest
        corner = corner * TILES + tile
        store_from(numbers, (SCALED + d) * lanes + first, where(last, -1.0, x - floats(tile)))
    begin = load_from(wholes, BASE * lanes + first, count) + unsigned(corner * 4)
    for tiling in range(TILINGS):
        at = begin + uint64((4 * tiling) << (2 * dimensions))
        for d in range(dimensions):
            place = load_from(numbers, (SCALED + d) * lanes + first, count)
            threshold = load_from(
                numbers, (THRESHOLD + tiling * MOST_DIMENSIONS + d) * lanes + first, count
            )
            at = at + where(place >= threshold, uint64(4 << (2 * (dimensions - 1 - d))), uint64(0))
        store_from(wholes, (NEXT + tiling) * lanes + first, at)
