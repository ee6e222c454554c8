"""What a factor may have of one constant, and the discount with the length as its exponent:
1/γ^(length-1) where a last reward isn't discounted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

CLOSE = 1e-9

SHAPES: Mapping[str, Callable[[float], float]] = {
    "{}": lambda x: x,
    "1/{}": lambda x: 1 / x,
    "({}-1)/{}": lambda x: (x - 1) / x,
    "{}/({}-1)": lambda x: x / (x - 1),
    "{}-1": lambda x: x - 1,
    "1/({}-1)": lambda x: 1 / (x - 1),
    "{}²": lambda x: x * x,
    "1/{}²": lambda x: 1 / (x * x),
    "(1-{})": lambda x: 1 - x,
    "1/(1-{})": lambda x: 1 / (1 - x),
}
"""How a part may depend on its constant."""


def _power(exponent: int) -> Callable[[float], float]:
    return lambda x: x**exponent


POWERS: Mapping[str, Callable[[float], float]] = {
    over + "{}^" + str(k): _power(-k if over else k) for k in range(3, 10) for over in ("", "1/")
}
"""How a part may depend on a discount, besides."""

EXPONENTS: Mapping[str, Callable[[float], float]] = {
    "γ^(length-1)": lambda length: length - 1,
    "1/γ^(length-1)": lambda length: 1 - length,
    "γ^length": lambda length: length,
    "1/γ^length": lambda length: -length,
}
"""Exponents of a discount that change with the length."""


@dataclass(frozen=True)
class Constant:
    """A constant that can be varied.

    Args:
        name: as it stands in a formula.
        value: what it is.
        others: two further values.
    """

    name: str
    value: Any
    others: tuple[Any, ...]

    @property
    def shapes(self) -> Mapping[str, Callable[[float], float]]:
        """How a part may depend on it."""
        return {**SHAPES, **POWERS} if self.name == "γ" else SHAPES


@dataclass(frozen=True)
class Part:
    """What a factor has of some constants.

    Args:
        said: the part as it stands in a formula.
        names: the constants that it is of.
        at: its value where they have these values.
    """

    said: str
    names: tuple[str, ...]
    at: Callable[[Mapping[str, Any]], float]

    @classmethod
    def of(cls, constant: Constant, shape: str) -> Part:
        """A shape of one constant."""
        name, at = constant.name, constant.shapes[shape]
        return cls(
            shape.format(*[name] * shape.count("{}")),
            (name,),
            lambda values: at(float(values[name])),
        )

    @classmethod
    def power(cls, said: str) -> Part:
        """The discount with the length in its exponent."""
        return cls(
            said,
            ("γ", "length"),
            lambda values: float(values["γ"]) ** EXPONENTS[said](values["length"]),
        )


Ratios = list[tuple[float, float]]
"""(another value of a constant, what the factor is multiplied by there)."""


def shape_of(constant: Constant, ratios: Ratios | None) -> str | None:
    """How the factor depends on one constant: a shape, "" if it doesn't, None if that can't be
    told.
    """
    if ratios is None:
        return None
    if all(abs(ratio - 1) <= CLOSE for _, ratio in ratios):
        return ""
    fits = [
        shape
        for shape, part in constant.shapes.items()
        if _follows(part, float(constant.value), ratios)
    ]
    return fits[0] if len(fits) == 1 else None


def with_exponent(
    length: Constant, ratios: Ratios | None, discount: Constant, part: Part
) -> tuple[Part, str] | None:
    """The discount's part with the length as its exponent, and the shape of what of the length is
    left beside it; None where there is no such exponent, or more than one.
    """
    here, gamma = {"γ": discount.value, "length": length.value}, float(discount.value)
    found = []
    for said in EXPONENTS if ratios else ():
        power = Part.power(said)
        if abs(power.at(here) - part.at(here)) > CLOSE * part.at(here):
            continue
        left = [
            (other, ratio * power.at(here) / power.at({"γ": gamma, "length": other}))
            for other, ratio in ratios or ()
        ]
        shape = shape_of(length, left)
        if shape is not None:
            found.append((power, shape))
    return found[0] if len(found) == 1 else None


def _follows(
    part: Callable[[float], float], value: float, ratios: list[tuple[float, float]]
) -> bool:
    try:
        return part(value) > 0 and all(
            abs(part(other) / part(value) - ratio) <= CLOSE * abs(ratio) for other, ratio in ratios
        )
    except ZeroDivisionError:
        return False
