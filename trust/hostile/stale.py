"""Hostile programs whose source isn't what runs: edited behind Python's back, cached, or beside the
file that is named.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import py_compile
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

from altpg_verify.__main__ import main
from altpg_verify.checks import check_estimator
from altpg_verify.source_loading import Finder
from trust.hostile.forms import NEVER_PASSED

Files = Mapping[str, str]
"""Path below the folder -> text."""

HEAD = "from altpg_verify import estimator\n"
FORMULA = "@estimator\ndef mine(pi, e, r, b):\n    return {} * (r - b) * (e - pi)\n"
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Project:
    """Files of a right estimator, of which one is edited so that it is wrong.

    Attributes:
        files: as they stand when they are first run.
        edited: which of them is edited.
        text: what stands in it afterwards.
    """

    files: Files
    edited: str
    text: str


def alone(name: str) -> Project:
    """The sign stands in the file itself."""
    return Project(
        {f"{name}.py": HEAD + FORMULA.format("+1")}, f"{name}.py", HEAD + FORMULA.format("-1")
    )


def with_helper(
    importing: str,
    factor: str,
    helper: str,
    *,
    path: str = "{0}_helper.py",
    more: Files | None = None,
) -> Callable[[str], Project]:
    """The sign stands in another file: `{0}` in the texts is the module's name, `{1}` the sign."""

    def make(name: str) -> Project:
        edited = path.format(name)
        files = {f"{name}.py": HEAD + importing.format(name) + FORMULA.format(factor.format(name))}
        files |= {each.format(name): text for each, text in (more or {}).items()}
        return Project(
            {**files, edited: helper.format(name, "+1")}, edited, helper.format(name, "-1")
        )

    return make


PROJECTS: Mapping[str, Callable[[str], Project]] = {
    "the file": alone,
    "a number in a helper": with_helper("from {0}_helper import SIGN\n", "SIGN", "SIGN = {1}\n"),
    "a number of a helper, by attribute": with_helper(
        "import {0}_helper\n", "{0}_helper.SIGN", "SIGN = {1}\n"
    ),
    "a number beside another": with_helper(
        "from {0}_helper import SIGN\n", "SIGN", "VERBOSE = 0\nSIGN = {1}\n"
    ),
    "a function in a helper": with_helper(
        "from {0}_helper import sign\n", "sign()", "def sign():\n    return {1}\n"
    ),
    "a default in a helper": with_helper(
        "from {0}_helper import sign\n", "sign()", "def sign(by={1}):\n    return by\n"
    ),
    "a class in a helper": with_helper(
        "from {0}_helper import Sign\n", "Sign.value", "class Sign:\n    value = {1}\n"
    ),
    "a table in a helper": with_helper(
        "from {0}_helper import SIGNS\n", "SIGNS[0]", "SIGNS = [{1}]\n"
    ),
    "the init file of a package": with_helper(
        "from {0}_parts import SIGN\n", "SIGN", "SIGN = {1}\n", path="{0}_parts/__init__.py"
    ),
    "a module of a package": with_helper(
        "from {0}_parts.sign import SIGN\n",
        "SIGN",
        "SIGN = {1}\n",
        path="{0}_parts/sign.py",
        more={"{0}_parts/__init__.py": ""},
    ),
    "a helper of a helper": with_helper(
        "from {0}_between import SIGN\n",
        "SIGN",
        "SIGN = {1}\n",
        more={"{0}_between.py": "from {0}_helper import SIGN\n"},
    ),
    "a helper imported by name": with_helper(
        "import importlib\nSIGN = importlib.import_module('{0}_helper').SIGN\n",
        "SIGN",
        "SIGN = {1}\n",
    ),
}
"""Where the sign stands."""


def keep_time(path: Path, text: str) -> None:
    """Edited in the same second: other text of the same size, at the same time."""
    before = path.stat()
    assert len(text.encode()) == before.st_size
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_later(path: Path, text: str) -> None:
    """Edited as one edits."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 5_000_000_000))


def bytecode(path: Path) -> None:
    """As any run leaves it behind."""
    py_compile.compile(str(path), doraise=True)


def unchecked(path: Path) -> None:
    """Bytecode that says of itself that it needs no source, as reproducible builds have it."""
    py_compile.compile(
        str(path), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )


def beside(path: Path) -> None:
    """Bytecode in the folder itself, as if there were no source."""
    py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")), doraise=True)


EDITS: Mapping[str, tuple[Callable[[Path], None], Callable[[Path, str], None]]] = {
    "in the same second": (bytecode, keep_time),
    "with bytecode that isn't checked": (unchecked, edit_later),
    "with bytecode beside it": (beside, edit_later),
}


def command(folder: Path, name: str, project: Project, how: str) -> str:
    """The command line, which was run before the edit and is run after it."""
    prepare, edit = EDITS[how]
    file = folder / project.edited
    prepare(file)
    if (before := _checked(folder, name)) != "PROVED":
        return f"unusable: {before} before the edit"
    edit(file, project.text)
    return _checked(folder, name)


def _checked(folder: Path, name: str) -> str:
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    code = main(["check", str(folder / f"{name}.py"), "--only", "unbiased", "--json", str(report)])
    if code == 2:
        return "refused"
    (found,) = json.loads(report.read_text(encoding="utf-8"))
    (law,) = found["results"] if "results" in found else found["laws"]
    return str(law["verdict"])


def imported(folder: Path, name: str, project: Project, how: str) -> str:
    """A script that imports it as Python does, where the cached bytecode is older than the edit."""
    prepare, edit = EDITS[how]
    file = folder / project.edited
    prepare(file)
    edit(file, project.text)
    return _judged(importlib.import_module(name))


def edited_after(folder: Path, name: str, project: Project, how: str) -> str:
    """A script that imported it before it was edited."""
    module = importlib.import_module(name)
    {"at once": keep_time, "later": edit_later}[how](folder / project.edited, project.text)
    # in memory is what was right; the file, whose digest a verdict would carry, is wrong
    return _judged(module)


def _judged(module: ModuleType) -> str:
    (found,) = check_estimator(module.mine, only=("unbiased",), on_fail="return", facts=False)
    return str(found.verdict)


def untouched(folder: Path, name: str, project: Project, how: str) -> str:
    """A script that imports what nobody edited, with bytecode as it should be."""
    bytecode(folder / project.edited)
    return _judged(importlib.import_module(name))


def set_from_outside(folder: Path, name: str, project: Project, how: str) -> str:
    """A script that sets a number of a helper, one that the estimator reads or another."""
    module = importlib.import_module(name)
    setattr(
        importlib.import_module(f"{name}_helper"), {"read": "SIGN", "not read": "VERBOSE"}[how], -1
    )
    return _judged(module)


def other_code(folder: Path, name: str, project: Project, how: str) -> str:
    """A function whose code was exchanged after it was loaded, under the name of its file."""
    module = importlib.import_module(name)
    formula = module.mine.formula
    code: CodeType = formula.__code__
    formula.__code__ = code.replace(
        co_consts=tuple(-1 if one == 1 else one for one in code.co_consts)
    )
    return _judged(module)


Way = Callable[[Path, str, Project, str], str]


def _program(way: Way, where: str, how: str) -> Callable[[], str]:
    def ask() -> str:
        name = f"hostile_stale_{next(_NUMBERS)}"
        project = PROJECTS[where](name)
        with (
            tempfile.TemporaryDirectory() as made,
            _as_before(Path(made), plain=way is not command),
        ):
            folder = Path(made)
            for path, text in project.files.items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_text(
                    text.format(name) if "between" in path else text, encoding="utf-8"
                )
            return way(folder, name, project, how)

    return ask


@contextmanager
def _as_before(folder: Path, *, plain: bool) -> Iterator[None]:
    """Modules, the path and the finders as they were; with `plain`, Python's own import alone, from
    this folder, writing bytecode.
    """
    modules, path, finders, writes = (
        dict(sys.modules),
        list(sys.path),
        list(sys.meta_path),
        sys.dont_write_bytecode,
    )
    sys.dont_write_bytecode = False
    if plain:
        sys.meta_path[:] = [finder for finder in finders if finder is not Finder]
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        sys.meta_path[:], sys.path[:] = finders, path
        for name in set(sys.modules) - set(modules):
            if name.startswith("hostile_stale_"):
                with suppress(KeyError):
                    del sys.modules[name]


WAYS: tuple[tuple[str, Way, tuple[str, ...], tuple[str, ...]], ...] = (
    ("the command", command, tuple(PROJECTS), tuple(EDITS)),
    (
        "an import",
        imported,
        tuple(PROJECTS),
        ("in the same second", "with bytecode that isn't checked"),
    ),
    ("edited after the import", edited_after, tuple(PROJECTS), ("at once", "later")),
    ("code exchanged after the import", other_code, ("the file",), ("in memory",)),
)

PROGRAMS = {
    "stale sources": (
        [
            (f"{title}, {where}, {how}", _program(way, where, how), NEVER_PASSED)
            for title, way, places, edits in WAYS
            for where in places
            for how in edits
        ]
        + [
            (
                "set from outside, read",
                _program(set_from_outside, "a number of a helper, by attribute", "read"),
                NEVER_PASSED,
            ),
            (
                "set from outside, not read",
                _program(set_from_outside, "a number beside another", "not read"),
                frozenset({"PROVED"}),
            ),
        ]
        + [
            (f"untouched, {where}", _program(untouched, where, ""), frozenset({"PROVED"}))
            for where in PROJECTS
        ]
    )
}
