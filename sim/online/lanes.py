"""Where the numbers of a block of lanes lie: one flat array of floats and one of whole numbers, row
by row.

A lane is one run; a row holds one number of every lane, so number `row` of lane i of n is
`block[row * n + i]`. All numbers in one array under offsets that the compiler knows is what makes
vector code of the loops over lanes.
"""

from __future__ import annotations

from numba import types

ACTIONS = 3
TILINGS = 8
TILES = 4
FEATURES = TILINGS + 1
"""Active features of a state: a tile in each tiling, and the bias."""
MOST_DIMENSIONS = 6

# numbers: of the agent
THETA, VALUE, POLICY, ENTROPY, BONUS, ESTIMATE = 0, 3, 4, 7, 8, 11
ACTION, TARGET, TAU, ALPHA, BETA, FEEDBACK, CUT, SWITCH = 14, 15, 16, 17, 18, 19, 20, 21
# of the task: the push of the action, reward, whether the goal is reached, the state, the place in
# a tile, and scratch
PUSH, REWARD, DONE, STATE, SCALED, SCRATCH = 22, 23, 24, 25, 29, 35
# 1 - offset of each tiling and dimension
THRESHOLD = 51
# of the record: the episode's age and return, sums and counts of the bin, of the last steps of each
# half, of the whole
AGE, RETURN, LAST, FAILED, FRESH, SEEN = 99, 100, 101, 102, 103, 104
RETURNS, ENTROPIES, STARTS, HALF, FINAL, WHOLE = 105, 107, 108, 110, 112, 114
FIRST, ENDS = 116, 117
NUMBERS = 118

# whole numbers: where the weights of the active tiles begin, of this state and the next; streams
TILE, NEXT, BIAS, BASE, ACTION_STREAM, START_STREAM = 0, 8, 16, 17, 18, 22
# of each tiling, how far its offsets lead in whole tiles, in numbers of the weights
SHIFT = 26
WHOLES = 34

FLOATS = types.Array(types.float64, 1, "C")
UINTS = types.Array(types.uint64, 1, "C")
STEP = types.void(FLOATS, UINTS)
"""A step of the task in all lanes: from PUSH and STATE to STATE, REWARD, DONE, and the tiles
NEXT.
"""
START = types.void(FLOATS, UINTS, types.int64)
"""A new episode in one lane: STATE from the lane's own stream, and the tiles NEXT."""
POLICIES = types.void(FLOATS, types.int64)
"""From THETA to POLICY, ENTROPY and BONUS; with the escort power, if there is one."""


def rows(dimensions: int) -> int:
    """Rows of weights of one run: each tile of each tiling has one, and so has the bias.

    8 · 4^dimensions + 1: 129 for two dimensions (MountainCar), 32 769 for six (Acrobot).
    """
    return TILINGS * TILES**dimensions + 1
