"""Putting a mutant in the place of the original, in a process that has everything imported or in
one that imports anew.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

PACKAGES = ("altpg_verify", "tests")
"""What is imported anew for a mutant of a module's own code."""


def module_name(path: str) -> str:
    """altpg_verify/exact.py -> altpg_verify.exact."""
    return path.removesuffix(".py").replace("/", ".")


def exchange(
    source: str, mutated: ast.Module, file: str, functions: Iterable[FunctionType]
) -> bool:
    """Give every living function of the module its mutated code; False if that can't be done in
    place.

    Args:
        functions: of which those with code of this file and other code in the mutant are changed.
            Decorated, cached and overridden ones are reached alike, since each keeps its identity.
    """
    old, new = compile(source, file, "exec"), compile(mutated, file, "exec")
    pairs = list(_pairs(old, new))
    if any(one is None for pair in pairs for one in pair):
        return False
    changed = {
        _key(before): after
        for before, after in pairs
        if before is not None and after is not None and before != after
    }
    found = [
        (function, changed[_key(function.__code__)])
        for function in functions
        if _key(function.__code__) in changed
    ]
    if not found or any(
        len(function.__code__.co_freevars) != len(code.co_freevars) for function, code in found
    ):
        return False
    for function, code in found:
        function.__code__ = code
    return True


def living_functions(files: Iterable[str]) -> list[FunctionType]:
    """Every function object with code of these files."""
    wanted = set(files)
    # what the tests froze is listed only while it isn't frozen
    frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    try:
        return [
            one
            for one in gc.get_objects()
            if type(one) is FunctionType and one.__code__.co_filename in wanted
        ]
    finally:
        if frozen:
            gc.freeze()


def forget(modules: Iterable[str] = ()) -> None:
    """Empty the caches of these modules' functions, or of all of this project: what the original
    computed is no answer of the mutant.
    """
    names = set(modules) or {one for one in sys.modules if one.split(".")[0] in PACKAGES}
    for name in names & set(sys.modules):
        for one in list(vars(sys.modules[name]).values()):
            # by its type: an object of a test may raise when it is asked for its class
            if issubclass(type(one), WeakKeyDictionary):
                one.clear()
            for entry in (one, *(vars(one).values() if issubclass(type(one), type) else ())):
                if type(entry) is functools._lru_cache_wrapper:
                    entry.cache_clear()


def import_anew(name: str, mutated: ast.Module, file: str) -> None:
    """Forget the project's modules, and import the mutant instead of the original."""
    for loaded in [one for one in sys.modules if one.split(".")[0] in PACKAGES]:
        del sys.modules[loaded]
    sys.meta_path.insert(0, _Finder(name, compile(mutated, file, "exec"), file))
    importlib.import_module(name)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name: str, code: CodeType, file: str) -> None:
        self.name, self.code, self.file = name, code, file

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self.file, loader=_Loader(fullname, self.file, self.code)
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, file: str, code: CodeType) -> None:
        super().__init__(name, file)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        return self.code


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType | None, CodeType | None]]:
    """Code with the code in its place; None where one has more parts than the other."""
    yield old, new
    olds, news = (
        tuple(one for one in code.co_consts if isinstance(one, CodeType)) for code in (old, new)
    )
    if [one.co_name for one in olds] != [one.co_name for one in news]:
        yield None, None
        return
    for before, after in zip(olds, news, strict=True):
        yield from _pairs(before, after)


def _key(code: CodeType) -> tuple[Any, ...]:
    return code.co_filename, code.co_qualname, code.co_firstlineno, bytes(code.co_linetable)


def read(root: Path, path: str) -> str:
    """The source of a module of the copy."""
    return (root / path).read_text(encoding="utf-8")
