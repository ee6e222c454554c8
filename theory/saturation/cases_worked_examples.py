"""The paper's own examples and numbers, computed from the formulas beside them (bandits)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, basis, constant, dot, join
from altpg_verify.theory.exact_cases.bandits import fixed_point
from altpg_verify.theory.exact_cases.statements import Statement

ROUNDED = Fraction(1, 200)
"""Half a unit of the second decimal."""


@dataclass(frozen=True)
class Draw:
    """The three-armed example: reward (0, 0, 1), a policy saturated on the first action, one value
    of the noise.

    Attributes:
        noise: epsilon, added to the reward of the action taken.
        baseline: b.
        r, p, e: rewards, policy and the action taken, one-hot; the same in every draw.
    """

    noise: Fraction
    baseline: Fraction = Fraction(0)

    r = Vec(0, 0, 1)
    p = Vec(1, 0, 0)
    e = basis(0, 3)

    @property
    def value(self) -> Fraction:
        """r_pi = sum_a pi(a) r(a)."""
        return dot(self.p, self.r)

    @property
    def reward(self) -> Fraction:
        """R of the first action: r(1) + epsilon."""
        return self.r[0] + self.noise

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"epsilon": self.noise, "b": self.baseline}


_NOISES = [Draw(Fraction(noise)) for noise in (0, 1, -1, Fraction(5, 2))]
_BASELINES = [Draw(Fraction(noise), Fraction(delta)) for noise in (0, 1, -1) for delta in (4, 100)]
_DOMAIN = "several values of the noise"
_FIXED = Bandit(
    fixed_point(Bandit(constant(0, 3), Vec(1, 2, 3), constant(0, 3), Fraction(4), constant(0, 3))),
    Vec(1, 2, 3),
    constant(1, 3),
    Fraction(4),
    constant(0, 3),
)
_EXPERIMENT = "r = (1, 2, 3), b = 4"

STATEMENTS: dict[str, Statement] = {
    "example-true-value-zero": Statement(
        lambda d: d.value, lambda d: 0, _NOISES[:1], "the example"
    ),
    "example-advantage-is-noise": Statement(
        lambda d: d.reward - d.value, lambda d: d.noise, _NOISES, _DOMAIN
    ),
    "example-always-first-action": Statement(
        # whatever positive factors e^(alpha g) multiply it, the policy stays at its corner
        lambda d: (d.p * Vec(2 + d.noise**2, 3, 5)) / dot(d.p, Vec(2 + d.noise**2, 3, 5)),
        lambda d: d.p,
        _NOISES,
        _DOMAIN,
        summary=(
            "the policy after a step, whatever positive factors multiply its entries, and the"
            " corner"
        ),
    ),
    "example-regular-is-zero": Statement(
        lambda d: join(
            [(d.reward - d.value) * (d.e - d.p), d.noise * (Vec(1, 0, 0) - Vec(1, 0, 0))]
        ),
        lambda d: join([Vec(0, 0, 0), Vec(0, 0, 0)]),
        _NOISES,
        _DOMAIN,
    ),
    "example-alternate-is-noise": Statement(
        lambda d: join([(d.reward - d.value) * d.e, d.noise * Vec(1, 0, 0)]),
        lambda d: join([Vec(d.noise, 0, 0), Vec(d.noise, 0, 0)]),
        _NOISES,
        _DOMAIN,
    ),
    "optimistic-example-gradient-zero": Statement(
        lambda d: join([d.p * (d.r - d.value), Vec(1, 0, 0) * Vec(0, 0, 1)]),
        lambda d: join([Vec(0, 0, 0), Vec(0, 0, 0)]),
        _BASELINES[:1],
        "the example",
    ),
    "optimistic-example-regular-zero": Statement(
        lambda d: join(
            [
                (d.reward - d.baseline) * (d.e - d.p),
                (d.noise - d.baseline) * (Vec(1, 0, 0) - Vec(1, 0, 0)),
            ]
        ),
        lambda d: join([Vec(0, 0, 0), Vec(0, 0, 0)]),
        _BASELINES,
        _DOMAIN + " and of the baseline",
    ),
    "optimistic-example-alternate": Statement(
        lambda d: join([(d.reward - d.baseline) * d.e, (d.noise - d.baseline) * Vec(1, 0, 0)]),
        lambda d: join([Vec(d.noise - d.baseline, 0, 0), Vec(d.noise - d.baseline, 0, 0)]),
        _BASELINES,
        _DOMAIN + " and of the baseline",
    ),
    "baseline-signal-escapes": Statement(
        lambda d: ((d.reward - d.baseline) * d.e)[0],
        lambda d: 0,
        _BASELINES,
        "noise up to 1 and baselines from 4, so that every draw lowers the saturated preference",
        "<",
    ),
    "alternate-pessimistic-converges-to-zero": Statement(
        lambda m: min(m.r),
        lambda m: 0,
        [Bandit(basis(0, 3), Vec(1, 2, 3), constant(1, 3), Fraction(-4), constant(0, 3))],
        "r = (1, 2, 3)",
        "<=",
        summary=(
            "left: the smallest value of any policy, reached at the shown one; the statement needs"
            " a policy whose value is zero or less"
        ),
        shows=("pi", "r"),
    ),
    "alternate-biased-throughout": Statement(
        # the expected reward of any policy lies between the smallest and the largest reward
        lambda m: max(m.b - max(m.r), min(m.r) - m.b),
        lambda m: 0,
        [
            Bandit(basis(0, 3), Vec(1, 2, 3), constant(1, 3), Fraction(b), constant(0, 3))
            for b in (4, -4)
        ],
        "r = (1, 2, 3), b = 4 and b = -4, every policy",
        ">",
        summary="how far the baseline is from the nearest value that a policy can have",
    ),
    "pi-star-number": Statement(
        lambda m: Vec(
            *map(abs, m.p - Vec(Fraction(18, 100), Fraction(27, 100), Fraction(55, 100)))
        ),
        lambda m: constant(ROUNDED, 3),
        [_FIXED],
        _EXPERIMENT,
        "<=",
        summary=(
            "the distance of the exact fixed point, (2, 3, 6) / 11, from the printed numbers, and"
            " half a unit of the last digit"
        ),
    ),
    "value-at-pi-star-number": Statement(
        lambda m: abs(dot(m.p, m.r) - Fraction(236, 100)),
        lambda m: ROUNDED,
        [_FIXED],
        _EXPERIMENT,
        "<=",
        summary=(
            "the distance of the exact value, 26 / 11, from the printed number, and half a unit of"
            " the last digit"
        ),
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def worked_examples(claim: str) -> Finding:
    """The paper's examples and numbers, each computed from the formula beside it.

    Section 3 and appendices B.4 and D.4. Printed decimals are compared to half a unit of their last
    place (`ROUNDED`), everything else exactly.
    """
    return STATEMENTS[claim].judged()
