"""python -m trust.mutation GROUP: one group's mutants, kept line by line so that it can go on."""

from __future__ import annotations

import json

import pytest

from trust.mutation import __main__ as command
from trust.mutation.core import Group

GROUP = Group(("part.py",), ("test_part.py",))
PART = "def total(a, b):\n    return a + b\n"
ID = "part.py::total: a + b -> a - b"
OTHER = "part.py::total: return a + b -> return None"


class Session:
    """Stands in for a session: every mutant that it is told to try survives."""

    def __init__(self, results, ids):
        with results.open("a", encoding="utf-8") as file:
            file.writelines(
                json.dumps({"id": one, "outcome": "survived", "by": ""}) + "\n" for one in ids
            )

    def wait(self):
        return 0

    def kill(self):
        pass


@pytest.fixture
def reported(monkeypatch):
    """The ids that each session was told to try."""
    seen = []

    def started(copy, group, ids, results, task):
        seen.append(ids)
        return Session(results, ids)

    monkeypatch.setattr(command, "GROUPS", {"part": GROUP})
    monkeypatch.setattr(
        command, "copy_to", lambda folder: (folder / "part.py").write_text(PART, encoding="utf-8")
    )
    monkeypatch.setattr(command, "started", started)
    return seen


def test_it_goes_on_with_what_was_not_tried_and_names_the_survivors(reported, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    results.write_text(json.dumps({"id": ID, "outcome": "killed"}) + "\n", encoding="utf-8")
    assert command.main(["part", "--results", str(results)]) == 1
    assert ID not in reported[0]
    assert OTHER in reported[0]
    assert f"no test notices {OTHER}" in capsys.readouterr().out
    results.write_text(
        "".join(json.dumps({"id": one, "outcome": "killed"}) + "\n" for one in (ID, *reported[0])),
        encoding="utf-8",
    )
    assert command.main(["part", "--results", str(results)]) == 0
    assert reported[1] == []


def test_what_is_not_there_is_said(reported, capsys):
    for arguments, said in (
        (["whole"], "there is no group 'whole'"),
        (["part", "--module", "other.py"], "'other.py' isn't in the group"),
        (["part", "--every", "0"], "must be at least 1"),
    ):
        assert command.main(arguments) == 2
        assert said in capsys.readouterr().err
    assert not reported


def test_help_is_all_that_is_said(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().err == ""


def test_an_unknown_option_is_the_parsers_to_refuse(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["untrusted", "--nonsense"])
    assert ended.value.code == 2
    assert "sys.exit" not in capsys.readouterr().err
