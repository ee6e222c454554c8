"""Theorem 1 and its proof, inequality by inequality; what holds an exponential or a logarithm is by
ball arithmetic.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.ball_arithmetic import (
    ball,
    excess,
    kullback_leibler,
    sign,
    stepped,
)
from altpg_verify.report.evidence.domains import (
    ANYWHERE,
    AT_PI_STAR,
    OPTIMISTIC_AWAY,
    PESSIMISTIC,
    Domain,
    pi_star,
)
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.stepping import (
    ANY_STEP,
    BELOW_BOUND,
    DOWN,
    EXPLICIT,
    UP,
    Step,
    stepsize_bound,
)

_CHANGE = (
    "the sign of the change of the divergence, both divergences from their definition in balls, and"
    " zero"
)
_LOG = "the sign of the log term less the bound, by ball arithmetic, and zero"
CLOSE = Fraction(1, 10**30)
MOST_HALVINGS = 200


def _kl_relation(s: Step) -> tuple[object, object]:
    star = pi_star(s.case)

    def gap() -> Any:
        before, after = map(ball, s.case.pi), stepped(s.case.pi, s.moved)
        log_term = sum(
            (ball(p) * ball(x).exp() for p, x in zip(s.case.pi, s.case.pi * s.zeta, strict=True)),
            ball(0),
        ).log()
        return (
            kullback_leibler(star, after)
            - kullback_leibler(star, before)
            - log_term
            + ball(s.harmonic)
        )

    return [sum(star * s.moved), sign(lambda: abs(gap()) - ball(CLOSE))], [s.harmonic, -1]


def _halved_until_small(c: Case) -> tuple[object, object]:
    step = Step(c, Fraction(1))
    for _ in range(MOST_HALVINGS):
        if step.upper < step.harmonic:
            break
        step = Step(c, step.alpha / 2)
    return step.upper, step.harmonic


def _mgf(c: Case) -> tuple[object, object]:
    # the mean rewards as the values of X, under the policy; and the rewards themselves, under their
    # own law
    laws = [(list(c.pi), list(c.q))]
    draws = list(c.draws())
    laws.append(([weight for weight, _, _ in draws], [reward for _, _, reward in draws]))
    signs = []
    for weights, values in laws:
        bound = (max(values) - min(values)) ** 2 / 8 + sum(
            w * x for w, x in zip(weights, values, strict=True)
        )
        signs.append(excess(weights, [x - bound for x in values]))
    return signs, [0] * len(signs)


def _range(s: Step) -> tuple[object, object]:
    values = list(s.case.pi * s.zeta)
    return [values, [s.high] * s.case.k], [[s.low] * s.case.k, values]


_ANCHOR = "pi=1/5,2/5,2/5; r=0,1,3; b=5"
_CHANGED = Domain(
    "one change of the policy, of the baseline, of each reward of a bandit with r = (0, 1, 3),"
    " b = 5",
    lambda max_examples, seed: [
        parse_case(text)
        for text in (
            "pi=1/5,3/5,1/5; r=0,1,3; b=5",
            "pi=1/5,2/5,2/5; r=0,1,3; b=6",
            "pi=1/5,2/5,2/5; r=1/2,1,3; b=5",
            "pi=1/5,2/5,2/5; r=0,2,3; b=5",
            "pi=1/5,2/5,2/5; r=0,1,4; b=5",
        )
    ],
)


def _same(entries: Any) -> bool:
    return len(set(entries)) == 1


CLAIMS: dict[str, Enumerated] = {
    "pessimistic-repels": Enumerated(
        lambda s: (s.divergence_change(), 0), UP, ">", summary=_CHANGE
    ),
    "optimistic-attracts": Enumerated(
        lambda s: (s.divergence_change(), 0), BELOW_BOUND, "<", summary=_CHANGE
    ),
    "optimistic-attracts-explicit-stepsize": Enumerated(
        lambda s: (s.divergence_change(), 0), EXPLICIT, "<", summary=_CHANGE
    ),
    "mgf-bound": Enumerated(
        _mgf,
        ANYWHERE,
        "<=",
        summary="the sign of E[e^X] over its bound less one, by ball arithmetic, and zero",
    ),
    "preference-update-with-zeta": Enumerated(lambda s: (s.moved, s.case.pi * s.zeta), ANY_STEP),
    "kl-relation": Enumerated(
        _kl_relation,
        ANY_STEP,
        summary=(
            "sum_a pi*(a) times what the step adds, and the harmonic term, exactly; then -1 if both"
            " sides of the whole relation, with divergences from their definition, differ by less"
            " than 10^-30"
        ),
    ),
    "zeta-positive-if-pessimistic": Enumerated(lambda s: (s.zeta, [0] * s.case.k), UP, ">"),
    "zeta-negative-if-optimistic": Enumerated(lambda s: (s.zeta, [0] * s.case.k), DOWN, "<"),
    "cauchy-schwarz-pessimistic": Enumerated(
        lambda s: (
            (s.case.pi**2 * s.zeta).sum() * (1 / s.zeta).sum(),
            (s.case.pi * s.zeta / s.zeta).sum() ** 2,
        ),
        UP,
        ">",
    ),
    "second-moment-exceeds-harmonic": Enumerated(lambda s: (s.mean, s.harmonic), UP, ">"),
    "equality-only-at-constant-ratio-corrected": Enumerated(
        lambda s: (max(s.case.pi * s.zeta) - min(s.case.pi * s.zeta), 0),
        UP,
        ">",
        summary="how far pi(a) zeta(a) is from one constant",
    ),
    "constant-product-implies-fixed-point": Enumerated(
        lambda c: (
            [_same(c.pi * Step(c, alpha).zeta) for alpha in (Fraction(1, 3), Fraction(2))],
            [tuple(c.pi) == pi_star(c)] * 2,
        ),
        (PESSIMISTIC + AT_PI_STAR).where(
            "baseline below all rewards", lambda case: case.b < min(case.q)
        ),
        summary=(
            "left: 1 if pi(a) zeta(a) is one constant, two stepsizes; right: 1 if the policy is pi*"
        ),
    ),
    "jensen-step": Enumerated(lambda s: (s.log_term_against(s.mean), 0), UP, ">", summary=_LOG),
    "log-term-exceeds-harmonic": Enumerated(
        lambda s: ([s.log_term_against(s.mean), s.mean], [0, s.harmonic]),
        UP,
        ">",
        summary=_LOG + "; then the sum and the harmonic term",
    ),
    "bounded-variable-mean": Enumerated(
        lambda s: (
            s.case.expectation(lambda action, reward: s.case.pi[action] * s.zeta[action]),
            s.mean,
        ),
        ANY_STEP,
    ),
    "bounded-variable-range": Enumerated(
        _range, ANY_STEP, ">=", summary="X and u, against l and X, for every action"
    ),
    "log-term-upper-bound": Enumerated(
        lambda s: (s.log_term_against(s.upper), 0), ANY_STEP, "<=", summary=_LOG
    ),
    "stepsize-exists": Enumerated(
        _halved_until_small,
        OPTIMISTIC_AWAY,
        "<",
        summary="both sides of the condition at the stepsize found by halving from one",
    ),
    "cauchy-schwarz-optimistic": Enumerated(lambda s: (s.mean, s.harmonic), DOWN, "<"),
    "stepsize-bound": Enumerated(lambda s: (s.upper, s.harmonic), BELOW_BOUND, "<"),
    "stepsize-bound-depends": Enumerated(
        lambda c: (stepsize_bound(c), stepsize_bound(parse_case(_ANCHOR))),
        _CHANGED,
        "!=",
        summary="the bound after a change and before it",
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def theorem(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Each inequality of the theorem and its proof at many policies, bandits and stepsizes."""
    return CLAIMS[claim].judged(max_examples, seed)
