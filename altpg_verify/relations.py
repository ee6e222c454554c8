"""How the two sides of a statement are related, decided in exact numbers; used by laws and by claims
alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
"""How the two sides of a statement may be related; used by laws and by claims alike."""


def relates(left: Any, right: Any, relation: str) -> bool:
    """Whether `left relation right` is true of exact numbers, or of equally long vectors of them.

    Raises:
        TypeError: something is no int or Fraction.
        ValueError: the vectors differ in length.
    """
    lefts, rights = _exact(left), _exact(right)
    if len(lefts) != len(rights):
        raise ValueError(f"the sides have {len(lefts)} and {len(rights)} entries")
    agrees = [RELATIONS[relation](one, other) for one, other in zip(lefts, rights, strict=True)]
    # "the vectors differ" is false only when every entry agrees
    return any(agrees) if relation == "!=" else all(agrees)


def _exact(side: Any) -> tuple[Fraction, ...]:
    values = side if isinstance(side, Sequence) else (side,)
    for value in values:
        if not isinstance(value, int | Fraction):
            raise TypeError(
                f"a refutation needs exact numbers, got {value!r} of type {type(value).__name__}"
            )
    return tuple(Fraction(value) for value in values)


def show(value: Any) -> str:
    """A number or a vector as a reader writes it: 1/2, (1/2, 1/2)."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return "(" + ", ".join(show(entry) for entry in value) + ")"
    return str(value)
