"""Functions that C calls and threads beside an update are named; a clock that is only called in a
branch that isn't reached, and threads of others, are no fault.
"""

from __future__ import annotations

import os
import string
import textwrap
import threading
import time
from collections import defaultdict
from functools import partial
from itertools import starmap

import pytest

from altpg_verify.audit import audit, bandit, update
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.handed_on import handed_on, held_by_c, running_beside

SPACE = bandit([1, 0])
CLOCK = {time.time: "time.time", os.urandom: "os.urandom"}


def _of_an_own_import():
    from time import monotonic as later

    return later


def verdict(factor):
    @update(space=SPACE)
    def weighted(rewards, scores):
        return factor() * (rewards[:, None] * scores).mean(axis=0)

    return audit(weighted)


@pytest.mark.parametrize(
    "factor",
    [
        lambda: 1 + 0 * partial(time.time)(),
        lambda: 1 + 0 * sum(starmap(time.time, [()])),
        lambda: 1 + 0 * defaultdict(time.time)[0],
        lambda: 1 + 0 * next(iter(time.perf_counter, None)),
        lambda: 1 + 0 * partial(_of_an_own_import())(),
        lambda: 1 + 0 * len(threading.Thread().name),
        lambda: 1 + 0 * bool(threading.settrace(None)),
    ],
)
def test_what_c_calls_and_what_is_numbered_is_refused(factor):
    with pytest.raises(BadInput, match=r"(names|calls) (the module )?(time|threading)") as refusal:
        verdict(factor)
    assert "\n" not in str(refusal.value)


def test_a_module_of_clocks_that_is_handed_on_is_named():
    assert handed_on(lambda: getattr(time, "ti" + "me"), CLOCK) == "the module time"
    assert handed_on(lambda: vars(time)["ti" + "me"], CLOCK) == "the module time"
    assert handed_on(lambda: time.time(), CLOCK) == ""
    assert handed_on(lambda: [time.time], CLOCK) == "time.time"


def test_a_variable_that_is_not_bound_yet_hides_no_clock():
    def made():
        def mentions():
            return [a_later_one, clock]

        clock = time.time
        if clock is None:
            a_later_one = 1
        return mentions

    assert handed_on(made(), CLOCK) == "time.time"


@pytest.mark.parametrize("owner", [textwrap.dedent, string.Template])
def test_a_count_at_a_librarys_function_or_class_is_seen(owner):
    owner.counted = 0

    def factor():
        owner.counted += 1
        return 1

    try:
        with pytest.raises(BadInput, match=r"counted"):
            verdict(factor)
    finally:
        del owner.counted


def test_a_clock_in_a_branch_that_is_not_reached_is_none():
    def factor(loud=False):
        if loud:
            print(time.time())
        return 1

    assert verdict(factor).kind.value == "unbiased"


def test_clocks_that_are_called_in_a_branch_by_other_names_are_none_either():
    import time as t

    def factor(loud=False):
        from time import monotonic

        if loud:
            print(t.time(), monotonic(), time.perf_counter() - monotonic())
        return 1

    assert verdict(factor).kind.value == "unbiased"


def test_a_librarys_own_attribute_may_be_read():
    def factor():
        return len(string.Template.delimiter)

    assert verdict(factor).kind.value == "unbiased"


def test_a_thread_of_the_same_file_is_seen_and_one_of_another_is_not():
    asked = threading.Event()
    own = threading.Thread(target=lambda: asked.wait(60), daemon=True, name="counts")
    own.start()
    try:
        assert running_beside([__file__]) == "counts"
        assert running_beside([threading.__file__ + "x"]) == ""
        with pytest.raises(BadInput, match="counts"):
            verdict(lambda: 1)
    finally:
        asked.set()
        own.join()
    assert running_beside([__file__]) == ""
    assert verdict(lambda: 1).kind.value == "unbiased"


def test_an_audit_may_run_in_a_thread():
    found = []
    beside = threading.Thread(target=lambda: found.append(verdict(lambda: 1).kind.value))
    beside.start()
    beside.join()
    assert found == ["unbiased"]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (partial(time.time), "time.time"),
        (defaultdict(os.urandom), "os.urandom"),
        (map(time.time, []), "time.time"),
        (iter(time.time, 0.0), "time.time"),
        (partial(len), ""),
        (map(len, [[]]), ""),
        (time.time, ""),
        (defaultdict(list), ""),
    ],
)
def test_objects_of_c_say_what_they_call(value, name):
    assert held_by_c(value, CLOCK) == name


class Untouchable:
    """Raises whatever it is asked."""

    @property
    def __class__(self):
        raise RuntimeError

    def __hash__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError


class OfTheirOwn(partial):
    def __reduce__(self):
        raise RuntimeError


def test_what_raises_when_it_is_asked_is_not_asked():
    untouchable = Untouchable()
    for value in (untouchable, defaultdict(Untouchable), map(untouchable, [])):
        assert held_by_c(value, CLOCK) == ""
        assert handed_on(lambda value=value: [untouchable, value], CLOCK) == ""


def test_a_class_of_somebodys_own_hides_nothing():
    assert held_by_c(OfTheirOwn(time.time), CLOCK) == "time.time"


def test_a_local_variable_may_have_the_name_of_a_module_of_clocks():
    def mine(r, string=None):
        time = [r for string in range(2)]
        return (lambda os: os)(time), string

    assert handed_on(mine, CLOCK) == ""
    assert "time" in mine.__globals__


def test_a_clock_that_is_imported_around_a_function_is_named():
    def mine(r):
        from time import time as when

        def inner():
            return [when]

        return inner

    assert handed_on(mine, CLOCK) == "time.time"
