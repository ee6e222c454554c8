"""Losses that are written in log-probabilities, as trainers' are, rather than in logits: the chain
rule through the policy, exactly.

A loss that asks for `logprobs` or `pi` is differentiated in them, and the result carried to the
policy's parameters by the scores ∇ log π of the space. Declare the name as frozen to have it
stopped instead; `old_logprobs` always is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.draw_names import ALIASES
from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import Batch, Points

THROUGH_POLICY = ("logprobs", "pi")
"""Parts of a draw through which a loss is differentiated."""


def through_policy(
    gradient: Callable[..., Mapping[str, Any]], needs: Sequence[str], frozen: Sequence[str] = ()
) -> Any:
    """The gradient of a wrapped loss in the parameters, when it asks for `logprobs` or `pi`; else
    the gradient as it is.

    Args:
        gradient: (groups, draw) -> ascent direction for each group; it is handed `logprobs` and
            `pi` as groups of their own.
        needs: the names the loss asks for.
        frozen: names to be treated as constants.
    """
    inner = _inner(needs, frozen)
    if not inner:
        return gradient

    def carried(parameters: Parameters, draw: Draw) -> dict[str, Any]:
        found = dict(gradient({**parameters, **{name: draw[name] for name in inner}}, draw))
        for name in inner:
            slope = found.pop(name)
            for group in draw.space.policy.shapes:
                found[group] = found[group] + _carry(name, slope, group, draw)
        return found

    return carried


def _inner(needs: Sequence[str], frozen: Sequence[str]) -> tuple[str, ...]:
    """What it asks for that moves with the policy."""
    return tuple(name for name in THROUGH_POLICY if name in needs and name not in frozen)


def value_through_policy(
    loss: Any, needs: Sequence[str], frozen: Sequence[str] = ()
) -> Callable[[Parameters, Draw], float]:
    """The loss itself at (parameters, draw), for a wrapped loss that has `value`."""
    inner = _inner(needs, frozen)
    return lambda parameters, draw: float(
        loss.value({**parameters, **{name: draw[name] for name in inner}}, draw)
    )


def through_policy_together(loss: Any, needs: Sequence[str], frozen: Sequence[str] = ()) -> Batch:
    """The same on many draws at once, for a wrapped loss that has `together`."""
    inner = _inner(needs, frozen)

    def together(points: Points, draws: Draws) -> dict[str, Any]:
        given = {name: points.array(name) for name in points.names}
        stacked = set() if points.policy is None else set(given)
        for name in inner:
            given[name] = draws.array(name)
        names = [
            name
            for name in needs
            if ALIASES.get(name, name) not in given and name not in given and name in draws
        ]
        data = {name: draws.array(name) for name in names}
        stacked |= {name for name in (*inner, *names) if not draws.shared(name)}
        found = dict(loss.together(given, data, stacked, len(draws)))
        for name in inner:
            slope = found.pop(name)
            for group in draws.space.policy.shapes:
                found[group] = found[group] + _carry_together(name, slope, group, draws)
        return found

    return together


def _carry_together(name: str, slope: np.ndarray, group: str, draws: Draws) -> np.ndarray:
    # written apart from `_carry` on purpose: single calls are what batched ones are compared with
    if name == "pi":
        slope, scores = slope * draws.array("pi"), draws.table_scores(group)
        if draws.policy is None:
            axes = list(range(1, slope.ndim))
            return np.tensordot(
                slope,
                scores,
                axes=(
                    axes,
                    list(range(scores.ndim - len(np.shape(draws.space.parameters[group])))),
                ),
            )
    else:
        scores = draws.scores_of(group)
    spread = slope.reshape(*slope.shape, *[1] * (scores.ndim - slope.ndim))
    return (spread * scores).sum(axis=tuple(range(1, slope.ndim)))


def _carry(name: str, slope: np.ndarray, group: str, draw: Draw) -> np.ndarray:
    if name == "pi":
        slope, scores = slope * draw["pi"], draw.table_scores(group)
    else:
        scores = draw.scores_of(group)
    axes = list(range(slope.ndim))
    return np.tensordot(slope, scores, axes=(axes, axes))
