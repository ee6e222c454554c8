"""Tile coding: eight tilings of four tiles a dimension, each shifted by its own random part of a tile (paper, appendix F).

A coordinate x of range [low, high] lies in tile min(⌊4 (x - low)/(high - low) + offset⌋, 3) with offset uniform in [0, 1): the
last tile takes in what the shift leaves over. A tile's weights are four neighbouring numbers, three preferences and the value.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

from sim.online.lanes import BASE, MOST_DIMENSIONS, NEXT, OFFSET, SCALED, TILES, TILINGS


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_tile(numbers, wholes, tiling, i, lanes, dimensions):
    """Puts where the weights of the tile of `tiling` begin for lane i into NEXT, from SCALED and OFFSET."""
    tile = tiling
    for d in range(dimensions):
        x = numbers[uint64((SCALED + d) * lanes + i)] + numbers[uint64((OFFSET + tiling * MOST_DIMENSIONS + d) * lanes + i)]
        tile = tile * TILES + np.int64(x if x < TILES - 1.0 else TILES - 1.0)
    wholes[uint64((NEXT + tiling) * lanes + i)] = wholes[uint64(BASE * lanes + i)] + uint64(4 * tile)


@njit(error_model="numpy", nogil=True, forceinline=True)
def find_tiles(numbers, wholes, i, lanes, dimensions):
    """The same for all tilings of one lane."""
    for tiling in range(TILINGS):
        find_tile(numbers, wholes, tiling, i, lanes, dimensions)
