"""Finite sample spaces: every episode that can happen, its probability as a function of the policy, and how draws are made of episodes.

A `Space` is a small decision problem with a policy, plus a scheme of drawing: one episode, a batch of N, or a group of G from one
start. All of it is enumerated; nothing is sampled here.

    bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"]).batch(4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from altpg_verify.audit.enumeration import count_of
from altpg_verify.audit.episode_arrays import EpisodeArrays
from altpg_verify.audit.policies import ILLEGAL, Parameters, Policy, TablePolicy
from altpg_verify.cases import vector
from altpg_verify.errors import BadInput

Scheme = Literal["one", "batch", "group", "groups"]


@dataclass(frozen=True)
class Episode:
    """One way an episode can go.

    Args:
        chance: the environment's share of its probability (start, transitions, reward noise); the policy's share is the product
            of the probabilities of its actions.
        states, actions, rewards: equally long, one entry a step.
        final_value: what a value function says of the state in which a time limit cut the episode off; 0 if it ended by itself.
    """

    chance: Fraction
    states: tuple[int, ...]
    actions: tuple[int, ...]
    rewards: tuple[Fraction, ...]
    final_value: Fraction = Fraction(0)

    @property
    def start(self) -> int:
        """The state it starts in."""
        return self.states[0]

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True, eq=False)
class Space:
    """A decision problem with finitely many episodes, a policy at a point, and a scheme of drawing.

    Args:
        name: what reports call it.
        episodes: every episode that can happen.
        policy: how parameters become action probabilities.
        parameters: the point at which the audit stands; groups the policy doesn't read (a critic's) may be among them.
        weights: e^θ of that point as exact numbers, if it is rational (tabular policies only).
        discount: γ.
        behaviour: (states, actions) the policy that is sampled, a fixed table or a function of the parameters; the policy itself if None.
        reference: (states, actions) a fixed policy to keep near.
        constants: whatever else an update may ask for by name, e.g. b, eps, ddof, features.
        scheme, size: one episode; a batch of `size`; a group of `size` from one start drawn at random; a group from every start at once.
        keep: draws for which it is false are thrown away and drawn again (with their start, if the start is drawn).
        exchangeable: draws that differ in order only are enumerated once; right for updates that don't look at the order.
    """

    name: str
    episodes: tuple[Episode, ...]
    policy: Policy
    parameters: Parameters
    weights: tuple[Any, ...] | None = None
    discount: Fraction = Fraction(1)
    behaviour: np.ndarray | Callable[[Parameters], np.ndarray] | None = None
    reference: np.ndarray | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    scheme: Scheme = "one"
    size: int = 1
    exchangeable: bool = False
    keep: Callable[[Any], bool] | None = None

    # --- what it is -------------------------------------------------------------------------------------------------

    @cached_property
    def states(self) -> int:
        """The number of states."""
        return self.policy.table(self.parameters).shape[0]

    @cached_property
    def actions(self) -> int:
        """The largest number of actions in a state."""
        return self.policy.table(self.parameters).shape[1]

    @cached_property
    def horizon(self) -> int:
        """The length of the longest episode."""
        return max(map(len, self.episodes))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The states in which episodes start: prompts, contexts."""
        return tuple(dict.fromkeys(episode.start for episode in self.episodes))

    def start_weight(self, start: int) -> Fraction:
        """The probability that an episode starts there."""
        # the policy's share of all episodes from a start adds to 1, so a uniform stand-in will do
        return sum(
            (episode.chance * share for episode, share in zip(self.episodes, self._uniform, strict=True) if episode.start == start),
            Fraction(0),
        )

    @property
    def _uniform(self) -> list[Fraction]:
        table = self.policy.table(self.parameters)
        legal = (
            (table > 0).sum(axis=1)
            if not isinstance(self.policy, TablePolicy)
            else [sum(i != ILLEGAL for i in row) for row in self.policy.index]
        )
        return [Fraction(1, math.prod(int(legal[s]) for s in episode.states)) for episode in self.episodes]

    @cached_property
    def arrays(self) -> EpisodeArrays:
        """The episodes as arrays."""
        return EpisodeArrays(self.episodes)

    @property
    def draws_count(self) -> int:
        """How many draws there are; of multisets, where draws that differ in order only are declared to be exchangeable."""
        return count_of(self, merged=self.exchangeable)

    def __str__(self) -> str:
        scheme = {
            "one": "one episode a draw",
            "batch": f"batches of {self.size}",
            "group": f"groups of {self.size} from one start",
            "groups": f"a group of {self.size} from each of {len(self.starts)} starts",
        }[self.scheme]
        return f"{self.name}, {scheme}"

    # --- variations -------------------------------------------------------------------------------------------------

    def batch(self, size: int, *, exchangeable: bool = False) -> Space:
        """Draws of `size` independent episodes."""
        return replace(self, scheme="batch", size=_positive("batch size", size), exchangeable=exchangeable)

    def group(self, size: int, *, every_start: bool = False, exchangeable: bool = False) -> Space:
        """Draws of `size` episodes from one start, itself drawn; or, with `every_start`, so many from each start at once."""
        scheme: Scheme = "groups" if every_start else "group"
        return replace(self, scheme=scheme, size=_positive("group size", size), exchangeable=exchangeable)

    def at(self, *, weights: Sequence[Any] | None = None, **groups: Any) -> Space:
        """The same with parameters elsewhere; `weights` are e^θ in exact numbers, flattened (for softmax: any multiple of π)."""
        if weights is not None:
            return replace(self, **point_at(self.policy, weights, self.parameters))
        moved = {name: np.asarray(values, dtype=float) for name, values in groups.items()}
        exact = None if set(groups) & set(self.policy.shapes) else self.weights
        return replace(self, parameters={**self.parameters, **moved}, weights=exact)

    def having(self, **constants: Any) -> Space:
        """The same with constants that updates may ask for by name."""
        return replace(self, constants={**self.constants, **constants})

    def keeping(self, keep: Callable[[Any], bool]) -> Space:
        """The same with draws thrown away and drawn again where `keep(draw)` is false (groups whose rewards are all equal)."""
        return replace(self, keep=keep)

    def discounted(self, discount: Any) -> Space:
        """The same with another γ."""
        return replace(self, discount=as_fraction("discount", discount))

    def sampled_by(self, behaviour: Any) -> Space:
        """The same, but sampled by another policy: a table of probabilities, or a function of the parameters."""
        return replace(self, behaviour=behaviour if callable(behaviour) else _table(behaviour))

    def against(self, reference: Any) -> Space:
        """The same with a reference policy, a table of probabilities."""
        return replace(self, reference=_table(reference))

    def training(self, **groups: Any) -> Space:
        """The same with further groups of parameters, which the policy doesn't read (a critic)."""
        return self.at(**groups)

    def named(self, name: str) -> Space:
        """The same under another name."""
        return replace(self, name=name)


def point_at(policy: Policy, weights: Sequence[Any], others: Parameters) -> dict[str, Any]:
    """A point of a tabular policy as a space stores it: exact weights e^θ, flattened, and θ in float64.

    Raises:
        BadInput: the policy isn't tabular, or the weights aren't so many positive numbers.
    """
    if not isinstance(policy, TablePolicy):
        raise BadInput("weights: only tabular policies have exact weights; give the parameters by name instead")
    exact = tuple(as_fraction("weights", entry) for entry in weights)
    if len(exact) != math.prod(policy.shape) or any(entry <= 0 for entry in exact):
        raise BadInput(f"the policy needs {math.prod(policy.shape)} positive weights, not {', '.join(map(str, exact))}")
    theta = np.array([math.log(entry) for entry in exact]).reshape(policy.shape)
    return {"weights": exact, "parameters": {**others, policy.group: theta}}


def _table(entries: Any) -> np.ndarray:
    rows = entries if isinstance(entries[0], list | tuple | np.ndarray) else [entries]
    return np.array([vector([as_fraction("policy table", entry) for entry in row]) for row in rows], dtype=object)


def as_fraction(name: str, value: Any) -> Fraction:
    """Anything `Fraction` reads; BadInput names the argument otherwise."""
    try:
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise BadInput(f"{name}: {value!r} is no number; write whole numbers, decimals or fractions like '1/3'") from None


def _positive(name: str, value: Any) -> int:
    if not isinstance(value, int) or value < 1:
        raise BadInput(f"{name} must be a whole number of at least 1, not {value!r}")
    return value
