"""What some library losses say they follow, other than the value: the clipped surrogate, the
regrets.
"""

from __future__ import annotations

from typing import Any

from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.forward_mode import value_of


def clipped_surrogate(epsilon: float) -> Objective:
    """E_μ[min(ρ A, clip(ρ, 1 - ε, 1 + ε) A)], ρ = π / μ, the rewards as advantages A; one-step
    problems (Schulman et al., 2017).
    """

    def at(tables: Tables, held: Tables) -> Any:
        total = 0 * tables.value
        for chance, episode in zip(held.sampled, held.space.episodes, strict=True):
            cell, advantage = (episode.states[0], episode.actions[0]), float(episode.rewards[0])
            ratio = tables.table[cell] / float(held.mu[cell])
            inside = min(max(float(value_of(ratio)), 1 - epsilon), 1 + epsilon)
            clipped = inside * advantage < float(value_of(ratio)) * advantage
            total = total + float(chance) * advantage * (inside if clipped else ratio)
        return total

    return Objective(
        f"the surrogate clipped at {epsilon:g}",
        "E_μ[min(ρA, clip(ρ)A)]",
        at,
        lambda space: space.horizon == 1,
    )


regrets = Objective(
    "minus the sum of the regrets",
    "-Σ (q - V)⁺",
    lambda tables, held: sum(
        (
            tables.value - q
            for q in tables.q[0]
            if float(value_of(tables.value)) < float(value_of(q))
        ),
        start=0 * tables.value,
    ),
)
"""-Σ_a max(q(a) - V, 0)."""
