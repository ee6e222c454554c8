"""Appendix B.5, the plots for r = (0, 0, 1): draws and their variance near the corners, and the
alternate update without a baseline.
"""

from __future__ import annotations

from sympy import Integer, symbols

from altpg_verify.theory.fixed_points.bias import falls
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.large_stepsizes.large_steps import AWAY, TAKEN
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.indicators import delta_c, indicating
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    R,
    V,
    a,
    alpha,
    b,
    c,
    equation,
    g_ALT,
    g_REG,
    ghat_ALT,
    ghat_REG,
    j,
    pi,
    r,
    r_pi,
    sigma,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation
from altpg_verify.theory.saturation.variance import (
    CORNER,
    alternate_update_larger,
    corner_alternate_positive,
    corner_proof,
    corner_regular,
)

t, q, T, rest, room, w, s = symbols("t q T rest m w s")
NO_BASELINE = {b: Integer(0)}
ONE_REWARD = (
    EVERY_BANDIT
    + "; one action c with the reward 1 and all others with 0, as in r = (0, 0, 1); any noise;"
    " b = 0"
)
ONE = indicating({delta_c: c})
"""Sums in which the rewards are δ^c_j: 1 for the action c, else 0."""
VALUE_OF_ONE = total(pi[j] * delta_c[j], j)


@derivation("three-expected-updates-equal")
def three_equal() -> Proof:
    """E[g_ALT] = E[g_REG] = E[ĝ_REG at b = 0] = ∇J.

    Fig. intuition_bandits_reward001_noise1, line 863: three panels with one and the same arrow
    field.
    """
    proof = Proof(
        "with the true value both estimators, and the regular one with b = 0, have the mean ∇J",
        EVERY_BANDIT,
        where=SOFTMAX,
    )
    gradient = Partial(r_pi, theta[a])
    proof.equal("The alternate estimator with the true value,", E(g_ALT[a]), gradient)
    proof.equal("the regular one with the true value,", E(g_REG[a]), gradient)
    return proof.equal(
        "and the regular one without a baseline.", E(ghat_REG[a]), gradient, where=NO_BASELINE
    )


@derivation("score-vanishes-basis-stays")
def score_vanishes() -> Proof:
    """‖e_A - π‖² <= 2 (1 - π_A)² and ‖e_A‖² = 1.

    Appendix B.5, line 867: both estimators are a number times one of these vectors, so the
    difference of their sizes is that of the vectors.
    """
    proof = Proof(
        "for A = c the score e_A - π has at most the length √2 (1 - π(c)), while e_A has the length"
        " one at every policy",
        "every k, every policy with 0 < π(c) < 1",
        Signs(positive=(pi, q), nonnegative=(T,)),
        given=[q + pi[c] - 1],
        where=ONE,
    )
    proof.note("Let A = c and q = 1 - π_c. The entry j of e_A is δ^c_j.")
    proof.equal(
        "R e_A has the squared length R² at every policy, so e_A has the length one.",
        total((R * delta_c[j]) ** 2, j),
        R**2,
    )
    proof.note("π_j <= q for j ≠ c, so T, the sum of π_j (q - π_j) over j ≠ c, isn't negative.")
    whole = total(pi[j] * (q - pi[j]), j) - pi[c] * (q - pi[c])
    # |e_c - π|²
    square = total((delta_c[j] - pi[j]) ** 2, j)
    return proof.at_least(
        "The squared length of e_A - π is at most 2 q².",
        2 * q**2,
        square,
        T,
        given=[T - whole, SIMPLEX],
    )


@derivation("alternate-may-leave-corner")
def may_leave() -> Proof:
    """A draw A = c with R = b - t moves log(π_c/π_a) by -α t, and by -α t (q + π_a) >= -2 α t q.

    Appendix B.5, line 867: negative noise on the corner's own action is the way out. Log-odds of c
    against any other action.
    """
    proof = Proof(
        "near the corner of c a draw A = c with R < b lowers the log-odds of c by α (b - R) with"
        " the alternate estimator, and by at most 2 (1 - π(c)) times that with the regular one",
        EVERY_BANDIT
        + ", α > 0, 0 < π(c) < 1; for r = (0, 0, 1), c = a_0 and b = 0 or b = r_π, R < b whenever"
        " the noise is negative",
        Signs(positive=(pi, q, t, alpha, w, s), nonnegative=(rest,)),
        where={**ON_POLICY, R: b - t},
        given=[q + pi[c] - 1],
    )
    proof.note(
        "Let A = c, t = b - R > 0 and q = 1 - π_c. The noise has mean zero and isn't zero, so it is"
        " negative with some chance;"
    )
    proof.note(
        "then R < 0 <= b. With the alternate estimator the preference of c moves by α times",
        equation(t, b - R),
    )
    proof.equal("the entry", ghat_ALT[c], -t, where=TAKEN)
    proof.equal("and the others stay.", ghat_ALT[a], 0, where=AWAY)
    falls(proof, c)
    proof.note("The regular estimator has the entries")
    proof.equal("of c", ghat_REG[c], -t * q, where=TAKEN)
    proof.equal("and of any other action.", ghat_REG[a], t * pi[a], where=AWAY)
    proof.note("π_a = q - rest with rest >= 0, so the gap of the two preferences moves less, by")
    regular, bound = alpha * (t * pi[a] + t * q), 2 * q * alpha * t
    proof.at_least(
        "at most 2 q times what the alternate one does.",
        bound,
        regular,
        alpha * t * rest,
        given=[rest + pi[a] - q],
    )
    return proof.note("In all, whatever the reward:").include(alternate_update_larger.proof())


@derivation("zero-baseline-alternate-biased")
def biased_without_baseline() -> Proof:
    """The bias is r_π π, and r_π = π_c > 0.

    Appendix B.5, line 867: b = 0 while r_π = π_c, for one rewarded action c.
    """
    proof = Proof(
        "without a baseline the bias is π(c) π, not zero",
        ONE_REWARD,
        Signs(positive=(pi,)),
        where={**SOFTMAX, **NO_BASELINE},
    )
    proof.equal(
        "The mean less the gradient, for any rewards.",
        E(ghat_ALT[a]) - Partial(r_pi, theta[a]),
        r_pi * pi[a],
    )
    proof.where = ONE
    proof.note("Here r_j is δ^c_j: 1 for j = c, else 0.")
    proof.equal("So r_π is", VALUE_OF_ONE, pi[c])
    return proof.greater(
        "and no entry of the bias is zero.", VALUE_OF_ONE * pi[a], 0, pi[c] * pi[a]
    )


@derivation("zero-baseline-acute-angle")
def acute_angle() -> Proof:
    """Σ π r π (r - r_π) = π_c² (1 - π_c).

    Appendix B.5, line 867, corrected: the source says the same direction. An acute angle means that
    the biased step still raises J to first order.
    """
    proof = Proof(
        "without a baseline the mean of the alternate estimator and ∇J have the positive inner"
        " product π(c)² (1 - π(c))",
        ONE_REWARD,
        Signs(positive=(pi, q)),
        where=SOFTMAX,
    )
    proof.equal(
        "The mean, for any rewards.", E(ghat_ALT[a]), pi[a] * r[a], where={**SOFTMAX, **NO_BASELINE}
    )
    proof.equal("The gradient.", Partial(r_pi, theta[a]), pi[a] * (r[a] - r_pi))
    proof.where = ONE
    proof.note("Here r_j is δ^c_j: 1 for j = c, else 0. Let q = 1 - π_c, positive.")
    proof.equal("So r_π is", VALUE_OF_ONE, pi[c])
    # of the mean π r and the gradient π (r - r_π)
    product = total(pi[j] * delta_c[j] * pi[j] * (delta_c[j] - pi[c]), j)
    return proof.greater(
        "and the inner product is positive.", product, 0, pi[c] ** 2 * q, given=[q + pi[c] - 1]
    )


@derivation("corner-variances-in-example")
def corner_variances() -> Proof:
    """0 for both regular ones, e_c for both alternate ones with noise of variance one.

    Appendix B.5, line 867: proposition 2 in the four panels of the figure.
    """
    proof = corner_proof(
        "at a corner both regular estimators have variance zero and both alternate ones e_c, for"
        " noise of variance one"
    )
    proof.include(corner_regular.proof()).include(corner_alternate_positive.proof())
    noisy = {sigma: lambda action: Integer(1)}
    proof.note("A baseline b stands for b = 0, too. With noise of variance one,")
    # at σ = 1 the line on the mean noise says no more than that the probabilities sum to one
    proof.given = [one for one in CORNER if not one.has(sigma)]
    for letter in (ghat_ALT, g_ALT):
        proof.equal("the variance is", V(letter[c]), 1, where=noisy)
    return proof


@derivation("no-noise-alternate-stuck-at-corner")
def stuck() -> Proof:
    """At π = e_c the draw has R = r_c = r_π; with r_c = 0 it is zero with b = 0, too.

    Fig. intuition_bandits_reward001_noise0, line 879: without noise a corner is left by no draw;
    with r_c = 0 and b = 0 either.
    """
    proof = corner_proof(
        "at a corner without noise each draw of the alternate estimator with r_π is zero, and with"
        " b = 0 if r(c) = 0"
    )
    proof.note("At the corner of c the draw is A = c and R = r_c, which is r_π.")
    quiet = {R: r[c]}
    proof.equal("With the true value entry c is", g_ALT[c], 0, where={**quiet, **TAKEN})
    proof.equal("and any other", g_ALT[a], 0, where={**quiet, **AWAY})
    zero = {**quiet, **NO_BASELINE}
    proof.given = [r[c]]
    proof.note("For r_c = 0, as at the corners of a_0 and a_1,")
    proof.equal("entry c is zero with b = 0 as well,", ghat_ALT[c], 0, where={**zero, **TAKEN})
    return proof.equal("and so are the others.", ghat_ALT[a], 0, where={**zero, **AWAY})


@derivation("no-noise-alternate-larger-own-action")
def still_larger() -> Proof:
    """t² > 2 q² t² if 2 q² < 1.

    Appendix B.5, line 879, corrected: for a draw of the corner's own action, where the source
    speaks of all draws.
    """
    proof = alternate_update_larger.proof()
    proof.summary = (
        "near the corner of c, π(c) > 1 - 1/√2, the alternate update for A = c is larger than the"
        " regular one, if R isn't b"
    )
    proof.domain += "; without noise R = r(c)"
    proof.note(
        "Let t = R - b not be zero and m = 1 - 2 q² positive, as it is near the corner.",
        equation(room, 1 - 2 * q**2),
    )
    proof.signs, proof.given = Signs(positive=(room,), nonzero=(t,)), [room - 1 + 2 * q**2]
    proof.note("The alternate update has the squared norm t², the regular one at most 2 q² t²:")
    return proof.greater("the alternate one is larger.", t**2, 2 * q**2 * t**2, t**2 * room)


@derivation("no-noise-variance-zero-at-corners")
def no_variance() -> Proof:
    """V = 0 at π = e_c and σ = 0.

    Appendix B.5, line 879: variance at a corner is noise alone, for every η.
    """
    proof = corner_proof("at a corner without noise all four estimators have variance zero")
    quiet = {sigma: lambda action: Integer(0)}
    proof.given = [one for one in CORNER if not one.has(sigma)]
    for name, letter in (
        ("Alternate, b", ghat_ALT),
        ("alternate, r_π", g_ALT),
        ("regular, b", ghat_REG),
        ("regular, r_π", g_REG),
    ):
        proof.equal(f"{name}: entry c", V(letter[c]), 0, where=quiet)
        proof.equal("and any other.", V(letter[a]), 0, where=quiet)
    return proof
