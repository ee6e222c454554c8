"""A trainer's step, run once for every way its draws can come out, at any parameters: the mean and
spread of what it adds to them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit import declared_rewards, torch_casts
from altpg_verify.audit.draw_tree import MEND, Branch, Turn, drawn, every_branch
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.progress import step as progress
from altpg_verify.audit.replay_branches import Branches, Outcome
from altpg_verify.audit.saved_state import AHEAD, FARTHEST, MOST_CONSTANTS
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.step_arguments import given_to
from altpg_verify.audit.step_runs import StepRuns
from altpg_verify.audit.wide_numpy import NARROW
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.conditions import Conditions
from altpg_verify.untrusted.constants import constants
from altpg_verify.untrusted.entropy import outside_calls, outside_names
from altpg_verify.untrusted.lines import LineCoverage
from altpg_verify.untrusted.reaching import functions, nested
from altpg_verify.untrusted.set_order import ORDER, SORT, varying_order
from altpg_verify.untrusted.state import Memory, Snapshot
from altpg_verify.wording import counted

MOST_BRANCHES = 50_000
"""So many ways of the draws of one step are replayed, unless another number is said."""

REPEATED = 60
"""Calls, at least, that are repeated to see whether the same draws give the same step."""

MOST_REPEATED = 1_000
"""The same at most."""

SAME = 1e-6
"""How far a draw's probabilities may be from a row of the policy's and still be taken for it."""


class Replayed(StepRuns):
    """A trainer's step and its branches.

    Args:
        who, function, space, parameters, building, stepsize: as for `StepRuns`.
        most: as for `trainer`.

    Attributes:
        known: the branches at the places asked so far.
        moved: some branch moved something.
        unrun: lines of the step that no branch ran, once `establish` was asked.
        counts: what counts steps and makes no difference, then as well.
        system: what a trainer that is made anew asks the system for, if anything.
    """

    def __init__(
        self,
        who: str,
        function: Callable[..., Any],
        space: Space,
        parameters: Any,
        building: bool,
        stepsize: float | None,
        most: int,
    ) -> None:
        super().__init__(who, function, space, parameters, building, stepsize)
        self.most = most
        self.known: dict[bytes, Outcome] = {}
        self.moved = False
        self.unrun: Any = ""
        self._matches: set[bool] = set()
        self.counts: tuple[str, ...] = ()
        self.system = ""

    def on(self, space: Space) -> Replayed:
        """The same trainer in an environment that pays as another space does.

        Raises:
            BadInput: its environment doesn't follow the space.
        """
        if not self.follows_rewards:
            raise BadInput(f"the environment of {self.who} is its own")
        if (space.states, space.actions, space.horizon) != (
            self.space.states,
            self.space.actions,
            self.space.horizon,
        ):
            raise BadInput(f"the environment of {self.who} has states and a length of its own")
        return self._changed(space=space)

    def within(self, around: Callable[[], AbstractContextManager[Any]]) -> Replayed:
        """The same trainer, each step of which is made within a context."""
        return self._changed(_around=around)

    def standing_still(self) -> Replayed | None:
        """The same trainer whose optimisers' gradients are added up while the parameters stand
        still; None where its optimisers make one step at most, or none.
        """
        if self.stepsize == 0 or not self.several:
            return None
        return self._changed(stepsize=0)

    def _changed(self, **changes: Any) -> Replayed:
        """Another one that shares what is put back, and knows nothing yet."""
        other = copy.copy(self)
        other.__dict__.update({"known": {}, "_matches": set(), "_casts": set(), **changes})
        other.__dict__.pop("enumeration", None)
        return other

    @cached_property
    def follows_rewards(self) -> bool:
        """Whether it takes what it pays from the space."""
        asked = given_to(self.function, self.who, building=self.building)
        return bool(set(asked) & set(declared_rewards.NAMES))

    # --- what others ask of it
    # ----------------------------------------------------------------------------------

    @cached_property
    def enumeration(self) -> Branches:
        """How many branches there are at the point of the audit."""
        return Branches(self.space, ways=len(self.at(self.space.parameters).weights))

    def at(self, point: Parameters) -> Outcome:
        """All branches at a place.

        Raises:
            BadInput: there are too many of them, or the step draws what can't be enumerated.
            BadEstimator: it raised, or gave another answer for the same draws.
        """
        key = b"".join(
            np.ascontiguousarray(point[name], dtype=float).tobytes()
            for name in sorted(self.space.parameters)
        )
        if key not in self.known:
            self.known[key] = self._enumerated(point)
        return self.known[key]

    def vectors(self, point: Parameters, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
        """(weights, (B, n) steps flattened over some groups) at a place; ascent directions.

        Raises:
            BadInput: it wasn't said where one of the groups is; else as for `at`.
        """
        found = self.at(point)
        parts = []
        for name, shape in zip(layout.groups, layout.shapes, strict=True):
            size = (len(found.weights), int(np.prod(shape)))
            if name not in found.steps:
                raise BadInput(
                    f"{self.who} doesn't say where {name!r} is; give it among its parameters"
                )
            parts.append(found.steps[name].reshape(size))
        return found.weights, np.concatenate(parts, axis=1)

    def establish(self) -> int:
        """Replay branches in another order, and note which lines ran; how many replays that were.

        Raises:
            BadEstimator: the same draws gave another step: it keeps something from step to step, or
                draws unseen.
        """
        point = self.space.parameters
        found = self.at(point)
        count = len(found.weights)
        order = (
            list(reversed(range(count)))
            if count <= MOST_REPEATED
            else np.linspace(count - 1, 0, MOST_REPEATED).astype(int).tolist()
        )
        while len(order) < REPEATED and not self.building:
            order = order + order
        coverage = LineCoverage(self.function)
        with self.opened():
            for place, number in enumerate(order):
                self._again(point, found, number, coverage if place < count else None)
            # a trainer that is made anew may still keep something outside itself
            self._nothing_kept(point, found)
        self.unrun = coverage.unrun(inside=True)
        return len(order)

    def one_way(self, places: Sequence[Parameters]) -> list[tuple[str, int, int, str]]:
        """Conditions that are no branches and went one way only, though what they ask of varied, at
        some places.
        """
        conditions = Conditions(LineCoverage(self.function).roots)
        left = REPEATED if self.building else 4 * REPEATED
        for point in places if conditions.sites else ():
            found = self.at(point)
            several = np.linspace(0, len(found.weights) - 1, max(2, left // len(places)))
            for number in sorted({*several.astype(int).tolist()}):
                branch = Branch(self.who, found.turns[number])
                with self.opened(), conditions:
                    self.run(branch, point)
                if not conditions.open:
                    return []
        return conditions.one_way()

    def _nothing_kept(self, point: Parameters, found: Outcome) -> None:
        """One branch once more may change nothing that can be seen but counts, and these make no
        difference far ahead either.
        """
        memory = Memory(self.function)
        number, seen = 1 % len(found.weights), list[Snapshot]()
        for _ in range(2):
            self._again(point, found, number, None)
            seen.append(memory.snapshot())
        counts = {}
        for path in seen[0].changed(seen[1]):
            counts[path] = memory.count_at(path)
            if counts[path] is None:
                raise BadEstimator(
                    f"{self.who} remembers earlier steps: {path} changes from step to step; keep it"
                    " within the step, or hand over `build`, a function that makes the trainer"
                    " anew"
                )
        places = [place for place in counts.values() if place is not None]
        before = [owner[name] for owner, name in places]
        try:
            for number_of_steps in self._far(max(before)) if before else ():
                for owner, name in places:
                    owner[name] = number_of_steps
                self._again(point, found, number, None)
        finally:
            # the trainer goes on from where it was handed over
            for (owner, name), count in zip(places, before, strict=True):
                owner[name] = count
        self.counts = tuple(counts)

    def _far(self, count: int) -> list[int]:
        """What a count of steps is set to: far ahead, and about every whole number in the step's
        own code.
        """
        named = [
            int(each)
            for each in constants(self.function)
            if each.denominator == 1 and abs(each) < FARTHEST
        ][:MOST_CONSTANTS]
        return [
            *(count + ahead for ahead in AHEAD),
            *dict.fromkeys(each + by for each in named for by in (-1, 0, 1)),
        ]

    @property
    def said(self) -> tuple[str, ...]:
        """What a verdict says of how it was run."""
        if not self.known:
            return ()
        first = self.at(self.space.parameters)
        ways = counted(len(first.weights), "way")
        notes = [
            f"one whole step, in all {ways} its draws can come out (in the first"
            f" {drawn(first.turns[0])})"
        ]
        if self.stepsize is not None and self.stepped:
            stood = "its optimiser's gradients, added up while the parameters stand still"
            notes.append(
                stood
                if self.stepsize == 0
                else f"its optimiser taken for gradient descent with stepsize {self.stepsize:g}"
            )
        if self.counts:
            ahead = " and ".join(f"{each:,}" for each in AHEAD)
            notes.append(
                f"{', '.join(self.counts)} counts steps; moved on by {ahead}, or to numbers of its"
                " code, it makes no difference"
            )
        if self.system:
            notes.append(
                f"it calls {self.system}; that what the system answers decides nothing wasn't"
                " looked at"
            )
        return (*notes, *torch_casts.said(self._casts | self._narrow))

    @cached_property
    def _narrow(self) -> set[str]:
        """Numpy's types of fewer digits that the step's own code names."""
        names = {
            name
            for each in functions(self.function)
            for code in nested(each.__code__)
            for name in code.co_names
        }
        return {f"numpy.{name}" for name in NARROW if name in names}

    @property
    def cut(self) -> str:
        """Why nothing moves, if nothing does."""
        if self.moved:
            return ""
        if self.stepped:
            return "its optimiser steps, and no branch hands it a gradient of these parameters"
        names = ", ".join(slot.name for slot in self.slots) or ", ".join(self.space.policy.shapes)
        return (
            f"no optimiser steps, and {names} doesn't move on any branch "
            "(where a new array takes the place of an old one, give (object, 'attribute'))"
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was seen of its draws that may explain a bias."""
        if not self._matches or True in self._matches:
            return ()
        return (
            (
                "none of its draws has the probabilities of the policy that the space declares: "
                "another policy is sampled, or another one is declared"
            ),
        )

    # --- one place
    # ----------------------------------------------------------------------------------------------

    def _enumerated(self, point: Parameters) -> Outcome:
        weights, answers, turns = [], [], []
        table = self.space.policy.table(point)
        with self.opened():
            for branch, answer in every_branch(
                lambda branch: self.run(branch, point), most=self.most, who=self.who
            ):
                weights.append(branch.probability)
                answers.append(answer)
                turns.append(tuple(branch.turns))
                progress(1)
        self._matches.add(any(_is_of(turn, table) for each in turns for turn in each))
        names = answers[0].keys()
        steps = {
            name: np.stack(
                [each[name].reshape(np.shape(self.space.parameters[name])) for each in answers]
            )
            for name in names
        }
        self.moved |= any(bool(each.any()) for each in steps.values())
        return Outcome(np.array(weights), steps, tuple(turns))

    def _again(
        self, point: Parameters, found: Outcome, number: int, coverage: LineCoverage | None
    ) -> None:
        branch = Branch(self.who, found.turns[number])
        run: Callable[[], dict[str, np.ndarray]] = lambda: self.run(branch, point)  # noqa: E731
        if number == 0:
            answer, outside = outside_calls(run)
            for name, kind in outside.items():
                if kind == "outside" and self.building:
                    # whole trainers set up folders and settings; that the system's answers are the
                    # same each time is said, not shown
                    self.system = name
                    continue
                branch.refuse(f"{_ASKS[kind]}: it calls {name}; {_INSTEAD[kind]}")
            name, kind = outside_names((self.function,))
            if name and not (kind == "outside" and self.building):
                branch.refuse(f"{_ASKS[kind]}: it names {name}; {_INSTEAD[kind]}")
            if order := varying_order((self.function,)):
                branch.refuse(f"{ORDER}: {order}; {SORT}")
        elif coverage is not None:
            with coverage:
                answer = run()
        else:
            answer = run()
        if branch.refusal is not None:
            raise branch.refusal
        if tuple(branch.turns) != found.turns[number]:
            branch.refuse(f"drew otherwise when the same draws were replayed; {MEND}")
        for name, values in answer.items():
            if values.reshape(-1).tobytes() != found.steps[name][number].reshape(-1).tobytes():
                branch.refuse(f"makes another step when the same draws are replayed; {MEND}")
        progress(1)


def _is_of(turn: Turn, table: np.ndarray) -> bool:
    """Whether a draw has the probabilities of some state's row, more than one of them above 0."""
    if turn.ways < 2:
        return False
    return any(
        len(row) == len(turn.chances) and np.abs(row - turn.chances).max() < SAME for row in table
    )


_ASKS = {
    "entropy": "draws random numbers unseen",
    "clock": "reads the clock",
    "outside": "looks at what isn't the same in every run",
}
_INSTEAD = {
    "entropy": "draw through numpy, torch or `choose`",
    "clock": "take the time out, or as an argument",
    "outside": "let a step depend on its draws and parameters alone",
}
