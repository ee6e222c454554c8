"""Which source a verdict is about: the file, its digest, and the user's files that it imports."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from types import FunctionType, ModuleType

from altpg_verify.source_loading import FromSource, digest_of_file, loader_of
from altpg_verify.stale_sources import refuse_stale
from altpg_verify.untrusted.code_origin import is_library
from altpg_verify.untrusted.reaching import functions
from altpg_verify.user_imports import imported_modules

DIGITS = 12
"""Hex digits of a digest that are shown in text."""


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
    others = {
        str(other.__file__): _loaded_digest(other) for other in imported_modules(module, file)
    }
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
        else digest_of_file(file)
    )


def _loaded_digest(module: ModuleType) -> str:
    loader = loader_of(module)
    return loader.digest if isinstance(loader, FromSource) else digest_of_file(str(module.__file__))
