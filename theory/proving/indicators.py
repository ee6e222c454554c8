"""Indicators inside sums over actions: Σ_j δ_j f_j is f_a, for every number of actions.

A sum with indicator symbols is split by the actions they ask about: Σ_j f_j(0) plus, for each such
action a, f_a(1) - f_a(0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Sum, Symbol, Tuple, sympify

from altpg_verify.theory.proving.expression_trees import Meaning
from altpg_verify.theory.proving.notation import total

delta_a, delta_c = IndexedBase("delta^a"), IndexedBase("delta^c")
"""Entries of the unit vectors: δ^a_j is 1 for j = a, else 0; and likewise for c."""


def indicating(indicators: Mapping[IndexedBase, Symbol]) -> Meaning:
    """What sums with these indicator symbols stand for, as a `Meaning` for `tree`.

    Each letter is 1 at its own action and 0 at any other: Σ_j f_j = Σ_j f_j(0) + Σ_a (f_a(1) -
    f_a(0)), the second sum over the actions that are asked about.

    Args:
        indicators: the letter of each unit vector -> its action.
    """
    return {Sum: _splitter(indicators)}


def _splitter(indicators: Mapping[IndexedBase, Symbol]) -> Callable[..., Expr | None]:
    def split(body: Any, *limits: Tuple) -> Expr | None:
        ((index, *_),) = limits
        asked = {
            letter[index]: action
            for letter, action in indicators.items()
            if body.has(letter[index])
        }
        if not asked:
            return None
        # the sum as if no index were a or c, then what the terms of a and c add
        away = sympify(body).xreplace(dict.fromkeys(asked, Integer(0)))
        result: Expr = total(away, index)
        # two indicators of one action must be 1 together; a dict keeps the order, a set would not
        for action in dict.fromkeys(asked.values()):
            here = {letter: Integer(at == action) for letter, at in asked.items()}
            result += sympify(body).xreplace(here).subs(index, action) - away.subs(index, action)
        return result

    return split
