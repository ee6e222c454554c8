"""What a terminal is shown: lines no wider than it, verdicts in colour where that is wanted, and
what is being done after a second.
"""

from __future__ import annotations

import io
import re
import shlex
import time

import pytest

from altpg_verify import terminal
from altpg_verify.screen import fitted, painted, wrapped
from altpg_verify.wording import counted
from tests.docs.executor import COMMANDS

RESULT = (
    "  ✓ shift_invariant           proved   k = 2, 3, 4, by construction: the formula doesn't see"
    " theta; and 20 exact cases"
)
REPLAY = (
    "      replay    python -m altpg_verify check own.py:mine --only vanishes_at_corner --case"
    ' "pi=1,0; r=0@1/2|1@1/2,0; b=0"'
)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)


def words(lines):
    return " ".join(lines).split()


def test_a_long_line_is_continued_below_its_text_and_loses_no_word():
    lines = wrapped(RESULT, 80)
    assert max(map(len, lines)) <= 80
    assert [len(line) - len(line.lstrip()) for line in lines] == [2, 30]
    assert words(lines) == RESULT.split()
    assert lines[0].startswith(RESULT[:60])


@pytest.mark.parametrize("width", [40, 57, 80, 120])
def test_a_command_is_continued_as_a_shell_reads_it(width):
    # a backslash and the end of a line are nothing to a shell
    shown = "\n".join(wrapped(REPLAY, width)).replace("\\\n", "").partition("replay")[2]
    assert shlex.split(shown) == shlex.split(REPLAY.partition("replay")[2])


def test_a_word_longer_than_the_terminal_stays_whole():
    assert wrapped("    file  " + "x" * 90 + " and more", 60) == [
        "    file  " + "x" * 90,
        "          and more",
    ]


def test_letters_with_accents_take_no_more_columns_than_they_show():
    line = "g\u0302" * 40
    assert wrapped(line, 40) == [line]


def test_into_a_pipe_a_fact_stays_one_line_without_colour():
    assert fitted(RESULT, io.StringIO()) == RESULT


def test_on_a_terminal_it_is_wrapped_and_coloured(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    shown = fitted(RESULT, Terminal())
    assert "\x1b[32m✓\x1b[0m" in shown
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in shown.split("\n")) <= 60


@pytest.mark.parametrize(
    ("environment", "stream", "coloured"),
    [
        ({}, Terminal(), True),
        ({"NO_COLOR": "1"}, Terminal(), False),
        ({"NO_COLOR": ""}, Terminal(), True),
        ({"TERM": "dumb"}, Terminal(), False),
        ({}, io.StringIO(), False),
        ({"FORCE_COLOR": "1"}, io.StringIO(), True),
        ({"FORCE_COLOR": "0"}, io.StringIO(), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, io.StringIO(), False),
    ],
)
def test_colour_is_as_the_environment_says(environment, stream, coloured, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in fitted("verdict  REFUTED", stream)) is coloured


@pytest.mark.parametrize(
    "line",
    [
        RESULT,
        REPLAY,
        "  ~ zero_sum  refuted, as expected: by design",
        "NOT RUN  a  (REFUTED_b)",
        "",
        "    ",
    ],
)
def test_colour_changes_no_letter(line):
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted(line)) == line


def test_a_verdict_within_a_name_is_no_verdict():
    assert painted("the constant IS_PROVED is") == "the constant IS_PROVED is"


def test_after_a_while_a_terminal_is_told_what_is_done_and_then_no_more(monkeypatch):
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(terminal, "PATIENCE", 0.01)
    monkeypatch.setattr(terminal, "OFTEN", 0.01)
    with terminal.waiting("own.py:mine") as report:
        report("own.py:mine: zero_sum")
        for _ in range(200):
            if "zero_sum" in shown.getvalue():
                break
            time.sleep(0.01)
    assert "s  own.py:mine: zero_sum" in shown.getvalue()
    assert shown.getvalue().endswith("\r\x1b[K")


def test_nothing_of_that_is_written_into_a_file(monkeypatch):
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    with terminal.waiting("own.py:mine") as report:
        report("own.py:mine: zero_sum")
    assert written.getvalue() == ""


def test_one_law_and_many_laws():
    assert [counted(number, "law") for number in (0, 1, 2)] == ["0 laws", "1 law", "2 laws"]
    assert counted(2, "sum of two", "sums of two") == "2 sums of two"


def parsers():
    for command in COMMANDS.MODULES:
        yield from COMMANDS.with_subcommands(COMMANDS.parser_of(command))


@pytest.mark.parametrize(
    ("name", "parser"), [pytest.param(*pair, id=pair[0]) for pair in parsers()]
)
def test_help_fits_80_columns(name, parser, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert [line for line in parser.format_help().splitlines() if len(line) > 80] == []


def test_somebodys_words_move_nothing_on_a_terminal():
    assert (
        fitted("fine: \x1b[1A\x1b[2K\r\x9b2J✓\tx\ny", io.StringIO())
        == r"fine: \x1b[1A\x1b[2K\x0d\x9b2J✓" + "\tx\ny"
    )
