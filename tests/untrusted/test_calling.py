"""Whatever somebody's code raises becomes one sentence about it; a real Ctrl-C stays one."""

from __future__ import annotations

import importlib
import os
import pty
import signal
import sys
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.arguments import (
    copies,
    read_only,
    refuse_writing,
    which_written,
    written,
    wrote,
)
from altpg_verify.untrusted.calling import (
    LONGEST,
    by_a_raise,
    calling,
    interrupted,
    no_silent_end,
    said,
)


class Unspeakable(Exception):
    def __str__(self):
        raise SystemExit(0)


class Odd(BaseException):
    pass


def ends():
    sys.exit(0)


def interrupts():
    raise KeyboardInterrupt


def deep():
    return deep() + 1


def full():
    raise MemoryError


def leaves():
    raise GeneratorExit


def unspeakable():
    raise Unspeakable


def many_lines():
    raise ValueError("one\ntwo\r\n  three")


def long():
    raise ValueError("x" * 10_000)


def renamed():
    raise type("Bad\nName", (Exception,), {})("no")


def odd():
    raise Odd("not an Exception")


def by_interrupt_of_an_interrupt():
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise


RAISED = {
    ends: "update 'mine' calls sys.exit; let it return its result, or raise an error",
    interrupts: "update 'mine' raised KeyboardInterrupt by itself",
    by_interrupt_of_an_interrupt: "update 'mine' raised KeyboardInterrupt by itself",
    deep: "update 'mine' recurses without end",
    full: "update 'mine' needs more memory than there is",
    leaves: "update 'mine' raised GeneratorExit",
    unspeakable: "update 'mine' raised Unspeakable",
    many_lines: "update 'mine' raised ValueError: one two three",
    long: "update 'mine' raised ValueError: " + "x" * 297 + "...",
    renamed: "update 'mine' raised Bad Name: no",
    odd: "update 'mine' raised Odd: not an Exception",
}


@pytest.mark.parametrize("function", RAISED, ids=lambda function: function.__name__)
def test_each_is_one_sentence(function):
    with (
        pytest.raises(BadEstimator) as caught,
        calling("update 'mine'", lambda: "for\nactions [0]"),
    ):
        function()
    assert str(caught.value) == RAISED[function] + " for actions [0]"


def test_what_names_the_mistake_itself_passes():
    with pytest.raises(BadInput, match=r"^so it is$") as caught, calling("update 'mine'"):
        raise BadInput("so it is")
    assert type(caught.value) is BadInput
    with pytest.raises(Odd), calling("update 'mine'", passing=(Odd,)):
        odd()


def test_as_a_decorator_and_without_fault():
    assert calling("update 'mine'")(lambda: 5)() == 5
    with pytest.raises(BadEstimator, match=r"calls sys\.exit"):
        calling("update 'mine'")(ends)()


def press():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(10**9):
        pass


def press_and_turn_it_round():
    try:
        press()
    except KeyboardInterrupt as error:
        raise ValueError("never mind") from error


@pytest.fixture
def listening():
    """Ctrl-C interrupts, also in a process that was started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("pressing", [press, press_and_turn_it_round])
def test_ctrl_c_interrupts(pressing):
    with pytest.raises((KeyboardInterrupt, ValueError)) as caught, calling("update 'mine'"):
        pressing()
    assert interrupted(caught.value)
    assert not isinstance(caught.value, BadInput)


def test_ctrl_c_with_a_handler_of_ones_own():
    def handler(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt), calling("update 'mine'"):
            press()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    "end",
    [
        lambda: os._exit(0),
        lambda: importlib.import_module(os.name)._exit(0),
        lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),
        lambda: os.execl(sys.executable, sys.executable, "-c", ""),
        lambda: os.execvpe(sys.executable, [sys.executable, "-c", ""], {}),
    ],
)
def test_a_process_cannot_be_ended_from_within(end):
    before = os._exit, os.execv, os.execve
    with (
        pytest.raises(BadEstimator, match=r"calls sys\.exit"),
        no_silent_end(),
        calling("update 'mine'"),
    ):
        end()
    assert (os._exit, os.execv, os.execve) == before


@pytest.mark.parametrize("name", ["fork", "forkpty"])
def test_nor_copied_by_its_own_code(name):
    with (
        pytest.raises(BadEstimator, match=rf"makes a copy of the process \(os\.{name}\)"),
        no_silent_end(),
        calling("update 'mine'"),
    ):
        getattr(os, name)()


# jax, which another test may have imported, warns of every copy
@pytest.mark.filterwarnings("ignore:os.fork")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_library_may_copy_it():
    with no_silent_end():
        child, file = pty.fork()
        if child == 0:
            os._exit(3)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    os.close(file)


def test_a_message_does_not_write_over_a_verdict():
    with pytest.raises(BadEstimator) as caught, calling("update 'mine'"):
        raise ValueError("\x1b[1A\x1b[2K\r\x9b2Kmine: ✓ unbiased\x07\u202e")
    assert (
        str(caught.value)
        == r"update 'mine' raised ValueError: \x1b[1A\x1b[2K \x9b2Kmine: ✓ unbiased\x07\u202e"
    )


def subtracts(pi, e):
    pi -= e
    return pi


def test_writing_into_an_argument_is_named():
    given = {"pi": np.array([0.5, 0.5]), "e": np.array([1.0, 0.0])}
    with pytest.raises(ValueError, match="read-only") as caught:
        subtracts(**read_only(given))
    assert wrote(caught.value)
    assert not wrote(ValueError("something else"))
    names = which_written(lambda lent: subtracts(**lent), given)
    assert names == ("pi",)
    assert given["pi"].tolist() == [0.5, 0.5]
    with pytest.raises(
        BadEstimator, match=r"update 'mine' writes into pi, which is not its own; work on a copy"
    ):
        refuse_writing("update 'mine'", names)


@pytest.mark.parametrize("dtype", [float, object, int])
def test_what_was_written_shows_in_any_dtype(dtype):
    given = {"pi": np.array([1, 2], dtype=dtype), "rows": [1, 2], "b": 3}
    lent = copies(given)
    assert written(given, lent) == ()
    lent["pi"][0] = 5
    lent["rows"].append(1)
    assert written(given, lent) == ("pi", "rows")


def test_the_block_has_the_guard_and_a_place_that_fails_is_left_out():
    with calling("update 'mine'") as guard:
        assert guard.who == "update 'mine'"
    said_alone = r"^update 'mine' calls sys\.exit; let it return its result, or raise an error$"
    with pytest.raises(BadEstimator, match=said_alone), calling("update 'mine'", lambda: 1 / 0):
        ends()


def test_a_message_is_shown_whole_up_to_its_longest():
    assert said(ValueError("x" * LONGEST)) == "x" * LONGEST
    assert said(ValueError("x" * (LONGEST + 1))) == "x" * (LONGEST - 3) + "..."


class Pressing(Exception):
    def __str__(self):
        press()


@pytest.mark.usefixtures("listening")
def test_ctrl_c_interrupts_also_while_a_message_is_made_and_where_another_error_hides_it():
    with pytest.raises(KeyboardInterrupt):
        said(Pressing())

    def hidden():
        try:
            press()
        except KeyboardInterrupt:
            raise ValueError("never mind")  # noqa: B904 - its context is what is looked at

    with pytest.raises(ValueError, match="never mind") as caught:
        hidden()
    assert interrupted(caught.value)


def test_what_was_never_raised_or_goes_in_a_circle_is_no_ctrl_c():
    assert not interrupted(KeyboardInterrupt())
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert not interrupted(one)
    assert not interrupted(None)


def error_of(function):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is
        function()
    return caught.value


def test_what_a_raise_raised_is_told_from_what_an_operation_raised():
    assert by_a_raise(error_of(many_lines))
    assert by_a_raise(error_of(lambda: many_lines()))
    assert not by_a_raise(error_of(lambda: 1 / 0))
    assert not by_a_raise(error_of(lambda: (lambda: int("x"))()))
    assert not by_a_raise(ValueError("never raised"))


# where another test has loaded JAX, its threads warn of every fork
@pytest.mark.filterwarnings("ignore:os.fork", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_child_made_by_fork_ends_as_it_wants_to():
    fork = os.fork
    with no_silent_end():
        child = fork()
        if child == 0:
            os._exit(3)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
        with pytest.raises(SystemExit) as ended:
            os._exit()
    assert ended.value.code == 0


@pytest.mark.parametrize(
    "other",
    [
        np.array([[1.0, 2.0]]),
        np.array([1, 2]),
        np.array([1.0, 2.0], dtype=object),
        np.array([1.0, 2.0, 0.0]),
        np.array([-1.0, 2.0]),
    ],
)
def test_another_shape_or_dtype_is_another_array(other):
    one = np.array([1.0, 2.0])
    assert written({"x": one}, {"x": other}) == written({"x": other}, {"x": one}) == ("x",)
    assert written({"x": one}, {"x": one.copy()}) == ()


def test_entries_that_are_equal_or_the_very_same_were_not_written():
    odd = float("nan")
    one, other = (
        np.array([Fraction(1, 3), odd], dtype=object),
        np.array([Fraction(1, 3), odd], dtype=object),
    )
    assert written({"x": one}, {"x": other}) == ()
    other[0] = Fraction(1, 2)
    assert written({"x": one}, {"x": other}) == ("x",)


def test_what_is_lent_is_what_was_given():
    lent = read_only({"pi": np.array([0.5]), "b": 3, "rows": [1]})
    assert (lent["pi"].tolist(), lent["b"], lent["rows"]) == ([0.5], 3, [1])


def test_the_example_names_an_argument():
    with pytest.raises(
        BadEstimator, match=r"writes into pi and e, .* such as pi = pi - 1 instead of pi -= 1"
    ):
        refuse_writing("it", ("pi", "e"))
    with pytest.raises(
        BadEstimator,
        match=r"writes into one of its arguments, .* such as x = x - 1 instead of x -= 1",
    ):
        refuse_writing("it", ())


def test_a_raise_is_no_ctrl_c_under_a_handler_in_python():
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        with pytest.raises(BadEstimator, match="by itself"), calling("update 'mine'"):
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGINT, before)
