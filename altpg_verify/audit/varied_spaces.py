"""A space with other rewards, other policies beside it, and other lengths: where something is
confirmed that was seen on one space.

What the variations keep is the structure: rewards that come with the last step only still do, two
levels of reward stay two where that is asked for, actions without a chance get none. The policy and
its parameters are the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.policies import FIXED, ILLEGAL, TablePolicy
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

Varied = Literal["rewards", "levels", "length", "size"]

FACTORS = (Fraction(3, 2), Fraction(-4, 5))
"""What rewards are multiplied by, before something is added that differs from action to action."""


@dataclass(frozen=True)
class Variation:
    """A space beside another one.

    Args:
        what: "rewards": other rewards, and other fixed policies (sampled or reference), if there
            are any; "levels": the same two returns, paid elsewhere; "length": episodes of other
            lengths; "size": other sizes of a batch or group.
        value: the length of the longest episode.
        space: the space.
    """

    what: Varied
    value: int
    space: Space


def varied(space: Space) -> Iterator[Variation]:
    """Two variations of each sort that the space allows."""
    if space.continuous is not None:
        for number in range(2):
            yield Variation(
                "rewards", space.horizon, replace(space, continuous=space.continuous.varied(number))
            )
        return
    for number in range(2):
        yield Variation(
            "rewards", space.horizon, _other_policies(_other_rewards(space, number), number)
        )
    if len(_returns(space)) == 2:
        for number in range(2):
            redealt = _other_levels(space, number)
            if redealt is not None:
                yield Variation("levels", space.horizon, redealt)
    if space.horizon > 1:
        for longer in _other_lengths(space):
            yield Variation("length", longer.horizon, longer)


def resized(space: Space, *, rows: bool) -> Iterator[Variation]:
    """Two other sizes of the batch or group.

    Args:
        space: where something was seen.
        rows: whether single episodes are rows of a batch of one.
    """
    if space.scheme == "one" and not rows:
        return
    for size in (space.size + 1, 2 * space.size, 3 * space.size):
        scheme: Any = "batch" if space.scheme == "one" else space.scheme
        yield Variation("size", space.horizon, replace(space, scheme=scheme, size=size))


def _returns(space: Space) -> set[Fraction]:
    return set(space.arrays.returns(space.discount)[:, 0])


def _late(space: Space) -> bool:
    """Whether rewards come with the last step only."""
    return not any(reward for episode in space.episodes for reward in episode.rewards[:-1])


def _other_rewards(space: Space, number: int) -> Space:
    """Each reward times a number, and a number more for each state and action."""
    dealt = random.Random(number + 1)
    added = {
        cell: Fraction(dealt.randint(-9, 9), dealt.randint(2, 7))
        for cell in sorted(
            {
                cell
                for episode in space.episodes
                for cell in zip(episode.states, episode.actions, strict=True)
            }
        )
    }
    late, factor = _late(space), FACTORS[number]
    if space.game is not None:
        joint = {
            each.actions: Fraction(dealt.randint(-9, 9), dealt.randint(2, 7))
            for each in space.episodes
        }
        paid_so = (
            (*each.rewards[:-1], each.rewards[-1] * factor + joint[each.actions])
            for each in space.episodes
        )
        return replace(
            space,
            episodes=tuple(
                replace(each, rewards=to) for each, to in zip(space.episodes, paid_so, strict=True)
            ),
        )
    if number == 0 and all(reward >= 0 for episode in space.episodes for reward in episode.rewards):
        # the first keeps what only rewards of one sign can have, such as a logarithm
        added = {cell: abs(more) for cell, more in added.items()}

    def paid(episode: Episode) -> tuple[Fraction, ...]:
        cells = zip(episode.states, episode.actions, episode.rewards, strict=True)
        new = [reward * factor + added[state, action] for state, action, reward in cells]
        return (Fraction(0),) * (len(new) - 1) + (new[-1],) if late else tuple(new)

    return replace(
        space, episodes=tuple(replace(each, rewards=paid(each)) for each in space.episodes)
    )


def _other_levels(space: Space, number: int) -> Space | None:
    """The same two returns, paid with the last step by other actions; None where there is no other
    way.
    """
    if not _late(space) or any(episode.final_value for episode in space.episodes):
        return None
    cells = list(dict.fromkeys((each.states, each.actions) for each in space.episodes))
    if len({(each.states, each.actions) for each in space.episodes}) < len(space.episodes):
        # what an action pays is drawn: its chances would have to change
        return None
    levels = sorted({episode.rewards[-1] for episode in space.episodes})
    was = {(each.states, each.actions): each.rewards[-1] for each in space.episodes}
    dealt = random.Random(number + 7)
    for _ in range(20):
        new = {cell: dealt.choice(levels) for cell in cells}
        # each start keeps both, so that there is something to learn from it
        starts = {
            start: {new[cell] for cell in cells if cell[0][0] == start} for start in space.starts
        }
        if new != was and all(len(each) == len(levels) for each in starts.values()):
            episodes = (
                replace(each, rewards=(*each.rewards[:-1], new[each.states, each.actions]))
                for each in space.episodes
            )
            return replace(space, episodes=tuple(episodes))
    return None


def _other_policies(space: Space, number: int) -> Space:
    """Fixed policies that are sampled, or kept near to, mixed with others that take the same
    actions.
    """
    changed: dict[str, Any] = {}
    for name in ("behaviour", "reference"):
        table = getattr(space, name)
        if isinstance(table, np.ndarray):
            changed[name] = np.array([_mixed(row, number) for row in table], dtype=table.dtype)
    return replace(space, **changed) if changed else space


def _mixed(row: np.ndarray, number: int) -> list[Any]:
    shares = [
        Fraction((a * (number + 2)) % 5 + 1) if entry else Fraction(0)
        for a, entry in enumerate(row)
    ]
    total = sum(shares)
    if not total:
        return list(row)
    exact = row.dtype == object
    return [
        (entry + (share / total if exact else float(share / total))) / 2
        for entry, share in zip(row, shares, strict=True)
    ]


def _other_lengths(space: Space) -> Iterator[Space]:
    """Two spaces whose episodes have other lengths, if the space can be posed so."""
    if space.longer is not None:
        beside = {
            name: getattr(space, name)
            for name in ("behaviour", "reference")
            if getattr(space, name) is not None
        }
        if any(
            callable(table) or any(list(row) != list(table[0]) for row in table)
            for table in beside.values()
        ):
            # what a policy that differs from state to state does in other states isn't known
            return
        for length in [
            each for each in (space.horizon + 1, space.horizon - 1, space.horizon + 2) if each > 0
        ][:2]:
            try:
                other = space.longer(length)
            except BadInput:
                continue
            tables: dict[str, Any] = {
                name: np.array([table[0]] * other.states) for name, table in beside.items()
            }
            yield replace(
                other, scheme=space.scheme, size=space.size, discount=space.discount, constants=space.constants, keep=space.keep,
                exchangeable=space.exchangeable, **tables,
            )  # fmt: skip
        return
    if (
        isinstance(space.policy, TablePolicy)
        and space.rows is None
        and not callable(space.behaviour)
    ):
        # a time limit cuts off at one time, whatever was done
        limited = any(episode.final_value for episode in space.episodes)
        yield _with_waiting(space, lambda action: 1)
        yield _with_waiting(space, lambda action: 2 if action or limited else 0)


def _with_waiting(space: Space, steps: Any) -> Space:
    """After the first step so many steps are waited, depending on its action: a state in which
    there is one thing to do.
    """
    assert isinstance(space.policy, TablePolicy)
    waits, late = space.states, _late(space)

    def longer(episode: Episode) -> Episode:
        more = steps(episode.actions[0])
        moved = late and len(episode) == 1 and more
        first = (Fraction(0),) if moved else episode.rewards[:1]
        rest = (Fraction(0),) * (more - 1) + episode.rewards[:1] if moved else (Fraction(0),) * more
        return replace(
            episode,
            states=(*episode.states[:1], *[waits] * more, *episode.states[1:]),
            actions=(*episode.actions[:1], *[0] * more, *episode.actions[1:]),
            rewards=(*first, *rest, *episode.rewards[1:]),
        )

    index = (*space.policy.index, (FIXED, *[ILLEGAL] * (space.actions - 1)))
    tables: dict[str, Any] = {}
    for name in ("behaviour", "reference"):
        table = getattr(space, name)
        if table is not None:
            row = np.array([1, *[0] * (space.actions - 1)], dtype=table.dtype)
            tables[name] = np.vstack([table, row[None]])
    episodes = tuple(longer(episode) for episode in space.episodes)
    return replace(space, episodes=episodes, policy=replace(space.policy, index=index), **tables)
