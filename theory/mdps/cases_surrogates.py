"""PPO and TRPO (appendix C.2): the gradient of the surrogate objectives by forward differentiation,
against the printed forms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec, basis, dot, join
from altpg_verify.theory.exact_cases.forward_mode import Dual, dual, total_of
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.mdps.cases_environment import LOOP, TREE, Mdp


@dataclass(frozen=True)
class Surrogate:
    """The MDP under the old policy, the new policy's weights, and PPO's clipping parameter.

    Occupancy, values and advantages are those of the old policy and are held; only π(a|s) of the
    new one is differentiated.

    Args:
        old: the MDP with the policy that sampled.
        weights: (states, k) e^theta of the new policy.
        epsilon: how far the ratio may leave 1.
    """

    old: Mdp
    weights: tuple[Vec, ...]
    epsilon: Fraction = Fraction(1, 5)

    @property
    def new(self) -> Mdp:
        """The same MDP under the new policy; only its policy and scores are used."""
        return replace(self.old, weights=self.weights)

    def pairs(self) -> list[tuple[int, int]]:
        """Every state with every action."""
        return [(s, a) for s in self.old.states for a in self.old.actions]

    def h(self, s: int, a: int) -> Fraction:
        """The old policy's advantage."""
        return self.old.q[s][a] - self.old.v[s]

    def ratio(self, s: int, a: int) -> Fraction:
        """pi_new(a | s) / pi_old(a | s)."""
        return self.new.p[s][a] / self.old.p[s][a]

    def condition(self, s: int, a: int) -> bool:
        """cond(s, a) as printed.

        h > 0 and ratio < 1 + ε, or h < 0 and ratio > 1 − ε: where PPO's minimum is the unclipped
        term. At equality the objective has a kink.
        """
        h, ratio = self.h(s, a), self.ratio(s, a)
        return (h > 0 and ratio < 1 + self.epsilon) or (h < 0 and ratio > 1 - self.epsilon)

    def clipped(self, s: int, a: int) -> Fraction:
        """h-tilde(s, a)."""
        return self.h(s, a) * self.condition(s, a)

    def clipped_mean(self, s: int) -> Fraction:
        """sum_c pi(c | s) h-tilde(s, c) under the new policy."""
        return dot(self.new.p[s], Vec(*(self.clipped(s, c) for c in self.old.actions)))

    def derivative(self, value: Callable[[int, int, Dual], Dual]) -> Vec:
        """d / d W of sum_s nu_old(s) sum_a value(s, a, pi(a | s)), the new policy a dual number in
        each preference.

        In the direction of ascent; d k entries, the weights of a linear policy. `value` gets state,
        action and the probability as a dual number.
        """
        rows = []
        for s in self.old.states:
            row = []
            for c in self.old.actions:
                # d w_a / d theta_c = w_a if a = c
                w = [Dual(weight, weight * int(a == c)) for a, weight in enumerate(self.weights[s])]
                z = total_of(w)
                row.append(
                    total_of(
                        [value(s, a, w[a] / z) * self.old.nu[s] for a in self.old.actions]
                    ).slope
                )
            rows.append(Vec(*row))
        return self.old.by_weights(rows)

    def ppo(self) -> Vec:
        """The gradient of the clipped objective, the minimum and the clipping by their
        definitions.

        A dual number is compared by its value, and clipped to a constant, whose slope is zero. At a
        kink it is the slope of the side where the ratio isn't clipped.
        """

        def term(s: int, a: int, p: Dual) -> Dual:
            ratio, h = p * (1 / self.old.p[s][a]), self.h(s, a)
            low, high = 1 - self.epsilon, 1 + self.epsilon
            clipped = (
                dual(low) if ratio.value < low else dual(high) if ratio.value > high else ratio
            )
            one, other = ratio * h, clipped * h
            return (one if one.value <= other.value else other) * self.old.p[s][a]

        return self.derivative(term)

    def trpo(self) -> Vec:
        """The gradient of sum_s nu_old(s) sum_a pi(a | s) q_old(s, a)."""
        return self.derivative(lambda s, a, p: p * self.old.q[s][a])

    def sampled(self, term: Callable[[int, int], Vec]) -> Vec:
        """The sum over nu_old and the old policy."""
        return sum(
            (term(s, a) * (self.old.nu[s] * self.old.p[s][a]) for s, a in self.pairs()),
            0 * self.trpo(),
        )

    def policy_slope(self, s: int, a: int) -> Vec:
        """nabla_W pi(a | s) of the new policy."""
        return self.new.score(s, a) * self.new.p[s][a]

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {
            "MDP": self.old.name,
            "old policy": tuple(self.old.p),
            "new policy": tuple(self.new.p),
            "epsilon": self.epsilon,
        }


_CASES = [
    Surrogate(TREE, (Vec(1, 2), Vec(3, 1), Vec(2, 3))),
    Surrogate(TREE, (Vec(3, 1), Vec(1, 1), Vec(5, 1))),
    Surrogate(TREE, (Vec(1, 9), Vec(9, 1), Vec(2, 1)), Fraction(1, 3)),
    Surrogate(LOOP, (Vec(3, 2, 1), Vec(1, 1, 4))),
    Surrogate(LOOP, (Vec(1, 2, 4), Vec(5, 1, 1)), Fraction(1, 10)),
]
_DOMAIN = (
    "two small MDPs, five pairs of old and new policies, ratios below, within and above the"
    " clipping range"
)


def _clip(value: Callable[[int, int], Fraction], s: Surrogate) -> Callable[[int, int], Vec]:
    return lambda state, a: s.new.preference_slope(state, a) * (s.ratio(state, a) * value(state, a))


STATEMENTS: dict[str, Statement] = {
    "ppo-gradient-away-from-kinks": Statement(
        lambda s: s.ppo(),
        lambda s: s.sampled(
            lambda state, a: (
                s.policy_slope(state, a)
                * (s.condition(state, a) / s.old.p[state][a] * s.h(state, a))
            )
        ),
        _CASES,
        _DOMAIN,
    ),
    "ppo-gradient-simplified": Statement(
        lambda s: s.ppo(),
        lambda s: sum(
            (
                s.policy_slope(state, a) * (s.old.nu[state] * s.h(state, a) * s.condition(state, a))
                for state, a in s.pairs()
            ),
            0 * s.ppo(),
        ),
        _CASES,
        _DOMAIN,
    ),
    "ppo-regular-estimator": Statement(
        lambda s: s.ppo(),
        lambda s: s.sampled(
            lambda state, a: s.new.score(state, a) * (s.ratio(state, a) * s.clipped(state, a))
        ),
        _CASES,
        _DOMAIN,
    ),
    "ppo-alternate-likelihood": Statement(
        lambda s: join(
            [
                sum(
                    (s.policy_slope(state, a) * s.clipped(state, a) for a in s.old.actions),
                    0 * s.ppo(),
                )
                for state in s.old.states
            ]
        ),
        lambda s: join(
            [
                sum(
                    (
                        join([basis(a, s.old.k) * x for x in s.old.features[state]])
                        * (s.new.p[state][a] * (s.clipped(state, a) - s.clipped_mean(state)))
                        for a in s.old.actions
                    ),
                    0 * s.ppo(),
                )
                for state in s.old.states
            ]
        ),
        _CASES,
        _DOMAIN,
    ),
    "ppo-alternate-sum": Statement(
        lambda s: s.ppo(),
        lambda s: sum(
            (
                s.new.preference_slope(state, a)
                * (
                    s.old.nu[state]
                    * s.old.p[state][a]
                    * s.ratio(state, a)
                    * (s.clipped(state, a) - s.clipped_mean(state))
                )
                for state, a in s.pairs()
            ),
            0 * s.ppo(),
        ),
        _CASES,
        _DOMAIN,
    ),
    "ppo-alternate-estimator": Statement(
        lambda s: s.ppo(),
        lambda s: s.sampled(_clip(lambda state, a: s.clipped(state, a) - s.clipped_mean(state), s)),
        _CASES,
        _DOMAIN,
    ),
    "trpo-regular-estimator": Statement(
        lambda s: s.trpo(),
        lambda s: s.sampled(
            lambda state, a: s.new.score(state, a) * (s.ratio(state, a) * s.old.q[state][a])
        ),
        _CASES,
        _DOMAIN,
    ),
    "trpo-alternate-estimator": Statement(
        lambda s: s.trpo(),
        lambda s: s.sampled(
            _clip(lambda state, a: s.old.q[state][a] - dot(s.new.p[state], s.old.q[state]), s)
        ),
        _CASES,
        _DOMAIN,
    ),
    "exact-expectation-keeps-unbiased": Statement(
        lambda s: join([s.trpo(), s.ppo()]),
        lambda s: join(
            [
                s.sampled(
                    _clip(
                        lambda state, a: s.old.q[state][a] - dot(s.new.p[state], s.old.q[state]), s
                    )
                ),
                s.sampled(_clip(lambda state, a: s.clipped(state, a) - s.clipped_mean(state), s)),
            ]
        ),
        _CASES,
        _DOMAIN,
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def surrogates(claim: str) -> Finding:
    """Both sides of each statement on PPO and TRPO, as fractions.

    Both sides hold the old policy's occupancy and advantages, as the surrogates do; the regular and
    the alternate form must agree in the mean under the old policy.
    """
    return STATEMENTS[claim].judged()
