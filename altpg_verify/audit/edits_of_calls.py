"""Edits of calls and of what is handed to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from altpg_verify.audit.edit_context import Context
from altpg_verify.audit.edit_syntax import method, negative, renamed
from altpg_verify.audit.edits_of_scores import of_a_sequence

WRAPPERS = ("clamp", "clip", "clamp_min", "clamp_max", "unsqueeze", "expand_dims", "relu")
"""Calls whose first operand can stand in their place."""


def of_calls(node: ast.Call, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """(kind, what could stand there instead) of a call."""
    function = node.func
    if isinstance(function, ast.Name) and function.id in context.offered.helpers and node.args:
        yield f"without {function.id}", node.args[0]
    if not isinstance(function, ast.Attribute):
        return
    of_module = (
        isinstance(function.value, ast.Name) and function.value.id == context.framework.arrays
    )
    operands = node.args if of_module else [function.value]
    match function.attr:
        case "detach":
            yield "differentiated", function.value
        case "backward" if not of_module and not isinstance(function.value, ast.UnaryOp):
            # what a whole step makes of a loss, and doesn't return
            yield (
                "the other sign",
                ast.Call(
                    ast.Attribute(ast.UnaryOp(ast.USub(), function.value), "backward", ast.Load()),
                    node.args,
                    node.keywords,
                ),
            )
        case "mean":
            yield "a sum for a mean", renamed(node, "sum")
        case "sum":
            yield "a mean for a sum", renamed(node, "mean")
            yield from of_a_sequence(node, context)
            if not of_module and not node.args and not node.keywords:
                yield (
                    "a mean over rows of sums",
                    method(method(function.value, "sum", negative(1)), "mean"),
                )
        case "where" if of_module and len(node.args) == 3:
            yield "without the condition", node.args[1]
        case "minimum" | "maximum" if of_module and len(node.args) == 2:
            yield "without the bound", node.args[0]
            yield "without the bound", node.args[1]
        case name if name in WRAPPERS and operands:
            yield f"without {name}", operands[0]


def of_keywords(node: ast.keyword) -> Iterator[tuple[str, ast.AST]]:
    """(kind, what could stand there instead) of what is handed over by its name."""
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
        yield "the other way", ast.keyword(node.arg, ast.Constant(not node.value.value))
    if node.arg in ("logits", "probs"):
        yield (
            "as what it is",
            ast.keyword("probs" if node.arg == "logits" else "logits", node.value),
        )
