"""Settings shared by all tests: property tests are deterministic and try 200 cases; the whole suite runs on two processes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "deterministic", derandomize=True, database=None, deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deterministic")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Two processes for the whole suite, if pytest-xdist is installed and nobody asked for another number."""
    whole_suite = list(config.args) == list(config.getini("testpaths"))
    undecided = getattr(config.option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    if whole_suite and undecided and not config.option.usepdb and not config.option.collectonly:
        config.option.numprocesses = 2
        # a file's tests share what they compiled and computed
        config.option.dist = "loadfile"
