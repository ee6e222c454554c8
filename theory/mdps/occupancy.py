"""From one state to all: sums over states, weighted with the discounted occupancy ν(s) = Σ_t γ^t
P(S_t = s).
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol

from altpg_verify.theory.proving.certificates import Given
from altpg_verify.theory.proving.notation import equation, i, j, total
from altpg_verify.theory.proving.proof import Proof

MDP = (
    "every finite episodic MDP, every differentiable policy; the index runs over states, or over"
    " actions"
)
gamma = Symbol("gamma")
source, other, occupancy = map(IndexedBase, ("u", "f", "nu"))
"""Two quantities of a state, and ν(s)."""
onward, start, inward = map(IndexedBase, ("y", "mu", "z"))
"""(P V)(s), the start, and (Pᵀ ν)(s)."""


def discounted_sum(proof: Proof, value: IndexedBase, text: str) -> Proof:
    """The line Σ μ V = Σ ν u for the solution V of V = u + γ P V, where u(s) is given in the
    state.

    Both V and ν solve linear systems with the same matrix, one transposed: μᵀ (I − γP)⁻¹ u is read
    in two ways.

    Args:
        proof: gets the notes and the line.
        value: the letter for V.
        text: what stands before the line.
    """
    proof.note(
        "The occupancy solves ν = μ + γ Pᵀ ν. Write z = Pᵀ ν, and y for P times the left side"
        " here.",
        equation(value[i], source[i] + gamma * onward[i]),
    )
    swapped = equation(total(inward[j] * value[j], j), total(occupancy[j] * onward[j], j))
    proof.note("Both of these are the same double sum over a state and its successor.", swapped)
    # weighted by ν, and the flow equation by V: their difference is the claim
    bellman = Given(value[j] - source[j] - gamma * onward[j], each=j, weight=occupancy[j])
    flow = Given(occupancy[j] - start[j] - gamma * inward[j], each=j, weight=value[j])
    left, right = total(start[i] * value[i], i), total(occupancy[i] * source[i], i)
    return proof.equal(text, left, right, given=[bellman, flow, swapped.lhs - swapped.rhs])


def over_states(proof: Proof) -> Proof:
    """The line Σ ν u = Σ ν f for two quantities that were shown to be equal in each state.

    Appended to a proof that has shown u(s) = f(s) in one state that is arbitrary.
    """
    proof.note(
        "Write u(s) for the left side in the state s and f(s) for the right one.",
        equation(source[i], other[i]),
    )
    each = Given(source[i] - other[i], each=i, weight=occupancy[i])
    left, right = total(occupancy[i] * source[i], i), total(occupancy[i] * other[i], i)
    return proof.equal(
        "They agree in each state, and so do their sums over the occupancy.",
        left,
        right,
        given=[each],
    )
