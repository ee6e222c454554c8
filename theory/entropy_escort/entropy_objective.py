"""Appendix C.4: the entropy-regularized objective, its values and its gradient.

L_a = log π(a|s), H = -Σ π L, and π' is the policy's derivative in one parameter, whose sum is zero.
"""

from __future__ import annotations

from sympy import IndexedBase, symbols

from altpg_verify.theory.function_approximation.linear_policy import (
    LINEAR,
    OF_C,
    linear_score,
    log_policy_lines,
    x,
)
from altpg_verify.theory.mdps.mdp_estimators import IN_A_STATE, eps
from altpg_verify.theory.mdps.occupancy import MDP, discounted_sum, gamma
from altpg_verify.theory.mdps.policy_gradient import change, q, slope, v
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.indicators import delta_c
from altpg_verify.theory.proving.notation import SIMPLEX, E, R, c, equation, i, j, pi, r, total
from altpg_verify.theory.proving.proof import Proof, derivation

tau, entropy, entropy_slope = symbols("tau H H^'")
L = IndexedBase("L")
ENTROPY = entropy + total(pi[j] * L[j], j)
"""Is zero: H = -Σ π log π."""


@derivation("entropy-objective-is-augmented-reward")
def augmented_reward() -> Proof:
    """Σ_a π (r + τ H) = Σ_a π r + τ H in each state.

    Appendix C.4, line 1042. Entropy of the policy in the state, so that it is the same for all
    actions of the state.
    """
    proof = Proof(
        "the return of the rewards R + τ H(S) has the mean J_ent",
        MDP + "; every τ",
        given=[SIMPLEX],
    )
    proof.note(
        "Term by term γ^t (R_{t+1} + τ H(S_t)) is γ^t times the augmented reward. Its mean in a"
        " state is"
    )
    proof.equal(
        "the mean reward and τ H;",
        total(pi[i] * (r[i] + tau * entropy), i),
        total(pi[i] * r[i], i) + tau * entropy,
    )
    proof.note(
        "call it u(s). The values of the augmented reward solve V = u + γ P V, and the objective is"
    )
    return discounted_sum(proof, IndexedBase("V"), "the sum over the occupancy.")


@derivation("entropy-values-consistent")
def values_consistent() -> Proof:
    """E[G_ent] = Σ_a π_a E[G_ent | A = a].

    Appendix C.4, line 1045: the tower rule; q_ent includes the entropy of the state that it starts
    in.
    """
    proof = Proof(
        "v_ent(s) = Σ_a π(a|s) q_ent(s, a)",
        IN_A_STATE + "; every law of the augmented return",
        where=ON_POLICY,
    )
    proof.note(
        "Let R be the augmented return from state s, and r_c = q_ent(s, c) its mean if c is taken."
        " Condition on the action."
    )
    return proof.equal("Its mean is v_ent(s).", E(R), total(pi[c] * r[c]))


@derivation("entropy-policy-gradient")
def entropy_policy_gradient() -> Proof:
    """Σ μ v'_ent = Σ ν Σ π [(π'/π) (q_ent - v_ent) + τ H'].

    Appendix C.4, line 1050. The policy gradient theorem's proof with τ H in the reward: H depends
    on the parameters itself, hence the additional τ ∇H.
    """
    proof = Proof(
        "∇J_ent = Σ_s ν(s) Σ_a π(a|s) [∇log π(a|s) (q_ent(s, a) - v_ent(s)) + τ ∇H(s)]",
        MDP + "; every τ",
        Signs(positive=(pi,)),
    )
    proof.note(
        "Differentiate v_ent(s) = Σ_a π q_ent and q_ent = r + τ H(s) + γ P v_ent in one parameter."
        " Let y_a be (P v'_ent) after a."
    )
    onward = IndexedBase("y")
    moved = total(
        (pi[i] + eps * change[i]) * (q[i] + eps * (tau * entropy_slope + gamma * onward[i])), i
    )
    # the part of first order in ε
    term = total(change[i] * q[i], i) + total(pi[i] * (tau * entropy_slope + gamma * onward[i]), i)
    proof.equal(
        "By the product rule, up to o(ε),",
        moved,
        total(pi[i] * q[i], i) + eps * term,
        given=[eps**2],
    )
    proof.note("so v'_ent = u + γ P v'_ent with u = Σ π' q_ent + τ H', for Σ π = 1.")
    source = total(change[i] * q[i], i) + tau * entropy_slope
    proof.equal("That is", term, source + gamma * total(pi[i] * onward[i], i), given=[SIMPLEX])
    score = total(pi[i] * ((change[i] / pi[i]) * (q[i] - v) + tau * entropy_slope), i)
    proof.equal(
        "and, as the slopes of the probabilities sum to zero,",
        score,
        source,
        given=[SIMPLEX, total(change[j], j)],
    )
    return discounted_sum(proof, slope, "So the derivative of J_ent = Σ μ v_ent is")


def product_rule_lines(proof: Proof) -> Proof:
    """H' = -Σ π' L - Σ π (π'/π), and the second sum is zero.

    Derivatives are first-order parts in ε with ε² = 0; π′/π is ∇ log π.
    """
    proof.note(
        "At w + ε the probability is π_a + ε π'_a + o(ε), and L_a = log π_a is L_a + ε π'_a/π_a +"
        " o(ε)."
    )
    moved = -total((pi[i] + eps * change[i]) * (L[i] + eps * change[i] / pi[i]), i)
    both = -total(change[i] * L[i], i) - total(pi[i] * (change[i] / pi[i]), i)
    proof.equal(
        "By the product rule, up to o(ε),",
        moved,
        -total(pi[i] * L[i], i) + eps * both,
        given=[eps**2],
    )
    zero = total(change[j], j)
    proof.note("The probabilities sum to one, so their slopes sum to zero.", equation(zero, 0))
    return proof.equal(
        "The second sum is that, so", both, -total(change[i] * L[i], i), given=[zero]
    )


@derivation("entropy-gradient-product-rule")
def product_rule() -> Proof:
    """H' = -Σ π' log π.

    Appendix C.4, line 1055. The second sum is Σ ∇π = 0.
    """
    return product_rule_lines(
        Proof(
            "∇H = -Σ_a ∇π(a) log π(a) - Σ_a π(a) ∇log π(a), and the second sum is zero",
            MDP,
            Signs(positive=(pi,)),
        )
    )


SCORED = total(pi[i] * (delta_c[i] - pi[c]) * L[i], i)
"""Σ_a (e_a - π)_c π_a log π_a."""


def score_lines(proof: Proof) -> Proof:
    """H' = -Σ π (π'/π) L = -x Σ (δ^c_a - π_c) π_a L_a.

    For linear preferences θ(s) = Wᵀ x(s): entry (d, c) of the matrix W, whose score is x_d (1{a =
    c} − π_c).
    """
    product_rule_lines(proof)
    score = IndexedBase("psi")
    where = {change: lambda action: pi[action] * score[action]}
    left = -total(change[i] * L[i], i)
    proof.equal("With ψ = ∇log π = π'/π,", left, -total(pi[i] * score[i] * L[i], i), where=where)
    log_policy_lines(proof.note("For linear preferences entry (d, c) of ∇log π(a|s) is"))
    proof.note("So for feature d and action c, with δ^c_j = 1 for j = c and else 0,")
    linear = -total(pi[i] * linear_score(delta_c[i]) * L[i], i)
    return proof.equal("the slope of the entropy is", linear, -x * SCORED, where=OF_C)


@derivation("entropy-gradient-score")
def entropy_score() -> Proof:
    """-x Σ_a (e_a - π)ᵀ π_a log π_a.

    Appendix C.4, line 1056, entry by entry of the d × k matrix.
    """
    return score_lines(
        entropy_proof("∇_W H = -Σ_a π(a) ∇log π(a) log π(a) = -x Σ_a (e_a - π)ᵀ π(a) log π(a)")
    )


def entropy_proof(summary: str) -> Proof:
    """An empty proof about one entry of ∇_W H."""
    return Proof(summary, LINEAR, Signs(positive=(pi,)))


@derivation("entropy-gradient-split", "entropy-gradient-final")
def entropy_final() -> Proof:
    """-x (π_c log π_c + H π_c).

    Appendix C.4, lines 1057 and 1058: −x [π ∘ (log π + H)]ᵀ, of rank one.
    """
    proof = score_lines(
        entropy_proof(
            "∇_W H = -x [Σ_a e_a π(a) log π(a) - π Σ_a π(a) log π(a)]ᵀ = -x [π ∘ log π + H π]ᵀ"
        )
    )
    split = total(delta_c[i] * pi[i] * L[i], i) - pi[c] * total(pi[i] * L[i], i)
    proof.equal("In entry c, split the sum;", -x * SCORED, -x * split, where=OF_C)
    proof.note("the entropy is", equation(entropy, -total(pi[j] * L[j], j)))
    return proof.equal(
        "so entry (d, c) is",
        -x * split,
        -x * (pi[c] * L[c] + entropy * pi[c]),
        where=OF_C,
        given=[ENTROPY],
    )
