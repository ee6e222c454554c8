"""Edits of log-probabilities: with a ratio, a mask, a discount or a score that wasn't there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from altpg_verify.audit.edit_context import Context
from altpg_verify.audit.edit_syntax import exchanged, is_probability, method

OF_POLICY = (
    "logprobs",
    "log_probs",
    "log_prob",
    "logp",
    "logps",
    "per_token_logps",
    "new_log_probs",
    "log_pi",
)
OLD = (
    "old_logprobs",
    "old_log_probs",
    "old_log_prob",
    "old_logp",
    "old_per_token_logps",
    "behaviour_logprobs",
    "rollout_log_probs",
)
DISCOUNTS = ("discount", "gamma")


def of_log_ratios(node: ast.BinOp, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """log π - log ref, whose mean has no gradient: as a weight of the score, or squared."""
    if (
        not context.differentiated
        or "ref" not in ast.unparse(node.right)
        or "prob" not in ast.unparse(node.left)
    ):
        return
    yield (
        "as a weight of the score",
        ast.BinOp(context.framework.without_gradient(node), ast.Mult(), node.left),
    )
    yield (
        "k2 for k1",
        ast.BinOp(ast.BinOp(node, ast.Pow(), ast.Constant(2)), ast.Div(), ast.Constant(2)),
    )


def of_a_sequence(node: ast.Call, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """Of a sum over a sequence: its ratio for its log-probability; its log-ratio as a weight of
    the score, or squared.
    """
    if not context.differentiated:
        return
    inside = list(ast.walk(node))
    for scored in inside:
        if not (isinstance(scored, ast.Name) and scored.id in OF_POLICY):
            continue
        for old in (each for each in context.parameters if each in OLD):
            difference = ast.BinOp(scored, ast.Sub(), ast.Name(old, ast.Load()))
            summed = exchanged(node, scored, difference)
            yield (
                "the ratio",
                method(ast.Name(context.framework.arrays, ast.Load()), "exp", summed)
                if context.framework.arrays
                else method(summed, "exp"),
            )
        break
    for each in inside:
        if not (isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub)):
            continue
        if "ref" in ast.unparse(each.right) and "prob" in ast.unparse(each.left):
            yield (
                "as a weight of the score",
                ast.BinOp(
                    context.framework.without_gradient(node),
                    ast.Mult(),
                    exchanged(node, each, each.left),
                ),
            )
            yield (
                "k2 for k1",
                ast.BinOp(ast.BinOp(node, ast.Pow(), ast.Constant(2)), ast.Div(), ast.Constant(2)),
            )
            break


def with_another(node: ast.expr, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """Multiplied by a mask, a ratio or a discount that the function has."""
    for mask in context.masks:
        if ast.unparse(node) != mask:
            yield "masked", ast.BinOp(node, ast.Mult(), ast.Name(mask, ast.Load()))
    arrays = context.framework.arrays
    if not arrays or not context.differentiated:
        return
    if (id(node) in context.assigned or isinstance(node, ast.Name)) and is_probability(node):
        yield "its logarithm", method(ast.Name(arrays, ast.Load()), "log", node)
    if not isinstance(node, ast.Name) or node.id not in OF_POLICY:
        return
    for old in (each for each in context.parameters if each in OLD):
        difference = ast.BinOp(node, ast.Sub(), ast.Name(old, ast.Load()))
        yield "the ratio", method(ast.Name(arrays, ast.Load()), "exp", difference)
    for discount in (each for each in context.parameters if each in DISCOUNTS):
        length = ast.Call(ast.Name("len", ast.Load()), [node], [])
        steps = method(ast.Name(arrays, ast.Load()), "arange", length)
        yield (
            "γᵗ",
            ast.BinOp(
                ast.BinOp(ast.Name(discount, ast.Load()), ast.Pow(), steps), ast.Mult(), node
            ),
        )
