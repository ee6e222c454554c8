"""What an experiment has to show, drawn: one panel beside the other, error bars, reference lines,
one legend below.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from altpg_verify.report.drawing import DASHES, FAINT, INK, MARKERS, TEXT_WIDTH, blank, ruled, svg
from altpg_verify.report.grids import category, draw_grid
from altpg_verify.report.highest import highest
from altpg_verify.report.parts import Part, figure_part
from altpg_verify.report.series_styles import SeriesStyle, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from altpg_verify.sim.figures import FigureData, Line, Panel, Series

BARS = 2.0
"""Half length of an error bar, in standard errors."""

_LABEL, _LOW_LABEL = 30, 17
"""Letters in a line beside an axis, of a panel that has its row to itself and of others; more would
be cut off.
"""

_TITLE = 72
"""Letters above or below panels that stand side by side, all together."""

_TICKS = 14
"""Letters below an axis; more would run into each other, and powers of 2 are written as such."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_LEGEND = 88
"""Letters that fit side by side in a legend as wide as the text, with 8 for each line sample."""

MOST = 12
"""Entries of a legend; with more, each panel has its own."""

_CROWDED = 30
"""From so many points on a series is a line with a band and few markers instead of markers with
bars.
"""

_SPARSE = 7
"""Markers on such a line."""

_LINE = 0.17
"""Height of a line of a legend, in inches."""


def picture(figure: FigureData) -> Part:
    """The figure with its caption and alternative text, as the template wants it, and what to see
    in it: the alternative text and which curve is highest.
    """
    see = f"{figure.alt} {highest(figure)}".strip()
    return {
        **figure_part(figure.name, figure.caption, figure.alt, draw(figure), width(figure)),
        "see": see,
    }


def draw(figure: FigureData, *, own: bool = False, tall: float = 0.0) -> str:
    """The figure as SVG; the same data gives the same bytes.

    Args:
        figure: panels, with their series, grids and reference lines.
        own: each panel has its own legend, however few there are.
        tall: height of a panel, in inches; 0 is the usual one.
    """
    labels = list(dict.fromkeys(series.label for panel in figure.panels for series in panel.series))
    references = list(dict.fromkeys(name for panel in figure.panels for name in _references(panel)))
    # four panels make a square and eight two rows; else there are three side by side
    columns = {4: 2, 8: 4}.get(len(figure.panels), min(len(figure.panels), 3))
    rows = math.ceil(len(figure.panels) / columns)
    entries = _columns([*labels, *references], width(figure))
    # long labels that panels side by side don't share take less room below each
    own = own or len(labels) + len(references) > MOST or (entries == rows == 1 < len(figure.panels))
    lines = math.ceil((len(labels) + len(references)) / entries)
    if own:
        lines = max(_own_lines(panel, width(figure) / columns) for panel in figure.panels)
    deepest = max(_title(panel.title, columns).count("\n") for panel in figure.panels)
    tall = (tall or (2.5 if rows == 1 else 1.48)) + _LINE * deepest
    legend = (_LINE + 0.02) * lines + (0.1 if own else 0)
    height = (tall + legend) * rows if own else tall * rows + legend
    with blank(TEXT_WIDTH * width(figure), height) as canvas:
        # legends of panels have rows of their own
        grid = (
            canvas.subplots(2 * rows, columns, squeeze=False, height_ratios=[tall, legend] * rows)
            if own
            else None
        )
        axes = canvas.subplots(rows, columns, squeeze=False) if grid is None else grid[::2]
        look = styles(labels)
        for number, axis in enumerate(axes.flat):
            if number < len(figure.panels):
                panel = figure.panels[number]
                _panel(
                    axis,
                    panel,
                    styles([series.label for series in panel.series]) if own else look,
                    references,
                )
                axis.set_title(_title(panel.title, columns))
                axis.set_xlabel(_title(panel.xlabel, columns))
                axis.set_ylabel(textwrap.fill(panel.ylabel, _LABEL if rows == 1 else _LOW_LABEL))
                if grid is not None:
                    _own_legend(
                        grid[number // columns * 2 + 1, number % columns],
                        axis,
                        panel,
                        width(figure) / columns,
                    )
                alike = {panel.ylabel for panel in figure.panels} == {figure.panels[0].ylabel}
                if alike and number % columns:
                    axis.set_ylabel("")
            else:
                axis.set_axis_off()
        for below in () if grid is None else grid[1::2].flat:
            below.set_axis_off()
        handles = {
            label: handle
            for axis in axes.flat
            for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
        }
        order = [label for label in (*labels, *references) if label in handles]
        if order and not own:
            chosen = [handles[label] for label in order]
            canvas.legend(chosen, order, loc="outside lower center", ncols=entries, **_LEGENDS)
        return svg(canvas)


_LEGENDS: dict[str, object] = {"frameon": False, "handlelength": 2.8, "columnspacing": 1.3}


def _references(panel: Panel) -> list[str]:
    """What its legend has beside its series: lines, and categories of a map."""
    return [line.label for line in panel.lines] + (
        [category(panel.grid, name) for name in panel.grid.names if name] if panel.grid else []
    )


def _columns(labels: list[str], share: float) -> int:
    """How many entries stand side by side. Args: share: of the text's width."""
    longest = max(map(len, labels), default=1)
    most = max(1, min(len(labels), int(_LEGEND * share) // (longest + 8)))
    # lines of equal length
    return math.ceil(len(labels) / math.ceil(max(len(labels), 1) / most)) or 1


def _own_lines(panel: Panel, share: float) -> int:
    labels = [*(series.label for series in panel.series), *_references(panel)]
    return math.ceil(len(labels) / _columns(labels, share))


def _own_legend(place: Axes, axis: Axes, panel: Panel, share: float) -> None:
    """A legend of what the panel shows alone, in the axes below it."""
    handles, labels = axis.get_legend_handles_labels()
    columns = _columns([*(series.label for series in panel.series), *_references(panel)], share)
    place.legend(
        handles, labels, loc="upper center", ncols=columns, fontsize=8, borderpad=0, **_LEGENDS
    )


def _title(title: str, columns: int) -> str:
    # no line ends within an equation
    whole = title.replace(" = ", "\u00a0=\u00a0")
    return textwrap.fill(whole, _TITLE // columns).replace("\u00a0", " ")


def width(figure: FigureData) -> float:
    """Share of the text's width."""
    return 1.0 if len(figure.panels) > 1 else 0.66


def _panel(
    axis: Axes, panel: Panel, look: Mapping[str, SeriesStyle], references: list[str]
) -> None:
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


def _scale(axis: Axes, panel: Panel) -> None:
    if panel.xscale == "linear":
        return
    base = {"log2": 2, "log10": 10}[panel.xscale]
    axis.set_xscale("log", base=base)
    axis.xaxis.set_major_formatter(lambda value, place: f"{value:g}")
    ticks = sorted({float(x) for series in panel.series for x in series.x if x > 0})
    if base == 2 and ticks and all(math.log2(x).is_integer() for x in ticks):
        shown = (
            ticks
            if len(ticks) <= 6
            else [tick for number, tick in enumerate(reversed(ticks)) if number % 2 == 0]
        )
        names = [str(Fraction(tick)) for tick in shown]
        if sum(map(len, names)) > _TICKS:
            # letters, not mathematics, which matplotlib would parse anew for each tick
            names = [f"2{str(round(math.log2(tick))).translate(_RAISED)}" for tick in shown]
        axis.set_xticks(shown, names)
        axis.minorticks_off()


def _series(axis: Axes, series: Series, look: SeriesStyle) -> None:
    line: dict[str, Any] = {"color": look.colour, "label": series.label}
    errors = series.standard_error or ()
    if len(series.x) >= _CROWDED:
        spacing = max(1, len(series.x) // _SPARSE)
        # lines of different styles have their markers at different places, so that none hides
        # another
        start = (MARKERS.index(look.sparse) + 3 * DASHES.index(look.bare)) * spacing // 5 % spacing
        points: dict[str, Any] = {
            "marker": look.sparse,
            "markevery": (start, spacing),
            "markersize": 3,
            "markerfacecolor": look.colour,
        }
        axis.plot(series.x, series.y, linestyle=look.bare, **points, **line)
        low = [y - BARS * error for y, error in zip(series.y, errors)]  # noqa: B905 - no errors, no band
        high = [y + BARS * error for y, error in zip(series.y, errors)]  # noqa: B905
        axis.fill_between(
            series.x[: len(low)], low, high, color=look.colour, alpha=0.2, linewidth=0
        )
        return
    marker: dict[str, Any] = {
        "linestyle": look.dashes,
        "marker": look.marker,
        "markerfacecolor": look.colour if look.filled else "white",
    }
    if errors:
        _bars(axis, series, look.colour)
    axis.plot(series.x, series.y, linewidth=0.9, **marker, **line)


def _bars(axis: Axes, series: Series, colour: str) -> None:
    """Error bars with caps as one line with gaps: `errorbar` makes four artists of them, and takes
    three times as long.
    """
    points = list(zip(series.x, series.y, series.standard_error or (), strict=True))
    axis.plot(
        [place for x, _, _ in points for place in (x, x, x)],
        [end for _, y, error in points for end in (y - BARS * error, y + BARS * error, math.nan)],
        color=colour,
        linewidth=0.9,
        marker="_",
        markersize=4,
    )


def _reference(axis: Axes, line: Line, number: int) -> None:
    dashes = ((0, (1, 1.5)), (0, (7, 2)), (0, (7, 2, 1, 2)))[number % 3]
    axis.axhline(
        line.y,
        color=(INK, FAINT)[number % 2],
        linestyle=dashes,
        linewidth=1.1,
        label=line.label,
        zorder=1.5,
    )
