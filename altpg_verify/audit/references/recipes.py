"""A reference update: an advantage, a surrogate, an aggregation and a divergence term, each with
its numbers; and what it does on draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.references.advantages import ADVANTAGES, Advantage
from altpg_verify.audit.references.sequences import Sequences
from altpg_verify.audit.references.surrogates import Piece
from altpg_verify.audit.spaces import Space

NO_DIVERGENCE = Piece("divergence", "none")


@dataclass(frozen=True)
class Recipe:
    """One reference update.

    Args:
        advantage, surrogate, aggregation, divergence: its parts.
    """

    advantage: Advantage
    surrogate: Piece
    aggregation: Piece
    divergence: Piece = NO_DIVERGENCE

    def coefficients(
        self, draws: Sequences, kept: dict[Any, np.ndarray] | None = None
    ) -> np.ndarray:
        """(B, P, G, T) what multiplies the score of each step; an ascent direction.

        Args:
            kept: what was computed of these draws for other recipes.
        """
        known = {} if kept is None else kept
        weights, term = self._weights(draws, known), self._term(draws, known)
        penalised = self.penalised
        key = (self.advantage, self.divergence) if penalised else self.advantage
        advantages = _kept(
            known,
            key,
            lambda: self.advantage(draws.paying(draws.rewards - term) if penalised else draws),
        )
        policy = _kept(
            known,
            (key, self.surrogate, self.aggregation),
            lambda: (
                self.surrogate.formula.at(draws, advantages, weights, **self.surrogate.given(draws))
                * draws.mask
            ),
        )
        return policy if penalised or self.divergence.name == "none" else policy - weights * term

    @property
    def penalised(self) -> bool:
        """Whether the divergence is taken off the reward."""
        return self.divergence.name.endswith("in the reward")

    def _weights(self, draws: Sequences, known: dict[Any, np.ndarray]) -> np.ndarray:
        return _kept(
            known,
            self.aggregation,
            lambda: self.aggregation.formula.at(draws, **self.aggregation.given(draws)),
        )

    def _term(self, draws: Sequences, known: dict[Any, np.ndarray]) -> np.ndarray:
        return _kept(known, self.divergence, lambda: self._divergence(draws))

    def _divergence(self, draws: Sequences) -> np.ndarray:
        given = self.divergence.given(draws)
        beta = given.pop("beta", 0.0)
        return beta * self.divergence.formula.at(draws, **given) * draws.mask

    def vectors(
        self,
        draws: Sequences,
        scores: np.ndarray,
        layout: Layout,
        kept: dict[Any, np.ndarray] | None = None,
    ) -> np.ndarray:
        """(B, n) the update on every draw."""
        return _along(self.coefficients(draws, kept), scores)

    def divergence_vectors(
        self, draws: Sequences, scores: np.ndarray, kept: dict[Any, np.ndarray]
    ) -> np.ndarray:
        """(B, n) what a divergence in the loss takes off the update, whatever the advantages."""
        return _along(self._weights(draws, kept) * self._term(draws, kept), scores)

    def fits(self, space: Space) -> bool:
        """Whether it makes sense on the draws of a space."""
        return self.advantage.fits(space) and (
            "ref_logprobs" not in self.divergence.formula.reads or space.reference is not None
        )

    @property
    def reads(self) -> frozenset[str]:
        """Names of a draw that it is made of, besides rewards and log-probabilities."""
        return frozenset(
            {
                *ADVANTAGES[self.advantage.name].reads,
                *self.surrogate.formula.reads,
                *self.divergence.formula.reads,
            }
        )

    def __str__(self) -> str:
        parts = [f"A = {self.advantage}", str(self.surrogate), str(self.aggregation)]
        return "; ".join(parts + ([str(self.divergence)] if self.divergence.name != "none" else []))


@dataclass(frozen=True)
class OnLogits:
    """A reference update that moves logits directly, not along scores.

    Args:
        name: which: "neurd" or "sampled neurd".
        reads: names of a draw that it is made of.
    """

    name: str
    reads: frozenset[str] = field(default=frozenset({"h", "q", "pi"}))

    def vectors(
        self,
        draws: Sequences,
        scores: np.ndarray,
        layout: Layout,
        kept: dict[Any, np.ndarray] | None = None,
    ) -> np.ndarray:
        """(B, n) the update on every draw: the mean over the draw's episodes."""
        tables, policy = draws.draws.tables, draws.draws.space.policy
        assert isinstance(policy, TablePolicy)
        out = np.zeros((draws.shape[0], int(np.prod(policy.shape))))
        states, actions = (
            draws.states[..., 0],
            np.asarray(draws.draws.array("actions")).reshape(draws.shape)[..., 0],
        )
        index = np.asarray(policy.index)
        rows = np.broadcast_to(np.arange(draws.shape[0])[:, None, None], states.shape)
        share = 1 / (draws.shape[1] * draws.shape[2])
        if self.name == "sampled neurd":
            step = (draws.rewards[..., 0] - tables.values[states]) / tables.table[states, actions]
            np.add.at(out, (rows, index[states, actions]), share * step)
            return out
        for action in range(index.shape[1]):
            there = index[states, action] >= 0
            step = (tables.q - tables.values[:, None])[states, action]
            np.add.at(out, (rows[there], index[states, action][there]), share * step[there])
        return out

    def fits(self, space: Space) -> bool:
        """One step, a logit of its own for each action."""
        policy = space.policy
        return space.horizon == 1 and isinstance(policy, TablePolicy) and policy.separate

    def __str__(self) -> str:
        return (
            "θ(s, a) by (R - V(s)) / π(a | s) for the sampled action"
            if self.name == "sampled neurd"
            else "θ(s, a) by q(s, a) - Σ π q for every action"
        )


Reference = Recipe | OnLogits


def _along(coefficients: np.ndarray, scores: np.ndarray) -> np.ndarray:
    count = len(coefficients)
    return np.matmul(
        coefficients.reshape(count, 1, -1), scores.reshape(count, -1, scores.shape[-1])
    )[:, 0]


def _kept(known: dict[Any, np.ndarray], key: Any, compute: Callable[[], np.ndarray]) -> np.ndarray:
    if key not in known:
        known[key] = compute()
    return known[key]
