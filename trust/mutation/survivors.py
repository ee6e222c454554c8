"""Why some mutants may live: an explanation for each that no test notices, and none for any that
one does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

KEPT = Path(__file__).with_name("survivors.json")


def explained(path: Path = KEPT) -> dict[str, str]:
    """Mutant's id -> why it makes no difference that a test should see.

    The file is a list of {"why": a sentence, "mutants": [ids]}.

    Raises:
        ValueError: a mutant is explained twice, or a reason is empty.
    """
    reasons: dict[str, str] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        if not entry["why"].strip():
            raise ValueError(f"{path.name}: {entry['mutants']} have no reason")
        for mutant in entry["mutants"]:
            if mutant in reasons:
                raise ValueError(f"{path.name}: {mutant!r} is explained twice")
            reasons[mutant] = entry["why"]
    return reasons


def stale(reasons: Iterable[str], there: Iterable[str], noticed: Iterable[str]) -> list[str]:
    """Explanations of mutants that there aren't (any more), or that a test notices."""
    exist, seen = set(there), set(noticed)
    return sorted(mutant for mutant in reasons if mutant not in exist or mutant in seen)
