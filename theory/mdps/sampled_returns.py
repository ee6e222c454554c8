"""Appendix C.2: REINFORCE, online actor-critic and the objective as a double sum: returns sampled
from whole trajectories.

The expectation of Σ_t γ^t f(S_t) is Σ_s ν(s) f(s); what is sampled after a state and an action has
the mean q(s, a).
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol

from altpg_verify.theory.mdps.mdp_estimators import (
    ADVANTAGE,
    IN_STATE,
    SLOPE,
    SOFTMAX_MDP,
    policy_slope_lines,
    preference_slope,
    q,
    score,
    v,
)
from altpg_verify.theory.mdps.occupancy import (
    MDP,
    discounted_sum,
    gamma,
    occupancy,
    onward,
    over_states,
    source,
)
from altpg_verify.theory.mdps.policy_gradient import policy_gradient_theorem
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import SIMPLEX, equation, i, j, mean_reward, pi, total
from altpg_verify.theory.proving.proof import Proof, derivation

expected, mean_value = IndexedBase("V"), IndexedBase("v")
"""E[Σ_t γ^t f(S_t)] from each start, and v(s)."""
chance, reward, after, visit = map(IndexedBase, ("P", "rho", "V", "d"))
"""One action's outcomes: their chances, rewards and values of the next state; and Σ_k γ^k d(s,
k).
"""
length = Symbol("T")
ENDS = SOFTMAX_MDP + "; true values; the episodes end with probability one"


def sampled_proof(summary: str) -> Proof:
    """What each state contributes has the mean u(s) of the policy gradient theorem.

    Shared by four estimators: the theorem and the slope of a softmax policy.
    """
    proof = Proof(summary, ENDS, Signs(positive=(pi, length)), where=SLOPE)
    proof.include(policy_gradient_theorem.proof())
    return policy_slope_lines(proof.note("Its u(s) is Σ_a π'_a q_a with the slope of the policy:"))


def regular_line(proof: Proof) -> Proof:
    """Σ π ∇log π (q - v) = Σ π' q."""
    return proof.equal(
        "The regular estimator's mean in a state",
        total(pi[i] * score(i) * (q[i] - v), i),
        IN_STATE,
        given=[SIMPLEX],
    )


def alternate_line(proof: Proof) -> Proof:
    """Σ π θ' (q - v) = Σ π' q."""
    mean = total(pi[i] * preference_slope[i] * (q[i] - v), i)
    return proof.equal(
        "The alternate estimator's mean in a state, with v = Σ π q,",
        mean,
        IN_STATE,
        given=[ADVANTAGE],
    )


def over_time(proof: Proof) -> Proof:
    """E[Σ_t γ^t f(S_t)] = Σ ν f.

    The law of the trajectory enters through one step of the chain only, so no sum over trajectories
    is needed.
    """
    proof.note(
        "Given S_t and A_t the return G_t has the mean q(S_t, A_t). Let u(s) be the mean of the"
        " summand in state s without γ^t, and V(s) the mean of the sum from state s. One step of"
        " the chain: V = u + γ P V."
    )
    discounted_sum(proof, expected, "So the mean of the sum over time is")
    return over_states(proof)


@derivation("reinforce-regular-unbiased")
def reinforce_regular() -> Proof:
    """E[Σ γ^t ∇log π (G_t - v)] = Σ ν Σ π' q.

    Appendix C.2, line 957. The factor γ^t is part of it: without, the mean isn't ∇J.
    """
    return over_time(regular_line(sampled_proof("E[Σ_t γ^t ∇log π(A_t|S_t) (G_t - v(S_t))] = ∇J")))


@derivation("reinforce-alternate-unbiased")
def reinforce_alternate() -> Proof:
    """E[Σ γ^t ∇θ_A (G_t - v)] = Σ ν Σ π' q.

    Appendix C.2, line 961; v must be the true value of the state.
    """
    return over_time(
        alternate_line(sampled_proof("E[Σ_t γ^t ∇[θ(S_t)]_{A_t} (G_t - v(S_t))] = ∇J"))
    )


def temporal_difference(proof: Proof) -> Proof:
    """E[R + γ v(S') - v(s)] = q(s, a) - v(s), and the visits d are ν over the mean length of an
    episode.

    K is the time of the sampled transition, and d(s, k) normalised over an episode: the mean is ∇J
    up to the positive factor 1/T.
    """
    proof.note(
        "Fix a state and an action; its outcomes have the chances P, rewards ρ and next values V; q"
        " is the mean of ρ + γ V."
    )
    one, value = total(chance[i], i) - 1, Symbol("q")
    # the mean over the outcomes of one action
    error = total(chance[i] * (reward[i] + gamma * after[i] - v), i)
    bellman = value - total(chance[j] * (reward[j] + gamma * after[j]), j)
    proof.equal(
        "The temporal difference error has the mean", error, value - v, given=[one, bellman]
    )
    proof.note(
        "d(s, k) is P(S_k = s) over the mean length T of an episode, so Σ_k γ^k d(s, k) is ν(s)/T;"
        " write d for it.",
        equation(visit[i], occupancy[i] / length),
    )
    each = Given(length * visit[i] - occupancy[i], each=i, weight=source[i])
    left = length * total(visit[i] * source[i], i)
    proof.equal(
        "Up to the factor T > 0 the mean over d is the sum over ν.",
        left,
        total(occupancy[i] * source[i], i),
        given=[each],
    )
    return over_states(proof)


@derivation("actor-critic-regular-unbiased")
def actor_critic_regular() -> Proof:
    """T E_d[γ^K ∇log π (R + γ v' - v)] = ∇J.

    Eq. regular_online_ac_estimator_app, line 967, with the true v: in practice v is learned.
    """
    return temporal_difference(
        regular_line(
            sampled_proof("∇J is T times the mean of γ^K ∇log π(A|S) (R + γ v(S') - v(S))")
        )
    )


@derivation("actor-critic-alternate-unbiased")
def actor_critic_alternate() -> Proof:
    """T E_d[γ^K ∇θ_A (R + γ v' - v)] = ∇J.

    Eq. alternate_online_ac_estimator, line 971; a biased critic biases it, unlike the regular one's
    baseline.
    """
    return temporal_difference(
        alternate_line(
            sampled_proof("∇J is T times the mean of γ^K ∇[θ(S)]_A (R + γ v(S') - v(S))")
        )
    )


@derivation("original-objective-as-double-sum-corrected")
def double_sum() -> Proof:
    """J = Σ ν Σ π r.

    Appendix C.2, line 990, corrected: the source has q(s, a) for r(s, a), which would count later
    rewards again at each later step.
    """
    proof = Proof("J = Σ_s ν(s) Σ_a π(a|s) r(s, a), with immediate rewards", MDP)
    proof.note(
        "In a state the mean reward is Σ_a π(a|s) r(s, a); call it u(s). The values solve v = u + γ"
        " P v.",
        mean_reward(),
    )
    discounted_sum(proof, mean_value, "So the objective is")
    proof.note(
        "Σ_a π q is v, so with action values in the place of rewards the sum would be Σ ν v."
    )
    bellman = Given(mean_value[i] - source[i] - gamma * onward[i], each=i, weight=occupancy[i])
    difference = total(occupancy[i] * mean_value[i], i) - total(occupancy[i] * source[i], i)
    return proof.equal(
        "It is off by the later rewards.",
        difference,
        total(occupancy[i] * gamma * onward[i], i),
        given=[bellman],
    )
