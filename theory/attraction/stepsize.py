"""The paper's bound on the stepsize for an optimistic baseline, its algebra, and what follows from
it.
"""

from __future__ import annotations

from sympy import log, symbols

from altpg_verify.theory.attraction.inequalities import below_harmonic, optimistic_proof
from altpg_verify.theory.attraction.kl import HARMONIC, Z, divergence_change, log_Z
from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC, OPTIMISTIC_DOMAIN, dist
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import alpha, b, c, equation, pi, r, total, zeta
from altpg_verify.theory.proving.proof import Proof, derivation

rho, A, w = symbols("rho A w")
KAPPA_VALUE = 1 / total(1 / (r[c] - b))
SECOND = total(pi[c] ** 2 * (r[c] - b))
A_IS = A - KAPPA_VALUE + SECOND
"""Is zero: A = (Σ 1/(r - b))⁻¹ - Σ π² (r - b)."""
BOUND = (alpha * rho) ** 2 / 8 + alpha * SECOND
"""(u - l)²/8 + Σ π² ζ, with u - l = α ρ and ζ = α (r - b)."""


def _bound_proof(summary: str) -> Proof:
    proof = Proof(
        summary,
        OPTIMISTIC_DOMAIN + "; every interior policy other than π*",
        Signs(positive=(alpha, rho, A, w, dist)),
        where=OPTIMISTIC,
    )
    proof.note(
        "Write ζ = α (r - b) and u - l = α ρ, with ρ = max π (r - b) - min π (r - b); it is zero"
        " only at π*."
    )
    zetas = {**OPTIMISTIC, zeta: lambda action: alpha * (r[action] - b)}
    proof.equal(
        "The harmonic term is proportional to α.", HARMONIC, alpha * KAPPA_VALUE, where=zetas
    )
    return proof.note(
        "Let A be the difference that Cauchy-Schwarz makes positive.",
        equation(A, KAPPA_VALUE - SECOND),
    )


@derivation("stepsize-bound")
def stepsize_bound() -> Proof:
    """ακ - BOUND = α (8 A - α ρ²)/8.

    Eq. upper_bound_alpha_fixed_pt_attractor, line 814: the condition is quadratic in α with the
    root α = 0, so dividing by α leaves a linear one.
    """
    proof = _bound_proof("the condition holds exactly for 0 < α < 8 A / ρ², the paper's bound")
    proof.equal(
        "The two sides differ by a multiple of 8 A - α ρ².",
        alpha * KAPPA_VALUE - BOUND,
        alpha * (8 * A - alpha * rho**2) / 8,
        given=[A_IS],
    )
    givens = [A_IS, w - 8 * A + alpha * rho**2]
    return proof.greater(
        "With w = 8 A - α ρ² > 0, that is α < 8 A / ρ², it holds.",
        alpha * KAPPA_VALUE,
        BOUND,
        alpha * w / 8,
        given=givens,
    )


@derivation("stepsize-exists")
def stepsize_exists() -> Proof:
    """α = 4 A / ρ² does.

    Eq. condition_alpha_biased_fixed_pt, line 807: half of the bound, for which the gap is the
    largest.
    """
    proof = _bound_proof(
        "the condition holds for α = 4 A / ρ², for one; A > 0 is the Cauchy-Schwarz difference"
    )
    proof.include(below_harmonic(optimistic_proof("A is positive")))
    return proof.greater(
        "At α = 4 A / ρ² it holds.",
        alpha * KAPPA_VALUE,
        BOUND,
        2 * A**2 / rho**2,
        given=[A_IS, alpha - 4 * A / rho**2],
    )


@derivation("optimistic-descent-under-condition")
def descent_under_condition() -> Proof:
    """log Z <= B < H makes the divergence fall.

    Appendix B.3, line 809: joins the upper bound on log Z with the condition on α.
    """
    proof = divergence_change("if log Z <= B < (Σ 1/ζ)⁻¹ the divergence falls", OPTIMISTIC_DOMAIN)
    B, first, second = symbols("B s_1 s_2")
    proof.note("Let B be the upper bound, s_1 = B - log Z >= 0 and s_2 = (Σ 1/ζ)⁻¹ - B > 0.")
    proof.signs = Signs(positive=(second,), nonnegative=(first,))
    givens = [first - B + log_Z, second - HARMONIC + B]
    proof.given = []
    return proof.greater(
        "The change is then negative.", 0, log(Z) - HARMONIC, first + second, given=givens
    )
