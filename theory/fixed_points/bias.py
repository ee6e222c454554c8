"""The expected update with a baseline: E[ĝ_ALT] = π ∘ (r - b), its bias (r_π - b) π, and when that
vanishes.
"""

from __future__ import annotations

from sympy import Integer, Symbol, symbols

from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
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
    e,
    equation,
    eta,
    ghat,
    ghat_ALT,
    ghat_REG,
    pi,
    r,
    r_pi,
    theta,
)
from altpg_verify.theory.proving.proof import Proof, derivation

ETA = EVERY_BANDIT + ", every η that doesn't depend on the sampled action"


@derivation("expected-alternate-with-baseline")
def expected_alternate() -> Proof:
    """E[(R - b) e_A] = π ∘ (r - b 1).

    Section 3, line 187. The entries (k,) don't sum to zero, unlike those of ∇J: part of the update
    shifts all preferences alike, which moves no policy.
    """
    proof = Proof(
        "the mean of the alternate estimator is π ∘ (r - b 1)", EVERY_BANDIT, where=ON_POLICY
    )
    proof.equal(
        "If another action was taken the entry is zero,",
        ghat_ALT[a],
        0,
        where={e: lambda action: Integer(0)},
    )
    proof.equal(
        "and if a was taken it is R - b,", ghat_ALT[a], R - b, where={e: lambda action: Integer(1)}
    )
    return proof.equal(
        "whose mean is r_a - b; that happens with probability π_a.",
        E(ghat_ALT[a]),
        pi[a] * (r[a] - b),
    )


@derivation("biased-when-baseline-differs")
def biased() -> Proof:
    """E[ĝ_ALT] - ∇J = (r_π - b) π, not zero if b ≠ r_π.

    Section 3, line 187. The bias is parallel to π: for b > r_π it lowers preferences in proportion
    to their probability, which flattens the policy.
    """
    proof = Proof(
        "the bias of the alternate estimator is (r_π - b) π: it vanishes at b = r_π and nowhere"
        " else",
        EVERY_BANDIT,
        where=SOFTMAX,
    )
    proof.equal(
        "The mean less the gradient.", E(ghat_ALT[a]) - Partial(r_pi, theta[a]), (r_pi - b) * pi[a]
    )
    return _not_zero(proof)


@derivation("expected-updates-differ")
def expected_updates_differ() -> Proof:
    """∇J = E[ĝ_REG] = π ∘ (r - r_π 1) ≠ π ∘ (r - b 1) = E[ĝ_ALT].

    Appendix B.3, line 689. "Every entry" needs π > 0, as a softmax policy has.
    """
    proof = Proof(
        "the means of the two estimators differ in every entry if b ≠ r_π",
        EVERY_BANDIT,
        where=SOFTMAX,
    )
    proof.equal("The regular one is unbiased.", E(ghat_REG[a]), Partial(r_pi, theta[a]))
    proof.equal("Its mean in closed form.", E(ghat_REG[a]), pi[a] * (r[a] - r_pi))
    proof.equal("The mean of the alternate one.", E(ghat_ALT[a]), pi[a] * (r[a] - b))
    return _not_zero(proof)


def _not_zero(proof: Proof) -> Proof:
    """(r_π - b) π_a isn't zero when r_π - b isn't."""
    t = Symbol("t")
    proof.signs = Signs(nonzero=(t,))
    proof.note(
        "With t = r_π - b not zero, no entry of the bias is zero, since every π_a is positive.",
        equation(t, r_pi - b),
    )
    return proof.greater("Its square is positive.", (t * pi[a]) ** 2, 0, (t * pi[a]) ** 2)


@derivation("expected-update-any-eta")
def expected_any_eta() -> Proof:
    """E[(e_A - η) (R - b)] = π ∘ r - π b - r_π η + η b.

    Appendix B.3, line 684: one line for both estimators, which are η = π and η = 0.
    """
    proof = Proof(
        "the mean of (e_A - η) (R - b) is π ∘ r - π b - r_π η + η b",
        ETA,
        where=ON_POLICY,
        given=[SIMPLEX],
    )
    proof.equal("By linearity,", E(ghat[a]), E(e[a] * R) - E(e[a] * b) - E(R) * eta[a] + eta[a] * b)
    return proof.equal(
        "and with the four means,",
        E(ghat[a]),
        pi[a] * r[a] - pi[a] * b - r_pi * eta[a] + eta[a] * b,
    )


@derivation("expected-update-eta-pi")
def expected_eta_pi() -> Proof:
    """η = π gives π ∘ (r - r_π 1).

    Eq. expected_gradient_bandit_updates, line 685: the terms −π b and +η b cancel.
    """
    proof = Proof(
        "with η = π the mean is π ∘ (r - r_π 1)",
        ETA,
        where={**ON_POLICY, eta: lambda action: pi[action]},
        given=[SIMPLEX],
    )
    proof.equal("It is the regular estimator,", ghat[a], ghat_REG[a])
    return proof.equal("and b cancels.", E(ghat[a]), pi[a] * (r[a] - r_pi))


@derivation("expected-update-eta-zero")
def expected_eta_zero() -> Proof:
    """η = 0 gives π ∘ (r - b 1).

    Eq. expected_gradient_bandit_updates, line 685: nothing is left to cancel −π b.
    """
    proof = Proof(
        "with η = 0 the mean is π ∘ (r - b 1)",
        ETA,
        where={**ON_POLICY, eta: lambda action: Integer(0)},
    )
    proof.equal("It is the alternate estimator,", ghat[a], ghat_ALT[a])
    return proof.equal("and b stays.", E(ghat[a]), pi[a] * (r[a] - b))


@derivation("bias-independent-of-batch-size")
def bias_of_a_batch() -> Proof:
    """The mean of n draws has the expectation of one.

    Section 3, line 175: a larger batch averages noise away, not bias. One constant baseline for the
    batch.
    """
    n = Symbol("n")
    proof = Proof(
        "the bias of a batch mean is that of one draw",
        EVERY_BANDIT + ", every batch size n",
        Signs(positive=(n,)),
        where=SOFTMAX,
    )
    proof.note(
        "The expectation is linear, so the mean of n draws, each with the mean E[ĝ_a], has the mean"
        " n E[ĝ_a] / n."
    )
    return proof.equal(
        "Its bias doesn't contain n.",
        n * E(ghat_ALT[a]) / n - Partial(r_pi, theta[a]),
        (r_pi - b) * pi[a],
    )


@derivation("batch-reduces-alternate-variance")
def variance_of_a_batch() -> Proof:
    """V[mean of n draws] = V[ĝ_a]/n, and V/n - V/(n + m) > 0.

    Section 3, line 175. Independence of the draws is used for the n² − n mixed products; n needn't
    be a whole number for the inequality.
    """
    n, more, s = symbols("n m s")
    proof = Proof(
        "the variance of a batch mean of n independent draws is that of one draw over n, and falls"
        " as n grows",
        EVERY_BANDIT + ", every n >= 1",
        Signs(positive=(n, more, s)),
        where=ON_POLICY,
    )
    proof.note(
        "Of the n² products of two of the n draws n are squares, and the others have the mean"
        " E[ĝ_a]², by independence."
    )
    first, second = E(ghat_ALT[a]), E(ghat_ALT[a] ** 2)
    # E of the squared batch mean, less the square of its mean
    batch = (n * second + (n**2 - n) * first**2) / n**2 - first**2
    proof.equal("So the variance of the batch mean is", batch, V(ghat_ALT[a]) / n)
    proof.note(
        "Let s = V[ĝ_a] > 0 and m > 0 be the number of further draws.", equation(s, V(ghat_ALT[a]))
    )
    return proof.greater("The variance falls.", s / n, s / (n + more), s * more / (n * (n + more)))


@derivation("alternate-asymptotically-unbiased")
def asymptotically_unbiased() -> Proof:
    """|bias_a| = |r_π - b| π_a <= |r_π - b|, and E[b] - r_π shrinks by 1 - β at each draw.

    Section 3, line 200. Two readings: as b tends to r_π, and for the running average b ← b + β (R −
    b), whose mean m forgets its start by the factor 1 − β a draw. |1 − β| < 1 is why 0 < β < 2.
    """
    q, beta, m = symbols("q beta m")
    proof = Proof(
        "no entry of the bias is larger than |r_π - b|, so it vanishes as b tends to r_π; and with"
        " a running average at a fixed policy the mean of the update over the draws of the baseline"
        " tends to ∇J",
        EVERY_BANDIT + "; the second part: 0 < β < 2",
        Signs(positive=(pi, q)),
        ON_POLICY,
    )
    proof.equal(
        "The bias.", E(ghat_ALT[a]) - Partial(r_pi, theta[a]), (r_pi - b) * pi[a], where=SOFTMAX
    )
    proof.note(
        "Its square is at most (r_π - b)², for q = 1 - π_a is positive.", equation(q, 1 - pi[a])
    )
    square, witness = (r_pi - b) ** 2, (r_pi - b) ** 2 * q * (1 + pi[a])
    proof.at_least(
        "The difference of the squares.",
        square,
        square * pi[a] ** 2,
        witness,
        given=[q + pi[a] - 1],
    )
    proof.note(
        "b doesn't depend on the draw that meets it, and the bias is linear in it: in the mean over"
        " b, m = E[b] stands in its place."
    )
    after = E(beta * R + (1 - beta) * m)
    proof.equal(
        "One step of the running average takes m - r_π to",
        after - r_pi,
        (1 - beta) * (m - r_pi),
        given=[SIMPLEX],
    )
    return proof.note(
        "so after t steps it is (1 - β)^t times what it was, which tends to zero, and the mean bias"
        " (r_π - m) π with it."
    )


@derivation("constant-step-baseline-keeps-bias")
def bias_at_hand() -> Proof:
    """E[((r_π - b) π_a)²] = π_a² β Var R/(2 - β) in the stationary law of b.

    Beyond the paper's line 200: a running average with constant β has a stationary variance β
    V[R]/(2 − β), so its bias is zero in the mean and not for the baseline at hand.
    """
    beta, square, w, spread = symbols("beta s w v")
    proof = Proof(
        "with a constant β and noise the bias for the baseline at hand has the mean square π(a)² β"
        " Var[R]/(2 - β) for ever",
        EVERY_BANDIT
        + ", at a fixed policy, in the stationary law of the running average, 0 < β < 2",
        Signs(positive=(beta, w, square, pi)),
    )
    proof.note(
        "b has the mean r_π, and its variance v solves v = β² Var[R] + (1 - β)² v, as R doesn't"
        " depend on b. Let s = Var[R] > 0."
    )
    proof.equal("With w = 2 - β > 0,", 1 - (1 - beta) ** 2, beta * w, given=[w - 2 + beta])
    recursion = [beta * w * spread - beta**2 * square]
    proof.equal("so v is", spread, beta * square / w, given=recursion)
    mean_square = pi[a] ** 2 * spread
    return proof.greater(
        "So the mean square is positive.",
        mean_square,
        0,
        pi[a] ** 2 * beta * square / w,
        given=recursion,
    )


@derivation("optimistic-bias-makes-policy-more-uniform")
def optimistic_bias_flattens() -> Proof:
    """With b > r_π, adding the bias lowers the most probable action's probability.

    Appendix B.3, line 682, corrected: the source says so of any bias. With b < r_π the same line
    has the opposite sign, and the policy gets more peaked.
    """
    t, u, w, s = symbols("t u w s")
    proof = Proof(
        "adding α (r_π - b) π to the preferences lowers the probability of the most probable action"
        " if b > r_π",
        EVERY_BANDIT + "; π(c) > π(a) for all a ≠ c, b > r_π, any α > 0",
        Signs(positive=(t, u, alpha, w, s)),
    )
    proof.note("Write t = b - r_π > 0 and u = π_c - π_a > 0.", equation(t, b - r_pi))
    proof.greater(
        "The preference of a rises against that of c.",
        -alpha * t * pi[a],
        -alpha * t * pi[c],
        alpha * t * u,
        given=[u + pi[a] - pi[c]],
    )
    return falls(proof, c)


def falls(proof: Proof, action: Symbol) -> Proof:
    """The line: if every ratio π_a / π_action grows, π_action falls.

    π_action = 1 / (1 + w) with w the sum of the ratios π_a / π_action. Appended to a proof that has
    shown each ratio to grow.
    """
    w, s = symbols("w s")
    proof.note(
        "So every ratio to the probability of this action grows. With w the sum of the ratios,",
        equation(pi[action], 1 / (1 + w)),
    )
    return proof.greater(
        "it falls as the sum grows by s > 0.",
        1 / (1 + w),
        1 / (1 + w + s),
        s / ((1 + w) * (1 + w + s)),
    )
