"""What users declare, checked when it is declared: numbers, chances, policies' rows, whole numbers.
One sentence for each mistake.

Chances are exact: "1/3" and 0.1 mean one third and one tenth. Floats that add up to 1 within
rounding are divided by their sum.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.cases import vector
from altpg_verify.errors import BadInput

LARGEST, SMALLEST = Fraction(10) ** 100, Fraction(1, 2**1074)
"""Sizes between which float64 holds a number, and the square of a large one."""

DIGITS, LONGEST = 400, 1000
"""The largest exponent that is read, and the most letters of a number: more takes as long as they
like.
"""

ROUNDING = Fraction(1, 10**12)
"""How far floats may add up beside 1, for each of them."""

SHORT = 10**6
"""A float within rounding of a fraction with so small a denominator means that fraction."""


def shown(value: Any) -> str:
    """`repr`, cut to what fits into a sentence, whatever the object does when it is asked."""
    try:
        if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
            return f"{'-' if value < 0 else ''}about 10^{int(value.bit_length() * 0.30103)}"
        text = " ".join(repr(value).split())
    except Exception:
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def as_fraction(name: str, value: Any) -> Fraction:
    """The exact number that was written: whole numbers, floats, decimals, "1/3", numpy's numbers.

    Raises:
        BadInput: it is no number, not finite, or of a size that float64 can't compute with.
    """
    number = _read(name, value)
    if number and not SMALLEST <= abs(number) <= LARGEST:
        raise BadInput(
            f"{name}: {shown(value)} is beyond what float64 computes with (10^-323 to 10^100);"
            " choose other units"
        )
    return number


def _read(name: str, value: Any) -> Fraction:
    """The number, of whatever size."""
    if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0:
        value = value.item()
    try:
        if isinstance(value, str) and _endless(value):
            raise BadInput(
                f"{name}: {shown(value)} has more than {LONGEST} digits or too large an exponent;"
                " write a shorter number"
            )
        if (
            isinstance(value, np.ndarray | list | tuple)
            or value is None
            or isinstance(value, complex)
        ):
            raise TypeError
        if hasattr(value, "adjusted") and abs(value.adjusted()) > DIGITS:
            raise BadInput(
                f"{name}: {shown(value)} is beyond what float64 computes with (10^-323 to 10^100);"
                " choose other units"
            )
        found = (
            Fraction(value)
            if isinstance(value, str) or not hasattr(value, "as_integer_ratio")
            else Fraction(*value.as_integer_ratio())
        )
        return Fraction(int(found.numerator), int(found.denominator))
    except BadInput:
        raise
    except OverflowError:
        raise BadInput(f"{name}: {shown(value)} is not finite; give finite numbers") from None
    except Exception as error:
        if isinstance(value, float) or (
            hasattr(value, "is_nan") and not isinstance(error, TypeError)
        ):
            raise BadInput(f"{name}: {shown(value)} is not finite; give finite numbers") from None
        raise BadInput(
            f"{name}: {shown(value)} is no number; write whole numbers, decimals or fractions like"
            " '1/3'"
        ) from None


def _endless(text: str) -> bool:
    if len(text) > LONGEST:
        return True
    exponent = re.search(r"[eE]([+-]?\d[\d_]*)", text)
    return exponent is not None and abs(int(exponent.group(1).replace("_", ""))) > DIGITS


def as_chance(name: str, value: Any) -> Fraction:
    """A number from 0 to 1, exact; a float means the short fraction it is within rounding of, if
    there is one.

    Raises:
        BadInput: it is no such number.
    """
    number = as_fraction(name, value)
    if isinstance(value, float | np.floating):
        near = number.limit_denominator(SHORT)
        # a single precision number is known to fewer digits
        reach = (
            Fraction(float(np.finfo(value).eps))
            if isinstance(value, np.floating)
            else Fraction(1, 2**52)
        )
        number = near if near and abs(near - number) <= reach * abs(number) else number
    if number < 0 or number > 1:
        raise BadInput(
            f"{name}: a chance of {shown(value)} is not between 0 and 1; give probabilities"
        )
    return number


def checked_chances(name: str, chances: Any, *, positive: bool = False) -> tuple[Fraction, ...]:
    """Probabilities as exact numbers that add up to 1.

    Args:
        name: what a message calls them.
        chances: numbers as `as_fraction` reads them; floats that add up to 1 within rounding are
            divided by their sum.
        positive: whether 0 is refused.

    Raises:
        BadInput: one is no number from 0 to 1, or they don't add up to 1; the message says to what.
    """
    entries = as_list(name, chances)
    if not entries:
        raise BadInput(f"{name}: there are no chances; give at least one, and let them add up to 1")
    exact = [as_chance(name, entry) for entry in entries]
    if positive and not all(exact):
        raise BadInput(
            f"{name}: entry {exact.index(Fraction(0))} has a chance of 0; leave out what can't"
            " happen"
        )
    total = sum(exact, Fraction(0))
    if (
        total != 1
        and total
        and abs(total - 1) <= ROUNDING * len(exact)
        and any(isinstance(entry, float | np.floating) for entry in entries)
    ):
        exact, total = [entry / total for entry in exact], Fraction(1)
    if total != 1:
        raise BadInput(
            f"{name}: the chances add up to {_short(total)}, not to 1; give probabilities, exact"
            " ('1/3') or as floats"
        )
    return tuple(exact)


def checked_choices(choices: Any) -> dict[str, tuple[tuple[Any, Fraction], ...]]:
    """An update's declared randomness with exact chances: name -> ((value, chance), ...), each
    chance positive, their sum 1.

    Raises:
        BadInput: it is no mapping of names to lists of pairs, or the chances of a name aren't
            probabilities that add up to 1.
    """
    if choices is None:
        return {}
    if not isinstance(choices, Mapping):
        raise BadInput(
            f"choices must map names to lists of (value, chance) pairs, not be {shown(choices)}; "
            "write choices={'coin': [(0, '1/2'), (1, '1/2')]}"
        )
    checked = {}
    for name, outcomes in choices.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise BadInput(
                f"choices: {shown(name)} is no name of an argument; name the argument that is to be"
                " filled in"
            )
        checked[name] = checked_outcomes(f"choices {name!r}", outcomes)
    return checked


def checked_outcomes(name: str, outcomes: Any) -> tuple[tuple[Any, Fraction], ...]:
    """(value, chance) pairs with exact positive chances that add up to 1; the values are left as
    they are.

    Raises:
        BadInput: it isn't a list of pairs, or the chances aren't probabilities that add up to 1.
    """
    pairs = [_pair(name, entry) for entry in as_list(name, outcomes)]
    return tuple(
        zip(
            [value for value, _ in pairs],
            checked_chances(name, [chance for _, chance in pairs], positive=True),
            strict=True,
        )
    )


def _pair(name: str, entry: Any) -> tuple[Any, Any]:
    if not is_row(entry) or len(entry) != 2:
        raise BadInput(
            f"{name}: {shown(entry)} is no (value, chance) pair; write [(0, '1/2'), (1, '1/2')]"
        )
    return entry[0], entry[1]


def checked_table(name: str, entries: Any, shape: tuple[int, int] | None = None) -> np.ndarray:
    """(states, actions) a policy given as a table: exact numbers, each row from 0 to 1 and adding
    up to 1; one row for one state.

    Args:
        name: what a message calls it.
        entries: rows, or one row.
        shape: (states, actions) it must have.

    Raises:
        BadInput: it has another shape, or a row isn't a distribution.
    """
    rows = as_list(name, entries)
    if rows and not is_row(rows[0]):
        rows = [rows]
    rows = [as_list(name, row) for row in rows]
    lengths = [len(row) for row in rows]
    if not rows or 0 in lengths or len(set(lengths)) > 1:
        raise BadInput(
            f"{name} must be a table with a row for each state and as many entries in each row, not"
            f" rows of {lengths}"
        )
    if shape is not None and (len(rows), lengths[0]) != shape:
        raise BadInput(
            f"{name} has {len(rows)} rows of {lengths[0]} entries, and the policy {shape[0]} of"
            f" {shape[1]}; give as many"
        )
    return np.array(
        [vector(checked_chances(f"{name}, row {s}", row)) for s, row in enumerate(rows)],
        dtype=object,
    )


def checked_floats(name: str, table: Any, shape: tuple[int, int]) -> np.ndarray:
    """(states, actions) a policy that a function returned, in float64; as `checked_table`, within
    rounding.

    Raises:
        BadInput: it has another shape, or a row isn't a distribution.
    """
    try:
        found = np.atleast_2d(np.asarray(table, dtype=float))
    except (TypeError, ValueError):
        raise BadInput(
            f"{name} returned {shown(table)}, which is no table of numbers; return probabilities"
        ) from None
    if found.shape != shape:
        raise BadInput(
            f"{name} returned shape {found.shape}, and the policy has {shape}; return a row of"
            " probabilities for each state"
        )
    right = (
        np.isfinite(found).all(axis=1)
        & (found >= 0).all(axis=1)
        & (np.abs(found.sum(axis=1) - 1) <= 1e-9)
    )
    if not right.all():
        wrong = int(right.argmin())
        raise BadInput(
            f"{name}, row {wrong}: {shown(found[wrong].tolist())} are no probabilities that add up"
            " to 1"
        )
    return found


def is_row(entry: Any) -> bool:
    """Whether it is a list, a tuple or an array, not one number."""
    return isinstance(entry, list | tuple) or (isinstance(entry, np.ndarray) and entry.ndim > 0)


def as_list(name: str, entries: Any) -> list[Any]:
    """A list of what was given as one.

    Raises:
        BadInput: it is no list.
    """
    if isinstance(entries, np.ndarray):
        # as Python's numbers: each is then read as what it is
        entries = (
            entries.tolist()
            if entries.dtype.kind in "fiub" and entries.itemsize == 8
            else list(entries)
            if entries.ndim
            else entries
        )
    if (
        isinstance(entries, str | bytes | Mapping)
        or not hasattr(entries, "__len__")
        or not hasattr(entries, "__getitem__")
    ):
        raise BadInput(f"{name} must be a list, not {shown(entries)}")
    try:
        return list(entries)
    except Exception:
        raise BadInput(f"{name} must be a list, not {shown(entries)}") from None


def whole(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """A whole number of at least `least`, and at most `most`.

    Raises:
        BadInput: it isn't one.
    """
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except Exception:
        raise BadInput(
            f"{name} must be a whole number of at least {least}, not {shown(value)}"
        ) from None
    if number < least:
        raise BadInput(f"{name} must be a whole number of at least {least}, not {shown(value)}")
    if most is not None and number > most:
        raise BadInput(
            f"{name} must be at most {shown(most)}, not {shown(value)}; choose a smaller one"
        )
    return number


def float_array(name: str, values: Any) -> np.ndarray:
    """An array of finite float64.

    Raises:
        BadInput: it is ragged, not numeric, or not finite.
    """
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        array = np.array(values, dtype=float)
    except Exception:
        raise BadInput(
            f"{name}: {shown(values)} is no array of numbers; give a rectangular array of floats"
        ) from None
    if not np.isfinite(array).all():
        raise BadInput(
            f"{name}: {shown(values)} has entries that aren't finite; give finite numbers"
        )
    if np.abs(array).max(initial=0.0) > float(LARGEST):
        raise BadInput(
            f"{name}: {shown(values)} has entries beyond 10^100, of which float64 can't take"
            " differences; give smaller ones"
        )
    return array


def _short(number: Fraction) -> str:
    return str(number) if number.denominator < 10**6 else f"{float(number):.12g}"
