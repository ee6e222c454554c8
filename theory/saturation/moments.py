"""The five moments that the proof of proposition 2 starts from, and its expansion of the variance,
for any η, b and noise law.
"""

from __future__ import annotations

from altpg_verify.theory.fixed_points.bias import ETA
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    Cov,
    E,
    R,
    V,
    a,
    b,
    c,
    e,
    eta,
    ghat,
    pi,
    r,
    r_A,
    r_pi,
    sigma,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

ANY_NOISE = EVERY_BANDIT + "; only the mean and the variance of the reward given the action enter"


def _moments(summary: str) -> Proof:
    return Proof(summary, ANY_NOISE, where=ON_POLICY)


@derivation("second-moment-by-conditioning", "second-moment-as-inner-product")
def second_moment() -> Proof:
    """E[R²] = Σ_a π_a (σ_a² + r_a²) = πᵀ (σ² + r²).

    Appendix B.2, lines 656 and 657. Noise enters by its variance alone: its law doesn't matter.
    """
    proof = _moments("E[R²] = Σ_a π(a) (σ(a)² + r(a)²) = πᵀ (σ² + r²)")
    proof.equal(
        "Given the action, the mean square is variance plus squared mean.",
        E(R**2),
        total(pi[c] * (sigma[c] ** 2 + r[c] ** 2)),
    )
    return proof.equal(
        "So the mean square splits into two inner products.",
        E(R**2),
        total(pi[c] * sigma[c] ** 2) + total(pi[c] * r[c] ** 2),
    )


@derivation("mean-basis-vector")
def mean_basis_vector() -> Proof:
    """E[e_A] = π.

    Appendix B.2, line 658: the mean of an indicator is a probability.
    """
    return _moments("E[e_A] = π").equal(
        "Entry a is one with probability π_a, else zero.", E(e[a]), pi[a]
    )


@derivation("mean-basis-times-reward")
def mean_basis_times_reward() -> Proof:
    """E[e_A R] = π ∘ r.

    Appendix B.2, line 659. Action and reward aren't independent; conditioning on A makes one of
    them constant.
    """
    proof = _moments("E[e_A R] = π ∘ r")
    proof.equal("The inner mean given A is r(A).", E(e[a] * R), E(e[a] * r_A))
    return proof.equal("Only A = a counts in entry a.", E(e[a] * R), pi[a] * r[a])


@derivation("mean-basis-times-squared-reward")
def mean_basis_times_squared_reward() -> Proof:
    """E[e_A R²] = π ∘ (σ² + r²).

    Appendix B.2, line 660; e_A² = e_A entry by entry is what keeps the second moments short.
    """
    proof = _moments("E[e_A R²] = π ∘ (σ² + r²)")
    return proof.equal(
        "Only A = a counts in entry a.", E(e[a] * R**2), pi[a] * (sigma[a] ** 2 + r[a] ** 2)
    )


def _expansion(summary: str) -> Proof:
    return Proof(summary, ETA + "; any noise", where=ON_POLICY, given=[SIMPLEX])


@derivation("variance-drops-constant")
def variance_drops_constant() -> Proof:
    """V[(e_A - η)(R - b)] = V[e_A R - e_A b - η R].

    Appendix B.2, line 665, the start of the expansion; η and b don't depend on the draw.
    """
    proof = _expansion("the constant η b doesn't change the variance")
    parts = e[a] * R - e[a] * b - eta[a] * R
    proof.equal("Multiply out,", ghat[a], parts + eta[a] * b)
    return proof.equal("and drop the constant.", V(ghat[a]), V(parts))


@derivation("variance-expansion-first-line-corrected")
def variance_first_line() -> Proof:
    """Three variances and three covariances; the middle one is that of e_A R with η R.

    Appendix B.2, line 666, corrected: the middle covariance pairs e_A b with η R in the source.
    Variances and covariances are elementwise, so this is the scalar V[x − y − z] in each entry.
    """
    proof = _expansion(
        "the variance is V[e_A R] + V[e_A b] + V[η R] - 2 Cov(e_A R, e_A b) - 2 Cov(e_A R, η R) + 2"
        " Cov(e_A b, η R)"
    )
    left = V(e[a] * R - e[a] * b - eta[a] * R)
    first, second, third = e[a] * R, e[a] * b, eta[a] * R
    crossed = -2 * Cov(first, second) - 2 * Cov(first, third) + 2 * Cov(second, third)
    return proof.equal(
        "The variance of a sum with signs.", left, V(first) + V(second) + V(third) + crossed
    )


@derivation("variance-expansion")
def variance_expansion() -> Proof:
    """V[(e_A - η)(R - b)] in moments of e_A and R.

    Eq. gradient_bandit_estimators_variance_expression, line 667. The second form is the one to
    read: E[ĝ_a²] by whether a was taken, less E[ĝ_a]²; η = 0 gives the alternate estimator, η = π
    the regular.
    """
    proof = _expansion("the elementwise variance of (e_A - η) (R - b) for any η, b and noise")
    crossed = (
        -2 * Cov(e[a] * R, e[a]) * b - 2 * Cov(e[a] * R, R) * eta[a] + 2 * Cov(e[a], R) * eta[a] * b
    )
    proof.equal(
        "Constants leave the moments.",
        V(ghat[a]),
        V(e[a] * R) + V(e[a]) * b**2 + V(R) * eta[a] ** 2 + crossed,
    )
    # E of the square, if a is taken
    square = pi[a] * (1 - eta[a]) ** 2 * (sigma[a] ** 2 + (r[a] - b) ** 2)
    # and if not, when only η_a is left
    others = eta[a] ** 2 * (E((R - b) ** 2) - pi[a] * (sigma[a] ** 2 + (r[a] - b) ** 2))
    mean = pi[a] * (r[a] - b) - eta[a] * (r_pi - b)
    return proof.equal(
        "In closed form: the taken action's part, the others', less the squared mean.",
        V(ghat[a]),
        square + others - mean**2,
    )


@derivation("bounded-variable-mean")
def mean_of_pi_zeta() -> Proof:
    """E[π(A) ζ(A)] = Σ_c π_c² ζ_c.

    Appendix B.3, line 799: the mean of the bounded variable to which the bound on the
    moment-generating function is applied. ζ(c) = α (r(c) − b), a step of preference.
    """
    from altpg_verify.theory.proving.notation import zeta

    proof = Proof(
        "the mean of π(A) ζ(A) under π is Σ_c π(c)² ζ(c)",
        "every k, π, ζ",
        where={**ON_POLICY, r: lambda action: pi[action] * zeta[action]},
    )
    return proof.equal(
        "Take X(c) = π_c ζ_c as the reward of action c.", E(R), total(pi[c] ** 2 * zeta[c])
    )
