"""Appendix C.5: the escort transform π(a) = |θ_a|^p / Σ |θ|^p, for every real p >= 1.

m_a = |θ_a|^p and n_a = sgn(θ_a) |θ_a|^(p-1); by the power rule ∂m_a/∂θ_a = p n_a if p > 1 or θ_a
isn't zero. Z = Σ m.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Symbol, symbols

from altpg_verify.theory.function_approximation.linear_policy import (
    APART,
    SAME,
    preference_lines,
    x,
)
from altpg_verify.theory.mdps.mdp_estimators import eps
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.indicators import delta_a, delta_c
from altpg_verify.theory.proving.notation import a, c, equation, i, pi, theta, total
from altpg_verify.theory.proving.proof import Proof, derivation

ESCORT = "every number of actions, every p >= 1, all preferences but all zero"
SMOOTH = ESCORT + "; p > 1 or the preference isn't zero"
AWAY = "every number of actions and features, every p >= 1, no preference zero; one entry of W"
p, Z, top, rest = symbols("p Z t rest")
power, slope = IndexedBase("m"), IndexedBase("n")
NORMALIZER = Z - total(power[i], i)
ESCORT_POLICY = {pi: lambda action: power[action] / Z}


def escort_proof(summary: str, domain: str) -> Proof:
    """An empty proof with the escort policy written out and Z positive.

    Powers of real exponent are letters m and n to the kernel, with the power rule and θ n = m as
    the only facts about them.
    """
    proof = Proof(summary, domain, Signs(positive=(Z,)), where=ESCORT_POLICY)
    return proof.note(
        "m_a = |θ_a|^p and n_a = sgn(θ_a) |θ_a|^(p-1). The sum of the m is positive.",
        equation(Z, total(power[i], i)),
    )


def derivative_lines(proof: Proof) -> Proof:
    """∂π_a/∂θ_d = p/Z [1{a = d} n_a - n_d π_a], by the quotient rule.

    The quotient is checked by multiplying out, (π + ε π′) (Z + ε Z′) = m + ε m′, as the kernel has
    no power rule for real p.
    """
    proof.note("By the power rule ∂|θ_d|^p/∂θ_d = ∂Z/∂θ_d = p n_d. Either d = a, or d = c ≠ a.")
    for at, entry, case in ((c, 0, "For d = c ≠ a:"), (a, 1, "For d = a:")):
        quotient = (entry * p * slope[a] * total(power[i], i) - p * slope[at] * power[a]) / Z**2
        new = (pi[a] + eps * quotient) * (Z + eps * p * slope[at])
        text = (
            f"{case} with the derivative of the quotient the probability times the sum at θ_d + ε"
            " is the power there, up to o(ε):"
        )
        proof.equal(text, new, power[a] + eps * entry * p * slope[a], given=[NORMALIZER, eps**2])
        proof.equal("It simplifies.", quotient, p / Z * bracket(entry, at), given=[NORMALIZER])
    return proof


def bracket(entry: int, at: Symbol) -> Expr:
    """1{a = d} n_a - n_d π_a, with `entry` for the indicator and `at` for d."""
    return entry * slope[a] - slope[at] * pi[a]


@derivation("escort-derivative-quotient-corrected", "escort-derivative-corrected")
def escort_derivative() -> Proof:
    """p/Z [1{a = d} n_a - n_d π_a].

    Appendix C.5, lines 1069 and 1070, corrected by their condition: for p = 1 there is no
    derivative at a preference of zero.
    """
    return derivative_lines(
        escort_proof(
            "∂π(a)/∂θ_d = p/Z [1{a = d} sgn(θ_a) |θ_a|^(p-1) - sgn(θ_d) |θ_d|^(p-1) π(a)]", SMOOTH
        )
    )


@derivation("escort-not-all-zero")
def not_all_zero() -> Proof:
    """With all preferences zero the sum is zero; with one that isn't, it is positive.

    Appendix C.5, line 1067: the one point of ℝ^k that has to be left out.
    """
    proof = Proof(
        "the escort policy is defined exactly if a preference isn't zero",
        "every number of actions, every p >= 1",
    )
    proof.note("0^p = 0 for p >= 1. So if all preferences are zero, all m_a are,")
    proof.equal("and the quotient is 0/0.", total(power[i], i), 0, given=[Given(power[i], each=i)])
    proof.note(
        "If θ_a isn't zero, m_a is some t > 0; the other powers sum to rest >= 0.",
        equation(rest, total(power[i], i) - power[a]),
    )
    proof.signs, given = (
        Signs(positive=(top,), nonnegative=(rest,)),
        [rest + power[a] - total(power[i], i), power[a] - top],
    )
    return proof.greater(
        "Then the sum is positive.", total(power[i], i), 0, top + rest, given=given
    )


@derivation("escort-approaches-greedy")
def approaches_greedy() -> Proof:
    """π_a <= (|θ_a|/|θ_g|)^p -> 0 for each a but the greedy g.

    Appendix C.5, line 1067; greedy is meant for |θ|. With a tie for the largest the limit is
    uniform over the tied actions.
    """
    proof = Proof(
        "as p -> ∞ every action but the one with the largest |θ| loses its probability",
        "every number of actions, every preferences with one largest absolute value",
        Signs(positive=(Z, top), nonnegative=(power, rest)),
        where=ESCORT_POLICY,
    )
    proof.note(
        "Let c have the largest |θ_c|; it isn't zero. The powers of the others sum to rest >= 0.",
        equation(rest, Z - power[c]),
    )
    ratio, given = power[a] / top, [rest + power[c] - Z, power[c] - top]
    proof.at_least(
        "With t = m_c, the probability of another action is at most",
        ratio,
        pi[a],
        power[a] * rest / (top * Z),
        given=given,
    )
    proof.note(
        "which is (|θ_a|/|θ_c|)^p, a number below one to the power p: it tends to 0. A preference"
        " that is zero has probability 0."
    )
    proof.equal("Together the others have the probability", 1 - pi[c], rest / Z, given=given)
    return proof.note("which is the sum of these finitely many, so that of c tends to 1.")


def weight_lines(proof: Proof) -> Proof:
    """∂π_a/∂w_dc = p x/Z [1{a = c} n_a - n_c π_a].

    The chain rule through θ_d = w_dᵀ x: only the column of the action's own preference contributes.
    """
    derivative_lines(proof)
    preference_lines(
        proof.note(
            "For linear preferences the slope of θ_i in w_dc is δ^c_i x_d, with δ^c_i = 1 for i = c"
            " and else 0:"
        )
    )
    # Σ_i ∂θ_i/∂w_dc ∂π_a/∂θ_i
    chain = total(delta_c[i] * x * (p / Z * (delta_a[i] * slope[a] - slope[i] * pi[a])), i)
    proof.equal("the chain rule gives, for c ≠ a,", chain, p * x / Z * bracket(0, c), where=APART)
    return proof.equal("and for c = a.", chain, p * x / Z * bracket(1, a), where=SAME)


@derivation("escort-weight-chain-rule", "escort-weight-gradient")
def weight_gradient() -> Proof:
    """Σ_d 1{c = d} x ∂π_a/∂θ_d.

    Appendix C.5, lines 1075 and 1076: (d,) for each column w_c of W.
    """
    return weight_lines(
        escort_proof("∇_{w_c} π(a) = Σ_d ∇θ_d ∂π(a)/∂θ_d = p x/Z [1{a = c} n_a - n_c π(a)]", AWAY)
    )


@derivation("escort-log-gradient-first", "escort-log-gradient-column", "escort-log-gradient-matrix")
def log_gradient() -> Proof:
    """∂log π_a/∂w_dc = p x [1{a = c}/θ_a - n_c/Z].

    Eq. grad_W_log_pi_escort, line 1082, and the two lines before: it has 1/θ_a in it, so it is
    large where a preference is near zero.
    """
    summary = (
        "∇_{w_c} log π(a) = p x [1{a = c} n_a/m_a - n_c π(a)/m_a] = p x [1{a = c}/θ_a - n_c/Z], and"
        " ∇_W log π(a) has these columns"
    )
    proof = weight_lines(escort_proof(summary, AWAY))
    proof.signs = Signs(positive=(Z, power), nonzero=(theta,))
    proof.note(
        "∇log π is ∇π/π; no preference is zero, so m_a isn't. As sgn(θ)|θ| = θ, θ_a n_a = m_a.",
        equation(theta[a] * slope[a], power[a]),
    )
    whole = [theta[a] * slope[a] - power[a]]
    for at, entry, case in ((c, 0, "For c ≠ a:"), (a, 1, "For c = a:")):
        gradient, first = (
            p * x / Z * bracket(entry, at) / pi[a],
            p * x * (entry * slope[a] / power[a] - slope[at] * pi[a] / power[a]),
        )
        proof.equal(f"{case} divide by π_a = m_a/Z.", gradient, first)
        proof.equal(
            "With the sign,", first, p * x * (entry / theta[a] - slope[at] / Z), given=whole
        )
    return proof.note("That is entry (d, c) of p x [e_a/θ_a - n/Z]ᵀ, where n = sgn(θ) ∘ |θ|^(p-1).")
