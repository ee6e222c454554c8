"""The lemma on fixed points and its proof: the printed equations solved, and the update listed
outcome by outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from altpg_verify.cases import Case, bandit
from altpg_verify.dynamics import FixedPoint, fixed_points
from altpg_verify.estimators import alternate
from altpg_verify.exact import expected_update, policy_gradient
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.ball_arithmetic import excess
from altpg_verify.report.evidence.domains import (
    ANYWHERE,
    AT_A_REWARD,
    AT_PI_STAR,
    BASELINE_FACES,
    BETWEEN,
    BETWEEN_CLOSED,
    CLOSED,
    CORNERS,
    ONE_BEST,
    OPTIMISTIC,
    OUTSIDE,
    Domain,
    at_pi_star,
    kappa,
    pi_star,
)
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.linear_systems import solved

ROUNDED = Fraction(1, 200)
"""Half a unit of the second decimal."""
_EXPERIMENT = Domain(
    "r = (1, 2, 3), b = 4", lambda max_examples, seed: [bandit((1, 2, 3), (Fraction(1, 3),) * 3, 4)]
)
_STEPSIZES = (Fraction(1, 100), Fraction(1), Fraction(30))
_SOLVED = "left: the printed equations solved by elimination; right: the formula"


def constant(entries: Any) -> bool:
    """Whether all entries are the same number."""
    return len(set(entries)) == 1


def solution(case: Case) -> tuple[list[Any], Any]:
    """π and κ of the k + 1 equations π(a)(r(a) - b) = κ, Σ π = 1 (eq. bised_pg_fixed_pt_eqn), by
    elimination and without the closed form that they have.
    """
    equations = [
        [case.q[a] - case.b if a == c else Fraction(0) for c in range(case.k)] + [Fraction(-1)]
        for a in range(case.k)
    ]
    *policy, level = solved(
        [*equations, [Fraction(1)] * case.k + [Fraction(0)]], [Fraction(0)] * case.k + [Fraction(1)]
    )
    return policy, level


def changes(case: Case, alpha: Fraction) -> list[int]:
    """The direction in which each action's probability goes in one step of the expected alternate
    update: -1, 0 or 1.

    Args:
        case: the policy, rewards and baseline, exact.
        alpha: the stepsize.
    """
    step = alpha * expected_update(alternate, case)
    # pi_{t+1}(a) = pi_t(a) / sum_c pi_t(c) e^(x_c - x_a)
    return [-excess(case.pi, step - step[a]) * (case.pi[a] > 0) for a in range(case.k)]


def _equations_at(case: Case, policy: Any) -> Any:
    return expected_update(alternate, Case(tuple(policy), case.rewards, case.b))


def _affine(c: Case) -> tuple[object, object]:
    other = [Fraction(int(a == 0)) for a in range(c.k)]
    third = [(2 * p + o) / 3 for p, o in zip(c.pi, other, strict=True)]
    return _equations_at(c, third), (2 * _equations_at(c, c.pi) + _equations_at(c, other)) / 3


def _only_at_pi_star(c: Case) -> tuple[object, object]:
    update = expected_update(alternate, at_pi_star(c))
    return [update, kappa(c) != 0, constant(expected_update(alternate, c))], [
        [kappa(c)] * c.k,
        True,
        tuple(c.pi) == pi_star(c),
    ]


def _kappa_of_face(c: Case) -> tuple[object, object]:
    update = expected_update(alternate, c)
    return ([update[0]], [0]) if constant(update) else ([], [])


def _best(c: Case) -> int:
    return max(range(c.k), key=lambda a: c.q[a])


def _square(entries: Any) -> Any:
    return (entries * entries).sum()


def _distances(c: Case) -> tuple[object, object]:
    star = at_pi_star(c).pi
    others = [_square(star - c.one_hot(a)) for a in range(c.k) if a != _best(c)]
    return [_square(star - c.one_hot(_best(c)))] * len(others), others


def _signs(c: Case) -> tuple[object, object]:
    update = expected_update(alternate, c)
    below = [-update[a] for a in range(c.k) if c.q[a] < c.b]
    above = [update[a] for a in range(c.k) if c.q[a] > c.b]
    return [len(below), len(above), *below, *above], [0] * (2 + c.k)


def _found(c: Case, distances: Callable[[FixedPoint], list[Fraction]]) -> tuple[object, object]:
    """How far the only fixed point of the update is from what is printed, if a search along the
    update finds one only.
    """
    points = fixed_points(alternate, list(c.q), c.b)
    if len(points) != 1 or not points[0].exact:
        return 1, 0
    return distances(points[0]), [ROUNDED] * len(distances(points[0]))


def _from_printed_policy(point: FixedPoint) -> list[Fraction]:
    return [
        abs(p - Fraction(printed, 100)) for p, printed in zip(point.pi, (18, 27, 55), strict=True)
    ]


CLAIMS: dict[str, Enumerated] = {
    "lemma-case-1-never-zero": Enumerated(
        lambda c: (expected_update(alternate, c), 0 * c.pi), BETWEEN_CLOSED + BETWEEN, "!="
    ),
    "lemma-case-2-zero-on-face": Enumerated(
        lambda c: (expected_update(alternate, c), 0 * c.pi), BASELINE_FACES
    ),
    "lemma-case-3-policy-fixed-point": Enumerated(
        _only_at_pi_star,
        OUTSIDE + AT_PI_STAR,
        summary=(
            "the expected alternate update at pi*, and whether it is constant at the case's policy;"
            " kappa, and whether that policy is pi*"
        ),
    ),
    "pi-star-inside-simplex": Enumerated(
        lambda c: ([all(p > 0 for p in pi_star(c)), sum(pi_star(c))], [True, 1]),
        OUTSIDE,
        summary="1 if every entry of pi* is positive, and their sum",
    ),
    "value-at-pi-star-harmonic": Enumerated(
        lambda c: (at_pi_star(c).expectation(lambda a, r: r), c.b - c.k / (1 / (c.b - c.q)).sum()),
        OPTIMISTIC,
    ),
    "pi-star-prefers-best-action": Enumerated(
        lambda c: (
            [pi_star(c)[_best(c)]] * (c.k - 1),
            [pi_star(c)[a] for a in range(c.k) if a != _best(c)],
        ),
        ONE_BEST,
        ">",
    ),
    "pi-star-differs-from-optimal": Enumerated(
        lambda c: (at_pi_star(c).expectation(lambda a, r: r), max(c.q)),
        ONE_BEST,
        "<",
        summary="the value at pi*, and the best reward",
    ),
    "pi-star-nearest-to-optimal-corner": Enumerated(
        _distances,
        ONE_BEST,
        "<",
        summary="squared distances of pi* from the optimal corner and from each other one",
    ),
    "lemma-case-1-no-fixed-point": Enumerated(
        lambda c: (
            [max(changes(c, alpha)) - min(changes(c, alpha)) for alpha in _STEPSIZES],
            [0] * len(_STEPSIZES),
        ),
        BETWEEN,
        ">",
        summary=(
            "for three stepsizes, the sign of the largest change of a probability less that of the"
            " smallest, by ball arithmetic"
        ),
    ),
    "corners-fixed-on-closed-simplex": Enumerated(
        lambda c: ([changes(c, alpha) for alpha in _STEPSIZES], [[0] * c.k] * len(_STEPSIZES)),
        CORNERS,
        summary="the signs of the changes of all probabilities in one step, for three stepsizes",
    ),
    "fixed-point-constant-gradient": Enumerated(
        lambda c: (constant(expected_update(alternate, c)), not any(changes(c, Fraction(1)))),
        OUTSIDE + AT_PI_STAR + BETWEEN,
        summary=(
            "left: 1 if all entries of the expected update are equal; right: 1 if a step leaves the"
            " policy as it is, by ball arithmetic"
        ),
    ),
    "fixed-point-equations-linear": Enumerated(
        _affine,
        ANYWHERE,
        summary=(
            "the update at the policy two thirds of the way from a corner to pi, and two thirds and"
            " one third of both updates"
        ),
    ),
    "case-1-signs": Enumerated(
        _signs,
        BETWEEN,
        ">",
        summary="how many rewards are below and above b; minus, or plus, the entries for them",
    ),
    "case-1-no-kappa": Enumerated(
        lambda c: (max(expected_update(alternate, c)) - min(expected_update(alternate, c)), 0),
        BETWEEN_CLOSED + BETWEEN,
        ">",
        summary="how far the entries of the expected update are from being one constant",
    ),
    "case-2-kappa-zero": Enumerated(
        _kappa_of_face,
        BASELINE_FACES + AT_A_REWARD,
        summary="kappa of every policy at which the expected update is constant, and zero",
    ),
    "case-2-face": Enumerated(
        lambda c: (
            constant(expected_update(alternate, c)),
            bool(sum(c.pi[a] for a in range(c.k) if c.q[a] == c.b) == 1),
        ),
        BASELINE_FACES + AT_A_REWARD,
        summary=(
            "left: 1 if the equations are satisfied for some kappa; right: 1 if the policy takes"
            " only actions whose reward is b"
        ),
    ),
    "case-3-policy-from-kappa": Enumerated(
        lambda c: (solution(c)[0], solution(c)[1] / (c.q - c.b)), OUTSIDE, summary=_SOLVED
    ),
    "kappa-formula": Enumerated(
        lambda c: (
            [sum(solution(c)[1] / (c.q - c.b)), solution(c)[1]],
            [1, 1 / (1 / (c.q - c.b)).sum()],
        ),
        OUTSIDE,
        summary=_SOLVED,
    ),
    "fixed-point-formula": Enumerated(
        lambda c: (solution(c)[0], 1 / (c.q - c.b) / (1 / (c.q - c.b)).sum()),
        OUTSIDE,
        summary=_SOLVED,
    ),
    "pi-star-quoted-corrected": Enumerated(
        lambda c: (solution(c)[0], 1 / (c.q - c.b) / (1 / (c.q - c.b)).sum()),
        OUTSIDE,
        summary=_SOLVED,
    ),
    "footnote-true-gradient-component-corrected": Enumerated(
        lambda c: (policy_gradient(c), c.pi * (c.q - c.v)), ANYWHERE + CLOSED
    ),
    "footnote-true-kappa-zero": Enumerated(
        lambda c: (sum(policy_gradient(c)), 0),
        ANYWHERE + CLOSED,
        summary="the sum of the entries of the gradient, differentiated exactly, and zero",
    ),
    "pi-star-number": Enumerated(
        lambda c: _found(c, _from_printed_policy),
        _EXPERIMENT,
        "<=",
        summary=(
            "how far the only fixed point that a search along the update finds is from the printed"
            " one, and half a unit of its last digit"
        ),
    ),
    "value-at-pi-star-number": Enumerated(
        lambda c: _found(c, lambda point: [abs(point.value - Fraction(236, 100))]),
        _EXPERIMENT,
        "<=",
        summary=(
            "the distance of the value there from the printed one, and half a unit of its last"
            " digit"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def lemma(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Fixed points from the printed equations and from the update itself."""
    return CLAIMS[claim].judged(max_examples, seed)
