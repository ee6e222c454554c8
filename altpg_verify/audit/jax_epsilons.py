"""A JAX loss with its safety epsilons at another size: small literals that are added to a divisor,
and nothing else, are scaled in the program that it is traced to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.audit.jax_programs import is_literal, within
from altpg_verify.audit.torch_epsilons import is_epsilon

DIVISOR = {"div": 1, "rsqrt": 0, "log": 0}
"""Primitives that divide, or whose slope does, with the place of the divisor among their
operands.
"""

SHAPED = (
    *("broadcast_in_dim", "reshape", "squeeze", "expand_dims", "transpose"),
    *("convert_element_type", "stop_gradient", "copy", "copy_p", "slice", "dynamic_slice"),
    *("gather", "concatenate", "select_n"),
)
COMPUTED = (
    *("sqrt", "mul", "square", "integer_pow", "pow", "abs", "max", "min"),
    *("add", "add_any", "reduce_sum", "reduce_max", "reduce_min"),
)
CARRIES = frozenset((*SHAPED, *COMPUTED))
"""Primitives through which a divisor with an epsilon in it stays one."""

_SCALE: ContextVar[tuple[float, set[float]] | None] = ContextVar("scale", default=None)


@contextmanager
def scaled_epsilons(scale: float, seen: set[float]) -> Iterator[None]:
    """Within it JAX losses divide by y + scale · ε where y + ε is written; `seen` gets those
    epsilons.
    """
    token = _SCALE.set((scale, seen))
    try:
        yield
    finally:
        _SCALE.reset(token)


def asked() -> tuple[float, set[float]] | None:
    """The scale that losses are to be run with, and what gets their epsilons."""
    return _SCALE.get()


@dataclass
class _Value:
    """A number of a program; what it would be with other epsilons, and which ones it has in it."""

    own: Any
    other: Any = None
    epsilons: frozenset[float] = frozenset()
    literal: float | None = None

    @property
    def moved(self) -> Any:
        return self.other if self.epsilons else self.own


def scaled(
    jax: Any, function: Callable[..., Any], given: tuple[Any, ...], scale: Any, seen: set[float]
) -> Any:
    """A function's value with its epsilons so many times as large.

    Args:
        scale: may be a traced number.
        seen: gets the epsilons by which something was divided.
    """
    flat, shape = jax.tree_util.tree_flatten(given)
    closed = jax.make_jaxpr(lambda *leaves: function(*jax.tree_util.tree_unflatten(shape, leaves)))(
        *flat
    )
    scale = np.float64(scale) if isinstance(scale, int | float) else scale
    (result,) = _run(closed.jaxpr, closed.consts, [_Value(each) for each in flat], scale, seen)
    return result.own


def _run(
    jaxpr: Any, consts: Any, given: list[_Value], scale: Any, seen: set[float]
) -> list[_Value]:
    known: dict[Any, _Value] = dict(
        zip((*jaxpr.constvars, *jaxpr.invars), (*map(_Value, consts), *given), strict=True)
    )

    def read(variable: Any) -> _Value:
        if not is_literal(variable):
            return known[variable]
        value = variable.val
        # a scalar of the source is one of Python's or numpy's
        number = float(value) if getattr(value, "shape", ()) == () else None
        return _Value(value, literal=number)

    for equation in jaxpr.eqns:
        operands = [read(each) for each in equation.invars]
        inner = within(equation)
        # what has no epsilon in it runs as it was written, with its own rule of differentiation
        if inner is not None and (
            equation.primitive.name != "custom_jvp_call" or any(each.epsilons for each in operands)
        ):
            results = _run(*inner, operands, scale, seen)
        else:
            results = _step(equation, operands, scale, seen)
        known.update(zip(equation.outvars, results, strict=True))
    return [read(each) for each in jaxpr.outvars]


def _bind(equation: Any, operands: list[Any]) -> list[Any]:
    made = equation.primitive.get_bind_params(equation.params)
    # later versions of JAX keep functions among the parameters
    functions, parameters = made if isinstance(made, tuple) else ((), made)
    found = equation.primitive.bind(*functions, *operands, **parameters)
    return list(found) if equation.primitive.multiple_results else [found]


def _step(equation: Any, operands: list[_Value], scale: Any, seen: set[float]) -> list[_Value]:
    name = equation.primitive.name
    own = [each.own for each in operands]
    place = DIVISOR.get(name)
    if name in ("integer_pow", "pow") and _is_negative(equation, operands):
        place = 0
    if place is not None and operands[place].epsilons:
        seen.update(operands[place].epsilons)
        own[place] = operands[place].other
        return [_Value(each) for each in _bind(equation, own)]
    results = _bind(equation, own)
    epsilons: frozenset[float] = frozenset().union(*(each.epsilons for each in operands))
    moved = [each.moved for each in operands]
    literals = [each.literal for each in operands]
    if name == "add":
        added = [each is not None and is_epsilon(each) for each in literals]
        if any(added):
            epsilons |= {
                each for each, is_one in zip(literals, added, strict=True) if is_one and each
            }
            moved = [
                (scale * each).astype(variable.aval.dtype) if is_one else each
                for each, is_one, variable in zip(moved, added, equation.invars, strict=True)
            ]
    if not epsilons or name not in CARRIES:
        # a number that is only given another shape or type is still the one of the source
        kept = literals[0] if name in ("convert_element_type", "broadcast_in_dim", "copy") else None
        return [_Value(each, literal=kept) for each in results]
    return [
        _Value(each, other, epsilons)
        for each, other in zip(results, _bind(equation, moved), strict=True)
    ]


def _is_negative(equation: Any, operands: list[_Value]) -> bool:
    exponent = (
        equation.params.get("y")
        if equation.primitive.name == "integer_pow"
        else operands[1].literal
    )
    return exponent is not None and exponent < 0
