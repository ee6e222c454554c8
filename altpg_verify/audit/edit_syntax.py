"""Parts of a function's source, as edits make them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)


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


def exchanged(tree: Node, node: ast.AST, new: ast.AST) -> Node:
    """An expression or a function with another part in the place of one, which may be the whole
    of it; what isn't above that part is shared with what was there.
    """
    if tree is node:
        return new  # type: ignore[return-value]
    changed: dict[str, Any] = {}
    for name, value in ast.iter_fields(tree):
        if isinstance(value, list):
            entries = [
                exchanged(each, node, new) if isinstance(each, ast.AST) else each for each in value
            ]
            if any(one is not other for one, other in zip(entries, value, strict=True)):
                changed[name] = entries
        elif isinstance(value, ast.AST):
            part = exchanged(value, node, new)
            if part is not value:
                changed[name] = part
    if not changed:
        return tree
    made = copy.copy(tree)
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def copied(tree: Node) -> Node:
    """The same expression of parts of its own; `deepcopy` would take several times as long."""
    made = type(tree)()
    for name in (*tree._fields, *tree._attributes):
        if not hasattr(tree, name):
            continue
        value = getattr(tree, name)
        if isinstance(value, list):
            value = [copied(each) if isinstance(each, ast.AST) else each for each in value]
        setattr(made, name, copied(value) if isinstance(value, ast.AST) else value)
    return made


def is_nothing(node: ast.expr) -> bool:
    """0, or an array of zeros."""
    if isinstance(node, ast.Constant):
        return node.value == 0 and not isinstance(node.value, bool)
    return is_method(node, ("zeros", "zeros_like", "new_zeros"))


def replaced(tree: ast.FunctionDef, node: ast.AST, new: ast.AST) -> ast.FunctionDef:
    """A function with another part in the place of one, with its place in the file."""
    # it may be made of parts that stand elsewhere too, and is a part of its own
    fresh = ast.copy_location(copied(new), node)
    return ast.fix_missing_locations(exchanged(tree, node, fresh))


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
