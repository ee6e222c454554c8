"""What is handed to somebody's function stays as it is: read-only, or a copy that is compared
afterwards.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from altpg_verify.errors import BadEstimator

_READ_ONLY = ("read-only", "readonly", "not writeable", "WRITEABLE")


def read_only(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same values, arrays as views that can't be written to; cheap, nothing is copied.

    A function that writes all the same gets numpy's ValueError; `wrote` tells it apart and
    `which_written` finds the argument.
    """
    return {name: locked(value) for name, value in values.items()}


def locked(value: Any) -> Any:
    """An array as a view that can't be written to; anything else as it is.

    Somebody who insists can unlock the memory behind it: compare with `written` at the end what was
    lent.
    """
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.setflags(write=False)
    return view


def wrote(error: BaseException) -> bool:
    """Whether an exception says that something read-only was written to."""
    return isinstance(error, ValueError | TypeError | RuntimeError) and any(
        word in str(error) for word in _READ_ONLY
    )


def copies(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same values, arrays and containers as fresh copies; entries of object arrays are shared,
    since numbers can't be written into.
    """
    return {name: own_copy(value) for name, value in values.items()}


def own_copy(value: Any) -> Any:
    """An array or a container as a copy that may be written into; anything else as it is."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return copy.deepcopy(value) if isinstance(value, list | dict | set) else value


def written(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the arrays and containers that aren't what they were."""
    return tuple(name for name, value in before.items() if not _same(value, after[name]))


def _same(one: Any, other: Any) -> bool:
    if not isinstance(one, np.ndarray):
        return not isinstance(one, list | dict | set) or one == other
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype == object:
        return all(
            left is right or left == right for left, right in zip(one.flat, other.flat, strict=True)
        )
    return one.tobytes() == other.tobytes()


def which_written(
    call: Callable[[dict[str, Any]], Any], values: Mapping[str, Any]
) -> tuple[str, ...]:
    """The arguments that a function writes into, found by calling it once with copies."""
    lent = copies(values)
    # what it raises after it has written doesn't matter here
    with contextlib.suppress(Exception):
        call(lent)
    return written(values, lent)


def refuse_writing(who: str, names: tuple[str, ...]) -> NoReturn:
    """Raise the BadEstimator for a function that writes into its arguments."""
    shown = " and ".join(names) if names else "one of its arguments"
    example = names[0] if names else "x"
    raise BadEstimator(
        f"{who} writes into {shown}, which is not its own; work on a copy, such as {example} ="
        f" {example} - 1 instead of {example} -= 1"
    )
