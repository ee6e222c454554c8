"""What objects hold is read by compiled classes, whatever their own class answers; hidden counts by
kind are in `trust.hostile.tricks_posing`.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter, OrderedDict, defaultdict, deque
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

from altpg_verify.untrusted.contents import (
    entries,
    exchange,
    is_a,
    is_compiled,
    is_plain,
    length,
    made_of,
    own,
    proxied,
    refill,
    unchanging,
    written,
)
from altpg_verify.untrusted.further import Further


class Lying(dict):
    def __len__(self):
        return 0

    def items(self):
        return ()

    __iter__ = items
    clear = update = __setitem__ = None


class Quiet(int):
    def __repr__(self):
        return "nothing"


class Word(str):
    def __repr__(self):
        return "nothing"


class Posing:
    __class__ = property(lambda self: int)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Quiet(3), "3"),
        (Word("a"), "'a'"),
        (True, "True"),
        (None, "None"),
        (np.float64(0.5), "0.5"),
        (b"a", "b'a'"),
        (1j, "1j"),
    ],
)
def test_numbers_and_texts_are_written_as_python_writes_them(value, said):
    assert written(value) == said


def test_plain_is_what_no_python_code_made():
    assert all(map(is_plain, (1, 1.5, "a", None, np.float64(1))))
    assert not any(map(is_plain, (Quiet(1), Posing(), Fraction(1), [], ())))
    assert isinstance(Posing(), int)
    assert not is_a(Posing(), int)


def test_an_attribute_is_that_of_the_compiled_class():
    lying = Lying(a=1)
    assert (length(lying), list(entries(lying))) == (1, [("a", 1)])
    assert own(lying, "get")("a") == 1
    assert own(lying, "no_such_name", 7) == 7
    with pytest.raises(AttributeError, match="no_such_name"):
        own(lying, "no_such_name")
    assert made_of(Lying) is dict
    assert is_compiled(dict)
    assert not is_compiled(Lying)


@pytest.mark.parametrize(
    "container",
    [
        Lying(a=1, b=[2]),
        OrderedDict(b=1, a=2),
        Counter("aab"),
        defaultdict(list, a=[1]),
        deque([1, 2], maxlen=2),
        type("List", (list,), {})([3, 1]),
        type("Set", (set,), {})({3, 1}),
    ],
    ids=lambda container: type(container).__name__,
)
def test_a_container_is_filled_again(container):
    saved = list(entries(container))
    own(container, "clear")()
    assert length(container) == 0
    refill(container, saved)
    assert list(entries(container)) == saved


DAY = datetime.timedelta(1)
ZONE = datetime.timezone(DAY / 24)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (datetime.date(2000, 1, 1), datetime.date(2000, 1, 2)),
        (datetime.datetime(2000, 1, 1), datetime.datetime(2000, 1, 1, fold=1)),
        (datetime.time(1, tzinfo=ZONE), datetime.time(2, tzinfo=ZONE)),
        (DAY, 2 * DAY),
        (ZONE, datetime.timezone(DAY / 12)),
        (ZONE, datetime.timezone(DAY / 24, "named")),
        (re.match("a", "ab"), re.match("a?b?", "ab")),
        (re.compile("a").match("aa", 0, 1), re.compile("a").match("aa", 0, 2)),
        (re.compile("a"), re.compile("b")),
        (re.compile("a"), re.compile("a", re.ASCII)),
        (re.compile(b"a"), re.compile("a")),
    ],
)
def test_what_is_exchanged_rather_than_changed_is_told_apart(one, other):
    assert unchanging(one) == unchanging(one)
    assert unchanging(one) != unchanging(other)
    assert Further([[one]]).digest() != Further([[other]]).digest()


@pytest.mark.parametrize("value", [1, "a", None, [], object()])
def test_nothing_else_is(value):
    assert unchanging(value) is None


def test_numbers_in_other_words_are_told_apart_afar():
    for kind, one, other in ((Quiet, 1, 2), (Word, "a", "b")):
        assert Further([kind(one)]).digest() == Further([kind(one)]).digest()
        assert Further([kind(one)]).digest() != Further([kind(other)]).digest()


def test_a_view_is_looked_through():
    table = {"a": 1}
    assert proxied(MappingProxyType(table)) is table


def test_a_state_is_set_where_the_class_answers_for_it():
    class Still(np.random.PCG64):
        state = property(lambda self: None)

    still, moved = Still(1), Still(2)
    exchange(still, "state", own(moved, "state"))
    assert own(still, "state") == own(moved, "state")
