"""That a list of episodes is a random process: whatever the policy, their probabilities add up to
1.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.policies import ILLEGAL, Policy, TablePolicy
from altpg_verify.errors import BadInput

PRIMES = (2**127 - 1, 2**521 - 1)
"""Σ chance Π π is 1 as a polynomial in the policy's entries if it is 1 at a random point modulo
such a prime: a false one passes with a chance of its degree over the prime.
"""


class Process:
    """What was checked of the episodes of a space: they exist, fit the policy, and add up to 1
    under every policy.

    Args:
        name: of the space, for messages.
        episodes: every episode that can happen.
        policy: whose actions they are.
        table: (states, actions) the policy somewhere, in float64; it says how many states and
            actions there are.

    Attributes:
        taken: for each state that is visited, the actions that some episode takes there.

    Raises:
        BadInput: an episode is in a state or takes an action that the policy doesn't have, one of
            the policy's actions is missing, or the probabilities don't add up to 1.
    """

    def __init__(
        self, name: str, episodes: Sequence[Any], policy: Policy, table: np.ndarray
    ) -> None:
        self._episodes, self._policy = episodes, policy
        if not episodes:
            raise BadInput(
                f"space {name!r} has no episodes; give at least one action and one reward"
            )
        states, actions = table.shape
        found: dict[int, set[int]] = {}
        for episode in episodes:
            for state, action in zip(episode.states, episode.actions, strict=True):
                if state >= states or action >= actions:
                    raise BadInput(
                        f"space {name!r}: an episode takes action {action} in state {state}, "
                        f"and the policy has {states} states and {actions} actions"
                    )
                found.setdefault(state, set()).add(action)
        self.taken: Mapping[int, frozenset[int]] = {
            state: frozenset(found[state]) for state in sorted(found)
        }
        for state, there in self.taken.items():
            legal = (
                {a for a, i in enumerate(policy.index[state]) if i != ILLEGAL}
                if isinstance(policy, TablePolicy)
                else there | {a for a in range(actions) if table[state, a] > 0}
            )
            if legal != there:
                which = min(legal ^ there)
                wrong = "no episode takes it" if which in legal else "the policy can't take it"
                raise BadInput(
                    f"space {name!r}: action {which} in state {state}: {wrong}; list an episode for"
                    " every action, or make it illegal"
                )
        if not self._adds_up():
            raise BadInput(
                f"space {name!r}: the probabilities of its episodes don't add up to 1 for every"
                " policy; list everything that can happen"
            )

    def of(self, episodes: Any, policy: Any) -> bool:
        """Whether these very objects are what was checked."""
        return self._episodes is episodes and self._policy is policy

    def _adds_up(self) -> bool:
        denominators = {episode.chance.denominator for episode in self._episodes}
        prime = next(
            (each for each in PRIMES if all(number % each for number in denominators)), None
        )
        if prime is None:
            return False
        generator = random.Random(len(self._episodes))
        rows: dict[int, dict[int, int]] = {}
        for state, actions in self.taken.items():
            first, *others = sorted(actions)
            rows[state] = {action: generator.randrange(prime) for action in others}
            rows[state][first] = (1 - sum(rows[state].values())) % prime
        inverses = {number: pow(number, -1, prime) for number in denominators}
        total = 0
        for episode in self._episodes:
            share = episode.chance.numerator * inverses[episode.chance.denominator]
            for state, action in zip(episode.states, episode.actions, strict=True):
                share = share * rows[state][action] % prime
            total += share
        return total % prime == 1
