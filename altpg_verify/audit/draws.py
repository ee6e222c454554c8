"""What an update is shown: many draws at once as arrays under documented names, or one of them as a
mapping from the same names.

Each name has one definition, for a whole block of draws; one draw is a row of its block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from altpg_verify.audit.draw_axes import Axes
from altpg_verify.audit.draw_names import ALIASES, DRAWN, FIXED, GIVEN, OF_POLICY
from altpg_verify.audit.episode_arrays import EpisodeArrays
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput


class Draws:
    """A block of draws of one shape: `draws.array("rewards")`, ...; see `DRAWN` and `GIVEN` for the
    names.

    Args:
        tables: the policies and what follows from them, one policy or a stack with one leading
            axis.
        indices: (B, N) which of the space's episodes each draw consists of, in order.
        policy: (B,) which policy of the stack each draw is at; None for one policy.
        held, frozen: the tables where frozen quantities stand, and their names.
        values: names filled in otherwise, the same for all draws (the outcomes of declared
            choices).

    Attributes:
        moves: it was asked for something that depends on the policy.
    """

    def __init__(
        self,
        tables: Tables,
        indices: np.ndarray,
        policy: np.ndarray | None = None,
        held: Tables | None = None,
        frozen: Sequence[str] = (),
        values: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.tables, self.indices, self.policy = tables, indices, policy
        self.held, self.frozen, self.values = held, tuple(frozen), values
        self._axes = Axes(tables, indices, policy)
        self._found: dict[str, np.ndarray] = {}
        self.moves = False

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def space(self) -> Space:
        """The space they are drawn from."""
        return self.tables.space

    @property
    def arrays(self) -> EpisodeArrays:
        """The space's episodes."""
        return self.tables.space.arrays

    def shared(self, name: str) -> bool:
        """Whether a name is the same for all draws of the block, so that it has no leading axis."""
        name = ALIASES.get(name, name)
        if name in self.values or name in self.space.constants or name == "reward_function":
            return True
        return (
            name in OF_POLICY or (name == "agent_q" and self.space.game is not None)
        ) and self.policy is None

    def array(self, name: str) -> Any:
        """The name's value for every draw, with a leading axis; without one where it is `shared`.

        Raises:
            BadInput: there is no such name, or it makes no sense on this space.
        """
        name = ALIASES.get(name, name)
        if name in self.values:
            return self.values[name]
        if name in self.space.constants:
            return self.space.constants[name]
        if name not in FIXED or self.space.continuous is not None:
            self.moves = True
        if name not in self._found:
            self._found[name] = self._compute(name)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return (
            name in DRAWN
            or name in GIVEN
            or name in ALIASES
            or name in self.space.names
            or name in self.values
        )

    def row(self, number: int) -> Draw:
        """One of the draws."""
        return Draw(self, number)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of actions, rewards, states, mask of one draw."""
        return self._axes.shape

    def _compute(self, name: str) -> Any:
        space, arrays, axes = self.space, self.arrays, self._axes
        if space.continuous is not None:
            if name in space.continuous.refused:
                raise BadInput(
                    f"{name!r} is not there on {space}; choose from"
                    f" {', '.join(space.continuous.names)}"
                )
            found = space.continuous.array(self, name)
            if found is not NotImplemented:
                return found
        if space.game is not None and name in space.game.names:
            return space.game.array(self, name)
        tables = self.held if self.held is not None and name in self.frozen else self.tables
        if name in ("action", "reward", "e", "score"):
            if space.scheme != "one" or arrays.horizon != 1:
                raise BadInput(
                    f"{name!r} is there for draws of one step only, and {space} has more; "
                    f"ask for {name + 's' if name != 'e' else 'actions'!r}"
                )
            if name == "e":
                actions = tables.table.shape[-1]
                if tables.floats:
                    return np.eye(actions)[self.array("actions")[:, 0]]
                one_hot = np.full((len(self), actions), Fraction(0), dtype=object)
                one_hot[np.arange(len(self)), self.array("actions")[:, 0]] = Fraction(1)
                return one_hot
            return self.array(name + "s")[:, 0]
        match name:
            case "actions":
                return axes.steps(arrays.actions)
            case "states":
                return axes.steps(arrays.states)
            case "rewards":
                return axes.steps(tables.numbers(arrays.rewards))
            case "mask":
                return axes.truths(axes.steps(arrays.steps))
            case "lengths":
                return axes.each(arrays.lengths if tables.floats else arrays.lengths.astype(object))
            case "starts":
                return axes.each(arrays.starts)
            case "final_values":
                return axes.each(tables.numbers(arrays.final_values))
            case "logprobs":
                return axes.at(tables.log(tables.table))
            case "old_logprobs":
                return axes.at(tables.log(tables.mu))
            case "ref_logprobs":
                return axes.at(tables.log(tables.ref))
            case "tokens":
                return axes.rows(space.token_rows.tokens)
            case "token_states":
                return axes.rows(space.token_rows.states)
            case "position_ids":
                return axes.rows(space.token_rows.positions)
            case "response_mask":
                return axes.truths(axes.rows(space.token_rows.own))
            case "attention_mask":
                return axes.truths(axes.rows(space.token_rows.filled))
            case "token_rewards":
                return axes.rows(space.token_rows.spread(tables.numbers(arrays.rewards)))
            case "group_ids":
                return arrays.starts[self.indices]
            case "scores":
                return axes.at(only_group(tables.scores))
            case "pi":
                return axes.of_policy(tables.table)
            case "mu":
                return axes.of_policy(tables.mu)
            case "ref":
                return axes.of_policy(tables.ref)
            case "q":
                return axes.of_policy(tables.q)
            case "h":
                return axes.of_policy(tables.q - tables.values[..., None])
            case "value":
                return tables.value if self.policy is None else tables.value[self.policy]
            case "values":
                return axes.of_policy(tables.values, squeeze=False)
            case "discount":
                return axes.constant(tables.number(space.discount))
            case "b":
                return axes.constant(tables.number(Fraction(0)))
        raise BadInput(
            f"{name!r} is not part of a draw; choose from"
            f" {', '.join([*DRAWN, *GIVEN, *space.constants])}"
        )

    def scores_of(self, group: str) -> np.ndarray:
        """(B, *shape, *group) ∇ log π(a | s) in one group of parameters; zeros if the policy
        doesn't read it.
        """
        self.moves = True
        found = self.tables.scores
        if group in found:
            return self._axes.at(found[group])
        return np.zeros((len(self), *self.shape, *np.shape(self.space.parameters[group])))

    def table_scores(self, group: str) -> np.ndarray:
        """∇ log π for every state and action, as pi + the group's shape, with the leading axis that
        pi has.
        """
        self.moves = True
        shape = np.shape(self.space.parameters[group])
        found = self.tables.scores.get(group)
        return self._axes.of_policy(
            np.zeros((*self.tables.table.shape, *shape)) if found is None else found
        )


class Draw(Mapping[str, Any]):
    """One draw: `draw["actions"]`, `draw["rewards"]`, ...; see `DRAWN` and `GIVEN` for the names.
    Arrays are the caller's own.

    Args:
        block: the draws it belongs to.
        number: which of them it is.

    Examples:
        >>> from altpg_verify.audit import Draw, bandit
        >>> from altpg_verify.audit.policy_quantities import Tables
        >>> space = bandit([1, 0])
        >>> draw = Draw.of(Tables.at(space, space.parameters), (0,))
        >>> int(draw["action"]), float(draw["reward"])
        (0, 1.0)
    """

    def __init__(self, block: Draws, number: int) -> None:
        self._block, self._number = block, number

    @classmethod
    def of(cls, tables: Tables, indices: Sequence[int]) -> Draw:
        """The draw that consists of these episodes."""
        return cls(Draws(tables, np.array([indices])), 0)

    def __getitem__(self, name: str) -> Any:
        name = ALIASES.get(name, name)
        found = self._block.array(name)
        if self._block.shared(name):
            return found.copy() if isinstance(found, np.ndarray) else found
        entry = found[self._number]
        if isinstance(entry, np.ndarray):
            return entry.copy()
        return entry.item() if isinstance(entry, np.generic) else entry

    def with_values(self, values: Mapping[str, Any]) -> Draw:
        """The same draw with further names filled in."""
        block = self._block
        return Draw(
            Draws(
                block.tables,
                block.indices[self._number : self._number + 1],
                None if block.policy is None else block.policy[self._number : self._number + 1],
                block.held,
                block.frozen,
                {**block.values, **values},
            ),
            0,
        )

    def under(self, tables: Tables, held: Tables, frozen: Sequence[str]) -> Draw:
        """The same draw at another policy; as for `Draws`."""
        block, number = self._block, self._number
        return Draw(
            Draws(tables, block.indices[number : number + 1], None, held, frozen, block.values), 0
        )

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*DRAWN, *GIVEN, *self.space.names, *self._block.values]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return (
            name in DRAWN or name in GIVEN or name in self.space.names or name in self._block.values
        )

    @property
    def moves(self) -> bool:
        """Something that depends on the policy was asked of its block."""
        return self._block.moves

    @property
    def space(self) -> Space:
        """The space it was drawn from."""
        return self._block.space

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """The episodes of the draw, in order."""
        return tuple(self.space.episodes[i] for i in self.indices)

    @property
    def indices(self) -> tuple[int, ...]:
        """Which of the space's episodes it consists of, in order."""
        return tuple(self._block.indices[self._number].tolist())

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of actions, rewards, states, mask."""
        return self._block.shape

    def scores_of(self, group: str) -> np.ndarray:
        """∇ log π(a | s) in one group of parameters: actions' shape + the group's shape; zeros if
        the policy doesn't read it.
        """
        return self._block.scores_of(group)[self._number].copy()

    def table_scores(self, group: str) -> np.ndarray:
        """∇ log π for every state and action, as pi + the group's shape; zeros if the policy
        doesn't read the group.
        """
        found = self._block.table_scores(group)
        return (found if self._block.policy is None else found[self._number]).copy()


def only_group(scores: Mapping[str, np.ndarray]) -> np.ndarray:
    """The scores of a policy that has one group of parameters.

    Raises:
        BadInput: it has several, so that "scores" alone doesn't say whose.
    """
    if len(scores) != 1:
        raise BadInput(
            "'scores' needs a policy with one group of parameters, and this one has"
            f" {', '.join(scores)}; use draw.scores_of(group)"
        )
    return next(iter(scores.values()))
