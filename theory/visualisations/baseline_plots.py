"""Appendix B.5, the plots for r = (1, 2, 3) with b = 0, +4 and -4: single draws near a corner, and
the expected update.
"""

from __future__ import annotations

from sympy import Integer, Rational, symbols

from altpg_verify.theory.attraction.dynamics import basins, flattens_corner
from altpg_verify.theory.attraction.kl import pessimistic_repels
from altpg_verify.theory.attraction.remarks import biased_update_is_larger
from altpg_verify.theory.attraction.three_arms import BANDIT, REWARDS, fixed_point
from altpg_verify.theory.fixed_points.bias import falls
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.large_stepsizes.large_steps import AWAY, TAKEN
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    R,
    a,
    alpha,
    as_rational,
    b,
    c,
    equation,
    ghat_ALT,
    ghat_REG,
    pi,
    r,
)
from altpg_verify.theory.proving.proof import Proof, derivation

t, q, lead, u, w, s = symbols("t q m u w s")


def _draw_proof(summary: str, domain: str, sign: int) -> Proof:
    """A draw A = c with R = b + sign t, and what it does to the gap between c and another
    action.
    """
    signs = Signs(positive=(pi, q, t, alpha, lead, w, s))
    proof = Proof(
        summary, domain, signs, where={**ON_POLICY, R: b + sign * t}, given=[q + pi[c] - 1]
    )
    proof.note(
        "Let A = c and q = 1 - π_c. The draw differs from the baseline by t > 0:",
        equation(t, sign * (R - b)),
    )
    proof.equal("The alternate estimate has the entry of c", ghat_ALT[c], sign * t, where=TAKEN)
    proof.equal("and no other.", ghat_ALT[a], 0, where=AWAY)
    proof.equal("The regular one has the entry of c", ghat_REG[c], sign * t * q, where=TAKEN)
    return proof.equal("and of any other action", ghat_REG[a], -sign * t * pi[a], where=AWAY)


@derivation("zero-baseline-drives-into-corner")
def drives_into_corner() -> Proof:
    """α t > α t (q + π_a) if π_c > π_a.

    Appendix B.5, line 882: b = 0 is pessimistic for r = (1, 2, 3), so a draw whose reward is
    positive raises the action that was drawn.
    """
    proof = _draw_proof(
        "a draw A = c with R > b raises π(c) more with the alternate estimator than with the"
        " regular one, if c is the most probable action",
        EVERY_BANDIT
        + ", α > 0; π(c) > π(a) for all a ≠ c, as near the corner of c; b = 0 and R > 0 among them",
        1,
    )
    proof.note(
        "Let m = π_c - π_a > 0. The gap of θ_c and θ_a rises by α t and by α t (q + π_a):",
        equation(lead, pi[c] - pi[a]),
    )
    alternate, regular = alpha * t, alpha * (t * q + t * pi[a])
    proof.greater(
        "more with the alternate estimator.",
        alternate,
        regular,
        alpha * t * lead,
        given=[lead - pi[c] + pi[a]],
    )
    proof.note(
        "So every ratio π_a/π_c is smaller after it. With w the sum of the ratios after the"
        " alternate step,"
    )
    witness = s / ((1 + w) * (1 + w + s))
    return proof.greater(
        "and w + s after the regular one, π_c is larger.", 1 / (1 + w), 1 / (1 + w + s), witness
    )


@derivation("optimistic-draws-lower-saturated-action")
def draws_flatten() -> Proof:
    """log(π_c/π_a) moves by -α t and by -α t (q + π_a).

    Appendix B.5, line 895, corrected: it lowers the drawn action, which flattens the policy only if
    that was the most probable one and the step isn't too long.
    """
    proof = _draw_proof(
        "a draw A = c with R < b lowers the probability of c with both estimators",
        EVERY_BANDIT
        + ", α > 0, k >= 2; b = 4 above every reward of r = (1, 2, 3) without noise among them",
        -1,
    )
    proof.note(
        "So the preference of any other action rises against that of c, with the alternate"
        " estimator by α t,"
    )
    proof.greater(
        "a positive number, and with the regular one by",
        alpha * (t * pi[a] + t * q),
        0,
        alpha * t * (pi[a] + q),
    )
    return falls(proof, c)


@derivation("pessimistic-moves-off-fixed-point")
def moves_off_center() -> Proof:
    """b = 0 < min r: theorem 1 with π* = (6, 3, 2)/11.

    Appendix B.5, line 882, corrected: the point that pessimism repels from is π*, not the centre of
    the simplex.
    """
    proof = pessimistic_repels.proof()
    proof.note("For r = (1, 2, 3) and b = 0 the rewards are above the baseline,")
    proof.signs, proof.where, proof.given = Signs(nonnegative=(u,)), {b: Integer(0)}, [r[a] - 1 - u]
    proof.greater("as r_a = 1 + u with u >= 0,", r[a] - b, 0, 1 + u)
    proof.note("and π* is inside the simplex:")
    proof.given = []
    for action, reward in enumerate(REWARDS):
        share = 1 / (as_rational(reward) - b) / sum(1 / (as_rational(one) - b) for one in REWARDS)
        proof.equal(f"action {action}.", share, as_rational(fixed_point(REWARDS[0] - 1)[action]))
    proof.summary = (
        "with b = 0 every expected step takes the policy away from π* = (6, 3, 2)/11 in KL"
    )
    proof.domain = (
        f"{BANDIT} and every other r with b = 0 < min r; every interior policy but π*, every α > 0"
    )
    return proof


@derivation("optimistic-attraction-stronger-near-corners")
def attraction_stronger() -> Proof:
    """|r_c - 4| >= 1 at every corner c, and D = 2.

    Appendix B.5, line 895, corrected: near corners; elsewhere the true gradient may be the longer
    one.
    """
    proof = biased_update_is_larger.proof()
    proof.summary = (
        "with b = 4 the alternate estimator's mean is at least π(c)/(2 √3 (1 - π(c))) times ∇J near"
        " a corner c, and lowers π(c)"
    )
    proof.domain = (
        f"{BANDIT}, b = 4; every corner c, the last part for π(c) close to 1; the lines hold for"
        " every k and r"
    )
    proof.note("Here D = 2, k = 3 and r_c = 3 - u with u >= 0.")
    proof.signs, proof.where, proof.given = Signs(nonnegative=(u,)), {b: Integer(4)}, [r[c] - 3 + u]
    proof.at_least("So |b - r_c| is at least one.", b - r[c], 1, u)
    proof.note("π_c |r_c - b|/(√k D (1 - π_c)) is then at least")
    proof.signs, proof.given = Signs(positive=(pi, q), nonnegative=(u,)), []
    # squared, as the kernel has no roots
    ratio = pi[c] ** 2 * (1 + u) ** 2 / (3 * (2 * q) ** 2)
    bound = pi[c] ** 2 / (12 * q**2)
    witness = pi[c] ** 2 * u * (2 + u) * Rational(1, 12) / q**2
    proof.at_least("in squares, with q = 1 - π_c,", ratio, bound, witness)
    return proof.note("without bound as q falls. It attracts, away from the corner:").include(
        flattens_corner.proof()
    )


@derivation("pessimistic-towards-a-corner")
def towards_a_corner() -> Proof:
    """b = -4 < max r: the basins of the corners; near one the mean stays at r_c + 4 >= 5.

    Appendix B.5, line 895: which corner is decided by the start, π_0(a) (r(a) + 4).
    """
    proof = basins.proof()
    proof.summary = (
        "with b = -4 the expected update takes the policy to a corner, and near it the mean stays"
        " at least 5 π(c) in size"
    )
    proof.domain = (
        f"{BANDIT}, b = -4, every α > 0; every interior start with one largest π(a) (r(a) + 4); the"
        " limit is argued in words"
    )
    proof.note(
        "For r = (1, 2, 3) and b = -4 the corner of c has r_c = 1 + u with u >= 0. Entry c of the"
        " mean there:"
    )
    proof.signs, proof.where, proof.given = (
        Signs(positive=(pi,), nonnegative=(u,)),
        {b: Integer(-4)},
        [r[c] - 1 - u],
    )
    proof.at_least("it doesn't vanish near the corner,", pi[c] * (r[c] - b), 5 * pi[c], pi[c] * u)
    return proof.note("while ∇J does:").include(biased_update_is_larger.proof())
