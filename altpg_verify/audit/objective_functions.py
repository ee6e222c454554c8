"""A scalar function of the policy on a space, to be ascended, with its exact gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.continuous import defined, value_of
from altpg_verify.audit.episode_arrays import objects
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.numbers import LARGEST_DENOMINATOR
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.differences import jacobian
from altpg_verify.forward_mode import Dual, gradient_of
from altpg_verify.opaque_numbers import NotRational
from altpg_verify.untrusted.calling import calling


@dataclass(frozen=True, eq=False)
class Objective:
    """A scalar function of the policy.

    Args:
        name: in words.
        formula: in Unicode mathematics.
        at: (tables of the policy, tables where frozen quantities stand) -> the number.
        fits: whether it makes sense on a space.
        holds: quantities that stand still in it; an update follows it only if it declares them
            frozen.
        of_parameters: it depends on the parameters otherwise than through the policy, so that its
            gradient is a finite difference.
        parts: the (factor, objective) pairs of which it is the sum, if it is one.
        stacks: `at` takes tables with leading axes, of complex numbers too; then all its
            derivatives are had in one call.

    Examples:
        >>> from altpg_verify.audit import value
        >>> value.name, value.formula
        ('the value V', 'V')
    """

    name: str
    formula: str
    at: Callable[[Tables, Tables], Any]
    fits: Callable[[Space], bool] = lambda space: True
    of_parameters: bool = False
    holds: tuple[str, ...] = ()
    stacks: bool = False
    parts: tuple[tuple[Fraction, Objective], ...] = ()

    def __mul__(self, factor: Any) -> Objective:
        # 0.1 is meant as 1/10
        number = (
            Fraction(factor).limit_denominator(LARGEST_DENOMINATOR)
            if isinstance(factor, float)
            else Fraction(factor)
        )
        number = (
            number if abs(number - Fraction(factor)) < Fraction(1, 10**14) else Fraction(factor)
        )
        sign = "-" if number == -1 else f"{_short(number)}·"
        size = "" if abs(number) == 1 else f"{_short(abs(number))}·"
        return Objective(
            f"{'minus ' if number < 0 else ''}{size}{self.name}",
            f"{sign}{self._bracketed}",
            lambda tables, held: (
                self.at(tables, held) * (float(number) if tables.floats else number)
            ),
            self.fits,
            self.of_parameters,
            self.holds,
            self.stacks,
            ((number, self),),
        )

    __rmul__ = __mul__

    def __neg__(self) -> Objective:
        return self * -1

    def __add__(self, other: Objective) -> Objective:
        return Objective(
            f"{self.name} + {other.name}".replace("+ minus ", "less "),
            f"{self.formula} + {other.formula}".replace("+ -", "- "),
            lambda tables, held: self.at(tables, held) + other.at(tables, held),
            lambda space: self.fits(space) and other.fits(space),
            self.of_parameters or other.of_parameters,
            self.holds + other.holds,
            self.stacks and other.stacks,
            ((Fraction(1), self), (Fraction(1), other)),
        )

    def __sub__(self, other: Objective) -> Objective:
        return self + (-other)

    def makes_sense(self, space: Space) -> bool:
        """Whether it has a value on a space."""
        return self.fits(space) if space.continuous is None else defined(self, space)

    @property
    def _bracketed(self) -> str:
        return (
            f"({self.formula})" if " + " in self.formula or " - " in self.formula else self.formula
        )

    def value(self, space: Space, parameters: Parameters | None = None) -> float:
        """The number at a point, float64."""
        if space.continuous is not None:
            return value_of(
                self, space, parameters if parameters is not None else space.parameters
            )[0]
        tables = Tables.at(space, parameters if parameters is not None else space.parameters)
        return float(self.at(tables, tables))

    def gradient(
        self, space: Space, groups: Sequence[str], parameters: Parameters | None = None
    ) -> np.ndarray:
        """(n,) the gradient with respect to the groups, flattened, float64; frozen quantities stand
        at the point.
        """
        point = parameters if parameters is not None else space.parameters
        layout = Layout.of(groups, point)
        if space.continuous is not None:
            return layout.flat(value_of(self, space, point)[1])
        tables = Tables.at(space, point)
        if self.of_parameters or (tables.mu is not tables.table and callable(space.behaviour)):
            return jacobian(
                lambda flat: np.array(
                    float(self.at(Tables.at(space, {**point, **layout.split(flat)}), tables))
                ),
                layout.flat(point),
            )[0]
        return _carried(self._slopes(tables), tables, layout)

    def _slopes(self, tables: Tables) -> np.ndarray:
        """(states, actions) π ∂/∂π in float64, by a complex step: no difference is taken, so
        nothing cancels.
        """
        if self.parts and not self.stacks:
            # each in its own way: one may have logarithms, another branches
            return sum(
                (float(factor) * part._slopes(tables) for factor, part in self.parts),
                np.zeros(tables.table.shape),
            )
        table = tables.table
        size = table.size
        returns = np.abs(tables.returns_to_go)
        if not self.stacks or (returns[returns > 0] < SMALLEST).any():
            try:
                found = self._lifted(tables)
                return np.array(gradient_of(found, size), dtype=float).reshape(table.shape) * table
            except NotExact:
                # a logarithm, which doesn't carry derivatives here
                if not self.stacks:
                    raise
        out = np.empty(size)
        most = max(1, MOST_NUMBERS // max(size, len(tables.space.episodes) * tables.arrays.horizon))
        for start in range(0, size, most):
            moved = np.arange(start, min(start + most, size))
            lifted = np.repeat(table.reshape(1, -1), len(moved), axis=0).astype(complex)
            lifted[np.arange(len(moved)), moved] *= 1 + 1j * STEP
            with np.errstate(all="ignore"):
                found = self.at(
                    Tables(tables.space, lifted.reshape(-1, *table.shape), None, None), tables
                )
            out[moved] = np.broadcast_to(np.imag(found) / STEP, len(moved))
        return out.reshape(table.shape)

    def exact_gradient(
        self, space: Space, groups: Sequence[str], weights: Sequence[Any]
    ) -> np.ndarray:
        """(n,) the same in exact numbers.

        Raises:
            NotExact: there are logarithms in it, or the policy isn't tabular.
        """
        if self.of_parameters:
            raise NotExact(f"{self.name} has no exact gradient")
        tables = Tables.exact(space, weights)
        table = tables.table
        slopes = objects(gradient_of(self._lifted(tables), table.size)).reshape(table.shape) * table
        return _carried(slopes, tables, Layout.of(groups, space.parameters))

    def _lifted(self, tables: Tables) -> Any:
        """The number with its derivatives in the table's entries carried along."""
        table = tables.table
        zero = 0 * table.flat[0]
        lifted = np.empty(table.shape, dtype=object)
        for i, entry in enumerate(table.flat):
            lifted.flat[i] = Dual(entry, [zero + int(i == j) for j in range(table.size)])
        with calling(f"objective {self.name!r}", passing=(NotExact, NotRational)):
            return self.at(Tables(tables.space, lifted, None, tables.parameters), tables)


SMALLEST = 1e-290
"""Returns below this, times the imaginary part, are lost in float64: derivatives are then carried
along instead.
"""

STEP = 2.0**-27
"""The imaginary part by which a probability is moved, as a share of it: its square, which is the
error, is below rounding, and rewards of 1e-300 times it are still there in float64.
"""

MOST_NUMBERS = 4_000_000
"""Complex numbers held at once for a derivative."""


def _carried(slopes: np.ndarray, tables: Tables, layout: Layout) -> np.ndarray:
    """(n,) Σ π ∂/∂π ∇ log π, flattened over the groups."""
    carried = {}
    for name in layout.groups:
        if name in tables.scores:
            scores = tables.scores[name]
            if slopes.dtype != object:
                carried[name] = np.tensordot(slopes, scores, axes=2)
            else:
                carried[name] = (
                    slopes.reshape(*slopes.shape, *[1] * (scores.ndim - 2)) * scores
                ).sum(axis=(0, 1))
    return layout.flat(carried)


def _short(number: Fraction) -> str:
    return str(number) if number.denominator < 1000 else f"{float(number):.6g}"
