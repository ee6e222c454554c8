"""The third case of the lemma: π*, κ, and the value at π*."""

from __future__ import annotations

from sympy import Symbol

from altpg_verify.theory.fixed_points.fixed_baseline import (
    AT_FIXED_POINT,
    EITHER_SIDE,
    EVERY_BASELINE,
    KAPPA,
    OPTIMISTIC,
    OPTIMISTIC_DOMAIN,
    PESSIMISTIC,
    dist,
    fixed_point,
    gap,
)
from altpg_verify.theory.fixed_points.lemma import NONZERO, each_equal
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    a,
    b,
    c,
    ghat_ALT,
    i,
    j,
    k,
    kappa,
    pi,
    pi_star,
    r,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation


@derivation("case-3-policy-from-kappa")
def case_3_policy() -> Proof:
    """π_a = κ / (r_a - b).

    Appendix B.3, line 741. For b outside the range of the rewards no denominator is zero.
    """
    proof = Proof("π(a) = κ / (r(a) - b)", EVERY_BASELINE, NONZERO, where=EITHER_SIDE)
    return proof.equal(
        "Divide by r_a - b, which isn't zero.",
        pi[a],
        kappa / (r[a] - b),
        given=[pi[a] * (r[a] - b) - kappa],
    )


@derivation("kappa-formula")
def kappa_formula() -> Proof:
    """κ Σ 1/(r_a - b) = 1.

    Appendix B.3, line 743. κ has the sign of r − b: negative for an optimistic baseline.
    """
    proof = Proof(
        "κ = (Σ 1/(r(a) - b))⁻¹",
        EVERY_BASELINE,
        NONZERO,
        where=EITHER_SIDE,
        given=[each_equal, SIMPLEX],
    )
    proof.equal("Sum π_a = κ/(r_a - b) over the actions.", total(kappa / (r[c] - b)), 1)
    return proof.equal(
        "All terms have one sign, so the sum isn't zero; κ is its inverse.",
        kappa * total(1 / (r[c] - b)),
        1,
    )


@derivation("fixed-point-formula", "pi-star-quoted-corrected")
def fixed_point_formula() -> Proof:
    """π_a = 1/(r_a - b) (Σ 1/(r_c - b))⁻¹.

    Eq. imp_fixed_point_solution_biased, line 747; and line 783, which quotes it without the inverse
    of the sum, corrected. Both signs of r − b are proved, each with its own positive letters.
    """
    proof = Proof(
        "π(a) = 1/(r(a) - b) (Σ 1/(r(c) - b))⁻¹, the only solution",
        EVERY_BASELINE,
        Signs(positive=(dist,)),
        where=EITHER_SIDE,
        given=[SIMPLEX],
    )
    proof.note("Eliminate κ from π_a = κ/(r_a - b) and κ Σ 1/(r_c - b) = 1.")
    for words, meaning in (
        ("Above all rewards,", OPTIMISTIC),
        ("and below all rewards.", PESSIMISTIC),
    ):
        zeros = [each_equal, pi[a] * (r[a] - b) - kappa]
        proof.equal(words, pi[a], fixed_point(a), given=zeros, where=meaning)
    return proof


@derivation("lemma-case-3-policy-fixed-point")
def case_3() -> Proof:
    """E[ĝ_ALT] = κ 1 exactly at π*, κ ≠ 0: the policy stays, the preferences all move by α κ.

    Lemma 2.1, case 3, corrected: the source says that the update is zero at π*. It is κ 1, which
    moves every preference and no probability.
    """
    proof = Proof(
        "the expected update is κ 1 with κ ≠ 0 exactly at π*: the policy stays and every preference"
        " moves by ακ",
        EVERY_BASELINE,
        NONZERO,
        where={**EITHER_SIDE, pi_star: lambda action: kappa / (r[action] - b)},
    )
    proof.note("Let κ = (Σ 1/(r_c - b))⁻¹, a sum of terms of one sign, and π*_a = κ/(r_a - b).")
    proof.equal("π* is a probability vector.", total(pi_star[c]), 1, given=[KAPPA])
    proof.equal(
        "There every entry of the expected update is κ.",
        E(ghat_ALT[a]),
        kappa,
        given=[pi[a] - pi_star[a]],
    )
    s = Symbol("s")
    proof.equal(
        "κ isn't zero, for it has an inverse s.",
        kappa * s,
        1,
        given=[KAPPA, s - total(1 / (r[j] - b), j)],
    )
    y = Symbol("y")
    proof.signs = Signs(nonzero=(gap, kappa), positive=(pi, y))
    stays = pi[a] * y / total(pi[j] * y, j)
    proof.equal(
        "Adding the same number to every preference, y = e^(ακ), leaves the policy alone.",
        stays,
        pi[a],
        given=[SIMPLEX],
    )
    proof.note("Conversely let all entries be one number κ'.")
    other = Symbol("kappa'")
    each_other = Given(pi[j] * (r[j] - b) - other, each=j, weight=kappa / (r[j] - b))
    proof.equal(
        "Divided by r_j - b and summed, they make κ' = κ.",
        other,
        kappa,
        given=[each_other, SIMPLEX, KAPPA],
    )
    return proof.equal(
        "Then π is π*.", pi[a], pi_star[a], given=[pi[a] * (r[a] - b) - other, other - kappa]
    )


@derivation("pi-star-inside-simplex")
def inside() -> Proof:
    """Every π*_a is positive, and they sum to one.

    Lemma 2.1: π* is a probability vector because all 1/(r_a − b) have one sign.
    """
    proof = Proof(
        "π* is a probability vector with positive entries",
        EVERY_BASELINE,
        Signs(positive=(dist,)),
        where=AT_FIXED_POINT,
    )
    weight = (1 / dist[a]) / total(1 / dist[i], i)
    for words, meaning in (("Above all rewards", OPTIMISTIC), ("Below all rewards", PESSIMISTIC)):
        both = {**meaning, **AT_FIXED_POINT}
        proof.greater(
            f"{words} both factors have one sign, so each entry is positive,",
            pi_star[a],
            0,
            weight,
            where=both,
        )
        proof.equal("and the entries sum to one.", total(pi_star[c]), 1, where=both)
    return proof


@derivation("value-at-pi-star-harmonic")
def value() -> Proof:
    """J(π*) = b - k (Σ 1/(b - r_a))⁻¹.

    Beyond the paper's line 194. It lies between the mean and the maximum of the rewards, as a
    harmonic mean is at most the arithmetic one.
    """
    meaning = {**OPTIMISTIC, **AT_FIXED_POINT, pi: fixed_point}
    proof = Proof(
        "the value at π* is b less the harmonic mean of b - r",
        OPTIMISTIC_DOMAIN,
        Signs(positive=(dist,)),
        where=meaning,
    )
    proof.equal(
        "Each π*_a (r_a - b) is κ, so their sum is k κ.",
        total(pi_star[c] * (r[c] - b)),
        k / total(1 / (r[i] - b), i),
    )
    return proof.equal(
        "That sum is the value less b.", total(pi_star[c] * r[c]), b - k / total(1 / (b - r[i]), i)
    )
