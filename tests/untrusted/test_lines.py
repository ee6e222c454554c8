"""What of a function never ran is found, on every version of Python alike."""

from __future__ import annotations

import ast
import functools
import importlib
import sys

import pytest

from altpg_verify.untrusted.lines import LONGEST, LineCoverage, Unrun, _text


def line_of(function, offset: int) -> int:
    return function.__code__.co_firstlineno + offset


def helper(x):
    if x > 7:
        return 7
    return x


def uses_a_helper(r):
    return helper(r)


def one_branch(r):
    if r == -100:
        return 0
    return r


def one_line(r):
    if r == -100: return 0  # fmt: skip  # noqa: E701
    return r


def conditional(r):
    return 2 if r > 50 else 1


def skipped(r):
    g = 0
    if r > -60:
        g = r
    return g


def compound(r):
    return 1 if r > 50 and r < 60 else 0


def within(r):
    return [x for x in (1, 2, 3) if x > r]


def guarded(r):
    try:
        return 1 / r
    except ZeroDivisionError:
        return 0


def with_none(r, e=None):
    if e is not None:
        r = r + e
    return r


def nested(r):
    def inner(x):
        if x > 1000:
            return 0
        return x

    return inner(r)


def documented(r):
    """Says.

    much.
    """
    return r


def loops(r):
    for x in []:
        r = r + x
    return r


def lambdas(r):
    return (lambda x: x if x < 1000 else 0)(r)


class Loss:
    def __call__(self, r):
        return one_branch(r)


# fmt: off
def inverted(r):
    if not r > 50: return 0  # noqa: E701
    return r


def inverted_with_else(r):
    if not r > 50:  # noqa: SIM108
        g = 0
    else:
        g = r
    return g


def inverted_otherwise(r):
    if not r < 50:  # noqa: SIM108
        g = 0
    else:
        g = r
    return g


def both(r):
    g = 0
    if r > 0 and r < 9:
        g = r
    return g


def neither(r):
    g = 0
    if r > 50 and r < 60:
        g = r
    return g


def either(r):
    g = 0
    if r > 50 or r < -60:
        g = r
    return g


def of_none(r, e=None):
    if e is not None: r = r + e  # noqa: E701
    return r


def is_none(r, e=None):
    if e is None: r = r + 1  # noqa: E701
    return r


def chained(r):
    return 1 if 3 < r < 5 else 0


def arms_of_arms(r):
    return (3 if r > 60 else 2) if r > 50 else 1


def gaps(r):
    if r > 50:
        return 1
    if r > 40:
        return 2
    return 3


def over_lines(r):
    return r if r < 50 else max(
        r,
        2,
    )


def turning(r):
    while r > 50: r = r - 1  # noqa: E701
    return r


def elsewise(r):
    if r > 50:
        g = 1
    elif r > 0:
        g = 2
    return g


def tabled(r):
    return {x: r for x in (r,) if x > 50}


OUTER = lambda r: (lambda x: x + 1)(r) if r < 50 else 0  # noqa: E731
FIRST, SECOND = (lambda r: 1 if r > 50 else 0), (lambda r: (2 if r > 60 else 3) + 10 - 10 + 10)
# fmt: on


def seen(function, *arguments) -> str:
    with LineCoverage(function) as cover:
        for argument in arguments:
            function(argument)
    assert cover.entered
    return str(cover.unrun())


CASES = {
    one_branch: ((1, 2), "line 2 never ran"),
    one_line: ((1, 2), "line 1: `r == -100` was never true"),
    conditional: ((1, 2), "line 1: `2` never ran"),
    skipped: ((1, 2), "line 2: `r > -60` was never false"),
    compound: ((1, 2), "line 1: `1` never ran; line 1: `r < 60` never ran"),
    within: ((7,), "line 1: `x` never ran"),
    guarded: ((1,), "lines 3-4 never ran"),
    with_none: ((1,), "line 2 never ran"),
    nested: ((1,), "line 3 never ran"),
    documented: ((1,), ""),
    loops: ((1,), "line 2 never ran"),
    lambdas: ((1,), "line 1: `0` never ran"),
    inverted: ((1,), "line 2 never ran; line 1: `r > 50` was never true"),
    inverted_with_else: ((1,), "line 4 never ran"),
    inverted_otherwise: ((1,), "line 2 never ran"),
    both: ((1,), "line 2: `r > 0` was never false; line 2: `r < 9` was never false"),
    neither: ((1,), "line 3 never ran; line 2: `r < 60` never ran"),
    either: ((60,), "line 2: `r > 50` was never false; line 2: `r < -60` never ran"),
    of_none: ((1,), "line 1: `e is not None` was never true"),
    is_none: ((1,), "line 1: `e is None` was never false"),
    chained: ((1,), "line 1: `1` never ran; line 1: `5` never ran"),
    arms_of_arms: ((1,), "line 1: `3 if r > 60 else 2` never ran"),
    gaps: ((1,), "lines 2, 4 never ran"),
    over_lines: ((1,), "lines 2-3 never ran; line 1: `max(r, 2)` never ran"),
    turning: ((1,), "line 1: `r > 50` was never true"),
    elsewise: ((1,), "line 2 never ran; line 3: `r > 0` was never false"),
    tabled: ((1,), "line 1: `r` never ran"),
    OUTER: ((1,), "line 0: `0` never ran"),
    FIRST: ((1,), "line 0: `1` never ran"),
    SECOND: ((1,), "line 0: `2` never ran"),
}
ALL = {
    one_branch: (1, -100),
    one_line: (1, -100),
    conditional: (1, 51),
    skipped: (1, -60),
    compound: (1, 55, 70),
    guarded: (1, 0),
    nested: (1, 2000),
    lambdas: (1, 2000),
    inverted: (1, 60),
    both: (-1, 1, 10),
    either: (1, 60, -70),
    chained: (1, 4, 9),
    arms_of_arms: (1, 55, 61),
    over_lines: (1, 60),
    tabled: (1, 60),
    SECOND: (1, 61),
}


def relative(text: str, function) -> str:
    """The same with line numbers from that of the `def` on."""
    for number in sorted(
        {
            int(word.strip(":,"))
            for word in text.replace("-", " ").split()
            if word.strip(":,").isdigit()
        },
        reverse=True,
    ):
        if number >= function.__code__.co_firstlineno:
            text = text.replace(str(number), str(number - function.__code__.co_firstlineno))
    return text


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_what_never_ran_is_named(function):
    arguments, expected = CASES[function]
    assert relative(seen(function, *arguments), function) == expected


@pytest.mark.parametrize("function", ALL, ids=lambda function: function.__name__)
def test_nothing_is_named_when_all_ran(function):
    assert seen(function, *ALL[function]) == ""


def test_helpers_of_the_same_file_are_part_of_it():
    with LineCoverage(uses_a_helper) as cover:
        uses_a_helper(1)
    assert cover.unrun().lines == (line_of(helper, 2),)


@pytest.mark.parametrize("wrapped", [functools.partial(one_branch), Loss(), Loss().__call__])
def test_whatever_wraps_it(wrapped):
    with LineCoverage(wrapped) as cover:
        wrapped(1)
    assert cover.unrun().lines == (line_of(one_branch, 2),)


def test_of_what_ran_at_all_a_helper_that_nothing_called_is_left_out():
    def chosen(r):
        return helper(r) if r > 5 else r

    with LineCoverage(chosen) as cover:
        chosen(1)
    assert line_of(helper, 1) in cover.unrun().lines
    assert cover.unrun(inside=True) == Unrun(
        (), (f"line {line_of(chosen, 1)}: `helper(r)` never ran",), __file__
    )


def test_the_first_line_of_a_file_is_one_like_others(tmp_path, monkeypatch):
    text = (
        "def other(x): return x\ndef chosen(r):\n    g = other\n    if r > 0: g = r\n    return g\n"
    )
    tmp_path.joinpath("first_line_of_a_file.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    chosen = importlib.import_module("first_line_of_a_file").chosen
    assert unrun_of(chosen, 1) == "line 1 never ran; line 4: `r > 0` was never false"


def test_a_long_expression_is_cut():
    for size, shown in ((LONGEST, "x" * LONGEST), (LONGEST + 1, "x" * (LONGEST - 3) + "...")):
        assert _text(ast.Name("x" * size)) == f"`{shown}`"
    assert LONGEST == 60


def test_it_adds_up_and_an_older_trace_function_comes_back():
    before = sys.gettrace()
    cover = LineCoverage(one_branch)
    assert not cover.entered
    for argument in (1, -100):
        with cover:
            one_branch(argument)
    assert not cover.unrun()
    assert sys.gettrace() is before
    # seen anew, it starts from nothing
    assert seen(one_branch, 1) != ""


def test_without_source_lines_are_still_known():
    space: dict = {}
    exec(
        compile("def f(r):\n    if r > 5:\n        return 1\n    return 0\n", "<nowhere>", "exec"),
        space,
    )
    with LineCoverage(space["f"]) as cover:
        space["f"](1)
    assert cover.unrun() == Unrun((3,), (), "<nowhere>")


def test_what_is_no_python_function_has_no_lines():
    with LineCoverage(len) as cover:
        len([])
    assert not cover.unrun()
    assert not cover.entered


@pytest.fixture
def helpers(tmp_path, monkeypatch):
    """A module of another file, imported; of its functions a loss calls the first alone."""
    text = "def first(x):\n    if x > 5:\n        x = 0\n        x = 1\n    return x\n\n\n"
    text += "".join(f"def other_{i}(x):\n    x += 1\n    return x\n\n\n" for i in range(5))
    tmp_path.joinpath("helpers_of_a_loss.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("helpers_of_a_loss")
    sys.modules.pop("helpers_of_a_loss")


def unrun_of(function, *numbers):
    with LineCoverage(function) as cover:
        for number in numbers:
            function(number)
    return str(cover.unrun())


def test_lines_of_a_helper_in_another_file_are_named_as_ranges(helpers):
    first = helpers.first
    assert unrun_of(lambda r: first(r), 1) == "lines 3-4 of helpers_of_a_loss.py never ran"
    assert unrun_of(lambda r: first(r), 1, 9) == ""


def test_functions_of_another_file_that_never_ran_are_named_and_counted(helpers):
    def calls_one(r):
        return helpers.first(r)

    assert unrun_of(calls_one, 1, 9) == (
        "other_0, other_1, other_2 and 2 more functions of helpers_of_a_loss.py never ran"
    )


def test_a_function_of_another_file_that_was_chosen_by_its_name_and_never_ran_is_told(helpers):
    table = {"a": helpers.first, "b": helpers.other_0}

    def chosen(r):
        return table["b" if r > 100 else "a"](r)

    said = unrun_of(chosen, 1, 9)
    assert "`'b'`" in said
    assert "other_0 of helpers_of_a_loss.py never ran" in said
