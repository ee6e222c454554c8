"""What one would use instead of `SamplingTree`, written as well as we can: for `python -m
altpg_verify.sim.large bench` and for tests.

Every peer runs the same gradient bandit, without noise and with a fixed baseline, on the same
streams and the estimator's own compiled formula. Those of cost k compute the policy anew at each
step, as they must for an estimator that moves every preference
(`altpg_verify.sim.large.softmax_peers`); those of cost log k keep sums, and serve only one that
touches the taken action alone (`altpg_verify.sim.large.tree_peers`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from altpg_verify.estimators import Estimator
from altpg_verify.sim import streams

LINEAR, LOGARITHMIC = "k", "log k"


@dataclass(frozen=True)
class Problem:
    """A bandit: expected rewards q (k,), preferences at the start theta (k,), stepsize, fixed
    baseline.

    Rewards are paid without noise.

    Args:
        alpha: the stepsize.
        b: the baseline.
    """

    q: np.ndarray
    theta: np.ndarray
    alpha: float
    b: float


@dataclass(frozen=True, eq=False)
class Peer:
    """A way to run the bandit: `start` takes a problem, `run` makes so many steps, `theta` is where
    the preferences are then.

    `cost` of a step: `LINEAR` or `LOGARITHMIC`.

    Args:
        method: how it is done, in words.
        estimator: which update it makes.
    """

    method: str
    estimator: Estimator
    cost: str
    start: Callable[[Problem], None]
    run: Callable[[int], None]
    theta: Callable[[], np.ndarray]

    @property
    def name(self) -> str:
        """Method and estimator."""
        return f"{self.method}, {self.estimator.name}"


class Running:
    """What a compiled peer keeps between stretches.

    Attributes:
        problem: the one being run.
        arrays: the preferences, and room to work in.
        stream: the state of its random numbers.
    """

    def __init__(self) -> None:
        self.problem = Problem(np.empty(0), np.empty(0), 0.0, 0.0)
        self.arrays: tuple[np.ndarray, ...] = ()
        self.stream = np.ascontiguousarray(
            streams.states([streams.entropy(0, "peers", 0, "actions")], 1)[0]
        )

    def begin(self, problem: Problem, *scratch: np.ndarray) -> None:
        """Take a problem, its preferences copied, and arrays to work in.

        `arrays` is then (theta, *scratch), in the order of the compiled loop's arguments.
        """
        self.problem, self.arrays = problem, (problem.theta.copy(), *scratch)

    def theta(self) -> np.ndarray:
        """The preferences now."""
        return self.arrays[0]
