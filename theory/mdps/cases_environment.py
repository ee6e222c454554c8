"""A small MDP in fractions: values, occupancy, trajectories, and derivatives that assume no
policy-gradient theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.theory.chain.cases import solved
from altpg_verify.theory.exact_cases.arithmetic import Vec, basis, join

Step = tuple[int, int, Fraction, int | None]
"""State, action, reward, next state (None at the end)."""


@dataclass(frozen=True)
class Mdp:
    """An episodic MDP with a softmax policy of rational weights e^theta.

    S states and k actions; vectors over states are (S,), preferences (S, k). The weights of a
    linear policy are (d, k), and a gradient in them is one vector of d k entries, row after row.

    Args:
        moves: moves[s][a] lists (probability, next state or None for the end, reward).
        weights: (states, k) positive numbers, e^theta up to a factor for each state.
        start: (states,) the start distribution.
        gamma: the discount.
        features: (states, d) the features x(s) of a linear policy.
        bonus: (states,) what is added to the reward of every step from a state, as the entropy is.
        name: in words, for the instance.
    """

    moves: tuple[tuple[tuple[tuple[Fraction, int | None, Fraction], ...], ...], ...]
    weights: tuple[Vec, ...]
    start: Vec
    gamma: Fraction
    features: tuple[Vec, ...]
    bonus: Vec
    name: str

    @property
    def states(self) -> range:
        """0, 1, ..., without the end."""
        return range(len(self.moves))

    @property
    def k(self) -> int:
        """The number of actions, the same in every state."""
        return len(self.moves[0])

    @property
    def actions(self) -> range:
        """0, ..., k - 1."""
        return range(self.k)

    @property
    def p(self) -> list[Vec]:
        """The policy, one vector for each state.

        (S, k): weights over their sum in the state.
        """
        return [w / sum(w.entries, Fraction(0)) for w in self.weights]

    def _chance(self, s: int, a: int, t: int) -> Fraction:
        return sum((chance for chance, to, _ in self.moves[s][a] if to == t), Fraction(0))

    def reward(self, s: int, a: int) -> Fraction:
        """Expected immediate reward, without the bonus."""
        return sum((chance * reward for chance, _, reward in self.moves[s][a]), Fraction(0))

    def _system(self) -> list[list[Fraction]]:
        """I - gamma P."""
        p = self.p
        return [
            [
                int(s == t)
                - self.gamma
                * sum((p[s][a] * self._chance(s, a, t) for a in self.actions), Fraction(0))
                for t in self.states
            ]
            for s in self.states
        ]

    @property
    def v(self) -> Vec:
        """State values, the bonus included.

        (S,) the solution of (I − γP) v = R + bonus; the system is regular for γ < 1, and for γ = 1
        if every episode ends.
        """
        p = self.p
        rewards = [
            self.bonus[s] + sum((p[s][a] * self.reward(s, a) for a in self.actions), Fraction(0))
            for s in self.states
        ]
        return solved(self._system(), rewards)

    @property
    def q(self) -> list[Vec]:
        """Action values, the bonus of the first step included.

        (S, k), with Σ_a π(a|s) q(s, a) = v(s).
        """
        v = self.v
        return [
            Vec(
                *(
                    self.bonus[s]
                    + self.reward(s, a)
                    + self.gamma
                    * sum((self._chance(s, a, t) * v[t] for t in self.states), Fraction(0))
                    for a in self.actions
                )
            )
            for s in self.states
        ]

    @property
    def nu(self) -> Vec:
        """sum_k gamma^k P(S_k = s).

        (S,) discounted, not normalised: it solves the transposed system with the start
        distribution. With γ = 1 it counts the visits of an episode.
        """
        system = self._system()
        return solved([[system[t][s] for t in self.states] for s in self.states], list(self.start))

    @property
    def objective(self) -> Fraction:
        """The expected return from the start.

        J = Σ_s μ(s) v(s), with the start distribution μ; discounted by γ.
        """
        return sum((self.start[s] * self.v[s] for s in self.states), Fraction(0))

    def policy_slope(self, s: int, c: int) -> Vec:
        """d pi(. | s) / d theta_c(s), by the quotient rule on weights."""
        w, z = self.weights[s], sum(self.weights[s].entries, Fraction(0))
        return Vec(*(((a == c) * w[a] * z - w[a] * w[c]) / z**2 for a in self.actions))

    def gradient(self, bonus_slope: list[Vec] | None = None) -> list[Vec]:
        """d J / d theta_c(s), one vector for each state, by differentiating (I - gamma P) v = R.

        Direction of ascent. A change of θ(s) changes only the row of s in the system, hence one
        solution of it for each state and action, (I − γP) dv = dR + γ dP v.

        Args:
            bonus_slope: d bonus(s) / d theta_c(s), if the bonus depends on the policy.
        """
        v, system, found = self.v, self._system(), []
        for s in self.states:
            row = []
            for c in self.actions:
                slope = self.policy_slope(s, c)
                # d(R + gamma P v) with v held, only in the row of s
                rate = sum(
                    (
                        slope[a]
                        * (
                            self.reward(s, a)
                            + self.gamma
                            * sum((self._chance(s, a, t) * v[t] for t in self.states), Fraction(0))
                        )
                        for a in self.actions
                    ),
                    Fraction(0),
                )
                if bonus_slope is not None:
                    rate += bonus_slope[s][c]
                moved = solved(system, [rate * int(t == s) for t in self.states])
                row.append(sum((self.start[t] * moved[t] for t in self.states), Fraction(0)))
            found.append(Vec(*row))
        return found

    def by_weights(self, rows: list[Vec]) -> Vec:
        """The chain rule to the weights of a linear policy: sum_s x(s) row(s)^T, as the vector of
        its rows.
        """
        dimension = len(self.features[0])
        return join(
            [
                sum(
                    (row * x[i] for row, x in zip(rows[1:], self.features[1:], strict=True)),
                    rows[0] * self.features[0][i],
                )
                for i in range(dimension)
            ]
        )

    def preference_slope(self, s: int, a: int) -> Vec:
        """nabla_W [theta(s)]_a of a linear policy, as the vector of its rows: x(s) e_a^T."""
        return join([basis(a, self.k) * x for x in self.features[s]])

    def score(self, s: int, a: int) -> Vec:
        """nabla_W log pi(a | s), by the quotient rule: sum_c x(s) (d pi(a) / d theta_c) / pi(a).

        The quotient rule once more, and not x(s) (e_a − π)ᵀ, which is checked with it.
        """
        slopes = Vec(*(self.policy_slope(s, c)[a] / self.p[s][a] for c in self.actions))
        return join([slopes * x for x in self.features[s]])

    def advantage(self, s: int, a: int) -> Fraction:
        """h(s, a) = q(s, a) - v(s)."""
        return self.q[s][a] - self.v[s]

    def weight_gradient(self) -> Vec:
        """d J / d W of the linear policy, by differentiating the values."""
        return self.by_weights(self.gradient())

    def expected(self, term: Callable[[int, int], Vec]) -> Vec:
        """sum_s nu(s) sum_a pi(a | s) term(s, a).

        An expectation under ν and π, though ν needn't sum to one: E in the paper's notation (line
        115).
        """
        terms = [
            term(s, a) * (self.nu[s] * self.p[s][a]) for s in self.states for a in self.actions
        ]
        return sum(terms[1:], terms[0])

    def pairs(self) -> list[tuple[int, int]]:
        """Every state with every action."""
        return [(s, a) for s in self.states for a in self.actions]

    def episodes(self) -> Iterator[tuple[Fraction, list[Step]]]:
        """Every episode of an MDP without cycles, with its probability.

        Probabilities sum to one. An MDP with cycles would have infinitely many, and the recursion
        would not end.
        """
        for s in self.states:
            if self.start[s]:
                yield from self._from(s, self.start[s], [])

    def _from(
        self, s: int, weight: Fraction, past: list[Step]
    ) -> Iterator[tuple[Fraction, list[Step]]]:
        for a in self.actions:
            for chance, to, reward in self.moves[s][a]:
                path = [*past, (s, a, reward, to)]
                if to is None:
                    yield weight * self.p[s][a] * chance, path
                else:
                    yield from self._from(to, weight * self.p[s][a] * chance, path)

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"MDP": self.name, "pi": tuple(self.p), "gamma": self.gamma}


def _move(
    *outcomes: tuple[Fraction | int, int | None, int],
) -> tuple[tuple[Fraction, int | None, Fraction], ...]:
    return tuple((Fraction(chance), to, Fraction(reward)) for chance, to, reward in outcomes)


_HALF = Fraction(1, 2)
TWO_STEPS = Mdp(
    ((_move((1, 1, 0)),), (_move((1, None, 1)),)),
    (Vec(1), Vec(1)),
    Vec(1, 0),
    Fraction(1),
    (Vec(1), Vec(1)),
    Vec(0, 0),
    "two states in a row, one action, reward 1 at the end",
)
"""The smallest MDP in which a reward has a past."""

TREE = Mdp(
    (
        (_move((_HALF, 1, 1), (_HALF, 2, -1)), _move((1, 2, 0))),
        (_move((1, None, 2)), _move((_HALF, 2, 0), (_HALF, None, 1))),
        (_move((_HALF, None, 3), (_HALF, None, -1)), _move((1, None, 0))),
    ),
    (Vec(1, 2), Vec(3, 1), Vec(2, 3)),
    Vec(_HALF, _HALF, 0),
    Fraction(9, 10),
    (Vec(1, 0), Vec(1, 2), Vec(-1, 1)),
    Vec(0, 0, 0),
    "three states without cycles, two actions, noisy rewards",
)
"""An MDP whose episodes can be listed."""

LOOP = Mdp(
    (
        (
            _move((_HALF, 0, 1), (_HALF, 1, 0)),
            _move((1, 1, 2)),
            _move((_HALF, None, 0), (_HALF, 0, -1)),
        ),
        (
            _move((1, 0, 0)),
            _move((Fraction(1, 3), 1, 3), (Fraction(2, 3), None, 1)),
            _move((1, None, -2)),
        ),
    ),
    (Vec(1, 2, 3), Vec(2, 1, 1)),
    Vec(Fraction(2, 3), Fraction(1, 3)),
    Fraction(4, 5),
    (Vec(2, 1), Vec(1, -1)),
    Vec(0, 0),
    "two states with cycles, three actions, noisy rewards",
)
"""An MDP that can come back to a state."""

MDPS = [TWO_STEPS, TREE, LOOP]
