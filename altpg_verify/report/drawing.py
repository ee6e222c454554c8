"""A blank figure whose bytes don't depend on the machine: bundled metrics, fixed ids, no date,
palette and sizes of the report.

Text stays text in the SVG, under the name of the report's own font: on the page it is set in the
same letters as the words around it, and it can be searched and read aloud.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEXT_WIDTH = 6.3
"""Width of the text on the page, in inches: figures are drawn at the size they are printed."""

COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#7A4FA3",
    "#8A5A2B",
    "#7F7F7F",
)
"""Okabe and Ito's palette, distinguishable by the colour-blind, and three more."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
DASHES: tuple[Any, ...] = (
    "-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1, 1, 1, 1, 1)),
    (0, (8, 3)), (0, (1, 3)), (0, (4, 1, 1, 1)), (0, (2.5, 2.5)), (0, (9, 1.5, 3, 1.5)),
)  # fmt: skip
"""Line patterns, so that no two series depend on colour."""

INK, FAINT, PALE = "#1c2430", "#5a6472", "#e3e7ec"
FONT = "New Computer Modern"
_METRICS = "altpg-verify metrics"


@contextmanager
def blank(width: float, height: float) -> Iterator[Figure]:
    """A figure of the report's look, in inches; draw on it inside the block and export it there.

    Args:
        width, height: in inches, at the size at which it is printed.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    _register_metrics()
    style: Any = {
        "font.family": _METRICS, "font.size": 8.5, "axes.titlesize": 9, "axes.labelsize": 8.5, "legend.fontsize": 8.5,
        "xtick.labelsize": 8, "ytick.labelsize": 8, "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK,
        "xtick.color": INK, "ytick.color": INK, "axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
        "axes.titley": 1.0, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.2, "lines.markersize": 4,
        "svg.fonttype": "none", "svg.hashsalt": "altpg-verify", "axes.unicode_minus": True, "mathtext.default": "regular",
    }  # fmt: skip
    with mpl.rc_context(style):
        yield Figure(figsize=(width, height), layout="constrained")


def svg(figure: Figure) -> str:
    """The figure as SVG text, the same on every machine: no date, no version, ids from a fixed
    salt, and text as text.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.StringIO()
    # `savefig` would draw it twice, once for the layout alone
    FigureCanvasSVG(figure).print_svg(out, metadata={"Date": None, "Creator": None})
    return re.sub(
        r"(?<=>)[^<>]+(?=</text>)",
        _subscripts,
        out.getvalue().replace(f"'{_METRICS}'", f"'{FONT}'"),
    )


def ruled(axis: Any) -> None:
    """Pale lines across, behind what is drawn."""
    axis.grid(axis="y", color=PALE, linewidth=0.5)
    axis.set_axisbelow(True)


def _subscripts(text: re.Match[str]) -> str:
    """The words of a label with r_π, s_3 and the like set as subscripts."""
    first, *rest = re.split(r"(?<=\b\w)_(\w)\b", text[0])
    lowered = [f'<tspan dy="1.6" font-size="70%">{mark}</tspan>' for mark in rest[::2]]
    return first + "".join(
        f'{mark}<tspan dy="-1.6">{after or chr(0x200B)}</tspan>'
        for mark, after in zip(lowered, rest[1::2], strict=True)
    )


def _register_metrics() -> None:
    """Measure text by the font file inside matplotlib, not by whichever version of it the system
    has.
    """
    from pathlib import Path

    import matplotlib as mpl
    from matplotlib.font_manager import FontEntry, fontManager

    if not any(entry.name == _METRICS for entry in fontManager.ttflist):
        path = str(Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")
        plain: Any = {
            "style": "normal",
            "variant": "normal",
            "weight": 400,
            "stretch": "normal",
            "size": "scalable",
        }
        fontManager.ttflist.append(FontEntry(fname=path, name=_METRICS, **plain))
