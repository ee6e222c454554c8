"""Which action has the largest preference, kept up to date: a tournament over the same blocks as
the sums.

`winner[b]` is the action with the largest preference below block b, the first one if several are
equal, and `best[b]` its preference. An update walks up only as long as it changes something.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_0, _1, _2, _3 = (np.uint64(i) for i in range(4))


@njit(error_model="numpy", nogil=True)
def play(theta, winner, best, offset, level, position):
    """Find the winner of one block among the preferences or blocks below it, by seven comparisons.

    Args:
        level, position: of the block; entries of `winner` and `best` below it are up to date.
    """
    block = offset[level] + position
    if level + _2 == np.uint64(offset.size):
        first = position << _3
        winner[block], best[block] = first, theta[first]
        for a in range(first + _1, min((position + _1) << _3, np.uint64(theta.size))):
            # strictly: of equal preferences the first wins
            if theta[a] > best[block]:
                winner[block], best[block] = a, theta[a]
    else:
        below = offset[level + _1]
        first = below + (position << _3)
        winner[block], best[block] = winner[first], best[first]
        for child in range(first + _1, min(below + ((position + _1) << _3), offset[level + _2])):
            if best[child] > best[block]:
                winner[block], best[block] = winner[child], best[child]


@njit(error_model="numpy", nogil=True)
def play_all(theta, winner, best, offset):
    """Find the winners of all blocks, from the bottom level up, in O(k)."""
    for level in range(offset.size - 2, -1, -1):
        at = np.uint64(level)
        for position in range(offset[at + _1] - offset[at]):
            play(theta, winner, best, offset, at, position)


@njit(error_model="numpy", nogil=True)
def play_again(theta, winner, best, offset, action):
    """Mend the winners on the way up after theta[action] changed, as far as anything changes."""
    position = np.uint64(action)
    for level in range(offset.size - 2, -1, -1):
        position >>= _3
        block = offset[np.uint64(level)] + position
        before, value = winner[block], best[block]
        play(theta, winner, best, offset, np.uint64(level), position)
        if winner[block] == before and best[block] == value:
            return
