"""Whether what an update is on one space it is on others too: the same update with other rewards
and other lengths.

A sum of objectives can reproduce an expected update on one small space by accident. It is named
only if the same coefficients do so with other rewards, and with other lengths the same or ones that
follow the length in a way that can be written down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from altpg_verify.audit.agreement import CLOSE, agree, factor_of, fitted
from altpg_verify.audit.constant_policies import at_ratios
from altpg_verify.audit.continuous import REWARD_NAMES
from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.factor_parts import SHAPES
from altpg_verify.audit.factors import MOST_DRAWS
from altpg_verify.audit.numbers import say
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.audit.varied_spaces import Variation, Varied, resized, varied
from altpg_verify.audit.wide_numpy import in_float64
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.constants import constants
from altpg_verify.wording import counted

PLACES = 2
"""Policies at which a variation is looked at."""

AT_RATIOS = 12
"""The same beside numbers of the source, where a fixed policy is sampled."""

SINGLY = 1_000
"""The same where each draw is a call of its own."""

ENOUGH = 2
"""Spaces that have to confirm what is named without a reservation."""

NAMES: Mapping[Varied, str] = {
    "rewards": "other rewards",
    "levels": "other outcomes paid",
    "length": "other lengths",
    "size": "other sizes of the batch",
}

Parts = Sequence[tuple[float, Objective]]


@dataclass(frozen=True)
class Confirmation:
    """What other spaces say of a sum of objectives.

    Args:
        refuted: where the update isn't the gradient of it, in words; empty if it is everywhere.
        agreeing: how many spaces of each sort agree.
        formulas: coefficients that follow the length: as printed -> in the length.
        why_not: why something else couldn't be tried; empty if everything was.
        agents: the steps are agents, so that a length is their number.
        long: there is more than one step, so that other lengths make a difference.
    """

    refuted: str = ""
    agreeing: Mapping[Varied, int] = field(default_factory=dict)
    formulas: Mapping[str, str] = field(default_factory=dict)
    why_not: str = ""
    long: bool = False
    agents: bool = False

    @property
    def enough(self) -> bool:
        """Confirmed on other spaces."""
        return not self.refuted and sum(self.agreeing.values()) >= ENOUGH

    @property
    def reservation(self) -> str:
        """What a sentence that names it adds; empty if it is confirmed."""
        if not self.enough:
            return "on this space and one other only" if self.agreeing else "on this space only"
        if not self.long or self.agreeing.get("length"):
            return ""
        return "with so many agents only" if self.agents else "at these lengths only"

    @property
    def said(self) -> str:
        """For a reader of the verdict."""
        tried = [
            f"{'other numbers of agents' if self.agents and what == 'length' else NAMES[what]}"
            f" ({counted(count, 'space')})"
            for what, count in self.agreeing.items()
        ]
        follow = "".join(f"; {said} = {formula}" for said, formula in self.formulas.items())
        if not self.agreeing:
            return f"tried on this space only: {self.why_not}"
        alone = (
            f"; other {'numbers of agents' if self.agents else 'lengths'} weren't tried:"
            f" {self.why_not}"
            if self.reservation.endswith(("lengths only", "agents only"))
            else ""
        )
        return f"the same with {' and '.join(tried)}{follow}{alone}"


@dataclass(frozen=True, eq=False)
class _Place:
    """One policy on a varied space: what the update is there, and the sizes of what it is a sum
    of.
    """

    space: Space
    groups: tuple[str, ...]
    parameters: Parameters
    field: np.ndarray
    identifiable: np.ndarray
    reach: float

    def gradient(self, objective: Objective) -> np.ndarray:
        """(n,) modulo shifts that leave the policy unchanged."""
        return self.identifiable @ objective.gradient(self.space, self.groups, self.parameters)


class Elsewhere:
    """An update on varied spaces, run there once.

    Args:
        update: what is audited.
        sizes: whether other sizes of the batch are tried, too: a factor may be the size's.

    Attributes:
        why_not: why a space couldn't be tried, in a few words; empty before the first question, or
            if all could.
    """

    def __init__(self, update: Update, *, sizes: bool = False) -> None:
        self.update, self.sizes = update, sizes
        self.why_not = ""
        self._known: dict[tuple[int, int], tuple[Objective, np.ndarray]] = {}

    @cached_property
    def _spaces(self) -> list[tuple[Variation, list[_Place]]]:
        found = []
        reasons: list[str] = []
        space = self.update.space
        replay = self.update.replay
        if replay is not None and not replay.follows_rewards:
            self.why_not = "the trainer's environment is its own"
            return []
        if space.continuous is not None and not REWARD_NAMES & set(self.update.needs):
            self.why_not = "the update has its own rewards, not those of the space"
            return []
        most = min(MOST_DRAWS, SINGLY if self.update.program.mode == "single" else MOST_DRAWS)
        count = space.draws_count if replay is None else replay.enumeration.count
        if count > (most if replay is None else SINGLY):
            self.why_not = f"more than {most:,} draws"
            return []
        # which take as long to read as a space to run, and are the same on all of them
        fixed = self.update.function is not None and isinstance(space.behaviour, np.ndarray)
        numbers = constants(self.update.function) if fixed else ()
        others = resized(space, rows=self.update.remade is not None) if self.sizes else ()
        for variation in (*varied(space), *others):
            if replay is not None and variation.what not in ("rewards", "levels"):
                reasons.append("the trainer's environment has a length of its own")
                continue
            if variation.space.draws_count > most:
                reasons.append(f"more than {most:,} draws on others")
                continue
            try:
                found.append((variation, _run(self.update, variation.space, numbers)))
            except (BadInput, BadEstimator) as error:
                reasons.append(f"with {NAMES[variation.what]} it raises {_named(error)}")
        self.why_not = reasons[0] if reasons else "there is no other one"
        return found

    def _gradient(self, objective: Objective, place: _Place) -> np.ndarray:
        key = (id(objective), id(place))
        if key not in self._known:
            # the objective is kept beside it, so that its id is not another's
            self._known[key] = objective, place.gradient(objective)
        return self._known[key][1]

    def confirms(self, parts: Parts, *, exactly: bool = False) -> Confirmation:
        """Whether the update follows the same sum everywhere.

        Args:
            parts: (coefficient, objective) pairs that were found.
            exactly: with the same coefficients at every length, too.
        """
        agreeing: dict[Varied, int] = {}
        scaled: list[tuple[int, np.ndarray]] = []
        for variation, places in self._spaces:
            if not all(part.makes_sense(variation.space) for _, part in parts):
                continue
            columns = [
                np.stack([self._gradient(part, place) for place in places]) for _, part in parts
            ]
            wanted = sum(
                coefficient * column
                for (coefficient, _), column in zip(parts, columns, strict=True)
            )
            fields, reach = (
                np.stack([place.field for place in places]),
                np.array([place.reach for place in places]),
            )
            if not agree(fields, np.asarray(wanted), reach):
                found = (
                    fitted(fields.reshape(-1), [each.reshape(-1) for each in columns])
                    if variation.what == "length" and not exactly
                    else None
                )
                if found is None:
                    return Confirmation(
                        refuted=(
                            self.others
                            if variation.what in ("rewards", "levels")
                            else NAMES[variation.what]
                        )
                    )
                scaled.append((variation.value, found[0]))
            agreeing[variation.what] = agreeing.get(variation.what, 0) + 1
        formulas = self._formulas(parts, scaled)
        if formulas is None:
            return Confirmation(refuted="other lengths")
        return Confirmation(
            "",
            agreeing,
            formulas,
            self.why_not,
            self.update.space.horizon > 1,
            self.update.space.game is not None,
        )

    def _formulas(
        self, parts: Parts, scaled: list[tuple[int, np.ndarray]]
    ) -> Mapping[str, str] | None:
        """How coefficients follow the length, where they change with it; None if that can't be
        written down.
        """
        if not scaled:
            return {}
        out = {}
        length = self.update.space.horizon
        if len(scaled) < 2:
            return None
        for number, (coefficient, _) in enumerate(parts):
            ratios = [(other, found[number] / coefficient) for other, found in scaled]
            if all(abs(ratio - 1) <= CLOSE for _, ratio in ratios):
                continue
            fits = [name for name, shape in SHAPES.items() if _follows(shape, length, ratios)]
            if len(fits) != 1:
                return None
            rest = coefficient / SHAPES[fits[0]](length)
            name = "length" if self.update.space.game is None else "agents"
            formula = fits[0].format(*[name] * fits[0].count("{}"))
            out[say(coefficient)] = (
                formula if abs(rest - 1) <= CLOSE else f"{say(rest)} · {formula}"
            )
        return out

    @property
    def others(self) -> str:
        """What is other where the rewards are."""
        fixed = [
            isinstance(each, np.ndarray)
            for each in (self.update.space.behaviour, self.update.space.reference)
        ]
        return "other rewards and another policy beside it" if any(fixed) else "other rewards"

    def factors(self, objective: Objective, parts: Mapping[str, np.ndarray]) -> list[float | None]:
        """With other rewards: each part as a multiple of an objective's gradient, at each policy
        looked at; None where it is none.

        Args:
            objective: of which it may be a multiple.
            parts: name -> indices of the parameters.
        """
        out: list[float | None] = []
        for variation, places in self._spaces:
            for place in places if variation.what == "rewards" else ():
                gradient = self._gradient(objective, place)
                out += [
                    factor_of(place.field[part], gradient[part])
                    for part in parts.values()
                    if np.abs(gradient[part]).max(initial=0.0)
                ]
        return out


def _follows(
    shape: Callable[[float], float], length: int, ratios: Sequence[tuple[int, float]]
) -> bool:
    """Whether a coefficient changes with the length as a shape does."""
    try:
        return all(
            abs(shape(other) / shape(length) - ratio) <= CLOSE * abs(ratio)
            for other, ratio in ratios
        )
    except ZeroDivisionError:
        return False


def _named(error: Exception) -> str:
    """What somebody's code raised, by name."""
    return type(error.__cause__ or error).__name__


def _run(update: Update, space: Space, numbers: Sequence[Fraction]) -> list[_Place]:
    there = in_float64(update.on(space) if update.remade is None else update.remade(space))
    identifiable = identifiable_projection(space, there.judged)
    out = []
    # what a clip does shows on one side of it, and for returns of one sign
    places = [*points(space, PLACES), *at_ratios(there, numbers)[:AT_RATIOS]]
    for place, found in zip(places, moments_at(there, places), strict=True):
        if found is None:
            raise BadInput("no draw is kept there")
        largest = float(
            np.abs(space.arrays.floats(space.arrays.returns(space.discount))[:, 0]).max()
        )
        out.append(
            _Place(
                space,
                there.judged,
                place,
                identifiable @ found.mean,
                identifiable,
                max(largest, float(found.size.max())),
            )
        )
    return out
