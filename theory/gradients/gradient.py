"""The policy gradient of a softmax bandit: the Jacobian, both forms of ∇J, and the estimators that
have it as their mean.
"""

from __future__ import annotations

from sympy import Integer, exp, symbols

from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    E,
    Partial,
    R,
    a,
    b,
    c,
    e,
    equation,
    g_ALT,
    g_REG,
    ghat_ALT,
    ghat_REG,
    pi,
    r,
    r_A,
    r_pi,
    softmax,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

EVERY_SOFTMAX = "every number of actions k, every θ, every reward function r"
EVERY_BANDIT = (
    "every number of actions k, every policy π, every reward law with mean r and variance σ², every"
    " baseline b"
)


def gradient_proof(summary: str) -> Proof:
    """An empty proof in which π is written out in θ, so that derivatives are the kernel's.

    With `where=SOFTMAX` each π_a is e^θ_a / Σ_j e^θ_j to the kernel, so ∂/∂θ is computed by the
    quotient rule and no formula for the Jacobian is assumed.
    """
    return Proof(summary, EVERY_SOFTMAX, where=SOFTMAX)


@derivation("softmax-vector-form")
def softmax_vector_form() -> Proof:
    """π = e^θ / (1ᵀ e^θ), a probability vector.

    Section 3, line 122 of the paper's source: the vector form that all later lines differentiate.
    """
    proof = gradient_proof(
        "the entries of e^θ / (1ᵀ e^θ) are the softmax probabilities and sum to one"
    )
    proof.equal(
        "Each entry is the preference's exponential over their sum, 1ᵀ e^θ.",
        softmax(a) * total(exp(theta[c])),
        exp(theta[a]),
    )
    return proof.equal("The entries sum to one.", total(pi[c]), 1)


@derivation("softmax-jacobian")
def softmax_jacobian() -> Proof:
    """∂π_a/∂θ_c = π_a (1{a = c} - π_c), which is (I - π 1ᵀ) diag(π).

    Section 3, line 122. Row a is the derivative of π_a; as the matrix is symmetric, the paper's
    layout [∇π]_ca = ∂π_a/∂θ_c (appendix A.1) gives the same.
    """
    proof = gradient_proof(
        "∇π has the entries π_a (1 - π_a) on the diagonal and -π_a π_c off it: (I - π 1ᵀ) diag(π)"
    )
    proof.equal("By the quotient rule, off the diagonal,", Partial(pi[a], theta[c]), -pi[a] * pi[c])
    proof.equal("and on the diagonal.", Partial(pi[a], theta[a]), pi[a] * (1 - pi[a]))
    return proof.equal(
        "It is symmetric, so either index may be the derivative's.",
        Partial(pi[a], theta[c]),
        Partial(pi[c], theta[a]),
    )


@derivation("gradient-as-jacobian-times-reward", "alternate-form-outer-product")
def jacobian_times_reward() -> Proof:
    """[∇J]_a = Σ_c [(I - π 1ᵀ) diag(π)]_ac r_c = r_a π_a - π_a Σ_c r_c π_c.

    Section 3, lines 125 and 137: the two matrix forms, (I − π 1ᵀ) diag(π) r = (diag(r) − π rᵀ) π,
    which are the same sum with its factors grouped by action drawn or by entry. (k,), the direction
    of ascent.
    """
    proof = gradient_proof("∇J = (I - π 1ᵀ) diag(π) r = (diag(r) - π rᵀ) π")
    proof.note(
        "Row a of (I - π 1ᵀ) diag(π) has the entries (1{a = c} - π_a) π_c; so its product with r is"
        " r_a π_a - Σ_c π_a π_c r_c."
    )
    proof.equal(
        "It is the derivative of J = Σ_c π_c r_c.",
        Partial(r_pi, theta[a]),
        pi[a] * r[a] - total(pi[a] * pi[c] * r[c]),
    )
    return proof.equal(
        "It is row a of diag(r) - π rᵀ times π, too.",
        Partial(r_pi, theta[a]),
        r[a] * pi[a] - pi[a] * total(r[c] * pi[c]),
    )


@derivation(
    "alternate-form-scalar-product",
    "gradient-is-pi-times-advantage",
    "gradient-bandit-componentwise-corrected",
)
def pi_times_advantage() -> Proof:
    """[∇J]_a = π_a (r_a - r_π).

    Section 3, line 138; appendix B.2, line 640; and the correction of eq. gradient_bandit (line
    102), where the source prints r_a π_a (1 − π_a): that form leaves out what raising θ_a takes
    from the other actions.
    """
    proof = gradient_proof("∇J = diag(r) π - (πᵀ r) π = π ∘ (r - r_π 1)")
    proof.equal(
        "The factor πᵀ r is a scalar, r_π, so it may stand before π.",
        Partial(r_pi, theta[a]),
        r[a] * pi[a] - r_pi * pi[a],
    )
    return proof.equal(
        "Hence each entry is the probability times the advantage.",
        Partial(r_pi, theta[a]),
        pi[a] * (r[a] - r_pi),
    )


@derivation("gradient-as-expected-score")
def expected_score() -> Proof:
    """∇J = E[r(A) (e_A - π)].

    Section 3, line 126. The score ∇ log π(A) of a softmax is e_A − π, and its mean is zero, as the
    probabilities sum to one whatever θ is.
    """
    proof = gradient_proof("∇J is the expectation of r(A) (e_A - π)")
    proof.equal("The score function has mean zero.", E(e[a] - pi[a]), 0)
    return proof.equal(
        "Weighted with the reward its mean is ∇J.", Partial(r_pi, theta[a]), E(r_A * (e[a] - pi[a]))
    )


@derivation("gradient-as-regular-with-true-baseline")
def regular_with_true_baseline() -> Proof:
    """∇J = E[(R - r_π) (e_A - π)].

    Eq. regular_gradient_bandit, line 127. Subtracting any constant changes nothing, because the
    score has mean zero; r_π is the choice that the paper makes.
    """
    proof = gradient_proof("∇J is the mean of the regular estimator with the true r_π subtracted")
    proof.equal(
        "The subtracted r_π is a constant, and the score has mean zero.",
        E(r_pi * (e[a] - pi[a])),
        0,
    )
    return proof.equal("So the mean is ∇J.", E(g_REG[a]), Partial(r_pi, theta[a]))


@derivation("gradient-as-alternate-with-true-baseline")
def alternate_with_true_baseline() -> Proof:
    """∇J = E[(R - r_π) e_A].

    Eq. alternate_stochastic_softmax_grad_vector, line 139. Here b = r_π is needed: e_A has the mean
    π and not zero, so that another baseline would leave the bias (r_π − b) π.
    """
    proof = gradient_proof("∇J is the mean of the alternate estimator with the true r_π subtracted")
    proof.equal("Only the taken action's entry is not zero.", E(g_ALT[a]), pi[a] * (r[a] - r_pi))
    return proof.equal("That is ∇J.", E(g_ALT[a]), Partial(r_pi, theta[a]))


@derivation("regular-unbiased-any-baseline", "regular-scalar-form-unbiased")
def regular_unbiased() -> Proof:
    """E[(R - b) (e_A - π)] = ∇J for every b.

    Section 3, line 133, and eq. regular_bandit_estimator_scalar of section 2, line 106. Only that b
    doesn't depend on the draw is used; the noise enters with its mean, zero.
    """
    proof = Proof(
        "the regular estimator is unbiased, whatever the baseline", EVERY_BANDIT, where=SOFTMAX
    )
    proof.equal("The baseline meets the score alone, whose mean is zero.", E(b * (e[a] - pi[a])), 0)
    return proof.equal("So the mean is ∇J for every b.", E(ghat_REG[a]), Partial(r_pi, theta[a]))


@derivation("regular-vector-form-agrees")
def regular_vector_form() -> Proof:
    """Entry a of (R - b) (e_A - π) is (R - b) (1{A = a} - π_a).

    Eq. regular_gradient_bandit_with_baseline, line 131, against the components of line 106: an
    identity for each draw, not for the mean alone.
    """
    proof = Proof("the vector form has the components given before", EVERY_BANDIT, where=ON_POLICY)
    return proof.equal(
        "The letter e_a is 1 if A = a and 0 if not.", ghat_REG[a], (R - b) * (e[a] - pi[a])
    )


@derivation("expectation-is-inner-product", "mean-reward")
def expected_reward() -> Proof:
    """J = E[R] = Σ_a π_a r_a.

    Section 3, line 122, and appendix B.2, line 655: E[R] = E[E[R | A]], the tower rule over the
    action.
    """
    proof = Proof("E[R] = Σ_a π(a) r(a) = πᵀ r", EVERY_BANDIT, where=ON_POLICY)
    return proof.equal("Condition on the action: the inner mean is r_a.", E(R), total(pi[c] * r[c]))


@derivation("components-that-move")
def components_that_move() -> Proof:
    """With R ≠ b every entry of the regular estimate is not zero, and of the alternate one exactly
    that of A.

    Section 3, line 146, made precise: the paper counts the components that are computed, this one
    those that change. It needs 0 < π_a < 1, as the regular entries are (R − b) (1 − π_A) and −(R −
    b) π_a.
    """
    t, q = symbols("t q")
    # R - b is t in both; e is 1 in the action taken and 0 in any other
    taken, away = ({R: b + t, e: lambda action, value=value: Integer(value)} for value in (1, 0))
    proof = Proof(
        "R = b moves nothing; otherwise the regular estimator moves every preference, the alternate"
        " one that of A alone",
        EVERY_BANDIT + "; 0 < π(a) < 1",
        Signs(positive=(pi, q), nonzero=(t,)),
        where=ON_POLICY,
        given=[q + pi[a] - 1],
    )
    proof.note("Write t = R - b and q = 1 - π_a.", equation(t, R - b))
    proof.greater(
        "If a was taken and t isn't zero, the regular entry isn't.",
        ghat_REG[a] ** 2,
        0,
        t**2 * q**2,
        where=taken,
    )
    proof.greater(
        "If another action was taken, it isn't either.",
        ghat_REG[a] ** 2,
        0,
        t**2 * pi[a] ** 2,
        where=away,
    )
    proof.equal("If a was taken, the alternate entry is t.", ghat_ALT[a], t, where=taken)
    proof.equal("If another action was taken, it is zero.", ghat_ALT[a], 0, where=away)
    return proof.equal("If t = 0, the regular entry is zero as well.", ghat_REG[a], 0, where={R: b})
