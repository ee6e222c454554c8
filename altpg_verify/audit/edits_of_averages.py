"""Edits of what is averaged: over what is there, weighed by the policy, or with the score that its
sampling needs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from altpg_verify.audit.edit_context import Context
from altpg_verify.audit.edit_syntax import arguments, is_method, method, negative, owner

REDUCED = ("mean", "sum")


def of_averages(node: ast.expr, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """(kind, what could stand there instead) of a mean, a sum, or a product of both."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _of_products(node)
    if context.differentiated:
        yield from _as_sampled(node, context)
        yield from _whole_penalty(node, context)
    if not is_method(node, REDUCED) or not isinstance(node, ast.Call):
        return
    averaged = owner(node)
    if isinstance(averaged, ast.Name) and averaged.id == context.framework.arrays:
        return
    if is_method(node, ("mean",)):
        yield from _where_there_is_something(node, averaged, context)
    if context.differentiated:
        yield from _with_a_score(node, averaged, context)
        policy = context.named("pi") if "pi" not in context.meant(averaged) else ""
        if policy and is_method(node, ("sum",)):
            held = context.framework.without_gradient(ast.Name(policy, ast.Load()))
            yield "weighed by the policy", _again(node, _product(averaged, held))


def _of_products(node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
    """A sum of products for a product of sums or means: each step with its own factor."""
    left, right = node.left, node.right
    negated = isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub)
    first = left.operand if isinstance(left, ast.UnaryOp) and negated else left
    if not all(is_method(each, REDUCED) and not arguments(each) for each in (first, right)):
        return
    made: ast.expr = method(_product(owner(first), owner(right)), "sum")
    yield "each step with its own", ast.UnaryOp(ast.USub(), made) if negated else made


def _as_sampled(node: ast.expr, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """The log-probabilities of the policy that acts, for those that are computed here."""
    given = context.offered.names.get("log_probs", "")
    if not given or context.own("log_probs") or id(node) not in context.assigned:
        return
    text = ast.unparse(node)
    scores = "log_softmax" in text or ".log_prob(" in text
    picked = isinstance(node, ast.Subscript) or is_method(node, ("gather", "squeeze"))
    if (scores and picked) or is_method(node, ("log_prob",)):
        yield "the policy that acts", ast.Name(given, ast.Load())


def _where_there_is_something(
    node: ast.Call, averaged: ast.expr, context: Context
) -> Iterator[tuple[str, ast.AST]]:
    """A mean of what isn't padding."""
    masks = list(context.masks)
    asked = context.offered.names.get("response_mask", "")
    if not masks and asked:
        masks.append(asked)
    if not arguments(node):
        if isinstance(averaged, ast.Subscript) and isinstance(averaged.slice, ast.Name):
            marked = _product(averaged.value, averaged.slice)
            yield "a mean over rows of sums", method(method(marked, "sum", negative(1)), "mean")
        for mask in masks:
            marked = _product(averaged, ast.Name(mask, ast.Load()))
            yield (
                "a mean over rows of what is there",
                method(method(marked, "sum", negative(1)), "mean"),
            )
        return
    for mask in masks:
        there = ast.Name(mask, ast.Load())
        yield (
            "a mean of what is there",
            ast.BinOp(
                ast.Call(
                    ast.Attribute(_product(averaged, there), "sum", ast.Load()),
                    node.args,
                    node.keywords,
                ),
                ast.Div(),
                ast.Call(ast.Attribute(there, "sum", ast.Load()), node.args, node.keywords),
            ),
        )


def _with_a_score(
    node: ast.Call, averaged: ast.expr, context: Context
) -> Iterator[tuple[str, ast.AST]]:
    """The score in place of a path that carries nothing, or carries something else; and beside a
    path, for what leads to where it is averaged.
    """
    if arguments(node):
        return
    own, mask = context.own("log_probs"), context.named("response_mask")
    held = context.framework.without_gradient(averaged)
    if own:
        if own in context.meant(averaged):
            return
        scored: ast.expr = ast.Name(own, ast.Load())
        if mask:
            scored = _product(scored, ast.Name(mask, ast.Load()))
        whole = method(scored, "sum", negative(1))
        yield (
            "with the score of what leads there",
            _again(node, ast.BinOp(averaged, ast.Add(), _product(held, whole))),
        )
        return
    given = context.offered.names.get("log_probs", "")
    if not given:
        return
    scored = ast.Name(given, ast.Load())
    yield "with the score", _again(node, _product(held, scored))
    if context.offered.steps:
        yield "with the score", _again(node, _product(held, method(scored, "sum", negative(1))))


def _whole_penalty(node: ast.expr, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """The log-ratio to the reference of a whole sequence as a weight of its score, for what is
    computed token by token.
    """
    policy, reference = context.own("log_probs"), context.own("ref_log_probs")
    mask = context.own("response_mask")
    if not policy or not reference or not isinstance(node, ast.Call):
        return
    names = context.meant(node)
    by_helper = isinstance(node.func, ast.Name) and node.func.id in context.offered.helpers
    by_row = is_method(node, ("sum",)) and arguments(node)
    others = {context.own("old_log_probs"), context.own("advantages")} & names
    if not {policy, reference} <= names or others or not (by_helper or by_row):
        return
    # a difference that stands in the sum itself is another edit's
    inside = [each for each in ast.walk(node) if isinstance(each, ast.BinOp)]
    if by_row and any(
        isinstance(each.op, ast.Sub) and "ref" in ast.unparse(each.right) for each in inside
    ):
        return
    scored: ast.expr = ast.Name(policy, ast.Load())
    ratio: ast.expr = ast.BinOp(scored, ast.Sub(), ast.Name(reference, ast.Load()))
    if mask:
        there = ast.Name(mask, ast.Load())
        scored, ratio = _product(scored, there), _product(ratio, there)
    weighed = _product(
        context.framework.without_gradient(method(ratio, "sum", negative(1))),
        method(scored, "sum", negative(1)),
    )
    yield "as a weight of the score", method(weighed, "mean") if by_helper else weighed


def _again(node: ast.Call, averaged: ast.expr) -> ast.Call:
    """The same mean or sum of something else."""
    assert isinstance(node.func, ast.Attribute)
    return ast.Call(ast.Attribute(averaged, node.func.attr, ast.Load()), node.args, node.keywords)


def _product(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, ast.Mult(), right)
