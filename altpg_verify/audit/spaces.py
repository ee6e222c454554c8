"""Finite sample spaces: every episode that can happen, its probability as a function of the policy, and how draws are made of episodes.

A `Space` is a small decision problem with a policy, plus a scheme of drawing: one episode, a batch of N, or a group of G from one
start. All of it is enumerated; nothing is sampled here.

    bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"]).batch(4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, Literal

import numpy as np

from altpg_verify.audit.policies import FunctionPolicy, Parameters, Policy, TablePolicy, sigmoid_policy, softmax_policy
from altpg_verify.cases import vector
from altpg_verify.errors import BadInput

MOST_DRAWS = 300_000
"""The largest number of draws enumerated; above it a space says its size and offers sampling."""

Scheme = Literal["one", "batch", "group", "groups"]


@dataclass(frozen=True)
class Episode:
    """One way an episode can go.

    Args:
        chance: the environment's share of its probability (start, transitions, reward noise); the policy's share is the product
            of the probabilities of its actions.
        states, actions, rewards: equally long, one entry a step.
        final_value: what a value function says of the state in which a time limit cut the episode off; 0 if it ended by itself.
    """

    chance: Fraction
    states: tuple[int, ...]
    actions: tuple[int, ...]
    rewards: tuple[Fraction, ...]
    final_value: Fraction = Fraction(0)

    @property
    def start(self) -> int:
        return self.states[0]

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True, eq=False)
class Space:
    """A decision problem with finitely many episodes, a policy at a point, and a scheme of drawing.

    Args:
        name: what reports call it.
        episodes: every episode that can happen.
        policy: how parameters become action probabilities.
        parameters: the point at which the audit stands; groups the policy doesn't read (a critic's) may be among them.
        weights: e^θ of that point as exact numbers, if it is rational (tabular policies only).
        discount: γ.
        behaviour: (states, actions) the policy that is sampled, a fixed table or a function of the parameters; the policy itself if None.
        reference: (states, actions) a fixed policy to keep near.
        constants: whatever else an update may ask for by name, e.g. b, eps, ddof, features.
        scheme, size: one episode; a batch of `size`; a group of `size` from one start drawn at random; a group from every start at once.
        keep: draws for which it is false are thrown away and drawn again (with their start, if the start is drawn).
        exchangeable: draws that differ in order only are enumerated once; right for updates that don't look at the order.
    """

    name: str
    episodes: tuple[Episode, ...]
    policy: Policy
    parameters: Parameters
    weights: tuple[Any, ...] | None = None
    discount: Fraction = Fraction(1)
    behaviour: np.ndarray | Callable[[Parameters], np.ndarray] | None = None
    reference: np.ndarray | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    scheme: Scheme = "one"
    size: int = 1
    exchangeable: bool = False
    keep: Callable[[Any], bool] | None = None

    # --- what it is -------------------------------------------------------------------------------------------------

    @property
    def states(self) -> int:
        """The number of states."""
        return self.policy.table(self.parameters).shape[0]

    @property
    def actions(self) -> int:
        """The largest number of actions in a state."""
        return self.policy.table(self.parameters).shape[1]

    @property
    def horizon(self) -> int:
        """The length of the longest episode."""
        return max(map(len, self.episodes))

    @property
    def starts(self) -> tuple[int, ...]:
        """The states in which episodes start: prompts, contexts."""
        return tuple(dict.fromkeys(episode.start for episode in self.episodes))

    def start_weight(self, start: int) -> Fraction:
        """The probability that an episode starts there."""
        # the policy's share of all episodes from a start adds to 1, so a uniform stand-in will do
        return sum(
            (episode.chance * share for episode, share in zip(self.episodes, self._uniform, strict=True) if episode.start == start),
            Fraction(0),
        )

    @property
    def _uniform(self) -> list[Fraction]:
        table = self.policy.table(self.parameters)
        legal = (
            (table > 0).sum(axis=1)
            if not isinstance(self.policy, TablePolicy)
            else [sum(i != -2 for i in row) for row in self.policy.index]
        )
        return [Fraction(1, math.prod(int(legal[s]) for s in episode.states)) for episode in self.episodes]

    @property
    def draws_count(self) -> int:
        """How many draws there are to enumerate."""
        if self.scheme == "one":
            return len(self.episodes)
        if self.scheme == "batch":
            return self._ways(len(self.episodes))
        each = [self._ways(sum(episode.start == start for episode in self.episodes)) for start in self.starts]
        return sum(each) if self.scheme == "group" else math.prod(each)

    def _ways(self, episodes: int) -> int:
        return math.comb(episodes + self.size - 1, self.size) if self.exchangeable else episodes**self.size

    def __str__(self) -> str:
        scheme = {
            "one": "one episode a draw",
            "batch": f"batches of {self.size}",
            "group": f"groups of {self.size} from one start",
            "groups": f"a group of {self.size} from each of {len(self.starts)} starts",
        }[self.scheme]
        return f"{self.name}, {scheme}"

    # --- variations -------------------------------------------------------------------------------------------------

    def batch(self, size: int, *, exchangeable: bool = False) -> Space:
        """Draws of `size` independent episodes."""
        return replace(self, scheme="batch", size=_positive("batch size", size), exchangeable=exchangeable)

    def group(self, size: int, *, every_start: bool = False, exchangeable: bool = False) -> Space:
        """Draws of `size` episodes from one start, itself drawn; or, with `every_start`, so many from each start at once."""
        scheme: Scheme = "groups" if every_start else "group"
        return replace(self, scheme=scheme, size=_positive("group size", size), exchangeable=exchangeable)

    def at(self, *, weights: Sequence[Any] | None = None, **groups: Any) -> Space:
        """The same with parameters elsewhere; `weights` are e^θ in exact numbers, flattened (for softmax: any multiple of π)."""
        if weights is not None:
            return replace(self, **_point(self.policy, weights, self.parameters))
        moved = {name: np.asarray(values, dtype=float) for name, values in groups.items()}
        exact = None if set(groups) & set(self.policy.shapes) else self.weights
        return replace(self, parameters={**self.parameters, **moved}, weights=exact)

    def having(self, **constants: Any) -> Space:
        """The same with constants that updates may ask for by name."""
        return replace(self, constants={**self.constants, **constants})

    def keeping(self, keep: Callable[[Any], bool]) -> Space:
        """The same with draws thrown away and drawn again where `keep(draw)` is false (groups whose rewards are all equal)."""
        return replace(self, keep=keep)

    def discounted(self, discount: Any) -> Space:
        """The same with another γ."""
        return replace(self, discount=_fraction("discount", discount))

    def sampled_by(self, behaviour: Any) -> Space:
        """The same, but sampled by another policy: a table of probabilities, or a function of the parameters."""
        return replace(self, behaviour=behaviour if callable(behaviour) else _table(behaviour))

    def against(self, reference: Any) -> Space:
        """The same with a reference policy, a table of probabilities."""
        return replace(self, reference=_table(reference))

    def training(self, **groups: Any) -> Space:
        """The same with further groups of parameters, which the policy doesn't read (a critic)."""
        return self.at(**groups)

    def named(self, name: str) -> Space:
        return replace(self, name=name)

    # --- draws ------------------------------------------------------------------------------------------------------

    def combinations(self) -> Iterator[tuple[Fraction | int, tuple[int, ...]]]:
        """(multiplicity, indices of episodes) of every draw; the probability is multiplicity times the episodes' own.

        For groups the episodes' own probabilities are those given their start.

        Raises:
            BadInput: there are more than `MOST_DRAWS`.
        """
        if self.draws_count > MOST_DRAWS:
            raise BadInput(
                f"space {self.name!r} with {self.scheme} of {self.size} has {self.draws_count:,} draws, more than the {MOST_DRAWS:,} enumerated; "
                "make the group smaller, set exchangeable=True if the update doesn't look at the order, or sample with stated "
                "error rates: audit(update, samples=N)"
            )
        everything = range(len(self.episodes))
        if self.scheme == "one":
            yield from ((1, (i,)) for i in everything)
        elif self.scheme == "batch":
            yield from self._tuples(everything)
        else:
            by_start = [[i for i in everything if self.episodes[i].start == start] for start in self.starts]
            if self.scheme == "group":
                for start, members in zip(self.starts, by_start, strict=True):
                    # the start is drawn once, not once for each member
                    weight = self.start_weight(start) ** (1 - self.size)
                    yield from ((weight * times, indices) for times, indices in self._tuples(members))
            else:
                correction = math.prod((self.start_weight(start) ** -self.size for start in self.starts), start=Fraction(1))
                for parts in product(*(list(self._tuples(members)) for members in by_start)):
                    yield correction * math.prod(times for times, _ in parts), tuple(i for _, indices in parts for i in indices)

    def _tuples(self, members: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        if not self.exchangeable:
            yield from ((1, indices) for indices in product(members, repeat=self.size))
            return
        for indices in combinations_with_replacement(members, self.size):
            ways = math.factorial(self.size)
            for i in set(indices):
                ways //= math.factorial(indices.count(i))
            yield ways, indices


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
    """Several prompts, each a bandit with its own logits; θ is (prompts, actions). The prompt is drawn uniformly unless `weights` say how."""
    states, actions = len(rewards), len(rewards[0])
    for s, row in enumerate(rewards):
        if len(row) != actions:
            raise BadInput(f"rewards: prompt {s} has {len(row)} actions and prompt 0 has {actions}; give each prompt as many")
    starts = [Fraction(1, states)] * states if weights is None else [_fraction("weights", weight) for weight in weights]
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
    return Space(name, episodes, policy, **_point(policy, flat, {}))


def decisions(
    episodes: Sequence[Episode], policy: TablePolicy, probabilities: Sequence[Any], *, discount: Any = 1, name: str = "decision problem"
) -> Space:
    """A problem given by its list of episodes; `probabilities` are those of action 1 in each state of a sigmoid policy."""
    exact = [_fraction("probabilities", p) for p in probabilities]
    return Space(
        name, tuple(episodes), policy, discount=_fraction("discount", discount), **_point(policy, [p / (1 - p) for p in exact], {})
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
        transitions: [s][a][s'] probabilities.
        rewards: [s][a] expected rewards.
        ends: states in which the episode is over.
        pi: [s][a] the policy, exact; uniform by default.
    """
    states, actions = len(transitions), len(transitions[0])
    found: list[Episode] = []

    def play(chance: Fraction, visited: tuple[int, ...], taken: tuple[int, ...], paid: tuple[Fraction, ...], state: int) -> None:
        if state in ends or len(taken) == horizon:
            found.append(Episode(chance, visited, taken, paid))
            return
        for a in range(actions):
            for following in range(states):
                share = _fraction("transitions", transitions[state][a][following])
                if share:
                    reward = _fraction("rewards", rewards[state][a])
                    play(chance * share, (*visited, state), (*taken, a), (*paid, reward), following)

    for state in range(states):
        share = _fraction("start", start[state])
        if share:
            play(share, (), (), (), state)
        if len(found) > MOST_DRAWS:
            raise BadInput(f"the MDP has more than {MOST_DRAWS:,} episodes within {horizon} steps; shorten the horizon")
    policy = softmax_policy(states, actions)
    flat = [Fraction(1, actions)] * (states * actions) if pi is None else [entry for row in pi for entry in row]
    return Space(name, tuple(_merged(found)), policy, discount=_fraction("discount", discount), **_point(policy, flat, {}))


def _merged(episodes: Sequence[Episode]) -> Iterator[Episode]:
    """Episodes that differ in nothing an update can see are one."""
    chances: dict[tuple[Any, ...], Fraction] = {}
    for episode in episodes:
        key = (episode.states, episode.actions, episode.rewards)
        chances[key] = chances.get(key, Fraction(0)) + episode.chance
    return (Episode(chance, *key) for key, chance in chances.items())


def with_policy(space: Space, logits: Callable[[Parameters], np.ndarray], **groups: Any) -> Space:
    """The same episodes under a policy of the user's own: softmax over `logits(parameters)`, (states, actions), from these groups."""
    parameters = {name: np.asarray(values, dtype=float) for name, values in groups.items()}
    policy = FunctionPolicy(logits, tuple((name, values.shape) for name, values in parameters.items()))
    kept = {name: values for name, values in space.parameters.items() if name not in space.policy.shapes}
    return replace(space, policy=policy, parameters={**kept, **parameters}, weights=None)


def _point(policy: Policy, weights: Sequence[Any], others: Parameters) -> dict[str, Any]:
    if not isinstance(policy, TablePolicy):
        raise BadInput("weights: only tabular policies have exact weights; give the parameters by name instead")
    exact = tuple(_fraction("weights", entry) for entry in weights)
    if len(exact) != math.prod(policy.shape) or any(entry <= 0 for entry in exact):
        raise BadInput(f"the policy needs {math.prod(policy.shape)} positive weights, not {', '.join(map(str, exact))}")
    theta = np.array([math.log(entry) for entry in exact]).reshape(policy.shape)
    return {"weights": exact, "parameters": {**others, policy.group: theta}}


def _outcomes(reward: Any) -> list[tuple[Fraction, Fraction]]:
    if isinstance(reward, Sequence) and not isinstance(reward, str):
        return [(_fraction("rewards", value), _fraction("rewards", chance)) for value, chance in reward]
    return [(_fraction("rewards", reward), Fraction(1))]


def _table(entries: Any) -> np.ndarray:
    rows = entries if isinstance(entries[0], list | tuple | np.ndarray) else [entries]
    return np.array([vector([_fraction("policy table", entry) for entry in row]) for row in rows], dtype=object)


def _fraction(name: str, value: Any) -> Fraction:
    try:
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise BadInput(f"{name}: {value!r} is no number; write whole numbers, decimals or fractions like '1/3'") from None


def _positive(name: str, value: Any) -> int:
    if not isinstance(value, int) or value < 1:
        raise BadInput(f"{name} must be a whole number of at least 1, not {value!r}")
    return value


__all__ = [
    "Episode",
    "Space",
    "bandit",
    "contexts",
    "decisions",
    "mdp",
    "sigmoid_policy",
    "with_policy",
]
