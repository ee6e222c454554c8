"""The draws of an enumeration in blocks, at one policy or at several: which episodes, with which
probabilities.

A block is draws of one shape at one policy, or, where draws are few, the same draws at all
policies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from altpg_verify.audit.draw_counts import sizes_of
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration, Part, reordered
from altpg_verify.audit.kept_draws import kept_rows
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import Points, Program
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.workers import PIECE

MOST_NUMBERS = 2_000_000
"""Numbers that a block hands to an update."""

WITHOUT_SCORES = 6_000_000
"""The same at one policy where no scores are asked for: arrays hold few of these numbers then, and
each call costs as much as some thousand draws.
"""

LARGEST_BLOCK = 1 << 16
"""Draws of a block at most."""


@dataclass(frozen=True, eq=False)
class Block:
    """Draws that are evaluated together.

    Args:
        draws: which.
        points: the parameters they are at.
        weights: (B,) their probabilities.
        policy: (B,) the number of each one's policy.
        moves: which draws of the same block in their own order these are in another one; None if
            they are in their own.
    """

    draws: Draws
    points: Points
    weights: np.ndarray
    policy: np.ndarray
    moves: np.ndarray | None = None


@dataclass(frozen=True)
class Spec:
    """Which draws a block consists of.

    Args:
        part: the number of the enumeration's part.
        start, stop: the draws' numbers.
        outcome: how the declared choices came out, by number.
        policy: the number of the point they are at; None for all points.
        order: in which other order the members of each draw are taken, see `reordered`; empty for their
            own.
    """

    part: int
    start: int
    stop: int
    outcome: int
    policy: int | None
    order: str = ""


@dataclass(frozen=True, eq=False)
class Pass:
    """All draws of an enumeration at some points.

    Args:
        program: the update.
        points: the parameters.
        enumeration: the draws.
        layout: the groups of parameters that are judged.
        held: where frozen quantities stand; the point itself by default.
    """

    program: Program
    points: Sequence[Parameters]
    enumeration: Enumeration
    layout: Layout
    held: Parameters | None = None

    def specs(self) -> list[Spec]:
        """The blocks, in order."""
        found = []
        for number, part in enumerate(self.enumeration.parts):
            together, most = PIECE, PIECE
            if self.program.mode != "single":
                numbers = _numbers(self.program, part, self.layout)
                together = most = _most(MOST_NUMBERS, numbers)
                if not _of_scores(self.program):
                    most = _most(WITHOUT_SCORES, numbers)
            for outcome in range(len(self._outcomes)):
                # where a part is small all policies share one call; else each has its own blocks
                if len(self.points) > 1 and part.count * len(self.points) <= together:
                    found.append(Spec(number, 0, part.count, outcome, None))
                    continue
                for start in range(0, part.count, most):
                    stop = min(start + most, part.count)
                    found += [
                        Spec(number, start, stop, outcome, policy)
                        for policy in range(len(self.points))
                    ]
        return found

    def evaluated(self, spec: Spec) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """(weights, policies, updates) of a block; None if it has no draw."""
        block = self.block(spec)
        if block is None:
            return None
        return (
            block.weights,
            block.policy,
            self.program.vectors(block.draws, block.points, self.layout),
        )

    def blocks(self) -> Iterator[Block]:
        """All of them, those without a draw left out."""
        for spec in self.specs():
            block = self.block(spec)
            if block is not None:
                yield block

    def block(self, spec: Spec) -> Block | None:
        """Its draws, those of probability 0 and those that the space throws away left out; None if
        none is left.
        """
        share, values = self._outcomes[spec.outcome]
        frozen = self.program.update.frozen
        numbers = np.arange(spec.start, spec.stop)
        indices, orders = self._rows(spec)
        if spec.policy is None:
            weights = share * orders * probabilities_of(self._together.sampled, indices)
            kept = np.stack(
                [
                    _kept(self.enumeration, spec.part, numbers, Draws(tables, indices))
                    for tables in self._each
                ]
            )
            # draws of probability 0 aren't run: 0/0 in them would be nobody's fault
            policy, row = np.nonzero((weights > 0) & kept)
            if not len(row):
                return None
            draws = Draws(self._together, indices[row], policy, self._beside, frozen, values)
            return Block(draws, Points(self.points, policy), weights[policy, row], policy)
        tables = self._each[spec.policy]
        weights = share * orders * self._probabilities(spec, tables, indices)
        chosen = (weights > 0) & _kept(self.enumeration, spec.part, numbers, Draws(tables, indices))
        if not chosen.any():
            return None
        if not chosen.all():
            indices, weights = indices[chosen], weights[chosen]
        moves = None
        if spec.order:
            moves, indices = reordered(indices, sizes_of(self._space), spec.order)
            weights = weights[moves]
            if not len(weights):
                return None
        draws = Draws(tables, indices, None, self._stand, frozen, values)
        return Block(
            draws,
            Points([self.points[spec.policy]]),
            weights,
            np.full(len(weights), spec.policy),
            moves,
        )

    def _rows(self, spec: Spec) -> tuple[np.ndarray, np.ndarray]:
        """The episodes of a block's draws, and how many orders they stand for; the last ones are
        kept, since policy after policy asks for the same.
        """
        key = spec.part, spec.start, spec.stop
        if self._made.get("key") != key:
            numbers, rows = np.arange(spec.start, spec.stop), self.enumeration.parts[spec.part]
            self._made.clear()
            self._made.update(key=key, rows=(rows.indices(numbers), rows.times(numbers)))
        found: tuple[np.ndarray, np.ndarray] = self._made["rows"]
        return found

    def _probabilities(self, spec: Spec, tables: Tables, indices: np.ndarray) -> np.ndarray:
        """(B,) how probable the episodes of a block's draws are together at its policy; the last
        ones are kept, since other orders and outcomes have the same.
        """
        if self._made.get("policy") != spec.policy:
            self._made.update(
                policy=spec.policy, probabilities=probabilities_of(tables.sampled, indices)
            )
        found: np.ndarray = self._made["probabilities"]
        return found

    @cached_property
    def _made(self) -> dict[str, Any]:
        return {}

    @cached_property
    def _outcomes(self) -> list[tuple[float, dict[str, Any]]]:
        return outcomes(self.program.update.choices)

    @property
    def _space(self) -> Space:
        return self.program.update.space

    @cached_property
    def _each(self) -> list[Tables]:
        return [Tables.at(self._space, point) for point in self.points]

    @cached_property
    def _together(self) -> Tables:
        return Tables.stack(self._space, self.points)

    @cached_property
    def _stand(self) -> Tables | None:
        return (
            Tables.at(self._space, self.held)
            if self.held is not None and self.program.update.frozen
            else None
        )

    @cached_property
    def _beside(self) -> Tables | None:
        stands = self.held is not None and self.program.update.frozen
        return (
            Tables.stack(self._space, [self.held] * len(self.points))
            if stands and self.held is not None
            else None
        )


def probabilities_of(sampled: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """(..., B) the product of the probabilities (..., episodes) of the episodes of each draw."""
    each = np.take(sampled, indices, axis=-1)
    out: np.ndarray = each[..., 0]
    # column by column: draws are many and episodes of a draw few
    for column in range(1, indices.shape[1]):
        out = out * each[..., column]
    return out


def outcomes(
    choices: Mapping[str, Sequence[tuple[Any, Any]]],
) -> list[tuple[float, dict[str, Any]]]:
    """(probability, values by name) of every way the declared choices can come out."""
    found = []
    for outcome in product(*choices.values()):
        share = 1.0
        for _, chance in outcome:
            share *= float(chance)
        found.append(
            (share, {name: value for name, (value, _) in zip(choices, outcome, strict=True)})
        )
    return found


def _kept(enumeration: Enumeration, part: int, numbers: np.ndarray, draws: Draws) -> np.ndarray:
    """Which of these draws the space keeps, asked once only if the answer depends on nothing that
    parameters move.
    """
    if draws.space.keep is None:
        return np.ones(len(numbers), dtype=bool)
    key = (part, int(numbers[0]), len(numbers))
    if key not in enumeration.kept:
        answer = kept_rows(draws)
        if draws.moves:
            return answer
        enumeration.kept[key] = answer
    return enumeration.kept[key]


def _most(numbers: int, each: int) -> int:
    """Draws of a block of so many numbers, of which each draw takes some."""
    return min(LARGEST_BLOCK, max(16, numbers // each))


def _numbers(program: Program, part: Part, layout: Layout) -> int:
    """How many numbers a draw of this part hands to the update."""
    space = program.update.space
    steps = sum(rows.indices.shape[1] for rows in part.factors) * space.horizon
    scores = layout.size if _of_scores(program) else space.actions
    return (
        steps * (4 + scores)
        + 2 * layout.size
        + space.states * space.actions * (1 + ("pi" in program.update.needs))
    )


def _of_scores(program: Program) -> bool:
    """Whether a block holds a score of every step."""
    return bool({"scores", "logprobs"} & {*program.update.needs})
