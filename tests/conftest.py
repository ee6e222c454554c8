"""Settings shared by all tests: property tests are deterministic and try 200 cases; the whole suite
runs on two processes.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# two processes share the cores: a second thread of torch in each would only wait for its turn.
# And an audit gives torch its number of threads back by setting it, after which torch no longer
# computes what is small on one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "deterministic",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")


def _is_whole_suite(config) -> bool:
    return list(config.args) == list(config.getini("testpaths"))


PASSED = "altpg-verify/passed"
"""Where pytest's cache has the tests that passed when the whole suite ran last."""


def pytest_addoption(parser):
    parser.addoption(
        "--not-passed-before",
        action="store_true",
        help="leave out what passed when the whole suite ran last: an extra was installed since",
    )


def pytest_collection_modifyitems(config, items):
    if config.getoption("--not-passed-before"):
        before = set(config.cache.get(PASSED, []))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in before])
        items[:] = [item for item in items if item.nodeid not in before]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """No garbage is looked for while modules are imported and tests made: nearly all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # most of what a test makes is gone before anybody would look for it
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """What passed is remembered by the process that hears of all tests."""
    config = session.config
    reporter, cache = (
        config.pluginmanager.get_plugin("terminalreporter"),
        getattr(config, "cache", None),
    )
    if (
        reporter
        and cache
        and _is_whole_suite(config)
        and not hasattr(config, "workerinput")
        and not config.option.collectonly
    ):
        before = set(cache.get(PASSED, [])) if config.getoption("--not-passed-before") else set()
        cache.set(
            PASSED,
            sorted(
                before
                | {
                    report.nodeid
                    for report in reporter.stats.get("passed", ())
                    if report.when == "call"
                }
            ),
        )


def pytest_configure(config):
    """Only tests have their assertions rewritten; pytest would do it to every module of a package
    that brings a plugin, in each process.
    """
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


@pytest.fixture(autouse=True, scope="module")
def freeze_older_objects() -> None:
    """Half a million objects of collected tests, and what earlier files left, are no longer walked
    through: neither by each collection of garbage nor by an audit that looks for generators.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def forget(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test loads from its temporary folder is no module of the next one, whose file may have
    the same name.
    """
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
    """Two processes for the whole suite, if pytest-xdist is installed and nobody asked for another
    number.
    """
    undecided = getattr(config.option, "numprocesses", 0) is None and not hasattr(
        config, "workerinput"
    )
    if (
        _is_whole_suite(config)
        and undecided
        and not config.option.usepdb
        and not config.option.collectonly
    ):
        config.option.numprocesses = 2
        # a file's tests share what they compiled and computed
        config.option.dist = "loadfile"


KERNELS = ("tests/sim/", "tests/online/", "tests/large/", "tests/bench/")
"""Folders whose tests run compiled kernels, which two processes would compile and load twice."""

TOGETHER = {**dict.fromkeys(KERNELS, "kernels"), "tests/certificates/": "certificates"}
"""What one process runs; certificates are written once for the tests of all files there."""

WITHOUT_SLOW = ("not slow", "not slow and not thorough")
"""What CI selects for a change, and what is selected by default."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One process runs the tests of kernels, and begins with them, since they are many, and one
    those of certificates; slow ones take far longer than compiling does.
    """
    if config.option.dist != "loadfile" or config.option.markexpr not in WITHOUT_SLOW:
        return None
    from xdist.scheduler import LoadFileScheduling

    class OneProcessForSome(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return next((name for under, name in TOGETHER.items() if file.startswith(under)), file)

    return OneProcessForSome(config, log)
