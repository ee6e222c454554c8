"""The files that are kept of a report of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from altpg_verify.files import write_whole
from altpg_verify.report.settings import Built


def kept(
    out: Path, name: str, pages: Mapping[str, bytes], data: bytes, *, summary: str, ok: bool
) -> Built:
    """Write the pages by their names and the data as JSON."""
    built = Built(summary, ok, tuple(out / page for page in pages), out / f"{name}.json")
    write_whole(built.data, data, "--out")
    for path, page in zip(built.pages, pages.values(), strict=True):
        write_whole(path, page, "--out")
    return built
