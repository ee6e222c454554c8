"""One reference against an update, draw by draw: where they agree, and how far they are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.audit.references.equivalence import names_of
from altpg_verify.audit.references.identification import Difference
from altpg_verify.audit.references.recipes import Reference
from altpg_verify.audit.references.trials import Block, Trial

CLOSE = 1e-9
"""Relative difference of two updates on one draw below which they agree."""

NOTHING = 1e-14
"""The same as a share of the largest update of the trial: rounding of what cancels."""

LEVEL = 1e-7
"""The same where all returns of a draw are equal and the reference is 0: rounding of their mean,
divided by an epsilon.
"""

SHOWN = 18
"""Of more actions or rewards of a draw only the first are shown."""

ROWS = 10
"""Draws of a block on which all references are tried first."""


class Comparison:
    """An update and references on the draws of trials.

    Args:
        tried: the trials.

    Attributes:
        close: relative difference up to which a reference agrees.
    """

    def __init__(self, tried: list[Trial]) -> None:
        self.tried = tried
        self._tellings: dict[int, list[Block]] = {}
        self.close = CLOSE

    def agrees(
        self,
        reference: Reference,
        trials: Sequence[Trial],
        identifiable: np.ndarray | None = None,
        factor: float = 1.0,
    ) -> bool:
        """On a few draws of each trial first, then on all."""
        for look in (self.telling, lambda trial: trial.blocks):
            for trial in trials:
                if not all(
                    bool(self.same(reference, block, identifiable, factor).all())
                    for block in look(trial)
                ):
                    return False
        return True

    def telling(self, trial: Trial) -> list[Block]:
        """The draws of a trial that show most."""
        key = id(trial)
        if key not in self._tellings:
            self._tellings[key] = [block.telling(ROWS) for block in trial.blocks[:8]]
        return self._tellings[key]

    def same(
        self,
        reference: Reference,
        block: Block,
        identifiable: np.ndarray | None = None,
        factor: float = 1.0,
    ) -> np.ndarray:
        """(B,) on which draws they agree."""
        theirs = factor * self.vectors(reference, block)
        own = block.vectors
        if identifiable is not None:
            theirs, own = theirs @ identifiable, own @ identifiable
        sizes = np.maximum(np.abs(own).max(axis=1), np.abs(theirs).max(axis=1))
        level = block.draws.level & (np.abs(theirs).max(axis=1) == 0)
        return np.abs(own - theirs).max(axis=1) <= self.close * sizes + np.where(
            level, LEVEL * block.largest, NOTHING * block.largest
        )

    def vectors(self, reference: Reference, block: Block) -> np.ndarray:
        """(B, n) what the reference does on these draws; infinite where it isn't a number."""
        with np.errstate(all="ignore"):
            found = reference.vectors(block.draws, block.scores, self.tried[0].layout, block.kept)
        return np.where(np.isnan(found), np.inf, found)

    def factor(self, reference: Reference, blocks: Sequence[Block]) -> float | None:
        """How many times the reference the update is, by least squares; None if one of them is
        nothing.
        """
        own = np.concatenate([block.vectors.reshape(-1) for block in blocks])
        theirs = np.concatenate([self.vectors(reference, block).reshape(-1) for block in blocks])
        size = float(np.abs(theirs).max(initial=0.0))
        if not np.isfinite(size) or size == 0.0 or not np.abs(own).max(initial=0.0):
            return None
        unit = theirs / size
        return float(own @ unit / (unit @ unit)) / size

    def distance(self, reference: Reference, trials: Sequence[Trial]) -> tuple[float, float, bool]:
        """Share of draws that differ, size of the difference, whether it is unpublished."""
        wrong, gap, size, count = 0, 0.0, 0.0, 0
        for trial in trials:
            for block in self.telling(trial):
                theirs = self.vectors(reference, block)
                if not np.isfinite(theirs).all():
                    return 1.0, np.inf, True
                wrong += int((~self.same(reference, block)).sum())
                count += len(theirs)
                gap += float(((theirs - block.vectors) ** 2).sum())
                size += float((theirs**2).sum() + (block.vectors**2).sum())
        return wrong / count, gap / size if size else 0.0, not names_of(reference)

    def difference(self, reference: Reference) -> Difference | None:
        """The first draw on which they differ, and how often they do; None if they never do."""
        first: tuple[Trial, Block, int] | None = None
        wrong = count = 0
        for trial in self.tried:
            for block in trial.blocks:
                same = self.same(reference, block)
                wrong, count = wrong + int((~same).sum()), count + len(same)
                if first is None and not same.all():
                    first = trial, block, int(np.flatnonzero(~same)[0])
        if first is None:
            return None
        trial, block, row = first
        draw = block.draws.draws.row(row)
        return Difference(
            trial.summary,
            _draw_in_words(draw),
            tuple(float(entry) for entry in block.vectors[row]),
            tuple(float(entry) for entry in self.vectors(reference, block)[row]),
            f"π = {'; '.join(say_vector(each) for each in trial.update.space.policy.table(trial.point))}",
            wrong / count,
        )


def _draw_in_words(draw: Any) -> str:
    """The actions and rewards of a draw."""
    actions = [str(each) for each in np.array(draw["actions"]).tolist()]
    rewards = [say(each) for each in np.array(draw["rewards"], dtype=float).reshape(-1)]
    return f"actions {_listed(actions)}, rewards {_listed(rewards)}"


def _listed(entries: list[str]) -> str:
    """In brackets; of many the first only."""
    if len(entries) <= SHOWN:
        return f"[{', '.join(entries)}]"
    return f"[{', '.join(entries[: SHOWN // 2])}, ...] ({len(entries)})"
