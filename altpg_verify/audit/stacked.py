"""A user's numpy function evaluated once for all draws, instead of once for each ("vmap for
numpy").

    call_stacked(own_mean, {"rewards": (draws, N), "scores": (draws, N, k)}, {}, draws)   # (draws, k)

The function sees arrays of one draw's shape (`stacked_array`). Whatever isn't known to act on each
draw alone raises `NotStackable`; a function that gives another answer to such arrays than to
numpy's own (it may look at their type) is found by `agrees`, on rows that differ in what functions
branch on (`telling_rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from altpg_verify.audit import stacked_functions as stacked_functions
from altpg_verify.audit import stacked_indexing as stacked_indexing
from altpg_verify.audit import stacked_shapes as stacked_shapes
from altpg_verify.audit.stacked_array import KINDS, Call, Stacked
from altpg_verify.audit.stacked_refusals import NotStackable as NotStackable
from altpg_verify.audit.stacked_refusals import WritesIntoArgument as WritesIntoArgument

TELLING_ROWS = 64
"""How many draws `agrees` tries, unless told."""


def call_stacked(
    function: Callable[..., Any],
    stacked: Mapping[str, np.ndarray],
    plain: Mapping[str, Any],
    count: int,
) -> np.ndarray | dict[str, np.ndarray]:
    """function(**one draw) for each of `count` draws, by one call.

    Args:
        function: takes its arguments by name.
        stacked: for each name its values for all draws, (count, ...).
        plain: what is the same for all draws; arrays are read-only.
        count: how many draws there are, at least 1.

    Returns:
        (count, ...), or a dict of such if the function returns one; what doesn't depend on the draw
        is repeated.

    Raises:
        NotStackable: the function does something that isn't known to act on each draw alone,
            raises, or returns no numbers.
        WritesIntoArgument: it writes into an argument.
        ValueError: an array in `stacked` has another leading axis than `count`.
    """
    call = Call(count)
    given: dict[str, Any] = {}
    for name, values in stacked.items():
        data = np.ascontiguousarray(values) if np.ndim(values) else np.asarray(values)
        if not data.ndim or len(data) != count:
            raise ValueError(
                f"{name!r} has shape {data.shape}; its leading axis must be the {count} draws"
            )
        if data.dtype.kind not in KINDS:
            raise NotStackable(f"{name!r} holds {data.dtype} values")
        given[name] = call.argument(name, data, varies=True)
    for name, value in plain.items():
        if isinstance(value, np.ndarray) and value.dtype.kind not in KINDS:
            raise NotStackable(f"{name!r} holds {value.dtype} values")
        given[name] = (
            call.argument(name, value[None], varies=False)
            if isinstance(value, np.ndarray)
            else value
        )
    try:
        returned = function(**given)
        call.settle()
        answer = _answer(call, returned)
    except NotStackable as refusal:
        raise (call.refusal or refusal) from None
    except Exception as error:
        raise (call.refusal or NotStackable(f"raises {type(error).__name__}: {error}")) from error
    if call.refusal is not None:
        raise call.refusal  # the function has swallowed it
    return answer


def _answer(call: Call, returned: Any) -> Any:
    if isinstance(returned, Mapping):
        return {name: _answer(call, each) for name, each in returned.items()}
    if type(returned) in (list, tuple):
        returned = (
            np.stack(returned)
            if any(type(each) is Stacked for each in returned)
            else np.asarray(returned)
        )
    if type(returned) is not Stacked and not isinstance(
        returned, np.ndarray | np.generic | bool | int | float
    ):
        call.refuse(f"returns {type(returned).__name__}")
    stack = call.lift(returned)
    return np.array(np.broadcast_to(stack._data, (call.count, *stack.shape)), order="C")


def one_draw(
    stacked: Mapping[str, np.ndarray], plain: Mapping[str, Any], row: int
) -> dict[str, Any]:
    """The arguments for one draw as fresh copies: ordinary arrays, numpy's scalars, and Python's
    int for a single integer.
    """
    given: dict[str, Any] = {}
    for name, values in stacked.items():
        value = np.asarray(values)[row]
        given[name] = int(value) if value.ndim == 0 and value.dtype.kind == "i" else value.copy()
    return given | {
        name: value.copy() if isinstance(value, np.ndarray) else value
        for name, value in plain.items()
    }


def agrees(
    function: Callable[..., Any],
    stacked: Mapping[str, np.ndarray],
    plain: Mapping[str, Any],
    count: int,
    rows: Sequence[int] | None = None,
    *,
    answer: Any = None,
) -> bool:
    """Whether one call for all draws gives, to the last bit, what a call for each of these rows
    gives.

    Args:
        function, stacked, plain, count: as for `call_stacked`.
        rows: the draws to try; those of `telling_rows` by default.
        answer: what `call_stacked` returned, if it is known.

    Raises:
        NotStackable: the function can't be called on all draws at once.
    """
    found = call_stacked(function, stacked, plain, count) if answer is None else answer
    for row in telling_rows(stacked, count) if rows is None else rows:
        try:
            alone = function(**one_draw(stacked, plain, row))
        except Exception:
            return False
        if isinstance(found, Mapping) != isinstance(alone, Mapping):
            return False
        if isinstance(found, Mapping):
            if set(found) != set(alone) or not all(
                same_bits(found[name][row], alone[name]) for name in found
            ):
                return False
        elif not same_bits(found[row], alone):
            return False
    return True


def same_bits(first: Any, second: Any) -> bool:
    """Equal shape, type and bits (0.0 isn't -0.0); every nan is the same."""
    left, right = np.asarray(first), np.asarray(second)
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    if left.dtype.kind != "f":
        return bool(np.array_equal(left, right))
    equal = (left == right) & (np.signbit(left) == np.signbit(right))
    return bool(np.all(equal | (np.isnan(left) & np.isnan(right))))


def telling_rows(
    stacked: Mapping[str, np.ndarray], count: int, most: int = TELLING_ROWS
) -> list[int]:
    """Draws that differ in what functions branch on: for each argument the smallest and the largest
    of sum, spread and number of zeros.

    The rest are the first, the last and draws at a constant step, which is coprime to the number of
    draws.
    """
    if count <= most:
        return list(range(count))
    rows = dict.fromkeys((0, count - 1))
    for values in stacked.values():
        flat = np.asarray(values, dtype=np.float64).reshape(count, -1)
        if flat.shape[1]:
            for feature in (
                flat.sum(axis=1),
                flat.max(axis=1) - flat.min(axis=1),
                (flat == 0).sum(axis=1),
            ):
                rows |= dict.fromkeys((int(feature.argmin()), int(feature.argmax())))
    step = int(count * 0.6180339887) | 1
    while np.gcd(step, count) != 1:
        step += 2
    for i in range(1, count):
        if len(rows) >= most:
            break
        rows[i * step % count] = None
    return sorted(list(rows)[:most])
