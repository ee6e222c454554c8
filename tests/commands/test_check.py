"""`python -m altpg_verify check` and `laws`, end to end: two of them in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from altpg_verify.__main__ import main

MINE = '''
from altpg_verify import estimator

@estimator(expected_failures={"unbiased": "by design; exact at b = v"})
def half_regular(pi, e, r, b):
    """Half-way between alternate and regular."""
    return (r - b) * (e - pi / 2)

@estimator
def good(pi, e, r, b):
    return (r - b) * (e - pi)

@estimator
def complex_numbers(pi, e, r, b):
    return 1j * e

not_one = 3
'''


@pytest.fixture
def process(tmp_path):
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / "needy.py").write_text("import a_module_nobody_has\n", encoding="utf-8")

    def command(*arguments):
        everywhere = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        words = [sys.executable, "-m", "altpg_verify", *arguments]
        return subprocess.run(
            words, cwd=tmp_path, capture_output=True, encoding="utf-8", env=everywhere
        )

    command.folder = tmp_path
    return command


@pytest.fixture
def run(process, monkeypatch, capsys):
    """The same in this process, which is started in no time."""
    monkeypatch.chdir(process.folder)

    def command(*arguments):
        code = main(list(arguments))
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    command.folder = process.folder
    return command


def test_a_good_estimator_exits_with_0(process):
    done = process("check", "mine:good", "--only", "unbiased")
    assert (done.returncode, done.stderr) == (0, "")
    assert "✓ unbiased" in done.stdout


def test_a_bad_one_exits_with_1_and_its_replay_command_reproduces_the_failure(process):
    done = process("check", "mine:half_regular", "--only", "zero_sum")
    assert done.returncode == 1
    case = done.stdout.split('--case "')[1].split('"')[0]
    again = process("check", "mine.py:half_regular", "--only", "zero_sum", "--case", case)
    assert again.returncode == 1
    assert "left      (-1/2, -1/2)" in again.stdout


@pytest.mark.thorough
def test_json_holds_the_same_verdicts(run):
    done = run(
        "check",
        "mine:half_regular",
        "--only",
        "zero_sum",
        "--only",
        "unbiased",
        "--json",
        "out/result.json",
    )
    assert done.returncode == 1
    (report,) = json.loads((run.folder / "out" / "result.json").read_text(encoding="utf-8"))
    assert {result["law"]: (result["verdict"], result["ok"]) for result in report["results"]} == {
        "zero_sum": ("REFUTED", False),
        "unbiased": ("REFUTED", True),
    }


@pytest.mark.thorough
def test_a_skipped_law_counts_under_strict(run):
    loose = run(
        "check",
        "mine:good",
        "--only",
        "finite_when_saturated",
        "--only",
        "zero_sum",
        "--policy",
        "escort:2",
    )
    assert "SKIPPED" in loose.stdout
    both = (
        "check",
        "mine:good",
        "--only",
        "translation_invariant",
        "--only",
        "finite_when_saturated",
        "--policy",
        "escort:2",
    )
    assert run(*both).returncode == 0
    assert run(*both, "--strict").returncode == 1


def test_nothing_decided_is_not_a_pass(run):
    assert (
        run(
            "check", "mine:good", "--only", "finite_when_saturated", "--policy", "escort:2"
        ).returncode
        == 1
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("check", "no_such_module"), "there is no module 'no_such_module'"),
        (("check", "nowhere.py:good"), "there is no file 'nowhere.py'"),
        (("check", "mine:nobody"), "its estimators are: complex_numbers, good, half_regular"),
        (("check", "mine:not_one"), "is a int, not an estimator"),
        (("check", "broken"), "raised ZeroDivisionError while being imported"),
        (("check", "needy"), "needs the module 'a_module_nobody_has', which is not installed"),
        (("check", "mine:complex_numbers"), "returned the complex number"),
        (("check", "mine:good", "--only", "fair"), "law 'fair' is not known; choose from unbiased"),
        (("check", "mine:good", "--case", "pi=1/2,1/3; r=0,0; b=1"), "pi sums to 5/6"),
        (("check", "mine:good", "--case", "pi=3/2,-1/2; r=0,0; b=1"), "negative probability -1/2"),
        (("check", "mine:good", "--case", "pi=1; r=0; b=1"), "the policy has 1 action"),
        (("check", "mine:good", "--policy", "gumbel"), "choose softmax or escort:P"),
        (
            ("check", "mine:good", "--only", "unbiased", "--json", "mine.py/x/out.json"),
            "can't write",
        ),
    ],
)
def test_unusable_input_is_one_line_and_exit_code_2(run, arguments, words):
    before = sorted(run.folder.iterdir())
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("altpg-verify: ")
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
    assert [path for path in sorted(run.folder.iterdir()) if path.name != "__pycache__"] == before


def test_laws_lists_every_law(run):
    from altpg_verify import LAWS

    done = run("laws")
    assert done.returncode == 0
    assert all(law.name in done.stdout and law.summary in done.stdout for law in LAWS)
