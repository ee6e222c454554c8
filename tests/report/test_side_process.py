"""The process of the simulations: what it sends arrives, and no failure of it is lost or waited for
for ever.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.report import side_process
from altpg_verify.report.progress import Silent


class Sent:
    """A connection that has these messages, and then its end."""

    def __init__(self, *messages):
        self.messages = list(messages)

    def recv(self):
        if not self.messages:
            raise EOFError
        return self.messages.pop(0)


def test_progress_is_passed_on_until_the_results_are_there():
    seen = []
    connection = Sent(
        ("at", (1, 2, "one")), ("at", (2, 2, "two")), ("ran", None), ("drawn", {"experiments": {}})
    )
    side_process._receive(connection, "ran", lambda *at: seen.append(at))
    assert seen == [(1, 2, "one"), (2, 2, "two")]
    assert side_process._receive(connection, "drawn") == {"experiments": {}}


def test_what_was_raised_there_is_raised_here():
    with pytest.raises(BadInput, match="no folder"):
        side_process._receive(Sent(("failed", BadInput("no folder"))), "ran")


def test_an_error_that_cannot_be_sent_is_sent_in_words():
    class Narrow:
        sent = None

        def send(self, message):
            if type(message[1]) is not RuntimeError:
                raise TypeError("can't pickle")
            self.sent = message

    connection = Narrow()
    side_process._send_error(connection, ArithmeticError("kernel"))
    assert str(connection.sent[1]) == "ArithmeticError: kernel"


def test_a_process_that_ends_early_is_no_endless_wait():
    with pytest.raises(RuntimeError, match="ended from outside"):
        side_process._receive(Sent(("at", (1, 2, "one"))), "ran", lambda *at: None)


@pytest.mark.slow
def test_bad_input_of_the_process_reaches_both_who_wait(tmp_path):
    side = side_process.start("no such profile", tmp_path, Silent())
    for waiting in (side.results, side.drawn):
        with pytest.raises(BadInput, match="no such profile"):
            waiting.result(timeout=60)


@pytest.mark.slow
def test_files_of_the_users_folder_stand_in_for_no_module(tmp_path):
    for name in ("random", "pickle", "socket", "typst", "numpy"):
        (tmp_path / f"{name}.py").write_text(
            "raise RuntimeError('the wrong one')", encoding="utf-8"
        )
    script = (
        "import sys; sys.path.append(sys.path.pop(0))\n"
        "from pathlib import Path\n"
        "from altpg_verify.report import side_process, typesetting\n"
        "from altpg_verify.report.progress import Silent\n"
        "side = side_process.start('no such profile', Path('out'), Silent())\n"
        "print(side.results.exception(timeout=60))\n"
        "page = b'#set document(title: [a], date: datetime(year: 2020, month: 2, day: 2))\\na'\n"
        "print(len(typesetting._apart({'main.typ': page})) > 100)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "no such profile" in ran.stdout
    assert ran.stdout.endswith("True\n")
