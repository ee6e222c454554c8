"""The numbers that stand in a function's own code, and in what it names: where a search has to look
on both sides.
"""

from __future__ import annotations

import dis
import math
import sys
from collections.abc import Iterable
from fractions import Fraction
from numbers import Number
from types import CodeType
from typing import Any

from altpg_verify.untrusted.code_origin import of_library
from altpg_verify.untrusted.contents import entries, is_a, length
from altpg_verify.untrusted.reaching import functions, nested, reachable
from altpg_verify.untrusted.tensors import copy_of, is_tensor

LARGEST_COLLECTION = 100
"""Numbers taken of one list or array that the function can see."""

NEAR = Fraction(1, 10**9)
"""How near a neighbour may be, as a share of the constant."""


def constants(function: Any) -> tuple[Fraction, ...]:
    """Every finite number in the code of a function and of the user's functions it can see, and in
    their globals, closures, defaults.

    Numbers that Python computes from constants when it compiles (`1 / 50`, `-15`) are there as
    results; numbers within strings (`Fraction("1/50")`) are there too. In order of size; 0, 1, -1
    and 2 are only there if they stand in the code.

    Args:
        function: as for `reaching.functions`.
    """
    found: set[Fraction] = set()
    seen_functions = functions(function)
    for each in seen_functions:
        if each is seen_functions[0] or not of_library(each.__code__, each.__globals__):
            found |= _in_code(each.__code__)
    for seen in reachable(function):
        if seen.path and not seen.path.startswith(("numpy", "torch", "jax", "math")):
            found |= set(_numbers(seen.value))
    return tuple(sorted(found))


def neighbours(numbers: Iterable[Fraction]) -> tuple[Fraction, ...]:
    """The numbers themselves and those on both sides: a billionth of it away, a hundredth, and 1
    away. In order of size.
    """
    found: set[Fraction] = set()
    for number in numbers:
        size = abs(number) or Fraction(1)
        for step in (Fraction(0), size * NEAR, size / 100, Fraction(1)):
            found |= {number - step, number + step}
    return tuple(sorted(found))


def _in_code(code: CodeType) -> set[Fraction]:
    found: set[Fraction] = set()
    for each in nested(code):
        # the docstring is no constant of the formula
        strings = (
            each.co_consts[1:]
            if each.co_consts and isinstance(each.co_consts[0], str)
            else each.co_consts
        )
        for constant in strings:
            found |= set(_numbers(constant))
        for instruction in dis.get_instructions(each):
            # since 3.14 small whole numbers stand in the instruction itself
            if instruction.opname == "LOAD_SMALL_INT":
                found |= set(_numbers(instruction.argval))
    return found


def _numbers(value: Any) -> Iterable[Fraction]:
    if is_a(value, bool):
        return
    if is_a(value, str):
        if len(value) <= 40 and value[:1].strip() and value[0] in "+-.0123456789":
            yield from _one(value)
        return
    if is_a(value, tuple | list | set | frozenset):
        if length(value) <= LARGEST_COLLECTION:
            for entry in tuple(entries(value)):
                if not is_a(entry, str):
                    yield from _numbers(entry)
        return
    if is_a(value, dict):
        yield from _numbers([each for _, each in tuple(entries(value))])
        return
    numpy = sys.modules.get("numpy")
    if numpy is not None and is_a(value, numpy.ndarray):
        if value.size <= LARGEST_COLLECTION and value.dtype.kind in "iufO":
            for entry in value.flat:
                yield from _numbers(entry)
        return
    if is_tensor(value):
        copied = copy_of(value, LARGEST_COLLECTION)
        try:
            few = [] if copied is None else copied.flatten().tolist()
        except (RuntimeError, NotImplementedError):
            # it has no numbers of its own: without data, of one place of a batch, of another layout
            return
        for entry in few:
            yield from _numbers(entry)
        return
    if is_a(value, Number):
        yield from _one(value)


def _one(value: Any) -> Iterable[Fraction]:
    try:
        if isinstance(value, float) or hasattr(type(value), "dtype"):
            if not math.isfinite(value):
                return
            # 0.02 is meant to be 1/50, and differs from it by less than anyone writes
            yield Fraction(repr(float(value)))
        else:
            yield Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError, AttributeError):
        # a number of another library's, registered as rational without being one
        return
