"""What a space pays, handed to a trainer whose environment is made from it, so that it can be tried
with other rewards, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

NAMES = ("rewards", "reward_of")
"""What a step, or what builds it, may ask for of the space's rewards."""


def offered(space: Space, name: str) -> Any:
    """What stands under one of the names.

    Raises:
        BadInput: what is paid depends on more than the name says.
    """
    return rewards(space) if name == "rewards" else reward_of(space)


def rewards(space: Space) -> np.ndarray:
    """(states, actions) what each action pays in each state, or (actions,) of one state; 0 where it
    is never taken.

    Raises:
        BadInput: it depends on more than that.
    """
    table = np.zeros((space.states, space.actions))
    known: dict[tuple[int, int], Any] = {}
    for episode in space.episodes:
        for state, action, reward in zip(
            episode.states, episode.actions, episode.rewards, strict=True
        ):
            if known.setdefault((state, action), reward) != reward:
                raise BadInput(
                    f"rewards: what action {action} pays in state {state} of space {space.name!r}"
                    " depends on chance or on what was done before; ask for reward_of, which is"
                    " given all actions of an episode"
                )
            table[state, action] = float(reward)
    return table[0] if space.states == 1 else table


def reward_of(space: Space) -> Callable[..., float]:
    """(actions, start=None) -> what an episode pays in all, from the actions (or tokens) that the
    policy takes.

    Raises:
        BadInput: it depends on chance, too.
    """
    known: dict[tuple[int, tuple[int, ...]], float] = {}
    for episode in space.episodes:
        key = episode.states[0], tuple(map(int, episode.actions))
        paid = float(sum(episode.rewards))
        if known.setdefault(key, paid) != paid:
            raise BadInput(
                f"reward_of: what actions {key[1]} pay in space {space.name!r} depends on chance"
            )

    def paid_for(actions: Any, start: int | None = None) -> float:
        taken = tuple(int(each) for each in np.ravel(np.asarray(actions)))
        found = [
            paid
            for (first, each), paid in known.items()
            if each == taken and start in (None, first)
        ]
        if not found or min(found) != max(found):
            raise BadInput(
                f"reward_of: space {space.name!r} has "
                + (
                    f"no episode with actions {taken}"
                    if not found
                    else f"several starts from which actions {taken} pay otherwise; give the start"
                )
            )
        return found[0]

    return paid_for
