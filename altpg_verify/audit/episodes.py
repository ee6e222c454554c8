"""An episode: its states, actions and rewards, with its share of chance beside the policy's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.audit.declarations import as_fraction, as_list, whole
from altpg_verify.errors import BadInput

LEAST_PROBABILITY = Fraction(1, 10**300)
"""Of an action of an exact policy: less is lost in float64."""


LARGEST_DRAW = 10**12
"""The most episodes of a draw that can be spoken of."""


@dataclass(frozen=True)
class Episode:
    """One way an episode can go.

    Args:
        chance: the environment's share of its probability (start, transitions, reward noise); the
            policy's share is the product of the probabilities of its actions.
        states, actions, rewards: equally long, one entry a step.
        final_value: what the state is worth in which a time limit cut the episode off; 0 if it
            ended by itself.
        cut: a time limit cut it off, and nobody declared what the rest is worth (see
            `Space.caveats`).

    Raises:
        BadInput: the chance isn't positive, there is no step, or the three lists are of different
            lengths.

    Examples:
        >>> from altpg_verify.audit import Episode
        >>> len(Episode(1, (0, 1), (1, 0), (0, 1)))
        2
    """

    chance: Fraction
    states: tuple[int, ...]
    actions: tuple[int, ...]
    rewards: tuple[Fraction, ...]
    final_value: Fraction = Fraction(0)
    cut: bool = False

    def __post_init__(self) -> None:
        for name in ("chance", "final_value"):
            if type(getattr(self, name)) is not Fraction:
                object.__setattr__(
                    self, name, as_fraction(f"{name} of an episode", getattr(self, name))
                )
        if self.chance <= 0 or self.chance > 1:
            raise BadInput(
                f"an episode has a chance of {self.chance}; list what can happen, with a chance"
                " above 0 and at most 1"
            )
        for name in ("states", "actions"):
            given: Any = getattr(self, name)
            if type(given) is not tuple or not all(
                type(entry) is int and entry >= 0 for entry in given
            ):
                label = f"{name} of an episode"
                object.__setattr__(
                    self, name, tuple(whole(label, entry, 0) for entry in as_list(label, given))
                )
        if type(self.rewards) is not tuple or not all(
            type(entry) is Fraction for entry in self.rewards
        ):
            label = "rewards of an episode"
            object.__setattr__(
                self,
                "rewards",
                tuple(as_fraction(label, entry) for entry in as_list(label, self.rewards)),
            )
        if not len(self.states) == len(self.actions) == len(self.rewards) > 0:
            raise BadInput(
                f"an episode has {len(self.states)} states, {len(self.actions)} actions and"
                f" {len(self.rewards)} rewards; give one of each for every step, and at least one"
                " step"
            )

    @property
    def start(self) -> int:
        """The state it starts in."""
        return self.states[0]

    def __len__(self) -> int:
        return len(self.states)
