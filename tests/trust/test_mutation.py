"""Mutation testing finds what it should: the mutants that a module has, and the tests that can't
fail.
"""

from __future__ import annotations

import ast
import functools
import gc
import json
import shutil
import sys
from pathlib import Path

import pytest

from trust.checkout import ROOT
from trust.mutation import survivors
from trust.mutation.core import GROUPS, SAMPLED, Group
from trust.mutation.measure import all_mutants, drawn, outcome, sessions
from trust.mutation.mutants import mutants
from trust.mutation.swap import exchange, living_functions

with_sources = pytest.mark.skipif(
    not (ROOT / "altpg_verify").is_dir(),
    reason="the sources aren't beside the tests, which try the wheel",
)


@functools.cache
def all_of_the_core() -> list[str]:
    """The ids of all mutants of the core."""
    return [
        one.id
        for group in GROUPS.values()
        for found in all_mutants(ROOT, group.modules).values()
        for one in found
    ]


def changes(source: str) -> list[str]:
    return [one.change for one in mutants("m.py", source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", ["x = a < b -> x = a <= b"]),
        (
            "x = a == b is not c",
            [
                "x = a == b is not c -> x = a != b is not c",
                "x = a == b is not c -> x = a == b is c",
            ],
        ),
        ("x = a + -b", ["x = a + -b -> x = a - -b", "a + -b -> a + b"]),
        ("x = a and not b", ["x = a and (not b) -> x = a or not b", "a and (not b) -> a and b"]),
        (
            "x = [1, 2.5, True]",
            [
                "[1, 2.5, True] -> [2, 2.5, True]",
                "[1, 2.5, True] -> [1, 3.5, True]",
                "[1, 2.5, True] -> [1, 2.5, False]",
            ],
        ),
        (
            "x = f(a, b, k=c)",
            ["x = f(a, b, k=c) -> x = f(b, a, k=c)", "x = f(a, b, k=c) -> x = f(a, b)"],
        ),
        ("x = any(a)", ["x = any(a) -> x = all(a)"]),
        ("f(a)", ["f(a) -> (removed)"]),
        ("x = d['a']", ["d['a'] -> d['a!']"]),
        ("x = {'a': 'b'}", ["{'a': 'b'} -> {'a!': 'b'}"]),
        ("x = s.split(',')", ["s.split(',') -> s.split(',!')"]),
        ("x = isinstance(a, int | float)", []),
        ("x = f'{a + 1}'", []),
        ("import os\nx: int | None\n'words'", []),
    ],
)
def test_changes_of_an_expression(source, expected):
    assert changes(source) == expected


@pytest.mark.thorough
def test_changes_of_statements():
    source = '''
def f(a: int = 0) -> int | None:
    """Words."""
    for b in range(a):
        if b:
            continue
        break
    if a < 0:
        raise ValueError(f"{a} is less than {0}")
    c = a
    return c
'''
    assert changes(source) == [
        "0 -> 1",
        "b -> not b",
        "continue -> break",
        "break -> continue",
        "a < 0 -> a <= 0",
        "a < 0 -> not a < 0",
        "a < 0 -> a < 1",
        "raise ValueError(f'…') -> (removed)",
        "c = a -> c = None",
        "return c -> return None",
    ]


def test_a_mutant_is_named_by_its_scope_and_not_by_its_line():
    source = "class A:\n    def f(self):\n        return 1 + 1\n\nN = 1 + 1\n"
    found = [one.id for one in mutants("m.py", source)]
    assert found == [one.id for one in mutants("m.py", "\n\n" + source)]
    assert len(found) == len(set(found))
    assert found[0] == "m.py::A.f: return 1 + 1 -> return None"
    assert found[-1] == "m.py::<module>: 1 + 1 -> 1 + 2"


def test_a_mutant_differs_from_the_original_in_its_place_alone():
    source = "def f(a):\n    return a + 1\n\n\ndef g(a):\n    return a - 1\n"
    texts = [ast.unparse(one.applied(source)) for one in mutants("m.py", source)]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert (
            sum(
                one != other
                for one, other in zip(
                    text.splitlines(), source.replace("\n\n\n", "\n\n").splitlines(), strict=True
                )
            )
            == 1
        )


@pytest.mark.thorough
@pytest.mark.parametrize("frozen", ["nothing", "everything", "what is older"])
def test_functions_are_found_whatever_the_collector_was_told_to_leave_out(frozen):
    def older():
        return 1

    gc.unfreeze()
    try:
        if frozen != "nothing":
            gc.freeze()
        newer = older if frozen == "everything" else (lambda: 2)
        left_out = gc.get_freeze_count() > 0
        found = living_functions([__file__])
        assert (older in found, newer in found) == (True, True)
        assert (gc.get_freeze_count() > 0) is left_out is (frozen != "nothing")
    finally:
        gc.freeze()


@pytest.mark.thorough
def test_decorated_functions_are_exchanged_in_place(tmp_path, monkeypatch):
    source = (
        "import functools\n\n\n@functools.cache\ndef f():\n    return 1\n\n\nclass A:\n   "
        " @property\n    def p(self):\n        return 1\n"
    )
    path = tmp_path / "exchanged.py"
    path.write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import exchanged

    for one in [one for one in mutants("exchanged.py", source) if one.change.endswith("return 2")]:
        assert exchange(source, one.applied(source), str(path), living_functions([str(path)]))
    exchanged.f.cache_clear()
    assert exchanged.f() == 2
    # the last one put the original of f back, as only one place differs
    assert exchanged.A().p == 2
    del sys.modules["exchanged"]


SUM = """LIMIT = 3


def total(numbers):
    result = 0
    for number in numbers:
        if number < LIMIT:
            result += number
    return result
"""
HEAD = "from altpg_verify.demo import total\n\n\ndef test_total():\n"
GOOD = f"{HEAD}    assert total([1, 2, 3, 4]) == 3\n    assert total([]) == 0\n"
IDLE = f"{HEAD}    assert total([1, 2, 3, 4]) or True\n"


def measured(folder: Path, test: str) -> list[dict]:
    """What a session says of a package with one module and one test."""
    copy = folder / "copy"
    for package in ("altpg_verify", "tests"):
        (copy / package).mkdir(parents=True)
        (copy / package / "__init__.py").write_text("", encoding="utf-8")
    shutil.copytree(ROOT / "trust", copy / "trust", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "altpg_verify" / "demo.py").write_text(SUM, encoding="utf-8")
    (copy / "altpg_verify" / "pytest_plugin.py").write_text("", encoding="utf-8")
    (copy / "tests" / "test_demo.py").write_text(test, encoding="utf-8")
    # as in the project: a warning of pytest's own ends a session
    settings = '[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n'
    (copy / "pyproject.toml").write_text(settings, encoding="utf-8")
    group = Group(("altpg_verify/demo.py",), ("tests/test_demo.py",))
    return sessions(copy, {"demo": group}, {"demo": None}, lambda line: None)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("test", "at_least", "at_most"),
    [(GOOD, 0.99, 1.0), (IDLE, 0.0, 0.6)],
    ids=["a test", "a test that can't fail"],
)
def test_a_test_that_cannot_fail_gets_a_low_score(tmp_path, test, at_least, at_most):
    pytest.importorskip("coverage")
    entries = measured(tmp_path, test)
    there = [one.id for one in mutants("altpg_verify/demo.py", SUM)]
    got = outcome(there, entries, {}, wanted=len(there))
    figures = {figure.name: figure for figure in got.figures}
    assert figures["tried"].value == len(there) == 7
    assert at_least <= figures["noticed"].value <= at_most
    assert figures["noticed"].met is (test is GOOD)
    assert figures["unexplained"].met is (test is GOOD)
    assert figures["broken"].met
    alive = {entry["mutant"] for entry in got.details["survivors"]}
    at_import = {one for one in there if "::<module>:" in one}
    assert at_import
    assert (at_import <= alive) is (test is IDLE)
    assert ("altpg_verify/demo.py::total: number < LIMIT -> number <= LIMIT" in alive) is (
        test is IDLE
    )


@pytest.mark.slow
def test_a_test_that_fails_on_the_original_is_no_measure(tmp_path):
    pytest.importorskip("coverage")
    got = outcome(
        ["one"], measured(tmp_path, "def test_total():\n    assert False\n"), {}, wanted=1
    )
    figures = {figure.name: figure for figure in got.figures}
    assert not figures["broken"].met
    assert not figures["tried"].met


def entry(mutant, result="killed"):
    return {"id": mutant, "outcome": result, "by": "", "seconds": 0.1}


def test_the_figures_count_what_was_noticed_and_what_was_explained():
    entries = [
        entry("m::a"),
        entry("m::b", "timeout"),
        entry("m::c", "survived"),
        entry("n::d", "survived"),
        {"mutants": 4, "tests": 9},
    ]
    got = outcome(
        ["m::a", "m::b", "m::c", "n::d"],
        entries,
        {"m::c": "why", "m::a": "wrong", "gone": "old"},
        wanted=4,
    )
    values = {figure.name: figure.value for figure in got.figures}
    assert values == {
        "tried": 4,
        "noticed": 0.5,
        "noticed or explained": pytest.approx(2 / 3),
        "unexplained": 1,
        "useless explanations": 2,
        "broken": 0,
        "out of time": 1,
    }
    assert got.details["useless explanations"] == ["gone", "m::a"]
    assert got.details["modules"]["m"] == {
        "tried": 3,
        "noticed": 2,
        "out of time": 1,
        "explained": 1,
        "share": 0.6667,
    }
    assert got.details["survivors"] == [
        {"mutant": "m::c", "why": "why"},
        {"mutant": "n::d", "why": "not explained"},
    ]
    assert got.notes == (
        "no test notices n::d",
        "to be taken out of survivors.json: gone",
        "to be taken out of survivors.json: m::a",
    )
    assert not outcome(["a", "b"], [entry("a")], {}, wanted=2).met
    assert outcome(["a", "b"], [entry("a")], {}, wanted=1).met


@pytest.mark.thorough
@with_sources
def test_the_sample_is_the_same_every_time_and_takes_some_of_each_module():
    found = {
        path: each
        for name in SAMPLED
        for path, each in all_mutants(ROOT, GROUPS[name].modules).items()
    }
    ids = drawn(found, 3)
    assert ids == drawn({path: list(reversed(each)) for path, each in found.items()}, 3)
    assert {one.split("::")[0] for one in ids} == set(found)
    assert len(ids) == sum(min(3, len(each)) for each in found.values())


# every mutant of the core is made; `python -m trust --only mutation --sample` counts the same in CI
@pytest.mark.slow
@with_sources
def test_every_explanation_is_of_a_mutant_that_there_is():
    assert survivors.stale(survivors.explained(), all_of_the_core(), []) == []


# every mutant of the core is made
@pytest.mark.slow
@with_sources
def test_ids_of_the_core_are_unique():
    assert len(all_of_the_core()) == len(set(all_of_the_core())) > 2000


@with_sources
def test_what_is_named_is_there():
    for group in GROUPS.values():
        for path in (*group.modules, *group.tests):
            file, _, test = path.partition("::")
            assert (ROOT / file).is_file(), path
            assert test in (ROOT / file).read_text(encoding="utf-8"), path


def test_an_explanation_needs_a_reason_and_stands_once(tmp_path):
    path = tmp_path / "survivors.json"
    path.write_text(
        json.dumps([{"why": "so", "mutants": ["a"]}, {"why": "thus", "mutants": ["a"]}]),
        encoding="utf-8",
    )
    with pytest.raises(ValueError, match="'a' is explained twice"):
        survivors.explained(path)
    path.write_text(json.dumps([{"why": " ", "mutants": ["a"]}]), encoding="utf-8")
    with pytest.raises(ValueError, match="have no reason"):
        survivors.explained(path)
    path.write_text(json.dumps([{"why": "so", "mutants": ["a", "b"]}]), encoding="utf-8")
    assert survivors.stale(survivors.explained(path), ["a", "c"], ["a"]) == ["a", "b"]


def test_caches_are_emptied_beside_an_object_that_raises_when_asked_for_its_class() -> None:
    import tests.untrusted.test_reaching
    from trust.mutation.swap import forget

    assert tests.untrusted.test_reaching
    forget(["tests.untrusted.test_reaching"])
