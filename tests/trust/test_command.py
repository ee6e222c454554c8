"""python -m trust: figures are judged by their bounds, and kept part by part."""

from __future__ import annotations

import json
import math

import pytest

from trust import __main__ as command
from trust import parts, record
from trust.figures import Figure, Outcome, Part


def part(name: str, *figures: Figure) -> Part:
    return Part(
        name, f"the part {name}", lambda sample, say: Outcome(figures, details={"sample": sample})
    )


@pytest.fixture
def two_parts(monkeypatch):
    made = {
        "good": part("good", Figure("n", 3, "tries", at_least=3)),
        "bad": part("bad", Figure("misses", 1, "misses", at_most=0)),
    }
    monkeypatch.setattr(parts, "MODULES", dict.fromkeys(made, ""))
    monkeypatch.setattr(parts, "part", made.__getitem__)
    return made


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("n", 2, "", at_least=2), True),
        (Figure("n", 1.9, "", at_least=2), False),
        (Figure("n", 0, "", at_most=0), True),
        (Figure("n", 1, "", at_most=0), False),
        (Figure("n", math.nan, "", at_most=0), False),
    ],
)
def test_a_figure_is_met_when_it_keeps_its_bounds(figure, met):
    assert figure.met is met


def test_a_figure_that_misses_its_bound_makes_the_command_fail(two_parts, tmp_path, capsys):
    path = tmp_path / "trust.json"
    assert command.main(["--out", str(path)]) == 1
    assert "NOT MET" in capsys.readouterr().out
    assert [
        one["figures"][0]["met"] for one in json.loads(path.read_text(encoding="utf-8"))["parts"]
    ] == [True, False]


def test_what_is_not_met_stands_at_the_very_end_by_part_and_figure(two_parts, capsys):
    assert command.main(["--sample", "--only", "bad", "--only", "good"]) == 1
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "  0 s",
        "not met: bad: 1 misses (at most 0)",
    ]
    assert command.main(["--sample", "--only", "good"]) == 0
    assert "not met" not in capsys.readouterr().out


def test_one_part_leaves_the_others_in_the_file(two_parts, tmp_path):
    path = tmp_path / "trust.json"
    command.main(["--out", str(path)])
    assert command.main(["--only", "good", "--out", str(path)]) == 0
    assert [one["name"] for one in record.read(path)["parts"]] == ["good", "bad"]


def test_a_sample_keeps_nothing(two_parts, tmp_path, monkeypatch):
    monkeypatch.setattr(record, "KEPT", tmp_path / "trust.json")
    command.main(["--sample", "--only", "good"])
    assert not record.KEPT.exists()


def test_a_file_of_something_else_is_left_alone(two_parts, tmp_path, capsys):
    path = tmp_path / "trust.json"
    path.write_text('{"schema": 99}', encoding="utf-8")
    assert command.main(["--out", str(path)]) == 2
    assert path.read_text(encoding="utf-8") == '{"schema": 99}'
    assert "isn't a record of this version" in capsys.readouterr().err


def test_an_unknown_part_is_named(capsys):
    assert command.main(["--only", "nothing"]) == 2
    assert "there is no part 'nothing'" in capsys.readouterr().err
