"""How parameters become the policy of a small decision problem: a table with one row of action
probabilities for each state.

Tabular policies are rational functions of the weights e^θ, so they can be had in exact numbers; any
other policy is a numpy function from the named parameters to logits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from altpg_verify.cases import vector
from altpg_verify.differences import jacobian
from altpg_verify.errors import BadInput

Parameters = Mapping[str, np.ndarray]
"""Named groups of parameters, e.g. {"theta": (k,)}."""

FIXED, ILLEGAL = -1, -2
"""Entries of a table of indices that are no parameter: a logit fixed at 0, an action that can't be
taken.
"""


class Policy(Protocol):
    """What a space needs of a policy."""

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The groups of parameters it depends on."""

    def table(self, parameters: Parameters) -> np.ndarray:
        """(states, actions) probabilities in float64."""

    def scores(self, parameters: Parameters) -> dict[str, np.ndarray]:
        """For each group (states, actions, *shape): ∇ log π(a | s); zero for actions that can't be
        taken.
        """


@dataclass(frozen=True)
class TablePolicy:
    """Softmax in each state over logits that are parameters, or fixed at 0: tabular, sigmoid,
    masked, or with shared logits.

    Args:
        index: (states, actions): which entry of θ, flattened, is this action's logit; or `FIXED`,
            or `ILLEGAL`.
        shape: the shape of θ.
        group: what the parameters are called.

    Examples:
        >>> from altpg_verify.audit import softmax_policy
        >>> softmax_policy(2, 3).shapes
        {'theta': (2, 3)}
    """

    index: tuple[tuple[int, ...], ...]
    shape: tuple[int, ...]
    group: str = "theta"

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """One group, of the shape of θ."""
        return {self.group: self.shape}

    @property
    def separate(self) -> bool:
        """No logit belongs to two actions, and each to one."""
        used = [i for row in self.index for i in row if i >= 0]
        return sorted(used) == list(range(int(np.prod(self.shape))))

    def table(self, parameters: Parameters) -> np.ndarray:
        """(states, actions) π(a | s) = e^θ_i / Σ_c e^θ_index(s, c) in float64, i = index(s, a); 0
        for actions that can't be taken.
        """
        theta = np.asarray(parameters[self.group], dtype=float).reshape(-1)
        # the two entries that are no parameter sit at the end, where -1 and -2 find them
        logits = np.concatenate([theta, [-np.inf, 0.0]])[np.array(self.index)]
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def exact_table(self, weights: Sequence[Any]) -> np.ndarray:
        """(states, actions) probabilities from the weights e^θ, flattened, in whatever numbers they
        are.
        """
        rows = []
        for row in self.index:
            entries = [0 if i == ILLEGAL else 1 if i == FIXED else weights[i] for i in row]
            total = sum(entries)
            rows.append(vector([entry / total for entry in entries]))
        return np.array(rows, dtype=object)

    def scores(self, parameters: Parameters) -> dict[str, np.ndarray]:
        """{group: (states, actions, *shape)} ∇ log π in float64; see `scores_of`."""
        return {self.group: self.scores_of(self.table(parameters))}

    def scores_of(self, table: np.ndarray) -> np.ndarray:
        """(states, actions, *shape): ∂ log π(a | s) / ∂θᵢ = Σ_c [index(s, c) = i] ([a = c] - π(c |
        s)).
        """
        index = np.array(self.index)
        states, actions = table.shape
        state, action = np.nonzero(index >= 0)
        which = index[state, action]
        # a zero of the table's own numbers: a bare int divided by an int would turn exact numbers
        # into floats
        pooled = np.full((states, int(np.prod(self.shape))), 0 * table.flat[0], dtype=table.dtype)
        np.add.at(pooled, (state, which), table[state, action])
        out = np.repeat(-pooled[:, None, :], actions, axis=1)
        out[state, action, which] = out[state, action, which] + 1
        out[index == ILLEGAL] = 0 * table.flat[0]
        return out.reshape(states, actions, *self.shape)


@dataclass(frozen=True)
class FunctionPolicy:
    """Softmax over logits that a numpy function makes of the parameters: features, a shared trunk,
    a capped policy.

    Args:
        logits: parameters -> (states, actions).
        groups: the shape of each group it reads.

    Examples:
        >>> import numpy as np
        >>> from altpg_verify.audit import FunctionPolicy
        >>> policy = FunctionPolicy(lambda parameters: parameters["w"][None, :], (("w", (2,)),))
        >>> policy.table({"w": np.zeros(2)})
        array([[0.5, 0.5]])
    """

    logits: Callable[[Parameters], np.ndarray]
    groups: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of each group the logits read."""
        return dict(self.groups)

    def table(self, parameters: Parameters) -> np.ndarray:
        """(states, actions) softmax of the function's logits, in float64; 0 where a logit is -∞."""
        logits = np.atleast_2d(np.asarray(self.logits(parameters), dtype=float))
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def scores(self, parameters: Parameters) -> dict[str, np.ndarray]:
        """For each group (states, actions, *shape) ∇ log π by central differences, extrapolated; 0
        for actions of probability 0.
        """
        out = {}
        for name, shape in self.groups:

            def log_table(
                values: np.ndarray, name: str = name, shape: tuple[int, ...] = shape
            ) -> np.ndarray:
                table = self.table({**parameters, name: values.reshape(shape)})
                # an action that can't be drawn, masked or cut off by top-p, has no score
                return np.log(np.where(table > 0, table, 1.0))

            slopes, _ = jacobian(log_table, np.asarray(parameters[name], dtype=float).reshape(-1))
            out[name] = slopes.reshape(*slopes.shape[:2], *shape)
        return out


def softmax_policy(
    states: int, actions: int, legal: Sequence[Sequence[bool]] | None = None
) -> TablePolicy:
    """One logit for each state and action; θ has shape (actions,) if there is one state, else
    (states, actions).

    Args:
        legal: (states, actions) false where the action can't be taken; all can by default.

    Raises:
        BadInput: a state without a legal action.

    Examples:
        >>> import numpy as np
        >>> from altpg_verify.audit import softmax_policy
        >>> softmax_policy(1, 2).table({"theta": np.zeros((1, 2))})
        array([[0.5, 0.5]])
    """
    index = [[s * actions + a for a in range(actions)] for s in range(states)]
    if legal is not None:
        index = [
            [i if allowed else ILLEGAL for i, allowed in zip(row, allow, strict=True)]
            for row, allow in zip(index, legal, strict=True)
        ]
        if any(all(i == ILLEGAL for i in row) for row in index):
            raise BadInput("legal: a state has no legal action; leave at least one")
    return TablePolicy(tuple(map(tuple, index)), (actions,) if states == 1 else (states, actions))


def sigmoid_policy(states: int) -> TablePolicy:
    """Two actions; one logit for each state, that of action 1: π(1 | s) = 1 / (1 + e^-θ_s); θ has
    shape (states,).

    Args:
        states: how many.

    Examples:
        >>> import numpy as np
        >>> from altpg_verify.audit import sigmoid_policy
        >>> sigmoid_policy(1).table({"theta": np.zeros(1)})
        array([[0.5, 0.5]])
    """
    return TablePolicy(tuple((FIXED, s) for s in range(states)), (states,))


def shared_policy(states: int) -> TablePolicy:
    """Two actions; one logit that all states share, that of action 1: θ has shape (1,).

    Args:
        states: how many.

    Examples:
        >>> import numpy as np
        >>> from altpg_verify.audit import shared_policy
        >>> shared_policy(2).table({"theta": np.zeros(1)})
        array([[0.5, 0.5],
               [0.5, 0.5]])
    """
    return TablePolicy(tuple((FIXED, 0) for _ in range(states)), (1,))
