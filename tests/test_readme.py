"""The README does what it says: its commands come first, its example gives the output it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def block(language: str, containing: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and containing in text]
    return found


def test_the_first_two_fenced_blocks_are_the_report_and_the_tests():
    (first, report), (second, tests) = BLOCKS[:2]
    assert (first, second) == ("sh", "sh")
    assert len(report.splitlines()) == len(tests.splitlines()) == 1
    assert report.strip().endswith("python -m altpg_verify.report")
    assert tests.strip().endswith("pytest -q")


def test_ci_runs_the_second_block_as_printed():
    script = (
        f"cd {ROOT}\n" + re.search(r"^tests=.*$", (ROOT / ".ci" / "run").read_text(), flags=re.MULTILINE).group() + '\nprintf "%s" "$tests"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == BLOCKS[1][1].strip()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(block("python", "# mine.py"))
    (tmp_path / "test_mine.py").write_text(block("python", "# test_mine.py"))
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"}, check=False)


def without_time(text: str) -> str:
    return re.sub(r"\(\d+\.\d s\)", "(TIME)", text)


def test_the_failing_example_prints_what_is_shown(folder):
    shown = block("console", "check mine:half_regular")
    command, output = shown.split("\n", 1)
    words = command.removeprefix("$ python ").split()
    done = run(folder, sys.executable, *words)
    assert done.returncode == 1
    assert without_time(done.stdout) == without_time(output)


def test_the_pytest_example_reports_each_law_as_a_test(folder):
    done = run(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py", "-k", "unbiased or zero_sum")
    assert done.returncode == 1
    assert "test_mine.py::test_estimator[half_regular-zero_sum]" in done.stdout
    assert "2 passed" in done.stdout


def test_the_stranger_needs_at_most_fifteen_lines():
    lines = [
        line
        for name in ("# mine.py", "# test_mine.py")
        for line in block("python", name).splitlines()
        if line.strip() and not line.startswith("#")
    ]
    assert len(lines) <= 15


LOSS_FILES = ("# mine_loss.py", "# test_mine_loss.py")


@pytest.fixture
def loss_folder(tmp_path):
    for title in (*LOSS_FILES, "# mine_update.py"):
        (tmp_path / title.removeprefix("# ")).write_text(block("python", title))
    return tmp_path


def without_rounding(text: str) -> str:
    return re.sub(r"largest deviation \S+", "largest deviation ROUNDING", text)


def shown_and_printed(folder: Path, containing: str) -> tuple[int, str, str]:
    command, output = block("console", containing).split("\n", 1)
    done = run(folder, sys.executable, *command.removeprefix("$ python ").split())
    assert not done.stderr
    return done.returncode, without_rounding(output), without_rounding(done.stdout)


def test_the_torch_losses_print_what_is_shown(loss_folder):
    pytest.importorskip("torch")
    status, shown, printed = shown_and_printed(loss_folder, "check mine_loss")
    assert status == 1
    assert printed == shown


def test_the_torch_losses_are_tests_under_pytest(loss_folder):
    pytest.importorskip("torch")
    done = run(loss_folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine_loss.py")
    assert done.returncode == 1
    assert "FAILED test_mine_loss.py::test_loss[own_mean-follows_target]" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "right direction, wrong scale: the expected update is ∇V times 3/4 = (N-1)/N" in done.stdout


def test_a_strangers_loss_needs_at_most_fifteen_lines():
    lines = [line for name in LOSS_FILES for line in block("python", name).splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) <= 15


def test_the_comparison_prints_what_is_shown(loss_folder):
    status, shown, printed = shown_and_printed(loss_folder, "compare mine_update:whitened")
    assert status == 0
    assert printed == shown


def test_the_excerpt_is_from_the_table_of_libraries():
    shown = block("text", "TRL GRPO").splitlines()
    kept = json.loads((ROOT / "reports" / "audits.json").read_text(encoding="utf-8"))
    (row,) = [row for row in kept["rows"] if shown[0] == f"{row['name']} ({row['library']} {row['installed']})"]
    named = {"says": "says", "setting": "setting", "verdict": "sentence", "by design": "design"}
    assert shown[1:] == [f"  {name:<10}{row[key]}" for name, key in named.items()]


def test_every_verdict_is_explained():
    from altpg_verify import Verdict

    for verdict in Verdict:
        assert str(verdict) in README
