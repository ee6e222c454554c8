"""Finding the estimators and updates a user names: `module:name`, `module` (all in it), or
`file.py:name`.

What is theirs is compiled from the source that stands there, see `sources`.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.files import exists
from altpg_verify.source_loading import FromSource, compile_from_source, forget_changed
from altpg_verify.untrusted.calling import interrupted, name_of, said
from altpg_verify.untrusted.intact import intact

if TYPE_CHECKING:
    from altpg_verify.audit.updates import Update

_NOTHING = object()
_PACKAGE = __name__.partition(".")[0]


def estimators_at(target: str) -> list[tuple[str, Estimator]]:
    """(origin, estimator) pairs for a target.

    The module is loaded from its source, with the folder where the command runs on the path.

    Args:
        target: `module:name`, `module`, `file.py` or `file.py:name`.

    Raises:
        BadInput: no such module, file or name, the name is no estimator, or there is none in the
            module.
    """
    return _found(
        target, lambda: (Estimator,), "estimator", "decorate the function with @estimator"
    )


def checked_at(target: str) -> list[tuple[str, Estimator | Update]]:
    """(origin, estimator or `audit.Update`) pairs for a target, in the order in which the module
    defines them; raises as `estimators_at` does.

    Args:
        target: `module:name`, `module`, `file.py` or `file.py:name`.
    """
    return _found(
        target,
        lambda: (Estimator, *update_type()),
        "estimator",
        "decorate the function with @estimator, @update(...) or @loss(...)",
    )


def updates_at(target: str) -> list[tuple[str, Update]]:
    """(origin, `audit.Update`) pairs for a target; raises as `estimators_at` does."""
    return _found(
        target,
        update_type,
        "update",
        "decorate the function with @update(space=...) or @loss(space=...)",
    )


def update_type() -> tuple[type[Update], ...]:
    """(`audit.Update`,) if anything has loaded it, else ()."""
    # whoever made an update has loaded its class; for estimators alone the audit is never imported
    loaded = sys.modules.get("altpg_verify.audit.updates")
    return (loaded.Update,) if loaded else ()


def _found(
    target: str, kinds: Callable[[], tuple[type, ...]], what: str, mend: str
) -> list[tuple[str, Any]]:
    where, _, name = target.partition(":")
    module = _module(where)
    wanted = kinds()
    # by its type: an object may answer for its class itself, or raise
    present = {key: value for key, value in vars(module).items() if issubclass(type(value), wanted)}
    if name:
        found = _run(where, lambda: getattr(module, name, _NOTHING), Path.cwd())
        if found is _NOTHING:
            raise BadInput(
                f"{where!r} has no {name!r}; its {what}s are:"
                f" {', '.join(sorted(present)) or 'none'}"
            )
        if not issubclass(type(found), wanted):
            raise BadInput(f"{target!r} is a {type(found).__name__}, not an {what}; {mend}")
        return [(target, found)]
    if not present:
        raise BadInput(f"{where!r} has no {what}; {mend}, or name one as {where}:NAME")
    return [(f"{where}:{key}", value) for key, value in present.items()]


def _module(where: str) -> ModuleType:
    _load_what_judges(where)
    compile_from_source()
    forget_changed()
    if not where.endswith(".py"):
        # the user's own module beside where they stand, as with `python -m`
        _reachable_from(Path.cwd())
        return _run(where, lambda: importlib.import_module(where), Path.cwd())
    path = Path(where)
    if not exists(path) or not path.is_file():
        raise BadInput(f"there is no file {where!r}; check the path")
    _reachable_from(Path.cwd(), path.absolute().parent)
    loader = FromSource(path.stem, str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    if spec is None:
        raise BadInput(f"{where!r} can't be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    # before it runs, as an import does: dataclasses and pickles look their module up
    sys.modules.setdefault(path.stem, module)

    def load() -> ModuleType:
        try:
            loader.exec_module(module)
        except BaseException:
            # as an import does: half a module is none
            if sys.modules.get(path.stem) is module:
                del sys.modules[path.stem]
            raise
        return module

    return _run(where, load, path.absolute().parent)


_added: list[str] = []
_wanted_before: list[str] = []


def _reachable_from(*folders: Path) -> None:
    """Let the user's modules import what lies beside them, but no name of Python's own or of an
    installed package.
    """
    wanted = [str(folder) for folder in reversed(folders)]
    # somebody may have put an older `sys.path` back, with or without what was added
    sys.path[:] = [folder for folder in sys.path if folder not in _added]
    new = [folder for folder in dict.fromkeys(wanted) if folder not in sys.path]
    # last: a random.py or sympy.py of theirs must not stand in for the real one
    sys.path += new
    for folder in _wanted_before:
        if folder not in sys.path:
            _forget_modules_of(folder)
    _added.extend(folder for folder in new if folder not in _added)
    _wanted_before[:] = [folder for folder in _wanted_before if folder in sys.path]
    _wanted_before.extend(folder for folder in wanted if folder not in _wanted_before)


def _forget_modules_of(folder: str) -> None:
    """A module beside another user file may have the same name, and is another one."""
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if isinstance(getattr(spec, "loader", None), FromSource) and str(
            getattr(module, "__file__", "")
        ).startswith(folder + os.sep):
            del sys.modules[name]


_OF_BOTH = ("checks", "facts", "dynamics", "laws", "results")
_OF_ESTIMATORS = ("strategies",)
_OF_UPDATES = ("audit.diagnosis", "audit.mending", "audit.environments", "audit.merging")
_PLAIN = {"__future__", "collections", "dataclasses", "fractions", "functools", "itertools"}
_PLAIN |= {"math", "numpy", "typing"}
_BY_WORDS = re.compile(r"import_module|exec|eval|getattr|sys|vars|globals|modules|__(?!future__)\w")


def _load_what_judges(where: str) -> None:
    """Load the modules that will judge a target before its own code runs, which could edit them as
    they are loaded.
    """
    path = Path(where)
    try:
        text = path.read_text(encoding="utf-8", errors="replace") if where.endswith(".py") else None
    except OSError:
        text = None
    # estimators alone never load the audit, nor updates alone the search for counterexamples, which
    # takes long to load; whoever imports anything else, or by other ways, may
    known = {_PACKAGE, "numpy", *sys.stdlib_module_names}
    anything = text is None or bool(_BY_WORDS.search(text)) or not _imported(text) <= known
    updates = anything or "audit" in str(text)
    estimators = anything or "stimator" in str(text) or not _of_audit_only(str(text))
    for name in (
        *_OF_BOTH,
        *(_OF_ESTIMATORS if estimators else ()),
        *(_OF_UPDATES if updates else ()),
    ):
        importlib.import_module(f"{_PACKAGE}.{name}")


def _of_audit_only(text: str) -> bool:
    """Whether a file takes names from the audit and nothing else of this package."""
    named = text.count(_PACKAGE)
    taken = len(re.findall(rf"^from {_PACKAGE}\.audit(?= import |\.\w+ import )", text, re.M))
    plain = _imported(text) <= {_PACKAGE, *_PLAIN}
    return plain and named == taken


def _imported(text: str) -> set[str]:
    """The packages that a file imports; none of a file that isn't Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    return {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in (
            node.names if isinstance(node, ast.Import) else [ast.alias(node.module or ".")]
        )
    }


def _run(where: str, load: Callable[[], Any], folder: Path) -> Any:
    deepest = sys.getrecursionlimit()
    try:
        with intact(repr(where)):
            return load()
    except ModuleNotFoundError as error:
        if error.name and (where == error.name or where.startswith(error.name + ".")):
            raise BadInput(
                f"there is no module {where!r}; give module:name, or the path of a file as"
                " file.py:name"
            ) from error
        raise BadInput(
            f"{where!r} needs the module {error.name!r}, which is not"
            f" installed{_shadowed(error.name, folder)}"
        ) from error
    except BadInput:
        raise
    except RecursionError as error:
        raise BadInput(f"{where!r} recurses without end while being imported") from error
    # a script that ends with sys.exit() must not end the check with its own exit code
    except BaseException as error:
        if interrupted(error):
            raise
        name = getattr(error, "name", None) if isinstance(error, ImportError) else None
        raise BadInput(
            f"{where!r} raised {name_of(error)} while being imported:"
            f" {said(error)}{_shadowed(name, folder)}"
        ) from error
    finally:
        # a deeper one is theirs to ask for
        sys.setrecursionlimit(max(deepest, sys.getrecursionlimit()))


def _shadowed(name: str | None, folder: Path) -> str:
    """What to do if a file of the user's has the name of a module of Python's or of a package."""
    first = (name or "").split(".")[0]
    if not first or not exists(folder / f"{first}.py"):
        return ""
    return (
        f"; {first}.py beside it has the name of an installed module, which comes first: give it"
        " another name"
    )
