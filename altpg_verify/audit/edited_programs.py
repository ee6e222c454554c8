"""An update's program with edits in it, run at a few policies: how near it comes to what it is
meant to be.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from altpg_verify.audit.edit_context import Offered
from altpg_verify.audit.edit_kinds import ANOTHER_ESTIMATOR, EVERY_DRAW, place
from altpg_verify.audit.edit_syntax import Library
from altpg_verify.audit.edits import Edit, edits
from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.programs import hastily
from altpg_verify.audit.sourced import Sourced, remade, sourced
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadEstimator, BadInput

PLACES = 2
"""Policies at which an edit is looked at before it is audited."""

NEARLY = 1e-5
"""Relative deviation at which an edit is worth an audit; epsilons may be in the way of more."""

FINAL_VALUES = "final_values"
"""What a draw calls the values of what time limits cut off."""

OTHER_ESTIMATORS = ("rloo", "reinforce", "return")
"""What is tried in place of an estimator of advantages that was named, in this order: what differs
least from a group's mean first.
"""

ASKED = ("log_probs", "response_mask", "pi")
"""What a loss may be given by an edit that it didn't ask for."""

OF_DRAWS = {"log_probs": "logprobs", "response_mask": "mask", "pi": "pi"}
"""What a draw calls them; a trainer's batch knows the first two by these names, too."""


@dataclass(frozen=True)
class Edited:
    """A program with some edits.

    Args:
        edits, files: what was edited, and where.
        source: what it is now.
        update: it, as an update.
        factor: c where the expected update is c times the gradient at every policy looked at; None
            where it is no multiple.
        apart: how far the expected update is from the nearest positive multiple of the gradient,
            relative to that.
        mark: the expected update at one policy, rounded: the same for edits that do the same.
        estimator: of its advantages, where another one was named.
        space: where other draws are kept.
    """

    edits: tuple[Edit, ...]
    files: tuple[str, ...]
    source: list[Sourced]
    update: Update
    factor: float | None = None
    apart: float = math.inf
    mark: tuple[float, ...] = ()
    estimator: str = ""
    space: Space | None = None


class Programs:
    """An update's source and what becomes of it.

    Attributes:
        update, target: what is edited, and the objective it is meant to ascend.
        source: its functions as they stand: the loss or step first, then those of its advantages.
        estimator: `id` of those of its advantages.
        helpers: functions that the others call.
        first: what begins the loss; nothing where there is no source.
        limited: what can be given the values of what time limits cut off.
        places: policies at which an edit is looked at.
        identifiable: projection on the directions in which the policy changes.
        seen: sources that were made already.
        whole: the program without an edit.
        gradients: the objective's gradient at every place; there once `possible` was asked.
    """

    def __init__(self, update: Update, target: Objective) -> None:
        self.update, self.target = update, target
        own = sourced(update.function)
        estimator = sourced(update.estimator) if own and update.estimator is not None else []
        self.source, self.estimator = [*own, *estimator], frozenset(map(id, estimator))
        self.helpers = frozenset(each.tree.name for each in (*own[1:], *estimator[1:]))
        # what begins the loss, and what begins its advantages, can be given what it didn't ask for
        self.first = own[:1]
        limited = any(episode.final_value for episode in update.space.episodes)
        self.limited = [part[0] for part in (own, estimator) if part] if limited else []
        self.places = points(update.space, PLACES)
        self.identifiable = identifiable_projection(update.space, update.judged)
        self.seen: set[str] = set()
        self.whole = Edited((), (), self.source, update)

    @property
    def possible(self) -> bool:
        """There is something to learn, and what was found is what runs: nothing is lost by a
        decorator, a closure or another file.
        """
        self.gradients = [
            self.identifiable @ self.target.gradient(self.update.space, self.update.judged, each)
            for each in self.places
        ]
        # an update that does nothing is right where there is nothing to do, and mends nothing
        if not all(np.abs(gradient).max(initial=0.0) > 0 for gradient in self.gradients):
            return False
        again = self._made(self.source)
        if again is None or not self._same(again):
            return False
        self.whole = self._compared(self.whole)
        return True

    def _same(self, other: Update) -> bool:
        try:
            sides = [moments_at(each, self.places) for each in (self.update, other)]
        except (BadInput, BadEstimator):
            return False
        return all(
            one is not None and two is not None and np.array_equal(one.mean, two.mean)
            for one, two in zip(*sides, strict=True)
        )

    def declared(self) -> Iterator[Edited]:
        """With other declarations: another estimator of advantages in place of its own, and every
        draw kept.
        """
        update, first = self.update, self.source[0]
        name = first.function.__name__
        own = f'"{update.named_estimator}"' if update.named_estimator else ""
        if self.estimator:
            own = next(each.tree.name for each in self.source if id(each) in self.estimator)
        for other in OTHER_ESTIMATORS if own else ():
            if other == update.named_estimator or (other == "rloo" and update.space.size == 1):
                continue
            made = self._made(self.source, other)
            if made is not None:
                edit = Edit(
                    ANOTHER_ESTIMATOR,
                    f"advantages={own}",
                    f'advantages="{other}"',
                    0,
                    name,
                    first.tree,
                )
                yield self._compared(Edited((edit,), ("",), self.source, made, estimator=other))
        if update.space.keep is not None:
            space = replace(update.space, keep=None)
            made = self._made(self.source, "", space)
            if made is not None:
                kept = getattr(update.space.keep, "__name__", "...")
                edit = Edit(EVERY_DRAW, f".keeping({kept})", "", 0, name, first.tree)
                yield self._compared(Edited((edit,), ("",), self.source, made, space=space))

    def edited(self, before: Edited, kinds: tuple[str, ...] = ()) -> Iterator[Edited]:
        """Every edit of a program, in the order in which they are to be shown.

        Args:
            before: what is edited.
            kinds: only edits of these kinds, if there are any.
        """
        offered = [
            (each, edit)
            for each, first in zip(before.source, self.source, strict=True)
            if not (before.estimator and id(first) in self.estimator)
            for edit in self._edits(each, first)
            if not kinds or edit.kind in kinds
        ]
        offered.sort(key=lambda pair: place(pair[1]))
        for each, edit in offered:
            source = [
                Sourced(one.function, edit.tree) if one is each else one for one in before.source
            ]
            made = self._made(source, before.estimator, before.space)
            if made is not None:
                yield self._compared(
                    replace(
                        before,
                        edits=(*before.edits, edit),
                        files=(*before.files, each.file),
                        source=source,
                        update=made,
                    )
                )

    def _edits(self, each: Sourced, first: Sourced) -> Iterator[Edit]:
        names = {}
        if any(first is one for one in self.limited):
            names["final_values"] = FINAL_VALUES
        if any(first is one for one in self.first) and self.update.origin != "trainer":
            names |= self._asked()
        offered = Offered(names, self.helpers, self.update.space.horizon > 1)
        if id(first) in self.estimator:
            # nothing is differentiated there
            arrays = each.names("torch") or each.names("jax.numpy") or each.names("numpy")
            return edits(each.tree, Library(arrays), offered)
        match self.update.origin:
            case "trainer" if each.names("torch"):
                return edits(each.tree, Library(each.names("torch"), ""), offered)
            case "torch loss":
                return edits(each.tree, Library(each.names("torch"), ""), offered)
            case "jax loss":
                jax = each.names("jax")
                stop = f"{jax}.lax.stop_gradient" if jax else None
                return edits(each.tree, Library(each.names("jax.numpy"), stop), offered)
        return edits(each.tree, Library(each.names("numpy")), offered)

    def _asked(self) -> dict[str, str]:
        """What its draws have, by the names under which it may ask for them."""
        space = self.update.space
        if space.continuous is not None or not self.update.origin.endswith("loss"):
            return {}
        padded = len({len(each.actions) for each in space.episodes}) > 1
        wanted = [part for part in ASKED if part != "response_mask" or padded]
        return {part: OF_DRAWS[part] for part in wanted}

    def _made(
        self, source: list[Sourced], estimator: str = "", space: Space | None = None
    ) -> Update | None:
        """The edited program as an update; None if it is one that was seen, or can't be made."""
        key = "\n".join(
            (estimator, str(space is not None), *(ast.unparse(each.tree) for each in source))
        )
        if key in self.seen:
            return None
        self.seen.add(key)
        assert self.update.rewritten is not None
        try:
            count = len(source) - len(self.estimator)
            others: dict[str, Any] = (
                {"advantages": remade(source[count:])} if self.estimator else {}
            )
            if estimator:
                others = {"advantages": estimator}
            made = self.update.rewritten(
                remade(source[:count]), space or self.update.space, **others
            )
        except Exception:
            # an edit may leave something that doesn't compile, or asks for what isn't there
            return None
        return replace(
            made,
            target=self.update.target,
            groups=self.update.groups,
            frozen=self.update.frozen,
            intended={},
            conforms_to="",
        )

    def _compared(self, made: Edited) -> Edited:
        """The same, run at a few policies."""
        # what a first look leaves behind is no part of an audit
        looked_at = replace(made.update)
        try:
            with hastily():
                found = moments_at(looked_at, self.places)
        except (BadInput, BadEstimator):
            return made
        if any(each is None for each in found):
            return made
        fields = [self.identifiable @ each.mean for each in found if each is not None]
        return replace(
            made,
            factor=self._factor(fields),
            apart=self._apart(fields),
            mark=tuple(np.round(fields[0], 9).tolist()),
        )

    def _factor(self, fields: list[np.ndarray]) -> float | None:
        factors = []
        for field, gradient in zip(fields, self.gradients, strict=True):
            factor = float(field @ gradient) / float(gradient @ gradient)
            if np.abs(field - factor * gradient).max() > NEARLY * max(
                float(np.abs(field).max()), float(np.abs(gradient).max())
            ):
                return None
            factors.append(factor)
        even = max(factors) - min(factors) <= NEARLY * max(map(abs, factors))
        return factors[0] if even else None

    def _apart(self, fields: list[np.ndarray]) -> float:
        field, gradient = np.concatenate(fields), np.concatenate(self.gradients)
        factor = float(field @ gradient) / float(gradient @ gradient)
        if factor <= 0:
            return math.inf
        apart = np.linalg.norm(field / factor - gradient) / np.linalg.norm(gradient)
        # which of two is nearer must not hang on how a machine rounds, in float32 too
        return round(float(apart), 6)
