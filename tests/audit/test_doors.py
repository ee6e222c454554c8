"""The command line on updates, and what a stranger writes to have one checked under pytest."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from altpg_verify.__main__ import main

MINE = """\
from altpg_verify.audit import bandit, update

@update(space=bandit([1, "1/2", 0]).batch(4))
def centred(rewards, scores):
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)
"""
TEST = """\
from altpg_verify import parametrize_with_checks
from my_updates import centred

@parametrize_with_checks([centred])
def test_update(estimator, check):
    check(estimator)
"""
GALLERY = "tests.gallery.cases"


def run_pytest(folder):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    utf8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", env=utf8, check=False
    )


@pytest.mark.thorough
def test_a_strangers_variant_takes_fifteen_lines_in_two_files(tmp_path):
    assert len(MINE.splitlines()) + len(TEST.splitlines()) <= 15
    (tmp_path / "my_updates.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "test_mine.py").write_text(TEST, encoding="utf-8")
    run = run_pytest(tmp_path)
    assert run.returncode == 1
    assert "test_update[centred-follows_target]" in run.stdout
    assert (
        "right direction, wrong scale: the expected update is ∇V times 3/4 = (N-1)/N" in run.stdout
    )


# another pytest process; what a mark does is asked in test_diagnosis.py
@pytest.mark.slow
def test_the_same_marked_as_intended_passes(tmp_path):
    (tmp_path / "my_updates.py").write_text(
        MINE.replace(
            ".batch(4)", '.batch(4), intended={"scaled": "the step size makes up for it"}'
        ),
        encoding="utf-8",
    )
    (tmp_path / "test_mine.py").write_text(TEST, encoding="utf-8")
    run = run_pytest(tmp_path)
    assert run.returncode == 0, run.stdout


@pytest.mark.thorough
def test_check_on_the_command_line(capsys):
    assert main(["check", f"{GALLERY}.p08_own_mean:leave_one_out"]) == 0
    assert capsys.readouterr().out.startswith(
        "✓ leave_one_out: unbiased: the expected update is ∇V\n"
    )
    assert main(["check", f"{GALLERY}.p08_own_mean"]) == 1
    out = capsys.readouterr().out
    assert "✗ own_mean: right direction, wrong scale" in out
    assert f"replay    python -m altpg_verify check {GALLERY}.p08_own_mean:own_mean" in out


@pytest.mark.thorough
def test_check_writes_json(capsys):
    assert (
        main(["check", f"{GALLERY}.p11_group_std:grpo_on_three_arms", "--ends", "--json", "-"]) == 1
    )
    (found,) = json.loads(capsys.readouterr().out)
    assert found["kind"] == "not a gradient"
    assert found["curl"]["gauge"] == pytest.approx(1 / 18)
    assert found["ends"]


@pytest.mark.thorough
def test_compare_on_the_command_line(capsys):
    assert (
        main(["compare", f"{GALLERY}.p17_whole_return:old", f"{GALLERY}.p17_whole_return:fixed"])
        == 1
    )
    assert (
        "it was unbiased, and the patch makes it so no longer (biased)" in capsys.readouterr().out
    )
    assert (
        main(
            [
                "compare",
                f"{GALLERY}.p08_own_mean:own_mean",
                f"{GALLERY}.p08_own_mean:leave_one_out",
                "--json",
                "-",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["before"]["kind"] == "scaled"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["compare", f"{GALLERY}.p17_whole_return", f"{GALLERY}.p08_own_mean:own_mean"],
            "has 6 updates; name one of them",
        ),
        (["compare", "altpg_verify:regular", f"{GALLERY}.p08_own_mean:own_mean"], "not an update"),
        (["check", f"{GALLERY}.p08_own_mean:SPACE"], "not an estimator"),
        (
            ["check", f"{GALLERY}.p08_own_mean:own_mean", "--only", "unbiased"],
            "--only and --case are for estimators",
        ),
        (["check", f"{GALLERY}.p08_own_mean:own_mean", "--samples", "3"], "at least 1000"),
    ],
)
def test_unusable_commands_say_what_to_change(arguments, message, capsys):
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_the_audit_loads_no_framework():
    code = (
        "import sys; from altpg_verify.audit import audit, bandit, update, compare, endpoints;"
        " import altpg_verify.audit.fixtures; print(sorted({'torch', 'jax', 'sympy', 'numba',"
        " 'matplotlib', 'scipy'} & set(sys.modules)))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )
