"""Appendix C.3: preferences linear in the features, [θ(s)]_a = w_aᵀ x(s).

One entry at a time: row d and column c of a matrix, that is feature d of action c's weights; x is
that feature's value in the state.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Symbol, symbols

from altpg_verify.theory.mdps.mdp_estimators import (
    ADVANTAGE,
    IN_STATE,
    eps,
    gradient_proof,
    m,
    policy_slope,
    policy_slope_lines,
    preference_slope,
    q,
    v,
)
from altpg_verify.theory.mdps.occupancy import gamma, over_states
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.indicators import delta_a, delta_c, indicating
from altpg_verify.theory.proving.notation import a, c, i, pi, total
from altpg_verify.theory.proving.proof import Proof, derivation

LINEAR = "every number of actions and features, every weights; one state and one entry of W"
x = Symbol("x_d^s")
weights, features, column, stacked = map(IndexedBase, ("w", "x^s", "g", "G"))
OF_C = indicating({delta_c: c})
APART, SAME = indicating({delta_a: a, delta_c: c}), indicating({delta_a: a, delta_c: a})
"""The two cases of actions a and c; for c = a both symbols ask about a."""


def linear_score(entry: int | Expr) -> Expr:
    """θ'_a - Σ π θ' with θ'_j = δ^c_j x, where `entry` is δ^c_a.

    For entry (d, c) of W; θ′_j = x_d if j = c and zero otherwise.
    """
    return entry * x - total(pi[m] * delta_c[m] * x, m)


@derivation("weight-gradient-by-columns")
def by_columns() -> Proof:
    """Column c of ∇_W λ is ∇_{w_c} λ.

    Appendix C.3, line 995: W is (d, k), one column of weights for each action.
    """
    direction = IndexedBase("delta")
    proof = Proof("∇_W λ is made of the columns ∇_{w_c} λ", LINEAR + "; every differentiable λ")
    proof.note(
        "Fix c and let w_c alone move, in the direction δ. G is column c of ∇_W λ, with the entries"
        " ∂λ/∂w_dc, and g is ∇_{w_c} λ."
    )
    each = Given(stacked[i] - column[i], each=i, weight=direction[i])
    left, right = total(direction[i] * stacked[i], i), total(direction[i] * column[i], i)
    return proof.equal("Both give the same directional derivative of λ.", left, right, given=[each])


def preference_lines(proof: Proof) -> Proof:
    """∂(w_aᵀ x)/∂w_dc = 1{c = a} x_d.

    [θ(s)]_a is linear in the weights, so the line holds exactly for every ε, with no o(ε).
    """
    proof.note(
        "The weights of another action than a don't occur in w_aᵀ x, so for c ≠ a its derivative is"
        " zero."
    )
    d = symbols("d")
    moved = (
        total(weights[i] * features[i], i)
        - weights[d] * features[d]
        + (weights[d] + eps) * features[d]
    )
    return proof.equal(
        "With w_d + ε in the place of w_d:",
        moved,
        total(weights[i] * features[i], i) + eps * features[d],
    )


@derivation("preference-weight-gradient", "linear-preference-matrix")
def preference_gradient() -> Proof:
    """∂θ_a/∂w_dc = 1{c = a} x_d, which is entry (d, c) of x e_aᵀ.

    Eq. grad_w_theta_s_a, line 999, and line 1029: what automatic differentiation gives for the
    logit of the action taken.
    """
    proof = preference_lines(
        Proof("∇_{w_c} [θ(s)]_a = 1{c = a} x(s), so ∇_W [θ(s)]_a = x(s) e_aᵀ", LINEAR)
    )
    return proof.note(
        "Entry (d, c) of x e_aᵀ is x_d times entry c of e_a, so column a is x and the others are"
        " zero."
    )


def gradient_lines(summary: str) -> Proof:
    """The four lines of the linear policy gradient, in one state.

    The policy gradient theorem, the softmax's slope and the linear preferences', in this order.
    """
    proof = gradient_proof(summary)
    proof.domain = LINEAR + ", summed over states; every finite episodic MDP"
    general = total(preference_slope[i] * (pi[i] * (q[i] - v)), i)
    proof.equal(
        "With the likelihood's gradient π ∘ (q - v 1), for any preferences,",
        IN_STATE,
        general,
        given=[ADVANTAGE],
    )
    preference_lines(
        proof.note(
            "The slopes of the linear preferences are θ'_j = δ^c_j x, with δ^c_j = 1 for j = c and"
            " else 0."
        )
    )
    third = total(delta_c[i] * x * pi[i] * (q[i] - v), i)
    proof.equal("So only action c is left in the sum.", third, x * pi[c] * (q[c] - v), where=OF_C)
    unfolded = total(pi[i] * (delta_c[i] * x - total(pi[m] * delta_c[m] * x, m)) * q[i], i)
    proof.equal(
        "It is Σ π' q with these slopes.",
        unfolded,
        x * pi[c] * (q[c] - v),
        where=OF_C,
        given=[ADVANTAGE],
    )
    return over_states(policy_slope_lines(proof))


@derivation(
    "linear-gradient-first-line",
    "linear-gradient-second-line",
    "linear-gradient-third-line",
    "linear-gradient-column",
)
def linear_gradient() -> Proof:
    """Σ ν x π_c (q_c - v).

    Appendix C.3, lines 1003 to 1006: (d,), the gradient in the weights of one action.
    """
    return gradient_lines(
        "∇_{w_c} J = Σ_s ν(s) ∇_{w_c} θ(s) (π ∘ (q - v 1)) = Σ_s ν(s) x(s) π(c|s) (q(s, c) - v(s))"
    )


@derivation("linear-gradient-matrix")
def linear_gradient_matrix() -> Proof:
    """Entry (d, c) of Σ ν x (π ∘ (q - v 1))ᵀ.

    Appendix C.3, line 1010: (d, k), a sum of outer products of features and weighted advantages.
    """
    proof = gradient_lines("∇_W J = Σ_s ν(s) x(s) (π ∘ (q - v 1))ᵀ").include(by_columns.proof())
    return proof.note("Column c of x (π ∘ (q - v 1))ᵀ is x times entry c of π ∘ (q - v 1).")


def policy_lines(proof: Proof) -> Proof:
    """∂π_a/∂w_dc = π_a x (1{c = a} - π_c), by the chain rule.

    Two cases, c = a and c ≠ a, as the symbol of an action doesn't tell whether it is another's.
    """
    policy_slope_lines(proof)
    preference_lines(proof.note("Here θ'_j = δ^c_j x, with δ^c_j = 1 for j = c and else 0:"))
    left = total(delta_c[i] * x * (pi[a] * (delta_a[i] - pi[i])), i)
    proof.equal("the chain rule gives, for c ≠ a,", left, pi[a] * x * (0 - pi[c]), where=APART)
    return proof.equal("and for c = a.", left, pi[a] * x * (1 - pi[a]), where=SAME)


@derivation("linear-policy-chain-rule", "linear-policy-gradient")
def linear_policy_gradient() -> Proof:
    """Σ_d 1{c = d} x π_a (1{d = a} - π_d) = π_a x (1{c = a} - π_c).

    Appendix C.3, lines 1014 and 1015: (d,) for each action whose weights move.
    """
    return policy_lines(
        Proof(
            "∇_{w_c} π(a|s) = Σ_d ∇_{w_c} θ_d ∂π(a|s)/∂θ_d = π(a|s) x(s) [1{c = a} - π(c|s)]",
            LINEAR,
        )
    )


def log_policy_lines(proof: Proof) -> Proof:
    """∂log π_a/∂w_dc = x (1{c = a} - π_c).

    Twice: as ∇π/π and as the score, so that both printed ways are covered.
    """
    proof.signs = Signs(positive=(pi,))
    policy_lines(proof)
    slopes = [
        {policy_slope: lambda action, at=at, entry=entry: pi[a] * x * (entry - pi[at])}
        for at, entry in ((c, 0), (a, 1))
    ]
    proof.equal(
        "∇log π is ∇π/π: for c ≠ a,", policy_slope[a] / pi[a], x * (0 - pi[c]), where=slopes[0]
    )
    proof.equal("and for c = a.", policy_slope[a] / pi[a], x * (1 - pi[a]), where=slopes[1])
    proof.equal(
        "So is the score, θ'_a less the mean slope: for c ≠ a,",
        linear_score(0),
        x * (0 - pi[c]),
        where=APART,
    )
    proof.equal("and for c = a.", linear_score(1), x * (1 - pi[a]), where=SAME)
    return proof.note("That is entry (d, c) of x (e_a - π)ᵀ: x_d times entry c of e_a - π.")


@derivation("linear-log-policy-column", "linear-log-policy-matrix")
def linear_log_policy() -> Proof:
    """x (e_a - π)ᵀ.

    Eq. grad_W_log_pi, line 1020: (d, k), of rank one; entries of other actions' columns don't
    vanish.
    """
    return log_policy_lines(
        Proof(
            "∇_{w_c} log π(a|s) = x(s) [1{c = a} - π(c|s)], so ∇_W log π(a|s) = x(s) (e_a - π)ᵀ",
            LINEAR,
        )
    )


g, r, after = symbols("gamma^t r v^'")
ERROR = g * (r + gamma * after - v)
"""γ^t (r + γ v(s') - v(s))."""


@derivation("linear-actor-critic-regular")
def actor_critic_regular() -> Proof:
    """γ^t δ x (e_a - π)ᵀ.

    Appendix C.3, line 1025: one step's update of the whole matrix, cost d k.
    """
    proof = log_policy_lines(
        Proof(
            "the regular actor-critic estimator is γ^t (r + γ v(s') - v(s)) x(s) (e_a - π)ᵀ", LINEAR
        )
    )
    proof.equal(
        "A number before a matrix multiplies every entry: for c ≠ a,",
        linear_score(0) * ERROR,
        ERROR * (x * (0 - pi[c])),
        where=APART,
    )
    return proof.equal(
        "and for c = a.", linear_score(1) * ERROR, ERROR * (x * (1 - pi[a])), where=SAME
    )


@derivation("linear-actor-critic-alternate")
def actor_critic_alternate() -> Proof:
    """γ^t δ x e_aᵀ.

    Appendix C.3, line 1034: only column a differs from zero, so one step costs d.
    """
    proof = preference_lines(
        Proof("the alternate actor-critic estimator is γ^t (r + γ v(s') - v(s)) x(s) e_aᵀ", LINEAR)
    )
    proof.note(
        "∇_W [θ(s)]_a has the entry (d, c) δ^a_c x_d. A number before a matrix multiplies every"
        " entry:"
    )
    entry = total(delta_a[i] * x * ERROR, i)
    return proof.equal(
        "of row d, the sum over the columns is that of column a alone.",
        entry,
        ERROR * x,
        where=indicating({delta_a: a}),
    )
