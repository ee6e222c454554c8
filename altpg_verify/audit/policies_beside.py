"""The policies beside the one that is trained: the one that is sampled, and the one to keep near,
checked to be distributions over the actions that a space has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.declarations import checked_floats, checked_table, shown
from altpg_verify.audit.policies import Parameters
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space


def behaviour_at(
    space: Space, behaviour: np.ndarray | Callable[[Parameters], np.ndarray], parameters: Parameters
) -> np.ndarray:
    """(states, actions) the policy that is sampled, in float64, checked: rows of probabilities
    that add up to 1.

    Raises:
        BadInput: a behaviour policy given as a function failed there, or returned something
            else.
    """
    if not callable(behaviour):
        return behaviour.astype(float)
    try:
        found = behaviour(parameters)
    except BadInput:
        raise
    except Exception as error:
        raise BadInput(
            f"behaviour raised {type(error).__name__}: {shown(str(error))}; it takes the"
            " parameters by group"
        ) from error
    table = checked_floats("behaviour", found, (space.states, space.actions))
    refuse_other_actions(space, "behaviour", table)
    return table


def reference_table(space: Space, reference: Any) -> np.ndarray:
    """(states, actions) a reference policy, checked.

    Raises:
        BadInput: a row isn't a distribution over the actions, or an action that can be taken
            has no chance.
    """
    refuse_table(space, "reference")
    table = checked_table("reference", reference, (space.states, space.actions))
    for state, actions in space.taken.items():
        for action in sorted(actions):
            if not table[state, action]:
                raise BadInput(
                    f"reference never takes action {action} in state {state}, so that its"
                    " log-probability isn't finite; give it a positive chance"
                )
    return table


def refuse_table(space: Space, name: str) -> None:
    """Raises BadInput where actions are drawn by continuous noise."""
    if space.continuous is not None:
        instead = (
            "actions are drawn from the policy that is trained alone; off-policy losses are"
            " tried on finitely many actions, as bandit(...).sampled_by(...)"
            if name == "behaviour"
            else "a normal distribution is given there, as gaussian(..., reference=(mean, std))"
        )
        raise BadInput(
            f"{name}: a table over the actions isn't there where actions are drawn by"
            f" continuous noise; {instead}"
        )


def refuse_other_actions(space: Space, name: str, table: np.ndarray) -> None:
    """See that a table of a policy fits the space's own.

    Raises:
        BadInput: it has another shape, or takes an action that can't be taken.
    """
    if table.shape != (space.states, space.actions):
        raise BadInput(
            f"{name} has {table.shape[0]} rows of {table.shape[1]} entries, and the policy"
            f" {space.states} of {space.actions}; give as many"
        )
    for state, actions in space.taken.items():
        lost = [a for a in range(space.actions) if a not in actions and table[state, a]]
        if lost:
            raise BadInput(
                f"{name} takes action {lost[0]} in state {state}, where it can't be taken; give"
                " it a chance of 0"
            )
