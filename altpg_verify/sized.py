"""Floats that know how large the terms were which they are sums of: rounding is a share of those,
never an absolute number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.cases import vector
from altpg_verify.estimators import Estimator
from altpg_verify.forward_mode import Dual
from altpg_verify.number_types import Number


class Sized:
    """A float64 value, and the sum of the sizes of the terms that it was made of.

    For a sum Σ tᵢ the size is Σ |tᵢ|, to which its rounding error is proportional; |Σ tᵢ| may be
    smaller by any factor, where terms cancel.

    Args:
        value: the number.
        size: at least |value|.

    Examples:
        >>> from altpg_verify.sized import Sized
        >>> difference = Sized(1e9, 1e9) - (1e9 - 1)
        >>> difference.value, difference.size
        (1.0, 1999999999.0)
    """

    __slots__ = ("size", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: float, size: float) -> None:
        self.value, self.size = value, size

    def __repr__(self) -> str:
        return repr(self.value)

    def __float__(self) -> float:
        return self.value

    def _apply(
        self,
        other: Number,
        value: Callable[[float, float], float],
        size: Callable[[Sized, Sized], float],
    ) -> Sized:
        if isinstance(other, np.ndarray | Dual):
            return NotImplemented
        operand = sized(other)
        return Sized(value(self.value, operand.value), size(self, operand))

    def __add__(self, other: Number) -> Sized:
        return self._apply(other, lambda x, y: x + y, lambda one, two: one.size + two.size)

    __radd__ = __add__

    def __sub__(self, other: Number) -> Sized:
        return self._apply(other, lambda x, y: x - y, lambda one, two: one.size + two.size)

    def __rsub__(self, other: Number) -> Sized:
        return self._apply(other, lambda x, y: y - x, lambda one, two: one.size + two.size)

    def __mul__(self, other: Number) -> Sized:
        return self._apply(other, lambda x, y: x * y, lambda one, two: one.size * two.size)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Sized:
        # of a quotient the terms are those of its numerator, each over the same denominator
        return self._apply(other, lambda x, y: x / y, lambda one, two: one.size / abs(two.value))

    def __rtruediv__(self, other: Number) -> Sized:
        return self._apply(other, lambda x, y: y / x, lambda one, two: two.size / abs(one.value))

    def __neg__(self) -> Sized:
        return Sized(-self.value, self.size)

    def __pow__(self, power: int) -> Sized:
        return Sized(self.value**power, self.size**power)


def sized(number: Number) -> Sized:
    """Any number as a `Sized`, of its own size if it isn't one."""
    return number if isinstance(number, Sized) else Sized(float(number), abs(float(number)))


def measuring(estimator: Estimator) -> Estimator:
    """The same estimator, whose floats are `Sized`, so that expectations of it know the size of
    their terms.

    Only what it returns is measured, entry by entry: what cancels inside the formula isn't seen.
    """

    def formula(**arguments: Any) -> Any:
        returned = estimator.formula(**arguments)
        entries = returned if isinstance(returned, np.ndarray) else np.array(returned, dtype=object)
        return vector([_measured(entry) for entry in entries]) if entries.ndim == 1 else returned

    return Estimator(formula, estimator.name, estimator.needs, estimator.target)


def _measured(entry: object) -> object:
    if isinstance(entry, Dual):
        return Dual(_measured(entry.value), [_measured(slope) for slope in entry.gradient])
    return sized(entry) if isinstance(entry, float | np.floating) and np.isfinite(entry) else entry
