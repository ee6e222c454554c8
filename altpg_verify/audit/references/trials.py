"""One variation of a space on which an update and references are compared, draw by draw."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.draw_counts import count_of
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration, SomeDraws
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import telling_rows
from altpg_verify.audit.references.sequences import Sequences
from altpg_verify.audit.updates import Update
from altpg_verify.untrusted.conditions import Conditions
from altpg_verify.untrusted.lines import LineCoverage

SEQUENCES = 20_000
"""So many draws are enumerated in every order, whatever the update does with orders."""


@dataclass
class Block:
    """Draws of one trial, with what the update does on them.

    Args:
        draws: as sequences.
        vectors: (B, n) the update.
        scores: (B, P, G, T, n).
        largest: the largest entry of any update of the trial.
        kept: what references have computed of these draws.
    """

    draws: Sequences
    vectors: np.ndarray
    scores: np.ndarray
    largest: float = 0.0
    kept: dict[Any, np.ndarray] = field(default_factory=dict)

    def telling(self, most: int) -> Block:
        """The draws that show most."""
        rows = np.array(sorted(telling_rows(self.vectors, most)), dtype=int)
        whole = self.draws.draws
        part = Draws(
            whole.tables, whole.indices[rows], None, whole.held, whole.frozen, whole.values
        )
        return Block(Sequences(part), self.vectors[rows], self.scores[rows], self.largest)


@dataclass
class Trial:
    """One variation of the space.

    Args:
        update: on it.
        point: the parameters.
        summary: what is varied, in words.
        own: the policy is sampled from itself.
        rows: (C, N) the episodes of the only draws that are looked at; all by default.
    """

    update: Update
    point: Parameters
    summary: str
    own: bool
    rows: np.ndarray | None = None

    @cached_property
    def enumeration(self) -> Enumeration:
        """Its draws, in every order; where those are too many, what was established of orders is
        used.
        """
        if self.rows is not None:
            return SomeDraws(self.update.space, rows=self.rows)
        if count_of(self.update.space) <= SEQUENCES:
            return Enumeration(self.update.space)
        return self.update.program.order.enumeration

    @cached_property
    def layout(self) -> Layout:
        """The groups of the policy that are judged."""
        groups = tuple(
            name for name in self.update.judged if name in self.update.space.policy.shapes
        )
        return Layout.of(groups, self.point)

    @cached_property
    def blocks(self) -> list[Block]:
        """Every draw of it, with what the update does.

        Raises:
            BadInput: the update can't be run there.
        """
        passes = Pass(self.update.program, [self.point], self.enumeration, self.layout)
        found = []
        for block in passes.blocks():
            vectors = self.update.program.vectors(block.draws, block.points, self.layout)
            draws = Sequences(block.draws)
            found.append(Block(draws, vectors, draws.scores(self.layout)))
        largest = max(
            (float(np.abs(block.vectors).max(initial=0.0)) for block in found), default=0.0
        )
        return [replace(block, largest=largest) for block in found]

    @property
    def ratios(self) -> tuple[float, float]:
        """The smallest and the largest ratio of a step."""
        if self.own:
            return 1.0, 1.0
        logs = [
            (block.draws.logprobs - block.draws.old)[block.draws.mask > 0] for block in self.blocks
        ]
        return math.exp(min(float(each.min()) for each in logs)), math.exp(
            max(float(each.max()) for each in logs)
        )


def unrun(update: Update, tried: list[Trial]) -> str:
    """Lines and branches of the update that ran on no trial, and conditions that went one way on
    all, in words; empty if there are none.
    """
    coverage = LineCoverage(update.function)
    _run(update, tried, coverage, lambda: not coverage.unrun())
    conditions = Conditions(coverage.roots)
    if conditions.sites:
        _run(update, tried, conditions, lambda: not conditions.open)
    # the least number of tokens is the space's, whatever policy it is
    found = conditions.one_way(counts=False)
    return str(coverage.unrun().also(found, "in the draws compared"))


def _run(
    update: Update,
    tried: list[Trial],
    watching: LineCoverage | Conditions,
    done: Callable[[], bool],
) -> None:
    """Run draws of every trial that tell much, watched, until it is done."""
    for trial in tried:
        passes = Pass(trial.update.program, [trial.point], trial.enumeration, trial.layout)
        for block in passes.blocks():
            vectors = trial.update.program.vectors(block.draws, block.points, trial.layout)
            rows = telling_rows(vectors, 6)
            with trial.update.watched(), watching:
                trial.update.program.singly(block.draws, block.points, trial.layout, rows)
            if done():
                return
