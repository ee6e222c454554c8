"""Finding the estimators and updates a user names: `module:name`, `module` (all in it), or `file.py:name`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.files import exists

_NOTHING = object()


def estimators_at(target: str) -> list[tuple[str, Estimator]]:
    """(origin, estimator) pairs for a target.

    Raises:
        BadInput: no such module, file or name, the name is no estimator, or there is none in the module.
    """
    return _found(target, lambda: (Estimator,), "estimator", "decorate the function with @estimator")


def checked_at(target: str) -> list[tuple[str, Any]]:
    """(origin, estimator or `audit.Update`) pairs for a target; raises as `estimators_at` does."""
    return _found(
        target, lambda: (Estimator, *update_type()), "estimator", "decorate the function with @estimator, @update(...) or @loss(...)"
    )


def updates_at(target: str) -> list[tuple[str, Any]]:
    """(origin, `audit.Update`) pairs for a target; raises as `estimators_at` does."""
    return _found(target, update_type, "update", "decorate the function with @update(space=...) or @loss(space=...)")


def update_type() -> tuple[Any, ...]:
    """(`audit.Update`,) if anything has loaded it, else ()."""
    # whoever made an update has loaded its class; for estimators alone the audit is never imported
    loaded = sys.modules.get("altpg_verify.audit.updates")
    return (loaded.Update,) if loaded else ()


def _found(target: str, kinds: Callable[[], tuple[type, ...]], what: str, mend: str) -> list[tuple[str, Any]]:
    where, _, name = target.partition(":")
    module = _module(where)
    wanted = kinds()
    present = {key: value for key, value in vars(module).items() if isinstance(value, wanted)}
    if name:
        found = _run(where, lambda: getattr(module, name, _NOTHING))
        if found is _NOTHING:
            raise BadInput(f"{where!r} has no {name!r}; its {what}s are: {', '.join(sorted(present)) or 'none'}")
        if not isinstance(found, wanted):
            raise BadInput(f"{target!r} is a {type(found).__name__}, not an {what}; {mend}")
        return [(target, found)]
    if not present:
        raise BadInput(f"{where!r} has no {what}; {mend}, or name one as {where}:NAME")
    return [(f"{where}:{key}", value) for key, value in present.items()]


def _module(where: str) -> ModuleType:
    if where.endswith(".py"):
        path = Path(where)
        if not exists(path) or not path.is_file():
            raise BadInput(f"there is no file {where!r}; check the path")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise BadInput(f"{where!r} can't be loaded as a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(path.stem, module)
        loader = spec.loader

        def load() -> ModuleType:
            try:
                loader.exec_module(module)
            except BaseException:
                # as an import does: half a module is none
                if sys.modules.get(path.stem) is module:
                    del sys.modules[path.stem]
                raise
            return module

        return _run(where, load)
    # the user's own module beside where they stand, as with `python -m`
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    return _run(where, lambda: importlib.import_module(where))


def _run(where: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except ModuleNotFoundError as error:
        if error.name and (where == error.name or where.startswith(error.name + ".")):
            raise BadInput(f"there is no module {where!r}; give module:name, or the path of a file as file.py:name") from error
        raise BadInput(f"{where!r} needs the module {error.name!r}, which is not installed") from error
    except BadInput:
        raise
    # a script that ends with sys.exit() must not end the check with its own exit code
    except (Exception, SystemExit) as error:
        raise BadInput(f"{where!r} raised {type(error).__name__} while being imported: {error}") from error
