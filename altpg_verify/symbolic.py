"""The same case over rational functions: one symbolic case stands for every policy, reward law and
baseline with k actions.

Numbers are rational functions in Q(p, r, s, ..., b), of which "is zero" is decided, not guessed.
Rewards stay a symbol R until the expectation, where each power Rⁿ becomes the n-th moment of the
action's reward law: whatever is proved holds for every reward law that has these moments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np

from altpg_verify.cases import Case, vector
from altpg_verify.forward_mode import Dual, value_of
from altpg_verify.number_types import Number
from altpg_verify.opaque_numbers import NotRational
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.rational_functions import Field, RationalFunction
from altpg_verify.signs import NONZERO, NOT_NEGATIVE, POSITIVE

MAX_MOMENT = 4
"""Highest power of the reward that may occur: fourth, so that variances of quadratic estimators are
covered.
"""


Key: TypeAlias = tuple[int, str, int | None]
"""k, the parameterisation's name, the corner's action or None."""


@dataclass(frozen=True)
class SymbolicCase(Case):
    """A `Case` whose numbers are rational functions; made by `generic`, not by hand.

    The reward of a draw is the symbol R, whichever the action; E[·] replaces Rⁿ by the moment
    m_n(a) = E[Rⁿ | a] of the action's own reward law.

    Args:
        moments: (k, 1 + MAX_MOMENT) for each action the moments E[Rⁿ] as symbols, n = 0, 1, ...
        reward: the letter R, as an element of the field.
        reward_index: which of the field's generators R is.
    """

    moments: tuple[tuple[Any, ...], ...] = ()
    reward: Any = None
    reward_index: int = field(kw_only=True)

    @cached_property
    def q(self) -> np.ndarray:
        """(k,) the expected rewards."""
        return vector([self._average(self.reward, action) for action in range(self.k)])

    @cached_property
    def sigma2(self) -> np.ndarray:
        """(k,) the reward variances E[R² | a] - q_a², known not to be negative."""
        squares = [self._average(self.reward * self.reward, action) for action in range(self.k)]
        spread = [square - mean * mean for square, mean in zip(squares, self.q, strict=True)]
        return vector(
            [
                entry.known(NOT_NEGATIVE) if isinstance(entry, RationalFunction) else entry
                for entry in spread
            ]
        )

    def draws(self) -> Iterator[tuple[Any, int, Any]]:
        """(probability, action, R) with the reward as a symbol."""
        for action in range(self.k):
            if value_of(self.pi[action]) != 0:
                yield self.pi[action], action, self.reward

    def expectation(self, function: Callable[[int, Number], Any]) -> Any:
        """Σ_a π_a E[f(a, R)], with every power of R replaced by its moment.

        Args:
            function: (action, R) -> a rational function, polynomial in R of degree at most
                `MAX_MOMENT`, or an array of such.

        Raises:
            NotRational: R stands in a denominator, or to a higher power.
        """
        total: Any = 0
        for weight, action, reward in self.draws():
            value = function(action, reward)
            averaged = (
                vector([self._average(entry, action) for entry in value])
                if isinstance(value, np.ndarray)
                else self._average(value, action)
            )
            total = total + weight * averaged
        return total

    def _average(self, entry: Any, action: int) -> Any:
        if isinstance(entry, Dual):
            return Dual(
                self._average(entry.value, action),
                [self._average(g, action) for g in entry.gradient],
            )
        if not isinstance(entry, RationalFunction):
            return entry
        powers = self.moments[action]
        parts = entry.by_power(self.reward_index)
        if max(parts, default=0) > MAX_MOMENT:
            raise NotRational(f"the reward occurs to the power {max(parts)}")
        # E is linear: each power of R becomes its moment, whatever the law of the reward is
        return sum((part * powers[n] for n, part in parts.items()), start=0 * entry)

    def _translated(self, shift: Number) -> SymbolicCase:
        return replace(self, reward=self.reward + shift, b=self.b + shift)

    def relabelled(self, order: Sequence[int]) -> SymbolicCase:
        """The same case with action `order[i]` called i."""
        return replace(
            self, x=tuple(self.x[a] for a in order), moments=tuple(self.moments[a] for a in order)
        )

    def as_float(self) -> NoReturn:
        """There is none.

        Raises:
            NotRational: always.
        """
        raise NotRational("a symbolic case has no float64 form")


_SHARED: list[dict[Key, SymbolicCase]] = []


@contextmanager
def sharing(made: dict[Key, SymbolicCase]) -> Iterator[None]:
    """Within the block `generic` makes each case once and keeps it in `made`, with all that is
    computed of it.

    Args:
        made: what was made in earlier blocks, and what will be in this one.
    """
    _SHARED.append(made)
    try:
        yield
    finally:
        _SHARED.pop()


def generic(
    k: int, parameterisation: Parameterisation = softmax, *, corner: int | None = None
) -> SymbolicCase:
    """Every policy with k actions (or the corner of one action), every reward law, every baseline.

    The generators are p₁, ..., p_k, then for each action its moments r_a = E[R | a] and m_a_n, then
    b and R. For softmax the last probability is 1 - p₁ - ... and p_k stays unused.

    Args:
        k: the number of actions.
        parameterisation: how coordinates become the policy.
        corner: the action that has all mass; None for the interior.
    """
    if not _SHARED:
        return _generic(k, parameterisation, corner)
    key = (k, parameterisation.name, corner)
    if key not in _SHARED[-1]:
        _SHARED[-1][key] = _generic(k, parameterisation, corner)
    return _SHARED[-1][key]


def _generic(k: int, parameterisation: Parameterisation, corner: int | None) -> SymbolicCase:
    names = [f"p{a + 1}" for a in range(k)]
    names += [
        f"m{a + 1}_{n}" if n > 1 else f"r{a + 1}"
        for a in range(k)
        for n in range(1, MAX_MOMENT + 1)
    ]
    # R last: its place is what a power of the reward is looked for by
    names += ["b", "R"]
    # a preference of 0 has probability 0, which no interior policy has
    signs = {} if parameterisation.normalised else dict.fromkeys(names[:k], NONZERO)
    field_ = Field(names, signs, simplex=names[: k - 1] if parameterisation.normalised else ())
    symbols = field_.generators()
    p, b, reward = symbols[:k], symbols[-2], symbols[-1]
    moments = tuple((1, *symbols[k + a * MAX_MOMENT : k + (a + 1) * MAX_MOMENT]) for a in range(k))
    if corner is not None:
        x = tuple(field_.constant(int(a == corner)) for a in range(k))
    elif parameterisation.normalised:
        # scaling x changes nothing, so x may be the policy itself: then all denominators are 1
        x = (*p[:-1], (1 - sum(p[:-1], start=field_.constant(0))).known(POSITIVE))
    else:
        x = tuple(p)
    empty = tuple(() for _ in range(k))
    return SymbolicCase(x, empty, b, parameterisation, moments, reward, reward_index=len(names) - 1)
