"""Ready-made kinds of spaces: bandits, contextual bandits, lists of episodes; and policies of the
user's own on them. MDPs: `mdps`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import (
    as_fraction,
    as_list,
    checked_chances,
    checked_floats,
    float_array,
    shown,
)
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.exact_points import point_at
from altpg_verify.audit.mdp_values import outcomes
from altpg_verify.audit.mdps import point_of_softmax
from altpg_verify.audit.policies import (
    FIXED,
    FunctionPolicy,
    Parameters,
    TablePolicy,
    softmax_policy,
)
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput


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
        rewards: for each action a number, or a list of (reward, probability) pairs, the
            probabilities exact.
        pi: (k,) the policy at the point of the audit, exact ("1/6"); uniform if neither it nor
            theta is given.
        theta: (k,) the same as logits.
        name: what reports call the space.
        discount: γ.

    Raises:
        BadInput: there are no rewards, something is no number, chances don't add up to 1, or the
            policy isn't a positive probability for each action.

    Examples:
        >>> from altpg_verify.audit import bandit
        >>> str(bandit([1, "1/2", 0]).batch(4))
        'bandit, batches of 4'
    """
    here = as_list("rewards", rewards)
    if not here:
        raise BadInput(
            "rewards: there are no actions; give what each action pays, such as bandit([1,"
            " '1/2', 0])"
        )
    return contexts(
        [here], pi=None if pi is None else [pi], theta=None if theta is None else [theta], name=name
    ).discounted(discount)


def contexts(
    rewards: Sequence[Sequence[Any]],
    *,
    pi: Sequence[Sequence[Any]] | None = None,
    theta: Sequence[Sequence[float]] | None = None,
    weights: Sequence[Any] | None = None,
    legal: Sequence[Sequence[bool]] | None = None,
    name: str = "contextual bandit",
) -> Space:
    """Several prompts, each a bandit with its own logits; θ is (prompts, actions), or (actions,) if
    there is one prompt.

    Args:
        rewards: (prompts, actions) a number, or a list of (reward, probability) pairs, for each.
        pi: (prompts, actions) the policy at the point of the audit, exact ("1/6"); uniform if
            neither it nor theta is given.
        theta: the same as logits, in float64.
        weights: (prompts,) how probable each prompt is; equally, by default.
        legal: (prompts, actions) false where the action can't be taken.
        name: what reports call the space.

    Raises:
        BadInput: prompts with different numbers of actions or without a legal one, something is no
            number, or chances don't add up to 1.

    Examples:
        >>> from altpg_verify.audit import contexts
        >>> str(contexts([[1, 0], [0, 1]]).group(4))
        'contextual bandit, groups of 4 from one start'
    """
    rows = [
        as_list(f"rewards of prompt {s}", row) for s, row in enumerate(as_list("rewards", rewards))
    ]
    if not rows or not rows[0]:
        raise BadInput(
            "rewards: there are no actions; give what each action pays, such as contexts([[1, 0],"
            " [1, 0]])"
        )
    states, actions = len(rows), len(rows[0])
    for s, row in enumerate(rows):
        if len(row) != actions:
            raise BadInput(
                f"rewards: prompt {s} has {len(row)} actions and prompt 0 has {actions}; give each"
                " prompt as many"
            )
    starts = (
        [Fraction(1, states)] * states
        if weights is None
        else checked_chances("weights", weights, positive=True)
    )
    if len(starts) != states:
        raise BadInput(
            f"weights: there are {len(starts)} chances for {states} prompts; give one for each"
        )
    allowed = _allowed(legal, states, actions)
    episodes = tuple(
        Episode(starts[s] * chance, (s,), (a,), (reward,))
        for s in range(states)
        for a in range(actions)
        if allowed[s][a]
        for reward, chance in outcomes(rows[s][a])
    )
    policy = softmax_policy(states, actions, None if legal is None else allowed)
    if theta is not None:
        if pi is not None:
            raise BadInput("pi and theta are both given; give the policy once")
        values = float_array("theta", theta)
        if values.size != states * actions:
            raise BadInput(
                f"theta has {values.size} entries for {states * actions} actions; give a logit for"
                " each"
            )
        return Space(name, episodes, policy, {"theta": values.reshape(policy.shape)})
    return Space(name, episodes, policy, **point_of_softmax(policy, pi))


def _allowed(legal: Any, states: int, actions: int) -> list[list[bool]]:
    if legal is None:
        return [[True] * actions] * states
    rows = [as_list("legal", row) for row in as_list("legal", legal)]
    if [len(row) for row in rows] != [actions] * states or not all(
        entry in (True, False) for row in rows for entry in row
    ):
        raise BadInput(f"legal must be {states} rows of {actions} truth values, not {shown(legal)}")
    return [[bool(entry) for entry in row] for row in rows]


def decisions(
    episodes: Sequence[Episode],
    policy: TablePolicy,
    probabilities: Sequence[Any],
    *,
    discount: Any = 1,
    name: str = "decision problem",
) -> Space:
    """A problem given by its list of episodes.

    Args:
        episodes: everything that can happen, each with the environment's share of its probability.
        policy: a sigmoid policy, one logit for each entry of `probabilities`.
        probabilities: of action 1 in each state, exact, strictly between 0 and 1.
        discount: γ.
        name: what reports call the space.

    Raises:
        BadInput: something is no number, a probability isn't strictly between 0 and 1, or they
            aren't as many as the policy's logits.

    Examples:
        >>> from altpg_verify.audit import Episode, decisions, sigmoid_policy
        >>> episodes = [Episode(1, (0,), (0,), (1,)), Episode(1, (0,), (1,), (0,))]
        >>> str(decisions(episodes, sigmoid_policy(1), ("1/2",)))
        'decision problem, one episode a draw'
    """
    exact = [as_fraction("probabilities", p) for p in as_list("probabilities", probabilities)]
    for p in exact:
        if not 0 < p < 1:
            raise BadInput(
                f"probabilities: {p} is not strictly between 0 and 1; give the probability of"
                " action 1 in each state"
            )
    if not isinstance(policy, TablePolicy) or any(row[0] != FIXED for row in policy.index):
        raise BadInput(
            "policy: decisions need a sigmoid policy, in which action 0 has a logit of 0; give"
            " sigmoid_policy(states)"
        )
    point = point_at(policy, [p / (1 - p) for p in exact], {}, "probabilities")
    return Space(
        name,
        tuple(as_list("episodes", episodes)),
        policy,
        discount=as_fraction("discount", discount),
        **point,
    )


def with_policy(space: Space, logits: Callable[[Parameters], np.ndarray], **groups: Any) -> Space:
    """The same episodes under a policy of the user's own: softmax over logits that a function makes
    of named parameters.

    Args:
        space: has the episodes; its groups of parameters that its own policy doesn't read are kept.
        logits: parameters -> (states, actions), a numpy function.
        groups: the parameters at the point of the audit, by name.

    Raises:
        BadInput: there are no parameters, or the function fails there or returns no logits for each
            state and action.

    Examples:
        >>> from altpg_verify.audit import bandit, with_policy
        >>> def logits(parameters):
        ...     return parameters["w"][None, :]
        >>> space = with_policy(bandit([1, 0]), logits, w=[0.0, 0.0])
        >>> space.policy.shapes
        {'w': (2,)}
    """
    if not isinstance(space, Space):
        raise BadInput(
            f"with_policy needs a space, not {shown(space)}; write with_policy(bandit([1, 0]),"
            " logits, w=[0.0, 0.0])"
        )
    parameters = {name: float_array(name, values) for name, values in groups.items()}
    if not parameters:
        raise BadInput(
            "with_policy needs the parameters that the logits are made of, by name, such as w=[0.0,"
            " 0.0]"
        )
    policy = FunctionPolicy(
        logits, tuple((name, values.shape) for name, values in parameters.items())
    )
    kept = {
        name: values for name, values in space.parameters.items() if name not in space.policy.shapes
    }
    try:
        with np.errstate(all="ignore"):
            table = policy.table({**kept, **parameters})
    except Exception as error:
        raise BadInput(
            f"logits raised {type(error).__name__}: {shown(str(error))}; return (states, actions)"
            " logits"
        ) from error
    checked_floats("softmax of the logits", table, (space.states, space.actions))
    return replace(space, policy=policy, parameters={**kept, **parameters}, weights=None)
