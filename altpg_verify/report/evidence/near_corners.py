"""Near the corners and faces: how fast things vanish, each with an explicit bound in the distance
epsilon.
"""

from __future__ import annotations

from typing import Any

from altpg_verify.estimators import alternate, regular
from altpg_verify.exact import evaluate, expected_update, policy_gradient, variance
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.boundary_approach import NEAR_CORNERS, NEAR_NOISY_BOUNDARY, Near
from altpg_verify.report.evidence.enumerated import Enumerated


def _square(entries: Any) -> Any:
    return (entries * entries).sum()


def _noise_stays(n: Near) -> tuple[object, object]:
    spread = variance(alternate, n.case.at_value())
    return [spread[a] for a in n.inside], [
        n.limit[a] * (1 - n.epsilon) * n.case.sigma2[a] / 2 for a in n.inside
    ]


def _steps_of_corner_action(n: Near) -> tuple[object, object]:
    draws = [reward for _, action, reward in n.case.draws() if action == n.corner]
    long = [_square(evaluate(alternate, n.case, n.corner, reward)) for reward in draws]
    short = [_square(evaluate(regular, n.case, n.corner, reward)) for reward in draws]
    # when the reward is the baseline neither moves
    return [2 * n.epsilon**2 * one for one in long], short


def _lengths(n: Near) -> tuple[object, object]:
    biased, true = _square(expected_update(alternate, n.case)), _square(policy_gradient(n.case))
    signal = (1 - n.epsilon) ** 2 * (n.case.q[n.corner] - n.case.b) ** 2
    return biased * n.case.k * n.spread**2 * n.epsilon**2, true * signal


def _largest_square(n: Near) -> Any:
    """The largest (R - b)^2 that can happen."""
    return max((reward - n.case.b) ** 2 for _, _, reward in n.case.draws())


def _both_small(n: Near) -> tuple[object, object]:
    sizes = [max(abs(expected_update(regular, n.case))), max(variance(regular, n.case))]
    return sizes, [n.spread * n.epsilon, _largest_square(n) * n.epsilon]


CLAIMS: dict[str, Enumerated] = {
    "gradient-close-to-zero-near-corners": Enumerated(
        lambda n: (max(abs(policy_gradient(n.case))), n.spread * n.epsilon),
        NEAR_CORNERS,
        "<=",
        summary="the largest entry of the gradient, and the spread of the rewards times epsilon",
    ),
    "regular-expectation-vanishes-near-corners": Enumerated(
        lambda n: (max(abs(expected_update(regular, n.case))), n.spread * n.epsilon),
        NEAR_CORNERS,
        "<=",
        summary=(
            "the largest entry of the expected regular update, and the spread of the rewards times"
            " epsilon"
        ),
    ),
    "regular-variance-vanishes-near-corners": Enumerated(
        lambda n: (max(variance(regular, n.case)), n.epsilon * _largest_square(n)),
        NEAR_CORNERS,
        "<=",
        summary=(
            "the largest variance of the regular estimator, and epsilon times the largest (R - b)^2"
        ),
    ),
    "regular-estimator-small-near-corners": Enumerated(
        _both_small,
        NEAR_CORNERS,
        "<=",
        summary=(
            "the largest entries of the expected regular update and of its variance, and bounds"
            " proportional to epsilon"
        ),
    ),
    "noisy-alternate-variance-stays-near-boundary": Enumerated(
        _noise_stays,
        NEAR_NOISY_BOUNDARY,
        ">",
        summary=(
            "the variance in each component of the boundary policy's actions, and half of its share"
            " of the reward noise"
        ),
    ),
    "alternate-stochastic-update-larger": Enumerated(
        _steps_of_corner_action,
        NEAR_CORNERS,
        ">=",
        summary=(
            "squared lengths for the corner's own action: alternate times 2 epsilon^2, and regular"
        ),
    ),
    "biased-update-larger-when-saturated": Enumerated(
        _lengths,
        NEAR_CORNERS.where(
            "b different from r(c)", lambda near: near.case.b != near.case.q[near.corner]
        ),
        ">=",
        summary=(
            "squared lengths: |E[alternate]|^2 k (spread of r)^2 epsilon^2, and |gradient|^2 (1 -"
            " epsilon)^2 (r(c) - b)^2, so that the ratio grows like 1 / epsilon"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def near_the_boundary(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Bounds in the distance from a corner or face, at distances down to 10^-12."""
    return CLAIMS[claim].judged(max_examples, seed)
