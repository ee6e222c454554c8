"""Where the numbers of a block of runs lie: one flat array of floats, row by row.

A row holds one number of each run that goes in lock step: number `row` of run i of n is `s[row * n
+ i]`. All numbers in one array under offsets that the compiler knows is what makes vector code of
the loops over runs.
"""

from __future__ import annotations

import itertools

from altpg_verify.sim.online import neural_networks
from altpg_verify.sim.online.dot_reacher import ACTIONS
from altpg_verify.sim.online.neural_networks import HIDDEN, INPUTS

ACTOR, CRITIC = neural_networks.weights(ACTIONS), neural_networks.weights(1)
WEIGHTS = ACTOR + CRITIC
"""The actor's 239, then the critic's 151."""


def _places(first: int, *heights: int) -> tuple[int, ...]:
    """Where blocks of so many rows begin, one below the other, and where they end."""
    return tuple(itertools.accumulate(heights, initial=first))


# what an estimator reads and writes
THETA, PI, ESTIMATE, ACTION, SIGNAL, BASELINE, _END = _places(0, ACTIONS, ACTIONS, ACTIONS, 1, 1, 1)
# the networks; m, then v, of all weights; what hidden units give, and derivatives by it
ACTOR_WEIGHTS, CRITIC_WEIGHTS, _MOMENTS, _END = _places(_END, ACTOR, CRITIC, 2 * WEIGHTS)
ACTOR_UNITS, CRITIC_UNITS, AFTER_UNITS, BEFORE, _END = _places(_END, *(2 * HIDDEN,) * 4)
# the step: states, π log π and so on, value of the next state, TD error, uniform, entropy, log Σ
# exp and Σ exp; the episode
STATE, AFTER, BONUS, AFTER_VALUE, ERROR, CHANCE, ENTROPY, LOG_MASS, MASS, _END = _places(
    _END, INPUTS, INPUTS, ACTIONS, 1, 1, 1, 1, 1, 1
)
REACHED, OVER, LENGTH, BROKEN, _END = _places(_END, 1, 1, 1, 1)
# the setting, as `altpg_verify.sim.online.neural` writes it
ALPHA, BETA, TAU, CUT, WORST, LATE, GOAL, LATER, FIRST_CRITIC, _END = _places(
    _END, 1, 1, 1, 1, 1, 1, 2, 2, 1
)
FIRST_THETA, MOVES, _END = _places(_END, ACTIONS, 2 * ACTIONS)
SETTING = _END - ALPHA
"""Rows of a setting, from ALPHA on."""
# the record: the last return and value of a start state, sums and counts of the bin, of the last
# steps of each half, of the whole
LAST_RETURN, LAST_VALUE, ENTROPIES, START_SUM, START_COUNT, RETURN_SUM, RETURN_COUNT, _END = (
    _places(_END, *(1,) * 7)
)
FINAL_SUM, FINAL_COUNT, HALF_SUM, HALF_COUNT, WHOLE_SUM, WHOLE_COUNT, FIRST_GOAL, GOALS, ROWS = (
    _places(_END, *(1,) * 8)
)
