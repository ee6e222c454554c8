"""How words of the paper are read as numbers: once, for all experiments, in parts of the range that
performance can have.

    similar, competitive, as good, little, slightly (at most)   less than a twentieth of the range
    better, worse, superior, outperforms, larger, smaller       any difference
    much, vastly, clearly, significantly, greatly, well above   more than a tenth of the range
    somewhat, quite a lot                                       more than a twentieth
    most, a large range                                         more than half
    almost all                                                  more than four fifths
    recovers                                                    more than three quarters of what a
                 change of the task took away is back
    doesn't recover                                             less than half of it is
    good                                                        the paper's own bound: -200 on
                 MountainCar and Acrobot, -1 on DotReacher

Being alike says something only of agents that have learned: such criteria also ask for more than an
agent comes to that never learns. Sentences about sensitivity plots are read over all stepsizes in
them, with equal weight; those about learning curves at the stepsizes that the curves have. Error
rates: 1 % for each statement, over all comparisons in it (`altpg_verify.sim.analysis.ERROR_RATE`).
"""

from __future__ import annotations

SMALL, LARGE = 0.05, 0.1
"""Parts of the range: less than the first is alike, more than the second is a lot."""

MOST, ALMOST_ALL = 0.5, 0.8
RECOVERS, FAILS_TO_RECOVER = 0.75, 0.5

RETURN_RANGE = 1000.0
"""Of the returns on MountainCar, RealisticMountainCar and Acrobot, between -1000 and 0."""
VISIBLE, MUCH = SMALL * RETURN_RANGE, LARGE * RETURN_RANGE

GOOD = -200.0
LEARNED = -400.0
"""Well on the way from never reaching the goal to good: what an agent needs to have learned before
it can lose it, or to have escaped.
"""
NEVER = -950.0
"""An agent that never learns comes to -1000 on both cars and to -953 on Acrobot, whatever its
stepsizes.
"""

NEURAL_RANGE, NEURAL_GOOD, NEURAL_NEVER = 10.0, -1.0, -8.6
"""On DotReacher, where an agent that never learns comes to -8.6, and to -9.6 with the goal in a
corner.
"""

CHAIN_RANGE, CHAIN_NEVER = 0.81, 0.258
"""The best value of the start, and that of the uniform policy."""

QUIET_RANGE, QUIET_NEVER = 1.0, 1 / 3
"""Of J on r = (0, 0, 1), and what the uniform policy has."""

BANDIT_RANGE = 2.0
"""Of J on r = (1, 2, 3), between 1 and 3; the uniform policy has 2, in the middle."""
