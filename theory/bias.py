"""The expected update with a baseline: E[ĝ_ALT] = π ∘ (r - b), its bias (r_π - b) π, and when that vanishes."""

from __future__ import annotations

from sympy import Integer, Symbol, symbols

from theory.calculus import ON_POLICY, SOFTMAX
from theory.certificates import Signs
from theory.gradient import EVERY_BANDIT
from theory.notation import SIMPLEX, E, Partial, R, a, alpha, b, c, e, equation, eta, ghat, ghat_ALT, ghat_REG, pi, r, r_pi, theta
from theory.proof import Proof, derivation

ETA = EVERY_BANDIT + ", every η that doesn't depend on the sampled action"


@derivation("expected-alternate-with-baseline")
def expected_alternate() -> Proof:
    """E[(R - b) e_A] = π ∘ (r - b 1)."""
    proof = Proof("the mean of the alternate estimator is π ∘ (r - b 1)", EVERY_BANDIT, where=ON_POLICY)
    proof.equal("If another action was taken the entry is zero,", ghat_ALT[a], 0, where={e: lambda action: Integer(0)})
    proof.equal("and if a was taken it is R - b,", ghat_ALT[a], R - b, where={e: lambda action: Integer(1)})
    return proof.equal("whose mean is r_a - b; that happens with probability π_a.", E(ghat_ALT[a]), pi[a] * (r[a] - b))


@derivation("biased-when-baseline-differs")
def biased() -> Proof:
    """E[ĝ_ALT] - ∇J = (r_π - b) π, not zero if b ≠ r_π."""
    proof = Proof(
        "the bias of the alternate estimator is (r_π - b) π: it vanishes at b = r_π and nowhere else", EVERY_BANDIT, where=SOFTMAX
    )
    proof.equal("The mean less the gradient.", E(ghat_ALT[a]) - Partial(r_pi, theta[a]), (r_pi - b) * pi[a])
    return _not_zero(proof)


@derivation("expected-updates-differ")
def expected_updates_differ() -> Proof:
    """∇J = E[ĝ_REG] = π ∘ (r - r_π 1) ≠ π ∘ (r - b 1) = E[ĝ_ALT]."""
    proof = Proof("the means of the two estimators differ in every entry if b ≠ r_π", EVERY_BANDIT, where=SOFTMAX)
    proof.equal("The regular one is unbiased.", E(ghat_REG[a]), Partial(r_pi, theta[a]))
    proof.equal("Its mean in closed form.", E(ghat_REG[a]), pi[a] * (r[a] - r_pi))
    proof.equal("The mean of the alternate one.", E(ghat_ALT[a]), pi[a] * (r[a] - b))
    return _not_zero(proof)


def _not_zero(proof: Proof) -> Proof:
    """(r_π - b) π_a isn't zero when r_π - b isn't."""
    t = Symbol("t")
    proof.signs = Signs(nonzero=(t,))
    proof.note("With t = r_π - b not zero, no entry of the bias is zero, since every π_a is positive.", equation(t, r_pi - b))
    return proof.greater("Its square is positive.", (t * pi[a]) ** 2, 0, (t * pi[a]) ** 2)


@derivation("expected-update-any-eta")
def expected_any_eta() -> Proof:
    """E[(e_A - η) (R - b)] = π ∘ r - π b - r_π η + η b."""
    proof = Proof("the mean of (e_A - η) (R - b) is π ∘ r - π b - r_π η + η b", ETA, where=ON_POLICY, given=[SIMPLEX])
    proof.equal("By linearity,", E(ghat[a]), E(e[a] * R) - E(e[a] * b) - E(R) * eta[a] + eta[a] * b)
    return proof.equal("and with the four means,", E(ghat[a]), pi[a] * r[a] - pi[a] * b - r_pi * eta[a] + eta[a] * b)


@derivation("expected-update-eta-pi")
def expected_eta_pi() -> Proof:
    """η = π gives π ∘ (r - r_π 1)."""
    proof = Proof("with η = π the mean is π ∘ (r - r_π 1)", ETA, where={**ON_POLICY, eta: lambda action: pi[action]}, given=[SIMPLEX])
    proof.equal("It is the regular estimator,", ghat[a], ghat_REG[a])
    return proof.equal("and b cancels.", E(ghat[a]), pi[a] * (r[a] - r_pi))


@derivation("expected-update-eta-zero")
def expected_eta_zero() -> Proof:
    """η = 0 gives π ∘ (r - b 1)."""
    proof = Proof("with η = 0 the mean is π ∘ (r - b 1)", ETA, where={**ON_POLICY, eta: lambda action: Integer(0)})
    proof.equal("It is the alternate estimator,", ghat[a], ghat_ALT[a])
    return proof.equal("and b stays.", E(ghat[a]), pi[a] * (r[a] - b))


@derivation("bias-independent-of-batch-size")
def bias_of_a_batch() -> Proof:
    """The mean of n draws has the expectation of one."""
    n = Symbol("n")
    proof = Proof(
        "the bias of a batch mean is that of one draw", EVERY_BANDIT + ", every batch size n", Signs(positive=(n,)), where=SOFTMAX
    )
    proof.note("The expectation is linear, so the mean of n draws, each with the mean E[ĝ_a], has the mean n E[ĝ_a] / n.")
    return proof.equal("Its bias doesn't contain n.", n * E(ghat_ALT[a]) / n - Partial(r_pi, theta[a]), (r_pi - b) * pi[a])


@derivation("batch-reduces-alternate-variance")
def variance_of_a_batch() -> Proof:
    """The variance of the mean of n + 1 independent draws is 1/(n + 1) of that of one."""
    n, s = symbols("n s")
    proof = Proof("for two or more draws the variance of the batch mean is smaller", EVERY_BANDIT, Signs(positive=(n, s)), where=ON_POLICY)
    proof.note("The variance of a sum of independent draws is the sum of their variances. For n + 1 draws and s = V[ĝ_a] > 0,")
    left = s - (n + 1) * s / (n + 1) ** 2
    return proof.greater("the variance of the mean is smaller than that of one draw.", left, 0, s * n / (n + 1))


@derivation("alternate-asymptotically-unbiased")
def asymptotically_unbiased() -> Proof:
    """|bias_a| = |r_π - b| π_a <= |r_π - b|."""
    q = Symbol("q")
    proof = Proof(
        "no entry of the bias is larger than |r_π - b|, so it vanishes as b tends to r_π", EVERY_BANDIT, Signs(positive=(pi, q)), ON_POLICY
    )
    proof.equal("The bias.", E(ghat_ALT[a]) - Partial(r_pi, theta[a]), (r_pi - b) * pi[a], where=SOFTMAX)
    proof.note("Its square is at most (r_π - b)², for q = 1 - π_a is positive.", equation(q, 1 - pi[a]))
    square, witness = (r_pi - b) ** 2, (r_pi - b) ** 2 * q * (1 + pi[a])
    return proof.at_least("The difference of the squares.", square, square * pi[a] ** 2, witness, given=[q + pi[a] - 1])


@derivation("optimistic-bias-makes-policy-more-uniform")
def optimistic_bias_flattens() -> Proof:
    """With b > r_π, adding the bias lowers the most probable action's probability."""
    t, u, w, s = symbols("t u w s")
    proof = Proof(
        "adding α (r_π - b) π to the preferences lowers the probability of the most probable action if b > r_π",
        EVERY_BANDIT + "; π(c) > π(a) for all a ≠ c, b > r_π, any α > 0",
        Signs(positive=(t, u, alpha, w, s)),
    )
    proof.note("Write t = b - r_π > 0 and u = π_c - π_a > 0.", equation(t, b - r_pi))
    proof.greater(
        "The preference of a rises against that of c.", -alpha * t * pi[a], -alpha * t * pi[c], alpha * t * u, given=[u + pi[a] - pi[c]]
    )
    return falls(proof, c)


def falls(proof: Proof, action: Symbol) -> Proof:
    """The line: if every ratio π_a / π_action grows, π_action falls."""
    w, s = symbols("w s")
    proof.note("So every ratio to the probability of this action grows. With w the sum of the ratios,", equation(pi[action], 1 / (1 + w)))
    return proof.greater("it falls as the sum grows by s > 0.", 1 / (1 + w), 1 / (1 + w + s), s / ((1 + w) * (1 + w + s)))
