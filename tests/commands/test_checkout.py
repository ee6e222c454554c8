"""The two folders that a checkout links into the package: under their old names, and where git has
no symbolic links.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    not (ROOT / "altpg_verify" / "sim").is_symlink(),
    reason="there are no links in an archive of the sources",
)
LINKED = ("sim", "theory")

IMPORTS = """
import sys
import altpg_verify.sim.jit, altpg_verify.theory.proving.certificates
from altpg_verify.estimators import alternate
from altpg_verify.theory.proving.certificate_store import derivations
from altpg_verify.judging import proved
print(altpg_verify.sim.jit.__file__)
print([name for name in sys.modules if name.split(".")[0] in ("sim", "theory")])
"""


def run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(place)}
    return subprocess.run(
        [sys.executable, *words],
        cwd=place,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", LINKED)
def test_the_old_command_still_runs_in_a_checkout(name):
    done = run(ROOT, "-m", name, "--help")
    assert done.returncode == 0
    assert f"usage: python -m altpg_verify.{name}" in done.stdout


@pytest.mark.thorough
def test_without_symbolic_links_the_folders_are_found_all_the_same(tmp_path):
    skip = shutil.ignore_patterns("__pycache__", "audit", "report", "experiments", "large")
    for name in ("altpg_verify", *LINKED):
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=skip)
    for name in LINKED:
        # what git writes where it can't link
        link = tmp_path / "altpg_verify" / name
        text = os.readlink(link)
        link.unlink()
        link.write_text(text, encoding="utf-8")
    done = run(tmp_path, "-c", IMPORTS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(tmp_path / "sim" / "jit.py"), "[]"]
