"""What happens at corners, on faces and near them: propositions 1 and 2 and the sentences around
them.
"""

from __future__ import annotations

from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, basis, dot, join, total
from altpg_verify.theory.exact_cases.bandits import (
    ANY_REWARDS,
    BOUNDARY,
    CLOSED_SIMPLEX,
    CORNERS,
    EQUAL,
    FACES,
    INTERIOR,
    NEAR_CORNERS,
    NOISY_CORNERS,
)
from altpg_verify.theory.exact_cases.statements import Statement

_CORNER = "policies that always take one action, two and three actions"
_FACE = "policies saturated on actions of one reward, two and three actions"
_NEAR = "interior policies with 0.9 and 0.999 of the mass on one action"
_CLOSED = "policies on the closed simplex, two and three actions"


def _regular(m: Bandit) -> Vec:
    return m.var(lambda e, x: (x - m.b) * (e - m.p))


def _alternate(m: Bandit) -> Vec:
    return m.var(lambda e, x: (x - m.value) * e)


def _saturated_on_one_reward(m: Bandit) -> bool:
    return any(total(Vec(*(m.p[a] for a in m.actions if m.r[a] == c))) == 1 for c in m.r)


def _square(vector: Vec) -> Fraction:
    return dot(vector, vector)


def _pair(m: Bandit) -> list[tuple[Fraction, Vec]]:
    """The alternate estimate averaged over a batch of two independent draws: probability and
    value.
    """
    return [
        (one[0] * two[0], ((one[2] - m.b) * one[1] + (two[2] - m.b) * two[1]) / 2)
        for one in m.draws
        for two in m.draws
    ]


def _batch_mean(m: Bandit) -> Vec:
    return Vec(*(sum(weight * value[a] for weight, value in _pair(m)) for a in m.actions))


def _batch_variance(m: Bandit) -> Fraction:
    return sum((weight * _square(value) for weight, value in _pair(m)), Fraction(0)) - _square(
        _batch_mean(m)
    )


STATEMENTS: dict[str, Statement] = {
    "saturated-gradient-bound": Statement(
        lambda m: max(
            abs(g) - (max(m.r) - min(m.r)) * (1 - m.p[c]) for g in m.gradient() for c in m.actions
        ),
        lambda m: 0,
        [*ANY_REWARDS, *NEAR_CORNERS, *CLOSED_SIMPLEX],
        "interior policies and the closed simplex",
        "<=",
    ),
    "saturated-agent-explores-rarely": Statement(
        lambda m: sum((m.p[a] for a in m.actions if a != m.top), Fraction(0)),
        lambda m: 1 - m.p[m.top],
        NEAR_CORNERS,
        _NEAR,
        summary=(
            "the chance that another action is drawn in a step, summed over these actions, and one"
            " minus that of the corner's"
        ),
    ),
    "gradient-close-to-zero-near-corners": Statement(
        lambda m: max(map(abs, m.gradient())),
        lambda m: (max(m.r) - min(m.r)) * (1 - m.p[m.top]),
        NEAR_CORNERS,
        _NEAR,
        "<=",
        summary=(
            "the largest entry of the gradient, against the spread of the rewards times the mass"
            " off the corner"
        ),
    ),
    "regular-variance-zero-at-corners": Statement(_regular, lambda m: 0 * m.p, CORNERS, _CORNER),
    "regular-cannot-leave-corner": Statement(
        lambda m: join([(x - m.b) * (e - m.p) for weight, e, x in m.draws if weight > 0]),
        lambda m: join([0 * e for weight, e, x in m.draws if weight > 0]),
        CORNERS,
        _CORNER,
        summary="every draw of the regular estimator that can happen",
    ),
    "alternate-zero-in-expectation-at-corners": Statement(
        lambda m: m.mean(lambda e, x: (x - m.value) * e), lambda m: 0 * m.p, CORNERS, _CORNER
    ),
    "alternate-with-baseline-at-corner": Statement(
        lambda m: m.mean(lambda e, x: (x - m.b) * e),
        lambda m: (m.r[m.top] - m.b) * basis(m.top, m.k),
        CORNERS,
        _CORNER,
    ),
    "noisy-alternate-variance-nonzero-at-corners": Statement(
        _alternate, lambda m: 0 * m.p, NOISY_CORNERS, _CORNER + ", noisy rewards", "!="
    ),
    "saturated-gradient-zero": Statement(lambda m: m.gradient(), lambda m: 0 * m.p, FACES, _FACE),
    "saturated-regular-zero": Statement(
        lambda m: join(
            [
                m.mean(lambda e, x: (x - m.value) * (e - m.p)),
                m.mean(lambda e, x: (x - m.b) * (e - m.p)),
            ]
        ),
        lambda m: join([0 * m.p, 0 * m.p]),
        FACES,
        _FACE,
    ),
    "saturated-alternate-zero": Statement(
        lambda m: m.mean(lambda e, x: (x - m.value) * e), lambda m: 0 * m.p, FACES, _FACE
    ),
    "corner-regular-variance-zero": Statement(
        lambda m: join([m.var(lambda e, x: (x - m.value) * (e - m.p)), _regular(m)]),
        lambda m: join([0 * m.p, 0 * m.p]),
        CORNERS,
        _CORNER,
    ),
    "corner-alternate-variance": Statement(
        _alternate, lambda m: m.sigma[m.top] ** 2 * basis(m.top, m.k), CORNERS, _CORNER
    ),
    "corner-alternate-variance-nonzero": Statement(
        _alternate,
        lambda m: 0 * m.p,
        CORNERS,
        _CORNER,
        "!=",
        summary=(
            "left: the elementwise variance of the alternate estimator, which the statement says"
            " differs from zero"
        ),
        shows=("pi", "r", "sigma"),
    ),
    "corner-alternate-variance-nonzero-corrected": Statement(
        _alternate, lambda m: 0 * m.p, NOISY_CORNERS, _CORNER + ", noisy rewards", "!="
    ),
    "corner-alternate-baseline-variance": Statement(
        lambda m: join([_alternate(m), m.var(lambda e, x: (x - m.b) * e)]),
        lambda m: m.sigma[m.top] ** 2 * join([basis(m.top, m.k), basis(m.top, m.k)]),
        NOISY_CORNERS,
        _CORNER + ", noisy rewards",
    ),
    "corner-alternate-variance-is-noise-variance": Statement(
        lambda m: _alternate(m)[m.top], lambda m: m.sigma[m.top] ** 2, CORNERS, _CORNER
    ),
    "propositions-need-boundary": Statement(
        lambda m: int(_saturated_on_one_reward(m)),
        lambda m: int(min(m.p) == 0),
        [*EQUAL, *INTERIOR, *FACES],
        _CLOSED,
        "<=",
        summary=(
            "left: 1 if saturated on actions of one reward; right: 1 if at the boundary; the first"
            " must imply the second"
        ),
        shows=("pi", "r"),
    ),
    "regular-expectation-vanishes-near-boundary": Statement(
        lambda m: m.mean(lambda e, x: (x - m.b) * (e - m.p)),
        lambda m: 0 * m.p,
        BOUNDARY,
        "corners and edges",
        summary=(
            "the expected regular update at a boundary policy, the limit of those at the policies"
            " near it"
        ),
        shows=("pi", "r", "b", "sigma"),
    ),
    "regular-expectation-vanishes-near-corners": Statement(
        lambda m: max(map(abs, m.mean(lambda e, x: (x - m.b) * (e - m.p)))),
        lambda m: (max(m.r) - min(m.r)) * (1 - m.p[m.top]),
        [*CORNERS, *NEAR_CORNERS],
        "corners and " + _NEAR,
        "<=",
        summary=(
            "the largest entry of the expected regular update, against the spread of the rewards"
            " times the mass off the corner"
        ),
    ),
    "regular-variance-vanishes-near-boundary": Statement(
        _regular,
        lambda m: 0 * m.p,
        BOUNDARY,
        "corners and edges",
        summary=(
            "the variance of the regular estimator at a boundary policy, the limit of those at the"
            " policies near it"
        ),
        shows=("pi", "r", "b", "sigma"),
    ),
    "regular-variance-vanishes-near-corners": Statement(
        lambda m: max(_regular(m)),
        lambda m: 2 * (1 - m.p[m.top]) * max((x - m.b) ** 2 for _, _, x in m.draws),
        [*CORNERS, *NEAR_CORNERS],
        "corners and " + _NEAR,
        "<=",
        summary="the largest variance, against a bound proportional to the mass off the corner",
    ),
    "regular-estimator-small-near-corners": Statement(
        lambda m: Vec(max(map(abs, m.gradient())), max(_regular(m))),
        lambda m: (
            2
            * (1 - m.p[m.top])
            * Vec(max(m.r) - min(m.r), max((x - m.b) ** 2 for _, _, x in m.draws))
        ),
        NEAR_CORNERS,
        _NEAR + ", noisy rewards",
        "<=",
        summary=(
            "the largest entries of the expectation and of the variance, against bounds"
            " proportional to the mass off the corner"
        ),
    ),
    "noisy-alternate-variance-stays-near-boundary": Statement(
        lambda m: min(_alternate(m)), lambda m: 0, NEAR_CORNERS, _NEAR + ", noisy rewards", ">"
    ),
    "batch-reduces-alternate-variance": Statement(
        _batch_variance,
        lambda m: total(m.var(lambda e, x: (x - m.b) * e)) / 2,
        INTERIOR,
        "interior policies, batches of two draws",
        summary="the total variance of a batch of two, and half of that of one draw",
    ),
    "bias-independent-of-batch-size": Statement(
        lambda m: _batch_mean(m) - m.gradient(),
        lambda m: m.mean(lambda e, x: (x - m.b) * e) - m.gradient(),
        INTERIOR,
        "interior policies, batches of two draws",
    ),
    "alternate-stochastic-update-larger": Statement(
        lambda m: _square(basis(m.top, m.k)),
        lambda m: 25 * _square(basis(m.top, m.k) - m.p),
        NEAR_CORNERS,
        _NEAR,
        ">",
        summary=(
            "squared lengths of both updates for the corner's action, over (R - b)^2: alternate,"
            " and 25 times regular"
        ),
    ),
    "constant-can-always-be-found": Statement(
        lambda m: min(sum(m.r[a] == m.r[c] for a in m.actions) for c in m.actions),
        lambda m: 1,
        ANY_REWARDS,
        "interior policies",
        ">=",
    ),
    "saturated-policy-zero-elsewhere": Statement(
        lambda m: total(Vec(*(m.p[a] for a in m.actions if m.r[a] != m.value))),
        lambda m: 0,
        FACES,
        _FACE,
    ),
    "saturated-value-is-constant": Statement(
        lambda m: Vec(*(m.value for a in m.actions if m.p[a] > 0)),
        lambda m: Vec(*(m.r[a] for a in m.actions if m.p[a] > 0)),
        FACES,
        _FACE,
    ),
    "saturated-policy-solves-equations": Statement(
        lambda m: m.p * (m.r - m.value), lambda m: 0 * m.p, FACES, _FACE
    ),
    "gradient-zero-only-at-boundary": Statement(
        lambda m: int(not any(m.gradient())),
        lambda m: int(min(m.p) == 0),
        [*EQUAL, *CLOSED_SIMPLEX],
        _CLOSED,
        "<=",
        summary=(
            "left: 1 if the gradient is zero; right: 1 if the policy lies at the boundary; the"
            " first must imply the second"
        ),
        shows=("pi", "r"),
    ),
    "gradient-zero-only-at-boundary-corrected": Statement(
        lambda m: int(not any(m.gradient())),
        lambda m: int(min(m.p) == 0),
        [case for case in [*INTERIOR, *CLOSED_SIMPLEX] if len(set(case.r)) > 1],
        _CLOSED + ", rewards not all equal",
        "<=",
    ),
    "propositions-need-boundary-corrected": Statement(
        lambda m: int(_saturated_on_one_reward(m)),
        lambda m: int(min(m.p) == 0),
        [case for case in [*INTERIOR, *CLOSED_SIMPLEX] if len(set(case.r)) > 1],
        _CLOSED + ", rewards not all equal",
        "<=",
    ),
    "gradient-zero-on-equal-reward-faces": Statement(
        lambda m: int(not any(m.gradient())),
        lambda m: int(len({m.r[a] for a in m.actions if m.p[a] > 0}) == 1),
        CLOSED_SIMPLEX,
        _CLOSED,
        summary=(
            "left: 1 if the gradient is zero; right: 1 if all actions that the policy takes have"
            " one reward"
        ),
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def saturated_policies(claim: str) -> Finding:
    """Both sides of each statement on saturated policies, case by case.

    Saturated policies are corners and faces of the simplex, where the policy has zeros; "near" is
    0.9 and 0.999 of the mass on one action. Sentences that forget a case (a corner's action without
    noise, several saturated actions) are refuted by the first case that has it.
    """
    return STATEMENTS[claim].judged()
