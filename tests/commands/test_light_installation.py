"""Checking needs the libraries of `requirements-check.txt` and no others; what needs more says so."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from altpg_verify.terminal import _DEPENDENCIES

ROOT = Path(__file__).parents[2]
UPDATE = """
from altpg_verify import estimator
from altpg_verify.audit import bandit, update

SPACE = bandit([1, "1/2", 0]).batch(2)

@update(space=SPACE)
def reinforce(rewards, scores):
    return (rewards[:, None] * scores).mean(axis=0)

@estimator
def regular(pi, e, r, b):
    return (r - b) * (e - pi)
"""
UNINSTALLED = """
import runpy, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Finder())
sys.argv = ["altpg-verify", *{given!r}]
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""


def names(lines):
    return {re.match(r"[\w-]+", line)[0] for line in lines if line and not line.startswith("#")}


DECLARED = names(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
)
NEEDED = names((ROOT / "requirements-check.txt").read_text(encoding="utf-8").splitlines())


def run_without_the_rest(folder, *given, module="altpg_verify"):
    absent = {name for name, package in _DEPENDENCIES.items() if package not in NEEDED}
    code = UNINSTALLED.format(absent=absent, given=given, module=module)
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.thorough
def test_what_checking_needs_is_some_of_what_is_declared():
    assert NEEDED < DECLARED
    assert set(_DEPENDENCIES.values()) == DECLARED
    assert all(package in packages_distributions()[name] for name, package in _DEPENDENCIES.items())


@pytest.mark.thorough
@pytest.mark.parametrize(
    "given",
    [
        ("check", "mine:regular", "--only", "unbiased", "--sarif", "-"),
        ("check", "mine:reinforce", "--junit", "-"),
        ("compare", "mine:reinforce", "mine:reinforce"),
        ("identify", "mine:reinforce"),
        ("laws",),
    ],
    ids=lambda given: given[0],
)
def test_it_runs_with_these(given, tmp_path):
    (tmp_path / "mine.py").write_text(UPDATE, encoding="utf-8")
    done = run_without_the_rest(tmp_path, *given)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_needs_more_says_in_one_line_what_is_missing(tmp_path):
    done = run_without_the_rest(tmp_path, module="altpg_verify.report")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(
        r".*this needs \w+, which isn't installed; install altpg-verify with its dependencies", line
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "import scipy.stats\n" + UPDATE,
            "'mine' needs the module 'scipy', which is not installed",
        ),
        (
            UPDATE.replace("    return (r - b)", "    import matplotlib\n    return (r - b)"),
            "estimator 'regular' raised ModuleNotFoundError: No module named 'matplotlib'",
        ),
    ],
    ids=["at the top", "in the formula"],
)
def test_what_the_checked_code_lacks_is_its_own(source, said, tmp_path):
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    done = run_without_the_rest(tmp_path, "check", "mine:regular", "--only", "unbiased")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
