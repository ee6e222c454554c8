"""Sentences that are true only under a condition that they don't state: each with an instance that
the printed words include.

What holds under the condition is the correction of the claim, with evidence of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.attraction.cases import Step
from altpg_verify.theory.entropy_escort.cases_escape import escort_time, softmax_time
from altpg_verify.theory.entropy_escort.cases_escort import Escort
from altpg_verify.theory.exact_cases.arithmetic import (
    Bandit,
    Vec,
    basis,
    constant,
    dot,
    exp_bounds,
    join,
    total,
)
from altpg_verify.theory.exact_cases.bandits import EQUAL
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.large_stepsizes.cases import Steps
from altpg_verify.theory.mdps.cases_environment import MDPS, TREE
from altpg_verify.theory.mdps.cases_surrogates import Surrogate

_THIRD = Fraction(1, 3)
_R123 = Vec(1, 2, 3)


def _bandit(p: Vec, r: Vec, b: int = 0, eta: Vec | None = None) -> Bandit:
    return Bandit(p, r, constant(0, len(p)), Fraction(b), eta or constant(0, len(p)))


def _square(vector: Vec) -> Fraction:
    return dot(vector, vector)


_TWO_BAD = [_bandit(Vec(Fraction(1, 2), Fraction(1, 2), 0), Vec(0, 1, 2), eta=Vec(1, 1, 0))]
"""Saturated on two sub-optimal actions; eta marks the actions."""
_SLOW = _bandit(Vec(Fraction(3, 10), Fraction(69, 100), Fraction(1, 100)), _R123)
"""The best action is nearly never taken, and the second best nearly always."""


def _spread(m: Bandit) -> Fraction:
    return max(m.r) - min(m.r)


def _largest_entries(m: Bandit) -> Vec:
    """The largest entries of the regular estimator's expectation and variance."""
    return Vec(max(map(abs, m.gradient())), max(m.var(lambda e, x: (x - m.b) * (e - m.p))))


def _after(m: Bandit, update: Vec, stepsize: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Rational numbers around each probability after the preferences moved by the stepsize times
    the update.
    """
    bounds = [exp_bounds(stepsize * entry) for entry in update]
    low, high = ([p * bound[side] for p, bound in zip(m.p, bounds, strict=True)] for side in (0, 1))
    return [
        (
            low[a] / (sum(high, Fraction(0)) - high[a] + low[a]),
            high[a] / (sum(low, Fraction(0)) - low[a] + high[a]),
        )
        for a in m.actions
    ]


def _largest_after_draw(m: Bandit) -> Vec:
    """From below, the largest probability after a draw of the likeliest action without noise,
    stepsize one: alternate, regular.
    """
    signal, e = m.r[m.top] - m.b, basis(m.top, m.k)
    return Vec(
        *(
            max(low for low, _ in _after(m, signal * direction, Fraction(1)))
            for direction in (e, e - m.p)
        )
    )


def _variance_left(m: Bandit) -> Fraction:
    return total(m.var(lambda e, x: (x - m.value) * e))


def _moved(update: Vec) -> Fraction:
    """The squared length of the update, less the shift of all preferences that leaves the policy as
    it is.
    """
    return _square(update - total(update) / len(update))


def _lengths(m: Bandit, regular: bool) -> Vec:
    """Squared lengths of the update for each action without noise, over the squared signal; last,
    their mean with the signal.
    """
    directions = [basis(a, m.k) - (m.p if regular else 0 * m.p) for a in m.actions]
    mean = sum(
        (m.p[a] * (m.r[a] - m.value) ** 2 * _square(directions[a]) for a in m.actions), Fraction(0)
    )
    return Vec(*map(_square, directions), mean)


@dataclass(frozen=True)
class OneStep:
    """An episode of one step.

    Args:
        reward: its reward, which is the largest one as well.
        gamma: the discount.
    """

    reward: Fraction
    gamma: Fraction = Fraction(9, 10)

    @property
    def v(self) -> Vec:
        """(1,) the return from the start, in the place where a chain has the values of its
        states.
        """
        return Vec(self.reward)

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"reward": self.reward, "gamma": self.gamma, "steps": 1}


def _at_a_kink(s: Surrogate) -> Surrogate:
    """The clipping parameter for which one ratio with a positive advantage is exactly 1 +
    epsilon.
    """
    return replace(
        s,
        epsilon=min(
            s.ratio(*pair) - 1 for pair in s.pairs() if s.h(*pair) > 0 and s.ratio(*pair) > 1
        ),
    )


def _approach(m: Bandit) -> Vec:
    """Along the true gradient: the rates of log pi(best), and of minus half of the squared distance
    from the best corner.
    """
    gradient = m.gradient()
    speed = m.p * (gradient - dot(m.p, gradient))
    best = max(m.actions, key=lambda a: m.r[a])
    return Vec(speed[best] / m.p[best], -dot(m.p - basis(best, m.k), speed))


def _pi_star(m: Bandit) -> Vec:
    return (1 / (m.b - m.r)) / total(1 / (m.b - m.r))


def _best(m: Bandit) -> int:
    return max(m.actions, key=lambda a: m.r[a])


_FLAT = _bandit(Vec(Fraction(99, 100), Fraction(1, 100)), Vec(0, 1), 2)
_TOWARDS_UNIFORM = _bandit(Vec(Fraction(45, 100), Fraction(30, 100), Fraction(25, 100)), _R123)
_FAR = Fraction(1, 10)

STATEMENTS: dict[str, Statement] = {
    "saturated-agent-explores-nothing": Statement(
        lambda m: 1 - m.p[m.top],
        lambda m: Fraction(0),
        [_bandit(Vec(1 - _FAR, _FAR / 2, _FAR / 2), Vec(0, 0, 1))],
        "a softmax policy with most of the mass on one action",
        summary="the chance that another action is drawn in a step, and zero",
        shows=("pi", "r"),
    ),
    "regular-estimator-small-at-saturation": Statement(
        _largest_entries,
        lambda m: (
            2 * (1 - dot(m.p, m.eta)) * Vec(_spread(m), max((x - m.b) ** 2 for _, _, x in m.draws))
        ),
        _TWO_BAD,
        "policies saturated on one or several sub-optimal actions",
        "<=",
        summary=(
            "the largest entries of expectation and variance, against bounds proportional to the"
            " mass off the saturated actions"
        ),
        shows=("pi", "r"),
    ),
    "saturated-gradient-close-to-zero": Statement(
        lambda m: max(map(abs, m.gradient())),
        lambda m: _spread(m) * (1 - dot(m.p, m.eta)),
        _TWO_BAD,
        "policies saturated on one or several actions",
        "<=",
        summary=(
            "the largest entry of the gradient, against the spread of the rewards times the mass"
            " off the saturated actions"
        ),
        shows=("pi", "r"),
    ),
    "saturated-weights-not-updated": Statement(
        lambda m: max(map(abs, m.gradient())),
        lambda m: _spread(m) * (1 - dot(m.p, m.eta)),
        _TWO_BAD,
        "policies saturated on one or several actions",
        "<=",
        summary=(
            "the largest step of a preference with a stepsize of one, against the spread of the"
            " rewards times the mass off those actions"
        ),
        shows=("pi", "r"),
    ),
    "alternate-variance-nonzero-at-corners": Statement(
        lambda m: m.var(lambda e, x: (x - m.value) * e),
        lambda m: 0 * m.p,
        [_bandit(basis(0, 2), Vec(0, 1))],
        "corners, with and without reward noise",
        "!=",
        summary=(
            "left: the elementwise variance of the alternate estimator, which the statement says"
            " differs from zero"
        ),
        shows=("pi", "r"),
    ),
    "alternate-variance-nonzero-near-boundary": Statement(
        _variance_left,
        lambda m: Fraction(1, 100),
        [
            _bandit(Vec(Fraction(999, 1000), Fraction(1, 1000)), Vec(1, 1)),
            _bandit(Vec(Fraction(999, 1000), Fraction(1, 1000)), Vec(0, 1)),
        ],
        "interior policies near a corner, with and without reward noise",
        ">=",
        summary="the sum of the elementwise variances of the alternate estimator, and a hundredth",
        shows=("pi", "r"),
    ),
    "optimistic-draws-flatten": Statement(
        _largest_after_draw,
        lambda m: constant(max(m.p), 2),
        [_bandit(Vec(_THIRD, _THIRD, _THIRD), _R123, 4)],
        "r = (1, 2, 3), b = 4, no noise, a draw of the likeliest action with a stepsize of one",
        "<",
        summary=(
            "the largest probability after the draw, from below: alternate, regular; and the"
            " largest one before it"
        ),
        shows=("pi", "r", "b"),
    ),
    "optimistic-attraction-stronger": Statement(
        lambda m: _moved(m.mean(lambda e, x: (x - m.b) * e)),
        lambda m: _moved(m.gradient()),
        [_bandit(Vec(2, 3, 6) / 11, _R123, 4)],
        "r = (1, 2, 3), b = 4",
        ">",
        summary=(
            "squared lengths of the expected updates, less the common shift that moves no policy:"
            " alternate, and the true gradient"
        ),
        shows=("pi", "r", "b"),
    ),
    "no-noise-alternate-still-larger": Statement(
        lambda m: _lengths(m, regular=False),
        lambda m: _lengths(m, regular=True),
        [_bandit(Vec(1 - _FAR, _FAR / 4, 3 * _FAR / 4), Vec(0, 0, 1))],
        "r = (0, 0, 1), no noise, near a corner",
        ">",
        summary=(
            "squared lengths of the updates for each drawn action over (R - r_pi)^2, and last their"
            " mean with it: alternate, regular"
        ),
        shows=("pi", "r"),
    ),
    "ppo-gradient-with-condition": Statement(
        lambda s: s.ppo(),
        lambda s: s.sampled(
            lambda state, a: (
                s.policy_slope(state, a)
                * (s.condition(state, a) / s.old.p[state][a] * s.h(state, a))
            )
        ),
        [_at_a_kink(Surrogate(TREE, (Vec(3, 1), Vec(1, 1), Vec(5, 1))))],
        "a ratio that is exactly 1 + epsilon",
        summary=(
            "left: the slopes of the objective on the side where the ratio isn't clipped; right:"
            " the formula, which is the other side's"
        ),
    ),
    "optimum-at-infinity": Statement(
        lambda m: m.value,
        lambda m: max(m.r),
        EQUAL,
        "interior policies, equal rewards",
        "<",
        summary="value, largest reward",
        shows=("pi", "r"),
    ),
    "discount-caps-return": Statement(
        lambda c: max(c.v),
        lambda c: getattr(c, "reward", Fraction(1)) / (1 - c.gamma),
        [OneStep(Fraction(-1))],
        "an episode of one step, gamma = 0.9",
        "<=",
        summary="the return, and the largest reward over 1 - gamma",
    ),
    "neurd-printed-as-policy-gradient": Statement(
        lambda m: join(m.gradient()),
        lambda m: join([Vec(*(m.nu[s] * m.advantage(s, a) for a in m.actions)) for s in m.states]),
        MDPS,
        "small MDPs, tabular preferences",
        summary="the gradient of J, and the sum as printed",
    ),
    "escort-escapes-fast": Statement(
        lambda c: c.one_sided(1)[-1],
        lambda c: 1 / (2 * c.z),
        [Escort(Vec(10, 0, 0), 2), Escort(Vec(10, 0, 0), 3)],
        "preferences (10, 0, 0), r = (0, 0, 1)",
        ">=",
        summary=(
            "the rate at which the best action's preference grows along the gradient flow, and 1 /"
            " (2 Z)"
        ),
    ),
    "escort-better-convergence": Statement(
        escort_time,
        softmax_time,
        [Escort(Vec(20, 1, 1), 1), Escort(Vec(20, 1, 1), 2)],
        "escort with p = 1 and 2 and softmax from one policy, r = (0, 0, 1)",
        "<=",
        summary=(
            "times until the best action has half of the mass along the gradient flow: escort's"
            " from below, softmax's from above"
        ),
    ),
    "optimistic-flattens-suboptimal-corner": Statement(
        lambda s: max(low for low, _ in _after(s.m, s.m.p * (s.m.r - s.m.b), s.alpha)),
        lambda s: max(s.p),
        [Step(_FLAT, Fraction(5))],
        "an expected step near the corner of the worse action",
        "<",
        summary="the largest probability after the expected step, from below, and before it",
    ),
    "pessimistic-moves-off-center": Statement(
        lambda s: s.mean_exp(total(s.x) / s.m.k),
        lambda s: 1,
        [Step(_TOWARDS_UNIFORM, Fraction(1))],
        "r = (1, 2, 3), b = 0",
        ">",
        summary=(
            "a rational number near the exponential of the change of the divergence from the"
            " uniform policy, and one"
        ),
    ),
    "true-gradient-reaches-optimal-corner": Statement(
        _approach,
        lambda m: Vec(0, 0),
        [_SLOW],
        "r = (1, 2, 3)",
        ">",
        summary=(
            "the rates along the true gradient of log pi of the best action, and of minus half of"
            " the squared distance from its corner"
        ),
        shows=("pi", "r"),
    ),
    "pi-star-close-to-optimal-corner": Statement(
        lambda m: _square(_pi_star(m) - basis(_best(m), m.k)),
        lambda m: _square(_pi_star(m) - Fraction(1, m.k)),
        [
            _bandit(Vec(2, 3, 6) / 11, _R123, 4),
            _bandit(_pi_star(_bandit(_R123, _R123, 100)), _R123, 100),
        ],
        "r = (1, 2, 3), b = 4 and b = 100, the policy pi*",
        "<",
        summary="squared distances of pi* from the optimal corner and from the uniform policy",
        shows=("pi", "r", "b"),
    ),
    "large-steps-no-concern": Statement(
        lambda s: s.m.p[_best(s.m)],
        lambda s: _after(s.m, s.m.gradient(), s.large)[_best(s.m)][1],
        [Steps(_SLOW, Fraction(1), Fraction(48))],
        "three actions, a step along the true gradient",
        "<=",
        summary="the probability of the best action before the larger step, and after it from above",
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def sentences_as_printed(claim: str) -> Finding:
    """The smallest instance that the printed words include and the correction excludes.

    Each case of `STATEMENTS` meets every condition that the paper prints and none that it only
    implies: equal rewards, a tie for the best action, a baseline or an action that the text doesn't
    rule out.
    """
    return STATEMENTS[claim].judged()
