"""Appendix C.2: both estimators for PPO and TRPO, whose objectives hold the old policy's values and
occupancy.

o_a is the old policy, π the current one, h the old advantage, χ the indicator of PPO's condition,
and h̃ = χ h.
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Symbol, symbols

from altpg_verify.theory.mdps.mdp_estimators import (
    SLOPE,
    SOFTMAX_MDP,
    eps,
    m,
    policy_slope,
    policy_slope_lines,
    preference_slope,
    q,
    score,
)
from altpg_verify.theory.mdps.occupancy import over_states
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import a, equation, i, kappa, pi, total
from altpg_verify.theory.proving.proof import Proof, derivation

old, advantage, condition, kept, still = map(IndexedBase, ("o", "h", "chi", "htilde", "n"))
ratio, ratio_slope = IndexedBase("rho"), IndexedBase("rho^'")
RATIOS = {
    **SLOPE,
    ratio: lambda action: pi[action] / old[action],
    ratio_slope: lambda action: policy_slope[action] / old[action],
}
"""π' written out, ρ = π/π_old, and its slope."""
SURROGATE = SOFTMAX_MDP + "; every old policy that takes each action, its occupancy and values held"
AWAY_FROM_KINKS = SURROGATE + "; no ratio of the policies is exactly 1 + ε or 1 - ε"
POSITIVE = Signs(positive=(pi, old))


def surrogate_proof(summary: str, domain: str = AWAY_FROM_KINKS) -> Proof:
    """An empty proof with positive policies and the slope of the current one to be written out.

    Everything happens in one state, with one entry of the parameters; sums over states come last.
    """
    proof = Proof(summary, domain, POSITIVE, where=RATIOS)
    proof.note(
        "Fix a state and one entry of w. The current policy π moves, the old one, o, doesn't."
    )
    proof.note("So the ratio has the slope", equation(ratio_slope[a], policy_slope[a] / old[a]))
    return proof.note("where", equation(ratio[a], pi[a] / old[a]))


def clip_lines(proof: Proof) -> Proof:
    """min(ρ h, clip(ρ) h) is ρ h where the condition holds, and elsewhere it doesn't depend on
    ρ.

    Four cases by the sign of h and the side of the clip; strict inequalities, so that the minimum
    is the same term nearby and may be differentiated.
    """
    u, size, rho = symbols("u t rho")
    proof.signs = Signs(positive=(*POSITIVE.positive, u, size))
    # ε is taken by the first-order part
    below, above = 1 - kappa, 1 + kappa
    proof.note(
        "Write κ for the clip's ε, t = |h| > 0, and u > 0 for how far ρ is from a clip. Where the"
        " clip leaves ρ alone both are ρ h."
    )
    proof.greater(
        "h = t, ρ = 1 - κ - u: the clipped term is larger,",
        below * size,
        rho * size,
        u * size,
        given=[rho - below + u],
    )
    proof.greater(
        "h = -t, ρ = 1 + κ + u: likewise,",
        -above * size,
        -rho * size,
        u * size,
        given=[rho - above - u],
    )
    proof.note(
        "so with the condition, h > 0 and ρ < 1 + κ, or h < 0 and ρ > 1 - κ, the minimum is ρ h."
        " Without it,"
    )
    proof.greater(
        "h = t, ρ = 1 + κ + u: the clipped term is smaller,",
        rho * size,
        above * size,
        u * size,
        given=[rho - above - u],
    )
    proof.greater(
        "h = -t, ρ = 1 - κ - u: likewise,",
        -rho * size,
        -below * size,
        u * size,
        given=[rho - below + u],
    )
    proof.note(
        "and it doesn't contain ρ; nor does it for h = 0. All this is strict, so it still holds"
        " when w moves a little."
    )
    proof.signs = POSITIVE
    return proof


PPO_SLOPE = total(old[i] * condition[i] * ratio_slope[i] * advantage[i], i)
PPO_SIMPLE = total(policy_slope[i] * advantage[i] * condition[i], i)
KEPT = Given(kept[i] - advantage[i] * condition[i], each=i, weight=policy_slope[i])
"""h̃ = χ h."""


@derivation("ppo-gradient-away-from-kinks")
def ppo_gradient() -> Proof:
    """The slope of Σ π_old min(ρ h, clip(ρ) h) is Σ π_old χ (π'/π_old) h.

    Appendix C.2, line 930, corrected: at a ratio of exactly 1 + ε or 1 − ε the objective has a
    kink.
    """
    return over_states(
        ppo_lines(
            surrogate_proof(
                "∇J_PPO = Σ_s ν_old(s) Σ_a π_old(a|s) 1{cond} (∇π(a|s)/π_old(a|s)) h(s, a)"
            )
        )
    )


def ppo_lines(proof: Proof) -> Proof:
    """In a state the clipped objective has the slope Σ π_old χ ρ' h."""
    clip_lines(proof)
    proof.note(
        "So a term has χ h times the derivative of the ratio, χ being 1 where the condition holds"
        " and 0 elsewhere."
    )
    proof.note("Write n for a term without the condition, 0 where the condition holds.")
    moved = total(
        old[i] * (condition[i] * (ratio[i] + eps * ratio_slope[i]) * advantage[i] + still[i]), i
    )
    unmoved = total(old[i] * (condition[i] * ratio[i] * advantage[i] + still[i]), i)
    return proof.equal(
        "The sum over the actions at w + ε less that at w is, up to o(ε),",
        moved - unmoved,
        eps * PPO_SLOPE,
    )


@derivation("ppo-gradient-simplified")
def ppo_simplified() -> Proof:
    """π_old cancels.

    Eq. ppo_grad, line 931: π_old of the expectation cancels that of the ratio.
    """
    return over_states(
        simplified_lines(surrogate_proof("∇J_PPO = Σ_s ν_old(s) Σ_a ∇π(a|s) h(s, a) 1{cond}"))
    )


def simplified_lines(proof: Proof) -> Proof:
    """That slope is Σ π' h χ."""
    return ppo_lines(proof).equal("The old policy is positive, and cancels:", PPO_SLOPE, PPO_SIMPLE)


def ppo_proof(summary: str) -> Proof:
    """The simplified gradient, written with h̃.

    h̃ needn't have mean zero, as the condition keeps only some actions.
    """
    proof = simplified_lines(surrogate_proof(summary))
    proof.note("Let h̃ = χ h.", equation(kept[i], advantage[i] * condition[i]))
    return proof.equal(
        "In a state the gradient is", PPO_SIMPLE, total(policy_slope[i] * kept[i], i), given=[KEPT]
    )


def regular_mean(values: IndexedBase) -> Expr:
    """Σ π_old ∇log π ρ f: the mean of the regular estimator under the old policy."""
    return total(old[i] * score(i) * ratio[i] * values[i], i)


def centred(values: IndexedBase, weight: Expr) -> Expr:
    """Σ weight θ' (f - Σ π f)."""
    return total(weight * preference_slope[i] * (values[i] - total(pi[m] * values[m], m)), i)


def alternate_mean(values: IndexedBase) -> Expr:
    """Σ π_old θ' ρ (f - Σ π f): the mean of the alternate estimator under the old policy.

    The mean that is subtracted is under the current policy π, not the one that sampled.
    """
    return centred(values, old[i] * ratio[i])


def regular_lines(proof: Proof, values: IndexedBase) -> Proof:
    """The regular estimator's mean is Σ π' f.

    For the values f that are held while π moves; the score's mean zero isn't needed.
    """
    policy_slope_lines(proof)
    proof.equal("∇log π is the slope over the policy.", policy_slope[a] / pi[a], score(a))
    line = "So under the old policy the regular estimator's mean is"
    return over_states(
        proof.equal(line, regular_mean(values), total(policy_slope[i] * values[i], i))
    )


def alternate_lines(proof: Proof, values: IndexedBase) -> Proof:
    """The alternate estimator's mean is Σ π' f, and so is Σ π θ' (f - Σ π f).

    Subtracting Σ π f is what makes the alternate form equal, for any f.
    """
    policy_slope_lines(proof)
    proof.equal(
        "As in section 5, for any action values,",
        total(policy_slope[i] * values[i], i),
        centred(values, pi[i]),
    )
    line = "Under the old policy, with the ratio, the alternate estimator's mean is the same."
    return over_states(
        proof.equal(line, alternate_mean(values), total(policy_slope[i] * values[i], i))
    )


@derivation("ppo-regular-estimator")
def ppo_regular() -> Proof:
    """E_old[∇log π ρ h̃] = Σ π' h̃.

    Appendix C.2, line 939: importance sampling by ρ = π/π_old.
    """
    return regular_lines(
        ppo_proof(
            "∇J_PPO is the mean of ∇log π(A|S) ρ h̃(S, A) over the old policy and its occupancy"
        ),
        kept,
    )


@derivation("ppo-alternate-likelihood")
def ppo_alternate_likelihood() -> Proof:
    """Σ π' h̃ = Σ π θ' (h̃ - Σ π h̃).

    Appendix C.2, line 943: the identity of section 5 with h̃ in the place of q.
    """
    proof = policy_slope_lines(
        surrogate_proof("Σ_a ∇π(a|s) h̃(s, a) = ∇θ(s) Σ_a π(a|s) [h̃(s, a) - Σ_c π(c|s) h̃(s, c)] e_a")
    )
    proof.note("The entry of ∇θ(s) e_a is θ'_a; h̃ is held.")
    return proof.equal(
        "With the slope of the policy", total(policy_slope[i] * kept[i], i), centred(kept, pi[i])
    )


@derivation("ppo-alternate-sum", "ppo-alternate-estimator")
def ppo_alternate() -> Proof:
    """E_old[θ'_A ρ (h̃ - Σ π h̃)] = Σ π' h̃.

    Appendix C.2, lines 948 and 949. The mean of h̃ under π has to be computed over all actions of
    the state.
    """
    return alternate_lines(
        ppo_proof(
            "∇J_PPO is the mean of ∇θ_A ρ (h̃(S, A) - Σ_c π(c|S) h̃(S, c)) over the old policy"
        ),
        kept,
    )


def trpo_proof(summary: str) -> Proof:
    """The slope of Σ π q_old is Σ π' q_old.

    Appendix C.2: TRPO's objective Σ ν_old Σ π q_old; its constraint isn't part of the gradient.
    """
    proof = surrogate_proof(summary, SURROGATE)
    moved = total((pi[i] + eps * policy_slope[i]) * q[i], i) - total(pi[i] * q[i], i)
    return proof.equal(
        "With Q = q_old held, the objective at w + ε exceeds that at w by",
        moved,
        eps * total(policy_slope[i] * q[i], i),
    )


@derivation("trpo-regular-estimator")
def trpo_regular() -> Proof:
    """E_old[∇log π ρ q_old] = Σ π' q_old.

    Appendix C.2, line 983; q_old or the advantage give the same mean.
    """
    return regular_lines(
        trpo_proof(
            "∇J_TRPO is the mean of ∇log π(A|S) ρ q_old(S, A) over the old policy and its occupancy"
        ),
        q,
    )


@derivation("trpo-alternate-estimator")
def trpo_alternate() -> Proof:
    """E_old[θ'_A ρ (q_old - Σ π q_old)] = Σ π' q_old.

    Appendix C.2, line 987. The mean of q_old is under the current policy, as for PPO.
    """
    return alternate_lines(
        trpo_proof(
            "∇J_TRPO is the mean of ∇θ_A ρ (q_old(S, A) - Σ_c π(c|S) q_old(S, c)) over the old"
            " policy"
        ),
        q,
    )


@derivation("exact-expectation-keeps-unbiased")
def exact_expectation() -> Proof:
    """With the exact Σ_c π f the mean is Σ π' f; an error δ in it moves the mean by -δ Σ π θ'.

    Appendix C.2, line 990: a sampled or learned mean that is off by δ biases the estimate by −δ Σ π
    θ′.
    """
    proof = surrogate_proof(
        "with the exact expectation both alternate estimators have the surrogate's gradient as"
        " their mean"
    )
    proof.include(ppo_alternate.proof()).include(trpo_alternate.proof())
    # how far the computed expectation is off
    error = Symbol("delta")
    wrong = total(
        old[i] * ratio[i] * preference_slope[i] * (q[i] - total(pi[m] * q[m], m) - error), i
    )
    text = "If the expectation is off by δ, the mean is off by"
    return proof.equal(
        text,
        wrong - total(policy_slope[i] * q[i], i),
        -error * total(pi[i] * preference_slope[i], i),
    )
