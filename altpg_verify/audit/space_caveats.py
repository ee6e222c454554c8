"""What a verdict on a space can't see: what a time limit cuts off, and where there is no choice."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from altpg_verify.audit.policies import TablePolicy

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space


def undeclared_cut(space: Space) -> tuple[Fraction | float, int] | None:
    """(share, steps) of the episodes that a time limit cuts off although nobody declared what
    follows; None if there are none.

    The share is a probability under the policy where the audit stands, exact if that policy is.
    """
    lost = [episode for episode in space.episodes if episode.cut]
    if not lost:
        return None
    exact = space.weights is not None
    table = (
        space.policy.exact_table(space.weights)
        if space.weights is not None and isinstance(space.policy, TablePolicy)
        else space.policy.table(space.parameters)
    )
    share: Any = 0
    for episode in lost:
        ways = math.prod(table[cell] for cell in zip(episode.states, episode.actions, strict=True))
        share += (episode.chance if exact else float(episode.chance)) * ways
    return share, max(map(len, lost))


def caveats(space: Space) -> tuple[str, ...]:
    """What a verdict on this space can't see, one sentence each; reports print them with every
    verdict.
    """
    texts = []
    if space.undeclared_cut is not None:
        share, steps = space.undeclared_cut
        texts.append(
            f"the time limit of {steps} steps cuts off unfinished episodes, with probability"
            f" {_percent(share)} at this policy, and what would follow counts as 0 because"
            " nothing else was declared, so bootstrapping at the limit isn't tested; write"
            " at_limit='ends' if the limit is part of the problem, at_limit='value' or a"
            " number for each state if it isn't"
        )
    if all(len(actions) == 1 for actions in space.taken.values()):
        texts.append(
            "no state has two actions to choose from: there is nothing to learn, so nothing was"
            " tested"
        )
    return tuple(texts)


def _percent(share: Any) -> str:
    percent = float(share) * 100
    return f"{percent:.3g} %" if percent < 99.95 or share == 1 else "almost all"
