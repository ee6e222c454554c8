"""A JAX loss as the program that it is traced to: its equations, and where each was written."""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

CALLED = ("jit", "pjit", "closed_call", "core_call", "remat", "checkpoint", "custom_jvp_call")
"""Primitives that only run a program within."""

OURS = str(Path(__file__).parent)


def step_by_step(jax: Any, function: Callable[..., Any], *given: Any) -> Callable[..., Any]:
    """A function that is traced now, and run operation by operation: for a few calls a compiled one
    takes too long to make.
    """
    closed, shape = jax.make_jaxpr(function, return_shape=True)(*given)
    tree = jax.tree_util.tree_structure(shape)

    def run(*given: Any) -> Any:
        found = jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *jax.tree_util.tree_leaves(given))
        return jax.tree_util.tree_unflatten(tree, found)

    return run


def equations(jaxpr: Any) -> Iterator[Any]:
    """All equations of a program, those of its inner programs too."""
    for equation in jaxpr.eqns:
        yield from equations_of(equation)


def equations_of(equation: Any) -> Iterator[Any]:
    """An equation and those of the programs within it."""
    yield equation
    for value in equation.params.values():
        for inner in value if isinstance(value, tuple | list) else (value,):
            program = getattr(inner, "jaxpr", inner)
            if hasattr(program, "eqns"):
                yield from equations(program)


def narrows(equation: Any) -> bool:
    """It casts 64-bit floats to 32 bits."""
    given, made = (
        str(getattr(variables[0].aval, "dtype", "")) if variables else ""
        for variables in (equation.invars, equation.outvars)
    )
    return equation.primitive.name == "convert_element_type" and (given, made) == (
        "float64",
        "float32",
    )


def is_literal(variable: Any) -> bool:
    """A number that stands in the program."""
    return hasattr(variable, "val")


def within(equation: Any) -> tuple[Any, list[Any]] | None:
    """The program that an equation runs on its own operands, with its constants; None if it does
    anything else.
    """
    if equation.primitive.name not in CALLED:
        return None
    for name in ("jaxpr", "call_jaxpr", "fun_jaxpr"):
        found = equation.params.get(name)
        if found is not None:
            program = getattr(found, "jaxpr", found)
            same = len(program.invars) == len(equation.invars)
            return (program, list(getattr(found, "consts", ()))) if same else None
    return None


def place(jax: Any, equation: Any) -> str:
    """File and line of the user's that an equation comes from, with what stands there; empty if
    that can't be seen.
    """
    library = tuple(
        str(Path(str(module.__file__)).parent) for module in (jax, import_module("jaxlib"))
    )
    traceback = getattr(getattr(equation, "source_info", None), "traceback", None)
    for frame in getattr(traceback, "frames", ()):
        name = frame.file_name
        if name.startswith((*library, "<")) or str(Path(name).parent) == OURS:
            continue
        text = linecache.getline(name, frame.line_num).strip()
        return f"{os.path.basename(name)}:{frame.line_num}{f' ({text})' if text else ''}"
    return ""
