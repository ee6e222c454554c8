"""A function's code with an observer at each condition that is no branch: comparisons whose answer is
computed with, limits, and whatever gives truth values.
"""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import operator
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeVar

from altpg_verify.untrusted.branching_syntax import conditions

T = TypeVar("T")

OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda entry, held: entry in held,
    ast.NotIn: lambda entry, held: entry not in held,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
}
"""Comparisons, what joins their answers, what counts whole steps, and what can lose a number."""

_OF_FRAMES = frozenset(
    {"super", "locals", "vars", "dir", "eval", "exec", "globals", "breakpoint", "__import__"}
)
"""What answers by who calls it."""

_SIGNATURE = operator.attrgetter(
    "co_freevars", "co_argcount", "co_kwonlyargcount", "co_posonlyargcount"
)
_FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


@dataclass(frozen=True, eq=False)
class Site:
    """A place in the source where something may be decided.

    Args:
        node: the expression.
        operation: of a comparison, or of what joins two; None for a call.
        method: the attribute's name where a method is called; empty for another call.
    """

    node: ast.expr
    operation: Callable[[Any, Any], Any] | None
    method: str = ""


class _Observing(ast.NodeTransformer):
    """Puts a call of an observer at each site, with what is compared or called as its arguments."""

    def __init__(self, branches: set[int]) -> None:
        self.branches = branches
        self.sites: dict[str, Site] = {}

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        whole = copy.deepcopy(node)
        is_branch = id(node) in self.branches
        self.generic_visit(node)
        # the links of a chain are branches
        operation = OPERATORS.get(type(node.ops[0]))
        if is_branch or len(node.ops) > 1 or operation is None:
            return node
        return self._observed(node, Site(whole, operation), [node.left, *node.comparators])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        whole = copy.deepcopy(node)
        self.generic_visit(node)
        operation = OPERATORS.get(type(node.op))
        if operation is None:
            return node
        return self._observed(node, Site(whole, operation), [node.left, node.right])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        whole = copy.deepcopy(node)
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute):
            # private names are others within a class
            if function.attr.startswith("__") and not function.attr.endswith("__"):
                return node
            site = Site(whole, None, function.attr)
            return self._observed(node, site, [function.value, *node.args], node.keywords)
        if isinstance(function, ast.Name) and function.id in _OF_FRAMES:
            return node
        return self._observed(node, Site(whole, None), [function, *node.args], node.keywords)

    def _observed(
        self,
        node: ast.expr,
        site: Site,
        arguments: list[ast.expr],
        keywords: list[ast.keyword] | None = None,
    ) -> ast.Call:
        mark = f"\0 observer {len(self.sites)} \0"
        self.sites[mark] = site
        observer = ast.copy_location(ast.Constant(mark), node)
        return ast.copy_location(ast.Call(observer, arguments, keywords or []), node)


def observed(
    code: CodeType, tree: ast.AST, observer: Callable[[Site], tuple[Callable[..., Any], T]]
) -> tuple[CodeType, list[T]] | None:
    """A function's code with observers in it; None where there is nothing to observe, or where the
    source isn't what the code was made from.

    Args:
        code: the function's.
        tree: its source, a FunctionDef or a Lambda, which is left as it is.
        observer: what is called at a site, with the operands of a comparison, or the function (of a
            method: the object) and its arguments; and what it notes, of which all are returned.
    """
    tree = copy.deepcopy(tree)
    observing = _Observing({id(test) for node in ast.walk(tree) for test, _ in _tests(node)})
    body = (
        tree.body if isinstance(tree, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) else ()
    )
    if isinstance(body, list):
        body[:] = [observing.visit(each) for each in body]  # type: ignore[attr-defined]
    elif isinstance(tree, ast.Lambda):
        tree.body = observing.visit(tree.body)
    if not observing.sites:
        return None
    try:
        made = _compiled(code, tree)
    except (SyntaxError, ValueError, RecursionError):
        return None
    if made is None:
        return None
    watchers = {mark: observer(site) for mark, site in observing.sites.items()}
    called = {mark: each for mark, (each, _) in watchers.items()}
    return _filled(made, called), [kept for _, kept in watchers.values()]


def _tests(node: ast.AST) -> Iterator[tuple[ast.expr, Any]]:
    """The conditions that are branches."""
    yield from conditions(node)
    if isinstance(node, ast.IfExp | ast.Assert):
        yield node.test, None
    if isinstance(node, ast.BoolOp):
        # the last one's answer may be what is computed with
        yield from ((value, None) for value in node.values[:-1])


def _compiled(code: CodeType, tree: ast.AST) -> CodeType | None:
    """The code of a function's source, compiled amid the names that it closes over."""
    inner: ast.Expr | ast.FunctionDef | ast.AsyncFunctionDef
    if isinstance(tree, ast.Lambda):
        inner, name = ast.Expr(tree), "<lambda>"
    else:
        assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
        tree.decorator_list, tree.returns = [], None
        inner, name = tree, tree.name
    path: list[str] = ["around"]
    body: list[ast.stmt] = [inner]
    qualified = code.co_qualname.split(".")
    if len(qualified) > 1 and qualified[-2] != "<locals>":
        # private names, and what `super` needs
        path.append(qualified[-2])
        body = [_statement(f"class {qualified[-2]}: pass", body)]
    closed = "".join(f"{each} = 0\n" for each in code.co_freevars if each != "__class__")
    outer = _statement("def around(): pass", [*ast.parse(closed).body, *body])
    module = ast.fix_missing_locations(ast.Module([outer], []))
    with warnings.catch_warnings():
        # of a text that is called
        warnings.simplefilter("ignore")
        made = compile(module, code.co_filename, "exec", code.co_flags & _FUTURE, dont_inherit=True)
    for each in path:
        made = next(inside for inside in _inside(made) if inside.co_name == each)
    found = [each for each in _inside(made) if each.co_name == name and _alike(each, code)]
    return found[0] if found else None


def _statement(text: str, body: list[ast.stmt]) -> ast.stmt:
    made = ast.parse(text).body[0]
    made.body = body  # type: ignore[attr-defined]
    return made


def _inside(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _alike(code: CodeType, other: CodeType) -> bool:
    """Whether they take the same and see the same names."""
    return _SIGNATURE(code) == _SIGNATURE(other) and _arguments(code) == _arguments(other)


def _arguments(code: CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _filled(code: CodeType, watchers: dict[str, Any]) -> CodeType:
    """With observers where their marks stand."""
    return code.replace(
        co_consts=tuple(
            _filled(each, watchers)
            if isinstance(each, CodeType)
            else watchers.get(each, each)
            if isinstance(each, str)
            else each
            for each in code.co_consts
        )
    )
