"""The inequalities of the paper's own proof of theorem 1: Cauchy-Schwarz as a sum of squares,
Jensen as e^y >= 1 + y, Hoeffding's bound.
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol, exp, log, sqrt, symbols

from altpg_verify.theory.attraction.kl import (
    ANY_STEP,
    H_IS_HARMONIC,
    HARMONIC,
    NAMED,
    TANGENT,
    H,
    T,
    Z,
    off_fixed_point,
    size,
    slack,
    t,
)
from altpg_verify.theory.attraction.mgf import chord, two_points
from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC_DOMAIN, PESSIMISTIC_DOMAIN
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    a,
    alpha,
    b,
    c,
    equation,
    j,
    pi,
    pi_star,
    r,
    total,
    zeta,
)
from altpg_verify.theory.proving.proof import Proof, derivation

SECOND_MOMENT = total(pi[c] ** 2 * zeta[c])
"""Σ_c π_c² ζ_c."""
FLIPPED = {**NAMED, zeta: lambda action: -size[action]}
"""ζ_c = -z_c with z_c positive."""


def _signs(summary: str, sign: int, domain: str) -> Proof:
    distance = Symbol("d")
    proof = Proof(
        summary,
        domain + ", α > 0",
        Signs(positive=(alpha, distance)),
        given=[distance - sign * (r[a] - b)],
    )
    proof.note(
        "Let d be the distance of r_a from the baseline, positive.",
        equation(distance, sign * (r[a] - b)),
    )
    if sign > 0:
        return proof.greater("Then ζ_a is positive.", alpha * (r[a] - b), 0, alpha * distance)
    return proof.greater("Then ζ_a is negative.", 0, alpha * (r[a] - b), alpha * distance)


@derivation("zeta-positive-if-pessimistic")
def zeta_positive() -> Proof:
    """α > 0 and b < r_a make ζ_a > 0.

    Appendix B.3, line 785; ζ_a = α (r_a − b) is the step of θ_a over its probability.
    """
    return _signs("with a pessimistic baseline every ζ(a) is positive", 1, PESSIMISTIC_DOMAIN)


@derivation("zeta-negative-if-optimistic")
def zeta_negative() -> Proof:
    """α > 0 and b > r_a make ζ_a < 0.

    Appendix B.3, line 799; the negative sign turns around each inequality that is divided by a ζ.
    """
    return _signs("with an optimistic baseline every ζ(a) is negative", -1, OPTIMISTIC_DOMAIN)


def _pessimistic(summary: str) -> Proof:
    signs = Signs(positive=(zeta, pi, H), nonnegative=(T, slack), nonzero=(t,))
    proof = Proof(
        summary,
        PESSIMISTIC_DOMAIN + "; every interior policy other than π*",
        signs,
        where=NAMED,
        given=[SIMPLEX, H_IS_HARMONIC],
    )
    return proof.note(
        "Write H = (Σ_c 1/ζ_c)⁻¹ and π*_a = H/ζ_a.", equation(pi_star[a], H / zeta[a])
    )


@derivation("cauchy-schwarz-pessimistic")
def cauchy_schwarz() -> Proof:
    """(Σ π² ζ)(Σ 1/ζ) - 1 = Σ 1/ζ · Σ ζ (π - π*)² > 0.

    Appendix B.3, line 787. The paper cites Cauchy-Schwarz; here the difference is written as a sum
    of squares, which also shows that equality holds at π* alone.
    """
    proof = _pessimistic(
        "(Σ π² ζ) (Σ 1/ζ) > (Σ π √ζ / √ζ)² = 1, the difference being Σ 1/ζ times Σ ζ (π - π*)²"
    )
    proof.equal(
        "The right side is the square of Σ π.",
        total(pi[c] * sqrt(zeta[c]) * (1 / sqrt(zeta[c]))) ** 2,
        1,
    )
    # the second factor of Cauchy-Schwarz
    inverses = total(1 / zeta[c])
    squares = total(zeta[c] * (pi[c] - pi_star[c]) ** 2)
    proof.equal(
        "The difference is a sum of squares, by π*_c = H/ζ_c.",
        SECOND_MOMENT * inverses - 1,
        inverses * squares,
    )
    givens = off_fixed_point(proof, zeta)
    return proof.greater(
        "It is positive.",
        SECOND_MOMENT * inverses,
        1,
        inverses * (zeta[a] * t**2 + T),
        given=givens,
    )


@derivation("second-moment-exceeds-harmonic")
def exceeds_harmonic() -> Proof:
    """Σ π² ζ - (Σ 1/ζ)⁻¹ = Σ ζ (π - π*)² > 0.

    Appendix B.3, line 788: the line above divided by Σ 1/ζ > 0.
    """
    return _exceeds_harmonic(_pessimistic("Σ π² ζ > (Σ 1/ζ)⁻¹, the difference being Σ ζ (π - π*)²"))


def _exceeds_harmonic(proof: Proof) -> Proof:
    proof.equal(
        "The difference is a sum of squares.",
        SECOND_MOMENT - HARMONIC,
        total(zeta[c] * (pi[c] - pi_star[c]) ** 2),
    )
    givens = off_fixed_point(proof, zeta)
    return proof.greater(
        "It is positive.", SECOND_MOMENT, HARMONIC, zeta[a] * t**2 + T, given=givens
    )


X = IndexedBase("X")
"""π_a ζ_a, as the values of a random variable."""
rho = Symbol("rho")
CONSTANT_PRODUCT = [Given(pi[j] * zeta[j] - rho, each=j, weight=1 / zeta[j]), pi[a] * zeta[a] - rho]
"""π_a ζ_a = ρ for every action."""


@derivation("constant-product-implies-fixed-point", "equality-only-at-constant-ratio-corrected")
def constant_product() -> Proof:
    """π ζ = ρ makes ρ = H and π = π*.

    Appendix B.3, line 790, corrected: equality in Cauchy-Schwarz needs π √ζ proportional to 1/√ζ,
    that is π ζ constant, where the source has a constant ratio.
    """
    proof = _pessimistic("π(a) ζ(a) is the same number ρ for all actions only at π*")
    proof.equal("Divide by ζ_j and sum: ρ Σ 1/ζ = 1, so", rho, HARMONIC, given=CONSTANT_PRODUCT)
    return proof.equal("Then π is π*.", pi[a], pi_star[a], given=CONSTANT_PRODUCT)


m, positive_part = symbols("m S")


def _jensen(proof: Proof) -> Proof:
    """Z e^(-m) = 1 + Σ π s with m = Σ π² ζ."""
    proof.note(
        "Let m = Σ_c π_c² ζ_c and, by the inequality e^y >= 1 + y, s_c = e^(π_c ζ_c - m) - 1 - (π_c"
        " ζ_c - m) >= 0."
    )
    left = total(pi[c] * exp(pi[c] * zeta[c] - m))
    proof.at_least(
        "The mean of e^(π ζ - m) is at least one.",
        left,
        1,
        total(pi[c] * slack[c]),
        where=TANGENT,
        given=[m - total(pi[j] ** 2 * zeta[j], j)],
    )
    return proof.note("It is Z e^(-m); taking logarithms, log Z >= m.", log(Z))


@derivation("jensen-step")
def jensen() -> Proof:
    """log Z > Σ π² ζ.

    Appendix B.3, line 792. The only property of exp that is used is e^y ≥ 1 + y, with equality at
    zero alone; s_c names the slack.
    """
    proof = _jensen(_pessimistic("log Σ π e^(π ζ) > Σ π² ζ"))
    proof.equal(
        "On the right the logarithm undoes the exponential.",
        total(pi[c] * log(exp(pi[c] * zeta[c]))),
        SECOND_MOMENT,
    )
    return _jensen_strict(proof)


def _jensen_strict(proof: Proof) -> Proof:
    rest = Symbol("rest")
    proof.note(
        "e^y = 1 + y at y = 0 alone, and π ζ is not constant off π*; so s_a is positive for some a."
        " With rest >= 0 from the others,"
    )
    proof.signs = Signs(positive=(zeta, pi, H, slack), nonnegative=(rest,))
    givens = [rest + pi[a] * slack[a] - total(pi[j] * slack[j], j)]
    return proof.greater(
        "the inequality is strict.",
        total(pi[c] * slack[c]),
        0,
        pi[a] * slack[a] + rest,
        given=givens,
    )


@derivation("log-term-exceeds-harmonic")
def log_exceeds_harmonic() -> Proof:
    """log Z > Σ π² ζ > (Σ 1/ζ)⁻¹.

    Appendix B.3, line 792, the whole chain: with `kl_relation`, the divergence from π* grows.
    """
    return _exceeds_harmonic(_jensen(_pessimistic("log Σ π e^(π ζ) > Σ π² ζ > (Σ 1/ζ)⁻¹")))


def optimistic_proof(summary: str) -> Proof:
    """An empty proof about ζ < 0.

    Signs belong to letters, so −ζ gets one that is positive.
    """
    signs = Signs(positive=(size, pi), nonnegative=(T,), nonzero=(t, H))
    proof = Proof(
        summary,
        OPTIMISTIC_DOMAIN + "; every interior policy other than π*",
        signs,
        where=FLIPPED,
        given=[SIMPLEX, H_IS_HARMONIC],
    )
    return proof.note("Write z_c = -ζ_c > 0.", equation(size[c], -zeta[c]))


@derivation("cauchy-schwarz-optimistic")
def cauchy_schwarz_optimistic() -> Proof:
    """(Σ 1/ζ)⁻¹ - Σ π² ζ = Σ |ζ| (π - π*)² > 0.

    Appendix B.3, line 807: the same sum of squares, with the opposite sign.
    """
    return below_harmonic(
        optimistic_proof("Σ π² ζ < (Σ 1/ζ)⁻¹ for negative ζ, the difference being Σ |ζ| (π - π*)²")
    )


def below_harmonic(proof: Proof) -> Proof:
    """The lines of Σ π² ζ < (Σ 1/ζ)⁻¹.

    Appended to a proof from `optimistic_proof`; what makes the paper's bound on α positive.
    """
    proof.equal(
        "The difference is a sum of squares.",
        HARMONIC - SECOND_MOMENT,
        total(size[c] * (pi[c] - pi_star[c]) ** 2),
    )
    givens = off_fixed_point(proof, size)
    return proof.greater(
        "It is positive.", HARMONIC, SECOND_MOMENT, size[a] * t**2 + T, given=givens
    )


@derivation("bounded-variable-range")
def variable_range() -> Proof:
    """α min π (r - b) <= α π_c (r_c - b) <= α max π (r - b).

    Appendix B.3, line 799: the ends l and u of the bounded variable, proportional to α.
    """
    least, most, over, under = symbols("least most over under")
    proof = Proof(
        "l <= π(c) ζ(c) <= u for every action",
        ANY_STEP,
        Signs(positive=(alpha,), nonnegative=(over, under)),
    )
    value = pi[c] * (r[c] - b)
    proof.note(
        "Let least and most be the smallest and the largest of π_c (r_c - b); α > 0 keeps their"
        " order."
    )
    proof.at_least(
        "Every value is at least l,",
        alpha * value,
        alpha * least,
        alpha * over,
        given=[over - value + least],
    )
    return proof.at_least(
        "and at most u.", alpha * most, alpha * value, alpha * under, given=[under - most + value]
    )


@derivation("log-term-upper-bound")
def log_upper_bound() -> Proof:
    """log Z <= (u - l)²/8 + Σ π² ζ.

    Eq. fixed_point_upper_bound_log, line 801: the lemma on the moment generating function for X = π
    ζ.
    """
    proof = Proof("log Σ π e^(π ζ) <= (u - l)²/8 + Σ π² ζ", ANY_STEP)
    proof.note(
        "Z is the mean of e^X for X = π ζ, whose mean is Σ π² ζ; so it is the lemma's bound, with X"
        " between l and u."
    )
    proof.equal(
        "The mean of X.",
        total(pi[c] * X[c]),
        SECOND_MOMENT,
        where={X: lambda action: pi[action] * zeta[action]},
    )
    return two_points(chord(proof))


@derivation("figure-bounds-bracket-log-term")
def figure_bounds() -> Proof:
    """Σ π² ζ <= log Z <= (u - l)²/8 + Σ π² ζ.

    Fig. fixed_point_nature_proof, line 823: Jensen from below and Hoeffding from above, for either
    sign of ζ.
    """
    proof = Proof(
        "Σ π² ζ <= log Σ π e^(π ζ) <= (u - l)²/8 + Σ π² ζ",
        ANY_STEP,
        Signs(positive=(pi,), nonnegative=(slack,)),
        given=[SIMPLEX],
    )
    _jensen(proof.note("First the lower bound."))
    proof.given = []
    return two_points(chord(proof.note("Then the upper one, with X = π ζ.")))
