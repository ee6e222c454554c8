"""`check --sarif`: what a code host shows beside the lines of a pull request."""

from __future__ import annotations

import json

import pytest

from altpg_verify.__main__ import main

MINE = """
from altpg_verify import estimator


@estimator
def right(pi, e, r, b):
    return (r - b) * (e - pi)


@estimator
def half(pi, e, r, b):
    return (r - b) * (e - pi / 2)


@estimator(expected_failures={"zero_sum": "it pushes on purpose"})
def marked(pi, e, r, b):
    return (r - b) * e


@estimator
def broken(pi, e, r, b):
    raise ValueError("on purpose")
"""


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")

    def run(*words):
        code = main(
            ["check", *words, "--only", "zero_sum", "--max-examples", "5", "--sarif", "found.sarif"]
        )
        (found,) = json.loads((tmp_path / "found.sarif").read_text(encoding="utf-8"))["runs"]
        return code, found

    return run


def test_a_refuted_law_stands_at_the_line_of_its_estimator(check):
    code, found = check("mine.py:half")
    (result,) = found["results"]
    place = result["locations"][0]["physicalLocation"]
    assert code == 1
    assert (result["ruleId"], result["level"]) == ("zero_sum", "error")
    assert place["artifactLocation"]["uri"] == "mine.py"
    assert MINE.splitlines()[place["region"]["startLine"] - 1] == "@estimator"
    assert MINE.splitlines()[place["region"]["startLine"]].startswith("def half")
    assert "replay" in result["message"]["text"]
    assert [rule["id"] for rule in found["tool"]["driver"]["rules"]] == ["zero_sum"]


@pytest.mark.parametrize("name", ["right", "marked"])
def test_what_is_as_it_should_be_gives_no_result(check, name):
    code, found = check(f"mine.py:{name}")
    assert (code, found["results"]) == (0, [])


@pytest.mark.thorough
def test_what_cannot_be_checked_is_a_result_too(check):
    code, found = check("mine.py:broken", "mine.py:right")
    (result,) = found["results"]
    assert code == 2
    assert result["ruleId"] == "usable"
    assert "on purpose" in result["message"]["text"]


def test_a_function_outside_the_folder_has_no_place_that_a_code_host_knows(
    check, tmp_path, monkeypatch
):
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert main(["check", "../mine.py:half", "--only", "zero_sum", "--sarif", "found.sarif"]) == 1
    (result,) = json.loads((inner / "found.sarif").read_text(encoding="utf-8"))["runs"][0][
        "results"
    ]
    assert "locations" not in result
