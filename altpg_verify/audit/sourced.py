"""The source of a user's function and of its helpers, and the function made anew from an edited
source, in its own names.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from altpg_verify.untrusted.reaching import plain_function
from altpg_verify.untrusted.state import ABSENT, content_of


@dataclass(frozen=True, eq=False)
class Sourced:
    """A function that was found in its file.

    Args:
        function: the function.
        tree: its source, with the file's line numbers; the first function's is without the
            decorators that declared it.
    """

    function: FunctionType
    tree: ast.FunctionDef

    @property
    def file(self) -> str:
        """Where it stands."""
        return self.function.__code__.co_filename

    def names(self, module: str) -> str:
        """What it calls a module, such as "np"; empty if it doesn't know it."""
        named = self.function.__globals__.items()
        return next(
            (
                name
                for name, each in named
                if isinstance(each, ModuleType) and each.__name__ == module
            ),
            "",
        )


def sourced(root: Any) -> list[Sourced]:
    """The function behind somebody's update and its helpers in the same file, the function first;
    empty if there is no source.
    """
    function = plain_function(root)
    found: list[Sourced] = []
    waiting = [function] if function is not None else []
    while waiting:
        each = waiting.pop(0)
        if any(each is known.function for known in found):
            continue
        tree = _tree(each, decorated=bool(found))
        if tree is None:
            continue
        found.append(Sourced(each, tree))
        waiting += list(_helpers(each))
    return found if found and found[0].function is function else []


def _helpers(function: FunctionType) -> Iterator[FunctionType]:
    for name in function.__code__.co_names:
        other = function.__globals__.get(name)
        if (
            isinstance(other, FunctionType)
            and other.__code__.co_filename == function.__code__.co_filename
        ):
            yield other


def _tree(function: FunctionType, *, decorated: bool) -> ast.FunctionDef | None:
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    try:
        module = ast.parse("".join(lines))
    except SyntaxError:
        return None
    for node in ast.walk(module):
        # the first line of a decorated function's code is that of its first decorator
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                node.decorator_list = node.decorator_list if decorated else []
                return node
    return None


def remade(found: list[Sourced]) -> FunctionType:
    """The first function, made anew from what the sources of it and its helpers are now.

    Args:
        found: the function and its helpers; the sources may have been edited.
    """
    namespace = dict(found[0].function.__globals__)
    for each in reversed(found):
        namespace |= _closed(each.function)
    made: Any = None
    for each in reversed(found):
        source = each.tree
        module = ast.Module([source], [])
        ast.fix_missing_locations(module)
        exec(compile(module, each.file, "exec"), namespace)
        made = namespace[source.name]
        made.__kwdefaults__, made.__defaults__ = (
            each.function.__kwdefaults__,
            each.function.__defaults__,
        )
        made.__module__ = each.function.__module__
    assert isinstance(made, FunctionType)
    return made


def _closed(function: FunctionType) -> dict[str, Any]:
    """What it sees of the functions around it."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: content_of(cell) for name, cell in cells if content_of(cell) is not ABSENT}
