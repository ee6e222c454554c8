"""Random formulas of one sample as data, for the laws: a sum of coefficient · scalar · vector, in
words.

The scalar may depend on the reward, the baseline and the policy, the vector on the sampled action:
nearly all of them are wrong estimators, in one way or another, and which laws they keep is worked
out in two ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

SCALARS = (
    *("r - b", "r - b", "r - b", "r", "b", "1", "r - v", "v - b", "r b", "(r - b)²", "π_A"),
    *("(r - b) π_A", "clipped r - b", "|r - b|", "r - mean q"),
)
VECTORS = (
    *("e - π", "e - π", "e - π", "e", "π", "e - 1/k", "π∘h", "q", "e∘π", "e/π"),
    *("e - π/2", "ones"),
)
ESCORT_VECTORS = ("(e - π)/θ", "(e - π)/θ", "(e - π)/θ", "e/θ", "e", "π")
LAWS = ("unbiased_at_value", "baseline_invariant", "right_direction", "translation_invariant", "relabel_equivariant",
        "zero_sum", "vanishes_at_corner", "conservative", "touches_taken_action_only", "quiet_at_corner", "ascends",
        "conservative")  # fmt: skip
ESCORT_LAWS = (
    "unbiased_at_value",
    "baseline_invariant",
    "right_direction",
    "conservative",
    "relabel_equivariant",
    "translation_invariant",
)


@dataclass(frozen=True)
class Formula:
    """One composed estimator and the laws it is checked against.

    Attributes:
        power: 0 for softmax, else that of an escort policy.
        terms: (coefficient, scalar, vector).
        laws: names.
    """

    index: int
    power: int
    terms: tuple[tuple[Fraction, str, str], ...]
    laws: tuple[str, ...]

    @property
    def known_unbiased(self) -> bool | None:
        """Whether it is unbiased for every baseline, where that follows from how it was composed;
        None where it doesn't.

        The score times r - b, r or r - v has the gradient as its mean; times what doesn't depend on
        the reward, it has none.
        """
        score = "(e - π)/θ" if self.power else "e - π"
        right = Fraction(self.power or 1)
        weight = Fraction(0)
        for coefficient, scalar, vector in self.terms:
            if vector != score:
                return None
            if scalar in ("r - b", "r", "r - v", "r - mean q"):
                weight += coefficient
            elif scalar not in ("b", "1", "v - b"):
                return None
        return weight == right


def formula(index: int) -> Formula:
    """The composed estimator of that number; the same one everywhere.

    Args:
        index: its number, the seed of all its choices.
    """
    rng = np.random.default_rng([19, index])
    power = int(rng.choice([0, 0, 0, 0, 2, 3]))
    vectors = ESCORT_VECTORS if power else VECTORS
    terms = []
    for number in range(int(rng.choice([1, 1, 1, 2, 2, 3]))):
        coefficient = Fraction(int(rng.choice([1, 1, 1, 2, -1, 3])), int(rng.choice([1, 1, 2])))
        coefficient *= power if power and rng.random() < 0.7 else 1
        scalar, vector = SCALARS[rng.integers(len(SCALARS))], vectors[rng.integers(len(vectors))]
        if number == 0 and rng.random() < 0.4:
            scalar, vector = "r - b", vectors[0]
        elif number and rng.random() < 0.4:
            # terms without a mean: they change nothing but the variance
            scalar, vector = str(rng.choice(["1", "b", "v - b"])), vectors[0]
        terms.append((coefficient, scalar, vector))
    names = ESCORT_LAWS if power else LAWS
    chosen = dict.fromkeys(["unbiased", *(names[i] for i in rng.integers(len(names), size=2))])
    return Formula(index, power, tuple(terms), tuple(chosen))
