"""What an update is, by the expected update beside the target's gradient, at the point of the
audit and at policies about it.

The order of the questions is that of the verdicts: does it follow the target; its direction with
another length; nothing at all; the opposite; another objective's gradient; or not a gradient field.
All comparisons are modulo shifts that leave the policy unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import CLOSE, NOTHING, agree, factor_of
from altpg_verify.audit.clip_objectives import Clip
from altpg_verify.audit.compared_gradients import parts_of, readable_point
from altpg_verify.audit.compared_sides import ComparedSides
from altpg_verify.audit.confirmation import Confirmation, Elsewhere
from altpg_verify.audit.constant_policies import at_constants
from altpg_verify.audit.continuous import finer
from altpg_verify.audit.expected_update import clear_turn, curl, moments_at, points
from altpg_verify.audit.kinds import Kind, Scale
from altpg_verify.audit.moments import Moments
from altpg_verify.audit.noise_lines import Seen, along_lines
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.proofs import proved, unfelt
from altpg_verify.audit.recognition import Fit, recognise
from altpg_verify.audit.scales import formula_of
from altpg_verify.audit.updates import Update

ROUNDING = 1e-14
"""Share of a vector below which another part of it is zero."""

CHEAP = 150
"""So many draws can be asked one by one at more policies than those compared."""

CHEAP_TOGETHER = 20_000
"""The same for an update that is run on many draws at once."""

CHEAP_REPLAYS = 12
"""The same for whole steps of a trainer."""

FARTHER, FAR = 12, 1.5
"""How many further policies, and how far about the point in logits, are searched for one at which
the verdict is false.
"""

CORNERS, SATURATING = 4, 5.0
"""The same near corners, where the rarest action has a probability of about e^-10."""

MOST_TRIED = 40
"""So many sums of objectives that fit here are tried elsewhere."""

MOST_WITNESSES = 3
"""How often a verdict is decided again with a policy that spoke against the one before."""


class Evidence(ComparedSides):
    """What follows from the sides that are compared.

    Attributes:
        parts: index sets that may have scales of their own; "" names the whole.
        undecided: why float64 can't tell, in one sentence; empty if it can.
        elsewhere: the same update with other rewards and lengths.
        confirmation: what that says of the objective that is named; None if none is.
        rejected: the first sum of objectives that fits here and not elsewhere, with where it
            doesn't; empty if there is none.
        one_direction: wherever it can move there is one direction only, so that every bias is a
            scale.
    """

    def __init__(self, update: Update, target: Objective, places: int) -> None:
        self.parts = parts_of(update)
        self.undecided = ""
        self.elsewhere = Elsewhere(update)
        self.confirmation: Confirmation | None = None
        self.rejected = ("", "")
        super().__init__(update, target, places)

    def _exactly(self) -> tuple[Kind, Scale | None, Fit | None] | None:
        """What it is by exact numbers alone, as rational functions of the policy; None if that
        can't be had.
        """
        if proved(self.update, self.target):
            return Kind.UNBIASED, None, None
        if proved(self.update, None):
            return Kind.ZERO, None, None
        if not isinstance(self.space.policy, TablePolicy):
            return None
        weights = [Fraction(i + 1) for i in range(int(np.prod(self.space.policy.shape)))]
        sides = self.exact_sides(weights)
        if sides is None:
            return None
        left, right = sides
        steps = [
            (left[i] - left[0], right[i] - right[0])
            for i in range(1, len(left))
            if right[i] != right[0]
        ]
        factor = steps[0][0] / steps[0][1] if steps else Fraction(0)
        if factor and proved(self.update, self.target, factor):
            return (
                (Kind.SCALED if factor > 0 else Kind.REVERSED),
                Scale({"": factor}, True, ""),
                None,
            )
        return None

    def decide(self) -> tuple[Kind, Scale | None, Fit | None]:
        """The kind, with what goes with it; UNDECIDED if the curl has to tell, or if two rules
        differ.
        """
        decided = self._by_policies()
        if self.space.continuous is None or self.undecided:
            return decided
        self.undecided = self._unconverged() or self.along_lines.differs
        return (Kind.UNDECIDED, None, None) if self.undecided else decided

    def _unconverged(self) -> str:
        """Where a finer rule gives another expected update, in one sentence; empty if it gives the
        same at every policy tried.
        """
        assert self.space.continuous is not None
        known = [(place, found) for place, found, _ in self.compared]
        known += [
            (place, found)
            for place, found in self.__dict__.get("_farther", ())
            if found is not None
        ]
        other = self.update.on(finer(self.space))
        for (place, here), there in zip(
            known, moments_at(other, [place for place, _ in known]), strict=True
        ):
            assert there is not None
            if not agree(here.mean[None], there.mean[None], np.array([self.reach_of(here)])):
                entry = int(np.abs(here.mean - there.mean).argmax())
                assert other.space.continuous is not None
                return (
                    f"the rules differ: an entry of E[g] is {here.mean[entry]:.9g} by"
                    f" {self.space.continuous.rule}, and {there.mean[entry]:.9g} by"
                    f" {other.space.continuous.rule}, at {self.space.continuous.describe(place)};"
                    " give more nodes=, or an update that is smooth in the noise"
                )
        return ""

    @cached_property
    def along_lines(self) -> Seen:
        """What is seen between the nodes of the rule, at the point of the audit."""
        return along_lines(self.update, self.places[0])

    def _by_policies(self) -> tuple[Kind, Scale | None, Fit | None]:
        """The same by this rule alone."""
        blurred = self.blurred()
        if any(blurred):
            exactly = self._exactly()
            if exactly is not None:
                return exactly
            if blurred[0] or sum(blurred) > len(blurred) - 2:
                self.undecided = (
                    f"float64 can't tell at {sum(blurred)} of {len(blurred)} policies: what is to"
                    " be compared is lost in the rounding of numbers much larger, or the policy is"
                    " saturated; choose another policy, or rewards closer to 0"
                )
                return Kind.UNDECIDED, None, None
            self.compare(
                [sides for sides, blur in zip(self.compared, blurred, strict=True) if not blur]
            )
        decided = self._decide()
        for _ in range(MOST_WITNESSES):
            witness = self._witness(*decided)
            if witness is None:
                break
            self.compare([*self.compared, self.side(*witness)])
            decided = self._decide()
        if decided[0] is Kind.UNBIASED and self._exactly_biased():
            # a bias below the tolerance of float64, though exact numbers know better
            return self._exactly() or (Kind.UNDECIDED, None, None)
        return decided

    def _exactly_biased(self) -> bool:
        """Whether exact numbers at the point of the audit differ, beyond shifts that leave the
        policy unchanged.
        """
        left, right = self.shown
        policy = self.space.policy
        if not isinstance(policy, TablePolicy) or not all(
            isinstance(entry, Fraction) for entry in (*left, *right)
        ):
            return False
        return not unfelt(policy, [one - other for one, other in zip(left, right, strict=True)])

    def _decide(self) -> tuple[Kind, Scale | None, Fit | None]:
        fields, gradients = self.identifiable_sides()
        if agree(fields, gradients, self.reach):
            return Kind.UNBIASED, None, None
        if (np.abs(fields).max(axis=1) <= NOTHING * self.reach).all():
            return Kind.ZERO, None, None
        fit = self._named()
        factors = [
            self._factors(field, gradient)
            for field, gradient in zip(fields, gradients, strict=True)
        ]
        numbers = [factor for each in factors for factor in each.values()]
        if numbers and all(factor is not None for factor in numbers):
            values = np.array(numbers, dtype=float)
            constant = bool(np.ptp(values) <= CLOSE * np.abs(values).max())
            if (values > 0).all() or (values < 0).all():
                scale = self._scale(factors[self.where], constant)
                other = fit is not None and not self._is_multiple(fit)
                return (
                    (Kind.SCALED if values[0] > 0 else Kind.REVERSED),
                    scale,
                    fit if other else None,
                )
        if fit is not None:
            return Kind.OTHER_OBJECTIVE, None, fit
        return Kind.UNDECIDED, None, None

    def _named(self) -> Fit | None:
        """A multiple of the target, or the first sum of objectives that is the same elsewhere."""
        self.confirmation, self.rejected = None, ("", "")
        fits = recognise(
            self.update, self.places, self.fields, self.identifiable, self.target, self.gradient
        )
        for fit in islice(fits, MOST_TRIED):
            multiple = self._is_multiple(fit)
            if multiple and not self.one_direction:
                return fit
            said = self.elsewhere.confirms(fit.parts)
            if not said.refuted:
                self.confirmation = said
                return self._with_sure_bounds(fit, fits)
            if not multiple and not self.rejected[0]:
                self.rejected = (fit.objective.formula, said.refuted)
        return None

    def _with_sure_bounds(self, fit: Fit, others: Iterator[Fit]) -> Fit:
        """The bounds of a clip are named only if no others do as well, here and elsewhere."""
        first = fit.parts[0][1]
        if not isinstance(first, Clip):
            return fit
        for other in islice(others, MOST_TRIED):
            clip = other.parts[0][1]
            beside = [part for _, part in other.parts[1:]] == [part for _, part in fit.parts[1:]]
            if not isinstance(clip, Clip) or clip.loose != first.loose or not beside:
                continue
            if not self.elsewhere.confirms(other.parts).refuted:
                return replace(fit, parts=((fit.parts[0][0], first.unbounded), *fit.parts[1:]))
        return fit

    def _is_multiple(self, fit: Fit) -> bool:
        return len(fit.parts) == 1 and fit.parts[0][1] is self.target

    @cached_property
    def one_direction(self) -> bool:
        """In every part there is one direction only that changes the policy, so that whatever
        happens is parallel to the gradient.
        """
        return all(
            np.linalg.matrix_rank(self.identifiable[np.ix_(part, part)], tol=1e-9) == 1
            for part in self.parts.values()
        )

    def _scale(self, factors: Mapping[str, float | None], constant: bool) -> Scale:
        shown = {
            name: readable_point(float(factor))
            for name, factor in factors.items()
            if factor is not None
        }
        if constant:
            shown = {"": next(iter(shown.values()))}
        if constant and self.depends_on_rewards(next(iter(shown.values()))):
            return Scale(shown, True, alone=self.elsewhere.others)
        return Scale(shown, constant, formula_of(self.update, self.target, constant))

    def depends_on_rewards(self, factor: Any) -> bool:
        """Whether with other rewards the update isn't the target's gradient times this number."""
        found = self.elsewhere.factors(self.target, self.parts)
        return any(
            each is None or abs(each - float(factor)) > CLOSE * max(abs(each), abs(float(factor)))
            for each in found
        )

    def _witness(
        self, kind: Kind, scale: Scale | None, fit: Fit | None
    ) -> tuple[Parameters, Moments] | None:
        """A policy farther away at which what was decided is false; a piecewise update is one thing
        here and another there.

        A factor that changes with the policy may change its sign, too: with two actions everything
        is parallel to the gradient.
        """
        # that nothing is learned is said of where one stands
        if not self._cheap or kind not in (
            Kind.UNBIASED,
            Kind.SCALED,
            Kind.REVERSED,
            Kind.OTHER_OBJECTIVE,
        ):
            return None
        factor = (
            next(iter(scale.factors.values())) if scale is not None and scale.constant else None
        )
        followed = self.target if fit is None or scale is not None else fit.objective
        for place, there in self._farther:
            if there is None:
                continue
            field = there.mean @ self.identifiable
            gradient = self.gradient(followed, place) @ self.identifiable
            if scale is not None and factor is None:
                true = all(
                    each is None or each == 0.0 or (each > 0) is (kind is Kind.SCALED)
                    for each in self._factors(field, gradient).values()
                )
            else:
                times = 1.0 if factor is None else float(factor)
                true = agree(field[None], times * gradient[None], np.array([self.reach_of(there)]))
            if not true:
                return place, there
        return None

    @property
    def tried(self) -> list[Parameters]:
        """Every policy that was looked at."""
        farther = [place for place, there in self.__dict__.get("_farther", ()) if there is not None]
        return list({id(place): place for place in (*self.places, *farther)}.values())

    @property
    def _cheap(self) -> bool:
        """Whether draws are few enough to be asked at many policies."""
        if self.update.replay is not None:
            return not self.update.replay.building and self.here.draws <= CHEAP_REPLAYS
        return self.here.draws <= (
            CHEAP_TOGETHER if self.update.program.mode == "batched" else CHEAP
        )

    @cached_property
    def _farther(self) -> list[tuple[Parameters, Moments | None]]:
        """Policies farther away, and what is found there."""
        places = (
            points(self.space, FARTHER + 1, spread=FAR)[1:]
            + points(self.space, CORNERS + 1, spread=SATURATING)[1:]
        )
        places += at_constants(self.update)
        return list(zip(places, moments_at(self.update, places), strict=True))

    def _factors(self, field: np.ndarray, gradient: np.ndarray) -> dict[str, float | None]:
        """For each part the factor; a part in which there is nothing to learn and nothing is done
        has none and is left out.
        """
        size = max(float(np.abs(field).max()), float(np.abs(gradient).max()))

        def idle(part: np.ndarray) -> bool:
            return bool(
                max(np.abs(field[part]).max(), np.abs(gradient[part]).max()) <= ROUNDING * size
            )

        return {
            name: factor_of(field[part], gradient[part])
            for name, part in self.parts.items()
            if not idle(part)
        }

    @cached_property
    def turning(self) -> tuple[Parameters, float, bool] | None:
        """Another policy than the one shown at which the curl shows, its size, and whether that is
        a bound from below.

        A piecewise update may be a gradient on one piece only, and symmetry may hide a curl at the
        policy that is shown.
        """
        others = [place for i, place in enumerate(self.places) if i != self.where]
        if not self._cheap:
            others = others[:1]
        for place in others:
            turn = clear_turn(self.update, place)
            if turn:
                return place, turn, True
            there = curl(self.update, parameters=place)
            if not there.conservative:
                return place, there.gauge, False
        return None
