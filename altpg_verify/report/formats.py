"""The files that the report's mapping is written as: PDF, HTML or both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMATS: Mapping[str, tuple[str, ...]] = {"pdf": ("pdf",), "html": ("html",), "both": ("pdf", "html")}
"""What `--format` may be, and the endings of the files that come of it."""


def rendered(content: Mapping[str, Any], chosen: str, *, playground: bool = True) -> dict[str, bytes]:
    """The report by the ending of its file. Args: chosen: a key of `FORMATS`; playground: with the interactive simplex, in HTML.

    Raises:
        TypesettingError, UntranslatableError, UnreadableMarkupError: the content can't be shown; then there is no file at all.
    """
    pages = {}
    for ending in FORMATS[chosen]:
        if ending == "pdf":
            from altpg_verify.report.memory import spare
            from altpg_verify.report.typesetting import pdf

            spare()
            pages[ending] = pdf(content)
        else:
            from altpg_verify.report.html.page import html

            pages[ending] = html(content, playground=playground)
    return pages
