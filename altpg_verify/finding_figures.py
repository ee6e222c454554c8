"""The figures of a finding: rounded to what every machine agrees on, and none that shows a reader
something else than it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DIGITS = 8
"""Significant digits of the figures in a finding: the last bits of a float64 sum depend on the
machine's linear algebra.
"""


def as_it_is(value: Any) -> Any:
    """The value, if it shows a reader what it is.

    Raises:
        TypeError: a text, number or table in it is of a class of its own, which may show something
            else.
    """
    if type(value) is dict:
        return {as_it_is(name): as_it_is(entry) for name, entry in value.items()}
    if type(value) in (list, tuple):
        return [as_it_is(entry) for entry in value]
    if isinstance(value, str | int | float | dict | list | tuple) and type(value) not in (
        str,
        int,
        float,
        bool,
    ):
        raise TypeError
    return value


def hashed(formula: Any) -> int:
    """A formula as a number; of its print, if it has no hash."""
    try:
        return hash(formula)
    except TypeError:
        return hash(repr(formula))


def rounded(value: Any) -> Any:
    """The same figures to `DIGITS` significant digits, after every comparison was made."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {name: rounded(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(rounded(entry) for entry in value)
    return value
