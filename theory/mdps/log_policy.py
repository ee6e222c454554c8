"""Appendix C.1: the regular estimator is the familiar one, ∇log π times the advantage."""

from __future__ import annotations

from sympy import exp

from altpg_verify.theory.mdps.mdp_estimators import (
    SLOPE,
    SOFTMAX_MDP,
    eps,
    policy_slope,
    policy_slope_lines,
    preference_slope,
    q,
    score,
    v,
)
from altpg_verify.theory.proving.calculus import SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import a, equation, i, pi, theta, total
from altpg_verify.theory.proving.proof import Proof, derivation


def log_proof(summary: str) -> Proof:
    """∇log π_a by the logarithm of the normaliser, and as ∇π_a/π_a.

    θ′ is the slope of a preference in one parameter; the logarithm of the kernel is replaced by its
    rule, derivative of the argument over the argument.
    """
    proof = Proof(summary, SOFTMAX_MDP, Signs(positive=(pi,)))
    proof.note(
        "log π(a|s) = θ_a - log Σ e^θ_j, and a logarithm's derivative is that of its argument over"
        " the argument."
    )
    normalizer, moved = (
        total(exp(theta[i]), i),
        total(exp(theta[i]) * (1 + eps * preference_slope[i]), i),
    )
    proof.equal(
        "The normaliser at w + ε less that at w: up to o(ε),",
        moved - normalizer,
        eps * total(exp(theta[i]) * preference_slope[i], i),
    )
    ratio = total(exp(theta[i]) * preference_slope[i], i) / normalizer
    proof.equal(
        "so its logarithm has the derivative",
        ratio,
        total(pi[i] * preference_slope[i], i),
        where=SOFTMAX,
    )
    return proof.note(
        "and what is left is the score.", equation(preference_slope[a] - ratio, score(a))
    )


@derivation("log-policy-gradient-steps", "log-policy-gradient")
def log_policy_gradient() -> Proof:
    """∂log π_a/∂w = θ'_a - Σ e^θ θ'/Σ e^θ = θ'_a - Σ π θ'.

    Appendix C.1, lines 915 and 916: the score as preference gradient less its mean under π.
    """
    proof = log_proof("∇log π(A|S) = ∇θ_A - Σ e^θ_a ∇θ_a/Σ e^θ_b = ∇θ_A - Σ_a π(a|S) ∇θ_a")
    policy_slope_lines(proof.note("It is the slope of the policy over the policy:"))
    return proof.equal("divide by π_a.", policy_slope[a] / pi[a], score(a), where=SLOPE)


@derivation("mdp-regular-is-familiar-estimator")
def familiar_estimator() -> Proof:
    """(θ'_a - Σ π θ') (q_a - v) = π'_a/π_a (q_a - v).

    Appendix C.1, line 911: the estimator of section 5 is REINFORCE's ∇ log π (q − v), in other
    letters.
    """
    proof = policy_slope_lines(log_proof("g_REG(S, A) = ∇log π(A|S) (q(S, A) - v(S))"))
    familiar = policy_slope[a] / pi[a] * (q[a] - v)
    return proof.equal("Multiply with the advantage.", score(a) * (q[a] - v), familiar, where=SLOPE)
