"""What the states of a cut episode are still worth: the values of a policy, by exact linear
equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import as_fraction, as_list, checked_outcomes, is_row, shown
from altpg_verify.errors import BadInput

LastValue = tuple[Fraction, bool]
"""What follows the last step: the final value, and whether it is an undeclared cut."""

Worth = Sequence[tuple[LastValue, Fraction]]
"""What a state can be worth at the limit, with exact chances."""

Outcomes = Sequence[tuple[Fraction, Fraction]]
"""(number, chance) pairs."""


def outcomes(entry: Any, name: str = "rewards") -> Outcomes:
    """What a step can pay, or a state be worth, with exact chances, from a number or a list of
    (number, probability) pairs.

    Raises:
        BadInput: something is no number, or the chances don't add up to 1.
    """
    if is_row(entry):
        return [
            (as_fraction(name, value), chance) for value, chance in checked_outcomes(name, entry)
        ]
    return [(as_fraction(name, entry), Fraction(1))]


def worth_at_limit(
    at_limit: Any, moves: Any, pays: Any, over: frozenset[int], gamma: Fraction, table: np.ndarray
) -> list[Worth]:
    """For each state its final values if the limit strikes there, with their chances, and whether
    that was left undeclared although something is paid later.

    Args:
        at_limit: what `mdp` was given: "ends", "value", for each state a number or a list of
            (number, probability) pairs, or None.
        moves, pays: for each state and action its transitions, and its rewards.
        over: the states in which an episode is over.
        gamma: the discount.
        table: the policy.

    Raises:
        BadInput: `at_limit` is none of these.
    """
    states = len(moves)
    if at_limit is None:
        paying = _paying(moves, pays, over)
        return [_surely(Fraction(0), state in paying) for state in range(states)]
    if isinstance(at_limit, str) and at_limit == "ends":
        return [_surely(Fraction(0))] * states
    if isinstance(at_limit, str) and at_limit == "value":
        return [_surely(value) for value in _values(moves, pays, over, gamma, table)]
    if isinstance(at_limit, str):
        raise BadInput(
            f"at_limit: {shown(at_limit)} is not known; write 'ends', 'value', or a list with a"
            " number for each state"
        )
    entries = as_list("at_limit", at_limit)
    if len(entries) != states:
        raise BadInput(
            f"at_limit has {len(entries)} entries for {states} states; give one for each, or write"
            " 'ends' or 'value'"
        )
    return [
        [
            ((value, False), chance)
            for value, chance in outcomes(entry, f"at_limit of state {state}")
        ]
        for state, entry in enumerate(entries)
    ]


def _surely(value: Fraction, undeclared: bool = False) -> Worth:
    return [((value, undeclared), Fraction(1))]


def _paying(moves: Any, pays: Any, over: frozenset[int]) -> set[int]:
    """The states from which a reward that isn't 0 can still come."""
    found = {
        s
        for s in range(len(moves))
        if s not in over and any(reward for entry in pays[s] for reward, _ in entry)
    }
    while True:
        more = {
            s
            for s in range(len(moves))
            if s not in over | found and any(row[t] for row in moves[s] for t in found)
        }
        if not more:
            return found
        found |= more


def _values(
    moves: Any, pays: Any, over: frozenset[int], gamma: Fraction, table: np.ndarray
) -> list[Fraction]:
    """v = r + γ P v, exactly: the value of each state under the policy, without a limit.

    Raises:
        BadInput: it isn't finite.
    """
    states = len(moves)
    inside = sorted(_paying(moves, pays, over))
    step = {
        s: [
            gamma * sum((table[s, a] * row[t] for a, row in enumerate(moves[s])), Fraction(0))
            for t in inside
        ]
        for s in inside
    }
    if gamma == 1:
        # every state must be able to leave the states in which something is still paid
        leaving = {s for s in inside if sum(step[s]) < 1}
        while more := {
            s
            for s in inside
            if s not in leaving and any(step[s][j] for j, t in enumerate(inside) if t in leaving)
        }:
            leaving |= more
        if len(leaving) < len(inside):
            raise BadInput(
                "at_limit='value': without a limit the policy's value isn't finite (the discount is"
                " 1 and some episode never ends); give a number for each state"
            )
    rows = []
    for i, s in enumerate(inside):
        mean = sum(
            (
                table[s, a] * chance * reward
                for a in range(table.shape[1])
                for reward, chance in pays[s][a]
            ),
            Fraction(0),
        )
        rows.append([Fraction(int(i == j)) - share for j, share in enumerate(step[s])] + [mean])
    found = dict(zip(inside, _solved(rows), strict=True))
    return [found.get(s, Fraction(0)) for s in range(states)]


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss-Jordan elimination in exact numbers, of a regular system with its right side as the
    last column.
    """
    for i in range(len(rows)):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for j, row in enumerate(rows):
            if j != i and row[i]:
                rows[j] = [one - row[i] * other for one, other in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]
