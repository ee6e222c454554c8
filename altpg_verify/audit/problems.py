"""Ready-made kinds of spaces: bandits, contextual bandits, lists of episodes, small MDPs; and policies of the user's own on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.policies import FunctionPolicy, Parameters, TablePolicy, softmax_policy
from altpg_verify.audit.spaces import Episode, Space, as_fraction, point_at
from altpg_verify.errors import BadInput

MOST_EPISODES = 300_000
"""The largest number of episodes that an MDP is unrolled into."""


def bandit(
    rewards: Sequence[Any],
    *,
    pi: Sequence[Any] | None = None,
    theta: Sequence[float] | None = None,
    name: str = "bandit",
    discount: Any = 1,
) -> Space:
    """One state, softmax over k actions.

    Args:
        rewards: for each action a number, or a list of (reward, probability) pairs.
        pi: (k,) the policy at the point of the audit, exact ("1/6"); uniform if neither it nor theta is given.
        theta: (k,) the same as logits.
        name: what reports call the space.
        discount: γ.

    Raises:
        BadInput: something is no number, or the policy gives no positive number for each action.
    """
    return contexts([rewards], pi=None if pi is None else [pi], theta=None if theta is None else [theta], name=name).discounted(discount)


def contexts(
    rewards: Sequence[Sequence[Any]],
    *,
    pi: Sequence[Sequence[Any]] | None = None,
    theta: Sequence[Sequence[float]] | None = None,
    weights: Sequence[Any] | None = None,
    legal: Sequence[Sequence[bool]] | None = None,
    name: str = "contextual bandit",
) -> Space:
    """Several prompts, each a bandit with its own logits; θ is (prompts, actions), or (actions,) if there is one prompt.

    Args:
        rewards: (prompts, actions) a number, or a list of (reward, probability) pairs, for each.
        pi: (prompts, actions) the policy at the point of the audit, exact ("1/6"); uniform if neither it nor theta is given.
        theta: the same as logits, in float64.
        weights: (prompts,) how probable each prompt is; equally, by default.
        legal: (prompts, actions) false where the action can't be taken.
        name: what reports call the space.

    Raises:
        BadInput: prompts with different numbers of actions or without a legal one, or something is no number.
    """
    states, actions = len(rewards), len(rewards[0])
    for s, row in enumerate(rewards):
        if len(row) != actions:
            raise BadInput(f"rewards: prompt {s} has {len(row)} actions and prompt 0 has {actions}; give each prompt as many")
    starts = [Fraction(1, states)] * states if weights is None else [as_fraction("weights", weight) for weight in weights]
    allowed = legal or [[True] * actions] * states
    episodes = tuple(
        Episode(starts[s] * chance, (s,), (a,), (reward,))
        for s in range(states)
        for a in range(actions)
        if allowed[s][a]
        for reward, chance in _outcomes(rewards[s][a])
    )
    policy = softmax_policy(states, actions, legal)
    if theta is not None:
        return Space(name, episodes, policy, {"theta": np.asarray(theta, dtype=float).reshape(policy.shape)})
    flat = [Fraction(1, actions)] * (states * actions) if pi is None else [entry for row in pi for entry in row]
    return Space(name, episodes, policy, **point_at(policy, flat, {}))


def decisions(
    episodes: Sequence[Episode], policy: TablePolicy, probabilities: Sequence[Any], *, discount: Any = 1, name: str = "decision problem"
) -> Space:
    """A problem given by its list of episodes.

    Args:
        episodes: everything that can happen, each with the environment's share of its probability.
        policy: a sigmoid policy, one logit for each entry of `probabilities`.
        probabilities: of action 1 in each state, exact, strictly between 0 and 1.
        discount: γ.
        name: what reports call the space.

    Raises:
        BadInput: something is no number, or the probabilities aren't as many as the policy's logits.
    """
    exact = [as_fraction("probabilities", p) for p in probabilities]
    return Space(
        name, tuple(episodes), policy, discount=as_fraction("discount", discount), **point_at(policy, [p / (1 - p) for p in exact], {})
    )


def mdp(
    transitions: Any,
    rewards: Any,
    start: Sequence[Any],
    *,
    horizon: int,
    discount: Any = 1,
    ends: Sequence[int] = (),
    pi: Any = None,
    name: str = "MDP",
) -> Space:
    """A small MDP played for at most `horizon` steps from its start distribution.

    Args:
        transitions: `[s][a][s']` probabilities.
        rewards: `[s][a]` what a step pays, a number.
        start: `[s]` the probability to start there.
        horizon: steps after which an episode is over, wherever it is.
        discount: γ.
        ends: states in which the episode is over.
        pi: `[s][a]` the policy, exact; uniform by default.
        name: what reports call the space.

    Raises:
        BadInput: something is no number, or there are more episodes than are enumerated (`MOST_EPISODES`).
    """
    states, actions = len(transitions), len(transitions[0])
    found: list[Episode] = []

    def play(chance: Fraction, visited: tuple[int, ...], taken: tuple[int, ...], paid: tuple[Fraction, ...], state: int) -> None:
        if state in ends or len(taken) == horizon:
            found.append(Episode(chance, visited, taken, paid))
            return
        for a in range(actions):
            for following in range(states):
                share = as_fraction("transitions", transitions[state][a][following])
                if share:
                    reward = as_fraction("rewards", rewards[state][a])
                    play(chance * share, (*visited, state), (*taken, a), (*paid, reward), following)

    for state in range(states):
        share = as_fraction("start", start[state])
        if share:
            play(share, (), (), (), state)
        if len(found) > MOST_EPISODES:
            raise BadInput(f"the MDP has more than {MOST_EPISODES:,} episodes within {horizon} steps; shorten the horizon")
    policy = softmax_policy(states, actions)
    flat = [Fraction(1, actions)] * (states * actions) if pi is None else [entry for row in pi for entry in row]
    return Space(name, tuple(_merged(found)), policy, discount=as_fraction("discount", discount), **point_at(policy, flat, {}))


def _merged(episodes: Sequence[Episode]) -> Iterator[Episode]:
    """Episodes that differ in nothing an update can see are one."""
    chances: dict[tuple[Any, ...], Fraction] = {}
    for episode in episodes:
        key = (episode.states, episode.actions, episode.rewards)
        chances[key] = chances.get(key, Fraction(0)) + episode.chance
    return (Episode(chance, *key) for key, chance in chances.items())


def with_policy(space: Space, logits: Callable[[Parameters], np.ndarray], **groups: Any) -> Space:
    """The same episodes under a policy of the user's own: softmax over logits that a function makes of named parameters.

    Args:
        space: has the episodes; its groups of parameters that its own policy doesn't read are kept.
        logits: parameters -> (states, actions), a numpy function.
        groups: the parameters at the point of the audit, by name.
    """
    parameters = {name: np.asarray(values, dtype=float) for name, values in groups.items()}
    policy = FunctionPolicy(logits, tuple((name, values.shape) for name, values in parameters.items()))
    kept = {name: values for name, values in space.parameters.items() if name not in space.policy.shapes}
    return replace(space, policy=policy, parameters={**kept, **parameters}, weights=None)


def _outcomes(reward: Any) -> list[tuple[Fraction, Fraction]]:
    if isinstance(reward, Sequence) and not isinstance(reward, str):
        return [(as_fraction("rewards", value), as_fraction("rewards", chance)) for value, chance in reward]
    return [(as_fraction("rewards", reward), Fraction(1))]
