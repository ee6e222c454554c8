"""Chapters that are put into the page when they are opened: the browser takes them for text until
then.

A `noscript` element is text to a browser that runs scripts, and plain HTML to one that doesn't; so
nothing is lost without scripts.
"""

from __future__ import annotations

import re
from html import escape


class UnfoldableError(ValueError):
    """A chapter holds what would end the element that holds it."""


def held(body: str) -> str:
    """HTML that the page's script puts in place when it is wanted.

    Raises:
        UnfoldableError: the text itself has a `noscript` element.
    """
    if re.search("</?noscript", body, re.IGNORECASE):
        raise UnfoldableError(
            "a chapter that is loaded when it is opened can't hold a noscript element"
        )
    return f"<noscript>{body}</noscript>"


def fold(
    name: str, title: str, body: str, *, level: int = 2, opened: bool = False, kind: str = "chapter"
) -> str:
    """A chapter under its heading.

    Args:
        name: its id on the page.
        title: HTML.
        body: HTML, which a browser with scripts reads when the chapter is opened.
        level: of the heading.
        opened: it is there at once.
        kind: a class for the style sheet.

    Raises:
        UnfoldableError: the body has a `noscript` element, and isn't there at once.
    """
    heading = f"<h{level}>{title}</h{level}>"
    if opened:
        return f'<section id="{escape(name)}" class="{kind}">{heading}{body}</section>'
    return (
        f'<section id="{escape(name)}" class="{kind}"><details'
        f' class="fold"><summary>{heading}</summary>{held(body)}</details></section>'
    )
