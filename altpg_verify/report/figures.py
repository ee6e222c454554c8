"""What an experiment has to show, drawn: one panel beside the other, error bars, reference lines, one legend below."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from altpg_verify.report.drawing import COLOURS, DASHES, FAINT, INK, MARKERS, TEXT_WIDTH, blank, svg
from altpg_verify.report.markup import words

if TYPE_CHECKING:
    from sim.figures import FigureData, Line, Panel, Series

BARS = 2.0
"""Half length of an error bar, in standard errors."""

_CROWDED = 30
"""From so many points on a series is a line with a band instead of markers with bars."""


def picture(figure: FigureData) -> dict[str, Any]:
    """The figure with its caption and alternative text, as the template wants it."""
    return {"kind": "figure", "name": figure.name, "caption": words(figure.caption), "alt": figure.alt, "svg": draw(figure), "width": 1.0}


def draw(figure: FigureData) -> str:
    """The figure as SVG; the same data gives the same bytes."""
    labels = list(dict.fromkeys(series.label for panel in figure.panels for series in panel.series))
    references = list(dict.fromkeys(line.label for panel in figure.panels for line in panel.lines))
    columns = min(len(figure.panels), 3)
    rows = math.ceil(len(figure.panels) / columns)
    entries = len(labels) + len(references)
    with blank(TEXT_WIDTH, (2.75 if columns < 3 else 2.35) * rows + 0.2 * math.ceil(entries / 3)) as canvas:
        axes = canvas.subplots(rows, columns, squeeze=False)
        for number, axis in enumerate(axes.flat):
            if number < len(figure.panels):
                _panel(axis, figure.panels[number], labels, references)
            else:
                axis.set_axis_off()
        handles = {label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
        order = [label for label in (*labels, *references) if label in handles]
        if order:
            columns = max(1, min(len(order), 100 // (max(map(len, order)) + 8)))
            chosen = [handles[label] for label in order]
            canvas.legend(chosen, order, loc="outside lower center", ncols=columns, frameon=False, handlelength=3.2, columnspacing=1.6)
        return svg(canvas)


def _panel(axis: Any, panel: Panel, labels: list[str], references: list[str]) -> None:
    axis.set_title(panel.title)
    axis.set_xlabel(panel.xlabel)
    axis.set_ylabel(panel.ylabel)
    axis.grid(axis="y", color="#e3e7ec", linewidth=0.5)
    axis.set_axisbelow(True)
    _scale(axis, panel)
    for series in panel.series:
        _series(axis, series, labels.index(series.label))
    for line in panel.lines:
        _reference(axis, line, references.index(line.label))


def _scale(axis: Any, panel: Panel) -> None:
    if panel.xscale == "linear":
        return
    base = 2 if panel.xscale == "log2" else 10
    axis.set_xscale("log", base=base)
    ticks = sorted({float(x) for series in panel.series for x in series.x if x > 0})
    if base == 2 and ticks and all(math.log2(x).is_integer() for x in ticks):
        shown = ticks if len(ticks) <= 6 else [tick for number, tick in enumerate(reversed(ticks)) if number % 2 == 0]
        axis.set_xticks(shown, [str(Fraction(tick)) for tick in shown])
        axis.minorticks_off()


def _series(axis: Any, series: Series, number: int) -> None:
    colour, dashes = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    if series.standard_error is None or not len(series.standard_error):
        axis.plot(series.x, series.y, color=colour, linestyle=dashes, label=series.label)
    elif len(series.x) >= _CROWDED:
        axis.plot(series.x, series.y, color=colour, linestyle=dashes, label=series.label)
        low = [y - BARS * error for y, error in zip(series.y, series.standard_error, strict=True)]
        high = [y + BARS * error for y, error in zip(series.y, series.standard_error, strict=True)]
        axis.fill_between(series.x, low, high, color=colour, alpha=0.2, linewidth=0)
    else:
        bars = [BARS * error for error in series.standard_error]
        marker = {"marker": MARKERS[number % len(MARKERS)], "markerfacecolor": "white" if number % 2 else colour}
        axis.errorbar(
            series.x,
            series.y,
            yerr=bars,
            color=colour,
            linestyle=dashes,
            linewidth=0.9,
            capsize=2,
            elinewidth=0.9,
            label=series.label,
            **marker,
        )


def _reference(axis: Any, line: Line, number: int) -> None:
    dashes = ((0, (1, 1.5)), (0, (7, 2)), (0, (7, 2, 1, 2)))[number % 3]
    axis.axhline(line.y, color=(INK, FAINT)[number % 2], linestyle=dashes, linewidth=1.1, label=line.label, zorder=1.5)
