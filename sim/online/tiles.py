"""Tile coding: eight tilings of four tiles a dimension, each shifted by its own random part of a tile (paper, appendix F).

A coordinate x of range [low, high] lies in tile min(⌊4 (x - low)/(high - low) + offset⌋, 3) with offset uniform in [0, 1): the
last tile takes in what the shift leaves over. Without a shift it is the tile ⌊4 (x - low)/(high - low)⌋, and a shift leads to
the next one from the threshold 1 - offset on. A tile's weights are four neighbouring numbers, three preferences and the value.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

from sim.online.lanes import BASE, CORNER, MOST_DIMENSIONS, NEXT, SCALED, THRESHOLD, TILES, TILINGS


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_corner(numbers, wholes, i, lanes, dimensions):
    """From SCALED, the coordinates of lane i in tiles: CORNER, the tile without a shift, and SCALED, the place in that tile.

    In the last tile of a dimension the place is -1, so that no shift leads any further.
    """
    corner = np.int64(0)
    for d in range(dimensions):
        x = numbers[uint64((SCALED + d) * lanes + i)]
        last = x >= TILES - 1.0
        tile = np.int64(TILES - 1.0 if last else x)
        corner = corner * TILES + tile
        numbers[uint64((SCALED + d) * lanes + i)] = -1.0 if last else x - tile
    wholes[uint64(CORNER * lanes + i)] = wholes[uint64(BASE * lanes + i)] + uint64(4 * corner)


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_tile(numbers, wholes, tiling, i, lanes, dimensions):
    """Puts where the weights of the tile of `tiling` begin for lane i into NEXT."""
    at = wholes[uint64(CORNER * lanes + i)] + uint64((4 * tiling) << (2 * dimensions))
    for d in range(dimensions):
        place = numbers[uint64((SCALED + d) * lanes + i)]
        threshold = numbers[uint64((THRESHOLD + tiling * MOST_DIMENSIONS + d) * lanes + i)]
        at += uint64(4 << (2 * (dimensions - 1 - d))) if place >= threshold else uint64(0)
    wholes[uint64((NEXT + tiling) * lanes + i)] = at


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_tiles(numbers, wholes, i, lanes, dimensions):
    """The same for all tilings of one lane."""
    for tiling in range(TILINGS):
        find_tile(numbers, wholes, tiling, i, lanes, dimensions)
