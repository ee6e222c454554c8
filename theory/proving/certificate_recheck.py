"""Check stored certificates again: reads data, runs none, and loads nothing of what produced them
(no sympy).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import exists, read_json
from altpg_verify.sealing import seal, sealed
from altpg_verify.theory.proving.certificate_statements import statement
from altpg_verify.theory.proving.certificate_store import SCHEMA, digest
from altpg_verify.theory.proving.cover_check import number
from altpg_verify.theory.proving.expansion_bound import is_too_much

CHECKERS: Mapping[str, tuple[str, str]] = {
    "identity": ("kernel", "holds"),
    "exponential sign": ("exponential_check", "sign_holds"),
    "triangle tree": ("exponential_check", "descent_holds"),
    "chain fixed point": ("chain_check", "holds"),
    "simplex cover": ("cover_check", "holds"),
    "exact instance": ("instance_check", "holds"),
    "attracting fixed point": ("instance_check", "attracts"),
}
"""Kind of certificate -> the module of this package that checks it, and its function."""

LARGEST_FILE = 64_000_000
"""Bytes; larger files are not read."""
LARGEST_EXPONENT, LARGEST_BANDIT, LARGEST_FORMULA = 1000, 6, 60_000
"""Derivations need few terms of e to at most a few tens, instances three actions and a formula of a
line; more could only keep the checker busy. A bandit is measured by its actions, with four outcomes
each; a formula by the bits of its numbers, see `expansion_bound`.
"""


@sealed()
@dataclass(frozen=True)
class Checked:
    """What the re-check of one file found.

    A file holds if it has certificates and every one of them does.

    Args:
        path: the file.
        kinds: of the certificates in it, one each.
    """

    path: Path
    kinds: tuple[str, ...] = ()
    refused: tuple[str, ...] = field(default=())
    """The statements of the certificates that don't hold, or why the file as a whole is refused."""
    proved: tuple[str, ...] = field(default=())
    """What the others prove, derived from their data."""
    words: str = ""
    """What the file says of itself, which nothing checks."""

    @property
    def holds(self) -> bool:
        """It has certificates, and none was refused."""
        return bool(self.kinds) and not self.refused


def files_at(paths: Iterable[Path]) -> Iterator[Path]:
    """The certificate files named, and those in the folders named.

    Files of a folder come in the order of their names, those of its folders included.

    Raises:
        BadInput: a path doesn't exist, or a folder has no certificate file.
    """
    for path in paths:
        if not exists(path):
            raise BadInput(f"there is no file or folder {str(path)!r}; check the path")
        if path.is_dir():
            found = sorted(path.rglob("*.json"))
            if not found:
                raise BadInput(
                    f"{str(path)!r} has no certificate (*.json); write some with python -m"
                    f" altpg_verify.theory certify --out {path}"
                )
            yield from found
        else:
            yield path


def recheck_file(path: Path) -> Checked:
    """Check every certificate of one file.

    First the digest, then each certificate by the checker of its kind; nothing of the file is
    executed.

    Raises:
        BadInput: this is no certificate file that can be used; the message names it.
    """
    whole = _read(path)
    entries = whole["certificates"]
    kinds = tuple(entry["kind"] for entry in entries)
    try:
        changed = whole["digest"] != digest(whole)
    except RecursionError as error:
        raise BadInput(f"{str(path)!r} nests too deep for a certificate file") from error
    # damage, not forgery: whoever can write the file can write the digest, too
    if changed:
        return seal(
            Checked(path, kinds, ("the file was changed after it was written: its digest differs",))
        )
    # all of them, so that the report names every one that fails
    accepted = [holds(entry) for entry in entries]
    refused = tuple(
        str(entry["statement"]) for entry, good in zip(entries, accepted, strict=True) if not good
    )
    # where it holds, this is what its data say, not what was written
    proved = tuple(
        statement(entry["kind"], entry["data"])
        for entry, good in zip(entries, accepted, strict=True)
        if good
    )
    return seal(Checked(path, kinds, refused, proved, str(whole["statement"])))


def holds(entry: Mapping[str, Any]) -> bool:
    """Whether one certificate proves what it says; anything malformed proves nothing.

    Its words must be those that its data give, and its size within what the checkers can take; then
    the checker of its kind decides.

    Args:
        entry: kind, statement and data, as `recheck_file` read them.
    """
    kind, data = entry["kind"], entry["data"]
    try:
        if statement(kind, data) != entry["statement"] or _is_too_much(kind, data):
            return False
        module, function = CHECKERS[kind]
        return (
            getattr(importlib.import_module(f"altpg_verify.theory.proving.{module}"), function)(
                data
            )
            is True
        )
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return False


def _is_too_much(kind: str, data: Mapping[str, Any]) -> bool:
    if kind == "identity":
        shown = [["*", one["cofactor"], one["zero"]] for one in data["given"]]
        return is_too_much([data["left"], data["right"], data["witness"], *shown])
    if kind in ("exact instance", "attracting fixed point"):
        # four outcomes stand for one action: a bandit may have many outcomes with few actions
        outcomes = sum(len(one) for one in data["rewards"])
        return max(len(data["weights"]), outcomes / 4) > LARGEST_BANDIT or is_too_much(
            [data["formula"]], LARGEST_FORMULA
        )
    if kind == "chain fixed point":
        # numbers as 3 or 1/2 and no other way: 1e999999999 is a valid fraction, too
        return not all(_is_number(data[name]) for name in data if name != "attracts")
    if kind == "exponential sign":
        return len(data["terms"]) > LARGEST_EXPONENT or any(
            abs(number(exponent)) > LARGEST_EXPONENT for _, exponent in data["terms"]
        )
    if kind in ("triangle tree", "simplex cover"):
        if kind == "simplex cover" and len(data["tree"]) != 3 * len(data["leaves"]) - 2:
            # a binary tree with n leaves has n - 1 cuts: n + 2 (n - 1) marks
            return True  # a mark for each leaf and two for each cut
        distances = [abs(number(data["baseline"]) - number(reward)) for reward in data["rewards"]]
        return number(data["alpha"]) * max(distances) > LARGEST_EXPONENT
    return False


def _is_number(value: Any) -> bool:
    """Text as `number` reads it, or lists of it."""
    return all(map(_is_number, value)) if isinstance(value, list) else number(value) is not None


def _read(path: Path) -> dict[str, Any]:
    name = str(path)
    whole = read_json(path, largest=LARGEST_FILE)
    if not isinstance(whole, dict) or "schema" not in whole:
        raise BadInput(f"{name!r} is no certificate file: it has no schema number")
    if whole["schema"] != SCHEMA:
        raise BadInput(
            f"{name!r} has schema {whole['schema']!r}, and this version reads schema {SCHEMA};"
            " write it again"
        )
    entries = whole.get("certificates")
    fields = ("kind", "statement", "data")
    if (
        not isinstance(entries, list)
        or not entries
        or not all(isinstance(one, dict) and set(one) == set(fields) for one in entries)
    ):
        raise BadInput(
            f"{name!r} is no certificate file: it needs a list of certificates, each with"
            f" {', '.join(fields)}"
        )
    if missing := {"claims", "statement", "domain", "digest"} - set(whole):
        raise BadInput(f"{name!r} is no certificate file: it lacks {', '.join(sorted(missing))}")
    for entry in entries:
        if not isinstance(entry["kind"], str) or entry["kind"] not in CHECKERS:
            raise BadInput(
                f"{name!r} has a certificate of the unknown kind {entry['kind']!r}; known are"
                f" {', '.join(CHECKERS)}"
            )
    return whole
