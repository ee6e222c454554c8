"""The two numbers that the paper's fixed point on the chain can mean, each by its own short
iteration.

The lemma with immediate rewards, as the paper applies it: π(a|s) ∝ 1/(r(s, a) - b). The exact fixed
point of the expected REINFORCE update: π(a|s) ∝ 1/(q_π(s, a) - b), whose right side depends on π.
Values come from a linear solve, not from the elimination that the agents use.
"""

from __future__ import annotations

import functools

import numpy as np

STATES = 5
START = 2
GAMMA = 0.9
_SLOWEST = 0.92


def action_values(right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """v (5,) and q (5, 2) of the policy that goes right with these probabilities (5,).

    States are s1 ... s5 from left to right, actions left and right, γ = 0.9. The linear system is
    (I - γ P) v = r with P the chances to go on and r the expected immediate reward.
    """
    # moves between the five states; leaving at either end is no entry
    to = np.diag(right[:-1], 1) + np.diag(1.0 - right[1:], -1)
    reward = np.zeros(STATES)
    reward[-1] = right[-1]
    v = np.linalg.solve(np.eye(STATES) - GAMMA * to, reward)
    q = np.zeros((STATES, 2))
    q[1:, 0] = GAMMA * v[:-1]
    q[:-1, 1] = GAMMA * v[1:]
    q[-1, 1] = 1.0
    return v, q


def value(right: np.ndarray) -> float:
    """v(s3), the value of the start state, of the policy that goes right with these probabilities
    (5,).
    """
    return float(action_values(right)[0][START])


def immediate_reward_point(b: float) -> np.ndarray:
    """P(right|s) at the lemma's point, state by state, from the immediate rewards.

    π(a|s) ∝ 1/(r(s, a) - b): 1/2 in all states but the last. The paper applies its lemma so
    (appendix E.3), and gets v(s3) = 0.28 for b = +4.
    """
    rewards = np.zeros((STATES, 2))
    rewards[-1, 1] = 1.0
    return _lemma(rewards, b)


@functools.cache
def _exact(b: float) -> tuple[float, ...]:
    right = np.full(STATES, 0.5)
    for _ in range(10_000):
        after = _lemma(action_values(right)[1], b)
        # a few units in the last place: the iteration contracts fast
        if np.abs(after - right).max() < 1e-15:
            return tuple(after)
        right = after
    raise ArithmeticError(f"the fixed-point iteration for b = {b} did not converge")


def exact_point(b: float) -> np.ndarray:
    """P(right|s) at the fixed point of the expected update, by iterating the lemma with the action
    values.

    π(a|s) ∝ 1/(q_π(s, a) - b), iterated from the uniform policy to 1e-15; b > 1 or b < 0, on one
    side of all action values.
    """
    return np.array(_exact(b))


def _lemma(values: np.ndarray, b: float) -> np.ndarray:
    # π ∝ 1/(q - b), whatever the sign of q - b, as long as it is one for both actions
    weight = 1.0 / (values - b)
    return weight[:, 1] / weight.sum(axis=1)


def relaxation_time(alpha: float) -> float:
    """Episodes in which a deviation from the exact fixed point for b = +4 falls to 1/e, for small
    alpha.

    The expected update, as a flow in alpha times episodes, returns at the rate 0.92 along its
    slowest direction.
    """
    return 1.0 / (_SLOWEST * alpha)
