"""What changed since the table that is kept: the same losses, audited with the libraries that are
installed now.

Verdicts are compared by what they say (kind, objective, factor, strength) and by the expected
update at the point, not by their wording.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

CLOSE = 1e-6
"""Relative: libraries that compute in float32 differ by as much between machines."""

MOST = 200
"""Denominators of numbers that are written as fractions."""

NUMBER = re.compile(r"[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[+-]?[0-9]{1,2})?(?:/[1-9][0-9]{0,39})?")
"""A number in a formula; the lengths are bounded since a file may hold anything."""

CASE = ("library", "calls", "setting", "space", "target")
"""What of a row says how the loss was audited; none of it is the library's doing."""


class Outcome(Enum):
    """What became of one row of the kept table."""

    SAME = "same"
    """Nothing of the verdict differs, nor the expected update."""
    REWORDED = "reworded"
    """The same verdict in other words."""
    OTHER_NUMBERS = "same verdict, other numbers"
    """The same verdict; the expected update or the target's gradient at the point is another."""
    CHANGED = "changed"
    """The kind, the objective, where it is one, the factor or the strength is another."""
    FAILS = "can't be audited any more"
    """The library is installed, but the audit doesn't run with it."""
    NEW = "new"
    """There was no verdict to compare with."""
    GONE = "gone"
    """Only the kept table has it."""
    NOT_RUN = "not run"
    """The library isn't installed, or nothing was run then either."""

    @property
    def drifted(self) -> bool:
        """A verdict that was there is another now, or can't be had though the library is
        installed.
        """
        return self in (Outcome.CHANGED, Outcome.FAILS)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Drift:
    """One loss, then and now.

    Args:
        name, package: of the audit.
        outcome: what became of it.
        then, now: the library's versions; empty where it wasn't installed, or there is no such row.
        was, current: the sentences of both verdicts, or why there is none.
        differs: what the verdicts differ in, as (then, now) in words.
        case: what is different in the audit itself and not in the library, as (then, now).
    """

    name: str
    package: str
    outcome: Outcome
    then: str
    now: str
    was: str = ""
    current: str = ""
    differs: Mapping[str, tuple[str, str]] | None = None
    case: Mapping[str, tuple[str, str]] | None = None

    @property
    def versions(self) -> str:
        """The library with its versions: "trl 0.21.0 → 0.22.1", or "trl 0.21.0" where that is
        both.
        """
        return (
            f"{self.package}"
            f" {self.then if self.outcome is Outcome.GONE else versions(self.then, self.now)}"
        )

    def __str__(self) -> str:
        said = str(self.outcome)
        lines = [
            f"  {'kept':<10}{said.upper() if self.outcome.drifted else said} ({self.versions})"
        ]
        if self.outcome in (Outcome.CHANGED, Outcome.FAILS, Outcome.REWORDED):
            lines += [f"  {'was':<10}{self.was}", f"  {'is':<10}{self.current}"]
        elif self.outcome is Outcome.GONE:
            lines.append(f"  {'was':<10}{self.was}")
        lines += [
            f"  {'differs':<10}{name}: {was} → {current}"
            for name, (was, current) in (self.differs or {}).items()
        ]
        lines += [
            f"  {'audited':<10}otherwise than then, {name}: {was} → {current}"
            for name, (was, current) in (self.case or {}).items()
        ]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        pairs = {"differs": self.differs or {}, "case": self.case or {}}
        return {
            "name": self.name,
            "library": self.package,
            "outcome": str(self.outcome),
            "then": self.then,
            "now": self.now,
            "was": self.was,
            "is": self.current,
            **{
                field: {name: {"was": was, "is": current} for name, (was, current) in found.items()}
                for field, found in pairs.items()
            },
        }


def versions(then: str, now: str) -> str:
    """Two versions as one reads them."""
    return then if then == now and then else f"{then or 'not there'} → {now or 'not installed'}"


def compared(was: Mapping[str, Any] | None, current: Mapping[str, Any] | None) -> Drift:
    """A row of the kept table beside the row of the same name found now, both as in JSON; one of
    them may be None.
    """
    row = current or was
    assert row is not None
    then, now = ("" if each is None else each["installed"] for each in (was, current))
    of = {
        "name": row["name"],
        "package": row["library"],
        "then": then,
        "now": now,
        "was": _said(was),
        "current": _said(current),
    }
    if current is None:
        return Drift(**of, outcome=Outcome.GONE)
    case = {} if was is None else _case(was, current)
    if current["audit"] is None:
        fails = was is not None and was["audit"] is not None and current["installed"]
        return Drift(**of, outcome=Outcome.FAILS if fails else Outcome.NOT_RUN, case=case)
    if was is None or was["audit"] is None:
        return Drift(**of, outcome=Outcome.NEW, case=case)
    stated = {name: (old, new) for name, old, new, same in _stated(was, current) if not same}
    moved = {
        name: (old, new)
        for name, old, new, same in _moved(was["audit"], current["audit"])
        if not same
    }
    if stated:
        outcome = Outcome.CHANGED
    elif moved:
        outcome = Outcome.OTHER_NUMBERS
    else:
        outcome = Outcome.SAME if of["was"] == of["current"] else Outcome.REWORDED
    return Drift(**of, outcome=outcome, differs={**stated, **moved}, case=case)


def _said(row: Mapping[str, Any] | None) -> str:
    """The sentence of a row's verdict, or why there is none."""
    return "" if row is None else row["sentence"] or f"{row['kind']}: {row['reason']}"


def _case(was: Mapping[str, Any], current: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    found = {}
    for name in CASE:
        old, new = (row.get(name, (row["audit"] or {}).get(name)) for row in (was, current))
        if old is not None and new is not None and old != new:
            found[name] = (old, new)
    return found


def _stated(
    was: Mapping[str, Any], current: Mapping[str, Any]
) -> Iterable[tuple[str, str, str, bool]]:
    """(name, then, now, the same) for everything that a verdict states."""
    old, new = was["audit"], current["audit"]
    yield "kind", was["kind"], current["kind"], was["kind"] == current["kind"]
    yield (
        "objective",
        old["follows"] or "none",
        new["follows"] or "none",
        _plain(old["follows"]) == _plain(new["follows"]),
    )
    where, here = (audit.get("reservation") or "everywhere" for audit in (old, new))
    yield "where", where, here, where == here
    yield (
        "factor",
        _factor(old["scale"]),
        _factor(new["scale"]),
        _same_factor(old["scale"], new["scale"]),
    )
    yield "strength", old["strength"], new["strength"], old["strength"] == new["strength"]


def _plain(formula: str) -> str:
    """A formula with every number as a fraction, and without spaces: 0.01·H and 1/100 · H are the
    same.
    """
    return "".join(NUMBER.sub(_as_fraction, formula).split())


def _as_fraction(match: re.Match[str]) -> str:
    above, _, below = match.group().partition("/")
    return str(Fraction(above) / int(below or 1))


def _factor(scale: Mapping[str, Any] | None) -> str:
    if scale is None:
        return "none"
    parts = ", ".join(
        f"{_number(value)} for {name}" if name else _number(value)
        for name, value in scale["factors"].items()
    )
    parts += "" if scale["constant"] else ", changing with the policy"
    return parts + (f", not with {scale['alone']}" if scale.get("alone") else "")


def _number(value: float) -> str:
    """A short fraction if ten digits, which are all that a table holds, are those of one; else
    eight digits, so that what differs shows.
    """
    short = Fraction(value).limit_denominator(MOST)
    return str(short) if abs(float(short) - value) <= 5e-10 * abs(value) else f"{value:.8g}"


def _same_factor(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return old is new
    if (
        set(old["factors"]) != set(new["factors"])
        or old["constant"] != new["constant"]
        or old.get("alone", "") != new.get("alone", "")
    ):
        return False
    return all(_near([value], [new["factors"][name]]) for name, value in old["factors"].items())


def _moved(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[tuple[str, str, str, bool]]:
    """(name, then, now, the same) for the vectors at the point of the audit."""
    for name, said in (("expected", "expected update"), ("gradient", "gradient of the target")):
        was, current = (f"({', '.join(map(_number, audit[name]))})" for audit in (old, new))
        yield said, was, current, _near(old[name], new[name])


def _near(old: Sequence[float], new: Sequence[float]) -> bool:
    """Equal up to CLOSE times the larger one's largest entry."""
    one, other = np.array(old, float), np.array(new, float)
    if one.shape != other.shape:
        return False
    largest = max((abs(entry) for entry in (*old, *new)), default=0.0)
    return bool((np.abs(one - other) <= CLOSE * largest).all())


def gone(
    kept: Mapping[str, Mapping[str, Any]], found: Iterable[str], only: str = ""
) -> list[Drift]:
    """The kept rows that nothing was found for, of those whose name contains `only`."""
    names = set(found)
    return [
        compared(row, None)
        for name, row in kept.items()
        if name not in names and only.lower() in name.lower()
    ]


def other_versions(drifts: Iterable[Drift]) -> dict[str, str]:
    """The libraries that have another version now, or none, with both: {"trl": "0.21.0 →
    0.22.1"}.
    """
    pairs = {
        each.package: (each.then, each.now)
        for each in drifts
        if each.then and each.outcome is not Outcome.GONE
    }
    return {library: versions(*pair) for library, pair in pairs.items() if pair[0] != pair[1]}


def summary(drifts: Sequence[Drift], shown: str) -> str:
    """How many rows came out how, which of them drifted, and which libraries have other versions; a
    line each.
    """
    counts = Counter(each.outcome for each in drifts)
    lines = [
        f"compared with {shown}: "
        + ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])
    ]
    lines += [
        f"  {each.outcome}: {each.name} ({each.versions})"
        for each in drifts
        if each.outcome not in (Outcome.SAME, Outcome.REWORDED)
    ]
    found = other_versions(drifts)
    lines.append(
        "versions: "
        + (", ".join(f"{library} {pair}" for library, pair in found.items()) or "as they were")
    )
    return "\n".join(lines)


def as_data(drifts: Sequence[Drift], shown: str) -> dict[str, Any]:
    """The comparison as plain data, fit for JSON."""
    counts = Counter(each.outcome for each in drifts)
    return {
        "with": shown,
        "outcomes": {str(outcome): counts[outcome] for outcome in Outcome if counts[outcome]},
        "versions": other_versions(drifts),
        "rows": [each.as_dict() for each in drifts],
    }
