"""Tile coding: eight tilings of four tiles a dimension, each shifted by its own random part of a tile (paper, appendix F).

A coordinate x of range [low, high] lies in tile min(⌊4 (x - low)/(high - low) + offset⌋, 3) with offset uniform in [0, 1): the
last tile takes in what the shift leaves over. Without a shift it is the tile ⌊4 (x - low)/(high - low)⌋, and a shift leads to
the next one from the threshold 1 - offset on. A tile's weights are four neighbouring numbers, three preferences and the value.
"""

from __future__ import annotations

from numba import njit, uint64

from sim.online.lanes import BASE, MOST_DIMENSIONS, NEXT, SCALED, THRESHOLD, TILES, TILINGS
from sim.online.vectors import floats, load_from, spread, store_from, truncated, unsigned, where


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_tiles(numbers, wholes, first, count, lanes, dimensions):
    """From SCALED, coordinates in tiles, where the weights of the tiles begin: NEXT, in `count` lanes from `first` on.

    SCALED becomes the place in the tile without a shift; in the last tile of a dimension it is -1, so that no shift leads further.
    """
    corner = spread(0, count)
    for d in range(dimensions):
        x = load_from(numbers, (SCALED + d) * lanes + first, count)
        last = x >= TILES - 1.0
        tile = truncated(where(last, TILES - 1.0, x))
        corner = corner * TILES + tile
        store_from(numbers, (SCALED + d) * lanes + first, where(last, -1.0, x - floats(tile)))
    begin = load_from(wholes, BASE * lanes + first, count) + unsigned(corner * 4)
    for tiling in range(TILINGS):
        at = begin + uint64((4 * tiling) << (2 * dimensions))
        for d in range(dimensions):
            place = load_from(numbers, (SCALED + d) * lanes + first, count)
            threshold = load_from(numbers, (THRESHOLD + tiling * MOST_DIMENSIONS + d) * lanes + first, count)
            at = at + where(place >= threshold, uint64(4 << (2 * (dimensions - 1 - d))), uint64(0))
        store_from(wholes, (NEXT + tiling) * lanes + first, at)
