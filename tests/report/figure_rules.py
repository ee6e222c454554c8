"""What every figure of the report keeps to, read off the drawing before it becomes a picture: each
rule gives the faults it finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from altpg_verify.report.drawing import COLOURS
from altpg_verify.report.series_styles import KNOWN

MOST = 12
"""Entries of a legend."""

_SLACK = 1.0
"""Pixels that a letter's box may reach beyond the canvas."""


def outside(figure: Any) -> Iterator[str]:
    """Texts that the edge of the figure would cut."""
    from matplotlib.text import Text

    figure.draw_without_rendering()
    width, height = figure.bbox.size
    hidden = {
        id(label)
        for axis in figure.axes
        for one in (axis.xaxis, axis.yaxis)
        for label in _beyond(one)
    }
    hidden |= {
        id(text)
        for axis in figure.axes
        if not axis.axison
        for text in axis.findobj(Text)
        if text is not axis.title
    }
    for text in figure.findobj(Text):
        if id(text) not in hidden and text.get_visible() and text.get_text().strip():
            box = text.get_window_extent()
            if box.width and (
                box.x0 < -_SLACK
                or box.y0 < -_SLACK
                or box.x1 > width + _SLACK
                or box.y1 > height + _SLACK
            ):
                yield f"{text.get_text()!r} is outside"


def _beyond(one: Any) -> Iterator[Any]:
    """Labels of ticks beyond the ends of an axis, which are not drawn."""
    drawn = {id(tick) for tick in one._update_ticks()}
    for tick in [*one.get_major_ticks(), *one.get_minor_ticks()]:
        if id(tick) not in drawn:
            yield from (tick.label1, tick.label2)


def alike(figure: Any) -> Iterator[str]:
    """Series of one axes that grey print wouldn't tell apart: the same line pattern, marker and
    filling.
    """
    for axis in figure.axes:
        seen: dict[Any, str] = {}
        for label, line in _lines(axis):
            filled = line.get_markerfacecolor() == line.get_color()
            look = (str(line._unscaled_dash_pattern), str(line.get_marker()), filled)
            if seen.setdefault(look, label) != label:
                yield f"{label!r} looks like {seen[look]!r}"


def crowded(figure: Any) -> Iterator[str]:
    """Legends of more entries than a reader can follow, and legends that lie on a curve's axes."""
    for legend in [
        *figure.legends,
        *(axis.get_legend() for axis in figure.axes if axis.get_legend()),
    ]:
        if len(legend.get_texts()) > MOST:
            yield f"a legend of {len(legend.get_texts())} entries"
        if legend.axes is not None and legend.axes.has_data():
            yield f"a legend inside of {legend.axes.get_title()!r}"


def coloured(figure: Any) -> Iterator[str]:
    """Estimators in another colour than their own, and others in that of an estimator."""
    own = {
        COLOURS[hue].lower(): {name for name, its in KNOWN.items() if its == hue}
        for hue in KNOWN.values()
    }
    for axis in figure.axes:
        for label, line in _lines(axis):
            names = own.get(str(line.get_color()).lower())
            if names and not label.startswith(tuple(names)):
                yield f"{label!r} has the colour of {sorted(names)[0]!r}"


def _lines(axis: Any) -> Iterator[tuple[str, Any]]:
    """The drawn series of the axes, by their labels; references across the whole axes are none."""
    for line in axis.lines:
        label = line.get_label()
        if not label.startswith("_") and len(line.get_xdata()) > 2:
            yield label, line


RULES = (outside, alike, crowded, coloured)


def faults(figure: Any) -> list[str]:
    """What all rules find."""
    return [fault for rule in RULES for fault in rule(figure)]
