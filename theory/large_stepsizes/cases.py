"""Appendix H: softmax, logistic and convex functions under large steps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import (
    Bandit,
    Vec,
    basis,
    constant,
    dot,
    exp_bounds,
    total,
)
from altpg_verify.theory.exact_cases.bandits import CLOSED_SIMPLEX, INTERIOR, NEAR_CORNERS
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.experiments.cases_pseudocode import softmax


@dataclass(frozen=True)
class Steps:
    """Two stepsizes along the true gradient, the smaller first.

    Args:
        m: bandit and policy before the step.
        small, large: stepsizes, 0 < small < large.
    """

    m: Bandit
    small: Fraction
    large: Fraction

    def _value(self, alpha: Fraction) -> tuple[Fraction, Fraction]:
        """Rational numbers around the expected reward after one step: sum p e^(alpha g) r / sum p
        e^(alpha g).
        """
        bounds = [exp_bounds(alpha * g) for g in self.m.gradient()]
        shifted = self.m.r - min(
            self.m.r
        )  # no negative rewards, so that the bounds go the right way
        # numerator and denominator are bounded in opposite directions
        low = [p * b[0] for p, b in zip(self.m.p, bounds, strict=True)]
        high = [p * b[1] for p, b in zip(self.m.p, bounds, strict=True)]
        return (
            min(self.m.r) + dot(Vec(*low), shifted) / sum(high, Fraction(0)),
            min(self.m.r) + dot(Vec(*high), shifted) / sum(low, Fraction(0)),
        )

    def values(self) -> tuple[Fraction, Fraction]:
        """The expected rewards after the small and the large step, rounded towards each other.

        Fractions that are short enough to print and lie strictly between what they bound, so
        comparing them decides the comparison of the true numbers.

        Raises:
            ArithmeticError: the enclosures overlap, so that nothing can be said.
        """
        small, large = self._value(self.small), self._value(self.large)
        if small == large:
            return small[0], large[0]
        if small[1] < large[0]:
            return _short(small[1], up=True), _short(large[0], up=False)
        if large[1] < small[0]:
            return _short(small[0], up=False), _short(large[1], up=True)
        raise ArithmeticError("the enclosures of the two expected rewards overlap")

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"pi": self.m.p, "r": self.m.r, "stepsizes": Vec(self.small, self.large)}


def _short(x: Fraction, *, up: bool) -> Fraction:
    """Twelve digits, rounded towards the other value: still on its side of everything between."""
    scale = 10**12
    return Fraction(
        -(-x.numerator * scale // x.denominator) if up else x.numerator * scale // x.denominator,
        scale,
    )


def _bandit(p: Vec, r: Vec) -> Bandit:
    return Bandit(p, r, constant(0, len(p)), Fraction(0), constant(0, len(p)))


_TWO = [
    _bandit(p, Vec(0, 1))
    for p in (Vec(Fraction(1, 2), Fraction(1, 2)), Vec(Fraction(9, 10), Fraction(1, 10)))
]
_THREE = [
    _bandit(Vec(Fraction(1, 2), Fraction(2, 5), Fraction(1, 10)), Vec(0, 1, 2)),
    _bandit(Vec(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)), Vec(0, 1, 2)),
]
_PAIRS = ((Fraction(1), Fraction(4)), (Fraction(4), Fraction(16)), (Fraction(16), Fraction(48)))
_STEPS_TWO = [Steps(m, *pair) for m in _TWO for pair in _PAIRS[:2]]
_STEPS_ANY = [*_STEPS_TWO, *(Steps(m, *pair) for pair in _PAIRS for m in _THREE)]
_INNER = [m for m in INTERIOR if not any(m.sigma)]


def _unsolved_value(steps: int) -> Fraction:
    """The learned value of a state that leads to itself at reward -1, gamma = 1, bootstrapping at
    every step.
    """
    value = Fraction(0)
    for _ in range(steps):
        value += Fraction(1, 2) * (-1 + value - value)
    return value


STATEMENTS: dict[str, Statement] = {
    "softmax-of-any-preferences": Statement(
        lambda theta: Vec(min(softmax(theta)), 2 - total(softmax(theta)), total(softmax(theta))),
        lambda theta: Vec(0, Fraction(999, 1000), Fraction(999, 1000)),
        [[0, 0], [60, 0], [-40, 20, 3], [50, 50, -10]],
        "preferences between -40 and 60",
        ">",
        summary=(
            "the smallest probability above zero, and the sum within a thousandth of one from both"
            " sides"
        ),
    ),
    "optimum-at-infinity-unequal-values": Statement(
        lambda m: m.value,
        lambda m: max(m.r),
        _INNER,
        "interior policies, rewards that are not all equal",
        "<",
        summary="value, largest reward",
    ),
    "unsolved-values-diverge": Statement(
        _unsolved_value,
        lambda steps: -Fraction(steps, 2),
        [1, 10, 1000],
        "one state that never ends, beta = 1/2",
    ),
    "convex-large-step-can-worsen": Statement(
        lambda x: (x - 3) ** 2,
        lambda x: x**2,
        [Fraction(1)],
        "f(x) = x^2 from x = 1, a step of 3 towards the minimum",
        ">",
    ),
    "larger-step-closer-to-optimum": Statement(
        lambda s: s.values()[0],
        lambda s: s.values()[1],
        _STEPS_ANY,
        "two and three actions, stepsizes from 1 to 48",
        "<=",
        summary=(
            "the expected reward after one step along the true gradient, with the smaller and with"
            " the larger stepsize, to twelve digits"
        ),
    ),
    "larger-step-closer-for-two-actions": Statement(
        lambda s: s.values()[0],
        lambda s: s.values()[1],
        _STEPS_TWO,
        "two actions, stepsizes from 1 to 16",
        "<=",
    ),
    "large-steps-never-lower-value": Statement(
        lambda s: s.m.value,
        lambda s: Steps(s.m, Fraction(0), s.large).values()[1],
        _STEPS_ANY,
        "two and three actions, stepsizes from 4 to 48",
        "<",
        summary="the expected reward before and after one step along the true gradient",
    ),
    "logistic-is-softmax": Statement(
        # e^x with x = theta_a - log sum_{c != a} e^theta_c, for weights w = e^theta
        lambda m: (m.p[0] / (1 - m.p[0])) / (m.p[0] / (1 - m.p[0]) + 1),
        lambda m: m.p[0],
        _INNER,
        "interior policies, two and three actions",
    ),
    "logistic-increases-with-stepsize": Statement(
        lambda m: Vec(*(factor * m.p[0] / (factor * m.p[0] + 1 - m.p[0]) for factor in (1, 2, 10))),
        lambda m: Vec(
            *(factor * m.p[0] / (factor * m.p[0] + 1 - m.p[0]) for factor in (2, 10, 1000))
        ),
        _INNER,
        "interior policies, e^theta_a times 1, 2, 10, 1000",
        "<",
    ),
    "gradient-is-steepest": Statement(
        lambda m: max(
            dot(m.gradient(), u) ** 2 / dot(u, u)
            for u in (m.r, m.p, m.eta, basis(0, m.k), m.gradient() + m.p)
        ),
        lambda m: dot(m.gradient(), m.gradient()),
        _INNER,
        "interior policies, five directions",
        "<=",
        summary=(
            "the squared rate of improvement along other directions of unit length, the best, and"
            " along the gradient"
        ),
    ),
    "bandit-optimum-is-global": Statement(
        # moving mass from any action that is taken to a better one improves a linear objective
        lambda m: int(
            not any(m.p[a] > 0 and m.r[c] > m.r[a] for a in m.actions for c in m.actions)
        ),
        lambda m: int(dot(m.p, m.r) == max(m.r)),
        [m for m in CLOSED_SIMPLEX if m.r == Vec(1, 2, 3)],
        "r = (1, 2, 3), policies on the closed simplex",
        summary=(
            "left: 1 if no small change of the policy improves it; right: 1 if its value is the"
            " largest reward"
        ),
    ),
    "regular-vanishes-at-saturation": Statement(
        lambda m: max(map(abs, basis(m.top, m.k) - m.p)),
        lambda m: 1 - m.p[m.top],
        NEAR_CORNERS,
        "0.9 and 0.999 of the mass on one action",
        "<=",
        summary="the largest entry of e_A - pi for the corner's action, and the mass off the corner",
    ),
    "alternate-nonzero-at-any-saturation": Statement(
        lambda m: min(dot((x - m.b) * e, (x - m.b) * e) for _, e, x in m.draws if x != m.b),
        lambda m: 0,
        NEAR_CORNERS,
        "0.9 and 0.999 of the mass on one action, draws whose reward differs from the baseline",
        ">",
    ),
    "powers-of-two": Statement(
        lambda n: Vec(2**5, 2**16), lambda n: Vec(32, 65536), [None], "both numbers"
    ),
    "effective-stepsize-number": Statement(
        lambda n: abs(Fraction(2**16, 9) - 7282),
        lambda n: Fraction(1, 2),
        [None],
        "the quotient",
        "<=",
    ),
    "adam-default-stepsize": Statement(
        lambda source: source[1],
        lambda source: Fraction(3, 10000),
        [
            ("Kingma and Ba, 2014, algorithm 1", Fraction(1, 1000)),
            ("PyTorch, torch.optim.Adam", Fraction(1, 1000)),
        ],
        "the cited article and PyTorch",
        summary="the default stepsize of the source, and the number printed",
    ),
    "adam-default-stepsize-corrected": Statement(
        lambda source: source[1],
        lambda source: Fraction(1, 1000),
        [
            ("Kingma and Ba, 2014, algorithm 1", Fraction(1, 1000)),
            ("PyTorch, torch.optim.Adam", Fraction(1, 1000)),
        ],
        "the cited article and PyTorch",
        summary="the default stepsize of the source, and the number printed",
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def large_stepsizes(claim: str) -> Finding:
    """Both sides of each statement on steps of any size.

    Expected rewards after a step are enclosed between fractions by `exp_bounds`; overlapping
    enclosures raise instead of deciding.
    """
    return STATEMENTS[claim].judged()
