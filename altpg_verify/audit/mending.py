"""What would mend an update that isn't what it is meant to be: small edits of its source, each
audited as a program of its own.

An edit is shown only if the edited program is unbiased at every policy of a whole audit, and on
every other space that could be tried. Nothing is ever applied. What an edit *means* is for the
reader to judge: leaving out a penalty makes a loss right for the value alone.
"""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from altpg_verify.audit.causes import few_replays
from altpg_verify.audit.confirmation import Elsewhere
from altpg_verify.audit.edits import Edit, Library, edits
from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.mend import Mend
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.programs import hastily
from altpg_verify.audit.sourced import Sourced, remade, sourced
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadEstimator, BadInput

SECONDS = 120.0
"""How long is searched, unless it is said otherwise."""

MOST = 2
"""So many mends are shown."""

MOST_DRAWS = 2_000
"""Spaces with more draws are not searched."""

CHEAP = 100
"""On spaces with at most so many draws a search takes a second or two, and `check` makes one
unasked.
"""

REPLAY_SECONDS = 30.0
"""How long is searched unasked for edits of a whole step."""

PLACES = 2
"""Policies at which an edit is looked at before it is audited."""

NEARLY = 1e-5
"""Relative deviation at which an edit is worth an audit; epsilons may be in the way of more."""

FINAL_VALUES = "final_values"
"""What a draw calls the values of what time limits cut off."""

ORDER = (
    "bootstrapping at the limit",
    "detached",
    "differentiated",
    "without the denominator",
    "the others' mean",
    "a mean over rows of sums",
    "masked",
    "the other way",
    "as what it is",
    "k2 for k3",
    "as a weight of the score",
    "k2 for k1",
    "its logarithm",
    "the ratio",
    "γᵗ",
    "a sum for a mean",
    "a mean for a sum",
    "the other sign",
    "the other order",
)
"""Kinds of edits in the order in which they are tried; all others come after, and leave something
out.
"""

SCALING = (
    "without the denominator",
    "the others' mean",
    "a mean over rows of sums",
    "a sum for a mean",
    "a mean for a sum",
    "a factor less",
)
"""What may mend a wrong scale that an edit leaves."""

OTHER_ESTIMATORS = ("rloo", "reinforce", "return")
"""What is tried in place of an estimator of advantages that was named, in this order: what differs
least from a group's mean first.
"""

ANOTHER_ESTIMATOR = "another estimator"
"""The kind of such an edit."""

MOST_HALVES = 6
"""So many edits that leave a wrong scale are looked at again."""


def mends(
    update: Update, target: Objective, audited: Callable[[Update], Audit], seconds: float = SECONDS
) -> tuple[tuple[Mend, ...], bool]:
    """Edits that make an update unbiased, the smallest first, and whether there was no time for
    some; none if there is nothing to edit.

    Args:
        update: what isn't what it is meant to be.
        target: the objective it is meant to ascend.
        audited: the whole audit of an update.
        seconds: after so long nothing else is tried.
    """
    search = _Search(update, target, audited, time.monotonic() + seconds)
    found = tuple(search.found()) if search.possible else ()
    return found, search.stopped


def cheap(update: Update) -> bool | float:
    """Whether a search is a matter of a second or two: few draws, and nothing that is compiled anew
    for every edit. How many ways a trainer's draws have isn't known yet, so that it gets seconds.
    """
    if update.replay is not None:
        return 0.0 if update.replay.building else REPLAY_SECONDS
    return update.origin != "jax loss" and not update.random and update.space.draws_count <= CHEAP


@dataclass(frozen=True)
class _Tried:
    """A program with an edit or two, and how it compares: c where its expected update is c times
    the gradient; and the estimator of its advantages, where another one was named.
    """

    edits: tuple[Edit, ...]
    files: tuple[str, ...]
    source: list[Sourced]
    update: Update
    factor: float | None
    estimator: str = ""


def _place(edit: Edit) -> tuple[int, int]:
    """When an edit is tried; of denominators the one nearest to the loss first, since earlier ones
    are those of means and deviations.
    """
    kind = ORDER.index(edit.kind) if edit.kind in ORDER else len(ORDER)
    return kind, -edit.line if edit.kind == "without the denominator" else 0


class _Search:
    def __init__(
        self, update: Update, target: Objective, audited: Callable[[Update], Audit], until: float
    ) -> None:
        self.update, self.target, self.audited, self.until = update, target, audited, until
        own = sourced(update.function)
        estimator = sourced(update.estimator) if own and update.estimator is not None else []
        self.source, self.estimator = [*own, *estimator], frozenset(map(id, estimator))
        # what begins the loss, and what begins its advantages, can be given what a time limit cut
        # off
        limited = any(episode.final_value for episode in update.space.episodes)
        self.given = [part[0] for part in (own, estimator) if part] if limited else []
        self.places = points(update.space, PLACES)
        self.identifiable = identifiable_projection(update.space, update.judged)
        self.seen: set[str] = set()
        self.stopped = False

    @property
    def possible(self) -> bool:
        """There is a source, something to learn, and few enough draws."""
        if (
            not self.source
            or self.update.rewritten is None
            or self.update.random
            or self.update.space.draws_count > MOST_DRAWS
            or (self.update.replay is not None and not few_replays(self.update))
        ):
            return False
        self.gradients = [
            self.identifiable @ self.target.gradient(self.update.space, self.update.judged, place)
            for place in self.places
        ]
        # an update that does nothing is right where there is nothing to do, and mends nothing
        if not all(np.abs(gradient).max(initial=0.0) > 0 for gradient in self.gradients):
            return False
        # what was found is what runs: nothing is lost by a decorator, a closure or another file
        again = self._made(self.source)
        return again is not None and self._same(again)

    def _same(self, other: Update) -> bool:
        try:
            sides = [moments_at(each, self.places) for each in (self.update, other)]
        except (BadInput, BadEstimator):
            return False
        return all(
            one is not None and two is not None and np.array_equal(one.mean, two.mean)
            for one, two in zip(*sides, strict=True)
        )

    def found(self) -> Iterator[Mend]:
        """Mends as they are found: of one edit, and if there is none, of two."""
        halves: list[_Tried] = []
        shown: list[tuple[str, ...]] = []
        exchanged = list(self._exchanged())
        for tried in chain(exchanged, self._tried(_Tried((), (), self.source, self.update, None))):
            mend = self._mend(tried, shown)
            if mend is not None:
                yield mend
            elif (
                tried.factor is not None
                and tried.factor > 0
                and abs(tried.factor - 1) > NEARLY
                and not any(tried is each for each in exchanged[1:])
            ):
                halves.append(tried)
            if len(shown) == MOST:
                return
        if shown:
            return
        # an estimator's bias may hide that of the loss: with another one every edit is tried again
        for half, kinds in (
            *((each, SCALING) for each in halves[:MOST_HALVES]),
            *((each, ()) for each in exchanged[:1]),
        ):
            for tried in self._tried(half, kinds):
                mend = self._mend(tried, shown)
                if mend is not None:
                    yield mend
                    return

    def _exchanged(self) -> Iterator[_Tried]:
        """With each other estimator of advantages in place of the one that was named."""
        named = self.update.named_estimator
        first = self.source[0]
        for other in OTHER_ESTIMATORS if named else ():
            if other == named or (other == "rloo" and self.update.space.size == 1):
                continue
            made = self._made(self.source, other)
            if made is not None:
                name = first.function.__name__
                edit = Edit(
                    ANOTHER_ESTIMATOR,
                    f'advantages="{named}"',
                    f'advantages="{other}"',
                    0,
                    name,
                    first.tree,
                )
                yield _Tried((edit,), ("",), self.source, made, self._factor(made), other)

    def _tried(self, before: _Tried, kinds: tuple[str, ...] = ()) -> Iterator[_Tried]:
        """Every edit of a program, run at a few policies; in the order in which they are to be
        shown.
        """
        offered = [
            (each, edit)
            for each, first in zip(before.source, self.source, strict=True)
            for edit in self._edits(each, first)
            if not kinds or edit.kind in kinds
        ]
        offered.sort(key=lambda pair: _place(pair[1]))
        for each, edit in offered:
            if time.monotonic() > self.until:
                self.stopped = True
                return
            edited = [
                Sourced(one.function, edit.tree) if one is each else one for one in before.source
            ]
            made = self._made(edited, before.estimator)
            if made is not None:
                # what a first look has left behind is no part of an audit
                again = replace(made)
                yield _Tried(
                    (*before.edits, edit),
                    (*before.files, each.file),
                    edited,
                    again,
                    self._factor(made),
                    before.estimator,
                )

    def _edits(self, each: Sourced, first: Sourced) -> Iterator[Edit]:
        limit = FINAL_VALUES if any(first is one for one in self.given) else ""
        if id(first) in self.estimator:
            # nothing is differentiated there
            return edits(
                each.tree,
                Library(each.names("torch") or each.names("jax.numpy") or each.names("numpy")),
                limit,
            )
        match self.update.origin:
            case "trainer" if each.names("torch"):
                return edits(each.tree, Library(each.names("torch"), ""), limit)
            case "torch loss":
                return edits(each.tree, Library(each.names("torch"), ""), limit)
            case "jax loss":
                jax = each.names("jax")
                return edits(
                    each.tree,
                    Library(each.names("jax.numpy"), f"{jax}.lax.stop_gradient" if jax else None),
                    limit,
                )
        return edits(each.tree, Library(each.names("numpy")), limit)

    def _made(self, source: list[Sourced], estimator: str = "") -> Update | None:
        """The edited program as an update; None if it is one that was seen, or can't be made."""
        key = "\n".join((estimator, *(ast.unparse(each.tree) for each in source)))
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
            made = self.update.rewritten(remade(source[:count]), self.update.space, **others)
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

    def _factor(self, update: Update) -> float | None:
        """c where the expected update is c times the gradient at every policy looked at; None where
        it isn't.
        """
        try:
            with hastily():
                found = moments_at(update, self.places)
        except (BadInput, BadEstimator):
            return None
        factors = []
        for each, gradient in zip(found, self.gradients, strict=True):
            if each is None:
                return None
            field = self.identifiable @ each.mean
            factor = float(field @ gradient) / float(gradient @ gradient)
            if np.abs(field - factor * gradient).max() > NEARLY * max(
                float(np.abs(field).max()), float(np.abs(gradient).max())
            ):
                return None
            factors.append(factor)
        return (
            factors[0] if max(factors) - min(factors) <= NEARLY * max(map(abs, factors)) else None
        )

    def _mend(self, tried: _Tried, shown: list[tuple[str, ...]]) -> Mend | None:
        kinds = tuple(edit.kind for edit in tried.edits)
        if tried.factor is None or abs(tried.factor - 1) > NEARLY or kinds in shown:
            return None
        try:
            found = self.audited(tried.update)
            said = Elsewhere(tried.update, sizes=True).confirms([(1.0, self.target)], exactly=True)
        except (BadInput, BadEstimator):
            return None
        if found.kind is not Kind.UNBIASED or said.refuted:
            return None
        shown.append(kinds)
        lines = [
            f"{os.path.basename(file)}:{edit.line}" if file else ""
            for file, edit in zip(tried.files, tried.edits, strict=True)
        ]
        return Mend(
            tuple(map(str, tried.edits)),
            tuple(lines),
            str(found.strength),
            said.reservation,
            said.said,
            tuple(float(entry) for entry in found.expected),
        )
