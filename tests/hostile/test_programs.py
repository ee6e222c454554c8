"""No hostile program gets a false verdict; the judgement itself can fail."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.shares import share_of_each
from trust.hostile import EVERY, PROGRAMS, outcome_of
from trust.hostile.forms import ANYTHING, FORMS, NEVER_PASSED, Hostile, missing
from trust.hostile.known import KNOWN_HOLES
from trust.hostile.running import judged, run


def judge(program):
    if reason := missing(program.form):
        pytest.skip(reason)
    judgement, outcome = run(program)
    assert judgement == "fine", f"{program.title}: {outcome}"


def test_there_are_enough_in_every_form():
    assert len(PROGRAMS) >= 150
    assert (
        {program.form for program in PROGRAMS}
        == {program.form for program in PROGRAMS[::EVERY]}
        == {*FORMS, "whole"}
    )
    assert len({program.title for program in PROGRAMS}) == len(PROGRAMS)


def test_a_right_program_that_must_not_pass_is_noticed():
    for form in ("formula", "numpy"):
        right = Hostile("control", "nothing hidden", lambda: lambda r, x: 1, form, NEVER_PASSED)
        assert run(right) == ("false PROVED", "PROVED")


@pytest.mark.parametrize(
    ("outcome", "crashed", "said"),
    [
        ("HOLDS", False, "false pass"),
        ("SUPPORTED", False, "false pass"),
        ("CERTIFIED", False, "false PROVED"),
        ("biased", False, "fine"),
    ],
)
def test_judgements(outcome, crashed, said):
    assert judged(outcome, crashed, NEVER_PASSED) == said
    assert judged(outcome, True, ANYTHING) == "crash"


def test_one_fault_is_enough():
    assert not outcome_of(
        Counter({"fine": 5, "false PROVED": 1}),
        Counter(),
        {"a new one": "false PROVED: PROVED"},
        Counter(),
    ).met
    assert outcome_of(Counter({"fine": 5}), Counter(), {}, Counter()).met


QUICK = [
    program
    for program in PROGRAMS[:: 3 * EVERY]
    if program.form != "jax" and program.title not in KNOWN_HOLES
]
"""A JAX loss that branches takes seconds for each draw; those are behind the slow marker."""


@pytest.mark.parametrize(
    "program",
    share_of_each(QUICK, lambda program: program.form, most=1),
    ids=lambda program: program.title,
)
def test_a_share_of_every_other_form(program):
    judge(program)


IN_NUMPY = [program for program in PROGRAMS if program.form in ("formula", "numpy")]
"""What the mutants of the guards meet: a trick is the same in each form, and here it is quick."""


@pytest.mark.slow
@pytest.mark.parametrize("program", IN_NUMPY, ids=lambda program: program.title)
def test_every_trick_in_numpy(program, request):
    _judge_or_expect(program, request)


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [program for program in PROGRAMS if program.form not in ("formula", "numpy")],
    ids=lambda program: program.title,
)
def test_every_other_program(program, request):
    _judge_or_expect(program, request)


def _judge_or_expect(program, request):
    if program.title in KNOWN_HOLES:
        # whether these show depends on addresses and on how busy the machine is
        request.applymarker(pytest.mark.xfail(reason=KNOWN_HOLES[program.title], strict=False))
    judge(program)


def test_known_holes_are_programs_and_are_counted():
    assert set(KNOWN_HOLES) <= {program.title for program in PROGRAMS}
    hole = next(iter(KNOWN_HOLES))
    found = outcome_of(
        Counter({"false PROVED": 1}), Counter(), {hole: "false PROVED: PROVED"}, Counter()
    )
    assert found.met
    figures = {figure.name: figure.value for figure in found.figures}
    assert (figures["known_holes"], figures["false_PROVED"], figures["new_false_PROVED"]) == (
        1,
        1,
        0,
    )
