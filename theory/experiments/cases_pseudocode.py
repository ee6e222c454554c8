"""The pseudocode of appendices D, E and F executed line by line, against the formulas it stands
for.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Number, Vec, basis, join, total
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.sampling_tree.cases_as_executed import exponential


def softmax(theta: list[int]) -> Vec:
    """The policy of whole-number preferences, e to thirty digits.

    (k,) in fractions that sum to one exactly, whatever stands for e^θ.
    """
    weights = Vec(*map(exponential, theta))
    return weights / total(weights)


@dataclass(frozen=True)
class Draw:
    """Preferences, the estimate of the average reward, a sampled action and reward, both stepsizes.

    Args:
        theta: (k,) whole numbers; see `softmax` for what stands for e^theta.
        estimate: of the average reward, before the step.
        action: sampled, counted from 0.
        reward: what it paid.
        alpha, beta: stepsizes of the preferences and of the estimate.
    """

    theta: tuple[int, ...]
    estimate: Fraction
    action: int
    reward: Fraction
    alpha: Fraction
    beta: Fraction

    def printed(self) -> Vec:
        """One timestep of the pseudocode: the new preferences, then the new estimate.

        (k + 1,). The estimate is updated after the preferences, as printed: with the other order
        the step would use an estimate that has seen its own reward.
        """
        policy, theta, estimate = (
            softmax(list(self.theta)),
            [Fraction(t) for t in self.theta],
            self.estimate,
        )
        for a in range(len(theta)):
            # component by component, with the policy from before the step
            g = (self.reward - estimate) * (int(self.action == a) - policy[a])
            theta[a] = theta[a] + self.alpha * g
        estimate = self.beta * self.reward + (1 - self.beta) * estimate
        return Vec(*theta, estimate)

    def formula(self) -> Vec:
        """theta + alpha (R - b)(e_A - pi), and the running average.

        The regular estimator with the baseline that was learned so far, in ascent, and b + β (R −
        b) as the running average.
        """
        moved = Vec(*self.theta) + self.alpha * (self.reward - self.estimate) * (
            basis(self.action, len(self.theta)) - softmax(list(self.theta))
        )
        return Vec(*moved, self.estimate + self.beta * (self.reward - self.estimate))

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it; the action is counted from 1."""
        return {
            "theta": Vec(*self.theta),
            "estimate": self.estimate,
            "A": f"action {self.action + 1}",
            "R": self.reward,
        }


@dataclass(frozen=True)
class Episode:
    """A recorded episode of a tabular agent with two actions: states and actions S_0, A_0, ...,
    rewards R_1, ..., R_T.

    Args:
        states, actions: (T,) S_t and A_t, counted from 0.
        rewards: (T,) R_{t+1}.
        theta: (states, 2) preferences at the start, whole numbers.
        values: (states,) value estimates at the start.
        alpha, beta: stepsizes of the policy and of the values.
        gamma: the discount.
    """

    states: tuple[int, ...]
    actions: tuple[int, ...]
    rewards: tuple[Number, ...]
    theta: tuple[tuple[int, ...], ...]
    values: Vec
    alpha: Fraction = Fraction(1, 4)
    beta: Fraction = Fraction(1, 3)
    gamma: Fraction = Fraction(9, 10)

    @property
    def length(self) -> int:
        """T, the number of steps."""
        return len(self.rewards)

    def reinforce(self) -> Vec:
        """REINFORCE as printed: the preferences of all states, then the values.

        (2 S + S,) for S states. Values are updated after the preferences, first visit first, so
        both use the old values.
        """
        policies, values = [softmax(list(row)) for row in self.theta], list(self.values)
        estimate = [Vec(*(0 for _ in row)) for row in self.theta]
        for t in range(self.length):
            g = self._return(t)
            s, a = self.states[t], self.actions[t]
            estimate[s] = estimate[s] + self.gamma**t * (g - values[s]) * (
                basis(a, len(self.theta[s])) - policies[s]
            )
        weights = [
            Vec(*row) + self.alpha * one for row, one in zip(self.theta, estimate, strict=True)
        ]
        for t in range(self.length):
            s = self.states[t]
            values[s] = values[s] + self.beta * (self._return(t) - values[s])
        return join([*weights, Vec(*values)])

    def _return(self, t: int) -> Fraction:
        """G_t = R_{t+1} + gamma R_{t+2} + ... + gamma^{T-t-1} R_T."""
        return sum(
            (self.gamma ** (k - t) * self.rewards[k] for k in range(t, self.length)), Fraction(0)
        )

    def reinforce_formula(self) -> Vec:
        """The estimator's sum, and each value as the weighted mean of its start and the returns
        from its visits.

        Written without the loop's order, so that a mistake in it shows: returns from the end
        backwards, values by the closed form of repeated averaging.
        """
        moved = [Vec(*row) for row in self.theta]
        values = list(self.values)
        backwards = Fraction(0)
        returns: list[Fraction] = []
        for reward in reversed(self.rewards):
            # G_t from G_{t+1}
            backwards = reward + self.gamma * backwards
            returns.insert(0, backwards)
        for t, (s, a) in enumerate(zip(self.states, self.actions, strict=True)):
            score = basis(a, len(self.theta[s])) - softmax(list(self.theta[s]))
            moved[s] = moved[s] + score * (
                self.alpha * self.gamma**t * (returns[t] - self.values[s])
            )
        for s in range(len(values)):
            visits = [returns[t] for t in range(self.length) if self.states[t] == s]
            n = len(visits)
            values[s] = (1 - self.beta) ** n * self.values[s] + sum(
                (self.beta * (1 - self.beta) ** (n - 1 - j) * one for j, one in enumerate(visits)),
                Fraction(0),
            )
        return join([*moved, Vec(*values)])

    def actor_critic(self) -> Vec:
        """One step after the other as printed: (T + states,) each step's I_gamma delta, which
        scales the score, then the values.

        The preferences move with the score alone, so they aren't followed.

        The factor I_gamma = γ^t that REINFORCE has as well; bootstraps with the value at the time
        of the step, zero after the end.
        """
        values, weight, found = list(self.values), Fraction(1), []
        for t in range(self.length):
            s = self.states[t]
            after = values[self.states[t + 1]] if t + 1 < self.length else Fraction(0)
            delta = self.rewards[t] + self.gamma * after - values[s]
            found.append(weight * delta)
            weight = self.gamma * weight
            values[s] = values[s] + self.beta * delta
        return Vec(*found, *values)

    def actor_critic_formula(self) -> Vec:
        """gamma^k (R + gamma v(S') - v(S)) at step k with the values learned so far, from the list
        of all past errors.

        Values as the start plus β times all earlier errors of the state, so no value is
        overwritten.
        """
        errors: list[tuple[int, Fraction]] = []

        def value(s: int) -> Fraction:
            return self.values[s] + self.beta * sum(
                (error for state, error in errors if state == s), Fraction(0)
            )

        found = []
        for k, s in enumerate(self.states):
            after = value(self.states[k + 1]) if k + 1 < self.length else Fraction(0)
            error = self.rewards[k] + self.gamma * after - value(s)
            found.append(self.gamma**k * error)
            errors.append((s, error))
        return Vec(*found, *(value(s) for s in range(len(self.values))))

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {
            "states": Vec(*self.states),
            "actions": Vec(*self.actions),
            "rewards": Vec(*self.rewards),
        }


_DRAWS = [
    Draw(theta, Fraction(estimate), action, Fraction(reward), Fraction(alpha), Fraction(1, 4))
    for theta in ((0, 0, 0), (2, -1, 1))
    for action in range(3)
    for estimate, reward, alpha in ((0, 1, 1), (4, Fraction(5, 2), Fraction(1, 8)), (-4, 3, 2))
]
_EPISODES = [
    Episode((0,), (1,), (Fraction(1),), ((0, 0),), Vec(2)),
    Episode(
        (0, 1, 0, 1),
        (0, 1, 1, 1),
        (Fraction(1), Fraction(-2), Fraction(1, 2), Fraction(3)),
        ((0, 1), (2, 0)),
        Vec(4, -1),
    ),
    Episode(
        (2, 1, 0, 1, 2),
        (1, 0, 0, 1, 1),
        (Fraction(0), Fraction(1), Fraction(-1), Fraction(0), Fraction(5)),
        ((1, 1), (0, 3), (-1, 0)),
        Vec(0, 1, 2),
    ),
]

STATEMENTS: dict[str, Statement] = {
    "gradient-bandit-pseudocode": Statement(
        lambda d: d.printed(),
        lambda d: d.formula(),
        _DRAWS,
        "single steps of three arms",
        summary="preferences and estimate: pseudocode, formula",
    ),
    "reinforce-pseudocode": Statement(
        lambda e: e.reinforce(),
        lambda e: e.reinforce_formula(),
        _EPISODES,
        "three recorded episodes",
        summary="preferences and values: pseudocode, formula",
    ),
    "actor-critic-pseudocode": Statement(
        lambda e: e.actor_critic(),
        lambda e: e.actor_critic_formula(),
        _EPISODES,
        "three recorded episodes",
        summary="γ^k δ of each step k and the values: pseudocode, formula",
    ),
}


@evidence(*STATEMENTS, kind="execution")
def pseudocode(claim: str) -> Finding:
    """The pseudocode executed in fractions, against the formula it stands for.

    Gradient bandit (appendix D.1), REINFORCE (alg. reinforce, line 1252) and online actor-critic
    (alg. online_ac, line 1377).
    """
    return STATEMENTS[claim].judged()
