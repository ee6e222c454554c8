"""A map of cells below the curves of a panel: categories in tints that differ in lightness too,
numbers with a colour bar.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from altpg_verify.sim.figures import Grid

TINTS = ("#f6d9b8", "#8cc3e6", "#3f8f7a", "#5a4a78", "#d8d8d8")
"""Light to dark, so that categories differ in greyscale as well."""


def draw_grid(axis: Any, grid: Grid) -> None:
    """Draw the cells; categories get a legend entry each, numbers a colour bar.

    Args:
        axis: of matplotlib, whose x and y are those of the cells' centres.
        grid: values by row; NaN leaves a cell empty.
    """
    import numpy as np
    from matplotlib.colors import BoundaryNorm, ListedColormap

    values = np.ma.masked_invalid(np.array(grid.values, dtype=float))
    # thousands of cells would be thousands of paths: the cells become one picture, the rest stays
    # vector
    cells: dict[str, object] = {"shading": "flat", "rasterized": True, "zorder": 0.5}
    if not grid.names:
        drawn = axis.pcolormesh(_edges(grid.x), _edges(grid.y), values, cmap="cividis", **cells)
        axis.figure.colorbar(drawn, ax=axis, label=grid.label, shrink=0.9, pad=0.02)
        return
    colours = ListedColormap([TINTS[number % len(TINTS)] for number in range(len(grid.names))])
    norm = BoundaryNorm([number - 0.5 for number in range(len(grid.names) + 1)], colours.N)
    axis.pcolormesh(_edges(grid.x), _edges(grid.y), values, cmap=colours, norm=norm, **cells)
    for number, name in enumerate(grid.names):
        if name:
            axis.fill_between(
                [math.nan],
                [math.nan],
                [math.nan],
                color=TINTS[number % len(TINTS)],
                label=category(grid, name),
            )


def category(grid: Grid, name: str) -> str:
    """How the legend calls the category."""
    return name if name == grid.label else f"{grid.label} {name}"


def _edges(centres: tuple[float, ...]) -> list[float]:
    # pcolormesh wants one edge more than there are cells; centres are evenly spaced
    step = (centres[-1] - centres[0]) / (len(centres) - 1) if len(centres) > 1 else 1.0
    return [centre - step / 2 for centre in (*centres, centres[-1] + step)]
