"""What the softmax's normaliser does: the vector form, the estimators with and without it, and the divergence after a step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from altpg_verify.cases import Case
from altpg_verify.duals import Dual, gradient_of
from altpg_verify.estimators import alternate, regular
from altpg_verify.exact import evaluate
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.balls import ball, kullback_leibler, sign, stepped
from altpg_verify.report.evidence.divergence import CLOSE
from altpg_verify.report.evidence.domains import ANYWHERE, pi_star
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.stepping import ANY_STEP, Step

SHIFTS = (Fraction(0), Fraction(5, 2), Fraction(-40))
_NEAR = "-1 for each pair that differs by less than 10^-30, decided by balls: "


def _agree(gap: Callable[[], Any]) -> int:
    return sign(lambda: abs(gap()) - ball(CLOSE))


def _vector_form(c: Case) -> tuple[Any, Any]:
    def entry(a: int, shift: Fraction) -> Any:
        # preferences whose softmax is the policy: its logarithms, all moved alike
        weights = [(ball(p).log() + ball(shift)).exp() for p in c.pi]
        return weights[a] / sum(weights, ball(0)) - ball(c.pi[a])

    found = [_agree(lambda a=a, shift=shift: entry(a, shift)) for shift in SHIFTS for a in range(c.k)]  # type: ignore[misc]
    return found, [-1] * len(found)


def _log_gradient(likelihood: Any, k: int) -> list[Any]:
    return [slope / likelihood.value for slope in gradient_of(likelihood, k)]


def _without_normaliser(c: Case) -> tuple[Any, Any]:
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
    """The divergence after the step, from its definition, the policy from the list of every outcome."""
    return kullback_leibler(pi_star(s.case), stepped(s.case.pi, s.moved))


def _exponentials(s: Step) -> list[Any]:
    return [ball(p * z).exp() for p, z in zip(s.case.pi, s.zeta, strict=True)]


def _norm(s: Step) -> Any:
    return sum((ball(p) * grown for p, grown in zip(s.case.pi, _exponentials(s), strict=True)), ball(0))


def _first_line(s: Step) -> tuple[Any, Any]:
    def gap() -> Any:
        norm = _norm(s)
        terms = [
            ball(target) * (ball(target) / ball(p) * norm / grown).log()
            for target, p, grown in zip(pi_star(s.case), s.case.pi, _exponentials(s), strict=True)
        ]
        return _after(s) - sum(terms, ball(0))

    return _agree(gap), -1


def _second_line(s: Step) -> tuple[Any, Any]:
    star = pi_star(s.case)

    def gap() -> Any:
        before = kullback_leibler(star, map(ball, s.case.pi))
        logs = sum((ball(target) * _norm(s).log() for target in star), ball(0))
        return _after(s) - (before + logs - ball(sum(target * p * z for target, p, z in zip(star, s.case.pi, s.zeta, strict=True))))

    return _agree(gap), -1


CLAIMS: dict[str, Enumerated] = {
    "softmax-vector-form": Enumerated(
        _vector_form, ANYWHERE, says=_NEAR + "e^theta over 1^T e^theta for theta = log pi + s, three shifts s, and the policy"
    ),
    "alternate-drops-normalizer": Enumerated(
        _without_normaliser,
        ANYWHERE,
        says=(
            "for each draw, (R - b) times the logarithm's gradient, differentiated exactly: of e^theta_A alone and of the softmax; "
            "the alternate and the regular estimate"
        ),
    ),
    "kl-first-line": Enumerated(_first_line, ANY_STEP, says=_NEAR + "the divergence after a step and the printed sum of logarithms"),
    "kl-second-line": Enumerated(_second_line, ANY_STEP, says=_NEAR + "the divergence after a step and the three printed sums"),
}


@evidence(*CLAIMS, kind="enumeration")
def with_and_without_normaliser(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Exponentials and logarithms in balls, derivatives exactly."""
    return CLAIMS[claim].judged(max_examples, seed)
