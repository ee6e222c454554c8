"""What changed since the table that is kept: the same losses, audited with the libraries that are installed now.

Verdicts are compared by what they say (kind, objective, factor, strength) and by the expected update at the point, not by their wording.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.audit.findings import Kind
from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.errors import BadInput
from altpg_verify.files import exists, read_json
from altpg_verify.verdicts import Verdict

NAME = "reports/audits.json"
"""The table that is kept, in a checkout."""

KEPT = Path(__file__).parents[3] / NAME

ARGUMENT = "--against: "

CLOSE = 1e-6
"""Relative: libraries that compute in float32 differ by as much between machines."""

LARGEST = 1e300
"""Numbers as large are not read: their differences would be infinite."""

NUMBER = re.compile(r"[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[+-]?[0-9]{1,2})?(?:/[1-9][0-9]{0,39})?")
"""A number in a formula; the lengths are bounded since a file may hold anything."""

CASE = ("library", "calls", "setting", "space", "target")
"""What of a row says how the loss was audited; none of it is the library's doing."""


class Outcome(Enum):
    """What became of one row of the kept table."""

    SAME = "same"
    REWORDED = "reworded"
    OTHER_NUMBERS = "same verdict, other numbers"
    CHANGED = "changed"
    FAILS = "can't be audited any more"
    NEW = "new"
    GONE = "gone"
    NOT_RUN = "not run"

    @property
    def drifted(self) -> bool:
        """A verdict that was there is another now, or can't be had though the library is installed."""
        return self in (Outcome.CHANGED, Outcome.FAILS)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Drift:
    """One loss, then and now.

    Args:
        name, library: of the audit.
        outcome: what became of it.
        then, now: the library's versions; empty where it wasn't installed, or there is no such row.
        was, told: the sentences of both verdicts, or why there is none.
        differs: what the verdicts differ in, as (then, now) in words.
        case: what is different in the audit itself and not in the library, as (then, now).
    """

    name: str
    library: str
    outcome: Outcome
    then: str
    now: str
    was: str = ""
    told: str = ""
    differs: Mapping[str, tuple[str, str]] | None = None
    case: Mapping[str, tuple[str, str]] | None = None

    @property
    def versions(self) -> str:
        """The library with its versions: "trl 0.21.0 → 0.22.1", or "trl 0.21.0" where that is both."""
        return f"{self.library} {self.then if self.outcome is Outcome.GONE else versions(self.then, self.now)}"

    def __str__(self) -> str:
        said = str(self.outcome)
        lines = [f"  {'kept':<10}{said.upper() if self.outcome.drifted else said} ({self.versions})"]
        if self.outcome in (Outcome.CHANGED, Outcome.FAILS, Outcome.REWORDED):
            lines += [f"  {'was':<10}{self.was}", f"  {'is':<10}{self.told}"]
        elif self.outcome is Outcome.GONE:
            lines.append(f"  {'was':<10}{self.was}")
        lines += [f"  {'differs':<10}{name}: {was} → {told}" for name, (was, told) in (self.differs or {}).items()]
        lines += [f"  {'audited':<10}otherwise than then, {name}: {was} → {told}" for name, (was, told) in (self.case or {}).items()]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        pairs = {"differs": self.differs or {}, "case": self.case or {}}
        return {
            "name": self.name,
            "library": self.library,
            "outcome": str(self.outcome),
            "then": self.then,
            "now": self.now,
            "was": self.was,
            "is": self.told,
            **{field: {name: {"was": was, "is": told} for name, (was, told) in found.items()} for field, found in pairs.items()},
        }


def versions(then: str, now: str) -> str:
    """Two versions as one reads them."""
    return then if then == now and then else f"{then or 'not there'} → {now or 'not installed'}"


def kept_table(against: Path | None, written: str | None) -> tuple[dict[str, dict[str, Any]] | None, str]:
    """The rows to compare with by name, and what the table is called; None, and why, where nothing can be compared.

    Args:
        against: the table that was asked for; by default the checkout's, which an installed package doesn't have.
        written: where the new table will be written, if anywhere: what is written over need not be readable.

    Raises:
        BadInput: as `read_kept`.
    """
    path, shown = (KEPT, NAME) if against is None else (against, str(against))
    try:
        return read_kept(path, shown), shown
    except BadInput as error:
        if written_over(against, written) or (against is None and not exists(path)):
            return None, f"nothing was compared: {str(error).removeprefix(ARGUMENT)}"
        raise


def written_over(against: Path | None, written: str | None) -> bool:
    """Whether the new table is written to the file that it is compared with."""
    return written not in (None, "", "-") and os.path.realpath(str(written)) == os.path.realpath(against or KEPT)


def read_kept(path: Path, shown: str = "") -> dict[str, dict[str, Any]]:
    """The rows of a kept table by name.

    Args:
        shown: how the path is written in messages; as it is by default.

    Raises:
        BadInput: there is no such file, or it is no table of audits as `--json` writes it.
    """
    shown = shown or str(path)
    mend = f"keep a table with: python -m altpg_verify audits --json {shown}"
    if not exists(path):
        raise BadInput(f"{ARGUMENT}there is no table {shown!r}; {mend}")
    table = read_json(path, ARGUMENT, mend)
    try:
        _expect(isinstance(table, dict) and isinstance(table.get("rows"), list), "no list of rows")
        found: dict[str, dict[str, Any]] = {}
        for number, row in enumerate(table["rows"], 1):
            _check_row(row, number)
            _expect(row["name"] not in found, f"row {number} is a second {row['name']!r}")
            found[row["name"]] = row
    except _Schema as error:
        raise BadInput(f"{ARGUMENT}{shown!r} is no table of audits, or another version's ({error}); {mend}") from error
    return found


class _Schema(Exception):
    """What of a table isn't as it is written."""


def _expect(met: bool, otherwise: str) -> None:
    if not met:
        raise _Schema(otherwise)


def _check_row(row: Any, number: int) -> None:
    """Everything of a row that is read here."""
    _expect(isinstance(row, dict), f"row {number} is no object")
    for name in ("name", "library", "installed", "calls", "setting", "kind", "sentence", "reason"):
        _expect(isinstance(row.get(name), str), f"row {number} has no text {name!r}")
    _expect(row["kind"] in {str(Verdict.NOT_RUN), *map(str, Kind)}, f"row {number} has an unknown kind, {row['kind']!r}")
    ran = row["kind"] != str(Verdict.NOT_RUN)
    audit = row.get("audit")
    _expect(isinstance(audit, dict) if ran else audit is None, f"row {number} has {'no' if ran else 'an'} audit")
    if not ran:
        return
    for name in ("space", "target", "follows", "strength"):
        _expect(isinstance(audit.get(name), str), f"the audit of row {number} has no text {name!r}")
    for name in ("expected", "gradient"):
        _expect(
            isinstance(audit.get(name), list) and all(map(_is_number, audit[name])),
            f"{name!r} of row {number} is no list of finite numbers",
        )
    scale = audit.get("scale")
    _expect(
        scale is None
        or (
            isinstance(scale, dict)
            and isinstance(scale.get("factors"), dict)
            and all(map(_is_number, scale["factors"].values()))
            and isinstance(scale.get("constant"), bool)
        ),
        f"the scale of row {number} is no factors",
    )


def _is_number(entry: Any) -> bool:
    return isinstance(entry, int | float) and not isinstance(entry, bool) and abs(entry) < LARGEST


def compared(was: Mapping[str, Any] | None, told: Mapping[str, Any] | None) -> Drift:
    """A row of the kept table beside the row of the same name found now, both as in JSON; one of them may be None."""
    row = told or was
    assert row is not None
    then, now = ("" if each is None else each["installed"] for each in (was, told))
    of = {"name": row["name"], "library": row["library"], "then": then, "now": now, "was": _said(was), "told": _said(told)}
    if told is None:
        return Drift(**of, outcome=Outcome.GONE)
    case = {} if was is None else _case(was, told)
    if told["audit"] is None:
        fails = was is not None and was["audit"] is not None and told["installed"]
        return Drift(**of, outcome=Outcome.FAILS if fails else Outcome.NOT_RUN, case=case)
    if was is None or was["audit"] is None:
        return Drift(**of, outcome=Outcome.NEW, case=case)
    stated = {name: (old, new) for name, old, new, same in _stated(was, told) if not same}
    moved = {name: (old, new) for name, old, new, same in _moved(was["audit"], told["audit"]) if not same}
    if stated:
        outcome = Outcome.CHANGED
    elif moved:
        outcome = Outcome.OTHER_NUMBERS
    else:
        outcome = Outcome.SAME if of["was"] == of["told"] else Outcome.REWORDED
    return Drift(**of, outcome=outcome, differs={**stated, **moved}, case=case)


def _said(row: Mapping[str, Any] | None) -> str:
    """The sentence of a row's verdict, or why there is none."""
    return "" if row is None else row["sentence"] or f"{row['kind']}: {row['reason']}"


def _case(was: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    found = {}
    for name in CASE:
        old, new = (row.get(name, (row["audit"] or {}).get(name)) for row in (was, told))
        if old is not None and new is not None and old != new:
            found[name] = (old, new)
    return found


def _stated(was: Mapping[str, Any], told: Mapping[str, Any]) -> Iterable[tuple[str, str, str, bool]]:
    """(name, then, now, the same) for everything that a verdict states."""
    old, new = was["audit"], told["audit"]
    yield "kind", was["kind"], told["kind"], was["kind"] == told["kind"]
    yield "objective", old["follows"] or "none", new["follows"] or "none", _plain(old["follows"]) == _plain(new["follows"])
    where, here = (audit.get("reservation") or "everywhere" for audit in (old, new))
    yield "where", where, here, where == here
    yield "factor", _factor(old["scale"]), _factor(new["scale"]), _same_factor(old["scale"], new["scale"])
    yield "strength", old["strength"], new["strength"], old["strength"] == new["strength"]


def _plain(formula: str) -> str:
    """A formula with every number as a fraction, and without spaces: 0.01·H and 1/100 · H are the same."""
    return "".join(NUMBER.sub(_as_fraction, formula).split())


def _as_fraction(match: re.Match[str]) -> str:
    above, _, below = match.group().partition("/")
    return str(Fraction(above) / int(below or 1))


def _factor(scale: Mapping[str, Any] | None) -> str:
    if scale is None:
        return "none"
    parts = ", ".join(f"{say(value)} for {name}" if name else say(value) for name, value in scale["factors"].items())
    return (
        parts + ("" if scale["constant"] else ", changing with the policy") + (f", not with {scale['alone']}" if scale.get("alone") else "")
    )


def _same_factor(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return old is new
    if set(old["factors"]) != set(new["factors"]) or old["constant"] != new["constant"] or old.get("alone", "") != new.get("alone", ""):
        return False
    return all(_near([value], [new["factors"][name]]) for name, value in old["factors"].items())


def _moved(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[tuple[str, str, str, bool]]:
    """(name, then, now, the same) for the vectors at the point of the audit."""
    for name, said in (("expected", "expected update"), ("gradient", "gradient of the target")):
        yield said, say_vector(old[name]), say_vector(new[name]), _near(old[name], new[name])


def _near(old: Sequence[float], new: Sequence[float]) -> bool:
    """Equal up to CLOSE times the larger one's largest entry."""
    one, other = np.array(old, float), np.array(new, float)
    if one.shape != other.shape:
        return False
    largest = max((abs(entry) for entry in (*old, *new)), default=0.0)
    return bool((np.abs(one - other) <= CLOSE * largest).all())


def gone(kept: Mapping[str, Mapping[str, Any]], found: Iterable[str], only: str = "") -> list[Drift]:
    """The kept rows that nothing was found for, of those whose name contains `only`."""
    names = set(found)
    return [compared(row, None) for name, row in kept.items() if name not in names and only.lower() in name.lower()]


def other_versions(drifts: Iterable[Drift]) -> dict[str, str]:
    """The libraries that have another version now, or none, with both: {"trl": "0.21.0 → 0.22.1"}."""
    pairs = {each.library: (each.then, each.now) for each in drifts if each.then and each.outcome is not Outcome.GONE}
    return {library: versions(*pair) for library, pair in pairs.items() if pair[0] != pair[1]}


def summary(drifts: Sequence[Drift], shown: str) -> str:
    """How many rows came out how, which of them drifted, and which libraries have other versions; a line each."""
    counts = Counter(each.outcome for each in drifts)
    lines = [f"compared with {shown}: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])]
    lines += [f"  {each.outcome}: {each.name} ({each.versions})" for each in drifts if each.outcome not in (Outcome.SAME, Outcome.REWORDED)]
    found = other_versions(drifts)
    lines.append("versions: " + (", ".join(f"{library} {pair}" for library, pair in found.items()) or "as they were"))
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
