"""Whether a law fails in one case: exactly where the formula is exact; in float64 where it isn't,
with an answer only where rounding can't have made the difference.
"""

from __future__ import annotations

import math
from copy import copy
from fractions import Fraction
from itertools import pairwise

import numpy as np

from altpg_verify import balls
from altpg_verify.cases import Case
from altpg_verify.estimators import Estimator
from altpg_verify.exact import Calls, Undefined, listening, outcomes
from altpg_verify.exactness import is_exact, is_rational, rounds
from altpg_verify.laws import Law, Sides
from altpg_verify.number_types import Number
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.relations import RELATIONS
from altpg_verify.sized import measuring, sized
from altpg_verify.untrusted.type_queries import type_query

TOLERANCE = 1e-9
"""Tolerance of float64 comparisons, as a share of the terms that are summed; they can refute or
fail to refute but never prove.
"""


FAR_APART = Fraction(1, 100_000)
"""Numbers nearer to each other than this share of the largest, or of 1, and probabilities below it:
not tried in float64.
"""


LEFT_OUT = (
    f"; in float64, so that cases with numbers nearer to each other than 1/{FAR_APART.denominator}"
    " of the largest or of 1, or with probabilities below that, are left out"
)
"""What is said beside the ranges of a formula that runs in float64 only."""


ROUNDING = 1e-13
"""Rounding error of a float64 side, as a share of the rewards (or of their squares), that is no
deviation.
"""


SATURATED = 1e-10
"""Probability of an action below which float64 may lose what it contributes."""


SMALLEST = 1e-150
"""A number below this has no square in float64."""


DOUBTS = 3
"""Cases of a law in which a deviation that may be rounding is told from it by intervals."""


class Comparing:
    """Compares the two sides of laws for one estimator.

    Exact numbers are compared exactly. Floats are compared up to a share of the terms that were
    summed, and where they differ the same case is run on balls, which tell a deviation from
    rounding for certain.

    Args:
        estimator, parameterisation: what is checked, and how preferences become its policy.

    Attributes:
        exact: the formula stays within exact numbers.
        rounds: it does, and makes floats on the way.
        compared: the estimator, measuring the size of what float64 sums if it isn't exact.
        doubts: for each law, how many deviations that may be rounding are still asked of intervals.
    """

    def __init__(self, estimator: Estimator, parameterisation: Parameterisation) -> None:
        self.estimator = estimator
        self.exact = is_exact(estimator, parameterisation)
        self.rounds = self.exact and rounds(estimator, parameterisation)
        self.compared = estimator if self.exact else measuring(estimator)
        self.doubts: dict[str, int] = {}

    def in_float64(self) -> Comparing:
        """The same for the formula as it answers to floats; doubts are shared. For a formula that
        may tell exact numbers from the floats of training.
        """
        made = copy(self)
        made.exact, made.compared = False, measuring(self.estimator)
        return made

    def fails(self, law: Law, case: Case) -> bool:
        """Whether the law fails in this case, exactly where the estimator is exact, else beyond the
        float tolerance.

        A side that doesn't exist in the interior (0/0) fails the law; at the boundary, where
        softmax never is, that is passed on as `Undefined`.

        Raises:
            Undefined: a side of a law of corners has no value.
            Raised: the formula raised an exception of its own.
        """
        exact = case
        # balls need the exact numbers, which the float case has lost
        if not self.exact or law.domain.floats:
            case = case.as_float()
        try:
            left, right = law.sides(self.estimator if law.domain.floats else self.compared, case)
        except Undefined:
            if law.domain.boundary:
                raise
            # two sides of which one doesn't exist aren't equal
            return True
        relation = RELATIONS[law.relation]
        pairs = list(zip(left, right, strict=True))
        if self.rounds and not law.domain.floats:
            reach = TOLERANCE * max(
                abs(float(entry))
                for entry in (*left, *right, *np.concatenate(outcomes(self.estimator, case)))
            )
            off = max((abs(one - two) for one, two in pairs if not relation(one, two)), default=0)
            near = off <= reach
            # a deviation that could be rounding is asked of intervals, too, as long as few were;
            # once one was none, all are
            if not off or (near and self.doubts.setdefault(law.name, DOUBTS) == 0):
                return False
            decided = self.on_balls(law, case, (left, right))
            if near and self.doubts[law.name] > 0:
                self.doubts[law.name] = (
                    -1 if decided is not None and decided[0] else self.doubts[law.name] - 1
                )
            return not near if decided is None else decided[0]
        if law.domain.floats or all(is_rational(entry) for entry in (*left, *right)):
            return not all(relation(one, two) for one, two in pairs)
        if all(
            _close(one, two) or (law.relation != "=" and relation(float(one), float(two)))
            for one, two in pairs
        ):
            return False
        decided = self.on_balls(law, exact, (left, right))
        return decided is None or decided[0]

    def on_balls(self, law: Law, case: Case, seen: Sides) -> tuple[bool, int] | None:
        """Whether the law certainly fails in a case of exact numbers, with the bits of precision;
        None if intervals can't tell.
        """
        key = ("on balls", law.name, self.estimator)
        if key not in case.known:
            # what could tell a ball from a float may answer otherwise to it, and nothing of this is
            # asked again
            telling = (
                law.domain.floats
                or any(isinstance(entry, float) for entry in case.x)
                or type_query(self.estimator.formula, numbers=True)
            )
            with listening(Calls()):
                found = (
                    None
                    if telling
                    else balls.fails(
                        lambda each: law.sides(self.estimator, each), law.relation, case, seen
                    )
                )
            case.known[key] = found
        found = case.known[key]
        return found if found is None else (bool(found[0]), int(found[1]))

    def undefined(self, law: Law, case: Case) -> bool:
        """Whether a side doesn't exist in this case: something in it is divided by zero. A proof
        over rational functions says nothing of such a case.
        """
        try:
            law.sides(self.estimator, case if self.exact or law.domain.floats else case.as_float())
        except Undefined:
            return True
        return False

    def fails_in_floats(self, law: Law, case: Case) -> bool | None:
        """Whether the law fails in a case of numbers of any size, run in float64; None where
        rounding hides it.

        For a case that somebody names, which may have numbers that float64 can't tell apart. It
        fails if the deviation exceeds all rounding that the rewards, and their squares, can bring;
        it holds only if no number is lost beside another and no action that counts is too unlikely.
        """
        try:
            left, right = law.sides(self.estimator, case.as_float())
        except Undefined:
            return True
        pairs = [(float(one), float(two)) for one, two in zip(left, right, strict=True)]
        if not all(math.isfinite(entry) for pair in pairs for entry in pair):
            return None
        size = max([0.0, *(abs(entry) for pair in pairs for entry in pair)])
        numbers = {
            Fraction(0),
            Fraction(case.b),
            *(Fraction(reward) for outcomes in case.rewards for reward, _ in outcomes),
        }
        largest = max(float(law.moves), *(float(abs(number)) for number in numbers))
        closest = min((float(two - one) for one, two in pairwise(sorted(numbers))), default=largest)
        # laws are of the first or of the second degree in the rewards
        # so rounding is at least a share of the smaller of both powers, at most of the larger
        least, most = sorted(ROUNDING * power for power in (largest, largest**2))
        # on the very bound rounding decides a strict inequality
        if law.relation in ("<", ">") and any(abs(one - two) <= least for one, two in pairs):
            return None
        off = [abs(one - two) for one, two in pairs if not RELATIONS[law.relation](one, two)]
        deviation = max(off, default=0.0)
        if deviation > most + TOLERANCE * size:
            return True
        # numbers that vanish beside others, and numbers whose squares vanish, may hide a deviation
        # altogether
        hidden = ROUNDING * largest > TOLERANCE * closest or closest < SMALLEST
        saturated = any(0 < entry < SATURATED for entry in case.pi)
        return (
            False
            if not hidden
            and (deviation <= TOLERANCE * size or (deviation <= least and not saturated))
            else None
        )

    def tellable(self, case: Case) -> bool:
        """Whether float64, if that is what the formula is run in, can tell the case's numbers
        apart.

        Rewards, the baseline and 0 must differ from each other by `FAR_APART` of the largest (or of
        1), and no probability may be smaller than that. Else rounding could look like a deviation.
        """
        if self.exact:
            return True
        numbers = sorted(
            {Fraction(0), case.b, *(reward for outcomes in case.rewards for reward, _ in outcomes)}
        )
        largest = max(abs(number) for number in numbers)
        closest = min((two - one for one, two in pairwise(numbers)), default=Fraction(1))
        # what a law adds, such as 1 to every reward, mustn't swallow them
        return (
            closest >= max(largest, 1) * FAR_APART
            and min((abs(entry) for entry in case.pi if entry), default=1) >= FAR_APART
        )


def _close(one: Number, two: Number) -> bool:
    # as a share of the terms summed on both sides, which cancellation doesn't make smaller
    left, right = sized(one), sized(two)
    return abs(left.value - right.value) <= TOLERANCE * (left.size + right.size)
