"""The table of audits that is kept: where it is, and whether a file is one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadInput
from altpg_verify.files import exists, read_json
from altpg_verify.verdicts import Verdict

NAME = "reports/audits.json"
"""The table that is kept, in a checkout."""

KEPT = Path(__file__).parents[3] / NAME

ARGUMENT = "--against: "

LARGEST = 1e300
"""Numbers as large are not read: their differences would be infinite."""


def kept_table(
    against: Path | None, written: str | None
) -> tuple[dict[str, dict[str, Any]] | None, str]:
    """The rows to compare with by name, and what the table is called; None, and why, where nothing
    can be compared.

    Args:
        against: the table that was asked for; by default the checkout's, which an installed package
            doesn't have.
        written: where the new table will be written, if anywhere: what is written over need not be
            readable.

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
    return written not in (None, "", "-") and os.path.realpath(str(written)) == os.path.realpath(
        against or KEPT
    )


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
        raise BadInput(
            f"{ARGUMENT}{shown!r} is no table of audits, or another version's ({error}); {mend}"
        ) from error
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
    _expect(
        row["kind"] in {str(Verdict.NOT_RUN), *map(str, Kind)},
        f"row {number} has an unknown kind, {row['kind']!r}",
    )
    ran = row["kind"] != str(Verdict.NOT_RUN)
    audit = row.get("audit")
    _expect(
        isinstance(audit, dict) if ran else audit is None,
        f"row {number} has {'no' if ran else 'an'} audit",
    )
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
