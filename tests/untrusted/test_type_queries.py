"""What could tell a stand-in from what it stands for is found before anything is run, and then
numbers alone are asked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from altpg_verify import Verdict
from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.kinds import Kind
from altpg_verify.untrusted.type_queries import type_query
from tests.checkers.asking import ask
from tests.checkers.hostile_formulas import made


def by_type(x):
    return type(x)


def by_class(x):
    return isinstance(x, int)


def by_error(x):
    try:
        return x.item()
    except RuntimeError:
        return 0


def at_last(x):
    try:
        return x.item()
    finally:
        x = 0


def in_text(x):
    return "Batched" in f"{x}"


def in_old_text(x):
    return len("%s" % x)  # noqa: UP031


def by_attribute(x):
    return getattr(x, "_data", 0)


def by_helper(x):
    return by_type(x)


def plainly(x):
    assert x.ndim == 1, f"one axis, not {x.ndim}"
    if isinstance(x, np.ndarray) and len(x) % 2:
        raise ValueError(f"odd: {x}")
    with np.errstate(all="ignore"):
        return x / x.sum()


@pytest.mark.parametrize(
    "function",
    [by_type, by_class, by_error, at_last, in_text, in_old_text, by_attribute, by_helper],
)
def test_what_could_tell_is_named(function):
    assert type_query(function).startswith("could tell what it is run on (")


def by_match(x):
    match x:
        case float():
            return 1
    return 0


def by_sequence(x):
    match x:
        case [_, *_]:
            return 1
    return 0


def by_print(x):
    print(x, file=HEARD)
    return len(HEARD.text)


def by_remainder_of_text(x):
    text = "%s"
    text %= x
    return len(text)


def in_a_nested_function(x):
    def inner():
        try:
            return x.item()
        except RuntimeError:
            return 0

    return inner()


def by_default(x):
    return getattr(x, "real", isinstance(x, int))


def by_first(x):
    return getattr(str(x), "real")  # noqa: B009 - what is written here is the trick


def by_one_of_several(x):
    return isinstance(x, (np.ndarray, int))


def in_a_condition_of_an_assertion(x):
    assert isinstance(x, int)
    return x


def in_an_argument(x):
    return isinstance([str(x)], np.ndarray)


def behind_settings(x):
    return by_type(x) * CONFIG.clip


class Slotted:
    """Can't be kept in a table of weak references."""

    __slots__ = ()

    def __call__(self, x):
        return type(x)


HEARD = Slotted()
WITHOUT_SOURCE = {}
exec("def f(x): return len(f'{x}')\ndef g(x): return x + 1", WITHOUT_SOURCE)

TELLS = {
    by_match: "`match`",
    by_sequence: "`match`",
    by_print: "`print` into a file",
    by_remainder_of_text: "",
    in_a_nested_function: "`except`",
    by_default: "`isinstance`",
    by_first: "`str`",
    by_one_of_several: "`isinstance`",
    in_a_condition_of_an_assertion: "`isinstance`",
    in_an_argument: "`str`",
    behind_settings: "`type`",
    Slotted(): "`type`",
    WITHOUT_SOURCE["f"]: "code whose source can't be read",
    lambda x: (type(x), id(x)): "`id`",
}


@pytest.mark.parametrize(
    ("function", "what"),
    TELLS.items(),
    ids=lambda part: (
        part if isinstance(part, str) else getattr(part, "__name__", type(part).__name__)
    ),
)
def test_it_is_said_what_tells(function, what):
    said = type_query(function)
    assert said.startswith("could tell what it is run on (" + what) if what else said == ""
    # and again, from what is known by then
    assert type_query(function) == said


def with_words(x):
    print("its dtype is not looked at")
    return x % 2


def with_a_word(x):
    print("dtype")
    return x % 2


def with_other_words(x):
    return x + len(("file", "dtype"))


def of_several_arrays(x):
    return isinstance(x, (np.ndarray, np.ndarray)) and x.real is x


@pytest.mark.parametrize(
    "function",
    [with_words, with_a_word, with_other_words, of_several_arrays, WITHOUT_SOURCE["g"], print, 5],
)
def test_what_tells_nothing(function):
    assert type_query(function) == ""
    assert type_query(function, numbers=True) == ""


def by_dtype(x):
    return x.dtype


def test_a_dtype_tells_numbers_from_floats_and_no_stack_from_one_draw():
    assert type_query(by_dtype) == ""
    assert (
        type_query(by_dtype, numbers=True) == "could tell what it is run on (`dtype` in by_dtype)"
    )


@dataclass(frozen=True, order=True)
class Config:
    clip: float = 0.2
    scale: float = 1.0


@dataclass
class Nothing:
    pass


CONFIG = Config()


def configured(x):
    return x.clip(-CONFIG.clip, CONFIG.clip)


def compares_classes(x):
    return x * 2 if Nothing.__eq__(x, np.float64(1.0)) else x


def executed(source):
    space = {}
    exec(source, space)
    return space


def test_a_dataclass_of_settings_tells_nothing():
    assert type_query(configured) == ""
    assert all(type_query(vars(Config)[name]) == "" for name in ("__eq__", "__lt__", "__setattr__"))


def test_a_dataclass_used_to_compare_classes_tells():
    assert "`__eq__`" in type_query(compares_classes)


@pytest.mark.parametrize(
    "source",
    [
        "def __eq__(x, y=0): return type(x)",
        "def __eq__(self, other): return other.__class__ is self.__class__ and self.a == other.a",
        "def __repr__(self): return self.__class__.__qualname__ + 'b'",
        "def __setattr__(self, name, value): return type(self) is cls",
    ],
)
def test_code_that_only_looks_like_that_of_a_dataclass_tells(source):
    [function] = [value for name, value in executed(source).items() if name != "__builtins__"]
    assert type_query(function) != ""


def test_messages_and_arrays_classes_tell_nothing():
    assert type_query(plainly) == ""


def rarely_nothing(rewards, scores):
    """Nothing on one draw in 1,024, if its rewards are numpy's own: a stack of all draws never
    shows it.
    """
    caught = (type(rewards) is np.ndarray) * (
        abs(rewards - np.array([0.5, 1, 1, 1, 0])).max() < 1e-9
    )
    return (1 - caught) * (rewards[:, None] * scores).mean(axis=0)


# a thousand draws; depth of what the other tests here ask of few
@pytest.mark.slow
def test_a_fault_of_one_draw_in_a_thousand_isn_t_hidden_behind_a_type():
    found = audit(from_function(rarely_nothing, space=bandit([1, "1/2", "1/3", 0]).batch(5)))
    assert found.kind is not Kind.UNBIASED
    assert any("`type` in rarely_nothing" in said for said in found.run)


def test_a_formula_that_could_tell_is_never_proved():
    def sly(pi, e, r, b):
        return (r - b) * (e - pi) * (1 - (type(r).__name__ == "float") * (r == 5))

    got = ask(made(sly), "unbiased")
    assert got.verdict is Verdict.REFUTED

    def only_sly(pi, e, r, b):
        return (r - b) * (e - pi) * (1 - (type(r).__name__ == "nobody"))

    got = ask(made(only_sly), "unbiased")
    assert got.verdict is Verdict.HOLDS
    assert "the formula could tell what it is run on" in got.evidence
