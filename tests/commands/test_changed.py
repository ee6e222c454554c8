"""Changed files, as a commit hook and as the action for pull requests see them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from altpg_verify.changed import main, to_check

ROOT = Path(__file__).parents[2]
HALF = (
    "from altpg_verify import estimator\n\n@estimator\ndef half(pi, e, r, b):\n    return (r - b) *"
    " (e - pi / 2)\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "half.py").write_text(HALF, encoding="utf-8")
    (tmp_path / "other.py").write_text(
        "raise RuntimeError('this file was run')\n", encoding="utf-8"
    )
    (tmp_path / "reads.py").write_text(
        "from altpg_verify import Verdict\nraise RuntimeError('this file was run')\n",
        encoding="utf-8",
    )
    (tmp_path / "torn.py").write_text(
        "from altpg_verify import estimator\ndef f(:\n", encoding="utf-8"
    )
    return tmp_path


def test_only_files_that_make_something_to_check_are_run(folder, capsys):
    assert to_check(["half.py", "other.py", "reads.py", "gone.py", "notes.md", "torn.py"]) == [
        "half.py",
        "torn.py",
    ]
    assert main(["other.py", "reads.py"]) == 0
    assert "no file defines" in capsys.readouterr().out


def test_the_exit_code_is_that_of_check(folder):
    assert main(["half.py", "other.py", "--", "--only", "zero_sum", "--max-examples", "5"]) == 1
    assert main(["torn.py"]) == 2


@pytest.mark.skipif(
    not (ROOT / ".ci" / "changed").is_file(),
    reason="the sources aren't beside the tests, which try the wheel",
)
def test_the_action_annotates_the_line_of_a_changed_file(folder):
    def git(*words: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        return subprocess.run(
            ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True
        ).stdout.strip()

    git("init", "-q")
    git("add", "other.py")
    git("commit", "-qm", "one")
    base = git("rev-parse", "HEAD")
    git("add", "half.py")
    git("commit", "-qm", "two")
    surroundings = {
        **os.environ,
        "BASE": base,
        "SARIF": "found.sarif",
        "OPTIONS": "--only zero_sum --max-examples 5",
        "FILES": "",
    }
    surroundings["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{surroundings['PATH']}"
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "changed")],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    (annotation,) = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert annotation.startswith("::error file=half.py,line=3::half.py:half: ")
