"""Rewards as functions that losses may be differentiated through, and other rewards, with which a
finding is confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.gaussian_values import Reward
from altpg_verify.audit.polynomials import Polynomial
from altpg_verify.errors import BadInput


@dataclass(frozen=True)
class Pays:
    """What actions earn, as they reach the environment: a function of actions, and of states if
    there are several.

    Args:
        rewards: one for each state.
        dimension: numbers of an action; None if it is a number.
    """

    rewards: tuple[Reward, ...]
    dimension: int | None

    def __call__(self, actions: Any, states: Any = None) -> Any:
        """(...,) for actions of shape (...,), or (..., d)."""
        if len(self.rewards) > 1 and states is None:
            raise BadInput(
                f"reward_function: there are {len(self.rewards)} states; write"
                " reward_function(actions, states)"
            )
        numbers = (
            [actions]
            if self.dimension is None
            else [actions[..., i] for i in range(self.dimension)]
        )
        each = [self._paid(reward, actions, numbers) for reward in self.rewards]
        if states is None:
            return each[0]
        return sum(one * (states == s) for s, one in enumerate(each))

    def _paid(self, reward: Reward, actions: Any, numbers: list[Any]) -> Any:
        if reward.bounds is not None:
            numbers = [one.clip(*reward.bounds) for one in numbers]
        if reward.polynomial is not None:
            return reward.polynomial.at(numbers, numbers[0] * 0 + 1)
        raise BadInput(
            "reward_function: the reward is no polynomial, and can't be differentiated here; use"
            " your own function in the loss"
        )


def other_reward(reward: Reward, constant: Any, times: Sequence[Any]) -> Reward:
    """What is paid, plus a constant and for each of the action's numbers a multiple of a + a³/5: of
    a line or parabola much is true.

    Args:
        reward: what is paid.
        constant: what is added.
        times: the multiples, one for each number.
    """
    if reward.polynomial is not None:
        size = reward.polynomial.size
        each = [Polynomial.variable(size, i) for i in range(size)]
        more = sum(
            ((a + a**3 / 5) * Fraction(factor) for a, factor in zip(each, times, strict=True)),
            start=Polynomial.of(size, {}),
        )
        return replace(reward, polynomial=reward.polynomial + more + constant)
    function, factors = reward.function, np.array([float(factor) for factor in times])
    assert function is not None
    return replace(
        reward,
        function=lambda actions: (
            function(actions) + float(constant) + (actions + actions**3 / 5) @ factors
        ),
    )
