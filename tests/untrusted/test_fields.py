"""A count in what an object has beside its entries and attributes, or far behind others, is seen as
one in a list is; and what stays the same is no change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from altpg_verify.untrusted.further import Further
from altpg_verify.untrusted.lines import LineCoverage
from altpg_verify.untrusted.state import Memory
from trust.hostile import tricks_fields
from trust.hostile.tricks_hidden import Box

SEEN = [
    (name, make)
    for kind, every in tricks_fields.TRICKS.items()
    for name, make, _ in every
    # the room of a container is refused by the call that asks for it
    if "room" not in name
]


@pytest.mark.parametrize(("name", "make"), SEEN, ids=[name for name, _ in SEEN])
def test_a_field_that_changes_is_seen(name: str, make: Callable[[], Any]) -> None:
    # a tracer, of coverage say, takes the frame's own trace for its own
    tracer = sys.gettrace() if name == "a frame's trace" else None
    if tracer is not None:
        sys.settrace(None)
    try:
        trick = make()
        memory = Memory(trick)
        trick(0, 0)
        before = memory.snapshot()
        trick(0, 0)
        assert before.changed(memory.snapshot())
    finally:
        if tracer is not None:
            sys.settrace(tracer)


@pytest.mark.parametrize(
    "held",
    [
        tricks_fields.Below(),
        ValueError("a"),
        [[0] for _ in range(2000)],
        {0, 8},
        SimpleNamespace(n=SimpleNamespace()),
        (each for each in ""),
    ],
    ids=lambda held: type(held).__name__,
)
def test_what_stays_as_it_is_is_no_change(held: Any) -> None:
    def asks() -> int:
        return id(held)

    memory = Memory(asks)
    before = memory.snapshot()
    asks()
    assert not before.changed(memory.snapshot())


@pytest.mark.parametrize(
    "one",
    [[1, 2], {"a": 1}, Box(), [[Box()]], bytearray(b"a")],
    ids=["list", "dict", "object", "nested", "bytes"],
)
def test_the_digest_of_what_lies_further_is_that_of_its_contents(one: Any) -> None:
    digest = Further([one]).digest()
    assert Further([one]).digest() == digest
    assert Further([one, 1]).digest() != digest


def test_a_function_that_is_given_other_code_while_it_is_watched_is_still_covered() -> None:
    def watched() -> int:
        return 1

    with LineCoverage(watched) as coverage:
        watched()
    watched.__code__ = watched.__code__.replace(co_firstlineno=1)
    assert coverage.entered
    assert not coverage.unrun()
