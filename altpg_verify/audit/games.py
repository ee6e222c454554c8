"""Several agents that act at once and are paid together: a matrix game with a softmax policy for
each agent.

    game([[1, 0], [0, 2]], pi=[["1/3", "2/3"], ["1/2", "1/2"]])

An episode has a step for each agent, in the order of the agents, and the state of a step is the
agent: none sees what another does. The reward comes with the last step. So whatever holds of
several steps holds of several agents, exactly.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.declarations import as_list, shown, whole
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.mdp_values import outcomes
from altpg_verify.audit.mdps import point_of_softmax
from altpg_verify.audit.policies import TablePolicy, softmax_policy
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.draws import Draws

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "team_rewards": (
            "(N,), a number for one episode: what all agents are paid for the joint action"
        ),
        "central_q": (
            "as team_rewards: the centralised critic, Q(a), the mean reward of the joint action"
            " that was taken"
        ),
        "counterfactual_q": (
            "actions' shape + (actions,): Q(a) with this agent's action replaced by each of its"
            " actions, the others' kept"
        ),
        "agent_q": (
            "(agents, actions): the critic of an independent learner, E[r | its own action] while"
            " the others act by their policies"
        ),
    }
)
"""What updates may ask for beside what they are shown on every space; `actions`, `logprobs` and
`scores` have an axis of agents.
"""

MOST_JOINT = 20_000
"""The largest number of joint actions with their rewards."""

MOST_AGENTS = 6


@dataclass(frozen=True)
class Game:
    """What agents are shown beside what they see on every space.

    Args:
        counts: how many actions each agent has.
    """

    counts: tuple[int, ...]

    @property
    def names(self) -> Mapping[str, str]:
        """See `NAMES`; and `actions_0`, `actions_1`, ...: one agent's."""
        own = {
            f"actions_{i}": f"as team_rewards: the action of agent {i}"
            for i in range(len(self.counts))
        }
        return {**NAMES, **own}

    def payoffs(self, space: Space) -> np.ndarray:
        """(*counts) the mean reward of each joint action, exact."""
        total = np.full(self.counts, Fraction(0), dtype=object)
        for episode in space.episodes:
            total[episode.actions] = total[episode.actions] + episode.chance * sum(episode.rewards)
        return total

    def array(self, draws: Draws, name: str) -> Any:
        """(B, ...) one of the names for every draw; `agent_q` has no axis of draws if they are at
        one policy.
        """
        if name == "agent_q":
            return draws.array("q")
        if name == "team_rewards":
            rewards = draws.array("rewards")
            return rewards.sum(axis=-1)
        actions = draws.array("actions")
        if name.startswith("actions_"):
            return actions[..., int(name.removeprefix("actions_"))]
        payoffs = self.payoffs(draws.space)
        if draws.tables.floats:
            payoffs = payoffs.astype(float)
        taken = tuple(np.moveaxis(actions, -1, 0))
        if name == "central_q":
            return payoffs[taken]
        most = max(self.counts)
        out = (
            np.zeros((*actions.shape, most), dtype=float)
            if draws.tables.floats
            else np.full((*actions.shape, most), Fraction(0), dtype=object)
        )
        for agent, count in enumerate(self.counts):
            for action in range(count):
                out[..., agent, action] = payoffs[
                    tuple(
                        np.full_like(one, action) if i == agent else one
                        for i, one in enumerate(taken)
                    )
                ]
        return out


def game(
    payoffs: Any, *, agents: int = 2, pi: Any = None, shared: bool = False, name: str = ""
) -> Space:
    """Agents act at once, each by its own softmax policy, and are paid for the joint action.

    Args:
        payoffs: `[a₀][a₁]...`, nested once for each agent: a number, or a list of (reward,
            probability) pairs.
        agents: how many.
        pi: (agents, actions) the policies where the audit stands, exact; uniform by default.
            (actions,) if they are shared.
        shared: all agents have the same logits, θ of shape (actions,); else θ is (agents, actions).
        name: what reports call the space.

    Raises:
        BadInput: payoffs aren't nested so, something is no number, a policy is no distribution over
            an agent's actions, agents with shared logits have different numbers of actions, or
            there are too many joint actions.

    Examples:
        >>> from altpg_verify.audit import game
        >>> str(game([[1, 0], [0, 1]]))
        'matrix game, one episode a draw'
    """
    count = whole("agents", agents, 1, MOST_AGENTS)
    counts = _counts(payoffs, count)
    if math.prod(counts) > MOST_JOINT:
        raise BadInput(
            f"payoffs: {math.prod(counts):,} joint actions, and {MOST_JOINT:,} are enumerated; take"
            " fewer agents or actions"
        )
    entries = {joint: outcomes(entry) for joint, entry in _entries(payoffs, counts)}
    if shared and len(set(counts)) > 1:
        raise BadInput(
            f"shared: the agents have {', '.join(map(str, counts))} actions, and one set of logits;"
            " give all as many"
        )
    return _space(counts, entries, pi, shared, name or "matrix game")


def _space(
    counts: tuple[int, ...],
    entries: Mapping[tuple[int, ...], Any],
    pi: Any,
    shared: bool,
    name: str,
) -> Space:
    agents, most = len(counts), max(counts)
    if shared:
        policy = TablePolicy(tuple(tuple(range(most)) for _ in counts), (most,))
        alone = softmax_policy(1, most)
        point = point_of_softmax(alone, None if pi is None else [pi])
    else:
        legal = [[action < own for action in range(most)] for own in counts]
        policy = softmax_policy(agents, most, legal)
        point = point_of_softmax(
            policy,
            (
                None
                if pi is None
                else [[*as_list("pi", row), *[0] * (most - len(row))] for row in as_list("pi", pi)]
            ),
        )
    states = tuple(range(agents))
    before = (Fraction(0),) * (agents - 1)
    episodes = tuple(
        Episode(chance, states, joint, (*before, reward))
        for joint, ways in entries.items()
        for reward, chance in ways
        if chance
    )
    more = partial(_of_agents, most, pi if shared else None, shared, name)
    return Space(name, episodes, policy, longer=more, game=Game(counts), **point)


def _of_agents(actions: int, pi: Any, shared: bool, name: str, agents: int) -> Space:
    """A game of so many agents, paid otherwise.

    Raises:
        BadInput: there would be none, or too many.
    """
    whole("agents", agents, 1, MOST_AGENTS)
    dealt = random.Random(agents)
    counts = (actions,) * agents
    if math.prod(counts) > MOST_JOINT:
        raise BadInput("too many joint actions")
    ways = product(*map(range, counts))
    return _space(
        counts,
        {joint: outcomes(Fraction(dealt.randint(-9, 9), dealt.randint(1, 5))) for joint in ways},
        pi,
        shared,
        name,
    )


def _counts(payoffs: Any, agents: int) -> tuple[int, ...]:
    counts = []
    inside = payoffs
    for agent in range(agents):
        rows = as_list("payoffs", inside)
        if not rows:
            raise BadInput(
                f"payoffs: agent {agent} has no actions; give what each joint action pays, such as"
                " game([[1, 0], [0, 2]])"
            )
        counts.append(len(rows))
        inside = rows[0]
    return tuple(counts)


def _entries(payoffs: Any, counts: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Any]]:
    for joint in product(*map(range, counts)):
        entry = payoffs
        for agent, action in enumerate(joint):
            rows = as_list("payoffs", entry)
            if len(rows) != counts[agent]:
                raise BadInput(
                    f"payoffs: agent {agent} has {counts[agent]} actions beside some joint actions"
                    f" and {len(rows)} beside others; nest them [a0][a1]... {shown(len(counts))}"
                    " deep, with as many everywhere"
                )
            entry = rows[action]
        yield joint, entry
