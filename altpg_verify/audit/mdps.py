"""Small MDPs as spaces: every way they can go within a horizon, and what is said of episodes that
the horizon cuts off.

A time limit can be part of the problem ("be done within 3 steps"), or only where one stopped
looking. In the second case what follows is worth something, and an update that treats the limit as
an end is biased. Which of the two it is can't be seen from the numbers: it is declared with
`at_limit`, and where it isn't, every verdict says so (see `Space.caveats`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from altpg_verify.audit.declarations import as_fraction, as_list, checked_chances, shown, whole
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.exact_points import point_at
from altpg_verify.audit.mdp_values import LastValue, Outcomes, Worth, outcomes, worth_at_limit
from altpg_verify.audit.policies import ILLEGAL, TablePolicy, softmax_policy
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

LONGEST = 10_000
"""The largest horizon."""

MOST_EPISODES = 300_000
"""The largest number of episodes that an MDP is unrolled into."""

MOST_STEPS = 30_000_000
"""The largest number of steps in all of them together."""


def mdp(
    transitions: Any,
    rewards: Any,
    start: Sequence[Any],
    *,
    horizon: int,
    discount: Any = 1,
    ends: Sequence[int] = (),
    at_limit: Any = None,
    pi: Any = None,
    name: str = "MDP",
) -> Space:
    """A small MDP played for at most `horizon` steps from its start distribution.

    Args:
        transitions: `[s][a][s']` probabilities; rows of states in `ends` are not read.
        rewards: `[s][a]` what a step pays: a number, or a list of (reward, probability) pairs.
        start: `[s]` the probability to start there.
        horizon: steps after which an episode is over, wherever it is.
        discount: γ.
        ends: states in which the episode is over by itself (gymnasium's `terminated`).
        at_limit: what a state is worth in which the horizon cuts an episode off (gymnasium's
            `truncated`), the `final_values` of draws: "ends": nothing, since the limit is part of
            the problem; a list with an entry for each state, a number or a list of (number,
            probability) pairs; or "value": the exact value of the policy `pi` played on without a
            limit, a constant that doesn't move with the parameters. If it isn't declared it counts
            as nothing, and verdicts say so.
        pi: `[s][a]` the policy, exact; uniform by default.
        name: what reports call the space.

    Raises:
        BadInput: something is no number, has the wrong shape or isn't a distribution, there are
            more episodes than are enumerated (`MOST_EPISODES`), or the policy's value without a
            limit isn't finite.

    Examples:
        >>> from altpg_verify.audit import mdp
        >>> step, over = [0, 1], [1, 0]
        >>> space = mdp(
        ...     [[over, step], [over, over]],
        ...     [[0, 1], [0, 2]],
        ...     ["1", "0"],
        ...     horizon=2,
        ...     at_limit="ends",
        ... )
        >>> str(space), len(space.episodes)
        ('MDP, one episode a draw', 4)
    """
    over = frozenset(whole("ends", state, 0) for state in as_list("ends", ends))
    moves = _moves(transitions, over)
    states, actions = len(moves), max((len(row) for row in moves), default=0)
    if any(state >= states for state in over):
        raise BadInput(f"ends: there is no state {max(over)}; the states are 0 to {states - 1}")
    pays = _rewards(rewards, states, actions, over)
    starts = checked_chances("start", start)
    if len(starts) != states:
        raise BadInput(f"start has {len(starts)} chances for {states} states; give one for each")
    if any(starts[state] for state in over):
        raise BadInput(
            "start: an episode can start in a state in which it is over, and would have no step;"
            " give it a chance of 0"
        )
    limit = whole("horizon", horizon)
    if limit > LONGEST:
        raise BadInput(
            f"horizon: {shown(horizon)} steps are more than the {LONGEST:,} that are enumerated;"
            " shorten it"
        )
    gamma = as_fraction("discount", discount)
    policy = softmax_policy(states, actions)
    point = point_of_softmax(policy, pi)
    worth = worth_at_limit(at_limit, moves, pays, over, gamma, policy.exact_table(point["weights"]))
    nothing: Worth = [((Fraction(0), False), Fraction(1))]
    last = [nothing if state in over else worth[state] for state in range(states)]
    steps = _Steps(moves, pays, over, last, limit)
    count = steps.count(starts)
    if count > MOST_EPISODES or count * limit > MOST_STEPS:
        many = f"{count:,}" if count < 10**15 else f"≈10^{math.log10(count):.0f}"
        raise BadInput(
            f"the MDP has {many} episodes or more within {limit} steps, and {MOST_EPISODES:,} are"
            " enumerated; shorten the horizon"
        )
    return Space(name, tuple(_merged(steps.played(starts))), policy, discount=gamma, **point)


class _Steps:
    """What can follow in each state, before the last step and at it."""

    def __init__(
        self, moves: Any, pays: Any, over: frozenset[int], last: Sequence[Worth], limit: int
    ) -> None:
        self.over, self.limit = over, limit
        states = range(len(moves))
        # (action, chance, reward, following state)
        self.before = [
            [
                (a, share * chance, reward, following)
                for a, row in enumerate(moves[s])
                for following, share in enumerate(row)
                if share
                for reward, chance in pays[s][a]
            ]
            for s in states
        ]
        # at the limit only what the following state is worth is told apart
        self.at_last: list[list[tuple[int, Fraction, Fraction, LastValue]]] = []
        for s in states:
            ways: dict[tuple[int, Fraction, LastValue], Fraction] = {}
            for a, chance, reward, following in self.before[s]:
                for end, share in last[following]:
                    key = (a, reward, end)
                    ways[key] = ways.get(key, Fraction(0)) + chance * share
            self.at_last.append(
                [(a, chance, reward, end) for (a, reward, end), chance in ways.items()]
            )

    def count(self, starts: Sequence[Fraction]) -> int:
        """How many episodes there are; as soon as there are too many, how many so far."""
        ways = [len(each) for each in self.at_last]
        for _ in range(self.limit - 1):
            ways = [
                sum(1 if following in self.over else ways[following] for _, _, _, following in each)
                for each in self.before
            ]
            if max(ways) > MOST_EPISODES**2:
                break
        return sum(each for each, share in zip(ways, starts, strict=True) if share)

    def played(self, starts: Sequence[Fraction]) -> Iterator[tuple[Any, Fraction]]:
        """(everything that an update can see, its chance) of each way an episode can go."""
        waiting: list[Any] = [
            (share, (), (), (), state) for state, share in enumerate(starts) if share
        ]
        while waiting:
            chance, visited, taken, paid, state = waiting.pop()
            visited = (*visited, state)
            if len(visited) == self.limit:
                for a, share, reward, end in self.at_last[state]:
                    yield (visited, (*taken, a), (*paid, reward), *end), chance * share
                continue
            for a, share, reward, following in self.before[state]:
                if following in self.over:
                    yield (
                        (visited, (*taken, a), (*paid, reward), Fraction(0), False),
                        chance * share,
                    )
                else:
                    waiting.append(
                        (chance * share, visited, (*taken, a), (*paid, reward), following)
                    )


def _merged(played: Iterator[tuple[Any, Fraction]]) -> Iterator[Episode]:
    """Episodes that differ in nothing an update can see are one; in the order of their actions and
    states.
    """
    chances: dict[Any, Fraction] = {}
    for key, chance in played:
        chances[key] = chances.get(key, Fraction(0)) + chance
    for key in sorted(chances):
        yield Episode(chances[key], *key)


def _moves(transitions: Any, over: frozenset[int]) -> list[list[tuple[Fraction, ...]]]:
    rows = [
        as_list(f"transitions of state {s}", row)
        for s, row in enumerate(as_list("transitions", transitions))
    ]
    if not rows or not rows[0]:
        raise BadInput(
            "transitions: there are no states or no actions; give [s][a][s'] probabilities"
        )
    actions = len(rows[0])
    found: list[list[tuple[Fraction, ...]]] = []
    for s, row in enumerate(rows):
        if len(row) != actions:
            raise BadInput(
                f"transitions: state {s} has {len(row)} actions and state 0 has {actions}; give"
                " each state as many"
            )
        if s in over:
            found.append([()] * actions)
            continue
        shares = [
            checked_chances(f"transitions of state {s}, action {a}", entry)
            for a, entry in enumerate(row)
        ]
        for a, entry in enumerate(shares):
            if len(entry) != len(rows):
                raise BadInput(
                    f"transitions of state {s}, action {a}: {len(entry)} chances for {len(rows)}"
                    " states; give one for each"
                )
        found.append(shares)
    return found


def _rewards(rewards: Any, states: int, actions: int, over: frozenset[int]) -> list[list[Outcomes]]:
    rows = [
        as_list(f"rewards of state {s}", row) for s, row in enumerate(as_list("rewards", rewards))
    ]
    if [len(row) for row in rows] != [actions] * states:
        raise BadInput(
            f"rewards must be {states} rows of {actions} entries, as the transitions are, not rows"
            f" of {[len(row) for row in rows]}"
        )
    return [[() if s in over else outcomes(entry) for entry in row] for s, row in enumerate(rows)]


def point_of_softmax(policy: TablePolicy, pi: Any) -> dict[str, Any]:
    """The point of a softmax policy over legal actions from its probabilities, exact; uniform if
    there are none.

    Raises:
        BadInput: a row isn't a distribution over the state's legal actions, each with a positive
            probability.
    """
    states, actions = len(policy.index), len(policy.index[0])
    if pi is None:
        return point_at(policy, [Fraction(1)] * (states * actions), {})
    rows = [as_list("pi", row) for row in as_list("pi", pi)]
    if [len(row) for row in rows] != [actions] * states:
        raise BadInput(
            f"pi must be {states} rows of {actions} probabilities, not rows of"
            f" {[len(row) for row in rows]}"
        )
    weights: list[Fraction] = []
    for s, (row, index) in enumerate(zip(rows, policy.index, strict=True)):
        legal = [a for a, i in enumerate(index) if i != ILLEGAL]
        where = f"pi of state {s}" if states > 1 else "pi"
        exact = dict(zip(legal, _positive_chances(where, [row[a] for a in legal]), strict=True))
        weights += [exact.get(a, Fraction(1)) for a in range(actions)]
    return point_at(policy, weights, {}, "pi")


def _positive_chances(where: str, row: list[Any]) -> tuple[Fraction, ...]:
    for entry in row:
        if as_fraction(where, entry) <= 0:
            raise BadInput(
                f"{where}: {shown(entry)} is not positive; softmax gives all actions positive"
                " probabilities; mask one by legal="
            )
    return checked_chances(where, row)
