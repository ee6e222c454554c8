"""What an update is shown: one draw as a mapping from documented names to numbers and numpy arrays, each computed when first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from altpg_verify.audit.spaces import Episode, Space
from altpg_verify.audit.tables import Tables
from altpg_verify.errors import BadInput

DRAWN: Mapping[str, str] = MappingProxyType(
    {
        "action": "the sampled action (draws of one step only)",
        "reward": "its reward (draws of one step only)",
        "e": "(k,) one-hot vector of the sampled action (draws of one step only)",
        "actions": "integers. One episode: (steps,). Batch or group of one-step episodes: (N,); of longer ones: (N, steps), padded with 0. "
        "A group from every start: the same with a leading axis of starts",
        "rewards": "as actions",
        "states": "as actions: the state of each step",
        "mask": "as actions: 1.0 where there is a step, 0.0 in the padding",
        "lengths": "actions' shape without the axis of steps: how many steps each episode has (a number for one episode)",
        "starts": "as lengths: the state each episode starts in (the prompt)",
        "final_values": "as lengths: value of the state in which a time limit cut the episode off, else 0",
        "logprobs": "as actions: log π(a | s) under the policy, 0 in the padding",
        "old_logprobs": "as actions: log-probability under the policy that was sampled",
        "ref_logprobs": "as actions: log-probability under the reference policy",
        "score": "as the policy's parameters: ∇ log π(a) (draws of one step only)",
        "scores": "actions' shape + the parameters' shape: ∇ log π(a | s), 0 in the padding",
    }
)
"""What depends on the draw."""

GIVEN: Mapping[str, str] = MappingProxyType(
    {
        "pi": "(k,) the policy, or (states, k) if there are several states",
        "mu": "as pi: the policy that is sampled",
        "ref": "as pi: the reference policy",
        "q": "as pi: expected return after each action",
        "h": "as pi: advantages, q less the value of the state",
        "value": "number: V, the value of the policy from the start",
        "v": "the same as value",
        "values": "(states,) the value of each state",
        "r": "the same as reward",
        "discount": "number: γ",
        "b": "number: a constant baseline, 0 unless the space says otherwise",
    }
)
"""What depends on the policy or the space only."""

ALIASES = {"logits": "theta", "r": "reward", "v": "value"}
"""Other names for the same things."""


FIXED = frozenset({"action", "reward", "e", "actions", "states", "rewards", "mask", "lengths", "starts", "final_values", "discount", "b"})
"""What no parameter moves: it is made once for a draw and handed out as a copy at every policy."""

_NOTHING = object()


class NothingKept(BadInput):
    """At this policy no draw of the space is kept, within the range of float64."""


class Draw(Mapping[str, Any]):
    """One draw: `draw["actions"]`, `draw["rewards"]`, ...; see `DRAWN` and `GIVEN` for the names.

    Args:
        tables: the policy and what follows from it.
        indices: which of the space's episodes it consists of, in order.
        held, frozen: the tables at another policy, and the names that are read from those instead.

    Attributes:
        moves: it was asked for something that depends on the policy.
    """

    def __init__(self, tables: Tables, indices: tuple[int, ...], held: Tables | None = None, frozen: Sequence[str] = ()) -> None:
        self._tables, self._indices, self._held, self._frozen = tables, indices, held, frozen
        self._found: dict[str, Any] = {}
        self._fixed: dict[str, Any] = tables.space.memory.setdefault(indices, {}) if tables.floats and tables.space.small else {}
        self.moves = False

    def __getitem__(self, name: str) -> Any:
        found = self._found.get(name, _NOTHING)
        if found is _NOTHING:
            name = ALIASES.get(name, name)
            found = self._found.get(name, _NOTHING)
        if found is _NOTHING:
            fixed = name in FIXED
            self.moves = self.moves or not fixed
            found = self._found[name] = self._copied(name) if fixed else self._compute(name)
        return found

    def _copied(self, name: str) -> Any:
        """Something fixed, as an array of the caller's own: an update may write into it."""
        if name not in self._fixed:
            self._fixed[name] = self._compute(name)
        value = self._fixed[name]
        return value.copy() if isinstance(value, np.ndarray) else value

    def with_values(self, values: Mapping[str, Any]) -> Draw:
        """The same draw with further names filled in."""
        copy = Draw(self._tables, self._indices, self._held, self._frozen)
        copy._found = {**self._found, **values}
        return copy

    def __iter__(self) -> Iterator[str]:
        return iter([*DRAWN, *GIVEN, *self._tables.space.constants])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in DRAWN or name in GIVEN or name in self._tables.space.constants

    @property
    def kept(self) -> bool:
        """Whether the space keeps it; asked once only if the answer depends on nothing that parameters move."""
        keep = self.space.keep
        if keep is None:
            return True
        if "kept" not in self._fixed:
            before, self.moves = self.moves, False
            answer = bool(keep(self))
            depends, self.moves = self.moves, before or self.moves
            if depends:
                return answer
            self._fixed["kept"] = answer
        return self._fixed["kept"]

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        """The episodes of the draw, in order."""
        return tuple(self._tables.space.episodes[i] for i in self._indices)

    @property
    def space(self) -> Space:
        """The space it was drawn from."""
        return self._tables.space

    @cached_property
    def _lead(self) -> tuple[int, ...]:
        """The axes before that of steps."""
        space = self.space
        return () if space.scheme == "one" else (len(space.starts), space.size) if space.scheme == "groups" else (space.size,)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of actions, rewards, states, mask."""
        if self.space.scheme == "one":
            return (len(self.episodes[0]),)
        return self._lead if self.space.horizon == 1 else (*self._lead, self.space.horizon)

    def _steps(self, rows: Sequence[Sequence[Any]], dtype: Any) -> np.ndarray:
        """One row an episode, padded with zeros and shaped like actions."""
        if self.space.scheme == "one":
            return np.array(rows[0], dtype=dtype)
        longest = self.space.horizon
        zero = Fraction(0) if dtype is object else 0
        padded = [[*row, *([zero] * (longest - len(row)))] for row in rows]
        array = np.zeros((len(rows), longest), dtype=dtype)
        array[:] = padded
        return array.reshape(self.shape)

    def _each(self, entries: Sequence[Any], dtype: Any) -> Any:
        if self.space.scheme == "one":
            return entries[0]
        array = np.empty(len(entries), dtype=dtype)
        array[:] = entries
        return array.reshape(self._lead)

    @property
    def _numbers(self) -> Any:
        return float if self._tables.floats else object

    def _at(self, table: np.ndarray) -> np.ndarray:
        """A (states, actions, ...) table at the steps taken, zero in the padding."""
        taken = table[self["states"], self["actions"]]
        if self.space.scheme == "one" or self.space.horizon == 1:
            return taken
        empty = self["mask"] == 0
        taken = taken.copy()
        taken[empty] = 0
        return taken

    def _policy_at(self, table: np.ndarray) -> np.ndarray:
        return self._at(self._tables.log(table))

    def _squeezed(self, table: np.ndarray) -> np.ndarray:
        return table[0] if table.shape[0] == 1 else table

    def _compute(self, name: str) -> Any:
        space = self.space
        tables = self._held if self._held is not None and name in self._frozen else self._tables
        number = tables.number
        if name in space.constants:
            return space.constants[name]
        if name in ("action", "reward", "e", "score"):
            if space.scheme != "one" or space.horizon != 1:
                raise BadInput(
                    f"{name!r} is there for draws of one step only, and {space} has more; "
                    f"ask for {name + 's' if name != 'e' else 'actions'!r}"
                )
            if name == "e":
                one_hot = np.full(tables.table.shape[1], number(Fraction(0)), dtype=self._numbers)
                one_hot[int(self["action"])] = number(Fraction(1))
                return one_hot
            return self[name + "s"][0] if name != "action" else int(self["actions"][0])
        match name:
            case "actions":
                return self._steps([episode.actions for episode in self.episodes], int)
            case "states":
                return self._steps([episode.states for episode in self.episodes], int)
            case "rewards":
                return self._steps([[number(r) for r in episode.rewards] for episode in self.episodes], self._numbers)
            case "mask":
                return self._steps([[number(Fraction(1))] * len(episode) for episode in self.episodes], self._numbers)
            case "lengths":
                return self._each([len(episode) for episode in self.episodes], int if tables.floats else object)
            case "starts":
                return self._each([episode.start for episode in self.episodes], int)
            case "final_values":
                return self._each([number(episode.final_value) for episode in self.episodes], self._numbers)
            case "logprobs":
                return self._policy_at(tables.table)
            case "old_logprobs":
                return self._policy_at(tables.mu)
            case "ref_logprobs":
                return self._policy_at(tables.ref)
            case "scores":
                return self._at(self.only_group(tables.scores))
            case "pi":
                return self._squeezed(tables.table)
            case "mu":
                return self._squeezed(tables.mu)
            case "ref":
                return self._squeezed(tables.ref)
            case "q":
                return self._squeezed(tables.q)
            case "h":
                return self._squeezed(tables.q - tables.values[:, None])
            case "value":
                return tables.value
            case "values":
                return tables.values
            case "discount":
                return number(space.discount)
            case "b":
                return number(Fraction(0))
        raise BadInput(f"{name!r} is not part of a draw; choose from {', '.join(self)}")

    def scores_of(self, group: str) -> np.ndarray:
        """∇ log π(a | s) in one group of parameters: actions' shape + the group's shape; zeros if the policy doesn't read it."""
        self.moves = True
        found = self._tables.scores
        if group in found:
            return self._at(found[group])
        return np.zeros((*self.shape, *np.shape(self.space.parameters[group])))

    def table_scores(self, group: str) -> np.ndarray:
        """∇ log π for every state and action, as pi + the group's shape; zeros if the policy doesn't read the group."""
        self.moves = True
        shape = np.shape(self.space.parameters[group])
        found = self._tables.scores.get(group, np.zeros((*self._tables.table.shape, *shape)))
        return self._squeezed(found)

    @staticmethod
    def only_group(scores: Mapping[str, np.ndarray]) -> np.ndarray:
        """The scores of a policy that has one group of parameters.

        Raises:
            BadInput: it has several, so that "scores" alone doesn't say whose.
        """
        if len(scores) != 1:
            raise BadInput(
                f"'scores' needs a policy with one group of parameters, and this one has {', '.join(scores)}; use draw.scores_of(group)"
            )
        return next(iter(scores.values()))


def drawn(tables: Tables, held: Tables | None = None, frozen: Sequence[str] = ()) -> Iterator[tuple[Any, Draw]]:
    """(probability, draw) of everything that can happen; `frozen` quantities are those of `held`.

    Raises:
        NothingKept: the space keeps none of its draws.
    """
    if tables.space.keep is None:
        yield from _all_draws(tables, held, frozen)
        return
    kept = [(probability, draw) for probability, draw in _all_draws(tables, held, frozen) if draw.kept]
    if not kept:
        raise NothingKept(f"space {tables.space.name!r} keeps none of its draws; loosen `keep`")
    total = sum(probability for probability, _ in kept)
    yield from ((probability / total, draw) for probability, draw in kept)


def _all_draws(tables: Tables, held: Tables | None, frozen: Sequence[str]) -> Iterator[tuple[Any, Draw]]:
    sampled, floats = tables.sampled, tables.floats
    for times, indices in tables.space.listed if tables.space.small else tables.space.combinations():
        probability: Any = float(times) if floats else tables.number(Fraction(times))
        for i in indices:
            probability = probability * sampled[i]
        if floats and probability == 0.0:
            continue
        yield probability, Draw(tables, indices, held, frozen)
