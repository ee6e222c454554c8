"""The cases that a law speaks of: a strategy that draws them, the symbolic cases that stand for all
of them, and the way to one of them from any other case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING

from altpg_verify.cases import Case
from altpg_verify.number_types import Number
from altpg_verify.parameterisations import Parameterisation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Domain:
    """Which cases a law speaks of: a Hypothesis strategy, and the symbolic cases that cover them
    all (if any do).

    Args:
        name: the cases in words.
        strategy: parameterisation -> Hypothesis strategy of such cases.
        symbolic: (k, parameterisation) -> the cases over rational functions that stand for all with
            k actions.
        softmax_only: stated for softmax alone.
        floats: tried in float64, since preferences this far apart have no exact policy.
        boundary: speaks of policies that give some action probability 0, which softmax only
            approaches.
        includes: whether a case that somebody names is one of these.
        restrict: any case -> one of these that is like it, so that cases far from the simple ones
            can be tried; None: no such way.

    Examples:
        >>> from altpg_verify import AT_VALUE, bandit
        >>> case = bandit([1, 0], ["1/2", "1/2"], b=0)
        >>> AT_VALUE.includes(case), AT_VALUE.includes(AT_VALUE.restrict(case))
        (False, True)
    """

    name: str
    strategy: Callable[[Parameterisation], SearchStrategy[Case]]
    symbolic: Callable[[int, Parameterisation], Iterator[Case]] | None = None
    softmax_only: bool = False
    floats: bool = False
    boundary: bool = False
    includes: Callable[[Case], bool] = lambda case: True
    restrict: Callable[[Case], Case] | None = None


def _strategies() -> ModuleType:
    from altpg_verify import strategies

    return strategies


def _generic(k: int, parameterisation: Parameterisation) -> Iterator[Case]:
    from altpg_verify.symbolic import generic

    yield generic(k, parameterisation)


def _generic_at_value(k: int, parameterisation: Parameterisation) -> Iterator[Case]:
    for case in _generic(k, parameterisation):
        yield case.at_value()


def _generic_corners(k: int, parameterisation: Parameterisation) -> Iterator[Case]:
    from altpg_verify.symbolic import generic

    for corner in range(k):
        yield generic(k, parameterisation, corner=corner)


def _rewards(case: Case) -> list[Number]:
    return [reward for outcomes in case.rewards for reward, chance in outcomes if chance]


def _as_it_is(case: Case) -> Case:
    return case


def _cornered(case: Case) -> Case:
    """All mass on the likeliest action."""
    corner = max(range(case.k), key=lambda a: abs(case.x[a]))
    return replace(case, x=tuple(Fraction(int(a == corner)) for a in range(case.k)))


def _baseline_outside(case: Case, side: int) -> Case:
    """Rewards without noise, and the baseline above (1) or below (-1) all of them, as far away as
    it was from 0.
    """
    # the theorem speaks of expected rewards; without noise they are the rewards themselves
    rewards = tuple(((outcomes[0][0], Fraction(1)),) for outcomes in case.rewards)
    outermost = max(side * outcomes[0][0] for outcomes in rewards)
    b = case.b if side * case.b > outermost else side * (outermost + (abs(case.b) or 1))
    return replace(case, rewards=rewards, b=b)


def _any_case(parameterisation: Parameterisation) -> SearchStrategy[Case]:
    return _strategies().cases(parameterisation)


ANYWHERE = Domain("every policy, reward law and baseline", _any_case, _generic, restrict=_as_it_is)
"""The domain of a law that holds at every policy, with any rewards and baseline."""


AT_VALUE = Domain(
    "every policy and reward law, with b = v",
    lambda p: _strategies().cases(p).map(lambda case: case.at_value()),
    _generic_at_value,
    includes=lambda case: bool(case.b == case.v),
    restrict=lambda case: case.at_value(),
)
"""The domain of a law that is about b = v, the baseline at the policy's value."""


CORNERS = Domain(
    "policies that put all mass on one action; any baseline",
    lambda p: _strategies().cases(p, at_corner=True, noisy=True),
    _generic_corners,
    boundary=True,
    includes=lambda case: sum(1 for entry in case.x if entry != 0) == 1,
    restrict=_cornered,
)


OPTIMISTIC = Domain(
    "fixed baseline above every reward",
    lambda p: _strategies().biased_cases(p, optimistic=True),
    softmax_only=True,
    includes=lambda case: case.b > max(_rewards(case)),
    restrict=lambda case: _baseline_outside(case, 1),
)


PESSIMISTIC = Domain(
    "fixed baseline below every reward",
    lambda p: _strategies().biased_cases(p, optimistic=False),
    softmax_only=True,
    includes=lambda case: case.b < min(_rewards(case)),
    restrict=lambda case: _baseline_outside(case, -1),
)


SATURATED = Domain(
    "float64 preferences as far apart as ±700",
    lambda p: _strategies().saturated_floats(),
    softmax_only=True,
    floats=True,
)


SHIFTS = Domain(
    "every policy, reward law and baseline",
    _any_case,
    _generic,
    softmax_only=True,
    restrict=_as_it_is,
)
