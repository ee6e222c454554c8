"""reports/trust.json: the figures of every part, with when, where and by which command they were
made.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import exists, read_json, write_whole
from trust.checkout import ROOT
from trust.figures import Outcome, Part

KEPT = ROOT / "reports" / "trust.json"
SCHEMA = 1
_PACKAGES = ("numpy", "scipy", "sympy", "numba", "hypothesis", "pytest")


def today() -> str:
    """The date in UTC, as it is kept."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def entry(part: Part, outcome: Outcome, seconds: float, sample: bool) -> dict[str, Any]:
    """What the file holds for one part: its figures with their bounds, and when, where and by which
    command they were made.

    Args:
        part: which.
        outcome: its figures, notes and details.
        seconds: by the clock.
        sample: a small share was run, as in CI.
    """
    return {
        "name": part.name,
        "title": part.title,
        "command": f"python -m trust --only {part.name}" + (" --sample" if sample else ""),
        "date": today(),
        "seconds": round(seconds, 1),
        "machine": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
            **{name: metadata.version(name) for name in _PACKAGES},
        },
        "figures": [
            {
                "name": figure.name,
                "value": figure.value,
                "says": figure.summary,
                "target": figure.target,
                "met": figure.met if figure.bounded else None,
            }
            for figure in outcome.figures
        ],
        "notes": list(outcome.notes),
        "details": outcome.details,
    }


def read(path: Path) -> dict[str, Any]:
    """What is kept; an empty record if there is no file.

    Raises:
        BadInput: the file isn't one of these.
    """
    if not exists(path):
        return {"schema": SCHEMA, "parts": []}
    kept = read_json(path, "--out: ", "move it away")
    if not isinstance(kept, dict) or kept.get("schema") != SCHEMA or not _parts(kept.get("parts")):
        raise BadInput(
            f"--out: {str(path)!r} isn't a record of this version (schema {SCHEMA}); move it away"
        )
    return kept


def of_part(kept: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The entry of one part in what `read` gave; None if it was never kept."""
    return next((one for one in kept["parts"] if one["name"] == name), None)


def write(path: Path, kept: dict[str, Any], option: str) -> None:
    """Write the whole record, whole or not at all.

    Args:
        path: of the file.
        kept: what it is to hold.
        option: the one that named the file, for messages.
    """
    write_whole(path, (json.dumps(kept, indent=1, ensure_ascii=False) + "\n").encode(), option)


def _parts(found: Any) -> bool:
    return isinstance(found, list) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str) for one in found
    )


def keep(path: Path, made: dict[str, Any], order: list[str]) -> None:
    """Put one part's entry into the file in place of its older one; those of other parts stay as
    they are.

    Args:
        path: of the file.
        made: the entry.
        order: names of all parts, in which the entries are sorted.

    Raises:
        BadInput: the file isn't a record, or can't be written.
    """
    others = [old for old in read(path)["parts"] if old["name"] != made["name"]]
    parts = sorted(
        [*others, made],
        key=lambda one: order.index(one["name"]) if one["name"] in order else len(order),
    )
    write(path, {"schema": SCHEMA, "parts": parts}, "--out")
