"""Why an update of several agents isn't what it is meant to be: a baseline that depends on the
agent's own action.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from altpg_verify.audit.agreement import NOTHING
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.expected_update import identifiable_projection, moments
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput


def own_action(update: Update, found: Evidence) -> str:
    """Which agents are moved although every joint action pays 1, where none is if all pay 0; empty
    if none is, or there is one agent.
    """
    space, policy = update.space, update.space.policy
    if (
        space.game is None
        or not isinstance(policy, TablePolicy)
        or update.judged != (policy.group,)
    ):
        return ""
    identifiable = identifiable_projection(space, update.judged)
    try:
        without, same = (
            moments(update.on(_paying(space, Fraction(pay))), found.places[found.where])
            for pay in (0, 1)
        )
    except BadInput:
        return ""
    if np.abs(identifiable @ without.mean).max() > NOTHING * max(1.0, float(without.size.max())):
        return ""
    moved = np.abs(identifiable @ same.mean)
    agents = [
        agent
        for agent, row in enumerate(policy.index)
        if moved[[i for i in row if i >= 0]].max() > NOTHING * float(same.size.max())
    ]
    if not agents:
        return ""
    used = [i for row in policy.index for i in row if i >= 0]
    who = (
        "the shared logits"
        if len(set(used)) < len(used)
        else f"agent{'s' if len(agents) > 1 else ''} {' and '.join(map(str, agents))}"
    )
    return (
        f"where every joint action pays the same it still moves {who}: what is subtracted depends"
        " on the agent's own action"
    )


def _paying(space: Space, pay: Fraction) -> Space:
    """The same game, in which every joint action pays so much."""
    paid = tuple(
        replace(each, rewards=(*(Fraction(0) for _ in each.rewards[1:]), pay))
        for each in space.episodes
    )
    return replace(space, episodes=paid)
