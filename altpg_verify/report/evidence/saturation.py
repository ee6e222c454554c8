"""At the corners and faces of the simplex: propositions 1 and 2 and the sentences around them."""

from __future__ import annotations

from typing import Any

from altpg_verify.cases import Case
from altpg_verify.estimators import alternate, regular
from altpg_verify.exact import expected_update, outcomes, policy_gradient, variance
from altpg_verify.judging import Finding
from altpg_verify.laws import law_named
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import (
    ANYWHERE,
    CLOSED,
    CORNERS,
    FACES,
    NOISY_CORNERS,
    corner_of,
    unequal,
)
from altpg_verify.report.evidence.enumerated import Enumerated

_IMPLIES = "left: 1 if the gradient is zero; right: 1 if "


def _zero(entries: Any) -> bool:
    return not any(entries)


def _noise_of_corner(c: Case) -> Any:
    return c.sigma2[corner_of(c)] * c.one_hot(corner_of(c))


def _signal_with_baseline(c: Case) -> tuple[object, object]:
    update, gap = expected_update(alternate, c), c.q[corner_of(c)] - c.b
    return [update, _zero(update)], [gap * c.one_hot(corner_of(c)), gap == 0]


def _levels(c: Case) -> tuple[object, object]:
    saturated = [sum(c.pi[a] for a in range(c.k) if c.q[a] == level) == 1 for level in c.q]
    zero_elsewhere = [all(c.pi[a] == 0 for a in range(c.k) if c.q[a] != level) for level in c.q]
    return [bool(one) for one in saturated], zero_elsewhere


def _bounds(c: Case) -> tuple[object, object]:
    gradient, spread = policy_gradient(c), max(c.q) - min(c.q)
    return [abs(entry) for entry in gradient for _ in range(c.k)], [
        spread * (1 - c.pi[a]) for _ in gradient for a in range(c.k)
    ]


CLAIMS: dict[str, Enumerated] = {
    "saturated-gradient-bound": Enumerated(
        _bounds,
        ANYWHERE + CLOSED,
        "<=",
        summary="each entry of the gradient, against the bound for each action",
    ),
    "regular-variance-zero-at-corners": Enumerated(
        lambda c: law_named("quiet_at_corner").sides(regular, c), CORNERS
    ),
    "regular-cannot-leave-corner": Enumerated(
        lambda c: (
            [policy_gradient(c), outcomes(regular, c)],
            [0 * c.pi, [0 * c.pi for _ in c.draws()]],
        ),
        CORNERS,
        summary="the gradient and every draw of the regular estimator that can happen, and zero",
    ),
    "alternate-zero-in-expectation-at-corners": Enumerated(
        lambda c: law_named("vanishes_at_corner").sides(alternate, c.at_value()), CORNERS
    ),
    "alternate-with-baseline-at-corner": Enumerated(
        _signal_with_baseline,
        CORNERS,
        summary="the expected alternate update, and 1 if it is zero; the formula, and 1 if b = r(c)",
    ),
    "noisy-alternate-variance-nonzero-at-corners": Enumerated(
        lambda c: (variance(alternate, c.at_value()), 0 * c.pi), NOISY_CORNERS, "!="
    ),
    "saturated-gradient-zero": Enumerated(lambda c: (policy_gradient(c), 0 * c.pi), FACES),
    "saturated-regular-zero": Enumerated(
        lambda c: (
            [expected_update(regular, c.at_value()), expected_update(regular, c)],
            [0 * c.pi] * 2,
        ),
        FACES,
    ),
    "saturated-alternate-zero": Enumerated(
        lambda c: (expected_update(alternate, c.at_value()), 0 * c.pi), FACES
    ),
    "corner-regular-variance-zero": Enumerated(
        lambda c: ([variance(regular, c.at_value()), variance(regular, c)], [0 * c.pi] * 2), CORNERS
    ),
    "corner-alternate-variance": Enumerated(
        lambda c: (variance(alternate, c.at_value()), _noise_of_corner(c)), CORNERS
    ),
    "corner-alternate-variance-nonzero-corrected": Enumerated(
        lambda c: (variance(alternate, c.at_value()), 0 * c.pi), NOISY_CORNERS, "!="
    ),
    "corner-alternate-baseline-variance": Enumerated(
        lambda c: (
            [variance(alternate, c.at_value()), variance(alternate, c)],
            [_noise_of_corner(c)] * 2,
        ),
        NOISY_CORNERS,
    ),
    "corner-alternate-variance-is-noise-variance": Enumerated(
        lambda c: (
            law_named("keeps_noise_at_corner").sides(alternate, c)[0][corner_of(c)],
            c.sigma2[corner_of(c)],
        ),
        CORNERS,
    ),
    "saturated-policy-zero-elsewhere": Enumerated(
        _levels,
        CLOSED + FACES,
        summary=(
            "for each reward, 1 if the probabilities of its actions sum to one, and 1 if those of"
            " all other actions are zero"
        ),
    ),
    "saturated-value-is-constant": Enumerated(
        lambda c: (
            [c.expectation(lambda a, r: r) for _ in c.draws()],
            [c.q[a] for _, a, _ in c.draws()],
        ),
        FACES,
    ),
    "saturated-policy-solves-equations": Enumerated(
        lambda c: ([c.pi * (c.q - c.v), policy_gradient(c)], [0 * c.pi] * 2),
        FACES,
        summary="pi(a) (r(a) - r_pi) for every action and the gradient, and zero",
    ),
    "gradient-zero-only-at-boundary-corrected": Enumerated(
        lambda c: (_zero(policy_gradient(c)), bool(min(c.pi) == 0)),
        (CLOSED + FACES + ANYWHERE).where("rewards not all equal", unequal),
        "<=",
        summary=_IMPLIES + "the policy lies at the boundary; the first must imply the second",
    ),
    "gradient-zero-on-equal-reward-faces": Enumerated(
        lambda c: (_zero(policy_gradient(c)), len({c.q[a] for a in range(c.k) if c.pi[a]}) == 1),
        CLOSED + FACES + ANYWHERE,
        summary=_IMPLIES + "all actions that the policy takes have one reward",
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def saturated(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Corners and faces, every outcome listed."""
    return CLAIMS[claim].judged(max_examples, seed)
