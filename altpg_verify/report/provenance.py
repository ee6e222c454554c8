"""What a stored ledger was made with, the code that judges claims and the settings: so that one
knows whether it still holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import altpg_verify

CODE = (".py", ".v", ".smt2")
"""Endings of files from which verdicts come."""

SAID_ONLY = ("altpg_verify/report/html/", "altpg_verify/report/own/")
"""Folders that only show what was found."""


def code_digest() -> str:
    """sha256 over all files of the project that can change a verdict, as hex digits; the same on
    every machine.

    Over the bytes of each file, after its name and length, in the order of names; what only shows
    results is left out. A comment changes it, too: that costs a computation, and never a wrong
    reuse.
    """
    root = Path(altpg_verify.__file__).parent.parent
    folders = [root / name for name in ("altpg_verify", "theory", "sim")]
    found = hashlib.sha256()
    for path in sorted(
        path for folder in folders for path in folder.rglob("*") if path.suffix in CODE
    ):
        name = path.relative_to(root).as_posix()
        if not name.startswith(SAID_ONLY):
            content = path.read_bytes()
            # with its name and length, so that no two sets of files are written alike
            found.update(f"{name} {len(content)}\n".encode() + content)
    return found.hexdigest()


def made(*, profile: str, max_examples: int, seed: int) -> dict[str, object]:
    """What a ledger says of how it was made: enough to know whether it would come out the same.

    Args:
        profile: of the simulations.
        max_examples, seed: of the searches.
    """
    return {"code": code_digest(), "profile": profile, "max_examples": max_examples, "seed": seed}


def fits(ledger: Mapping[str, Any], *, max_examples: int, seed: int) -> bool:
    """Whether this code, with these settings, made the ledger; the scale of its simulations may be
    any.

    Args:
        ledger: as its JSON has it.
        max_examples, seed: of the searches that are wanted.
    """
    found = ledger.get("made")
    if not isinstance(found, dict):
        return False
    return found == made(profile=found.get("profile", ""), max_examples=max_examples, seed=seed)
