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
    """One step θ ← θ + α E[ĝ] of the alternate estimator on a bandit, with the terms of the paper's
    proof.

    The letters are those of appendix B.3: ζ, u, l, π* and the two bounds of the log term.

    Args:
        case: policy, rewards and a fixed baseline, exact.
        alpha: the stepsize.
    """

    case: Case
    alpha: Fraction

    @cached_property
    def zeta(self) -> np.ndarray:
        """(k,) ζ(a) = α (r(a) - b) (eq. zeta_definition)."""
        return self.alpha * (self.case.q - self.case.b)

    @property
    def moved(self) -> np.ndarray:
        """(k,) what the step adds to the preferences, from the list of every outcome."""
        return self.alpha * expected_update(alternate, self.case)

    @property
    def harmonic(self) -> Fraction:
        """(Σ_c 1/ζ(c))⁻¹, the term of the fixed point in eq. KL_relation."""
        return 1 / (1 / self.zeta).sum()

    @property
    def mean(self) -> Fraction:
        """Σ_c π(c)² ζ(c), the mean of π(C) ζ(C): the lower bound of the log term, by Jensen."""
        return (self.case.pi**2 * self.zeta).sum()

    @property
    def low(self) -> Fraction:
        """l = α min_c π(c) (r(c) - b), the least that a preference moves."""
        return self.alpha * min(self.case.pi * (self.case.q - self.case.b))

    @property
    def high(self) -> Fraction:
        """u = α max_c π(c) (r(c) - b), the most that a preference moves."""
        return self.alpha * max(self.case.pi * (self.case.q - self.case.b))

    @property
    def upper(self) -> Fraction:
        """(u - l)²/8 + Σ_c π(c)² ζ(c), the upper bound of the log term, by Hoeffding's lemma (eq.
        fixed_point_upper_bound_log).
        """
        return (self.high - self.low) ** 2 / 8 + self.mean

    def log_term_against(self, bound: Fraction) -> int:
        """The sign of log Σ_c π(c) e^(π(c) ζ(c)) - bound, decided by ball arithmetic.

        Raises:
            Undecided: the two are the same, or as good as.
        """
        return excess(self.case.pi, self.case.pi * self.zeta - bound)

    def divergence_change(self) -> int:
        """The sign of KL(π* ‖ π_{t+1}) - KL(π* ‖ π_t), both from the definition: 1 where the step
        leads away from π*, -1 where it leads nearer.
        """
        # at the same precision, so that the difference is one ball
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
    """The largest stepsize of eq. upper_bound_alpha_fixed_pt_attractor, as printed: 8/(u - l)²
    times (harmonic term - mean term), all of them at α = 1.
    """
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
