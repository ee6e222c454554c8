"""Which preferences an update moves, and how many operations a step takes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from random import Random

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.estimators import alternate, regular
from altpg_verify.exact import outcomes
from altpg_verify.judging import Finding
from altpg_verify.laws import law_named
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import ANYWHERE, Domain
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.sampling_tree import (
    Counted,
    SamplingTree,
    Tally,
    alternate_step,
    regular_step,
)

STEPS = 20
BASELINE, STEPSIZE = 0.5, 0.25
CHECKED = 100
LINEAR = LOGARITHMIC = 10
"""Operations allowed for each action, and for each level of the tree."""


@dataclass(frozen=True)
class Size:
    """A number of actions, and steps of both gradient bandits on it.

    Args:
        k: number of actions.
        seed: of the draws.
    """

    k: int
    seed: int

    @property
    def levels(self) -> int:
        """floor(log₂ k) + 1, the height of a balanced tree of k nodes."""
        return self.k.bit_length()

    @cached_property
    def regular(self) -> int:
        """The most operations that a step with the regular estimator took, in `STEPS` steps from
        the uniform policy.
        """
        theta, random, most = np.zeros(self.k), Random(self.seed), 0
        for _ in range(STEPS):
            theta, operations = regular_step(
                theta, lambda action: float(action % 3), BASELINE, STEPSIZE, random
            )
            most = max(most, operations)
        return most

    @cached_property
    def alternate(self) -> int:
        """The most operations that a step with the alternate estimator and a sampling tree took, in
        `STEPS` steps from the uniform policy; making the tree isn't counted.
        """
        theta, random, most = np.zeros(self.k), Random(self.seed), 0
        tree = SamplingTree(np.exp(theta))
        for _ in range(STEPS):
            _, operations = alternate_step(
                theta, tree, lambda action: float(action % 3), BASELINE, STEPSIZE, random
            )
            most = max(most, operations)
        return most

    @property
    def misplaced(self) -> int:
        """Of the keys at both ends of some actions' intervals, how many a tree of whole weights
        gives to another action.
        """
        random = Random(self.seed)
        weights = np.array([random.randint(1, 9) for _ in range(self.k)])
        tree, begin, wrong = SamplingTree(weights), 0, 0
        for position, action in enumerate(tree.in_order()):
            end = begin + int(weights[action])
            if position % (1 + self.k // CHECKED) == 0:
                wrong += sum(
                    tree.select(Counted(key, Tally())) != action for key in (begin, end - 1)
                )
            begin = end
        return wrong

    @property
    def ratio(self) -> Fraction:
        """Operations with the regular estimator for each one with the alternate."""
        return Fraction(self.regular, self.alternate)

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {"actions": self.k, "seed": self.seed}


@dataclass(frozen=True)
class Doubling:
    """Two numbers of actions, the second twice the first, and the largest of all.

    Args:
        sizes: the smaller, the larger, the largest.
    """

    sizes: tuple[Size, Size, Size]

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {"actions": tuple(size.k for size in self.sizes)}


@cache
def _size(k: int, seed: int) -> Size:
    return Size(k, seed)


SIZES = Domain(
    "2 to 2^14 actions, powers of two and others, 20 steps each",
    lambda max_examples, seed: [
        _size(k, seed) for k in (2, 3, 5, 7, 100, 1000, 10000, *(2**n for n in range(2, 15)))
    ],
)
DOUBLINGS = Domain(
    "2^3, ..., 2^20 actions, 20 steps each",
    lambda max_examples, seed: [
        Doubling((_size(2**n, seed), _size(2 ** (n + 1), seed), _size(2**20, seed)))
        for n in range(3, 20)
    ],
)


def _moved_by_draws(c: Case) -> tuple[object, object]:
    moved = [
        [bool(entry != 0) for entry in estimate]
        for est in (regular, alternate)
        for estimate in outcomes(est, c)
    ]
    draws = list(c.draws())
    every = [[bool(reward != c.b)] * c.k for _, _, reward in draws]
    taken = [
        [bool(reward != c.b and a == action) for a in range(c.k)] for _, action, reward in draws
    ]
    return moved, every + taken


def _moved_by_regular(c: Case) -> tuple[object, object]:
    moving = [
        estimate
        for estimate, (_, _, reward) in zip(outcomes(regular, c), c.draws(), strict=True)
        if reward != c.b
    ]
    return [[bool(entry != 0) for entry in estimate] for estimate in moving], [
        [True] * c.k for _ in moving
    ]


CLAIMS: dict[str, Enumerated] = {
    "regular-updates-all-components": Enumerated(
        _moved_by_regular,
        ANYWHERE.where(
            "some reward different from the baseline",
            lambda case: any(reward != case.b for _, _, reward in case.draws()),
        ),
        summary="1 for each component that each draw with R != b moves, and 1",
    ),
    "alternate-updates-single-component": Enumerated(
        lambda c: law_named("touches_taken_action_only").sides(alternate, c),
        ANYWHERE,
        summary=(
            "every draw of the alternate estimator in the components of the actions not taken, and"
            " zero"
        ),
    ),
    "components-that-move": Enumerated(
        _moved_by_draws,
        ANYWHERE,
        summary=(
            "1 for each component that a draw moves, regular then alternate, and what the statement"
            " says"
        ),
    ),
}
COSTS: dict[str, Enumerated] = {
    "regular-step-costs-linear": Enumerated(
        lambda size: (size.regular, LINEAR * size.k),
        SIZES,
        "<=",
        summary="operations on numbers in the costliest step run, and 10 for each action",
    ),
    "alternate-step-costs-logarithmic": Enumerated(
        lambda size: ([size.alternate, size.misplaced], [LOGARITHMIC * size.levels, 0]),
        SIZES,
        "<=",
        summary=(
            "operations on numbers in the costliest step run, and 10 for each level of the tree;"
            " keys given to a wrong action, and none"
        ),
    ),
    "cost-difference-substantial": Enumerated(
        lambda doubling: (
            [doubling.sizes[1].ratio, doubling.sizes[2].ratio],
            [doubling.sizes[0].ratio, 10],
        ),
        DOUBLINGS,
        ">",
        summary=(
            "operations with the regular estimator over those with the alternate: after a doubling"
            " and before; at 2^20 actions, and 10"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def moved_preferences(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Which components each draw moves."""
    return CLAIMS[claim].judged(max_examples, seed)


@evidence(*COSTS, kind="execution")
def counted_steps(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Operations counted while both gradient bandits run."""
    return COSTS[claim].judged(max_examples, seed)
