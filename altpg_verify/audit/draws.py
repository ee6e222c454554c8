"""What an update is shown: one draw as a mapping from documented names to numbers and numpy arrays, each computed when first asked for.

Everything that depends on the parameters but not on the draw is kept once in `Tables`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.spaces import Episode, Space
from altpg_verify.cases import vector
from altpg_verify.duals import log, value_of
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


class NotExact(ArithmeticError):
    """This quantity has no exact value (a logarithm, a policy that isn't tabular)."""


class Tables:
    """A policy's table and all that follows from it: values of states and actions, scores, log-probabilities.

    Args:
        space: the decision problem.
        table: (states, actions) probabilities, in floats, Fractions, duals or rational functions.
        scores: for each group (states, actions, *shape) ∇ log π; a function, called when first needed.
    """

    def __init__(self, space: Space, table: np.ndarray, scores: Any = None, parameters: Parameters | None = None) -> None:
        self.space, self.table, self._scores, self.parameters = space, table, scores, parameters

    @classmethod
    def at(cls, space: Space, parameters: Parameters) -> Tables:
        """In float64."""
        return cls(space, space.policy.table(parameters), lambda: space.policy.scores(parameters), parameters)

    @classmethod
    def exact(cls, space: Space, weights: Sequence[Any]) -> Tables:
        """In the numbers the weights e^θ are given in (Fractions, rational functions)."""
        policy = space.policy
        if not isinstance(policy, TablePolicy):
            raise NotExact("only tabular policies are rational functions of their weights")
        table = policy.exact_table(weights)
        return cls(space, table, lambda: {policy.group: policy.scores_of(table)})

    @cached_property
    def floats(self) -> bool:
        return self.table.dtype == float

    @cached_property
    def scores(self) -> dict[str, np.ndarray]:
        return self._scores()

    @cached_property
    def mu(self) -> np.ndarray:
        """(states, actions) the policy that is sampled."""
        behaviour = self.space.behaviour
        if behaviour is None:
            return self.table
        if callable(behaviour):
            if self.parameters is None:
                raise NotExact("a behaviour policy given as a function has no exact value")
            return np.atleast_2d(np.asarray(behaviour(self.parameters), dtype=float))
        return behaviour.astype(float) if self.floats else behaviour

    @cached_property
    def ref(self) -> np.ndarray:
        """(states, actions) the reference policy."""
        if self.space.reference is None:
            raise BadInput(f"space {self.space.name!r} has no reference policy; give one with space.against(table)")
        return self.space.reference.astype(float) if self.floats else self.space.reference

    @cached_property
    def probabilities(self) -> list[Any]:
        """The probability of each episode under the policy."""
        return [self._of(episode, self.table) for episode in self.space.episodes]

    @cached_property
    def sampled(self) -> list[Any]:
        """The probability of each episode under the policy that is sampled."""
        if self.space.behaviour is None:
            return self.probabilities
        return [self._of(episode, self.mu) for episode in self.space.episodes]

    def _of(self, episode: Episode, table: np.ndarray) -> Any:
        total: Any = float(episode.chance) if table.dtype == float else episode.chance
        for state, action in zip(episode.states, episode.actions, strict=True):
            total = total * table[state, action]
        return total

    def number(self, value: Fraction) -> Any:
        """A constant in the numbers of the table."""
        return float(value) if self.floats else value

    def expectation(self, function: Any) -> Any:
        """E[f(episode)] under the policy."""
        total: Any = 0
        for probability, episode in zip(self.probabilities, self.space.episodes, strict=True):
            total = total + probability * function(episode)
        return total

    def returns(self, episode: Episode, discount: Fraction) -> list[Fraction]:
        """Reward-to-go of each step, discounted from that step on."""
        out: list[Fraction] = []
        following = episode.final_value
        for reward in reversed(episode.rewards):
            following = reward + discount * following
            out.append(following)
        return out[::-1]

    @cached_property
    def value(self) -> Any:
        """V = E[Σ γᵗ r_t] from the start."""
        return self.expectation(lambda episode: self.number(self.returns(episode, self.space.discount)[0]))

    def _conditional(self, key: Any, cells: Sequence[Any], probabilities: Sequence[Any]) -> dict[Any, Any]:
        above: dict[Any, Any] = dict.fromkeys(cells, 0)
        below: dict[Any, Any] = dict.fromkeys(cells, 0)
        for probability, episode in zip(probabilities, self.space.episodes, strict=True):
            for t, reward_to_go in enumerate(self.returns(episode, self.space.discount)):
                cell = key(episode, t)
                above[cell] = above[cell] + probability * self.number(reward_to_go)
                below[cell] = below[cell] + probability
        return {cell: above[cell] / below[cell] if value_of(below[cell]) != 0 else 0 * self.number(Fraction(0)) for cell in cells}

    @cached_property
    def values(self) -> np.ndarray:
        """(states,) the expected return from each state on."""
        states = range(self.table.shape[0])
        found = self._conditional(lambda episode, t: episode.states[t], states, self.probabilities)
        return vector([found[s] for s in states])

    @cached_property
    def q(self) -> np.ndarray:
        """(states, actions) the expected return after each action."""
        states, actions = self.table.shape
        cells = [(s, a) for s in range(states) for a in range(actions)]
        # in one-step problems the action's own probability cancels, so that q exists at a corner too
        chances = [self.number(episode.chance) for episode in self.space.episodes] if self.space.horizon == 1 else self.probabilities
        found = self._conditional(lambda episode, t: (episode.states[t], episode.actions[t]), cells, chances)
        return np.array([vector([found[s, a] for a in range(actions)]) for s in range(states)])

    def log(self, table: np.ndarray) -> np.ndarray:
        """Entry by entry; exact numbers have none."""
        if table.dtype == float:
            with np.errstate(divide="ignore"):
                return np.log(table)
        if self.floats or not all(isinstance(value_of(entry), float) for entry in table.flat):
            raise NotExact("a logarithm has no exact value")
        return np.array([[log(entry) for entry in row] for row in table], dtype=object)

    def draws(self, held: Tables | None = None, frozen: Sequence[str] = ()) -> Iterator[tuple[Any, Draw]]:
        """(probability, draw) of everything that can happen; `frozen` quantities are those of `held`.

        Raises:
            BadInput: the space keeps none of its draws.
        """
        keep = self.space.keep
        if keep is None:
            yield from self._all_draws(held, frozen)
            return
        kept = [(probability, draw) for probability, draw in self._all_draws(held, frozen) if keep(draw)]
        if not kept:
            raise BadInput(f"space {self.space.name!r} keeps none of its draws; loosen `keep`")
        total = sum(probability for probability, _ in kept)
        yield from ((probability / total, draw) for probability, draw in kept)

    def _all_draws(self, held: Tables | None, frozen: Sequence[str]) -> Iterator[tuple[Any, Draw]]:
        for times, indices in self.space.combinations():
            probability: Any = self.number(Fraction(times))
            for i in indices:
                probability = probability * self.sampled[i]
            if isinstance(probability, float) and probability == 0.0:
                continue
            yield probability, Draw(self, indices, held, frozen)


class Draw(Mapping[str, Any]):
    """One draw: `draw["actions"]`, `draw["rewards"]`, ...; see `DRAWN` and `GIVEN` for the names."""

    def __init__(self, tables: Tables, indices: tuple[int, ...], held: Tables | None = None, frozen: Sequence[str] = ()) -> None:
        self._tables, self._indices, self._held, self._frozen = tables, indices, held, frozen
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        name = ALIASES.get(name, name)
        if name not in self._found:
            self._found[name] = self._compute(name)
        return self._found[name]

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

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        """The episodes of the draw, in order."""
        return tuple(self._tables.space.episodes[i] for i in self._indices)

    @property
    def space(self) -> Space:
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
                    f"{name!r} is there for draws of one step only, and {space} has more; ask for {name + 's' if name != 'e' else 'actions'!r}"
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
        """∇ log π(a | s) with respect to one group of parameters: actions' shape + the group's shape; zeros if the policy doesn't read it."""
        found = self._tables.scores
        if group in found:
            return self._at(found[group])
        return np.zeros((*self.shape, *np.shape(self.space.parameters[group])))

    def table_scores(self, group: str) -> np.ndarray:
        """∇ log π for every state and action, as pi + the group's shape; zeros if the policy doesn't read the group."""
        shape = np.shape(self.space.parameters[group])
        found = self._tables.scores.get(group, np.zeros((*self._tables.table.shape, *shape)))
        return self._squeezed(found)

    @staticmethod
    def only_group(scores: Mapping[str, np.ndarray]) -> np.ndarray:
        if len(scores) != 1:
            raise BadInput(
                f"'scores' needs a policy with one group of parameters, and this one has {', '.join(scores)}; use draw.scores_of(group)"
            )
        return next(iter(scores.values()))


__all__ = ["ALIASES", "DRAWN", "GIVEN", "Draw", "NotExact", "Tables"]
