"""What an experiment shows, as plain data: figures of panels of series. The report draws them;
nothing here needs a plotting library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """A curve: y over x, with the standard error of each y where there is one.

    Raises:
        ValueError: they aren't equally long.

    Args:
        label: in the legend.
        x, y: equally long, in the units of the panel's axes.
        standard_error: as long as y; None where there is none.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    standard_error: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y) or (
            self.standard_error is not None and len(self.standard_error) != len(self.y)
        ):
            raise ValueError(f"series {self.label!r}: x, y and standard_error must be equally long")


@dataclass(frozen=True)
class Grid:
    """A map of cells below the series of a panel, as an image or heat map.

    Raises:
        ValueError: the values don't fill the grid.

    Args:
        label: what the values are, for the colour bar.
        x, y: centres of the columns and rows, evenly spaced.
        values: one row for each y; NaN leaves a cell blank.
        names: meaning of the values 0, 1, ... if they are categories; empty if they are numbers.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.values) != len(self.y) or any(len(row) != len(self.x) for row in self.values):
            raise ValueError(
                f"grid {self.label!r}: values must have a row for each y and a column for each x"
            )


@dataclass(frozen=True)
class Line:
    """A horizontal reference: a value that theory predicts.

    Args:
        label: in the legend.
        y: its height, in the units of the panel's axis.
    """

    label: str
    y: float


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Args:
        title, xlabel, ylabel: plain text.
        series: curves.
        lines: horizontal references.
        grid: a heat map in the place of curves.
        xscale: linear, log2 or log10.
    """

    title: str
    xlabel: str
    ylabel: str
    xscale: str = "linear"
    series: tuple[Series, ...] = ()
    lines: tuple[Line, ...] = ()
    grid: Grid | None = None


def stepsize_panel(
    title: str, ylabel: str, series: Iterable[Series] = (), lines: tuple[Line, ...] = ()
) -> Panel:
    """Curves against the stepsize, which the grids of all sweeps double from point to point.

    The abscissa is log₂ α, so grid points are evenly spaced, as in the paper's sensitivity plots.
    """
    return Panel(title, "stepsize α", ylabel, "log2", tuple(series), lines)


@dataclass(frozen=True)
class FigureData:
    """A figure as data, to be drawn by whoever reads it.

    Args:
        name: that of its file.
        title: a line above it.
        panels: from left to right.
        caption: what is shown, of how many runs, and where it differs from the paper's.
        alt: the same for those who can't see it.
    """

    name: str
    title: str
    caption: str
    alt: str
    panels: tuple[Panel, ...]
