"""The entropy-regularized gradient (appendix C.4), with any numbers in the place of the
logarithms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec, basis, dot, join
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.mdps.cases_environment import LOOP, TREE, Mdp


@dataclass(frozen=True)
class Entropic:
    """An MDP whose steps earn tau H(s) more; `logs` stands for log pi(a | s).

    The identities use of a logarithm only that its derivative is that of its argument over the
    argument, so any numbers will do.

    Fractions have no logarithms, so any numbers stand for them; an identity that holds for all
    numbers holds for the logarithms. (S,) vectors over states, (A,) over actions.

    Args:
        mdp: with the rewards as they are without entropy.
        tau: the weight of the entropy.
    """

    mdp: Mdp
    logs: tuple[Vec, ...]
    tau: Fraction

    @property
    def entropy(self) -> Vec:
        """H(s) = - sum_a pi(a | s) log pi(a | s)."""
        return Vec(*(-dot(self.mdp.p[s], self.logs[s]) for s in self.mdp.states))

    def entropy_slope(self, s: int) -> Vec:
        """d H(s) / d theta_c(s) by the product rule: - sum_a (d pi(a) log pi(a) + d pi(a))."""
        slopes = [self.mdp.policy_slope(s, c) for c in self.mdp.actions]
        return Vec(
            *(-dot(slope, self.logs[s]) - sum(slope.entries, Fraction(0)) for slope in slopes)
        )

    @property
    def augmented(self) -> Mdp:
        """The MDP with the augmented reward."""
        return replace(self.mdp, bonus=self.tau * self.entropy)

    def gradient(self) -> Vec:
        """The gradient of the regularized objective, by differentiating its values."""
        # the bonus depends on the policy of its own state
        slopes = [self.tau * self.entropy_slope(s) for s in self.mdp.states]
        return self.mdp.by_weights(self.augmented.gradient(slopes))

    def in_weights(self, s: int, row: Vec) -> Vec:
        """x(s) row^T, as the vector of its rows."""
        return join([row * x for x in self.mdp.features[s]])

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it: that of the MDP, the stand-ins for logarithms, and
        tau.
        """
        return {**self.mdp.described(), "logarithms": self.logs, "tau": self.tau}


_ENTROPIC = [
    Entropic(
        TREE, (Vec(-2, Fraction(-1, 3)), Vec(-1, -3), Vec(Fraction(-1, 2), -1)), Fraction(1, 2)
    ),
    Entropic(LOOP, (Vec(-3, -1, Fraction(-1, 2)), Vec(-1, -2, -4)), Fraction(2, 3)),
]
_MDPS = "two small MDPs, any numbers for the logarithms"


def _concentration(r: Vec, n: int) -> Fraction:
    """sum_a pi(a)^2 for pi proportional to 2^(n r(a))."""
    weights = Vec(*(Fraction(2) ** int(n * reward) for reward in r))
    policy = weights / sum(weights.entries, Fraction(0))
    return dot(policy, policy)


def _return(path: Sequence[tuple[int, int, Fraction, int | None]], m: Entropic) -> Fraction:
    """sum_t gamma^t (R_{t+1} + tau H(S_t)) along one episode."""
    return sum(
        (
            m.mdp.gamma**t * (reward + m.tau * m.entropy[s])
            for t, (s, _, reward, _) in enumerate(path)
        ),
        Fraction(0),
    )


def _states(m: Entropic, row: Callable[[int], Vec]) -> Vec:
    return join([m.in_weights(s, row(s)) for s in m.mdp.states])


STATEMENTS: dict[str, Statement] = {
    "entropy-objective-is-augmented-reward": Statement(
        lambda m: m.augmented.objective,
        lambda m: sum(
            (weight * _return(path, m) for weight, path in m.mdp.episodes()), Fraction(0)
        ),
        _ENTROPIC[:1],
        "all episodes of an MDP without cycles",
    ),
    "entropy-values-consistent": Statement(
        lambda m: m.augmented.v,
        lambda m: Vec(*(dot(m.mdp.p[s], m.augmented.q[s]) for s in m.mdp.states)),
        _ENTROPIC,
        _MDPS,
    ),
    "entropy-policy-gradient": Statement(
        lambda m: m.gradient(),
        lambda m: sum(
            (
                (
                    m.mdp.score(s, a) * (m.augmented.q[s][a] - m.augmented.v[s])
                    + m.tau * m.in_weights(s, m.entropy_slope(s))
                )
                * (m.mdp.nu[s] * m.mdp.p[s][a])
                for s in m.mdp.states
                for a in m.mdp.actions
            ),
            0 * m.gradient(),
        ),
        _ENTROPIC,
        _MDPS,
    ),
    "entropy-gradient-product-rule": Statement(
        lambda m: join(
            [*(m.entropy_slope(s) for s in m.mdp.states), Vec(*(0 for s in m.mdp.states))]
        ),
        lambda m: join(
            [
                *(
                    Vec(*(-dot(m.mdp.policy_slope(s, c), m.logs[s]) for c in m.mdp.actions))
                    for s in m.mdp.states
                ),
                Vec(
                    *(
                        sum((m.mdp.policy_slope(s, 0)[a] for a in m.mdp.actions), Fraction(0))
                        for s in m.mdp.states
                    )
                ),
            ]
        ),
        _ENTROPIC,
        _MDPS,
    ),
    "entropy-gradient-score": Statement(
        lambda m: _states(m, m.entropy_slope),
        lambda m: _states(
            m,
            lambda s: (
                -sum(
                    (
                        (basis(a, m.mdp.k) - m.mdp.p[s]) * (m.mdp.p[s][a] * m.logs[s][a])
                        for a in m.mdp.actions
                    ),
                    0 * m.mdp.p[s],
                )
            ),
        ),
        _ENTROPIC,
        _MDPS,
    ),
    "entropy-gradient-split": Statement(
        lambda m: _states(m, m.entropy_slope),
        lambda m: _states(
            m, lambda s: -(m.mdp.p[s] * m.logs[s] - m.mdp.p[s] * dot(m.mdp.p[s], m.logs[s]))
        ),
        _ENTROPIC,
        _MDPS,
    ),
    "larger-tau-more-uniform": Statement(
        # 2^(r / tau) for e^(r / tau): any base above one
        lambda r: Vec(*(_concentration(r, n) for n in (1, 2, 4))),
        lambda r: Vec(*(_concentration(r, n) for n in (2, 4, 8))),
        [Vec(0, 1), Vec(1, 2, 3), Vec(0, 0, 1)],
        "the softmax of r / tau for tau = 1, 1/2, 1/4 against 1/2, 1/4, 1/8",
        "<",
        summary="the sum of the squared probabilities, smaller for the more uniform policy",
    ),
    "entropy-gradient-final": Statement(
        lambda m: _states(m, m.entropy_slope),
        lambda m: _states(m, lambda s: -(m.mdp.p[s] * m.logs[s] + m.entropy[s] * m.mdp.p[s])),
        _ENTROPIC,
        _MDPS,
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def entropy_gradients(claim: str) -> Finding:
    """Both sides of each statement on the entropy, as fractions.

    Appendix C.4: both sides by differentiating the MDP's linear system of values, with the
    augmented reward R + τ H(S).
    """
    return STATEMENTS[claim].judged()
