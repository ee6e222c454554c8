"""The derivatives of the biased and of the true update, exactly: which one could be a gradient
(appendix B.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.estimators import alternate, expected_gradient
from altpg_verify.exact import policy_gradient, update_jacobian
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import ANYWHERE, UNEQUAL
from altpg_verify.report.evidence.enumerated import Enumerated


def pairs(case: Case) -> Iterator[tuple[int, int]]:
    """Every pair of different actions, once."""
    return ((a, c) for a in range(case.k) for c in range(a + 1, case.k))


def orders(jacobian: np.ndarray, case: Case) -> tuple[object, object]:
    """The mixed partial derivatives of each pair of actions in both orders; those of a gradient
    agree.
    """
    return [jacobian[a, c] for a, c in pairs(case)], [jacobian[c, a] for a, c in pairs(case)]


def _unequal_pairs_disagree(c: Case) -> tuple[object, object]:
    jacobian = update_jacobian(alternate, c)
    found = [
        abs(jacobian[one, two] - jacobian[two, one])
        for one, two in pairs(c)
        if c.q[one] != c.q[two]
    ]
    return found, [0] * len(found)


def _printed_hessian(c: Case) -> list[Any]:
    return [
        -c.pi[a] * c.pi[d] * (c.q[a] + c.q[d] - 2 * c.v) + c.pi[a] * (a == d) * (c.q[a] - c.v)
        for a in range(c.k)
        for d in range(c.k)
    ]


_ORDERS = "the mixed partial derivatives in both orders, differentiated exactly"

CLAIMS: dict[str, Enumerated] = {
    "biased-update-not-a-gradient-corrected": Enumerated(
        lambda c: orders(update_jacobian(alternate, c), c), UNEQUAL, "!=", summary=_ORDERS
    ),
    "biased-update-no-potential-corrected": Enumerated(
        lambda c: orders(update_jacobian(alternate, c), c), UNEQUAL, "!=", summary=_ORDERS
    ),
    "mixed-partials-of-biased-update": Enumerated(
        lambda c: (
            update_jacobian(alternate, c),
            [
                c.pi[a] * ((a == d) - c.pi[d]) * (c.q[a] - c.b)
                for a in range(c.k)
                for d in range(c.k)
            ],
        ),
        ANYWHERE,
        summary=(
            "left: the expected alternate update differentiated exactly, row by row; right: the"
            " formula as printed"
        ),
    ),
    "mixed-partials-disagree-corrected": Enumerated(
        _unequal_pairs_disagree,
        UNEQUAL,
        ">",
        summary="how far both orders are apart, for each pair of actions with different rewards",
    ),
    "true-gradient-hessian": Enumerated(
        lambda c: (
            [policy_gradient(c), update_jacobian(expected_gradient, c)],
            [c.pi * (c.q - c.v), _printed_hessian(c)],
        ),
        ANYWHERE,
        summary=(
            "left: the derivatives of J and of pi (r - r_pi), differentiated exactly; right: pi (r"
            " - r_pi), and the formula as printed"
        ),
    ),
    "true-gradient-hessian-symmetric": Enumerated(
        lambda c: orders(update_jacobian(expected_gradient, c), c), ANYWHERE, summary=_ORDERS
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def mixed_partials(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Derivatives of the updates by exact differentiation."""
    return CLAIMS[claim].judged(max_examples, seed)
