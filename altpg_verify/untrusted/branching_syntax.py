"""The syntax of somebody's function: what of an expression can be skipped, and which conditions can
come out two ways.
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import linecache
from collections import defaultdict
from collections.abc import Iterable, Iterator
from types import CodeType

from altpg_verify.untrusted.bytecode import Span, spans_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@functools.lru_cache(maxsize=64)
def _functions(text: str) -> dict[tuple[int, str], list[_Function]]:
    """A file's functions by their first line and name, outer ones first; none if it has no syntax.
    A file of updates is walked once.
    """
    found: dict[tuple[int, str], list[_Function]] = defaultdict(list)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, _Function):
            decorated = (each.lineno for each in getattr(node, "decorator_list", ()))
            first = min([node.lineno, *decorated])
            found[first, getattr(node, "name", "<lambda>")].append(node)
    return dict(found)


def tree_of(code: CodeType) -> ast.AST | None:
    """The function's own syntax, with the line numbers of its file; None if there is no source."""
    linecache.checkcache(code.co_filename)
    try:
        lines = inspect.findsource(code)[0]
    except (OSError, TypeError, IndexError):
        return None
    found = _functions("".join(lines)).get((code.co_firstlineno, code.co_name), [])
    # of several lambdas on one line the innermost that has all of this code; what returns has no
    # place of its own
    spans = [span for _, span in spans_of(code) if span[:2] != span[2:]]
    found = [node for node in found if all(lies_in(span, node) for span in spans)] or found
    return max(found, key=lambda node: node.col_offset, default=None)


def skippable(node: ast.AST) -> Iterable[ast.expr]:
    """The parts of an expression that needn't run when it does."""
    if isinstance(node, ast.IfExp):
        return (node.body, node.orelse)
    if isinstance(node, ast.BoolOp):
        return node.values[1:]
    if isinstance(node, ast.Compare):
        return node.comparators[1:]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return (node.elt, *itertools.chain.from_iterable(each.ifs for each in node.generators))
    if isinstance(node, ast.DictComp):
        return (node.value,)
    if isinstance(node, ast.Lambda):
        return (node.body,)
    return ()


def conditions(node: ast.AST) -> Iterator[tuple[ast.expr, dict[bool, int | None]]]:
    """Single conditions of a statement, and the lines on which it goes on when they are true and
    when they are false.

    A line is 0 where that is anywhere, and None where it is said elsewhere.
    """
    if isinstance(node, ast.If | ast.While):
        alone = not isinstance(node.test, ast.BoolOp)
        bodies: dict[bool, int | None] = {
            True: node.body[0].lineno,
            False: node.orelse[0].lineno if node.orelse else 0,
        }
        for test in _leaves(node.test):
            inverted = isinstance(node.test, ast.UnaryOp)
            yield (
                test,
                (
                    ({True: bodies[False], False: bodies[True]} if inverted else bodies)
                    if alone
                    else {True: bodies[True], False: 0}
                ),
            )
    elif isinstance(node, ast.comprehension):
        for condition in node.ifs:
            for test in _leaves(condition):
                # that it was never true is said of what it lets through
                yield test, {True: None, False: 0}


def negated(test: ast.expr) -> bool:
    """Whether it is `x is not None`, which compiles to the jumps of `x is None`."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.IsNot)
        and _is_none(test.comparators[0])
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The single conditions of `a and not b or c`."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _leaves(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    else:
        yield test


def span_of(node: ast.expr | ast.stmt) -> Span:
    """Where it stands, as code objects have it."""
    return (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)


def lies_in(span: Span, node: ast.expr | ast.stmt) -> bool:
    """Whether a place is in a node's."""
    first, column, last, end = span_of(node)
    return (first, column) <= span[:2] and span[2:] <= (last, end)


def part_of(node: ast.expr, outer: ast.expr) -> bool:
    """The same of two nodes."""
    return lies_in(span_of(node), outer)
