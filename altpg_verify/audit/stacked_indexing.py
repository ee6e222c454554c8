"""Reading and writing parts of a stacked array: the key is meant for one draw, the axis of draws is
added to it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altpg_verify.audit.stacked_array import Stacked, any_varies
from altpg_verify.audit.stacked_methods import PARTS
from altpg_verify.audit.stacked_ufuncs import padded


class Key(NamedTuple):
    """A key for the data.

    Attributes:
        index: what numpy indexes the data with.
        picks: it has an index for each draw, so that numpy puts the axes of the indices right after
            the axis of draws.
        before: how many axes of the answer belong before those of the indices.
        rank: how many axes the indices have.
        numbers: all its indices are single integers: numpy gives a view for one draw.
    """

    index: tuple[Any, ...]  # type: ignore[assignment]
    picks: bool
    before: int
    rank: int
    numbers: bool


def _entries(stack: Stacked, key: Any) -> list[Any]:
    found = []
    for each in key if type(key) is tuple else (key,):
        if type(each) is Stacked and not each._varies:
            each = each._data[0]
        elif type(each) is list:
            each = np.asarray(each) if each else np.zeros(0, dtype=int)
        if isinstance(each, bool | np.bool) and type(each) is not Stacked:
            stack._call.refuse("indexes an array by a single truth value")
        if type(each) is Stacked and each.dtype == bool:
            stack._call.refuse(
                "takes elements by a mask that depends on the draw, so that their number does"
                " (multiply by the mask instead)"
            )
        found.append(each)
    return _without_ellipsis(stack, found)


def _without_ellipsis(stack: Stacked, entries: list[Any]) -> list[Any]:
    used = sum(
        (
            each.ndim
            if type(each) is np.ndarray and each.dtype == bool
            else 0
            if each is None or each is Ellipsis
            else 1
        )
        for each in entries
    )
    places = [i for i, each in enumerate(entries) if each is Ellipsis]
    if used > stack.ndim or len(places) > 1:
        raise IndexError(
            f"too many indices for array: array is {stack.ndim}-dimensional, but {used} were"
            " indexed"
        )
    place = places[0] if places else len(entries)
    return [*entries[:place], *[slice(None)] * (stack.ndim - used), *entries[place + 1 :]]


def prepared(stack: Stacked, key: Any) -> Key:
    """The key for the data of a stack."""
    entries = _entries(stack, key)
    fancy = [
        i for i, each in enumerate(entries) if not isinstance(each, slice) and each is not None
    ]
    arrays = [i for i in fancy if type(entries[i]) is Stacked or isinstance(entries[i], np.ndarray)]
    if not arrays:
        return Key((slice(None), *entries), False, 0, 0, True)
    adjacent = fancy[-1] - fancy[0] + 1 == len(fancy)
    # the draws are an index of their own even if no other depends on them: numpy then lays each
    # draw out in memory as it does one alone
    indices: list[np.ndarray] = []
    places: list[list[int]] = []
    for i in fancy:
        split = isinstance(entries[i], np.ndarray) and entries[i].dtype == bool
        parts = (
            [part[None] for part in entries[i].nonzero()]
            if split
            else [stack._call.lift(entries[i])._data]
        )
        places.append(list(range(len(indices), len(indices) + len(parts))))
        indices += parts
    rank = max(each.ndim - 1 for each in indices)
    indices = [padded(Stacked(stack._call, each, True), rank) for each in indices]
    draws = np.arange(len(stack._data)).reshape(-1, *(1,) * rank)
    index: list[Any] = [draws]
    for i, entry in enumerate(entries):
        index += [indices[j] for j in places[fancy.index(i)]] if i in fancy else [entry]
    return Key(
        tuple(index),
        True,
        fancy[0] if adjacent else 0,
        rank,
        all(stack._call.lift(entries[i]).ndim == 0 for i in fancy),
    )


def read(stack: Stacked, key: Any) -> Stacked:
    """stack[key]."""
    at = prepared(stack, key)
    part = stack._data[at.index]
    if at.picks and at.before:
        part = np.moveaxis(
            part, range(1, at.rank + 1), range(at.before + 1, at.before + at.rank + 1)
        )
    varies = any_varies(stack, key)
    if not stack.ndim and part.ndim > 1:
        part = part.copy()  # numpy makes a new array of a number, not a view
    if at.picks and at.numbers and part.ndim > 1:
        # for one draw it is a view, for the stack a copy: what is written into it would be lost
        part.flags.writeable = False
        picked = Stacked(stack._call, part, varies)
        picked._picked = (stack, key)
        return picked
    return Stacked(stack._call, part, varies)


def write(stack: Stacked, key: Any, value: Any) -> None:
    """stack[key] = value."""
    new = stack._call.lift(value)
    if not stack.ndim:
        stack._call.refuse("writes into a number")
    if type(key) is Stacked and key._varies and key.dtype == bool:
        _write_masked(stack, key, new)
        return
    data = stack.own(varies=any_varies(key, new))
    at = prepared(stack, key)
    part = read(stack, key)
    extra = new.ndim - part.ndim
    if extra > 0 and new.shape[:extra] == (1,) * extra:
        # as numpy does, leading axes of length 1 are dropped
        new = new.like(new._data.reshape(len(new._data), *new.shape[extra:]))
    shape = (len(data), *part.shape)
    ready = np.broadcast_to(padded(new, part.ndim), shape)
    if at.picks and at.before:
        ready = np.moveaxis(
            ready, range(at.before + 1, at.before + at.rank + 1), range(1, at.rank + 1)
        )
    data[at.index] = ready


def _write_masked(stack: Stacked, mask: Stacked, new: Stacked) -> None:
    if new.ndim:
        stack._call.refuse(
            "assigns an array through a mask that depends on the draw (use np.where)"
        )
    if stack.shape[: mask.ndim] != mask.shape:
        raise IndexError(
            f"boolean index of shape {mask.shape} did not match an array of shape {stack.shape}"
        )
    data = stack.own(varies=True)
    where = mask._data.reshape(*mask._data.shape, *(1,) * (stack.ndim - mask.ndim))
    np.copyto(data, padded(new, stack.ndim), where=where, casting="unsafe")


PARTS.update({"read": read, "write": write})
