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
from typing import Any

import numpy as np

from altpg_verify.audit.confirmation import Elsewhere
from altpg_verify.audit.edits import Edit, Library, edits
from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import say_vector
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

SHORT = 6
"""So many entries of an expected update are shown."""

MOST_HALVES = 6
"""So many edits that leave a wrong scale are looked at again."""


@dataclass(frozen=True)
class Mend:
    """An edit that makes an update what it is meant to be, with what was found of the edited
    program.

    Args:
        edits: one edit, or two that only help together, each in words.
        where: file and line of each.
        strength: how well the edited program's verdict is established: PROVED or HOLDS.
        reservation: "on this space only", where nothing else could be tried; else empty.
        elsewhere: where else it was tried.
        expected: what the expected update becomes at the point of the audit.
    """

    edits: tuple[str, ...]
    where: tuple[str, ...]
    strength: str
    reservation: str
    elsewhere: str
    expected: tuple[float, ...]

    @property
    def sentence(self) -> str:
        """One line for a reader."""
        changes = " and ".join(
            f"{edit} ({where})" for edit, where in zip(self.edits, self.where, strict=True)
        )
        alone = f", {self.reservation}" if self.reservation else ""
        now = f"; E[g] becomes {say_vector(self.expected)}" if len(self.expected) <= SHORT else ""
        return f"{changes} it is unbiased{alone} ({self.strength}){now}"

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        return {
            "edits": [
                {"edit": edit, "where": where}
                for edit, where in zip(self.edits, self.where, strict=True)
            ],
            "strength": self.strength,
            "reservation": self.reservation,
            "elsewhere": self.elsewhere,
            "expected": list(self.expected),
            "sentence": self.sentence,
        }


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


def cheap(update: Update) -> bool:
    """Whether a search is a matter of a second or two: few draws, and nothing that is compiled anew
    for every edit.
    """
    return update.origin != "jax loss" and not update.random and update.space.draws_count <= CHEAP


@dataclass(frozen=True)
class _Tried:
    """A program with an edit or two, and how it compares: c where its expected update is c times
    the gradient.
    """

    edits: tuple[Edit, ...]
    files: tuple[str, ...]
    source: list[Sourced]
    update: Update
    factor: float | None


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
        for tried in self._tried(self.source, ()):
            mend = self._mend(tried, shown)
            if mend is not None:
                yield mend
            elif tried.factor is not None and tried.factor > 0 and abs(tried.factor - 1) > NEARLY:
                halves.append(tried)
            if len(shown) == MOST:
                return
        if shown:
            return
        for half in halves[:MOST_HALVES]:
            for tried in self._tried(half.source, half.edits, half.files, SCALING):
                mend = self._mend(tried, shown)
                if mend is not None:
                    yield mend
                    return

    def _tried(
        self,
        source: list[Sourced],
        before: tuple[Edit, ...],
        files: tuple[str, ...] = (),
        kinds: tuple[str, ...] = (),
    ) -> Iterator[_Tried]:
        """Every edit of a program, run at a few policies; in the order in which they are to be
        shown.
        """
        offered = [
            (each, edit)
            for each, first in zip(source, self.source, strict=True)
            for edit in self._edits(each, first)
            if not kinds or edit.kind in kinds
        ]
        offered.sort(key=lambda pair: _place(pair[1]))
        for each, edit in offered:
            if time.monotonic() > self.until:
                self.stopped = True
                return
            edited = [Sourced(one.function, edit.tree) if one is each else one for one in source]
            made = self._made(edited)
            if made is not None:
                # what a first look has left behind is no part of an audit
                again = replace(made)
                yield _Tried(
                    (*before, edit), (*files, each.file), edited, again, self._factor(made)
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

    def _made(self, source: list[Sourced]) -> Update | None:
        """The edited program as an update; None if it is one that was seen, or can't be made."""
        key = "\n".join(ast.unparse(each.tree) for each in source)
        if key in self.seen:
            return None
        self.seen.add(key)
        assert self.update.rewritten is not None
        try:
            count = len(source) - len(self.estimator)
            others = {"advantages": remade(source[count:])} if self.estimator else {}
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
            f"{os.path.basename(file)}:{edit.line}"
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
