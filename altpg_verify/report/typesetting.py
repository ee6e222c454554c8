"""From content to PDF: the template, the content as data, and Typst with every warning an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

STANDARD = "ua-1"
"""PDF/UA-1: tagged, with alternative texts, readable by a screen reader."""


class TypesettingError(RuntimeError):
    """Typst refused the document or warned about it; the message is Typst's own, with the line."""


def pdf(content: Mapping[str, Any]) -> bytes:
    """The report as PDF; the same content gives the same bytes, on any machine.

    Raises:
        TypesettingError: Typst reports an error or a warning.
    """
    template = resources.files("altpg_verify.report").joinpath("template.typ").read_bytes()
    data = json.dumps(content, ensure_ascii=False, sort_keys=True).encode()
    return compiled({"main.typ": template, "content.json": data}, pdf_standards=STANDARD)


def compiled(files: Mapping[str, bytes], **options: Any) -> bytes:
    """Compile virtual files, `main.typ` first, with the fonts inside the Typst wheel only."""
    import typst

    try:
        output, warnings = typst.compile_with_warnings(dict(files), ignore_system_fonts=True, **options)
    except typst.TypstError as error:
        raise TypesettingError("\n".join([getattr(error, "diagnostic", "") or str(error), *getattr(error, "hints", [])])) from error
    if warnings:
        raise TypesettingError("\n".join(getattr(warning, "diagnostic", "") or str(warning) for warning in warnings))
    if not isinstance(output, bytes):
        raise TypesettingError(f"expected one file, got {type(output).__name__}")
    return output
