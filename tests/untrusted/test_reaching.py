"""What a function can see is walked through without a crash, whatever an object answers."""

from __future__ import annotations

import copy
import functools
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.estimators import estimator
from altpg_verify.untrusted import reaching
from altpg_verify.untrusted.reaching import WIDEST, _unmoved, functions, plain_function, reachable


class Unset:
    """A stand-in for what isn't there yet, as proxies are before anything is bound to them."""

    @property
    def __class__(self):
        raise RuntimeError("nothing is bound")


class Silent:
    def __getattribute__(self, name):
        raise KeyError(name)


class Pretender:
    """A stand-in that says it is what it stands for, as wrapped objects do."""

    @property
    def __class__(self):
        return int


UNSET, SILENT, PRETENDER = Unset(), Silent(), Pretender()
TABLE = {"of all": [UNSET]}


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda: UNSET, "module variable 'UNSET' raises RuntimeError"),
        (lambda: SILENT, "module variable 'SILENT' raises KeyError"),
        (lambda: TABLE, r"module variable 'TABLE'\['of all'\]\[0\] raises RuntimeError"),
        (lambda held=UNSET: held, "default of 'held' raises RuntimeError"),
    ],
)
def test_what_cant_be_asked_for_its_class_is_refused_by_name(function, words):
    with pytest.raises(BadInput, match=words):
        list(reachable(function))


def test_what_says_it_is_something_else_is_walked_through():
    assert any(seen.value is PRETENDER for seen in reachable(lambda: PRETENDER))


def plain(r):
    return helper(r)


def helper(r):
    return r


def a_decorator(function):
    @functools.wraps(function)
    def wrapper(*given):
        return function(*given)

    return wrapper


class Called:
    def __call__(self, r):
        return helper(r)


class Forward:
    def forward(self, r):
        return helper(r)

    def __call__(self, r):
        return self.forward(r)


class OwnCall(functools.partial):
    def __call__(self, r):
        return helper(r)


class Holding:
    def __init__(self):
        self.call = functools.partial(plain)
        self.__wrapped__ = plain


WRAPPED = {
    plain: plain,
    functools.partial(plain): plain,
    a_decorator(plain): plain,
    functools.lru_cache(plain): plain,
    Called(): Called.__call__,
    Called().__call__: Called.__call__,
    Forward(): Forward.forward,
    OwnCall(len): OwnCall.__call__,
    Holding(): plain,
    estimator(plain): plain,
}


@pytest.mark.parametrize("root", WRAPPED, ids=lambda root: type(root).__name__)
def test_the_function_behind_it_is_the_first(root):
    assert plain_function(root) is WRAPPED[root]
    seen = functions(root)
    assert seen[0] is WRAPPED[root]
    assert helper in seen


@pytest.mark.parametrize("root", [len, int, Called, 5, functools.partial(len)])
def test_behind_what_is_compiled_there_is_none(root):
    assert plain_function(root) is None


def paths(root):
    return {seen.path: seen.value for seen in reachable(root)}


def test_of_a_bound_method_the_object_is_named():
    held = Called()
    own = held.__call__
    assert paths(held.__call__)["self"] is held
    # a name that it has already stays
    assert paths(lambda: own)["closure variable 'own'"] is held
    assert "self" not in paths(lambda: own)


def test_what_is_decorated_is_no_attribute():
    def other(r):
        return r

    other.__wrapped__ = plain
    for root in (a_decorator(plain), other):
        assert helper in paths(root).values()
        assert not [path for path in paths(root) if "__wrapped__" in path]


def test_a_librarys_function_is_looked_into_where_it_is_the_one_that_is_asked():
    assert "module variable '_deepcopy_dispatch'" in paths(copy.deepcopy)
    assert "module variable '_deepcopy_dispatch'" not in paths(lambda: copy.deepcopy)


def test_whoever_looks_by_name_may_see_every_variable():
    space = {"hidden": [0]}
    exec("def by_name(name): return globals()[name]\ndef other(name): return len(name)", space)
    assert "module variable 'hidden'" in paths(space["by_name"])
    assert "module variable 'hidden'" not in paths(space["other"])


def test_of_many_objects_the_rest_is_looked_at_as_one(monkeypatch):
    for size, rest in ((WIDEST, False), (WIDEST + 1, True)):
        wide = [0] * size
        assert ("what lies further" in paths(lambda wide=wide: wide)) is rest
    monkeypatch.setattr(reaching, "MOST", 50)
    held = [[0] for _ in range(100)]
    seen = list(reachable(lambda: held))
    assert len(seen) == 51
    assert seen[-1].path == "what lies further"


def test_of_a_librarys_class_only_data_is_looked_at():
    named = paths(lambda: (Fraction.numerator, Fraction.limit_denominator))
    assert not [path for path in named if path.startswith("Fraction.")]


def test_a_table_that_changes_while_it_is_read_is_left_out():
    def changing():
        yield 1
        raise RuntimeError

    assert _unmoved(changing()) == []
    assert _unmoved([1, 2]) == [1, 2]


def test_what_stands_in_a_module_within_a_library_is_seen():
    np.linalg.kept_there = [0]
    try:

        def counts(x):
            np.linalg.kept_there[0] += 1
            return x

        assert "numpy.linalg.kept_there" in {seen.path for seen in reachable(counts)}
    finally:
        del np.linalg.kept_there
