"""Commands started in a folder whose own modules have the names of ours and of Python's: none of
them is imported.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import altpg_verify

OURS = ("sim", "theory", "report", "laws", "cases", "evidence", "claims", "kernel", "numbers")
PYTHONS = ("random", "copy", "statistics", "fractions")
QUICK = {
    "laws": "altpg_verify laws",
    "report": "altpg_verify.report --help",
    "sim": "altpg_verify.sim list",
    "altpg_verify.sim.large": "altpg_verify.sim.large --help",
    "theory": "altpg_verify.theory certify --bandit r=1,2;b=4 --alpha 1/2 --out cover.json",
}
SLOW = {
    "check": "altpg_verify check altpg_verify.estimators --only unbiased",
    "claims": "altpg_verify claims --section Bandit",
    "completion": "altpg_verify completion bash",
    "estimator": (
        "altpg_verify.report --estimator altpg_verify.estimators:regular --max-examples 2 --quiet"
        " --format html"
    ),
    "sim.run": "altpg_verify.sim run bandit_cycles --executor serial --out results",
    "sim.processes": "altpg_verify.sim run bandit_portrait --executor processes --out results",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("research")
    for name in (*OURS, *PYTHONS):
        (place / f"{name}.py").write_text(
            f'raise RuntimeError("the user\'s {name}.py was imported")\n', encoding="utf-8"
        )
    (place / "trust").mkdir()
    (place / "trust" / "__init__.py").write_text(
        'raise RuntimeError("the user\'s trust was imported")\n', encoding="utf-8"
    )
    return place


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "words",
    [*QUICK.values(), *(pytest.param(words, marks=pytest.mark.slow) for words in SLOW.values())],
)
def test_a_command_imports_none_of_them(words, folder):
    done = run(["-m", *words.split()], folder)
    # 1 is a finding: on a busy machine a proof of the report may run out of its time, which is no
    # matter of imports
    assert done.returncode in (0, 1), done.stderr
    assert "was imported" not in done.stderr
    assert "Traceback" not in done.stderr


def test_the_folder_is_a_trap(folder):
    assert "the user's sim.py was imported" in run(["-c", "import sim"], folder).stderr


def test_the_distribution_owns_one_name():
    installed = Path(altpg_verify.__file__).resolve().parent
    # beside the package there is nothing of ours to import, unless it lies in a checkout
    if not (installed.parent / "pyproject.toml").is_file():
        assert [name for name in OURS if (installed.parent / name).exists()] == []
