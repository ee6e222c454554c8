"""Whether code, a module or a class belongs to Python, to an installed package or to this project,
and not to the user: by where it is, whatever it says of itself.
"""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from altpg_verify.folders import own


@cache
def is_library(file: str) -> bool:
    """Whether code of this file belongs to Python, to an installed package or to this project, and
    not to the user.
    """
    if file.startswith("<frozen"):
        return True
    if file.startswith("<"):
        return False
    try:
        path = Path(file).resolve()
    except (OSError, ValueError, RuntimeError):
        return False
    if {"site-packages", "dist-packages"} & set(path.parts):
        return True
    return any(path.is_relative_to(folder) for folder in _library_folders())


@cache
def _library_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    theirs = [
        Path(paths[name]).resolve()
        for name in ("stdlib", "platstdlib", "purelib", "platlib")
        if name in paths
    ]
    return tuple(dict.fromkeys([*own("theory", "sim"), *theirs]))


def is_library_module(module: ModuleType) -> bool:
    """The same of a module; one without a file was built in, or made up by somebody."""
    file = getattr(module, "__file__", None)
    if file is None:
        return getattr(module, "__spec__", None) is not None and not hasattr(module, "__path__")
    return is_library(str(file))


def of_library(code: CodeType, namespace: dict[str, Any]) -> bool:
    """Whether code belongs to a library: its file does, and so does the module whose variables it
    sees, as code may say of any file.
    """
    if not is_library(code.co_filename):
        return False
    module = sys.modules.get(str(namespace.get("__name__")))
    return module is not None and vars(module) is namespace and is_library_module(module)


def is_of_user(kind: Any) -> bool:
    """Whether something is a class of no library's."""
    if type(kind) is not type:
        return False
    module = sys.modules.get(str(kind.__module__))
    return module is not None and not is_library_module(module)


def is_genuine(kind: type) -> bool:
    """Whether a class of a library is found in the module that it names, or was made there within a
    function.
    """
    module = sys.modules.get(str(kind.__module__))
    if module is None or not is_library_module(module):
        return False
    names = str(kind.__qualname__).split(".")
    found: Any = module
    for name in names:
        if name == "<locals>":
            # made by a function of that module, whose variables its methods see
            written = [each for each in vars(kind).values() if isinstance(each, FunctionType)]
            return bool(written) and all(
                of_library(each.__code__, each.__globals__) for each in written
            )
        found = getattr(found, name, None)
    return found is kind
