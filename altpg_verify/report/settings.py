"""What the user chose for a report, and what came out: of the report on the paper and of the one on
an estimator, update or loss of the user's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from altpg_verify.ledger import Ledger


@dataclass(frozen=True)
class Settings:
    """What the user chose.

    Args:
        out: the folder.
        seed, max_examples: of the searches.
        format: of the page: pdf, html or both.
        profile: of the paper's simulations.
        target: "module:name", for a report of one's own.
        policy: as for check, softmax if empty; for a report of one's own.
    """

    out: Path
    seed: int = 0
    max_examples: int = 200
    format: str = "both"
    profile: str = "quick"
    target: str = ""
    policy: str = ""


@dataclass(frozen=True)
class Built:
    """What came out.

    Args:
        summary: one line with what was found.
        ok: everything is as it should be.
        pages: the files of the report.
        data: the results as JSON.
        ledger: every claim with its verdict, of the report on the paper.
    """

    summary: str
    ok: bool
    pages: tuple[Path, ...]
    data: Path
    ledger: Ledger | None = None

    @property
    def inconsistent(self) -> tuple[str, ...]:
        """Claims with evidence for and against them."""
        entries = () if self.ledger is None else self.ledger.entries
        return tuple(entry.claim.id for entry in entries if entry.inconsistent)

    def text(self) -> str:
        """For the terminal: what was found and where the files are."""
        return "\n".join([self.summary, *map(str, self.pages), str(self.data)])
