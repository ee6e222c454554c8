"""Somebody's code is compiled from the source that stands in its files, never read from cached
bytecode; each verdict names it.

Python takes cached bytecode for current if size and time of the file are what they were. Editors,
containers, archives and reproducible builds keep both, and then a check would judge code that is no
longer there.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import marshal
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.untrusted.code_origin import is_library
from altpg_verify.untrusted.reaching import functions, names_in, nested

DIGITS = 12
"""Hex digits of a digest that are shown in text."""


class FromSource(SourceFileLoader):
    """Loads a module from its source as it stands; bytecode is neither read nor written.

    Attributes:
        digest: sha256 of the source that was compiled, as hex digits; "" before that.
    """

    digest = ""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the file, compiled now; cached bytecode isn't looked at.

        Args:
            fullname: the module's dotted name.
        """
        path = self.get_filename(fullname)
        content = self.get_data(path)
        self.digest = hashlib.sha256(content).hexdigest()
        return self.source_to_code(content, path)


class _Finder:
    """Finds what Python would find on the path; the user's own modules get the loader above."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if (
            spec is not None
            and type(spec.loader) is SourceFileLoader
            and spec.origin
            and not is_library(spec.origin)
        ):
            spec.loader = FromSource(spec.loader.name, spec.loader.path)
            spec.cached = None
        return spec


def compile_from_source() -> None:
    """From now on the user's own modules are compiled from source when they are imported, in this
    process. Libraries keep their cached bytecode; calling it again changes nothing.
    """
    if _Finder not in sys.meta_path:
        place = next(
            (i for i, finder in enumerate(sys.meta_path) if finder is PathFinder),
            len(sys.meta_path),
        )
        sys.meta_path.insert(place, _Finder)  # type: ignore[arg-type]
    importlib.invalidate_caches()


def forget_changed() -> None:
    """Forget the modules loaded from source if one of their files has changed since, so that they
    are loaded anew.
    """
    loaded = {
        name: module
        for name, module in sys.modules.copy().items()
        if isinstance(_loader(module), FromSource)
    }
    if any(
        _digest_of_file(str(module.__file__)) != _loader(module).digest
        for module in loaded.values()
    ):
        for name in loaded:
            sys.modules.pop(name, None)


def _loader(module: object) -> Any:
    return getattr(getattr(module, "__spec__", None), "loader", None)


@dataclass(frozen=True)
class Source:
    """Which source a verdict is about.

    Args:
        file: where the function stands, as an absolute path.
        digest: sha256 of that file as it was compiled, as hex digits.
        imported: the user's other files that it imports, directly or not, as (path, digest).
    """

    file: str
    digest: str
    imported: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """`sha256:0123456789ab of mine.py (and 1 imported file)`."""
        number = len(self.imported)
        others = f" (and {number} imported file{'s' * (number != 1)})" if number else ""
        return f"sha256:{self.digest[:DIGITS]} of {_shown(self.file)}{others}"

    def as_dict(self) -> dict[str, object]:
        """Plain data, fit for JSON: no path of the machine."""
        here = os.path.dirname(self.file)
        return {
            "file": _shown(self.file),
            "sha256": self.digest,
            "imported": {
                os.path.relpath(file, here).replace(os.sep, "/"): digest
                for file, digest in self.imported
            },
        }


def _shown(file: str) -> str:
    return os.path.basename(file)


def place_of(root: object) -> tuple[str, int] | None:
    """The file and first line of somebody's function, estimator or update; None if it stands in no
    file of a user's.
    """
    codes = [each.__code__ for each in functions(root) if not is_library(each.__code__.co_filename)]
    return (
        (os.path.abspath(codes[0].co_filename), codes[0].co_firstlineno)
        if codes and os.path.isfile(codes[0].co_filename)
        else None
    )


def source_of(root: object) -> Source | None:
    """The source of somebody's function, estimator or update; None if it stands in no file (a
    prompt, a notebook), or is no user's.

    Raises:
        BadInput: the code that was loaded isn't what stands in its file.
    """
    # the first is the judged function itself, the others are those that it reaches
    written = [each for each in functions(root) if not is_library(each.__code__.co_filename)]
    if not written:
        return None
    refuse_stale(root)
    file = written[0].__code__.co_filename
    module = sys.modules.get(written[0].__module__)
    # another module may have come under the same name since
    if module is None or getattr(module, "__dict__", None) is not written[0].__globals__:
        module = None
    digest = _digest_of(written[0], file)
    if not digest:
        return None
    others = {str(other.__file__): _loaded_digest(other) for other in _imports(module, file)}
    for each in written[1:]:
        others.setdefault(each.__code__.co_filename, _digest_of(each, each.__code__.co_filename))
    others.pop(file, None)
    return Source(
        os.path.abspath(file),
        digest,
        tuple(sorted((os.path.abspath(other), found) for other, found in others.items() if found)),
    )


def _digest_of(function: FunctionType, file: str) -> str:
    loader = getattr(function.__globals__.get("__spec__"), "loader", None)
    return (
        loader.digest
        if isinstance(loader, FromSource) and loader.path == file
        else _digest_of_file(file)
    )


def _loaded_digest(module: ModuleType) -> str:
    loader = _loader(module)
    return (
        loader.digest if isinstance(loader, FromSource) else _digest_of_file(str(module.__file__))
    )


def _digest_of_file(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""


def _imports(module: ModuleType | None, file: str) -> Iterator[ModuleType]:
    """The user's modules that a file's import statements name, and those that they name."""
    waiting, seen = [(module, file)], {file}
    while waiting:
        importer, path = waiting.pop()
        for name in _named(path, getattr(importer, "__package__", None) or ""):
            found = sys.modules.get(name)
            place = getattr(found, "__file__", None)
            if (
                isinstance(found, ModuleType)
                and place
                and place not in seen
                and not is_library(str(place))
            ):
                seen.add(place)
                waiting.append((found, str(place)))
                yield found


def _named(file: str, package: str) -> tuple[str, ...]:
    try:
        return _named_in(Path(file).read_bytes(), package)
    except OSError:
        return ()


@lru_cache(maxsize=64)
def _named_in(content: bytes, package: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_imported(content, package)))


def _imported(content: bytes, package: str) -> Iterator[str]:
    try:
        tree = ast.parse(content)
    except (ValueError, SyntaxError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _packages(alias.name)
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level + (node.module or "")
            try:
                base = importlib.util.resolve_name(dots, package) if node.level else dots
            except ImportError:
                continue
            yield from _packages(base)
            # what is imported from a package may be one of its modules
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__"):
                yield from _packages(node.args[0].value)


def _packages(name: str) -> Iterator[str]:
    """`a`, `a.b` and `a.b.c` for `a.b.c`: all of them are run."""
    parts = name.split(".")
    return (".".join(parts[: i + 1]) for i in range(len(parts)))


def refuse_stale(root: object) -> None:
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
        # by the digest where it was kept, else the compiled code must be what the file compiles to
        stale = (
            loader.digest != _digest_of_file(file)
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


def _refuse_stale_modules(root: object) -> None:
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
        modules |= {str(other.__file__): other for other in _imports(module, file)}
    # a setting that nobody here reads may be set from outside
    read = {name for function in functions(root) for name in names_in(function.__code__)}
    read |= {
        name.rpartition(".")[2]
        for file, module in modules.items()
        for name in _named(file, getattr(module, "__package__", None) or "")
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
    loader = _loader(module)
    if isinstance(loader, FromSource):
        return "" if loader.digest == _digest_of_file(file) else "edited since"
    if type(loader) is not SourceFileLoader or not os.path.isfile(file):
        return ""
    if _bytecode_is_stale(module, file):
        return "Python's cached bytecode is out of date"
    try:
        constants = _constants_of(Path(file).read_bytes(), file)
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
        # the header of a .pyc file (PEP 552): magic, flags, then time and size of the source
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
def _constants_of(content: bytes, file: str) -> tuple[tuple[str, object], ...]:
    """Names that a module binds once, to a plain number or text."""
    try:
        tree = ast.parse(content)
    except (ValueError, SyntaxError, RecursionError):
        return ()
    # a name that is bound again may have any value by now
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
