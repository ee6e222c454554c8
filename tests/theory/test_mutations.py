"""Each certificate, spoiled in one place, is refused: numbers, signs, sides, assumptions."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator

import pytest

from altpg_verify.judging import proved
from altpg_verify.theory.proving import kernel
from altpg_verify.theory.proving.certificates import IdentityCertificate
from altpg_verify.verdicts import Verdict
from tests.theory.proofs import DERIVATIONS, SHARE, identities
from tests.theory.test_rationals import sampled

SIDES = ("left", "right", "witness")
each_derivation = pytest.mark.parametrize("derivation", SHARE)


def numbers(tree, path: tuple = ()) -> Iterator[tuple]:
    """Where the numbers of a tree stand."""
    if isinstance(tree, int):
        yield path
    elif isinstance(tree, list):
        for at, part in enumerate(tree[1:], 1):
            yield from numbers(part, (*path, at))


def replaced(tree, path: tuple, change: int):
    if not path:
        return tree + change
    return [
        replaced(part, path[1:], change) if at == path[0] else part for at, part in enumerate(tree)
    ]


def spoiled(data: dict) -> Iterator[tuple[str, dict]]:
    """The certificate with one number changed, one side's sign flipped, or one assumption dropped
    or doubled.
    """
    for side in SIDES:
        for path in numbers(data[side]):
            yield f"{side} {path}", {**data, side: replaced(data[side], path, 1)}
        if data[side] != 0:
            yield f"{side} with its sign flipped", {**data, side: ["*", -1, data[side]]}
    for number, one in enumerate(data["given"]):
        others = [other for at, other in enumerate(data["given"]) if at != number]
        yield f"without assumption {number}", {**data, "given": others}
        yield f"assumption {number} twice", {**data, "given": [*data["given"], one]}
        for field in ("zero", "cofactor"):
            for path in numbers(one[field]):
                changed = copy.deepcopy(data)
                changed["given"][number][field] = replaced(one[field], path, 1)
                yield f"{field} {number} {path}", changed


def is_true(data: dict) -> bool:
    """Whether the statement holds at random rationals: some changes make another true statement,
    the baseline's number for one.
    """
    worlds = [sampled(data, k, seed=17 * k) for k in (3, 4)]
    return all(
        world
        and world.value(data["left"]) - world.value(data["right"]) == world.value(data["witness"])
        for world in worlds
    )


@pytest.mark.slow
@each_derivation
def test_refused_when_spoiled(derivation):
    lines = identities(derivation)
    survivors = [
        (name, place, data)
        for name in lines
        for place, data in spoiled(lines[name])
        if kernel.holds(data)
    ]
    assert [(name, place) for name, place, data in survivors if not is_true(data)] == []


@each_derivation
def test_statement_is_not_empty(derivation):
    """No line compares a tree with itself after the symbols are written out, unless it states a
    definition.
    """
    for name, data in identities(derivation).items():
        assert (
            any(isinstance(side, str | list) for side in (data["left"], data["right"]))
            or data["left"] != data["right"]
        ), name


@each_derivation
def test_signs_are_needed(derivation):
    """An inequality isn't shown without the assumptions on signs, unless its witness is a square or
    a number.
    """
    for name, data in identities(derivation).items():
        bare = {**data, "positive": [], "nonnegative": [], "nonzero": []}
        if data["relation"] != "=" and kernel.holds(bare):
            assert data["relation"] == ">=" or isinstance(data["witness"], int), name
            assert not data["positive"] or "^" in json.dumps(data["witness"]), name


@each_derivation
def test_survives_being_written_and_read(derivation):
    for data in identities(derivation).values():
        text = IdentityCertificate(data).as_json()
        again = IdentityCertificate.from_json(text)
        assert again.recheck()
        assert again.as_json() == text


def test_a_refused_certificate_proves_nothing():
    data = next(data for name in DERIVATIONS for data in identities(name).values())
    finding = proved(
        [IdentityCertificate(data), IdentityCertificate({**data, "right": 17})],
        "two lines",
        domain="",
    )
    assert finding.verdict is Verdict.INCONCLUSIVE
