"""The public names of the two packages: one list, loaded when used, and with types for those who
import them.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from altpg_verify import audit  # noqa: F401  (loads the package, whose name is also that of a function)

PACKAGES = ("altpg_verify", "altpg_verify.audit")

WRONG = {
    "from altpg_verify import check_estimator\ncheck_estimator(3, nonsense=2)": (
        "arg-type",
        "call-arg",
    ),
    "from altpg_verify import alternate, check_estimator\ncheck_estimator(alternate, on_fail='shout')": (
        "arg-type",
    ),
    "from altpg_verify import no_such_name": ("attr-defined",),
    "from altpg_verify.audit import bandit, check_update, update\ncheck_update(update(bandit([0, 1]))(lambda e: e), place=3)": (
        "call-arg",
    ),
    "from altpg_verify.audit import bandit, loss\nloss(bandit([0, 1]), framework='tensorflow')": (
        "arg-type",
    ),
    "from altpg_verify.audit import bandit, update\nupdate(bandit([0, 1]), froze=('b',))": (
        "call-arg",
    ),
}
"""Programs that a type checker must refuse -> what it finds in them."""


def package(name):
    return importlib.import_module(name) if name == "altpg_verify" else sys.modules[name]


def typed_names(name: str) -> set[str]:
    """What a package imports for type checkers only."""
    tree = ast.parse(Path(str(package(name).__file__)).read_text(encoding="utf-8"))
    (block,) = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def mypy(folder: Path, programs: list[str]) -> str:
    """What mypy says of programs, used0.py and so on, in a folder that has nothing to do with the
    checkout.
    """
    pytest.importorskip("mypy")
    for number, text in enumerate(programs):
        (folder / f"used{number}.py").write_text(text, encoding="utf-8")
    words = [
        sys.executable,
        "-m",
        "mypy",
        "--cache-dir",
        str(folder / "cache"),
        "--ignore-missing-imports",
        ".",
    ]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_is_there_and_has_its_type(name):
    here = package(name)
    assert typed_names(name) == set(here.__all__)
    for each in here.__all__:
        assert getattr(here, each) is not None


@pytest.mark.slow
def test_a_type_checker_outside_the_checkout_knows_every_name(tmp_path):
    asked = [(name, each) for name in PACKAGES for each in sorted(package(name).__all__)]
    lines = [f"import {name}" for name in PACKAGES] + [
        f"reveal_type({name}.{each})" for name, each in asked
    ]
    text = mypy(tmp_path, ["\n".join(lines)])
    said = re.findall(
        r"^used0\.py:(\d+): note: Revealed type is \"(.*)\"$", text, flags=re.MULTILINE
    )
    assert len(said) == len(asked), text
    assert [
        asked[int(line) - 1 - len(PACKAGES)]
        for line, kind in said
        if kind in ("Any", "builtins.object")
    ] == []


@pytest.mark.slow
def test_a_type_checker_refuses_wrong_arguments(tmp_path):
    found = re.findall(
        r"^used(\d+)\.py:.*\[([\w-]+)\]$", mypy(tmp_path, list(WRONG)), flags=re.MULTILINE
    )
    kinds = [
        tuple(sorted({kind for number, kind in found if int(number) == i}))
        for i in range(len(WRONG))
    ]
    assert dict(zip(WRONG, kinds, strict=True)) == WRONG
