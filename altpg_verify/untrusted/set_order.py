"""Whether the user's code goes through a set whose order is another one in the next process: a set
of texts, whose hashes Python salts, or of what is hashed by its address.

No second call in one process shows that; so it is read off the source, and of sets that stand in
variables off what is in them. Numbers have the same hash everywhere. Asking whether something is in
a set, how many there are, or sorting it, depends on no order.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from numbers import Number
from types import FunctionType, ModuleType
from typing import Any

from altpg_verify.untrusted.code_origin import of_library
from altpg_verify.untrusted.reaching import functions, nested

ORDER = "goes through a set in an order that isn't the same in every run"
SORT = "sort it, or write a tuple"

_MAKES = frozenset({"set", "frozenset"})
_COMBINES = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
_NO_ORDER = _MAKES | {"len", "sorted", "any", "all", "bool", "isinstance", "min", "max"}
"""What a set may be handed to; `min` and `max` with a key take the first of several."""
_GOES = frozenset(
    {
        *("list", "tuple", "iter", "next", "enumerate", "zip", "map", "filter", "str", "repr"),
        *("sum", "format", "print", "join", "array", "asarray", "tensor", "stack", "extend"),
        *("deque", "fromkeys", "chain", "islice", "accumulate", "reduce", "choice", "fsum"),
    }
)
_TEXTS = frozenset(
    {"str", "repr", "format", "bytes", "lower", "upper", "strip", "split", "join", "replace"}
)
"""Calls that give texts, or lists of them."""
_OBJECTS = frozenset({"object", "type", "id"})
MOST = 1_000
"""Entries of a set that are looked at."""


def varying_order(roots: Iterable[Any]) -> str:
    """What the user's code goes through in an order that differs from process to process, as it
    stands in the source, with its line; empty if there is nothing of the kind.
    """
    for root in roots:
        for each in functions(root):
            if of_library(each.__code__, each.__globals__):
                continue
            for found in _Reader(each).found():
                return found
    return ""


@dataclass(frozen=True)
class _Source:
    """What of a file can matter: expressions whose entries something goes through, and simple
    assignments.
    """

    used: tuple[ast.expr, ...] = ()
    assigned: tuple[tuple[str, ast.expr], ...] = ()


@lru_cache(maxsize=64)
def _source(text: str) -> _Source:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return _Source()
    nodes = list(ast.walk(tree))
    # apart from the nodes: Python has some, such as that of every `+`, once for all trees there are
    above = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
    used = tuple(
        node for node in nodes if isinstance(node, ast.expr) and _goes_through(node, above)
    )
    assigned = []
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                assigned.append((name, value))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                assigned.append((name, value))
    return _Source(used, tuple(assigned))


class _Reader:
    """One function's source, with the variables that it sees."""

    def __init__(self, function: FunctionType) -> None:
        code = function.__code__
        source = _source("".join(linecache.getlines(code.co_filename, function.__globals__)))
        places = [
            place
            for each in nested(code)
            for line, last, column, end in each.co_positions()
            if line and last and column is not None and end  # what begins a function has no place
            for place in ((line, column), (last, end))
        ]
        # a lambda may share its lines with others
        low, high = (min(places), max(places)) if places else ((0, 0), (0, 0))
        self.used = [node for node in source.used if low <= (node.lineno, node.col_offset) <= high]
        cells = zip(code.co_freevars, function.__closure__ or (), strict=False)
        self.closure = {name: _content(cell) for name, cell in cells}
        self.globals = function.__globals__
        names = {name for each in nested(code) for name in (*each.co_varnames, *each.co_cellvars)}
        self.local: dict[str, ast.expr] = {}
        for name, value in source.assigned:
            if name in names and low <= (value.lineno, value.col_offset) <= high:
                self.local.setdefault(name, value)

    def found(self) -> Iterator[str]:
        """Where it goes through one."""
        for node in self.used:
            if self._varies(node):
                yield f"{ast.unparse(node)[:60]} (line {node.lineno})"

    # --- whether an expression is such a set
    # ----------------------------------------------------------------------------------------------

    def _varies(self, node: ast.expr, depth: int = 0) -> bool:
        if depth > 5:
            return False
        match node:
            case ast.Set(elts=elements):
                return len(elements) > 1 and any(self._salted(each, depth) for each in elements)
            case ast.SetComp(elt=element):
                return self._salted(element, depth, node.generators)
            case ast.Call(func=ast.Name(id=name), args=[given]) if name in _MAKES:
                return self._salted(given, depth) or self._varies(given, depth + 1)
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _COMBINES:
                return self._varies(owner, depth + 1)
            case ast.BinOp(left=left, right=right, op=ast.BitOr() | ast.BitXor()):
                return self._varies(left, depth + 1) or self._varies(right, depth + 1)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.Sub()):
                return self._varies(left, depth + 1)
            case ast.Name(id=name) if name in self.local:
                return self.local[name] is not node and self._varies(self.local[name], depth + 1)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return _is_salted_set(self._value(node))
        return False

    def _salted(self, node: ast.expr, depth: int, within: Iterable[ast.comprehension] = ()) -> bool:
        """Whether an entry, or the entries of what is handed to `set`, have such hashes."""
        match node:
            case ast.Constant(value=value):
                return _salted(value)
            case ast.JoinedStr():
                return True
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return any(self._salted(each, depth) for each in elements)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                return name in _TEXTS | _OBJECTS
            case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element):
                return self._salted(element, depth, node.generators)
            case ast.Name(id=name):
                for each in within:
                    if isinstance(each.target, ast.Name) and each.target.id == name:
                        return self._salted(each.iter, depth + 1) or self._varies(
                            each.iter, depth + 1
                        )
                if name in self.local and depth < 5:
                    return self._salted(self.local[name], depth + 1)
        value = self._value(node)
        if _is(value, list | tuple | set | frozenset | dict):
            return any(_salted(entry) for entry in list(value)[:MOST])
        return value is not _UNKNOWN and _salted(value)

    def _value(self, node: ast.expr) -> Any:
        """What a variable, an attribute of a module or an entry of a table is."""
        match node:
            case ast.Name(id=name):
                if name in self.closure:
                    return self.closure[name]
                return self.globals.get(name, _UNKNOWN) if name not in self.local else _UNKNOWN
            case ast.Attribute(value=owner, attr=name):
                held = self._value(owner)
                if _is(held, ModuleType | type):
                    return vars(held).get(name, _UNKNOWN)
                try:
                    return object.__getattribute__(held, "__dict__").get(name, _UNKNOWN)
                except (AttributeError, TypeError):
                    return _UNKNOWN
            case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
                held = self._value(owner)
                if type(held) is dict or (type(held) in (list, tuple) and isinstance(key, int)):
                    try:
                        return held[key]
                    except (KeyError, IndexError):
                        return _UNKNOWN
        return _UNKNOWN


_UNKNOWN = object()


def _goes_through(node: ast.expr, above: dict[int, ast.AST]) -> bool:
    """Whether the order of its entries is asked for where it stands."""
    parent = above.get(id(node))
    match parent:
        case ast.For(iter=each) | ast.AsyncFor(iter=each) | ast.YieldFrom(value=each):
            return each is node
        case ast.Starred() | ast.FormattedValue():
            return True
        case ast.comprehension(iter=each) if each is node:
            return not _without_order(parent, above)
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value):
            return value is node
        case ast.Attribute(attr=name):
            called = above.get(id(parent))
            return name in ("pop", "__iter__") and isinstance(called, ast.Call)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given):
            if node not in given:
                return False
            keyed = name in ("min", "max") and any(one.arg == "key" for one in parent.keywords)
            return name in _GOES or keyed
    return False


def _without_order(comprehension: ast.comprehension, above: dict[int, ast.AST]) -> bool:
    """Whether what is made of the entries has no order either."""
    whole = above.get(id(comprehension))
    if isinstance(whole, ast.SetComp):
        return True
    user = above.get(id(whole))
    return (
        isinstance(user, ast.Call)
        and isinstance(user.func, ast.Name)
        and user.func.id in _NO_ORDER
        and not user.keywords
    )


def _is(value: Any, kinds: Any) -> bool:
    """By its type: an object may answer for its class itself, or raise."""
    return issubclass(type(value), kinds)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _UNKNOWN


def _is_salted_set(value: Any) -> bool:
    return (
        _is(value, set | frozenset)
        and len(value) > 1
        and any(_salted(entry) for entry in list(value)[:MOST])
    )


def _salted(value: Any) -> bool:
    """Whether a hash differs from process to process."""
    if _is(value, tuple | frozenset):
        return any(map(_salted, value))
    if value is None:
        # hashed by its address before
        return sys.version_info < (3, 12)
    # texts, and what is hashed by one or by an address: objects, functions, dates, enumerations
    return not _is(value, Number | range)
