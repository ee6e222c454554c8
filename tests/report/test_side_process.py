"""The process of the simulations: what it sends arrives, and no failure of it is lost or waited for for ever."""

from __future__ import annotations

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
    connection = Sent(("at", (1, 2, "one")), ("at", (2, 2, "two")), ("ran", None), ("drawn", {"experiments": {}}))
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
