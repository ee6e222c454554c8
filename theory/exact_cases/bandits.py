"""The small bandits on which formulas are compared, the smallest first."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, basis, constant

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def _grid(
    policies: tuple[Vec, ...],
    rewards: tuple[Vec, ...],
    noises: tuple[int, ...],
    baselines: tuple[int | Fraction, ...],
) -> list[Bandit]:
    found = []
    for p, r, noise, b in product(policies, rewards, noises, baselines):
        if len(p) == len(r):
            # unequal noise and an eta that is nothing special, so that no formula agrees by
            # symmetry
            sigma = Vec(*(noise * (a + 1) for a in range(len(p))))
            found.append(
                Bandit(
                    p, r, sigma, Fraction(b), Vec(*(Fraction(a + 1, a + 2) for a in range(len(p))))
                )
            )
    return found


_REWARDS = (Vec(0, 1), Vec(2, -1), Vec(1, 2, 3), Vec(0, 0, 1), Vec(-2, 5, 1))
_EQUAL = (Vec(0, 0), Vec(1, 1), Vec(2, 2, 2))
_INNER = (
    Vec(HALF, HALF),
    Vec(THIRD, 2 * THIRD),
    Vec(THIRD, THIRD, THIRD),
    Vec(HALF, THIRD, Fraction(1, 6)),
)

INTERIOR = _grid(_INNER, _REWARDS, (0, 1), (0, 4, Fraction(1, 3)))
"""Interior policies, rewards that are not all equal, with and without noise, three baselines."""

EQUAL = _grid(_INNER, _EQUAL, (0, 1), (1, 4))
"""Interior policies and equal rewards."""

ANY_REWARDS = sorted([*INTERIOR, *EQUAL], key=lambda case: (case.k, case.r[0] != case.r[-1]))
"""Interior policies, the equal rewards first: they are the simplest."""

CORNERS = [
    Bandit(basis(c, k), r, sigma, Fraction(b), eta)
    for k, r in ((2, Vec(0, 1)), (2, Vec(1, 1)), (3, Vec(1, 2, 3)))
    for c in range(k)
    for sigma in (constant(0, k), constant(1, k), Vec(*(a + 2 for a in range(k))))
    for b in (0, 4)
    for eta in (basis(c, k), constant(HALF, k), constant(2, k))
]
"""Policies that always take one action."""

NOISY_CORNERS = [case for case in CORNERS if all(case.sigma)]
"""Corners whose rewards are noisy."""

EDGES = [
    Bandit(p, r, sigma, Fraction(b), p)
    for p in (Vec(HALF, HALF, 0), Vec(THIRD, 0, 2 * THIRD))
    for r in (Vec(0, 1, 0), Vec(1, 2, 3))
    for sigma in (constant(0, 3), constant(1, 3))
    for b in (0, 4)
]
"""Policies on an edge of the triangle, between two actions."""

BOUNDARY = [*(case for case in CORNERS if case.k == 2), *EDGES]
"""Corners and edges."""

FACES = [
    Bandit(p, r, sigma, Fraction(b), p)
    for p, r in (
        (Vec(1, 0), Vec(0, 1)),
        (Vec(HALF, HALF), Vec(1, 1)),
        (Vec(HALF, HALF, 0), Vec(2, 2, 5)),
        (Vec(THIRD, 0, 2 * THIRD), Vec(-1, 4, -1)),
        (Vec(THIRD, THIRD, THIRD), Vec(3, 3, 3)),
    )
    for sigma in (constant(0, len(p)), constant(1, len(p)))
    for b in (0, 7)
]
"""Policies saturated on actions of one reward."""

NEAR_CORNERS = [
    Bandit(p, r, constant(1, len(p)), Fraction(b), p)
    for far in (Fraction(1, 10), Fraction(1, 1000))
    for p, r in (
        (Vec(1 - far, far), Vec(0, 1)),
        (Vec(far / 2, 1 - far, far / 2), Vec(1, 2, 3)),
        (Vec(1 - far, far / 3, 2 * far / 3), Vec(0, 0, 1)),
    )
    for b in (Fraction(1, 2), 4)
]
"""Interior policies with nearly all of the mass on one action."""

SKEWED = [
    Bandit(p, r, 0 * r, Fraction(b), p)
    for p, r in (
        (Vec(2 * THIRD, THIRD), Vec(0, 0)),
        (Vec(2 * THIRD, THIRD), Vec(0, 1)),
        (Vec(HALF, THIRD, Fraction(1, 6)), Vec(1, 2, 3)),
    )
    for b in (-1, 4)
]
"""Policies with one most likely action, a pessimistic and an optimistic baseline."""

CLOSED_SIMPLEX = [
    Bandit(p, r, constant(0, len(p)), Fraction(b), p)
    for p in (
        *(basis(c, 2) for c in range(2)),
        *(basis(c, 3) for c in range(3)),
        Vec(HALF, HALF, 0),
        Vec(0, THIRD, 2 * THIRD),
        *_INNER,
    )
    for r in (Vec(0, 1), Vec(1, 1), Vec(1, 2, 3), Vec(0, 0, 1), Vec(2, 2, 2))
    if len(r) == len(p)
    for b in (0, 1, Fraction(1, 2), Fraction(5, 2), 4)
]
"""Policies anywhere on the closed simplex, baselines below, between, at and above the rewards."""


def kappa(case: Bandit) -> Fraction:
    """κ = (Σ_a 1 / (r(a) − b))⁻¹, the paper's constant of the fixed-point equation π(a) (r(a) − b)
    = κ (appendix B.3). Negative for an optimistic baseline b > max r, positive for a pessimistic
    one.

    Raises:
        ZeroDivisionError: a reward equals the baseline, or the sum is zero.
    """
    return 1 / sum((1 / (case.r - case.b)).entries, Fraction(0))


def fixed_point(case: Bandit) -> Vec:
    """π*(a) = κ / (r(a) − b), (k,): the fixed point of lemma 2.1. Its entries are probabilities if
    the baseline lies outside the range of the rewards; otherwise some are negative.
    """
    return kappa(case) / (case.r - case.b)


OUTSIDE = [
    Bandit(p, r, constant(0, len(p)), Fraction(b), p)
    for p in _INNER
    for r in (Vec(0, 1), Vec(1, 2), Vec(1, 2, 3), Vec(0, 0, 1), Vec(2, 2, 2))
    if len(r) == len(p)
    for b in (max(r) + 1, min(r) - 1, max(r) + 4, min(r) - Fraction(1, 2))
]
"""Interior policies with a baseline below or above all rewards."""

AWAY = [case for case in OUTSIDE if case.p != fixed_point(case)]
"""The same, without those whose policy is the fixed point."""

PESSIMISTIC = [case for case in AWAY if case.b < min(case.r)]
"""The same, baselines below all rewards."""

OPTIMISTIC = [case for case in AWAY if case.b > max(case.r)]
"""The same, baselines above all rewards."""
