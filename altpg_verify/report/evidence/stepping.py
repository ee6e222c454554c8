"""One step of the expected alternate update with a stepsize: the terms of the proof of theorem 1,
each from its definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.estimators import alternate
from altpg_verify.exact import expected_update
from altpg_verify.report.evidence.ball_arithmetic import (
    ball,
    excess,
    kullback_leibler,
    sign,
    stepped,
)
from altpg_verify.report.evidence.domains import (
    OPTIMISTIC_AWAY,
    OUTSIDE,
    PESSIMISTIC_AWAY,
    Domain,
    pi_star,
)


@dataclass(frozen=True)
class Step:
    """A case and a stepsize.

    Args:
        case: policy, rewards and a fixed baseline, exact.
        alpha: the stepsize.
    """

    case: Case
    alpha: Fraction

    @cached_property
    def zeta(self) -> np.ndarray:
        """(k,) zeta(a) = alpha (r(a) - b)."""
        return self.alpha * (self.case.q - self.case.b)

    @property
    def moved(self) -> np.ndarray:
        """(k,) what the step adds to the preferences, from the list of every outcome."""
        return self.alpha * expected_update(alternate, self.case)

    @property
    def harmonic(self) -> Fraction:
        """(sum_c 1 / zeta(c))^-1."""
        return 1 / (1 / self.zeta).sum()

    @property
    def mean(self) -> Fraction:
        """sum_c pi(c)^2 zeta(c)."""
        return (self.case.pi**2 * self.zeta).sum()

    @property
    def low(self) -> Fraction:
        """l = alpha min_c pi(c) (r(c) - b)."""
        return self.alpha * min(self.case.pi * (self.case.q - self.case.b))

    @property
    def high(self) -> Fraction:
        """u = alpha max_c pi(c) (r(c) - b)."""
        return self.alpha * max(self.case.pi * (self.case.q - self.case.b))

    @property
    def upper(self) -> Fraction:
        """(u - l)^2 / 8 + sum_c pi(c)^2 zeta(c)."""
        return (self.high - self.low) ** 2 / 8 + self.mean

    def log_term_against(self, bound: Fraction) -> int:
        """The sign of log sum_c pi(c) e^(pi(c) zeta(c)) - bound."""
        return excess(self.case.pi, self.case.pi * self.zeta - bound)

    def divergence_change(self) -> int:
        """The sign of KL(pi* | pi_{t+1}) - KL(pi* | pi_t), both from the definition."""
        star = pi_star(self.case)
        return sign(
            lambda: (
                kullback_leibler(star, stepped(self.case.pi, self.moved))
                - kullback_leibler(star, map(ball, self.case.pi))
            )
        )

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {"case": str(self.case), "alpha": self.alpha}


def stepsize_bound(case: Case) -> Fraction:
    """The largest stepsize of eq. upper_bound_alpha_fixed_pt_attractor, as printed."""
    gain = case.pi * (case.q - case.b)
    return (
        8
        / (max(gain) - min(gain)) ** 2
        * (1 / (1 / (case.q - case.b)).sum() - (case.pi**2 * (case.q - case.b)).sum())
    )


def _steps(domain: Domain, words: str, alphas: Callable[[Case], Iterable[Fraction]]) -> Domain:
    return domain.each(words, lambda case: [Step(case, alpha) for alpha in alphas(case)])


ANY_ALPHA = (Fraction(1, 100), Fraction(40))
ANY_STEP = _steps(OUTSIDE, "stepsizes 1/100 and 40", lambda case: ANY_ALPHA)
UP = _steps(PESSIMISTIC_AWAY, "stepsizes 1/100 and 40", lambda case: ANY_ALPHA)
DOWN = _steps(OPTIMISTIC_AWAY, "stepsizes 1/100 and 40", lambda case: ANY_ALPHA)
BELOW_BOUND = _steps(
    OPTIMISTIC_AWAY,
    "stepsizes 1/1000, 1/2 and 999999/1000000 of the printed bound",
    lambda case: [
        stepsize_bound(case) * share
        for share in (Fraction(1, 1000), Fraction(1, 2), Fraction(999999, 10**6))
    ],
)
EXPLICIT = _steps(
    OPTIMISTIC_AWAY,
    "stepsizes 1/1000, 1/2 and 1 of sum_a 1 / (b - r(a))",
    lambda case: [
        (1 / (case.b - case.q)).sum() * share
        for share in (Fraction(1, 1000), Fraction(1, 2), Fraction(1))
    ],
)
