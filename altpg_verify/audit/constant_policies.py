"""Policies on both sides of the numbers that stand in an update's own source: a bound, a floor or a
band is met there, whether it is one of probabilities, of their logarithms, of logits, or of ratios
to the policy that is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.untrusted.constants import constants, neighbours
from altpg_verify.untrusted.reaching import functions, nested

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space
    from altpg_verify.audit.updates import Update

MOST_CONSTANTS = 8
"""Constants of the update on both sides of which policies are placed."""

BESIDE = 1e-6
"""How near a number is met, as a share of it: nearer, and one that a library keeps in float32 would
be another one.
"""

SMALLEST_LOG, LARGEST_LOG = 1e-3, 20.0
"""Sizes of numbers that a logarithm or a logit is compared with; e^-20 is next to a corner."""

USUAL_RATIOS = (0.71, 1.26, 1.41, 2.51, 4.01)
"""Ratios between the clips of papers and libraries, and beyond that of a dual clip; none is a bound
that anyone writes, where a derivative is a matter of taste.
"""

SMALLEST_RATIO, LARGEST_RATIO = 1e-4, 50.0
"""Between them a number may be a bound of a ratio."""

MOST_RATIOS = 32
"""Policies that put ratios on both sides of numbers."""


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
    places += at_ratios(update, found)
    return places


def at_ratios(update: Update, numbers: Iterable[Fraction]) -> list[Parameters]:
    """Policies with ratios to the sampled policy on both sides of what a clip may be; none where no
    fixed policy is sampled.

    Args:
        update: whose space it is.
        numbers: those of its source.
    """
    space, policy = update.space, update.space.policy
    if (
        not isinstance(space.behaviour, np.ndarray)
        or not isinstance(policy, TablePolicy)
        or not policy.separate
    ):
        return []
    ratios = [*USUAL_RATIOS, *_beside(ratios_of(map(float, numbers)))]
    at = [_with_ratio(space, policy, ratio) for ratio in ratios]
    return [each for each in at if each is not None][:MOST_RATIOS]


def ratios_of(numbers: Iterable[float]) -> list[float]:
    """What a ratio may be compared with where these numbers stand: themselves, 1 more or less, and
    their exponentials, of either sign; the nearest to 1 first.
    """
    given = [each for each in numbers if each > 0 and each != 1]
    of_one = [1 + sign * each for each in given if 1e-5 < each < 1 for sign in (1, -1)]
    logs = [math.exp(sign * each) for each in given if 0.01 < each < 4 for sign in (1, -1)]
    plain = [each for each in given if SMALLEST_RATIO < each < LARGEST_RATIO]
    return sorted(
        {round(each, 12) for each in (*of_one, *plain, *logs)}, key=lambda each: abs(math.log(each))
    )


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
        yield number * (1 - BESIDE)
        yield number * (1 + BESIDE)


def _with_probability(space: Space, policy: TablePolicy, number: float) -> Parameters:
    """In each state the first action that has a logit of its own gets this probability, the others
    share the rest.
    """
    return _first(space, policy, lambda _, others: _logit(number, others))


def _logit(number: float, others: int) -> float:
    return float(np.log(number / (1 - number) * others))


def _with_ratio(space: Space, policy: TablePolicy, ratio: float) -> Parameters | None:
    """In each state the first action that can have this ratio to the sampled policy's has it, the
    others share the rest; None if none can in any state.
    """
    mu = np.asarray(space.behaviour, dtype=float)
    possible = (mu > 0) & (ratio * mu < 1)
    if not any(
        possible[s, a] for s, row in enumerate(policy.index) for a, i in enumerate(row) if i >= 0
    ):
        return None
    return _first(
        space,
        policy,
        lambda cell, others: _logit(ratio * mu[cell], others) if possible[cell] else None,
    )


def _with_logit(space: Space, policy: TablePolicy, number: float) -> Parameters:
    """In each state the first action that has a logit of its own gets this one, the others 0."""
    return _first(space, policy, lambda _, others: number)


def _first(
    space: Space, policy: TablePolicy, logit: Callable[[tuple[int, int], int], float | None]
) -> Parameters:
    """In each state the first action with a logit of its own for which there is one gets it."""
    theta = np.zeros(int(np.prod(policy.shape)))
    for state, row in enumerate(policy.index):
        others = sum(i != -2 for i in row) - 1
        for action, i in enumerate(row):
            wanted = logit((state, action), others) if i >= 0 and others else None
            if wanted is not None:
                theta[i] = wanted
                break
    return {**space.parameters, policy.group: theta.reshape(policy.shape)}
