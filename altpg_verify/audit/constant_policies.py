"""Policies on both sides of the numbers that stand in an update's own source: a bound, a floor or a
band is met there, whether it is one of probabilities, of their logarithms or of logits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.untrusted.constants import NEAR, constants, neighbours
from altpg_verify.untrusted.reaching import functions, nested

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space
    from altpg_verify.audit.updates import Update

MOST_CONSTANTS = 8
"""Constants of the update on both sides of which policies are placed."""

SMALLEST_LOG, LARGEST_LOG = 1e-3, 20.0
"""Sizes of numbers that a logarithm or a logit is compared with; e^-20 is next to a corner."""


def at_constants(update: Update) -> list[Parameters]:
    """Policies on both sides of the probabilities that stand in the update's own source, of the
    logarithms if it names any, and of the logits; of tabular policies only.
    """
    space, policy = update.space, update.space.policy
    if update.function is None or not isinstance(policy, TablePolicy) or not policy.separate:
        return []
    found = constants(update.function)
    near = [float(number) for number in neighbours(found) if 0 < number < 1]
    wanted = [number for number in near if any(abs(number - float(each)) < 0.02 for each in found)]
    places = [_with_probability(space, policy, number) for number in wanted[: 3 * MOST_CONSTANTS]]
    # every loss has these for other reasons
    logs = sorted({abs(float(each)) for each in found} - {1.0, 2.0})
    logs = [each for each in logs if SMALLEST_LOG <= each <= LARGEST_LOG][:MOST_CONSTANTS]
    words = _words(update)
    if any("log" in word for word in words):
        places += [_with_probability(space, policy, math.exp(-each)) for each in _beside(logs)]
    if any("logit" in word or "theta" in word for word in words):
        places += [
            _with_logit(space, policy, sign * each)
            for each in _beside(logs[: MOST_CONSTANTS // 2])
            for sign in (1, -1)
        ]
    return places


def _words(update: Update) -> set[str]:
    """Every name in the code of the update and of what it calls."""
    return {
        *update.needs,
        *(
            name
            for each in functions(update.function)
            for code in nested(each.__code__)
            for name in (*code.co_names, *code.co_varnames)
        ),
    }


def _beside(numbers: list[float]) -> Iterator[float]:
    for number in numbers:
        yield number * (1 - float(NEAR))
        yield number * (1 + float(NEAR))


def _with_probability(space: Space, policy: TablePolicy, number: float) -> Parameters:
    """In each state the first action that has a logit of its own gets this probability, the others
    share the rest.
    """
    return _first(space, policy, lambda others: np.log(number / (1 - number) * others))


def _with_logit(space: Space, policy: TablePolicy, number: float) -> Parameters:
    """In each state the first action that has a logit of its own gets this one, the others 0."""
    return _first(space, policy, lambda others: number)


def _first(space: Space, policy: TablePolicy, logit: Any) -> Parameters:
    theta = np.zeros(int(np.prod(policy.shape)))
    for row in policy.index:
        others = sum(i != -2 for i in row) - 1
        free = [i for i in row if i >= 0]
        if free and others:
            theta[free[0]] = logit(others)
    return {**space.parameters, policy.group: theta.reshape(policy.shape)}
