"""What the user chose for a report of their own, and the files that are kept of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from altpg_verify.files import write_whole


@dataclass(frozen=True)
class Settings:
    """What the user chose. Args: target: "module:name"; out: folder; policy: as for check, softmax
    if empty; seed, max_examples: of the searches; format: of the page.
    """

    target: str
    out: Path
    policy: str = ""
    seed: int = 0
    max_examples: int = 100
    format: str = "both"


@dataclass(frozen=True)
class Built:
    """What came out.

    Args:
        summary: one line with what was found.
        ok: everything is as it should be.
        pages: the files of the report.
        data: the results as JSON.
    """

    summary: str
    ok: bool
    pages: tuple[Path, ...]
    data: Path

    def told(self) -> str:
        """For the terminal: what was found and where the files are."""
        return "\n".join([self.summary, *map(str, self.pages), str(self.data)])


def kept(
    out: Path, name: str, pages: Mapping[str, bytes], data: bytes, *, summary: str, ok: bool
) -> Built:
    """Write the pages by their names and the data as JSON."""
    built = Built(summary, ok, tuple(out / page for page in pages), out / f"{name}.json")
    write_whole(built.data, data, "--out")
    for path, page in zip(built.pages, pages.values(), strict=True):
        write_whole(path, page, "--out")
    return built
