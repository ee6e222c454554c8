"""From content to PDF: the template, the content as data, and Typst with every warning an error."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping
from importlib import resources
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.report.safe_path import safe_path

STANDARDS = ["a-2a", "ua-1"]
"""PDF/A-2a, to be kept; PDF/UA-1: tagged, with alternative texts, readable by a screen reader."""


class TypesettingError(RuntimeError):
    """Typst refused the document or warned about it; the message is Typst's own, with the line."""


PAGES = ("design", "parts", "claims")
"""What the volumes share, in the order in which the files build on each other."""


def pdf(content: Mapping[str, Any]) -> bytes:
    """A volume as PDF; the same content gives the same bytes, on any machine.

    Raises:
        TypesettingError: Typst reports an error or a warning.
    """
    files = sources(content)
    compile_here = len(files["content.json"]) < _LARGE
    return compiled(files, pdf_standards=STANDARDS) if compile_here else _apart(files)


_LARGE = 1_000_000
"""From so many bytes of content on Typst runs in a process of its own: it needs half a gigabyte,
and keeps it.
"""


def _apart(files: Mapping[str, bytes]) -> bytes:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        with safe_path():
            waiting = process.submit(compiled, files, pdf_standards=STANDARDS)
        return waiting.result()


def sources(content: Mapping[str, Any]) -> dict[str, bytes]:
    """The files that Typst is given: those of the volume's pages, and the content with a date.

    Args:
        content: of one volume, plain data; its `volume` names the page that lays it out.
    """
    folder = resources.files("altpg_verify.report").joinpath("pages")
    pages = {f"{name}.typ": folder.joinpath(f"{name}.typ").read_bytes() for name in PAGES}
    # sorted, so that the same content gives the same bytes
    data = json.dumps({**content, "date": dated()}, ensure_ascii=False, sort_keys=True).encode()
    return {
        "main.typ": folder.joinpath(f"{content['volume']}.typ").read_bytes(),
        **pages,
        "content.json": data,
    }


def dated() -> tuple[int, int, int]:
    """Year, month and day of the file, which PDF/A asks for: of `SOURCE_DATE_EPOCH`, else the fixed
    day that Python's wheels bear.

    Raises:
        BadInput: `SOURCE_DATE_EPOCH` is no number of seconds.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        return 2020, 2, 2
    try:
        day = datetime.datetime.fromtimestamp(int(given), datetime.UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise BadInput(
            f"SOURCE_DATE_EPOCH={given!r} is no time; set it to whole seconds since 1970, or"
            " unset it"
        ) from error
    return day.year, day.month, day.day


def compiled(files: Mapping[str, bytes], **options: Any) -> bytes:
    """Compile virtual files, `main.typ` first, with the fonts inside the Typst wheel only.

    Args:
        files: name -> content.
        options: of Typst, such as the standards that the PDF is to keep.

    Raises:
        TypesettingError: Typst reports an error or a warning, or gives several files.
    """
    import typst

    try:
        output, warnings = typst.compile_with_warnings(
            dict(files), ignore_system_fonts=True, **options
        )
    except typst.TypstError as error:
        raise TypesettingError(
            "\n".join(
                [getattr(error, "diagnostic", "") or str(error), *getattr(error, "hints", [])]
            )
        ) from error
    if warnings:
        raise TypesettingError(
            "\n".join(getattr(warning, "diagnostic", "") or str(warning) for warning in warnings)
        )
    if not isinstance(output, bytes):
        raise TypesettingError(f"expected one file, got {type(output).__name__}")
    return output
