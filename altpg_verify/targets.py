"""Finding the estimators a user names: `module:name`, `module` (all in it), or `file.py:name`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator


def estimators_at(target: str) -> list[tuple[str, Estimator]]:
    """(origin, estimator) pairs for a target.

    Raises:
        BadInput: no such module, file or name, the name is no estimator, or there is none in the module.
    """
    where, _, name = target.partition(":")
    module = _module(where)
    if name:
        if not hasattr(module, name):
            known = ", ".join(sorted(_estimators(module))) or "none"
            raise BadInput(f"{where!r} has no {name!r}; its estimators are: {known}")
        found = getattr(module, name)
        if not isinstance(found, Estimator):
            raise BadInput(f"{target!r} is a {type(found).__name__}, not an estimator; decorate the function with @estimator")
        return [(target, found)]
    everything = _estimators(module)
    if not everything:
        raise BadInput(f"{where!r} has no estimator; decorate a function with @estimator, or name one as {where}:NAME")
    return [(f"{where}:{key}", value) for key, value in everything.items()]


def _estimators(module: ModuleType) -> dict[str, Estimator]:
    return {key: value for key, value in vars(module).items() if isinstance(value, Estimator)}


def _module(where: str) -> ModuleType:
    if where.endswith(".py"):
        path = Path(where)
        if not path.is_file():
            raise BadInput(f"there is no file {where!r}; check the path")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise BadInput(f"{where!r} can't be loaded as a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(path.stem, module)
        loader = spec.loader

        def load() -> ModuleType:
            loader.exec_module(module)
            return module

        return _run(where, load)
    # the user's own module beside where they stand, as with `python -m`
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    return _run(where, lambda: importlib.import_module(where))


def _run(where: str, load: Callable[[], ModuleType]) -> ModuleType:
    try:
        return load()
    except ModuleNotFoundError as error:
        if error.name and (where == error.name or where.startswith(error.name + ".")):
            raise BadInput(f"there is no module {where!r}; give module:name, or the path of a file as file.py:name") from error
        raise BadInput(f"{where!r} needs the module {error.name!r}, which is not installed") from error
    except BadInput:
        raise
    except Exception as error:
        raise BadInput(f"{where!r} raised {type(error).__name__} while being imported: {error}") from error
