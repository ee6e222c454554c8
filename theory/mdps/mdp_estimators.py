"""Section 5: the gradient of the action likelihood in its several forms, and both estimators'
expectations for MDPs.

In one state, with one parameter w: θ'_a = ∂[θ(s)]_a/∂w is whatever the function approximator gives,
and π'_a = ∂π(a|s)/∂w.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Symbol, exp

from altpg_verify.theory.mdps.occupancy import MDP, over_states
from altpg_verify.theory.mdps.policy_gradient import policy_gradient_theorem
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.indicators import delta_a, indicating
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    R,
    a,
    c,
    equation,
    i,
    j,
    pi,
    r,
    softmax,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

IN_A_STATE = (
    "every number of actions, every preferences θ(s), every action values q(s, ·); one state"
)
SOFTMAX_MDP = (
    MDP + "; the policy a softmax of preferences θ(s) that are differentiable in w; one entry of w"
)
q = IndexedBase("Q")
"""q(s, a), or any other action values: they are held while the policy is differentiated."""
v, eps, m = Symbol("v"), Symbol("epsilon"), Symbol("m")
preference_slope, policy_slope = IndexedBase("theta^'"), IndexedBase("pi^'")
ADVANTAGE = v - total(pi[m] * q[m], m)
"""Is zero: v(s) is the mean action value."""


def score(action: Symbol) -> Expr:
    """∂log π(a|s)/∂w = θ'_a - Σ_m π_m θ'_m, where m is no index of the softmax.

    m is an index of its own, so that the expression may be put into sums over i and j.
    """
    return preference_slope[action] - total(pi[m] * preference_slope[m], m)


SLOPE = {policy_slope: lambda action: pi[action] * score(action)}
"""π' written out."""
OF_A = indicating({delta_a: a})


def likelihood_proof(summary: str) -> Proof:
    """An empty proof about entry a of ∇_θ π(·|s) q(s, ·), π written out in θ.

    For entry a of a vector over actions, δ^a_c = 1{c = a} stands for e_a.
    """
    return Proof(summary, IN_A_STATE, where={**SOFTMAX, **OF_A})


LIKELIHOOD = Partial(total(pi[i] * q[i], i), theta[a])
"""Entry a of ∇_θ π(·|s) q(s, ·): the derivative of Σ π q with q held."""
UNIT = (
    "δ^a_c is 1 for c = a and else 0. Entry a of the left side is the derivative of Σ π q with q"
    " held;"
)


@derivation(
    "likelihood-gradient-by-jacobian",
    "likelihood-gradient-expanded",
    "likelihood-gradient-elementwise",
)
def likelihood_by_jacobian() -> Proof:
    """Σ_c (δ^a_c - π_a) π_c q_c = π_a q_a - π_a Σ_c π_c q_c.

    Section 5, lines 232 to 234 (eq. mdp_vector_grad_softmax_mid): section 3 with q(s, ·) in the
    place of r, in one state.
    """
    proof = likelihood_proof(
        "∇π q = (I - π 1ᵀ) diag(π) q = diag(π) q - π 1ᵀ diag(π) q = π ∘ q - π πᵀ q"
    ).note(UNIT)
    proof.equal(
        "row a of (I - π 1ᵀ) times diag(π) q,",
        LIKELIHOOD,
        total((delta_a[c] - pi[a]) * (pi[c] * q[c])),
    )
    expanded = total(delta_a[c] * pi[c] * q[c]) - pi[a] * total(pi[c] * q[c])
    proof.equal(
        "multiplied out: row a of diag(π) q less π_a times 1ᵀ diag(π) q,", LIKELIHOOD, expanded
    )
    return proof.equal(
        "where the diagonal leaves the elementwise product.",
        LIKELIHOOD,
        pi[a] * q[a] - pi[a] * total(pi[c] * q[c]),
    )


@derivation(
    "likelihood-gradient-swapped", "likelihood-gradient-factored", "likelihood-gradient-as-score"
)
def likelihood_as_score() -> Proof:
    """Σ_c (δ^a_c q_c - π_a q_c) π_c = Σ_c π_c q_c (δ^a_c - π_a).

    Section 5, lines 235 to 237 (eq. mdp_primary_vector_grad_softmax): the form of which the regular
    estimator is one sample.
    """
    proof = likelihood_proof(
        "∇π q = diag(q) π - π qᵀ π = [diag(q) - π qᵀ] π = Σ_c π(c) q(c) (e_c - π)"
    ).note(UNIT)
    proof.equal(
        "row a of diag(q) π less π_a times qᵀ π,",
        LIKELIHOOD,
        total(delta_a[c] * q[c] * pi[c]) - pi[a] * total(q[c] * pi[c]),
    )
    proof.equal(
        "row a of diag(q) - π qᵀ, times π,",
        LIKELIHOOD,
        total((delta_a[c] * q[c] - pi[a] * q[c]) * pi[c]),
    )
    return proof.equal(
        "and entry a of the mean of q (e_A - π).",
        LIKELIHOOD,
        total(pi[c] * q[c] * (delta_a[c] - pi[a])),
    )


@derivation(
    "likelihood-gradient-as-difference",
    "likelihood-gradient-with-value",
    "likelihood-gradient-as-advantage",
)
def likelihood_as_advantage() -> Proof:
    """Σ_c (δ^a_c q_c - v δ^a_c) π_c = Σ_c π_c (q_c - v) δ^a_c.

    Section 5, lines 256 to 258 (eq. mdp_alternate_vector_grad_softmax): the form of which the
    alternate estimator is one sample; here v must be the mean of q.
    """
    proof = likelihood_proof(
        "∇π q = diag(q) π - (πᵀ q) π = [diag(q) - v I] π = Σ_c π(c) (q(c) - v) e_c"
    ).note(UNIT)
    proof.equal(
        "row a of diag(q) π less the number πᵀ q times π_a,",
        LIKELIHOOD,
        total(delta_a[c] * q[c] * pi[c]) - total(pi[c] * q[c]) * pi[a],
    )
    proof.note("With v = πᵀ q,", equation(v, total(pi[c] * q[c])))
    proof.equal(
        "row a of diag(q) - v I, times π,",
        LIKELIHOOD,
        total((delta_a[c] * q[c] - v * delta_a[c]) * pi[c]),
        given=[ADVANTAGE],
    )
    return proof.equal(
        "and entry a of the mean of (q - v) e_A.",
        LIKELIHOOD,
        total(pi[c] * (q[c] - v) * delta_a[c]),
        given=[ADVANTAGE],
    )


@derivation("value-is-mean-action-value")
def value_is_mean() -> Proof:
    """E[G] = Σ_a π_a E[G | A = a].

    Section 5, line 260: the tower rule over the action.
    """
    proof = Proof(
        "v(s) = Σ_a π(a|s) q(s, a) = πᵀ q",
        IN_A_STATE + "; every law of the return with mean q(s, a)",
        where=ON_POLICY,
    )
    proof.note(
        "Let R be the return from state s, and r_c = q(s, c) its mean if the action c is taken."
        " Condition on the action."
    )
    return proof.equal(
        "Its mean is v(s), a sum over actions: a scalar product.", E(R), total(pi[c] * r[c])
    )


def policy_slope_lines(proof: Proof) -> Proof:
    """π'_a = π_a (θ'_a - Σ_j π_j θ'_j), by the quotient rule and by the chain rule.

    The quotient rule is checked by multiplying out with ε² = 0; π′ for any differentiable
    preferences.
    """
    proof.note(
        "With θ_j + ε θ'_j + o(ε) for the preferences at w + ε, e^θ_j is, up to o(ε),",
        exp(theta[j]) * (1 + eps * preference_slope[j]),
    )
    # the normaliser at w + ε, up to o(ε)
    sum_moved = total(exp(theta[i]) * (1 + eps * preference_slope[i]), i)
    proof.equal(
        "With the derivative π'_a of the quotient the probability times the normaliser at w + ε is"
        " the exponential there, up to o(ε):",
        (softmax(a) + eps * policy_slope[a]) * sum_moved,
        exp(theta[a]) * (1 + eps * preference_slope[a]),
        given=[eps**2],
        where={**SOFTMAX, **SLOPE},
    )
    proof.note(
        "So this is the derivative of the policy.", equation(policy_slope[a], pi[a] * score(a))
    )
    # the chain rule through all preferences of the state
    jacobian = total(preference_slope[i] * pi[a] * (delta_a[i] - pi[i]), i)
    proof.equal(
        "It is the row of ∇θ(s) times the softmax Jacobian, with δ^a_i = 1 for i = a and else 0;",
        policy_slope[a],
        jacobian,
        where={**SLOPE, **OF_A},
    )
    proof.equal(
        "that is the Jacobian off the diagonal",
        Partial(pi[a], theta[c]),
        -pi[a] * pi[c],
        where=SOFTMAX,
    )
    return proof.equal(
        "and on the diagonal,", Partial(pi[a], theta[a]), pi[a] * (1 - pi[a]), where=SOFTMAX
    )


@derivation("policy-chain-rule")
def policy_chain_rule() -> Proof:
    """∂π_a/∂w = Σ_c ∂θ_c/∂w ∂π_a/∂θ_c.

    Section 5, line 224: the layout [∇_w θ(s)] is (parameters, actions), as in appendix A.1.
    """
    return policy_slope_lines(Proof("∇_w π(·|s) = [∇_w θ(s)] [∇_θ π(·|s)]", SOFTMAX_MDP))


def gradient_proof(summary: str) -> Proof:
    """The policy gradient theorem, with the slope of the policy to be written out in what
    follows.

    What follows only has to rewrite u(s), the part of one state.
    """
    proof = Proof(summary, SOFTMAX_MDP, Signs(positive=(pi,)), where=SLOPE)
    proof.note("The policy gradient theorem.").include(policy_gradient_theorem.proof())
    return proof.note(
        "Its u(s) is Σ_a π'_a q_a with the slope of the policy:",
        equation(policy_slope[a], pi[a] * score(a)),
    )


IN_STATE = total(policy_slope[i] * q[i], i)
"""u(s) of the policy gradient theorem."""


@derivation("policy-gradient-in-vectors")
def in_vectors() -> Proof:
    """Σ_a ∂π(a|s)/∂w_i q(s, a) is row i of ∇π(·|s) times q(s, ·).

    Section 5, line 227: ∇π(·|s) is (parameters, actions), q(s, ·) a column.
    """
    row = IndexedBase("G")
    proof = Proof("∇J = Σ_s ν(s) ∇π(·|s) q(s, ·)", MDP)
    proof.note("The policy gradient theorem.").include(policy_gradient_theorem.proof())
    proof.note(
        "Let G be row i of the matrix ∇π(·|s): its columns are the gradients of the probabilities.",
        equation(row[a], policy_slope[a]),
    )
    each = Given(row[i] - policy_slope[i], each=i, weight=q[i])
    proof.equal(
        "Row times column is the sum over the actions.",
        IN_STATE,
        total(row[i] * q[i], i),
        given=[each],
    )
    return over_states(proof)


@derivation("policy-gradient-separated")
def separated() -> Proof:
    """Σ_a π'_a q_a = Σ_c θ'_c [∇_θ π q]_c.

    Eq. explicit_pg_matrix_vec, line 228: the function approximator's part and the softmax's part.
    """
    proof = gradient_proof("∇J = Σ_s ν(s) [∇_w θ(s)] ∇_θ π(·|s) q(s, ·)")
    proof.equal(
        "The likelihood's gradient has the entries",
        LIKELIHOOD,
        pi[a] * (q[a] - total(pi[i] * q[i], i)),
        where=SOFTMAX,
    )
    # the likelihood's gradient, entry by entry, times the slopes of the preferences
    separate = total(preference_slope[i] * (pi[i] * (q[i] - total(pi[j] * q[j], j))), i)
    proof.equal("and with it the preferences' slopes give the same sum.", IN_STATE, separate)
    return over_states(policy_slope_lines(proof))


@derivation("mdp-gradient-as-score-sum", "mdp-regular-estimator-unbiased")
def regular_unbiased() -> Proof:
    """Σ_a π_a (θ'_a - Σ π θ') (q_a - v) = Σ_a π'_a q_a.

    Section 5, lines 241 and 242. Any v that doesn't depend on the action would do, in each state.
    """
    proof = gradient_proof("∇J = Σ_s ν(s) Σ_a π(a|s) ∇θ(s) (e_a - π) q(s, a) = E[g_REG(S, A)]")
    in_vector = total(preference_slope[i] * (delta_a[i] - pi[i]), i)
    proof.equal("The row of ∇θ(s) times e_a - π is the score.", in_vector, score(a), where=OF_A)
    proof.equal("So in each state", IN_STATE, total(pi[i] * score(i) * q[i], i))
    proof.note(
        "The score has mean zero, so an action-independent v may be subtracted; the expectation is"
        " the sum with weights ν and π."
    )
    proof.equal(
        "Hence the regular estimator's mean in each state.",
        IN_STATE,
        total(pi[i] * score(i) * (q[i] - v), i),
        given=[SIMPLEX],
    )
    return over_states(policy_slope_lines(proof))


@derivation("mdp-gradient-as-advantage-sum", "mdp-alternate-estimator-unbiased")
def alternate_unbiased() -> Proof:
    """Σ_a π_a θ'_a (q_a - v) = Σ_a π'_a q_a with v = Σ π q.

    Eq. mdp_alternate_stochastic_loss, line 263. A direction of ascent: minus the gradient of the
    loss −[θ(s)]_a h(s, a), with h held, which automatic differentiation minimises.
    """
    proof = gradient_proof(
        "∇J = Σ_s ν(s) Σ_a π(a|s) ∇θ(s) e_a h(s, a) = E[g_ALT(S, A)] with h = q - v"
    )
    proof.equal(
        "The row of ∇θ(s) times e_a is θ'_a.",
        total(preference_slope[i] * delta_a[i], i),
        preference_slope[a],
        where=OF_A,
    )
    right = total(pi[i] * preference_slope[i] * (q[i] - v), i)
    proof.equal("With v = Σ π q, in each state", IN_STATE, right, given=[ADVANTAGE])
    return over_states(policy_slope_lines(proof))


@derivation("mdp-estimators-equal-in-expectation")
def equal_in_expectation() -> Proof:
    """Σ π (θ'_a - Σ π θ') h_a = Σ π θ'_a h_a, for h has mean zero.

    Section 5, line 265: the difference, h times the mean slope Σ π θ′, has the mean zero, as h has.
    """
    proof = Proof("E[g_REG] = E[g_ALT], state by state", SOFTMAX_MDP)
    proof.equal(
        "The advantage has mean zero.", total(pi[i] * (q[i] - v), i), 0, given=[SIMPLEX, ADVANTAGE]
    )
    regular = total(pi[i] * score(i) * (q[i] - v), i)
    alternate = total(pi[i] * preference_slope[i] * (q[i] - v), i)
    proof.equal(
        "So what the normaliser adds to each sample has mean zero.",
        regular,
        alternate,
        given=[SIMPLEX, ADVANTAGE],
    )
    return over_states(proof)


@derivation("mdp-estimators-differ-per-sample")
def differ_per_sample() -> Proof:
    """g_REG - g_ALT = -h Σ π θ', which is -h π_a for a table's own entry.

    Section 5, line 265: equal means, different samples, hence different variances.
    """
    height = Symbol("h")
    proof = Proof(
        "the estimates differ by h(S, A) Σ_a π(a|S) ∇θ_a: with a table of preferences, whenever"
        " h(S, A) isn't zero",
        SOFTMAX_MDP,
    )
    mean = total(pi[m] * preference_slope[m], m)
    proof.note("Let c be the action taken and h its advantage.")
    proof.equal(
        "The estimates differ by", height * score(c) - height * preference_slope[c], -height * mean
    )
    proof.note(
        "In a table each preference is a parameter of its own: for that of action a in this state,"
        " θ'_i is 1 for i = a and else 0."
    )
    proof.equal("Then the mean slope is", total(pi[i] * delta_a[i], i), pi[a], where=OF_A)
    proof.signs = Signs(positive=(pi,), nonzero=(height,))
    return proof.greater(
        "and the difference isn't zero, for its square is positive.",
        (height * pi[a]) ** 2,
        0,
        (height * pi[a]) ** 2,
    )


@derivation("alternate-drops-normalizer")
def drops_normalizer() -> Proof:
    """∂ log e^θ_a/∂w = θ'_a, and with the normaliser θ'_a - Σ π θ'.

    Section 5, line 265: the alternate estimator is the log-likelihood's gradient without the
    normaliser of the softmax.
    """
    proof = Proof(
        "∇log(e^θ_A / 1) = ∇θ_A, while ∇log(e^θ_A / Σ e^θ) = ∇θ_A - Σ_a π(a) ∇θ_a", SOFTMAX_MDP
    )
    logarithm = "A logarithm's derivative is that of its argument over the argument."
    proof.note(logarithm).equal(
        "Without the normaliser: for θ_a itself,",
        Partial(exp(theta[a]), theta[a]) / exp(theta[a]),
        1,
    )
    proof.equal("and for another preference.", Partial(exp(theta[a]), theta[c]) / exp(theta[a]), 0)
    proof.equal(
        "So the chain rule leaves θ'_a, as in the alternate estimator.",
        total(preference_slope[i] * delta_a[i], i),
        preference_slope[a],
        where=OF_A,
    )
    normalizer = total(exp(theta[j]), j)
    proof.equal(
        "With the normaliser one subtracts its part,",
        Partial(normalizer, theta[a]) / normalizer,
        pi[a],
        where=SOFTMAX,
    )
    chained = total(preference_slope[i] * (delta_a[i] - pi[i]), i)
    return proof.equal(
        "so that the chain rule gives the score, the regular estimator's factor.",
        chained,
        score(a),
        where=OF_A,
    )
