"""An edit that makes an update what it is meant to be, as it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from altpg_verify.audit.numbers import say_vector

SHORT = 6
"""So many entries of an expected update are shown."""


@dataclass(frozen=True)
class Mend:
    """An edit that makes an update what it is meant to be, with what was found of the edited
    program.

    Args:
        edits: one edit, or two that only help together, each in words.
        where: file and line of each; empty of what was declared.
        strength: how well the edited program's verdict is established: PROVED or HOLDS.
        reservation: "on this space only", where nothing else could be tried; else empty.
        elsewhere: where else it was tried.
        expected: what the expected update becomes at the point of the audit.
        causes: what was wrong, by the edits that mend it: one sentence each.
    """

    edits: tuple[str, ...]
    where: tuple[str, ...]
    strength: str
    reservation: str
    elsewhere: str
    expected: tuple[float, ...]
    causes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """One line for a reader."""
        changes = " and ".join(
            f"{edit} ({where})" if where else edit
            for edit, where in zip(self.edits, self.where, strict=True)
        )
        alone = f", {self.reservation}" if self.reservation else ""
        now = f"; E[g] becomes {say_vector(self.expected)}" if len(self.expected) <= SHORT else ""
        return f"{changes} it is unbiased{alone} ({self.strength}){now}"

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        return {
            "edits": [
                {"edit": edit, "where": where}
                for edit, where in zip(self.edits, self.where, strict=True)
            ],
            "strength": self.strength,
            "reservation": self.reservation,
            "elsewhere": self.elsewhere,
            "expected": list(self.expected),
            "sentence": self.sentence,
        }
