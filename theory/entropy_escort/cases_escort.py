"""The escort transform (appendix C.5): derivatives by forward differentiation, from both sides
where there is a kink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Number, Vec, basis, exp_bounds, join
from altpg_verify.theory.exact_cases.forward_mode import Dual, derivatives, total_of
from altpg_verify.theory.exact_cases.statements import Statement

FEATURES = Vec(2, -1)


@dataclass(frozen=True)
class Escort:
    """Preferences, the power p and a feature vector.

    Args:
        theta: (k,) preferences of either sign.
        p: a whole power.
        x: (d,) the features of one state.
    """

    theta: Vec
    p: int
    x: Vec = FEATURES

    @property
    def k(self) -> int:
        """The number of actions."""
        return len(self.theta)

    @property
    def actions(self) -> range:
        """0, ..., k - 1."""
        return range(self.k)

    @property
    def z(self) -> Fraction:
        """sum_a |theta_a|^p."""
        return sum((abs(t) ** self.p for t in self.theta), Fraction(0))

    @property
    def pi(self) -> Vec:
        """(k,) |theta_a|^p / z."""
        return Vec(*(abs(t) ** self.p for t in self.theta)) / self.z

    def sign(self, a: int) -> int:
        """sign(theta_a): -1, 0 or 1."""
        return (self.theta[a] > 0) - (self.theta[a] < 0)

    def slope(self, a: int) -> Fraction:
        """sign(theta_a) |theta_a|^(p - 1).

        p times this is ∂|θ_a|^p / ∂θ_a, the n_a of the proofs; at θ_a = 0 it is zero, as sign(0)
        is.
        """
        return self.sign(a) * abs(self.theta[a]) ** (self.p - 1)

    def one_sided(self, side: int) -> Vec:
        """d pi(a) / d theta_d from the right (side 1) or the left (side -1), rows d, by forward
        differentiation.

        At θ_d = 0 with p = 1 the two sides differ: the absolute value has a kink there.
        """

        def policy(t: list[Dual]) -> list[Dual]:
            sizes = [_size(one, side) ** self.p for one in t]
            whole = total_of(sizes)
            return [size / whole for size in sizes]

        return join(derivatives(policy, self.theta.entries))

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"theta": self.theta, "p": self.p}


def _size(t: Dual, side: int) -> Dual:
    """|t|, at zero with the slope of the side from which the argument moves."""
    if t.value != 0:
        return abs(t)
    return Dual(Fraction(0), side * abs(t.slope))


_AWAY = [
    Escort(theta, p)
    for p in (1, 2, 3)
    for theta in (Vec(1, 2), Vec(-1, 2), Vec(Fraction(1, 2), -3, 1), Vec(-1, -1, -2))
]
_ZERO = [Escort(theta, p) for p in (1, 2, 3) for theta in (Vec(0, 1), Vec(0, -2, 1))]
_SMOOTH = [*_AWAY, *(case for case in _ZERO if case.p > 1)]
_ESCORTS = "two and three preferences of either sign, p = 1, 2, 3"
_TRUE = "the derivatives from the right and from the left"


_SATURATED = [Escort(Vec(m, 1, 1), 1) for m in (20, 40, 80)]


def _best_rate(case: Escort) -> Fraction:
    """d J / d theta of the last action, for r = 1 there and 0 elsewhere: the slope of its
    probability.
    """
    return case.one_sided(1)[-1]


def _power(size: Fraction, p: int) -> Fraction:
    """size^(p - 1) with 0^0 = 1, which the factor sgn(0) = 0 makes harmless."""
    return size ** (p - 1)


def _both(case: Escort) -> Vec:
    return join([case.one_sided(1), case.one_sided(-1)])


def _twice(vector: Vec) -> Vec:
    return join([vector, vector])


def _quotient(c: Escort) -> Vec:
    return Vec(
        *(
            (
                (a == d) * c.sign(a) * c.p * _power(abs(c.theta[a]), c.p) * c.z
                - c.sign(d) * c.p * _power(abs(c.theta[d]), c.p) * abs(c.theta[a]) ** c.p
            )
            / c.z**2
            for d in c.actions
            for a in c.actions
        )
    )


def _bracket(c: Escort) -> Vec:
    return Vec(
        *(
            c.p
            / c.z
            * (
                (a == d) * c.sign(a) * _power(abs(c.theta[a]), c.p)
                - c.sign(d) * _power(abs(c.theta[d]), c.p) * c.pi[a]
            )
            for d in c.actions
            for a in c.actions
        )
    )


def _by_weights(c: Escort) -> list[Vec]:
    """nabla_W pi(a), for each action: column d is x d pi(a) / d theta_d, as the vector of its
    rows.
    """
    slopes = c.one_sided(1)
    return [
        join([Vec(*(slopes[d * c.k + a] * x for d in c.actions)) for x in c.x]) for a in c.actions
    ]


def _log_by_weights(c: Escort) -> Vec:
    return join([one / c.pi[a] for a, one in enumerate(_by_weights(c))])


def _each_weight(c: Escort, slope: Callable[[int, int], Number]) -> Vec:
    """For each action a, feature x and action d in turn: x times the slope of a in theta_d."""
    return join([Vec(*(x * slope(a, d) for d in c.actions)) for a in c.actions for x in c.x])


STATEMENTS: dict[str, Statement] = {
    "escort-approaches-greedy": Statement(
        lambda c: 1 - max(replace(c, p=40).pi),
        lambda c: Fraction(1, 10**4),
        [
            case
            for case in _AWAY
            if list(map(abs, case.theta)).count(max(map(abs, case.theta))) == 1
        ],
        "p = 40, one largest preference",
        "<=",
        summary="the mass off the action with the largest preference",
    ),
    "escort-not-all-zero": Statement(
        lambda c: int(c.z == 0),
        lambda c: int(not any(c.theta)),
        [Escort(Vec(0, 0), 1), Escort(Vec(0, 0, 0), 3), *_ZERO, *_AWAY],
        "preferences that are all zero, some zero, none zero",
        summary="1 if the denominator is zero, and 1 if all preferences are",
    ),
    "escort-escapes-from-nonzero-preferences": Statement(
        lambda c: _best_rate(c),
        lambda c: 1 / (2 * c.z),
        _SATURATED,
        "p = 1, preferences (M, 1, 1) with M = 20, 40, 80, r = (0, 0, 1)",
        ">=",
        summary=(
            "the rate at which the best action's preference grows along the gradient flow, and 1 /"
            " (2 (M + 2)): not exponential in M"
        ),
    ),
    "escort-leaves-in-polynomial-time": Statement(
        lambda c: _best_rate(c),
        lambda c: 1000 * exp_bounds(-c.theta[0])[1],
        _SATURATED,
        "p = 1, preferences (M, 1, 1), and a softmax with the gap M, M = 20, 40, 80, r = (0, 0, 1)",
        ">",
        summary=(
            "the rate of the best preference under escort, and a thousand times a bound on that"
            " under softmax, e^-M"
        ),
    ),
    "escort-derivative-quotient": Statement(
        _both,
        lambda c: _twice(_quotient(c)),
        [*_ZERO, *_AWAY],
        _ESCORTS + ", zero among them",
        summary=_TRUE + ", and the formula",
    ),
    "escort-derivative-quotient-corrected": Statement(
        _both, lambda c: _twice(_quotient(c)), _SMOOTH, _ESCORTS
    ),
    "escort-derivative": Statement(
        _both,
        lambda c: _twice(_bracket(c)),
        [*_ZERO, *_AWAY],
        _ESCORTS + ", zero among them",
        summary=_TRUE + ", and the formula",
    ),
    "escort-derivative-corrected": Statement(
        _both, lambda c: _twice(_bracket(c)), _SMOOTH, _ESCORTS
    ),
    "escort-weight-chain-rule": Statement(
        lambda c: join(_by_weights(c)),
        lambda c: _each_weight(c, lambda a, d: _bracket(c)[d * c.k + a]),
        _AWAY,
        _ESCORTS,
    ),
    "escort-weight-gradient": Statement(
        lambda c: join(_by_weights(c)),
        lambda c: _each_weight(
            c, lambda a, d: c.p / c.z * ((a == d) * c.slope(a) - c.slope(d) * c.pi[a])
        ),
        _AWAY,
        _ESCORTS,
    ),
    "escort-log-gradient-first": Statement(
        _log_by_weights,
        lambda c: _each_weight(
            c,
            lambda a, d: (
                c.p
                * (
                    (a == d) * c.slope(a) / abs(c.theta[a]) ** c.p
                    - c.slope(d) * c.pi[a] / abs(c.theta[a]) ** c.p
                )
            ),
        ),
        _AWAY,
        _ESCORTS,
    ),
    "escort-log-gradient-column": Statement(
        _log_by_weights,
        lambda c: _each_weight(c, lambda a, d: c.p * ((a == d) / c.theta[a] - c.slope(d) / c.z)),
        _AWAY,
        _ESCORTS,
    ),
    "escort-log-gradient-matrix": Statement(
        _log_by_weights,
        lambda c: join(
            [
                c.p * x * (basis(a, c.k) / c.theta[a] - Vec(*map(c.slope, c.actions)) / c.z)
                for a in c.actions
                for x in c.x
            ]
        ),
        _AWAY,
        _ESCORTS,
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def escort_transform(claim: str) -> Finding:
    """Both sides of each statement on escort policies, as fractions.

    Appendix C.5. Derivatives are taken from the right and the left, so a formula that only holds
    away from a kink is refuted at it.
    """
    return STATEMENTS[claim].judged()
