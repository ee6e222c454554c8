"""A block of draws as arrays of one shape, (B, P, G, T): draws, prompts, members of each prompt's
group, steps.

One episode is P = G = 1; a batch or a group is P = 1; a group from every start has a prompt for
each. Padding is masked.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.draws import Draws
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.references.return_formulas import differences, discounted, generalised

Number = float | str
"""A number, or the name of a constant of the space."""

NUMPY: Any = np
"""What the formulas of returns compute with here."""

FAR = 1e9
"""In place of a bound that isn't there."""


class Sequences:
    """What references are computed from.

    Args:
        draws: at one policy.
        rewards: (B, P, G, T) in place of the draws' own.
    """

    def __init__(self, draws: Draws, rewards: np.ndarray | None = None) -> None:
        self.draws, self._rewards = draws, rewards

    @cached_property
    def shape(self) -> tuple[int, int, int, int]:
        """(B, P, G, T)."""
        space = self.draws.space
        prompts = len(space.starts) if space.scheme == "groups" else 1
        steps = self.draws.shape[-1] if space.scheme == "one" else space.horizon
        return len(self.draws), prompts, 1 if space.scheme == "one" else space.size, steps

    def step(self, name: str) -> np.ndarray:
        """A name that has an entry for each step."""
        return np.asarray(self.draws.array(name), dtype=float).reshape(self.shape)

    def each(self, name: str) -> np.ndarray:
        """(B, P, G, 1) a name that has an entry for each episode."""
        return np.asarray(self.draws.array(name), dtype=float).reshape(*self.shape[:3], 1)

    @cached_property
    def mask(self) -> np.ndarray:
        """1 where there is a step."""
        return self.step("mask")

    @cached_property
    def lengths(self) -> np.ndarray:
        """(B, P, G, 1) steps of each episode."""
        return self.mask.sum(axis=-1, keepdims=True)

    @cached_property
    def rewards(self) -> np.ndarray:
        """The rewards, 0 in the padding."""
        return self.step("rewards") if self._rewards is None else self._rewards

    @cached_property
    def logprobs(self) -> np.ndarray:
        """log π(a | s)."""
        return self.step("logprobs")

    @cached_property
    def old(self) -> np.ndarray:
        """The same under the policy that was sampled."""
        return self.step("old_logprobs")

    @property
    def start(self) -> np.ndarray:
        """The same under the trainer's policy when its step began, where another engine samples:
        the current one, as in the first of several steps.
        """
        return self.logprobs

    @cached_property
    def ref(self) -> np.ndarray:
        """The same under the reference policy."""
        return self.step("ref_logprobs")

    @cached_property
    def states(self) -> np.ndarray:
        """The states as whole numbers."""
        return np.asarray(self.draws.array("states")).reshape(self.shape)

    @cached_property
    def discount(self) -> float:
        """γ."""
        return float(self.draws.space.discount)

    @cached_property
    def returns(self) -> np.ndarray:
        """(B, P, G, 1) Σ γᵗ r_t from the start, nothing added at a time limit."""
        powers = self.discount ** np.arange(self.shape[3])
        return (self.rewards * powers).sum(axis=-1, keepdims=True)

    def to_go(self, rewards: np.ndarray, *, last: np.ndarray | float = 0.0) -> np.ndarray:
        """Σ_{u ≥ t} γ^(u - t) r_u, with `last`, () or (B, P, G), after the end."""
        return discounted(rewards, self.mask, self.discount, last, NUMPY)

    @cached_property
    def values(self) -> np.ndarray:
        """V(s) at each step."""
        return self.draws.tables.values[self.states] * self.mask

    @cached_property
    def final(self) -> np.ndarray:
        """(B, P, G, 1) what the state is worth in which a time limit cut the episode off."""
        return self.each("final_values")

    @cached_property
    def errors(self) -> np.ndarray:
        """The temporal-difference errors r + γ V(s') - V(s)."""
        return differences(
            self.rewards, self.values, self.mask, self.discount, self.final[..., 0], NUMPY
        )

    def generalised(self, lam: float) -> np.ndarray:
        """Σ (γλ)ᵘ δ_{t+u}."""
        return generalised(
            self.rewards, self.values, self.mask, self.discount, lam, self.final[..., 0], NUMPY
        )

    @cached_property
    def exact_advantages(self) -> np.ndarray:
        """q(s, a) - V(s) at each step."""
        tables = self.draws.tables
        actions = np.asarray(self.draws.array("actions")).reshape(self.shape)
        return (tables.q - tables.values[..., None])[self.states, actions] * self.mask

    @cached_property
    def greedy(self) -> np.ndarray:
        """(B, P, G, 1) the expected return of the greedy policy from each start."""
        tables = self.draws.tables
        greedy = np.zeros_like(tables.table)
        greedy[np.arange(len(greedy)), tables.table.argmax(axis=1)] = 1.0
        return Tables(self.draws.space, greedy).values[self.states[..., :1]]

    @cached_property
    def level(self) -> np.ndarray:
        """(B,) whether all returns of a draw are equal."""
        return np.ptp(self.returns.reshape(len(self.draws), -1), axis=1) == 0

    def number(self, given: Number) -> float:
        """A number as it is; a constant of the space by name, or less 1: "cap - 1"."""
        if not isinstance(given, str):
            return given
        name = given.removesuffix(" - 1")
        return float(self.draws.space.constants[name]) - (given != name)

    def has(self, name: str) -> bool:
        """Whether there is a constant of this name, or of what it is less 1."""
        return name.removesuffix(" - 1") in self.draws.space.constants

    def scores(self, layout: Layout) -> np.ndarray:
        """(B, P, G, T, n) ∇ log π(a | s) of each step, flattened over the groups of parameters."""
        parts = []
        for group in layout.groups:
            found = self.draws.scores_of(group)
            parts.append(np.asarray(found, dtype=float).reshape(*self.shape, -1))
        return np.concatenate(parts, axis=-1)

    def paying(self, rewards: np.ndarray) -> Sequences:
        """The same with other rewards."""
        return Sequences(self.draws, rewards)


def shown_number(given: Any) -> str:
    """A number or the name of a constant, as a reader writes it."""
    if isinstance(given, str):
        return f"({given})" if " " in given else given
    return "∞" if given >= FAR else f"{given:g}"
