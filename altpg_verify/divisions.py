"""What a formula divided by that isn't known to differ from 0: the conditions of what was
proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flint import fmpq, fmpq_mpoly

    from altpg_verify.rational_functions import Field


class Conditions:
    """What was divided by and may be zero somewhere, in the order it was met; see `dividing`.

    Iterating over it gives each condition in print, such as "b ≠ 7"; false if there is none.
    """

    def __init__(self) -> None:
        self._met: dict[tuple[int, int], tuple[Field, int]] = {}

    def add(self, field: Field, index: int) -> None:
        """Keep a factor, by its field and its place there."""
        self._met.setdefault((id(field), index), (field, index))

    def update(self, other: Conditions) -> None:
        """Keep all factors of another."""
        self._met |= other._met

    def __bool__(self) -> bool:
        return bool(self._met)

    def __iter__(self) -> Iterator[str]:
        return iter(
            dict.fromkeys(
                _unequal(field, field.factors[index]) for field, index in self._met.values()
            )
        )

    def __str__(self) -> str:
        return ", ".join(self)

    def roots(self) -> tuple[Fraction, ...]:
        """Numbers at which a factor that is linear in one variable vanishes: 7 for b - 7. The
        search looks at these from both sides.
        """
        found = (_root(field, factor) for field, factor in self.factors())
        return tuple(dict.fromkeys(solved[1] for solved in found if solved is not None))

    def factors(self) -> list[tuple[Field, fmpq_mpoly]]:
        """(field, polynomial) of each."""
        return [(field, field.factors[index]) for field, index in self._met.values()]


RECORDING: list[Conditions] = []
"""The blocks that collect divisions now, the innermost last."""


@contextmanager
def dividing() -> Iterator[Conditions]:
    """Collect what is divided by within the block and isn't known to differ from 0.

    Blocks nest: what an inner one collects is collected by the outer ones, too, at its end.
    """
    conditions = Conditions()
    RECORDING.append(conditions)
    try:
        yield conditions
    finally:
        RECORDING.pop()
        # whatever contains this block divided by it, too
        if RECORDING:
            RECORDING[-1].update(conditions)


def met(conditions: Conditions) -> None:
    """Count these as divided by here, for results that are used again: a value that was computed
    before was divided by its conditions then, and needs them now.
    """
    if RECORDING:
        RECORDING[-1].update(conditions)


_READABLE = (
    (r"\bp(\d+)\b", r"π_\1"),
    (r"\br(\d+)\b", r"q_\1"),
    (r"\bm(\d+)_(\d+)\b", r"E[R^\2|\1]"),
    (r"\bR\b", "r"),
)


def _unequal(field: Field, factor: fmpq_mpoly) -> str:
    """ "b ≠ 7", or "b - q_1 ≠ 0" where it can't be solved so shortly."""
    solved = _root(field, factor)
    text = f"{factor} ≠ 0" if solved is None else f"{solved[0]} ≠ {solved[1]}"
    for pattern, replacement in _READABLE:
        text = re.sub(pattern, replacement, text)
    return text.replace("**", "^")


def _root(field: Field, factor: fmpq_mpoly) -> tuple[str, Fraction] | None:
    """(name, number) at which a factor that is linear in one variable vanishes; None for any
    other.
    """
    terms = {
        tuple(int(power) for power in monomial): as_fraction(coefficient)
        for monomial, coefficient in factor.to_dict().items()
    }
    plain = [monomial for monomial in terms if any(monomial)]
    if len(plain) != 1 or sum(plain[0]) != 1:
        return None
    return (
        field.names[plain[0].index(1)],
        -terms.get((0,) * len(plain[0]), Fraction(0)) / terms[plain[0]],
    )


def as_fraction(number: fmpq) -> Fraction:
    """A rational number of FLINT's as one of Python's."""
    return Fraction(int(number.p), int(number.q))
