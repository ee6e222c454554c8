"""The exit code is what the command said last: code that ends the process by way of C, or keeps it
from ending, gets no other one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from altpg_verify import supervised as module
from altpg_verify.supervised import supervised

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    # where another test has loaded JAX, its threads warn of every fork
    pytest.mark.filterwarnings("ignore:os.fork", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

DOUBLED = (
    "from altpg_verify import estimator\n"
    "@estimator\ndef mine(pi, e, r, b):\n    {}return 2 * (r - b) * (e - pi)\n"
)
C_EXIT = "__import__('ctypes').CDLL(None)._exit(0)"
SILENT = "altpg-verify: the code that is checked ended the process before a verdict was reached"


def check(folder, text):
    (folder / "mine.py").write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "altpg_verify", "check", "mine.py", "--only", "unbiased"]
    return subprocess.run(
        words, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DOUBLED.format(f"{C_EXIT}\n    "), id="in the formula"),
        pytest.param(f"{C_EXIT}\n" + DOUBLED.format(""), id="in the module"),
        pytest.param(
            DOUBLED.format("import os; os.kill(os.getpid(), 9)\n    "), id="a signal to itself"
        ),
    ],
)
def test_what_ends_the_process_is_said_and_never_a_pass(tmp_path, text):
    done = check(tmp_path, text)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(SILENT)
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
def test_what_ends_it_after_the_verdict_does_not_change_the_exit_code(tmp_path):
    done = check(
        tmp_path, f"import atexit\natexit.register(lambda: {C_EXIT})\n" + DOUBLED.format("")
    )
    assert done.returncode == 1
    assert "✗ unbiased" in done.stdout


def test_whoever_closes_every_file_has_no_last_word(tmp_path):
    done = check(tmp_path, "import os\nos.closerange(3, 100)\n" + DOUBLED.format(""))
    assert done.returncode == 2
    assert SILENT in done.stderr


def coded(run, at_the_end=lambda: None):
    """(exit code, what is said on standard error) of a command that is supervised, itself within a
    child of pytest. Args: at_the_end: what the supervised process does when it has said its code.
    """
    reading, writing = os.pipe()
    watcher_of_all = os.fork()
    if watcher_of_all == 0:
        own, code = os.getpid(), 99
        sys.stderr = open(writing, "w", encoding="utf-8")  # noqa: SIM115
        try:
            code = supervised("mine", run)
            sys.stderr.flush()
            if os.getpid() != own:
                at_the_end()
        finally:
            os._exit(code)
    os.close(writing)
    with open(reading, encoding="utf-8") as file:
        said = file.read()
    return os.waitstatus_to_exitcode(os.waitpid(watcher_of_all, 0)[1]), said


@pytest.mark.parametrize("code", [0, 1, 2, 130, 141])
def test_a_code_that_was_said_is_the_code(code):
    assert coded(lambda: code) == (code, "")
    assert coded(lambda: code, lambda: os._exit(0)) == (code, "")


def test_a_crash_after_a_pass_is_none():
    assert coded(lambda: 0, lambda: os.kill(os.getpid(), signal.SIGKILL)) == (137, "")
    assert coded(lambda: 0, lambda: os._exit(3)) == (3, "")


@pytest.mark.thorough
def test_a_process_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr(module, "GRACE", 0.2)
    code, said = coded(lambda: 1, lambda: time.sleep(30))
    assert code == 1
    assert said == "mine: the code that is checked keeps the process from ending; stopped it\n"


def test_whoever_ends_the_command_from_outside_is_told_nothing_else():
    code, said = coded(lambda: os.kill(os.getppid(), signal.SIGTERM) or time.sleep(30) or 0)
    assert (code, said) == (128 + signal.SIGTERM, "")


def test_one_interrupt_that_comes_twice_is_one():
    def run():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(0.1)
            return 130
        return 0

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert coded(run) == (130, "")
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_copy_of_the_command_has_no_say():
    def run():
        copy = os.fork()
        if copy == 0:
            return 0
        assert os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]) == 2
        return 1

    assert coded(run) == (1, "")


def test_whoever_debugs_the_command_runs_it_in_their_own_process():
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: None)
    try:
        assert supervised("mine", os.getpid) == os.getpid()
    finally:
        sys.setprofile(before)
