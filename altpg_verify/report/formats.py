"""The files that the report's mapping is written as: PDF, HTML or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from altpg_verify.report.html.playground import Playground

FORMATS: Mapping[str, tuple[str, ...]] = {
    "pdf": ("pdf",),
    "html": ("html",),
    "both": ("pdf", "html"),
}
"""What `--format` may be, and the endings of the files that come of it."""

_REPORT = ("sections", "ledger", "conventions")
"""What the report leaves to the proofs, where these are a volume of their own."""

_PROOFS = ("chapters", "summary", "reading", "reproducing")
"""What the proofs leave to the report."""


def rendered(
    content: Mapping[str, Any],
    chosen: str,
    name: str = "report",
    *,
    simplex: Callable[[], Playground | None],
) -> dict[str, bytes]:
    """The report by the names of its files.

    Args:
        chosen: a key of `FORMATS`. name: of the files. simplex: makes the interactive simplex of
            the HTML, or nothing.

    Raises:
        TypesettingError, UntranslatableError, UnreadableMarkupError: the content can't be shown;
        then there is no file at all.
    """
    pages = {}
    # one volume after the other: each takes hundreds of megabytes
    with ThreadPoolExecutor(max_workers=1) as beside:
        pdfs = (
            {
                f"{one}.pdf": beside.submit(_pdf, part)
                for one, part in volumes(content, name).items()
            }
            if "pdf" in FORMATS[chosen]
            else {}
        )
        if "html" in FORMATS[chosen]:
            from altpg_verify.report.html.page import html

            pages[f"{name}.html"] = html(content, simplex=simplex())
        return {**{file: page.result() for file, page in pdfs.items()}, **pages}


def _pdf(content: Mapping[str, Any]) -> bytes:
    from altpg_verify.report.typesetting import pdf

    return pdf(content)


def volumes(content: Mapping[str, Any], name: str = "report") -> dict[str, Mapping[str, Any]]:
    """The PDF files: the report and the proofs, or one for both where a report brings no title for
    the proofs.
    """
    if "proofs" not in content:
        return {name: {**content, "volume": "report", "linked": True}}
    proofs = {key: value for key, value in content.items() if key not in _PROOFS}
    return {
        name: {
            **{key: value for key, value in content.items() if key not in _REPORT},
            "volume": "report",
            "linked": False,
        },
        "proofs": {**proofs, **content["proofs"], "volume": "proofs", "linked": True},
    }
