"""What a function can see is walked through without a crash, whatever an object answers."""

from __future__ import annotations

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.untrusted.reaching import reachable


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
