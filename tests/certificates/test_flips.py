"""A certificate in which one number is changed is refused: by its digest, and by its checker even
if the digest is made anew.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from altpg_verify.theory.proving import kernel
from altpg_verify.theory.proving.certificate_recheck import CHECKERS, holds, recheck_file
from altpg_verify.theory.proving.certificate_store import as_text, digest
from tests.certificates.flips import Spot, flipped, spots

CHANGES = (lambda number: number + 1, lambda number: -number if number else -1)
SLACK = {
    "chain fixed point": {"outer", "outer_values", "inner", "inner_values", "slopes"},
    "attracting fixed point": {"inverse"},
}
"""Enclosures that the statement doesn't name: a little wider or narrower they prove the same
statement.
"""


def certificates(wholes: dict) -> Iterator[tuple[str, dict]]:
    for name, whole in wholes.items():
        for number, entry in enumerate(whole["certificates"]):
            yield f"{name}-{number}", entry


def sample(data: dict, each: int | None) -> list[Spot]:
    """The first numbers of every field, or all."""
    fields = defaultdict(list)
    for spot in spots(data):
        path, _ = spot
        fields[path[0] if path[0] != "given" else path[:3]].append(spot)
    return [spot for found in fields.values() for spot in found[:each]]


def changes_nothing(data: dict, spot: Spot, changed: dict) -> bool:
    """The kernel proves that the formula in which the number stands has the same value as
    before.
    """
    path, _ = spot
    keys = path[:3] if path[0] == "given" else path[:1]
    before, after = data, changed
    for key in keys:
        before, after = before[key], after[key]
    return kernel.holds(
        {**data, "left": after, "relation": "=", "right": before, "witness": 0, "given": []}
    )


def refusals(wholes: dict, each: int | None, changes: tuple) -> Counter:
    tried: Counter = Counter()
    for name, entry in certificates(wholes):
        kind, data = entry["kind"], entry["data"]
        for spot in sample(data, each):
            for change in changes:
                changed = flipped(data, spot, change)
                tried[kind] += 1
                if holds({**entry, "data": changed}):
                    harmless = (
                        changes_nothing(data, spot, changed)
                        if kind == "identity"
                        else spot[0][0] in SLACK.get(kind, ())
                    )
                    assert harmless, (
                        f"{name} ({kind}): still holds with the number at {spot} changed"
                    )
                    tried[f"{kind}, harmless"] += 1
    return tried


def test_every_certificate_holds_as_stored(wholes):
    assert [name for name, entry in certificates(wholes) if not holds(entry)] == []


@pytest.mark.slow
def test_a_changed_number_is_refused_by_the_digest_wherever_it_stands(wholes):
    missed = []
    for name, whole in wholes.items():
        for number, entry in enumerate(whole["certificates"]):
            for spot in sample(entry["data"], 3):
                path, place = spot
                changed = flipped(
                    whole, (("certificates", number, "data", *path), place), CHANGES[0]
                )
                if digest(changed) == whole["digest"]:
                    missed.append((name, spot))
    assert missed == []


def test_a_changed_number_is_refused_by_the_checker_itself(wholes):
    # two numbers of every field of every certificate; the slow test below takes them all
    tried = refusals(wholes, 2, CHANGES[:1])
    assert set(CHECKERS) <= set(tried)
    assert tried["identity, harmless"] < tried["identity"] / 50


@pytest.mark.slow
def test_every_number_of_every_certificate(wholes):
    tried = refusals(wholes, None, CHANGES)
    assert tried["identity, harmless"] < tried["identity"] / 50


def test_what_the_digest_and_the_checker_say_of_a_file(wholes, tmp_path):
    whole = wholes["attracts"]
    path = tmp_path / "one.json"
    path.write_text(as_text(whole), encoding="utf-8")
    assert recheck_file(path).holds
    changed = flipped(whole, (("certificates", 0, "data", "rewards", 0, 0), 0), CHANGES[0])
    path.write_text(as_text(changed), encoding="utf-8")
    assert "digest" in recheck_file(path).refused[0]
    path.write_text(as_text({**changed, "digest": digest(changed)}), encoding="utf-8")
    assert recheck_file(path).refused == (whole["certificates"][0]["statement"],)


def test_words_that_say_more_than_the_data_are_refused(wholes):
    for name in ("cover", "attracts", "no-gradient", "chain-exact-fixed-point-value", "unbiased"):
        entry, *_ = wholes[name]["certificates"]
        assert holds(entry)
        assert not holds({**entry, "statement": entry["statement"] + ", always"})
