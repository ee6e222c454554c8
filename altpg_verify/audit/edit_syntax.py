"""Parts of a function's source, as edits make them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """What a function calls the modules it computes with.

    Args:
        arrays: "torch", "jnp" or "np"; empty if it doesn't know its own.
        stop: the function that cuts a gradient off, such as "jax.lax.stop_gradient"; "" for the
            method `detach`, None if there is none.
    """

    arrays: str
    stop: str | None = None

    def without_gradient(self, node: ast.expr) -> ast.expr:
        """The same number, held."""
        if not self.stop:
            return method(node, "detach")
        return ast.Call(ast.parse(self.stop, mode="eval").body, [node], [])


def exchanged(tree: ast.expr, node: ast.expr, new: ast.expr) -> ast.expr:
    """A copy of an expression with another part in the place of one."""
    number = next(i for i, each in enumerate(ast.walk(tree)) if each is node)
    copied = copy.deepcopy(tree)
    there = next(each for i, each in enumerate(ast.walk(copied)) if i == number)

    class Exchange(ast.NodeTransformer):
        def visit(self, other: ast.AST) -> ast.AST:
            return copy.deepcopy(new) if other is there else self.generic_visit(other)

    made = Exchange().visit(copied)
    assert isinstance(made, ast.expr)
    return made


def is_nothing(node: ast.expr) -> bool:
    """0, or an array of zeros."""
    if isinstance(node, ast.Constant):
        return node.value == 0 and not isinstance(node.value, bool)
    return is_method(node, ("zeros", "zeros_like", "new_zeros"))


def replaced(tree: ast.FunctionDef, node: ast.AST, new: ast.AST) -> ast.FunctionDef:
    """A copy of a function with another part in the place of one."""
    number = next(i for i, each in enumerate(ast.walk(tree)) if each is node)
    copied = copy.deepcopy(tree)
    there = next(each for i, each in enumerate(ast.walk(copied)) if i == number)
    fresh = ast.copy_location(copy.deepcopy(new), node)

    class Replace(ast.NodeTransformer):
        def visit(self, other: ast.AST) -> ast.AST:
            return fresh if other is there else self.generic_visit(other)

    made = Replace().visit(copied)
    ast.fix_missing_locations(made)
    assert isinstance(made, ast.FunctionDef)
    return made


def parts(node: ast.expr) -> list[ast.expr]:
    """Of several results each."""
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def is_probability(node: ast.expr) -> bool:
    """By its words: a logarithm of anything else mends nothing."""
    text = ast.unparse(node)
    return "log" not in text and ("prob" in text or "softmax" in text)


def annotation(node: ast.AST) -> Iterator[ast.AST]:
    """Every part of what only says of which type something is."""
    for name in ("annotation", "returns"):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield from ast.walk(part)


def method(owner: ast.expr, name: str, *arguments: ast.expr) -> ast.Call:
    """A call of a method."""
    return ast.Call(ast.Attribute(owner, name, ast.Load()), list(arguments), [])


def renamed(node: ast.Call, name: str) -> ast.Call:
    """A call of another method of the same, with the same arguments."""
    assert isinstance(node.func, ast.Attribute)
    return ast.Call(ast.Attribute(node.func.value, name, ast.Load()), node.args, node.keywords)


def negative(number: int) -> ast.expr:
    """A number below 0."""
    return ast.UnaryOp(ast.USub(), ast.Constant(number))


def is_method(node: ast.expr, names: tuple[str, ...]) -> bool:
    """Whether it is a call of a method of one of these names."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in names
    )


def owner(node: ast.expr) -> ast.expr:
    """What a method is called of."""
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    return node.func.value


def arguments(node: ast.expr) -> bool:
    """Whether a call is handed anything."""
    return isinstance(node, ast.Call) and bool(node.args or node.keywords)
