"""The policy gradient theorem, from the two linear systems that values' derivatives and occupancies
solve.
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol

from altpg_verify.theory.mdps.occupancy import MDP, discounted_sum
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import i, j, pi, total
from altpg_verify.theory.proving.proof import Proof, derivation

v = Symbol("v")
slope, change, q = map(IndexedBase, ("v^'", "pi^'", "q"))
"""∂v(s)/∂θ, ∂π(a|s)/∂θ, q(s, a)."""


@derivation("policy-gradient-theorem")
def policy_gradient_theorem() -> Proof:
    """Σ_s μ_s v'_s = Σ_s ν_s u_s.

    Eq. pg_main, line 113. Finite MDP; γ = 1 is allowed if episodes end, so that the systems can be
    solved.
    """
    proof = Proof("∇J = Σ_s ν(s) Σ_a ∇π(a|s) q(s, a)", MDP)
    proof.note(
        "Differentiate v(s) = Σ_a π q and q = r + γ P v in one parameter: v' = u + γ P v', u(s) ="
        " Σ_a ∂π(a|s) q(s, a)."
    )
    return discounted_sum(proof, slope, "So the derivative of J = Σ μ v is")


@derivation("policy-gradient-as-expectation")
def as_expectation() -> Proof:
    """Σ_a π (∂π/π) (q - v) = Σ_a ∂π q.

    Eq. pg_expectation, line 117: v is a baseline, of which any function of the state would do.
    """
    proof = Proof(
        "∇J = E[∇log π(A|S) (q(S, A) - v(S))]",
        MDP,
        Signs(positive=(pi,)),
        given=[total(change[j], j)],
    )
    proof.note(
        "In each state the derivatives of the probabilities sum to zero, and ∇log π is ∇π/π."
    )
    score = total(pi[i] * (change[i] / pi[i]) * (q[i] - v), i)
    return proof.equal("So v drops out.", score, total(change[i] * q[i], i))
