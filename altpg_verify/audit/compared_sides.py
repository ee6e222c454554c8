"""The two sides that an audit compares, the expected update and the target's gradient, at the point
of the audit and at policies about it; and where float64 can't tell them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import CLOSE, NOTHING, agree
from altpg_verify.audit.compared_gradients import Gradients, pays_the_same
from altpg_verify.audit.expected_update import (
    exact_expected,
    identifiable_projection,
    moments_at,
    points,
)
from altpg_verify.audit.kept_draws import NothingKept, nothing_kept
from altpg_verify.audit.moments import Moments
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import value as the_value
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import NotExact
from altpg_verify.audit.updates import Update

Side = tuple[Parameters, Moments, np.ndarray]
"""A policy, what the update does there, and the target's gradient."""

BLUR = 2e-15
"""Rounding error of a float64 expectation as a share of the numbers it is a sum of: where it isn't
much smaller than the expectation itself, float64 decides nothing.
"""

SATURATED = 1e-10
"""Probability below which what a policy would learn may be lost in rounding."""


class ComparedSides:
    """The expected update and the target's gradient at every policy compared.

    Vectors are flattened over the n parameters that are judged.

    Attributes:
        update, target, space: what is audited, the objective it is meant to ascend, and where.
        places: the policies compared, the point of the audit first.
        fields: (places, n) E[g] at each; ascent directions.
        gradients: (places, n) ∇target at each.
        gradient: (objective, policy) -> (n,) its gradient there, computed once.
        identifiable: (n, n) the projection onto the directions that change the policy, see
            `fields.identifiable_projection`.
        compared: the sides at each place.
        reach: (places,) the size of the numbers of which each expectation is a sum.
        where: index of the place that is shown.
        here, there: the moments at the point of the audit, and at the place that is shown;
            covariances are computed when asked for.
        shown: E[g] and ∇target there, Fractions if everything could be run exactly.
    """

    def __init__(self, update: Update, target: Objective, places: int) -> None:
        self.update, self.target = update, target
        self.space = update.space
        self.identifiable = identifiable_projection(self.space, update.judged)
        self._largest_return = float(
            np.abs(
                self.space.arrays.floats(self.space.arrays.returns(self.space.discount))[:, 0]
            ).max()
        )
        self.gradient = Gradients(self.space, update.judged)
        compared = points(self.space, places)
        found = moments_at(update, compared)
        if any(each is None for each in found):
            raise NothingKept(nothing_kept(self.space))
        self.compare(
            [
                self.side(place, each)
                for place, each in zip(compared, found, strict=True)
                if each is not None
            ]
        )

    def side(self, place: Parameters, found: Moments) -> Side:
        """What is compared at one policy."""
        return place, found, self.gradient(self.target, place)

    def compare(self, sides: list[Side]) -> None:
        """Compare at these policies from now on, the point of the audit first."""
        self.compared = sides
        self.places = [place for place, _, _ in sides]
        self.here = sides[0][1]
        self.fields = np.stack([found.mean for _, found, _ in sides])
        self.reach = np.array([self.reach_of(found) for _, found, _ in sides])
        self.gradients = np.stack([gradient for _, _, gradient in sides])
        self.where = self._telling_place()
        self.there = sides[self.where][1]
        exact = self.exact_sides(self.space.weights) if self.where == 0 else None
        self.shown = exact or (
            tuple(float(entry) for entry in self.fields[self.where]),
            tuple(float(entry) for entry in self.gradients[self.where]),
        )

    def reach_of(self, there: Moments) -> float:
        """The size of the numbers of which an expectation is a sum: it can't be known better than
        to their rounding.
        """
        return max(self._largest_return, float(there.size.max()))

    def identifiable_sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Fields and gradients, (places, n) each, without the directions that leave the policy
        unchanged.
        """
        return self.fields @ self.identifiable, self.gradients @ self.identifiable

    def _telling_place(self) -> int:
        """The point of the audit, unless a bias shows only elsewhere."""
        fields, gradients = self.identifiable_sides()
        agree_here = agree(fields[:1], gradients[:1], self.reach[:1])
        return (
            int(np.abs(fields - gradients).max(axis=1).argmax())
            if agree_here and not agree(fields, gradients, self.reach)
            else 0
        )

    def blurred(self) -> list[bool]:
        """At which policies float64 can tell nothing: both sides are lost in the rounding of what
        they are sums of.

        Where nothing can be learned, since every action pays the same, a gradient of zero is right
        and no blur.
        """
        fields, gradients = self.identifiable_sides()
        sizes = np.maximum(np.abs(fields).max(axis=1), np.abs(gradients).max(axis=1))
        if self.target.name != the_value.name or self.space.horizon > 1:
            distinguishing = [self._saturated(place) for place in self.places]
        else:
            distinguishing = [not pays_the_same(self.space)] * len(self.places)
        lost = BLUR * self.reach >= CLOSE * sizes
        nil = np.abs(fields).max(axis=1) <= NOTHING * self.reach
        return [
            bool(blur and (distinguishes or not zero))
            for blur, distinguishes, zero in zip(lost, distinguishing, nil, strict=True)
        ]

    def _saturated(self, place: Parameters) -> bool:
        table = self.space.policy.table(place)
        return bool((table.max(axis=1) > 1 - SATURATED).any())

    def exact_sides(
        self, weights: Sequence[Fraction] | None
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
        """E[g] and the target's gradient at the policy of these weights e^θ, if both can be run on
        exact numbers.
        """
        if weights is None:
            return None
        try:
            left = exact_expected(
                self.update, weights, enumeration=self.update.program.order.enumeration
            )
            right = self.target.exact_gradient(self.space, self.update.judged, weights)
        except (NotExact, ZeroDivisionError):
            return None
        return tuple(Fraction(entry) for entry in left), tuple(Fraction(entry) for entry in right)
