"""What an experiment has to show, drawn: one panel beside the other, error bars, reference lines, one legend below."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from altpg_verify.report.drawing import FAINT, INK, TEXT_WIDTH, blank, ruled, svg
from altpg_verify.report.grids import category, draw_grid
from altpg_verify.report.parts import Part, figure_part
from altpg_verify.report.series_styles import Look, looks

if TYPE_CHECKING:
    from altpg_verify.sim.figures import FigureData, Line, Panel, Series

BARS = 2.0
"""Half length of an error bar, in standard errors."""

_LABEL = 30
"""Letters in a line beside an axis; more would be cut off."""

_TICKS = 14
"""Letters below an axis; more would run into each other, and powers of 2 are written as such."""

_LEGEND = 100
"""Letters that fit side by side in a legend as wide as the text, with 8 for each line sample."""

_CROWDED = 30
"""From so many points on a series is a line with a band instead of markers with bars."""


def picture(figure: FigureData) -> Part:
    """The figure with its caption and alternative text, as the template wants it."""
    return figure_part(figure.name, figure.caption, figure.alt, draw(figure), width(figure))


def draw(figure: FigureData) -> str:
    """The figure as SVG; the same data gives the same bytes."""
    labels = list(dict.fromkeys(series.label for panel in figure.panels for series in panel.series))
    references = list(dict.fromkeys(line.label for panel in figure.panels for line in panel.lines))
    grids = [panel.grid for panel in figure.panels if panel.grid]
    references += list(dict.fromkeys(category(grid, name) for grid in grids for name in grid.names if name))
    columns = 2 if len(figure.panels) == 4 else min(len(figure.panels), 3)
    rows = math.ceil(len(figure.panels) / columns)
    longest = max(map(len, (*labels, *references)), default=1)
    entries = max(1, min(len(labels) + len(references), int(_LEGEND * width(figure)) // (longest + 8)))
    height = (2.5 if rows == 1 else 1.48) * rows + 0.19 * math.ceil((len(labels) + len(references)) / entries)
    with blank(TEXT_WIDTH * width(figure), height) as canvas:
        axes = canvas.subplots(rows, columns, squeeze=False)
        look = looks(labels)
        for number, axis in enumerate(axes.flat):
            if number < len(figure.panels):
                _panel(axis, figure.panels[number], look, references)
                alike = {panel.ylabel for panel in figure.panels} == {figure.panels[0].ylabel}
                if alike and number % columns:
                    axis.set_ylabel("")
            else:
                axis.set_axis_off()
        handles = {label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
        order = [label for label in (*labels, *references) if label in handles]
        if order:
            chosen = [handles[label] for label in order]
            canvas.legend(chosen, order, loc="outside lower center", ncols=entries, frameon=False, handlelength=3.2, columnspacing=1.6)
        return svg(canvas)


def width(figure: FigureData) -> float:
    """Share of the text's width."""
    return 1.0 if len(figure.panels) > 1 else 0.66


def draw_panel(axis: Any, panel: Panel) -> None:
    """A panel on its own, with its own looks; the caller adds the legend."""
    _panel(axis, panel, looks([series.label for series in panel.series]), [line.label for line in panel.lines])


def _panel(axis: Any, panel: Panel, look: Mapping[str, Look], references: list[str]) -> None:
    axis.set_title(panel.title)
    axis.set_xlabel(panel.xlabel)
    axis.set_ylabel(textwrap.fill(panel.ylabel, _LABEL))
    ruled(axis)
    _scale(axis, panel)
    if panel.grid:
        axis.grid(visible=False)
        draw_grid(axis, panel.grid)
    for series in panel.series:
        _series(axis, series, look[series.label])
    for line in panel.lines:
        _reference(axis, line, references.index(line.label))


def _scale(axis: Any, panel: Panel) -> None:
    if panel.xscale == "linear":
        return
    base = {"log2": 2, "log10": 10}[panel.xscale]
    axis.set_xscale("log", base=base)
    axis.xaxis.set_major_formatter(lambda value, place: f"{value:g}")
    ticks = sorted({float(x) for series in panel.series for x in series.x if x > 0})
    if base == 2 and ticks and all(math.log2(x).is_integer() for x in ticks):
        shown = ticks if len(ticks) <= 6 else [tick for number, tick in enumerate(reversed(ticks)) if number % 2 == 0]
        names = [str(Fraction(tick)) for tick in shown]
        if sum(map(len, names)) > _TICKS:
            names = [f"$2^{{{round(math.log2(tick))}}}$" for tick in shown]
        axis.set_xticks(shown, names)
        axis.minorticks_off()


def _series(axis: Any, series: Series, look: Look) -> None:
    line = {"color": look.colour, "label": series.label}
    errors = series.standard_error or ()
    if len(series.x) >= _CROWDED:
        axis.plot(series.x, series.y, linestyle=look.bare, **line)
        low = [y - BARS * error for y, error in zip(series.y, errors)]  # noqa: B905 - no errors, no band
        high = [y + BARS * error for y, error in zip(series.y, errors)]  # noqa: B905
        axis.fill_between(series.x[: len(low)], low, high, color=look.colour, alpha=0.2, linewidth=0)
        return
    marker = {"linestyle": look.dashes, "marker": look.marker, "markerfacecolor": look.colour if look.filled else "white"}
    if errors:
        axis.errorbar(
            series.x, series.y, yerr=[BARS * error for error in errors], linewidth=0.9, capsize=2, elinewidth=0.9, **marker, **line
        )
    else:
        axis.plot(series.x, series.y, linewidth=0.9, **marker, **line)


def _reference(axis: Any, line: Line, number: int) -> None:
    dashes = ((0, (1, 1.5)), (0, (7, 2)), (0, (7, 2, 1, 2)))[number % 3]
    axis.axhline(line.y, color=(INK, FAINT)[number % 2], linestyle=dashes, linewidth=1.1, label=line.label, zorder=1.5)
