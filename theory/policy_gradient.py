"""The policy gradient theorem, from the two linear systems that values' derivatives and occupancies solve."""

from __future__ import annotations

from sympy import IndexedBase, Symbol

from theory.certificates import Given, Signs
from theory.notation import equation, i, j, pi, total
from theory.proof import Proof, derivation

MDP = "every finite episodic MDP, every differentiable policy; the index runs over states, or over actions"
gamma, v = Symbol("gamma"), Symbol("v")
slope, source, onward, start, occupancy, inward, change, q = map(IndexedBase, ("v'", "u", "w", "mu", "nu", "z", "pi'", "q"))
"""∂v(s)/∂θ, Σ_a ∂π(a|s)/∂θ q(s, a), (P v')(s), the start, the occupancy, (Pᵀ ν)(s), ∂π(a|s)/∂θ, q(s, a)."""


@derivation("policy-gradient-theorem")
def policy_gradient_theorem() -> Proof:
    """Σ_s μ_s v'_s = Σ_s ν_s u_s."""
    proof = Proof("∇J = Σ_s ν(s) Σ_a ∇π(a|s) q(s, a)", MDP)
    proof.note("Differentiate v(s) = Σ_a π q and q = r + γ P v in one parameter: v' = u + γ P v', u(s) = Σ_a ∂π(a|s) q(s, a).")
    proof.note("The occupancy solves ν = μ + γ Pᵀ ν. Write w = P v' and z = Pᵀ ν.", equation(slope[i], source[i] + gamma * onward[i]))
    adjoint = total(inward[j] * slope[j], j) - total(occupancy[j] * onward[j], j)
    proof.note(
        "Σ_s z v' = Σ_s ν w: both are the double sum of ν P v'.",
        equation(total(inward[j] * slope[j], j), total(occupancy[j] * onward[j], j)),
    )
    bellman = Given(slope[j] - source[j] - gamma * onward[j], each=j, weight=occupancy[j])
    flow = Given(occupancy[j] - start[j] - gamma * inward[j], each=j, weight=slope[j])
    left, right = total(start[i] * slope[i], i), total(occupancy[i] * source[i], i)
    return proof.equal("So the derivative of J = Σ μ v is", left, right, given=[bellman, flow, adjoint])


@derivation("policy-gradient-as-expectation")
def as_expectation() -> Proof:
    """Σ_a π (∂π/π) (q - v) = Σ_a ∂π q."""
    proof = Proof("∇J = E[∇log π(A|S) (q(S, A) - v(S))]", MDP, Signs(positive=(pi,)), given=[total(change[j], j)])
    proof.note("In each state the derivatives of the probabilities sum to zero, and ∇log π is ∇π/π.")
    score = total(pi[i] * (change[i] / pi[i]) * (q[i] - v), i)
    return proof.equal("So v drops out.", score, total(change[i] * q[i], i))
