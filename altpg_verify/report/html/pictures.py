"""A figure's SVG made ready to stand inside an HTML page: ids of its own, nothing but what is
drawn.
"""

from __future__ import annotations

import re
from html import escape

_REFERENCE = re.compile(r'(?:xlink:)?href="#([^"]+)"|url\(#([^)"]+)\)')
_DROPPED = (
    r"<\?xml.*?\?>", r"<!DOCTYPE.*?>", r"<!--.*?-->", r"<metadata>.*?</metadata>", r"<style\b.*?</style>", r"<defs>\s*</defs>",
    r' xmlns(?::xlink)?="[^"]*"', r' version="[^"]*"',
)  # fmt: skip
_COORDINATES = re.compile(r'(?<= )(?:d|x|y)="[^"]*"')


def inlined(svg: str, name: str, alt: str) -> str:
    """The `<svg>` element with its ids put behind the figure's name and its alternative text as a
    label.

    Coordinates are rounded to a hundredth of a point; ids to which nothing refers, metadata and the
    global style are left out.
    """
    for pattern in _DROPPED:
        svg = re.sub(pattern, "", svg, flags=re.DOTALL)
    wanted = {first or second for first, second in _REFERENCE.findall(svg)}
    svg = re.sub(
        r' id="([^"]*)"',
        lambda match: f' id="{name}-{match[1]}"' if match[1] in wanted else "",
        svg,
    )
    svg = _REFERENCE.sub(
        lambda match: f'href="#{name}-{match[1]}"' if match[1] else f"url(#{name}-{match[2]})", svg
    )
    svg = svg.replace("xlink:href=", "href=")
    svg = _COORDINATES.sub(lambda match: re.sub(r"-?\d+\.\d{3,}", _rounded, match[0]), svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg).strip()
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1)


def _rounded(number: re.Match[str]) -> str:
    # adding 0.0 takes the sign off a zero
    return f"{round(float(number[0]), 2) + 0.0:.2f}".rstrip("0").rstrip(".")
