"""The marks of the verdicts: told apart by word and shape, colour only helps; the shapes are those
of the PDF.
"""

from __future__ import annotations

SHAPES = {
    "PROVED": '<circle cx="5" cy="5" r="5" stroke="none"/>',
    "CERTIFIED": '<rect width="10" height="10" stroke="none"/>',
    "HOLDS": '<path d="M5 0L10 5L5 10L0 5Z" stroke="none"/>',
    "SUPPORTED": '<circle cx="5" cy="5" r="4.1" fill="none" stroke-width="1.8"/>',
    "REFUTED": '<path d="M0 0L10 10M10 0L0 10" fill="none" stroke-width="2.6"/>',
    "INCONCLUSIVE": '<path d="M5 1L9.5 9.3H.5Z" fill="none" stroke-width="1.6"/>',
    "SKIPPED": '<path d="M0 5H10" fill="none" stroke-width="1.8"/>',
    "NO": '<path d="M1.2 1.2L8.8 8.8M8.8 1.2L1.2 8.8" fill="none" stroke-width="1.3"/>',
    "INTENDED": '<path d="M0 6C2 2.5 3.5 2.5 5 5S8 7.5 10 4" fill="none" stroke-width="1.8"/>',
    "NOT RUN": (
        '<rect x=".7" y=".7" width="8.6" height="8.6" fill="none" stroke-width="1.3"'
        ' stroke-dasharray="1.5 1.2"/>'
    ),
}


def css_class(verdict: str) -> str:
    """v-proved, v-not-run."""
    return f"v-{verdict.lower().replace(' ', '-')}"


def sprite() -> str:
    """All shapes once, for the marks to refer to."""
    symbols = "".join(
        f'<symbol id="mark-{css_class(name)}" viewBox="0 0 10 10">{shape}</symbol>'
        for name, shape in SHAPES.items()
    )
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{symbols}</svg>'


def mark(verdict: str, *, labelled: bool = True) -> str:
    """The shape alone, as an SVG that refers to the `sprite`.

    Args:
        verdict: as printed.
        labelled: no word stands beside it, so it must say its verdict itself.
    """
    label = f'role="img" aria-label="{verdict.lower()}"' if labelled else 'aria-hidden="true"'
    return (
        f'<svg class="mark {css_class(verdict)}" {label}><use'
        f' href="#mark-{css_class(verdict)}"/></svg>'
    )


def chip(verdict: str) -> str:
    """The shape and the word in a frame."""
    inner = f'<svg class="mark" aria-hidden="true"><use href="#mark-{css_class(verdict)}"/></svg>'
    return f'<span class="chip {css_class(verdict)}">{inner}{verdict}</span>'
