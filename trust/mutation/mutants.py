"""Mutants: one small change each, such as a careless hand makes, in the syntax tree of a module.

What is changed: comparisons, arithmetic, `and`/`or`/`not`, signs, numbers, truth values, strings
that decide something, conditions, returned values, assigned values, statements, arguments (swapped
or left out), `any`/`all`, `min`/`max`, `sorted`, and loops' ways out. What isn't: annotations,
docstrings, imports, words for people (f-strings, and all that stands in a `raise`), decorators that
only cache.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED = {
    "any": "all",
    "all": "any",
    "min": "max",
    "max": "min",
    "sorted": "list",
    "reversed": "list",
    "abs": "+",
}
CACHES = {"cache", "cached_property", "functools.cache", "functools.lru_cache"}
TYPED = {"isinstance", "issubclass"}
"""Calls that fail on any other order of their arguments, whatever the tests are."""
_WIDTH = 110


@dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes:
        path: of the module, from the root of the repository.
        scope: qualified name of the outermost function around it; empty where the module's own code
            is changed.
        line: where it stands.
        change: "before -> after", with a number where the same change occurs again in the same
            scope.
        site: how to find the place in the module's tree again: fields and indices from the root.
        node: what is put there.
    """

    path: str
    scope: str
    line: int
    change: str
    site: tuple[str | int, ...]
    node: ast.AST

    @property
    def id(self) -> str:
        """The same as long as the code around it is the same, wherever in the file it stands."""
        return f"{self.path}::{self.scope or '<module>'}: {self.change}"

    def applied(self, source: str) -> ast.Module:
        """The module's tree with this change."""
        module = ast.parse(source)
        parent: Any = module
        for step in self.site[:-1]:
            parent = parent[step] if isinstance(step, int) else getattr(parent, step)
        last = self.site[-1]
        if isinstance(last, int):
            parent[last] = copy.deepcopy(self.node)
        else:
            setattr(parent, last, copy.deepcopy(self.node))
        return ast.fix_missing_locations(module)


def mutants(path: str, source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of the source."""
    found: list[Mutant] = []
    seen: Counter[tuple[str, str]] = Counter()
    for place in _places(ast.parse(source)):
        for node in _changes(place):
            before, after = place.words(place.node), place.words(node)
            change = f"{before} -> {after}"
            seen[place.scope, change] += 1
            if seen[place.scope, change] > 1:
                change += f" ({seen[place.scope, change]})"
            found.append(Mutant(path, place.scope, place.line, change, place.site, node))
    return found


@dataclass(frozen=True)
class _Place:
    """A node with what is around it."""

    node: Any
    site: tuple[str | int, ...]
    parents: tuple[Any, ...]
    scope: str

    @property
    def line(self) -> int:
        return next(
            one.lineno for one in (self.node, *reversed(self.parents)) if hasattr(one, "lineno")
        )

    def words(self, node: ast.AST) -> str:
        """The node as source; a name, a number or a keyword argument alone says too little, so with
        what is right around it.
        """
        around = self.parents[-1]
        if isinstance(node, ast.Pass):
            return "(removed)"
        if not isinstance(self.node, ast.stmt) and isinstance(
            around,
            ast.expr
            | ast.keyword
            | ast.Return
            | ast.Assign
            | ast.AugAssign
            | ast.AnnAssign
            | ast.Expr,
        ):
            step = self.site[-1]
            changed = copy.copy(around)
            if isinstance(step, int):
                entries = list(getattr(around, str(self.site[-2])))
                entries[step] = node
                setattr(changed, str(self.site[-2]), entries)
            else:
                setattr(changed, step, node)
            text = (
                f"{around.arg}={_source(node)}"
                if isinstance(around, ast.keyword)
                else _source(changed)
            )
        else:
            text = _source(node)
        text = " ".join(text.split())
        return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _source(node: ast.AST) -> str:
    return ast.unparse(_WithoutWords().visit(copy.deepcopy(node)))


class _WithoutWords(ast.NodeTransformer):
    """Texts for people are left out: versions of Python write them differently."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.Name:
        return ast.Name("f'…'", ast.Load())


def _places(module: ast.Module) -> Iterator[_Place]:
    """Every node that may be changed, from top to bottom."""

    def visit(
        node: Any, site: tuple[str | int, ...], parents: tuple[Any, ...], scope: str
    ) -> Iterator[_Place]:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
            # a text for people, and what is computed in it
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) == "TypeVar"
        ):
            return
        yield _Place(node, site, parents, scope)
        if isinstance(node, ast.Raise):
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_comment", "type_params"):
                continue
            if (
                isinstance(node, ast.FunctionDef)
                and name == "body"
                and any(ast.unparse(one) == "overload" for one in node.decorator_list)
            ):
                continue
            below = scope
            if name == "body" and isinstance(node, ast.FunctionDef) and not _in_function(parents):
                below = ".".join(
                    [*(one.name for one in parents if isinstance(one, ast.ClassDef)), node.name]
                )
            if isinstance(value, list):
                for index, entry in enumerate(value):
                    if isinstance(entry, ast.AST) and not (
                        name == "decorator_list" and _caches(entry)
                    ):
                        yield from visit(entry, (*site, name, index), (*parents, node), below)
            elif isinstance(value, ast.AST):
                yield from visit(value, (*site, name), (*parents, node), below)

    yield from visit(module, (), (), "")


def _in_function(parents: tuple[Any, ...]) -> bool:
    return any(isinstance(one, ast.FunctionDef) for one in parents)


def _typed(parents: tuple[Any, ...]) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in TYPED
        for one in parents[-3:]
    )


def _caches(decorator: ast.AST) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called) in CACHES


def _changes(place: _Place) -> Iterator[ast.AST]:
    node, parents = place.node, place.parents
    if not parents:
        return
    around, step = parents[-1], next(part for part in reversed(place.site) if isinstance(part, str))
    if isinstance(node, ast.Compare):
        for index, operation in enumerate(node.ops):
            if type(operation) in COMPARISONS:
                yield _with(
                    node,
                    ops=[*node.ops[:index], COMPARISONS[type(operation)](), *node.ops[index + 1 :]],
                )
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif (
        isinstance(node, ast.BinOp | ast.AugAssign)
        and type(node.op) in ARITHMETIC
        and not _typed(parents)
    ):
        yield _with(node, op=ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Constant):
        yield from _constants(node, around, step)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Raise) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()
    elif isinstance(node, ast.Return) and not _nothing(node.value):
        yield _with(node, value=ast.Constant(None))
    elif isinstance(node, ast.Lambda) and not _nothing(node.body):
        yield _with(node, body=ast.Constant(None))
    elif (
        isinstance(node, ast.Assign | ast.AnnAssign)
        and _in_function(parents)
        and node.value
        and not _nothing(node.value)
    ):
        yield _with(node, value=ast.Constant(None))
    if _is_condition(around, step) and not _negates_itself(node):
        yield ast.UnaryOp(ast.Not(), node)


def _is_condition(around: ast.AST, step: str) -> bool:
    return (isinstance(around, ast.If | ast.IfExp | ast.While) and step == "test") or (
        isinstance(around, ast.comprehension) and step == "ifs"
    )


def _negates_itself(node: ast.AST) -> bool:
    """Whether the negation is among the node's own changes."""
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and not isinstance(
            node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE
        )
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _with(node: Any, **fields: Any) -> Any:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _nothing(value: ast.AST | None) -> bool:
    return value is None or (
        isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))
    )


def _constants(node: ast.Constant, around: ast.AST, step: str) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, str) and _decides(around, step):
        yield ast.Constant(f"{node.value}!")


def _decides(around: ast.AST, step: str) -> bool:
    """Whether a string there decides something: it is compared, looked up, a key, or told to a
    method.
    """
    if isinstance(around, ast.Compare | ast.Subscript):
        return True
    if isinstance(around, ast.Dict):
        return step == "keys"
    return (
        isinstance(around, ast.Call) and isinstance(around.func, ast.Attribute) and step == "args"
    )


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        other = CALLED[node.func.id]
        yield (
            ast.UnaryOp(ast.UAdd(), node.args[0])
            if other == "+"
            else _with(node, func=ast.Name(other, ast.Load()))
        )
    typed = isinstance(node.func, ast.Name) and node.func.id in TYPED
    plain = not typed and not any(isinstance(one, ast.Starred) for one in node.args[:2])
    if len(node.args) >= 2 and plain and ast.dump(node.args[0]) != ast.dump(node.args[1]):
        yield _with(node, args=[node.args[1], node.args[0], *node.args[2:]])
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield _with(node, keywords=[*node.keywords[:index], *node.keywords[index + 1 :]])
