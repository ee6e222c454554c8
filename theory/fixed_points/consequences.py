"""What the text draws from π*: it prefers the best action, differs from the optimal policy, and
lies closest to the best corner.
"""

from __future__ import annotations

from sympy import Symbol

from altpg_verify.theory.fixed_points.fixed_baseline import (
    AT_FIXED_POINT,
    OPTIMISTIC,
    OPTIMISTIC_DOMAIN,
    dist,
)
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import a, c, equation, i, j, pi_star, r, total
from altpg_verify.theory.proving.proof import Proof, derivation

t = Symbol("t")
BEST = OPTIMISTIC_DOMAIN + "; a is the one best action, c any other"


def _best(summary: str) -> Proof:
    """π*_a > π*_c if r_a > r_c."""
    proof = Proof(
        summary,
        BEST,
        Signs(positive=(dist, t)),
        where={**OPTIMISTIC, **AT_FIXED_POINT},
        given=[t - r[a] + r[c]],
    )
    proof.note("Let t = r_a - r_c > 0.", equation(t, r[a] - r[c]))
    return proof.greater(
        "The closer a reward is to b, the more probable its action.",
        pi_star[a],
        pi_star[c],
        t / (dist[a] * dist[c] * total(1 / dist[i], i)),
    )


@derivation("pi-star-prefers-best-action")
def prefers_best() -> Proof:
    """π*_a > π*_c.

    Section 3, line 200: π*(a) ∝ 1 / (b − r(a)) for an optimistic b grows with the reward.
    """
    return _best("π* gives the best action a higher probability than any other")


@derivation("pi-star-differs-from-optimal")
def differs_from_optimal() -> Proof:
    """π*_c > 0 while the optimal policy has π_c = 0.

    Section 3, line 200. The more optimistic b is, the nearer π* is to the uniform policy; at no
    finite b above the rewards is it a corner.
    """
    proof = Proof(
        "π* gives the other actions positive probability, the optimal policy none",
        BEST,
        Signs(positive=(dist,)),
        where={**OPTIMISTIC, **AT_FIXED_POINT},
    )
    return proof.greater(
        "The optimal policy takes a alone.", pi_star[c], 0, 1 / (dist[c] * total(1 / dist[i], i))
    )


@derivation("pi-star-nearest-to-optimal-corner")
def close_to_best_corner() -> Proof:
    """|π* - e_c|² - |π* - e_a|² = 2 (π*_a - π*_c) > 0.

    Appendix B.3, line 829, corrected: the source says close to the optimal corner. It is closer to
    it than to the other corners, though it may be as near to the uniform policy as one likes.
    """
    proof = _best("π* is closer to the corner of the best action than to any other corner")
    # squared distances to two corners: Σ π² less the own square, plus (1 - π)²
    to_a, to_c = (
        total(pi_star[j] ** 2, j) - pi_star[x] ** 2 + (1 - pi_star[x]) ** 2 for x in (a, c)
    )
    witness = 2 * t / (dist[a] * dist[c] * total(1 / dist[i], i))
    return proof.greater("So the squared distance to e_c exceeds that to e_a.", to_c, to_a, witness)
