"""Small episodic MDPs exactly: values, occupancy, objective and its gradient from linear systems in
fractions.

The gradient comes from solving for the values with derivatives carried along; no policy-gradient
formula is used for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.cases import Case, vector
from altpg_verify.estimators import Estimator
from altpg_verify.exact import expected_update
from altpg_verify.forward_mode import Dual, gradient_of
from altpg_verify.report.evidence.linear_systems import solved


@dataclass(frozen=True)
class Mdp:
    """An episodic MDP with a tabular softmax policy and a fixed value estimate.

    Args:
        moves: moves[s][a][t], the probability of going to t; what is missing from one ends the
            episode.
        rewards: rewards[s][a], expected.
        start: (states,) where episodes begin.
        policy: policy[s][a].
        b: (states,) the baseline in each state.
        gamma: the discount.
    """

    moves: tuple[tuple[tuple[Fraction, ...], ...], ...]
    rewards: tuple[tuple[Fraction, ...], ...]
    start: tuple[Fraction, ...]
    policy: tuple[tuple[Any, ...], ...]
    b: tuple[Fraction, ...]
    gamma: Fraction

    @property
    def states(self) -> range:
        """0, 1, ..., without the end of an episode."""
        return range(len(self.moves))

    def _over_actions(self, s: int, entries: Any) -> Any:
        return sum(p * entry for p, entry in zip(self.policy[s], entries, strict=True))

    def _system(self) -> list[list[Any]]:
        """I - gamma P under the policy."""
        return [
            [
                int(s == t)
                - self.gamma * self._over_actions(s, [ahead[t] for ahead in self.moves[s]])
                for t in self.states
            ]
            for s in self.states
        ]

    @cached_property
    def values(self) -> list[Any]:
        """(states,) v(s), the solution of (I - γP) v = r under the policy, with derivatives if the
        policy carries them.
        """
        return solved(self._system(), [self._over_actions(s, self.rewards[s]) for s in self.states])

    @cached_property
    def occupancy(self) -> list[Fraction]:
        """(states,) ν(s) = Σ_k γ^k P(S_k = s), the discounted occupancy of the paper's
        policy-gradient theorem (eq. pg_main); it sums to the expected discounted number of steps,
        not to one.
        """
        system = self._system()
        return solved([[system[t][s] for t in self.states] for s in self.states], self.start)

    @property
    def objective(self) -> Any:
        """The expected discounted return J = Σ_s P(S₀ = s) v(s)."""
        return sum(weight * value for weight, value in zip(self.start, self.values, strict=True))

    def action_values(self, s: int) -> np.ndarray:
        """(actions,) q(s, a) = r(s, a) + γ Σ_t P(t | s, a) v(t)."""
        ahead = [
            sum(p * v for p, v in zip(chances, self.values, strict=True))
            for chances in self.moves[s]
        ]
        return vector(
            [
                reward + self.gamma * later
                for reward, later in zip(self.rewards[s], ahead, strict=True)
            ]
        )

    def bandit(self, s: int) -> Case:
        """The state as a bandit: each action pays its value, the baseline is the estimate. The
        tabular updates of a state are those of this bandit, weighted by its occupancy.
        """
        return Case(
            tuple(self.policy[s]),
            tuple(((value, Fraction(1)),) for value in self.action_values(s)),
            self.b[s],
        )

    def expected(self, est: Estimator) -> list[np.ndarray]:
        """The expected update of each state's preferences: the occupancy times the state's own
        expected update, an ascent direction.

        Args:
            est: an estimator of bandits, whose reward is the action value here.

        Returns:
            For each state (actions,).
        """
        return [self.occupancy[s] * expected_update(est, self.bandit(s)) for s in self.states]

    def at_values(self) -> Mdp:
        """The same with the true values as the baseline, for which both estimators are unbiased."""
        return replace(self, b=tuple(self.values))

    def gradient(self) -> list[list[Any]]:
        """∂J/∂θ(s, a), the derivatives of the objective in the preferences of each state,
        differentiated exactly through the linear system for the values.
        """
        places = [(s, a) for s in self.states for a in range(len(self.policy[s]))]
        lifted = []
        for s in self.states:
            weights = [
                Dual(p, [p * (place == (s, a)) for place in places])
                for a, p in enumerate(self.policy[s])
            ]
            # softmax in coordinates x = e^θ, here x = π, so that dx_a/dθ_a = π_a
            total = sum(weights[1:], weights[0])
            lifted.append(tuple(weight / total for weight in weights))
        slopes = dict(
            zip(
                places,
                gradient_of(replace(self, policy=tuple(lifted)).objective, len(places)),
                strict=True,
            )
        )
        return [[slopes[s, a] for a in range(len(self.policy[s]))] for s in self.states]

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {
            "policy": self.policy,
            "moves": self.moves,
            "rewards": self.rewards,
            "start": self.start,
            "b": self.b,
            "gamma": self.gamma,
        }
