"""Bars in a terminal, lines elsewhere, silence on request."""

from __future__ import annotations

import io

from rich.console import Console

from altpg_verify.report.progress import Lines, Silent, bars, reporting


def steps(progress):
    with progress.stage("evidence") as stage:
        stage.at(0, 3, "altpg_verify.theory.fixed_points.bias.first")
        stage.at(2, 3, "altpg_verify.theory.fixed_points.bias.last")


def test_lines():
    stream = io.StringIO()
    steps(Lines(stream))
    begin, end = stream.getvalue().splitlines()
    assert begin == "evidence ..."
    assert end.startswith("evidence: done (")
    assert end.endswith("2 of 3 steps)")


def test_bars():
    stream = io.StringIO()
    with bars(Console(file=stream, force_terminal=True, width=120)) as progress:
        steps(progress)
    assert "evidence" in stream.getvalue()
    assert "100 %" in stream.getvalue()


def test_silence(capsys):
    steps(Silent())
    with reporting(quiet=True) as progress:
        steps(progress)
    assert capsys.readouterr() == ("", "")


def test_no_terminal_no_bars(capsys):
    with reporting(quiet=False) as progress:
        steps(progress)
    out, err = capsys.readouterr()
    assert out == ""
    assert "\x1b" not in err
    assert "evidence: done" in err
