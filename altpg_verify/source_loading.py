"""The user's own modules are compiled from the source that stands in their files, never read from cached
bytecode.

Python takes cached bytecode for current if size and time of the file are what they were. Editors,
containers, archives and reproducible builds keep both, and then a check would judge code that is no
longer there.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from altpg_verify.untrusted.code_origin import is_library


class FromSource(SourceFileLoader):
    """Loads a module from its source as it stands; bytecode is neither read nor written.

    Attributes:
        digest: sha256 of the source that was compiled, as hex digits; "" before that.
    """

    digest = ""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the file, compiled now."""
        path = self.get_filename(fullname)
        content = self.get_data(path)
        self.digest = hashlib.sha256(content).hexdigest()
        return self.source_to_code(content, path)


class Finder:
    """Finds what Python would find on the path; the user's own modules get the loader above."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As the finders of `sys.meta_path` are asked."""
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
    process.
    """
    if Finder not in sys.meta_path:
        place = next(
            (i for i, finder in enumerate(sys.meta_path) if finder is PathFinder),
            len(sys.meta_path),
        )
        sys.meta_path.insert(place, Finder)  # type: ignore[arg-type]
    importlib.invalidate_caches()


def forget_changed() -> None:
    """Forget the modules loaded from source if one of their files has changed since, so that they
    are loaded anew.
    """
    loaded = {
        name: module
        for name, module in sys.modules.copy().items()
        if isinstance(loader_of(module), FromSource)
    }
    if any(
        digest_of_file(str(module.__file__)) != loader_of(module).digest
        for module in loaded.values()
    ):
        for name in loaded:
            sys.modules.pop(name, None)


def loader_of(module: Any) -> Any:
    """What loaded a module; None if it doesn't say so."""
    return getattr(getattr(module, "__spec__", None), "loader", None)


def digest_of_file(file: str) -> str:
    """sha256 of a file as it stands now, as hex digits; "" if it can't be read."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""
