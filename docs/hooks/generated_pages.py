"""Pages that are made while the site is built, so that they can't grow stale: reference, commands,
claims, and the root's own texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import choices_page
import claims_page
import command_lines
import formulas
import modules
import names_page
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]


def on_files(files: Any, config: Any) -> Any:
    """Add the pages to those of docs/."""
    for path, text in _pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page as it is built."""
    return formulas.typeset(markdown)


def _pages() -> Iterator[tuple[str, str]]:
    yield from modules.pages()
    yield "reference/commands.md", command_lines.page()
    yield "reference/claims.md", claims_page.page()
    yield "reference/names.md", names_page.page()
    yield "reference/choices.md", choices_page.page()
    yield "contributing.md", _at_root("CONTRIBUTING.md")
    yield "changes.md", _at_root("CHANGELOG.md")


def _at_root(name: str) -> str:
    """A text of the repository's root, its links to docs/ made to fit."""
    return re.sub(r"\]\(docs/", "](", (ROOT / name).read_text(encoding="utf-8"))
