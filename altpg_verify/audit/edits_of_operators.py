"""Edits of sums, differences, products and quotients."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from altpg_verify.audit.edit_context import Context
from altpg_verify.audit.edit_syntax import arguments, copied, is_method, method, negative, owner

MEANS = ("mean", "nanmean")


def of_operators(node: ast.expr, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """(kind, what could stand there instead) of an operator."""
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and not isinstance(node.operand, ast.Constant)
    ):
        yield "the other sign", node.operand
    if not isinstance(node, ast.BinOp):
        return
    left, right = node.left, node.right
    match node.op:
        case ast.Mult():
            yield "a factor less", left
            yield "a factor less", right
        case ast.Div():
            yield "without the denominator", left
            inner = left.operand if isinstance(left, ast.UnaryOp) else left
            if is_method(inner, ("sum",)) and not arguments(inner):
                rows = method(method(owner(inner), "sum", negative(1)), "mean")
                yield (
                    "a mean over rows of sums",
                    (ast.UnaryOp(left.op, rows) if isinstance(left, ast.UnaryOp) else rows),
                )
        case ast.Add():
            yield "a term less", left
            yield "a term less", right
            yield "the other sign", ast.BinOp(left, ast.Sub(), right)
        case ast.Sub():
            yield "a term less", left
            yield "the other sign", ast.BinOp(left, ast.Add(), right)
            yield "the other order", ast.BinOp(right, ast.Sub(), left)
            size = _size_of_own_mean(left, right, context)
            if size is not None:
                rest = ast.BinOp(copied(size), ast.Sub(), ast.Constant(1))
                yield (
                    "the others' mean",
                    ast.BinOp(ast.BinOp(node, ast.Mult(), size), ast.Div(), rest),
                )
            yield from _k3(node)


def _size_of_own_mean(left: ast.expr, right: ast.expr, context: Context) -> ast.expr | None:
    """Of x - x.mean(...) how many are averaged, as source; also where the mean has a name of
    its own.
    """
    mean = context.values.get(right.id, right) if isinstance(right, ast.Name) else right
    if isinstance(mean, ast.BinOp) and isinstance(mean.op, ast.Div):
        # rows that are told to belong together, or a plain sum, over how many they are
        total = mean.left
        summed = (
            total.right
            if isinstance(total, ast.BinOp) and isinstance(total.op, ast.MatMult)
            else owner(total)
            if is_method(total, ("sum",))
            else None
        )
        same = summed is not None and ast.unparse(summed) == ast.unparse(left)
        return mean.right if same else None
    if not is_method(mean, MEANS) or ast.unparse(owner(mean)) != ast.unparse(left):
        return None
    assert isinstance(mean, ast.Call)
    named = [each.value for each in mean.keywords if each.arg in ("dim", "axis")]
    axis = next(iter(mean.args), next(iter(named), None))
    if axis is None:
        return ast.Call(ast.Name("len", ast.Load()), [left], [])
    return ast.Subscript(ast.Attribute(left, "shape", ast.Load()), axis, ast.Load())


def _k3(node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
    """exp(x) - 1 - x, whose gradient is another divergence's: x² / 2."""
    inner, x = node.left, node.right
    if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
        parts = {ast.unparse(inner.right), ast.unparse(x)}
        exponent = next((each for each in (inner.right, x) if ast.unparse(each) != "1"), None)
        if (
            "1" in parts
            and exponent is not None
            and ast.unparse(inner.left).endswith((f"exp({ast.unparse(exponent)})", ".exp()"))
        ):
            yield (
                "k2 for k3",
                ast.BinOp(
                    ast.BinOp(exponent, ast.Pow(), ast.Constant(2)), ast.Div(), ast.Constant(2)
                ),
            )
