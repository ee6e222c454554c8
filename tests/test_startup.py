"""Nothing heavy is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("sympy", "numba", "matplotlib", "torch", "jax", "scipy", "typst", "flint", "hypothesis")


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(eval(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "statement",
    [
        "import altpg_verify",
        "import altpg_verify.pytest_plugin",
        "import altpg_verify.audit",
        "import altpg_verify.audit.torch_loss",
        "import altpg_verify.audit.jax_loss",
        "import altpg_verify.audit.libraries",
        "import altpg_verify.theory",
        "import altpg_verify.sim",
    ],
)
def test_importing_a_package_loads_no_heavy_library(statement):
    assert loaded_after(statement) == set()


@pytest.mark.parametrize(
    "module", ["altpg_verify", "altpg_verify.report", "altpg_verify.sim", "altpg_verify.theory"]
)
def test_help_loads_no_heavy_library(module):
    lines = [
        "import runpy",
        "sys.argv = ['x', '--help']",
        "try:",
        f"    runpy.run_module({module!r}, run_name='__main__')",
        "except SystemExit as stop:",
        "    assert stop.code == 0",
    ]
    run = "\n".join(lines)
    assert loaded_after(run) == set()


def test_the_check_would_see_a_heavy_import():
    assert loaded_after("import hypothesis") == {"hypothesis"}


SMALL = """
from altpg_verify.audit import audit, bandit, update

@update(space=bandit([1, "1/2", 0]).batch(3))
def own_mean(rewards, scores):
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)
"""


def test_a_small_audit_loads_nothing_that_it_needs_not(tmp_path):
    (tmp_path / "own.py").write_text(SMALL)
    lines = [
        "import runpy",
        "sys.argv = ['x', 'check', 'own.py:own_mean']",
        "try:",
        "    runpy.run_module('altpg_verify', run_name='__main__')",
        "except SystemExit as stop:",
        "    assert stop.code == 1",
        "HEAVY = ('numpy.ma', 'concurrent.futures.process', 'html', 'subprocess', 'sympy', 'torch')",
        "print([name for name in HEAVY if name in sys.modules], flush=True)",
    ]
    code = "import sys\n" + "\n".join(lines)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "own_mean" in done.stdout
