"""Settings shared by all tests: property tests are deterministic and try 200 cases; the whole suite runs on two processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "deterministic", derandomize=True, database=None, deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deterministic")


def pytest_configure(config):
    """Only tests have their assertions rewritten; pytest would do it to every module of a package that brings a plugin, in each process."""
    hook = getattr(config.pluginmanager, "rewrite_hook", None)
    if hasattr(hook, "_must_rewrite"):
        hook._must_rewrite.discard("altpg_verify")
        hook._marked_for_rewrite_cache.clear()


@pytest.fixture(autouse=True, scope="session")
def plain_output() -> Iterator[None]:
    """Output is what a pipe gets, also where CI asks every program for colour."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
            environment.delenv(name, raising=False)
            # readline sets COLUMNS where only the processes that a test starts see it
            os.unsetenv(name)
        yield


@pytest.fixture(autouse=True)
def forget(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test loads from its temporary folder is no module of the next one, whose file may have the same name."""
    base = tmp_path_factory.getbasetemp()
    before, path = set(sys.modules), sys.path.copy()
    yield
    sys.path[:] = path
    for name in sys.modules.keys() - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).is_relative_to(base):
            del sys.modules[name]


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Two processes for the whole suite, if pytest-xdist is installed and nobody asked for another number."""
    whole_suite = list(config.args) == list(config.getini("testpaths"))
    undecided = getattr(config.option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    if whole_suite and undecided and not config.option.usepdb and not config.option.collectonly:
        config.option.numprocesses = 2
        # a file's tests share what they compiled and computed
        config.option.dist = "loadfile"
