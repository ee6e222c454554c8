"""The variance of the estimators at a corner of the simplex (proposition 2), near one, and
elsewhere.
"""

from __future__ import annotations

from sympy import Expr, Integer, Symbol, symbols

from altpg_verify.theory.fixed_points.bias import ETA
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Signs
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
    g_ALT,
    g_REG,
    ghat,
    ghat_ALT,
    ghat_REG,
    j,
    pi,
    r,
    r_pi,
    sigma,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation
from altpg_verify.theory.saturation.corners import gradient_bound

AT_A_CORNER = ETA + "; the corner π = e_c of any action c"

CORNER = [
    SIMPLEX,
    total(pi[j] * r[j], j) - r[c],
    total(pi[j] * r[j] ** 2, j) - r[c] ** 2,
    total(pi[j] * sigma[j] ** 2, j) - sigma[c] ** 2,
    pi[c] - 1,
    pi[a],
]
"""Are zero at the corner π = e_c: a mean over the policy is the value at c, and π_a = 0 for any
other action a.
"""


def corner_proof(summary: str, domain: str = AT_A_CORNER, signs: Signs | None = None) -> Proof:
    """An empty proof at the corner π = e_c.

    The corner is stated by what it makes of means (`CORNER`), as the kernel keeps π symbolic: a sum
    over actions is its term at c.
    """
    return Proof(summary, domain, signs or Signs(), where=ON_POLICY, given=CORNER)


@derivation("corner-variance-terms-corrected")
def corner_terms() -> Proof:
    """The six terms of the expansion at a corner.

    Appendix B.2, line 672, corrected: the fifth covariance has the variance σ_c², where the source
    has σ. Each term is checked in entry c and in another entry.
    """
    proof = corner_proof("at a corner the terms are e_c ∘ σ², 0, σ(c)² η², 0, 2 σ² ∘ e_c ∘ η and 0")
    for action, words in ((c, "entry c"), (a, "any other entry")):
        noise = sigma[c] ** 2 if action is c else Integer(0)
        proof.equal(f"First term, {words}.", V(e[action] * R), noise)
        proof.equal(f"Second term, {words}.", V(e[action]), 0)
        proof.equal(f"Fourth term, {words}.", Cov(e[action] * R, e[action]), 0)
        proof.equal(
            f"Fifth term, {words}: the variance, not the standard deviation.",
            Cov(e[action] * R, R),
            noise,
        )
        proof.equal(f"Sixth term, {words}.", Cov(e[action], R), 0)
    return proof.equal("Third term.", V(R) * eta[a] ** 2, sigma[c] ** 2 * eta[a] ** 2)


@derivation("corner-variance-simplified-corrected")
def corner_variance() -> Proof:
    """σ_c² e_c + σ_c² η² - 2 σ_c² η_c e_c: entry c is σ_c² (1 - η_c)², entry a is σ_c² η_a².

    Appendix B.2, line 673, corrected: the source squares η_c in the last term. The factor (1 −
    η_c)² shows when noise reaches the update: not for η_c = 1, which is the regular estimator at
    the corner, and wholly for η = 0.
    """
    proof = corner_proof("at a corner the variance is σ(c)² e_c + σ(c)² η² - 2 σ(c)² η(c) e_c")
    proof.equal(
        "Entry c.",
        V(ghat[c]),
        sigma[c] ** 2 + sigma[c] ** 2 * eta[c] ** 2 - 2 * sigma[c] ** 2 * eta[c],
    )
    proof.equal("It is a square.", V(ghat[c]), sigma[c] ** 2 * (1 - eta[c]) ** 2)
    return proof.equal("Any other entry.", V(ghat[a]), sigma[c] ** 2 * eta[a] ** 2)


def _alternate_at_corner(proof: Proof) -> Proof:
    for name, letter in (("With a baseline", ghat_ALT), ("With the true value", g_ALT)):
        proof.equal(f"{name}, entry c.", V(letter[c]), sigma[c] ** 2)
        proof.equal(f"{name}, any other entry.", V(letter[a]), 0)
    return proof


@derivation(
    "corner-alternate-variance",
    "corner-alternate-variance-is-noise-variance",
    "corner-variance-at-eta-zero",
)
def corner_alternate() -> Proof:
    """V[g_ALT] = V[ĝ_ALT] = σ_c² e_c at π = e_c.

    Proposition 2 (thm. variance_saturated_pg, line 172): at the corner the estimate is (R − b) e_c,
    whose only random part is the noise, so the baseline doesn't matter.
    """
    return _alternate_at_corner(
        corner_proof(
            "at a corner the variance of the alternate estimator is σ(c)² e_c, the noise's"
        )
    )


@derivation(
    "noisy-alternate-variance-nonzero-at-corners",
    "corner-alternate-variance-nonzero-corrected",
    "corner-alternate-baseline-variance",
)
def corner_alternate_positive() -> Proof:
    """σ_c² > 0 if the reward of c is noisy.

    Proposition 2, corrected: the source says that the variance isn't zero, which takes noise on the
    corner's own action.
    """
    proof = corner_proof(
        "at a corner with a noisy reward the variance of the alternate estimator is σ(c)² e_c and"
        " not zero",
        AT_A_CORNER,
        Signs(nonzero=(sigma,)),
    )
    _alternate_at_corner(proof)
    return proof.greater("It isn't zero if σ_c isn't.", V(ghat_ALT[c]), 0, sigma[c] ** 2)


@derivation(
    "corner-regular-variance-zero", "regular-variance-zero-at-corners", "corner-variance-at-eta-pi"
)
def corner_regular() -> Proof:
    """V[g_REG] = V[ĝ_REG] = 0 at π = e_c.

    Proposition 2 for the regular estimator: e_A − π is the zero vector for the one action that is
    taken.
    """
    proof = corner_proof("at a corner the variance of the regular estimator is zero")
    for name, letter in (("With a baseline", ghat_REG), ("With the true value", g_REG)):
        proof.equal(f"{name}, entry c.", V(letter[c]), 0)
        proof.equal(f"{name}, any other entry.", V(letter[a]), 0)
    return proof


@derivation("regular-cannot-leave-corner")
def corner_regular_draws() -> Proof:
    """At a corner every draw of the regular estimate is zero.

    Section 3, line 157. Every single draw is the zero vector, so no sequence of draws leaves the
    corner.
    """
    proof = corner_proof(
        "at a corner every draw of the regular estimator is zero, whatever the reward"
    )
    proof.note("At the corner of c the draw is A = c.")
    proof.equal("Entry c of the estimate.", ghat_REG[c], 0, where={e: lambda action: Integer(1)})
    proof.equal("Any other entry.", ghat_REG[a], 0, where={e: lambda action: Integer(0)})
    return proof.equal("So its mean is zero, too.", E(ghat_REG[c]), 0)


@derivation("alternate-zero-in-expectation-at-corners")
def corner_alternate_mean() -> Proof:
    """E[g_ALT] = 0 at π = e_c.

    Section 3, line 157: with the true value nothing pushes in the mean, and noise alone moves the
    policy (`corner_alternate`).
    """
    proof = corner_proof(
        "at a corner the mean of the alternate estimator with the true value is zero"
    )
    proof.equal("Entry c.", E(g_ALT[c]), 0)
    return proof.equal("Any other entry.", E(g_ALT[a]), 0)


@derivation("alternate-with-baseline-at-corner")
def corner_alternate_baseline_mean() -> Proof:
    """E[ĝ_ALT] = (r_c - b) e_c at π = e_c.

    Beyond the paper's line 157: an optimistic b > r_c pushes the policy off the corner even without
    noise, a pessimistic one further in.
    """
    proof = corner_proof(
        "at a corner the mean of the alternate estimator with a baseline is (r(c) - b) e_c"
    )
    proof.equal("Entry c; it is zero only if b = r_c.", E(ghat_ALT[c]), r[c] - b)
    return proof.equal("Any other entry.", E(ghat_ALT[a]), 0)


def second_moment_given(action: Expr) -> Expr:
    """E[(R - b)² | A = action].

    Variance plus squared distance of the mean from the baseline.
    """
    return sigma[action] ** 2 + (r[action] - b) ** 2


@derivation("regular-variance-vanishes-near-corners")
def regular_near_corners() -> Proof:
    """V[ĝ_REG]_a <= M π_a (1 - π_a), with M a bound on E[(R - b)² | A].

    Section 3, line 175, corrected: the source says near the boundary. On an edge between two
    actions π_a (1 − π_a) is not small; near a corner it is, for every a.

    The witness is a variance by hand: the taken action's slack, the others' slack, and the squared
    mean that a variance subtracts.
    """
    M, q, T, rest = symbols("M q T rest")
    u, s = symbols("u s")
    proof = Proof(
        "V[ĝ_REG] <= M (1 - π(c)) in every entry and for every c, with M = max E[(R - b)² | A]: it"
        " vanishes near corners, not near edges",
        EVERY_BANDIT,
        Signs(positive=(pi, q), nonnegative=(u, s, T, rest)),
        where=ON_POLICY,
        given=[SIMPLEX],
    )
    proof.note(
        "Let q = 1 - π_a and M bound E[(R - b)² | A] for every action; u = M - E[(R - b)² | a] is"
        " not negative."
    )
    proof.note("T, the sum of π_j (M - E[(R - b)² | j]) over j ≠ a, isn't negative either.")
    whole = total(pi[j] * (M - second_moment_given(j)), j)
    mean = pi[a] * (r[a] - r_pi)
    # slack of a, slack of the others, and the square that a variance takes off
    witness = pi[a] * q**2 * u + pi[a] ** 2 * T + mean**2
    givens = [q + pi[a] - 1, u - M + second_moment_given(a), T + pi[a] * u - whole]
    proof.at_least(
        "Then the variance is bounded by M π_a (1 - π_a).",
        M * pi[a] * q,
        V(ghat_REG[a]),
        witness,
        given=givens,
    )
    proof.note("For a = c this is at most M (1 - π_c); for a ≠ c too, since π_a <= 1 - π_c.")
    return proof.at_least(
        "With rest = 1 - π_c - π_a, not negative,",
        1 - pi[c],
        pi[a] * q,
        rest + pi[a] ** 2,
        given=[q + pi[a] - 1, rest + pi[c] + pi[a] - 1],
    )


@derivation("noisy-alternate-variance-stays-near-boundary")
def alternate_variance_positive() -> Proof:
    """V[g_ALT]_a >= π_a σ_a² > 0.

    Section 3, line 175, corrected by the noise: without it, and with the reward near r_π, this
    variance can vanish near the boundary as well.
    """
    q = Symbol("q")
    proof = Proof(
        "V[g_ALT] = π ∘ σ² + π ∘ (1 - π) ∘ (r - r_π)², at least π ∘ σ²: positive wherever a noisy"
        " action has probability",
        EVERY_BANDIT,
        Signs(positive=(pi, q), nonzero=(sigma,)),
        where=ON_POLICY,
        given=[q + pi[a] - 1],
    )
    proof.note("Let q = 1 - π_a.")
    proof.equal(
        "In closed form.", V(g_ALT[a]), pi[a] * sigma[a] ** 2 + pi[a] * q * (r[a] - r_pi) ** 2
    )
    witness = pi[a] * sigma[a] ** 2 + pi[a] * q * (r[a] - r_pi) ** 2
    return proof.greater("It is positive if σ_a isn't zero.", V(g_ALT[a]), 0, witness)


@derivation("alternate-stochastic-update-larger")
def alternate_update_larger() -> Proof:
    """‖ĝ_REG‖² <= 2 (1 - π_c)² ‖ĝ_ALT‖² for the draw A = c.

    Section 3, line 175, for the draw that a policy near the corner nearly always makes. Both
    updates have the factor R − b, which cancels: what is left are the norms of e_c − π and e_c.
    """
    q, T = symbols("q T")
    proof = Proof(
        "for the corner's own action the regular update is at most √2 (1 - π(c)) times the"
        " alternate one, whatever the reward",
        EVERY_BANDIT + ", near the corner of c",
        Signs(positive=(pi, q), nonnegative=(T,)),
        where=ON_POLICY,
        given=[q + pi[c] - 1],
    )
    proof.note("Let A = c and q = 1 - π_c. Entry c of the two estimates:")
    taken = {e: lambda action: Integer(1)}
    proof.equal("alternate,", ghat_ALT[c], R - b, where=taken)
    proof.equal("regular,", ghat_REG[c], (R - b) * q, where=taken)
    proof.equal(
        "and any other entry of the regular one.",
        ghat_REG[a],
        -(R - b) * pi[a],
        where={e: lambda action: Integer(0)},
    )
    proof.note("π_j <= q for j ≠ c, so T, the sum of π_j (q - π_j) over j ≠ c, isn't negative.")
    # over all j, without the term of c
    whole = total(pi[j] * (q - pi[j]), j) - pi[c] * (q - pi[c])
    others = total(pi[j] ** 2, j) - pi[c] ** 2
    return proof.at_least(
        "So the squared norms differ by a factor of at most 2 q².",
        2 * q**2,
        q**2 + others,
        T,
        given=[T - whole, SIMPLEX],
    )


@derivation("regular-estimator-small-near-corners")
def regular_small_at_saturation() -> Proof:
    """Mean and variance of the regular estimator are at most constants times 1 - π_c.

    The introduction's line 90, corrected: near one corner; for a policy saturated on several
    actions the variance stays.
    """
    proof = gradient_bound.proof()
    proof.summary = (
        "near the corner of c mean and variance of the regular estimator are at most constants"
        " times 1 - π(c), even with reward noise"
    )
    return proof.include(regular_near_corners.proof())
