"""What the softmax's normaliser does: the vector form, the estimators with and without it, the next
policy and its divergence.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from altpg_verify.cases import Case
from altpg_verify.estimators import alternate, regular
from altpg_verify.exact import evaluate, expected_update
from altpg_verify.forward_mode import Dual, gradient_of
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.ball_arithmetic import ball, kullback_leibler, sign, stepped
from altpg_verify.report.evidence.divergence import CLOSE
from altpg_verify.report.evidence.domains import ANYWHERE, AT_PI_STAR, OUTSIDE, pi_star
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.stepping import ANY_STEP, Step

_STEPSIZES = (Fraction(1, 3), Fraction(2))
SHIFTS = (Fraction(0), Fraction(5, 2), Fraction(-40))
_NEAR = "-1 for each pair that differs by less than 10^-30, by ball arithmetic: "


def _agree(gap: Callable[[], Any]) -> int:
    return sign(lambda: abs(gap()) - ball(CLOSE))


def _vector_form(c: Case) -> tuple[object, object]:
    def entry(a: int, shift: Fraction) -> Any:
        # preferences whose softmax is the policy: its logarithms, all moved alike
        weights = [(ball(p).log() + ball(shift)).exp() for p in c.pi]
        return weights[a] / sum(weights, ball(0)) - ball(c.pi[a])

    found = [
        _agree(lambda a=a, shift=shift: entry(a, shift))  # type: ignore[misc]
        for shift in SHIFTS
        for a in range(c.k)
    ]
    return found, [-1] * len(found)


def _log_gradient(likelihood: Any, k: int) -> list[Any]:
    return [slope / likelihood.value for slope in gradient_of(likelihood, k)]


def _without_normaliser(c: Case) -> tuple[object, object]:
    # e^theta_a up to a common factor, with its derivative
    weights = [Dual(p, [p * (place == a) for place in range(c.k)]) for a, p in enumerate(c.pi)]
    normalised = c.lifted().pi
    left, right = [], []
    for _, a, reward in c.draws():
        for likelihoods, est in ((weights, alternate), (normalised, regular)):
            left.append([(reward - c.b) * slope for slope in _log_gradient(likelihoods[a], c.k)])
            right.append(evaluate(est, c, a, reward))
    return left, right


def _after(s: Step) -> Any:
    """The divergence after the step, from its definition, the policy from the list of every
    outcome.
    """
    return kullback_leibler(pi_star(s.case), stepped(s.case.pi, s.moved))


def _exponentials(s: Step) -> list[Any]:
    return [ball(p * z).exp() for p, z in zip(s.case.pi, s.zeta, strict=True)]


def _norm(s: Step) -> Any:
    return sum(
        (ball(p) * grown for p, grown in zip(s.case.pi, _exponentials(s), strict=True)), ball(0)
    )


def _first_line(s: Step) -> tuple[object, object]:
    def gap() -> Any:
        norm = _norm(s)
        terms = [
            ball(target) * (ball(target) / ball(p) * norm / grown).log()
            for target, p, grown in zip(pi_star(s.case), s.case.pi, _exponentials(s), strict=True)
        ]
        return _after(s) - sum(terms, ball(0))

    return _agree(gap), -1


def _second_line(s: Step) -> tuple[object, object]:
    star = pi_star(s.case)

    def gap() -> Any:
        before = kullback_leibler(star, map(ball, s.case.pi))
        logs = sum((ball(target) * _norm(s).log() for target in star), ball(0))
        return _after(s) - (
            before
            + logs
            - ball(
                sum(target * p * z for target, p, z in zip(star, s.case.pi, s.zeta, strict=True))
            )
        )

    return _agree(gap), -1


def _next_policy(s: Step) -> tuple[object, object]:
    def gap(a: int) -> Any:
        # from preferences whose softmax is the policy, moved by the expected update
        weights = [(ball(p).log() + ball(x)).exp() for p, x in zip(s.case.pi, s.moved, strict=True)]
        return weights[a] / sum(weights, ball(0)) - ball(s.case.pi[a]) * _exponentials(s)[
            a
        ] / _norm(s)

    return [_agree(lambda a=a: gap(a)) for a in range(s.case.k)], [-1] * s.case.k  # type: ignore[misc]


def _stops(c: Case) -> tuple[object, object]:
    update = expected_update(alternate, c)

    def kappa(alpha: Fraction) -> Any:
        return sum(
            (ball(p) * ball(alpha * g).exp() for p, g in zip(c.pi, update, strict=True)), ball(0)
        ).log() / ball(alpha)

    def moved(alpha: Fraction, a: int) -> Any:
        return stepped(c.pi, alpha * update)[a] - ball(c.pi[a])

    def both(alpha: Fraction) -> list[bool]:
        still = [_agree(lambda a=a: moved(alpha, a)) == -1 for a in range(c.k)]  # type: ignore[misc]
        equal = [_agree(lambda g=g: ball(g) - kappa(alpha)) == -1 for g in update]  # type: ignore[misc]
        return [all(still), all(equal)]

    same = len(set(update)) == 1
    return [both(alpha) for alpha in _STEPSIZES], [[same, same] for _ in _STEPSIZES]


CLAIMS: dict[str, Enumerated] = {
    "fixed-point-equation": Enumerated(
        _stops,
        OUTSIDE + AT_PI_STAR,
        summary=(
            "left: 1 if a step moves no probability by 10^-30, 1 if no g_a is further than that"
            " from kappa, both by ball arithmetic; right: 1 if all g_a are one number, exactly"
        ),
    ),
    "next-policy": Enumerated(
        _next_policy,
        ANY_STEP,
        summary=_NEAR
        + "the softmax of the moved preferences and the printed quotient, for each action",
    ),
    "softmax-vector-form": Enumerated(
        _vector_form,
        ANYWHERE,
        summary=_NEAR
        + "e^theta over 1^T e^theta for theta = log pi + s, three shifts s, and the policy",
    ),
    "alternate-drops-normalizer": Enumerated(
        _without_normaliser,
        ANYWHERE,
        summary=(
            "for each draw, (R - b) times the logarithm's gradient, differentiated exactly: of"
            " e^theta_A alone and of the softmax; the alternate and the regular estimate"
        ),
    ),
    "kl-first-line": Enumerated(
        _first_line,
        ANY_STEP,
        summary=_NEAR + "the divergence after a step and the printed sum of logarithms",
    ),
    "kl-second-line": Enumerated(
        _second_line,
        ANY_STEP,
        summary=_NEAR + "the divergence after a step and the three printed sums",
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def with_and_without_normaliser(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Exponentials and logarithms in balls, derivatives exactly."""
    return CLAIMS[claim].judged(max_examples, seed)
