"""Each public function and class has an example in its docstring, and what it shows is what comes
out.
"""

from __future__ import annotations

import doctest
import importlib
import inspect

import pytest

from tests.shares import share

NAMES = [
    (package, name)
    for package in ("altpg_verify", "altpg_verify.audit")
    for name in importlib.import_module(package).__all__
]
WITH = {"from_torch": "torch", "loss": "torch", "trainer_loss": "torch", "from_jax": "jax"}


def documented(package: str, name: str):
    """The function or class of a public name; None if it is an object, whose class has the
    example.
    """
    found = inspect.unwrap(getattr(importlib.import_module(package), name))
    return found if inspect.isfunction(found) or inspect.isclass(found) else None


def example(package: str, name: str) -> doctest.DocTest:
    found = documented(package, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(found, name, globs={"__name__": "example"})
    return test


RAISED = ("BadInput", "BadEstimator")
"""What a user catches, and doesn't call."""

SHOWN = [pair for pair in NAMES if documented(*pair) is not None and pair[1] not in RAISED]


@pytest.mark.parametrize(("package", "name"), SHOWN)
def test_every_function_and_class_has_an_example(package, name):
    assert "\nExamples:\n" in inspect.getdoc(documented(package, name))


@pytest.mark.parametrize(("package", "name"), share(SHOWN, 8))
def test_the_example_gives_what_it_shows(package, name):
    if name in WITH:
        pytest.importorskip(WITH[name])
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example(package, name), out=said.append)
    assert runner.failures == 0, "".join(said)


def test_an_example_that_is_wrong_would_be_seen():
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None).failed == 1
