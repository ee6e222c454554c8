"""Whether somebody's code is what stands in its files now."""

from __future__ import annotations

import ast
import marshal
import os
import sys
from collections import Counter
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.source_loading import FromSource, digest_of_file, loader_of
from altpg_verify.untrusted.code_origin import is_library
from altpg_verify.untrusted.reaching import functions, names_in, nested
from altpg_verify.user_imports import imported_modules, named_in


def refuse_stale(root: Any) -> None:
    """Raise BadInput if somebody's code, or a module it imports, isn't what stands in its file:
    bytecode was cached, or it was edited.

    Args:
        root: a function, estimator or update.
    """
    for function in functions(root):
        file = function.__code__.co_filename
        if is_library(file) or not os.path.isfile(file) or not _from_file(function):
            continue
        loader = getattr(function.__globals__.get("__spec__"), "loader", None)
        stale = (
            loader.digest != digest_of_file(file)
            if isinstance(loader, FromSource)
            else function.__code__ not in _codes(file)
        )
        if stale:
            raise BadInput(
                f"{function.__name__!r} was loaded from other code than {os.path.basename(file)!r}"
                " holds now (edited since, or Python's cached bytecode is out of date); load it"
                " again, and remove its __pycache__ if that doesn't help"
            )
    _refuse_stale_modules(root)


def _refuse_stale_modules(root: Any) -> None:
    """The same of modules that somebody's code imports: a number that is kept there stands in no
    function.
    """
    files: dict[str, ModuleType | None] = {}
    for function in functions(root):
        file = function.__code__.co_filename
        if not is_library(file) and os.path.isfile(file) and _from_file(function):
            module = sys.modules.get(function.__module__)
            files[file] = (
                module if getattr(module, "__dict__", None) is function.__globals__ else None
            )
    modules = {file: module for file, module in files.items() if module is not None}
    for file, module in files.items():
        modules |= {str(other.__file__): other for other in imported_modules(module, file)}
    # a setting that nobody here reads may be set from outside
    read = {name for function in functions(root) for name in names_in(function.__code__)}
    read |= {
        name.rpartition(".")[2]
        for file, module in modules.items()
        for name in named_in(file, getattr(module, "__package__", None) or "")
    }
    for file, module in modules.items():
        objection = _objection(module, file, read)
        if objection:
            raise BadInput(
                f"{module.__name__!r} was loaded from other code than {os.path.basename(file)!r}"
                f" holds now ({objection}); load it again, and remove its __pycache__ if that"
                " doesn't help"
            )


def _objection(module: ModuleType, file: str, read: set[str]) -> str:
    """Why a module isn't what stands in its file; empty if nothing says so.

    Args:
        read: names that somebody reads.
    """
    loader = loader_of(module)
    if isinstance(loader, FromSource):
        return "" if loader.digest == digest_of_file(file) else "edited since"
    if type(loader) is not SourceFileLoader or not os.path.isfile(file):
        return ""
    if _bytecode_is_stale(module, file):
        return "Python's cached bytecode is out of date"
    try:
        constants = _constants_of(Path(file).read_bytes())
    except OSError:
        return ""
    for name, value in constants:
        held = vars(module).get(name, value)
        if name in read and type(held) is type(value) and repr(held) != repr(value):
            return f"{name} is {held!r} there and {value!r} in the file"
    return ""


def _bytecode_is_stale(module: ModuleType, file: str) -> bool:
    """Whether Python took, or wrote, bytecode of another source than stands there."""
    cached = getattr(module.__spec__, "cached", None)
    try:
        content = Path(str(cached)).read_bytes()
        stat = os.stat(file)
        flags, time, size = (int.from_bytes(content[i : i + 4], "little") for i in (4, 8, 12))
        code = marshal.loads(content[16:])
    except (OSError, ValueError, EOFError, TypeError):
        return False
    taken = flags == 1 or (
        flags == 0 and (time, size) == (int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF)
    )
    # where bytecode is written it was written from what was loaded
    written = not sys.dont_write_bytecode and os.access(os.path.dirname(str(cached)), os.W_OK)
    return (taken or written) and code not in _codes(file)


@lru_cache(maxsize=64)
def _constants_of(content: bytes) -> tuple[tuple[str, Any], ...]:
    """Names that a module binds once, to a plain number or text."""
    try:
        tree = ast.parse(content)
    except (ValueError, SyntaxError, RecursionError):
        return ()
    bound = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    bound.update(
        name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
    )
    found = []
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            try:
                value = ast.literal_eval(statement.value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
            names = [
                target.id
                for target in targets
                if isinstance(target, ast.Name) and bound[target.id] == 1
            ]
            found += [
                (name, value)
                for name in names
                if isinstance(value, int | float | complex | str | bytes)
            ]
    return tuple(found)


def _from_file(function: FunctionType) -> bool:
    # other loaders may rewrite what they load, so that it is never what stands in the file
    loader = getattr(function.__globals__.get("__spec__"), "loader", None)
    same = function.__globals__.get("__file__") == function.__code__.co_filename
    plain = type(loader) is SourceFileLoader or isinstance(loader, FromSource)
    # pytest rewrites assertions and nothing else
    rewritten = type(loader).__name__ == "AssertionRewritingHook" and "assert" not in _text_of(
        function
    )
    return same and (plain or rewritten)


def _text_of(function: FunctionType) -> str:
    try:
        return Path(function.__code__.co_filename).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return "assert"


def _codes(file: str) -> frozenset[CodeType]:
    try:
        return _codes_of(Path(file).read_bytes(), file)
    except OSError:
        return frozenset()


@lru_cache(maxsize=64)
def _codes_of(content: bytes, file: str) -> frozenset[CodeType]:
    try:
        return frozenset(nested(compile(content, file, "exec", dont_inherit=True)))
    except (ValueError, SyntaxError, RecursionError):
        return frozenset()
