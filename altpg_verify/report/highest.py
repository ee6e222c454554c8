"""What a figure over stepsizes shows, in a sentence that is computed from its data: which curve is
the highest in each panel, and where.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from altpg_verify.sim.figures import FigureData, Panel, Series

_PANELS = 4
"""With more panels they are counted by what is highest, and not listed."""

_ERRORS = 2.0
"""So many standard errors of their difference below the highest point another curve is counted as
high.
"""


def highest(figure: FigureData) -> str:
    """A sentence; nothing if a panel isn't over stepsizes or has a single curve.

    Curves within two standard errors of the highest point are called alike, so that no curve is
    named as the best by chance.

    Args:
        figure: what is drawn.
    """
    if not all(
        panel.xlabel.startswith("stepsize") and len(panel.series) > 1 and not panel.grid
        for panel in figure.panels
    ):
        return ""
    found = [(panel.title, *_highest(panel)) for panel in figure.panels]
    if len(found) <= _PANELS:
        return f"Highest: {'; '.join(f'{title}: {name}{where}' for title, name, where in found)}."
    names = ["several curves alike" if name.endswith("alike") else name for _, name, _ in found]
    counted = ", ".join(f"{name} in {names.count(name)}" for name in dict.fromkeys(names))
    return f"Highest in {len(names)} panels: {counted}."


def _highest(panel: Panel) -> tuple[str, str]:
    """The curve with the highest point, or that several have it within their errors; and its
    stepsize and value.
    """
    points = {series.label: _top(series) for series in panel.series}
    label = max(points, key=lambda name: points[name][1])
    x, y, error = points[label]
    level = [
        name
        for name, (_, other, its) in points.items()
        # the error of a difference of independent means is the root of the sum of squares
        if y - other <= _ERRORS * math.hypot(error, its)
    ]
    if len(level) > 1:
        return (
            "all curves alike" if len(level) == len(points) else f"{len(level)} curves alike"
        ), f" ({_value(y)})"
    return label, f" ({_value(y)} at α = {_stepsize(x)})"


def _value(y: float) -> str:
    return f"{y:.3g}".replace("-", "−")


def _top(series: Series) -> tuple[float, float, float]:
    place = max(range(len(series.y)), key=lambda number: series.y[number])
    return (
        series.x[place],
        series.y[place],
        series.standard_error[place] if series.standard_error else 0.0,
    )


def _stepsize(x: float) -> str:
    exponent = math.log2(x)
    return f"2^{round(exponent)}" if exponent.is_integer() and abs(exponent) > 1 else f"{x:g}"
