"""The examples in the docstrings of `sim` and `theory` give what they show."""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path

import pytest

from altpg_verify import sim, theory
from tests.shares import share


def shown(room) -> list[str]:
    """The modules of a room whose text has an example."""
    (folder,) = map(Path, room.__path__)
    return [
        ".".join((room.__name__, *path.relative_to(folder).with_suffix("").parts))
        for path in sorted(folder.rglob("*.py"))
        if ">>> " in path.read_text(encoding="utf-8")
    ]


MODULES = [name for room in (sim, theory) for name in shown(room)]


def test_both_rooms_have_examples():
    assert {name.split(".")[1] for name in MODULES} == {"sim", "theory"}


@pytest.mark.parametrize("name", share(MODULES, 4))
def test_the_examples_give_what_they_show(name):
    module = importlib.import_module(name)
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    # a compiled function is no function to the finder, and its example would be passed over
    assert sum(len(test.examples) for test in tests) == inspect.getsource(module).count(">>> ")
    for test in tests:
        said: list[str] = []
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test, out=said.append)
        assert runner.failures == 0, "".join(said)
