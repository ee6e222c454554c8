"""The part that tries settings: the matrix doesn't lose any, and a fault that shows in one setting
only is a figure that isn't met.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from altpg_verify.errors import BadInput
from trust.checkout import ROOT
from trust.everywhere import __main__ as command
from trust.everywhere import interpreters, part
from trust.everywhere.matrix import ENVIRONMENTS, PYTHONS, SURROUNDINGS, Surroundings, settings
from trust.everywhere.packages import Built, NotHad, oldest, requirements
from trust.everywhere.trial import Tried, share, tried

PLAIN = Surroundings()


@pytest.fixture
def attempt(tmp_path, monkeypatch):
    """Try one test file in surroundings, without the commands and the digests, which take
    seconds.
    """
    from trust.everywhere import digests, trial

    source = tmp_path / "source"
    for name in ("tests", "altpg_verify"):
        (source / name).mkdir(parents=True)
    nothing = tmp_path / "nothing.py"
    nothing.write_text("print('{}')", encoding="utf-8")
    monkeypatch.setattr(trial, "COMMANDS", ())
    monkeypatch.setattr(digests, "__file__", str(nothing))

    def run(text: str, surroundings: Surroundings, *more: str) -> Tried:
        for number, each in enumerate((text, *more)):
            (source / "tests" / f"test_{number}.py").write_text(
                textwrap.dedent(each), encoding="utf-8"
            )
        folder = tmp_path / f"setting {surroundings.name}"
        folder.mkdir()
        chosen = [f"tests/test_{number}.py" for number in range(1 + len(more))]
        return tried(Path(sys.executable), source, surroundings, chosen, folder)

    return run


def named(name: str) -> Surroundings:
    (found,) = [each for each in SURROUNDINGS if each.name == name]
    return found


def figures(*found: Tried) -> dict[str, bool]:
    done = {f"setting {number}": each for number, each in enumerate(found)}
    return {
        figure.name: figure.met for figure in part.outcome(done, (), declared=len(found)).figures
    }


FAULTS = {
    "nepal-turkish": "import time\ndef test_zone():\n    assert time.timezone % 3600 == 0",
    "samoa-ascii": "def test_encoding(tmp_path):\n    (tmp_path / 'a').write_text('π')",
    "odd-folder": "import os\ndef test_folder():\n    assert os.getcwd().isascii()",
}


@pytest.mark.slow
def test_a_test_that_fails_only_in_certain_surroundings_is_seen(attempt):
    fine = attempt("", PLAIN, *FAULTS.values())
    assert (fine.tests, fine.failures) == (len(FAULTS), [])
    for number, (name, fault) in enumerate(FAULTS.items(), start=1):
        bad = attempt("", named(name), *FAULTS.values())
        assert bad.failures == [f"tests.test_{number}::{fault.split('def ')[1].split('(')[0]}"]
        assert figures(fine, bad) == {"settings": True, "failures": False, "differing": True}


@pytest.mark.slow
def test_a_test_that_needs_the_one_before_it_is_seen(attempt):
    text = "".join(
        f"def test_{i}():\n    MADE.append({i})\n    assert MADE == list(range({i} + 1))\n"
        for i in range(5)
    )
    assert attempt(f"MADE = []\n{text}", PLAIN).failures == []
    assert attempt(f"MADE = []\n{text}", named("shuffled")).failures


@pytest.mark.slow
def test_what_writes_into_the_home_is_seen(attempt):
    text = "from pathlib import Path\ndef test_home():\n    (Path.home() / 'notes').write_text('x')"
    assert attempt(text, PLAIN).failures == []
    assert len(attempt(text, named("sealed")).failures) == 1


# another pytest process; a file that can't be collected is told by default
@pytest.mark.slow
def test_a_run_that_crashes_is_a_failure_and_not_a_run_of_no_tests(attempt):
    assert attempt("import os\ndef test_crash():\n    os._exit(0)", PLAIN).tests == 0
    found = attempt("import os\ndef test_crash():\n    os._exit(3)", Surroundings("crash"))
    assert found.failures == ["pytest: exit code 3, no word"]


@pytest.mark.slow
def test_the_installed_package_is_not_shadowed_by_the_sources(attempt, tmp_path):
    (tmp_path / "source" / "altpg_verify" / "__init__.py").write_text(
        "HERE = True", encoding="utf-8"
    )
    # the installed package names it to pytest
    (tmp_path / "source" / "altpg_verify" / "pytest_plugin.py").write_text("", encoding="utf-8")
    text = (
        "def test_which():\n    import altpg_verify\n    assert hasattr(altpg_verify, 'HERE') is {}"
    )
    assert attempt(text.format(False), PLAIN).failures == []
    assert attempt(text.format(True), Surroundings("sources", installed=False)).failures == []


@pytest.mark.thorough
def test_a_file_that_cannot_be_collected_is_a_failure_and_hides_no_other(attempt):
    found = attempt(
        "import nothing_of_this_name",
        PLAIN,
        "def test_two(): assert True",
        "def test_three(): assert False",
    )
    assert found.failures == ["::tests.test_0", "tests.test_2::test_three"]
    assert found.tests == 3


# another pytest process
@pytest.mark.slow
def test_why_tests_were_skipped_is_told(attempt):
    text = "import pytest\n@pytest.mark.parametrize('i', [0, 1])\ndef test_moon(i):\n    pytest.{}"
    found = attempt(
        text.format("skip('no moon')"),
        PLAIN,
        text.format("importorskip('moon_base')"),
        "import pytest\npytest.importorskip('sun')",
    )
    assert (found.tests, found.skipped, found.failures) == (5, 5, [])
    assert found.reasons == {
        "could not import 'moon_base': No module named 'moon_base'": 2,
        "could not import 'sun': No module named 'sun'": 1,
        "no moon": 2,
    }


def test_a_result_that_differs_in_one_setting_is_seen():
    one, other = (
        Tried(digests={"cell": "a", "figure of 1": "b"}),
        Tried(digests={"cell": "c", "figure of 2": "d"}),
    )
    assert part.differing({"first": one, "second": other}) == ["cell in second"]
    assert figures(one, other)["differing"] is False
    assert figures(one, one)["differing"] is True


def test_a_setting_that_could_not_be_had_is_told_and_not_counted():
    def missing() -> Tried:
        raise NotHad("the moon")

    done, notes = part.together({"here": Tried, "there": missing}, lambda line: None)
    assert list(done) == ["here"]
    assert notes == ["not tried: there, as it needs the moon"]
    found = part.outcome(done, notes, declared=2)
    assert not found.met
    assert "not tried: there, as it needs the moon" in found.notes


def test_every_surrounding_is_tried_whatever_interpreters_are_here():
    assert len(settings(PYTHONS)) == len(ENVIRONMENTS) + len(SURROUNDINGS)
    for here in ([], *([python] for python in PYTHONS)):
        found = settings(here)
        assert {setting.environment.python for setting in found} == set(here)
        assert {setting.surroundings.name for setting in found} == (
            {"plain", *(each.name for each in SURROUNDINGS)} if here else set()
        )
    assert part.absent(["3.12"]) == [
        f"not tried: Python {python}, which isn't on this machine" for python in ("3.11", "3.13")
    ]


def test_the_shares_are_the_whole_suite_once():
    names = [f"tests/test_{number}.py" for number in range(100)]
    shares = [share(names, i, 7) for i in range(7)]
    assert sorted(name for each in shares for name in each) == sorted(names)
    assert all(shares)


def test_the_oldest_dependencies_are_the_bounds_of_the_project():
    assert oldest("numpy>=2.0") == "numpy==2.0"
    assert oldest("typst==0.15.*") == "typst==0.15"
    with pytest.raises(BadInput, match="no lower bound"):
        oldest("numpy")
    assert all("==" in line for line in requirements("oldest"))
    assert str(ROOT / "constraints.txt") in requirements("pinned")
    assert not any("constraints" in line for line in requirements("newest"))


def test_an_interpreter_is_taken_at_its_word_only(tmp_path, monkeypatch):
    liar = tmp_path / "python3.99"
    liar.write_text("#!/bin/sh\necho 3.98\n", encoding="utf-8")
    liar.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreters.find("3.99") is None
    liar.write_text("#!/bin/sh\necho 3.99\n", encoding="utf-8")
    assert interpreters.find("3.99") == str(liar)


def test_what_is_kept_of_whole_suites_stands_beside_the_figures(tmp_path):
    path = tmp_path / "trust.json"
    with pytest.raises(BadInput, match="no figures of this part yet"):
        command.keep({"a": Tried(tests=3)}, "0.1.0", path)
    path.write_text(
        json.dumps({"schema": 1, "parts": [{"name": part.NAME, "details": {"whole": {"b": {}}}}]}),
        encoding="utf-8",
    )
    command.keep({"a": Tried(tests=3)}, "0.1.0", path)
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["parts"]
    assert list(entry["details"]["whole"]) == ["b", "a"]
    assert (entry["details"]["whole"]["a"]["tests"], entry["details"]["whole"]["a"]["code"]) == (
        3,
        "0.1.0",
    )


def test_the_code_that_was_tried_is_told_apart_by_its_files_and_not_by_what_is_kept(tmp_path):
    (tmp_path / "reports").mkdir()
    built = Built(tmp_path / "altpg_verify-0.1.0-py3-none-any.whl", tmp_path)
    (tmp_path / "a.py").write_text("x = 1", encoding="utf-8")
    before = built.code
    assert before.startswith("0.1.0, files ")
    (tmp_path / "reports" / "trust.json").write_text("{}", encoding="utf-8")
    assert built.code == before
    (tmp_path / "a.py").write_text("x = 2", encoding="utf-8")
    assert built.code != before


@pytest.mark.thorough
def test_the_product_does_not_rest_on_asserts_for_what_users_bring():
    done = subprocess.run(
        [sys.executable, "-O", "-m", "altpg_verify", "check", "altpg_verify.estimators:nothing"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
