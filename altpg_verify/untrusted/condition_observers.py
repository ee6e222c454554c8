"""What is asked at a condition that is no branch: which way a comparison, a limit or a choice of the
smaller one goes.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from altpg_verify.untrusted.code_origin import is_library
from altpg_verify.untrusted.condition_records import Condition, Where, numbers
from altpg_verify.untrusted.condition_syntax import Site

_LIMITED = frozenset({"clip", "clip_", "clamp", "clamp_", "hardtanh"})
_FROM_BELOW = frozenset({"clamp_min", "clamp_min_"})
_FROM_ABOVE = frozenset({"clamp_max", "clamp_max_"})
_CHOSEN = frozenset({"min", "max", "minimum", "maximum", "fmin", "fmax", "amin", "amax"})
_OF_SIGN = frozenset(
    {
        *("relu", "relu_", "relu6", "leaky_relu", "elu", "threshold", "abs", "abs_", "absolute"),
        *("fabs", "sign", "sgn", "heaviside", "signbit"),
    }
)
_OF_DISTANCE = {"smooth_l1_loss": "beta", "huber_loss": "delta"}
"""Losses that are quadratic up to a distance, and the name that the distance has."""

_OF_NORMS = frozenset({"clip_grad_norm_", "clip_grad_norm"})
"""What limits a norm and returns what it was."""

_LOSING = frozenset(
    {
        *("floor", "ceil", "round", "rint", "trunc", "fix", "floor_divide", "__floor__"),
        *("searchsorted", "digitize", "bucketize", "__round__", "int"),
        # at their ends they are the same for all numbers
        *("tanh", "sigmoid", "expit", "erf", "erfc", "exp", "exp2", "expm1", "arctan", "atan"),
        *("logsigmoid", "hardsigmoid", "softplus"),
    }
)
"""Functions that can give the same for different numbers."""

_OF_SHAPES = frozenset(
    {
        *("size", "numel", "nelement", "dim", "ndim", "stride", "len", "__len__", "shape", "count"),
        *("element_size", "storage_offset", "get_device", "data_ptr", "id", "hash"),
    }
)
"""Methods whose whole number says nothing of the entries, beside what makes an array like another."""

_OF_KIND = frozenset({"isinstance", "issubclass", "hasattr", "callable"})


LIMITS = ("was never limited from below", "was never limited from above", "was always limited")
LEVELS = ("was never below its threshold", "was never above its threshold")
SIGNS = ("never met a negative number", "never met a positive number")


def observer(site: Site, where: Where) -> tuple[Callable[..., Any], Condition]:
    """What is called at a site, and what it notes.

    Args:
        site: the place in the source.
        where: the policy at which calls are made.
    """
    condition = Condition(site, where)
    operation = site.operation
    if operation is not None:

        def of_two(one: Any, other: Any) -> Any:
            answer = operation(one, other)
            with suppress(Exception):
                _of_operation(condition, answer, one, other)
            return answer

        return of_two, condition

    def of_call(called: Any, /, *arguments: Any, **named: Any) -> Any:
        owner, function = called, called
        if site.method:
            function = getattr(called, site.method)
        name, given = _of_module(function, arguments) or _named(
            site.method, owner, function, arguments
        )
        with suppress(Exception):
            # what is changed in place is read before
            _of_arguments(condition, name, function, given, named)
        answer = function(*arguments, **named)
        if name not in _OF_KIND:
            with suppress(Exception):
                condition.truth(answer, (*given, *named.values()))
                if name in _OF_NORMS:
                    most = named["max_norm"] if "max_norm" in named else given[1]
                    condition.order(answer, most, LEVELS)
                if (
                    given
                    and not _is_users(function)
                    and (name in _LOSING or _is_counted(name, answer, given[0]))
                ):
                    condition.steps(answer, given[0])
        return answer

    return of_call, condition


def _of_operation(condition: Condition, answer: Any, one: Any, other: Any) -> None:
    node = condition.site.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Mod):
        count, size = numbers(one), numbers(other)
        if count is not None and size is not None:
            condition.steps(np.floor_divide(count, size), count)
            condition.asks_of(size, count)
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift | ast.Pow):
        condition.steps(answer, one)
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        # beside a number that is always the same, and much larger, the other is lost
        first, second = numbers(one), numbers(other)
        if first is not None and second is not None:
            larger = np.abs(first).max(initial=0) > np.abs(second).max(initial=0)
            condition.steps(answer, *((second, first) if larger else (first, second)))
        return
    if isinstance(node, ast.BinOp):
        # of numbers it decides nothing
        kinds = [numbers(each) for each in (one, other)]
        if any(each is None or each.dtype != bool for each in kinds):
            return
        condition.truth(np.asarray(numbers(answer), dtype=bool), (one, other))
        return
    first, second = numbers(one), numbers(other)
    if first is None or second is None or isinstance(node.ops[0], ast.In | ast.NotIn):  # type: ignore[attr-defined]
        condition.truth(answer, (one,))
        return
    condition.truth(answer, ())
    condition.asks_between(first, second)


def _is_users(function: Any) -> bool:
    """Whether it is somebody's own, which is looked into by itself."""
    function = getattr(function, "__func__", function)
    return isinstance(function, FunctionType) and not is_library(function.__code__.co_filename)


def _is_counted(name: str, answer: Any, operand: Any) -> bool:
    """Whether a whole number was made of numbers that aren't whole."""
    if name in _OF_SHAPES or name.endswith("_like"):
        return False
    made, given = numbers(answer), numbers(operand)
    return (
        made is not None
        and given is not None
        and made.dtype.kind in "iu"
        and given.dtype.kind == "f"
    )


def _named(
    method: str, owner: Any, function: Any, arguments: tuple[Any, ...]
) -> tuple[str, tuple[Any, ...]]:
    """What is called, and what it is given, the object whose method it is first."""
    if method:
        if isinstance(owner, ModuleType | type):
            return method, arguments
        return method, (owner, *arguments)
    bound = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "")
    if bound is None or isinstance(bound, ModuleType | type):
        return name, arguments
    return name, (bound, *arguments)


def _of_module(function: Any, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]] | None:
    """The function that a module of torch's own stands for, and what it is given."""
    torch = sys.modules.get("torch")
    kind = type(function)
    if (
        torch is None
        or not issubclass(kind, torch.nn.Module)
        or kind.__module__.partition(".")[0] != "torch"
    ):
        return None
    if issubclass(kind, torch.nn.Hardtanh):
        return "hardtanh", (*arguments, function.min_val, function.max_val)
    if issubclass(kind, torch.nn.Threshold):
        return "threshold", (*arguments, function.threshold)
    return _MODULES.get(kind.__name__, ""), arguments


_MODULES = {
    **{"ReLU": "relu", "LeakyReLU": "leaky_relu", "ELU": "elu", "Tanh": "tanh"},
    **{"Sigmoid": "sigmoid", "Softplus": "softplus", "LogSigmoid": "logsigmoid"},
    "Hardsigmoid": "hardsigmoid",
}


def _of_arguments(
    condition: Condition, name: str, function: Any, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """What a library's function decides by its arguments."""
    if _is_users(function):
        return
    value = given[0] if given else next((named[each] for each in _FIRST if each in named), None)
    if name in _LIMITED | _FROM_BELOW | _FROM_ABOVE:
        rest = list(given[1:])
        below = None if name in _FROM_ABOVE else _taken(named, _LOWER, rest)
        above = None if name in _FROM_BELOW else _taken(named, _UPPER, rest)
        _limited(condition, value, below, above)
    elif name == "nan_to_num":
        found = numbers(value)
        if found is not None:
            condition.truth(np.isfinite(found), (found,))
    elif name == "copysign" and len(given) > 1:
        condition.order(given[1], 0, SIGNS)
    elif name in _OF_SIGN:
        level = given[1] if name == "threshold" and len(given) > 1 else 0
        condition.order(value, level, SIGNS if not level else LEVELS)
    elif name in _OF_DISTANCE and len(given) > 1:
        apart = np.subtract(numbers(value), numbers(given[1]), dtype=float)  # type: ignore[arg-type]
        condition.order(np.abs(apart), named.get(_OF_DISTANCE[name], 1.0), LEVELS)
    elif name in _CHOSEN and len(given) > 1:
        if name in ("min", "max") and function not in (min, max) and not _is_array(given[1]):
            # an axis
            return
        met = [
            (number, found)
            for number, each in enumerate(given)
            if (found := _limit(each)) is not None
        ]
        for number, each in met if len(met) > 1 else ():
            others = [other for i, other in met if i != number]
            best = functools.reduce(np.minimum if "min" in name else np.maximum, others)
            words = f"was never its {_NTH[min(number, 3)]} argument"
            other = Condition(condition.site, Where())
            other.order(each, best, ("less", "more"))
            if other.ways:
                condition.note([words], [other.ways["less" if "min" in name else "more"]])
                condition.asks_between(each, best, number)


_NTH = ("first", "second", "third", "last")
_FIRST = ("input", "a", "arr", "x", "self")
_LOWER = ("min", "a_min", "min_val", "min_value")
_UPPER = ("max", "a_max", "max_val", "max_value")


def _taken(named: dict[str, Any], names: Iterable[str], rest: list[Any]) -> Any:
    for name in names:
        if name in named:
            return named[name]
    return rest.pop(0) if rest else None


def _limited(condition: Condition, value: Any, below: Any, above: Any) -> None:
    found = numbers(value)
    if found is None:
        return
    low, high = _limit(below), _limit(above)
    inside = np.ones(found.shape, bool)
    if low is not None:
        inside &= found >= low
    if high is not None:
        inside &= found <= high
    met = [
        None if low is None else bool((found < low).any()),
        None if high is None else bool((found > high).any()),
        bool(inside.any()),
    ]
    chosen = [
        (words, answer) for words, answer in zip(LIMITS, met, strict=True) if answer is not None
    ]
    if len(chosen) > 1:
        condition.note(*zip(*chosen, strict=True))
        condition.asks_of(value, below, above)


def _limit(value: Any) -> np.ndarray | None:
    """The numbers; None where they are infinite, which no other can lie beyond."""
    found = numbers(value)
    return None if found is not None and np.isinf(found).all() else found


def _is_array(value: Any) -> bool:
    """Whether it is an array or a tensor, of one number too."""
    return not isinstance(value, bool | int | float | list | tuple) and numbers(value) is not None
