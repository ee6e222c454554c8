"""Numbers as the paper writes them, and how many runs a figure shows, for labels and captions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from altpg_verify.sim.results import Record


def signed(value: float) -> str:
    """A baseline as the paper writes it: +4, −4, 0."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def fraction(value: float) -> str:
    """A stepsize as the paper writes it: 1/4."""
    return str(Fraction(value))


def small(value: float) -> str:
    """A stepsize in few letters: 0.05, and 2⁻¹⁷ for a power of two below 1/64."""
    mantissa, exponent = math.frexp(value)
    return (
        "2" + str(exponent - 1).translate(_RAISED)
        if mantissa == 0.5 and exponent < -5
        else f"{value:g}"
    )


_PAPER_RUNS = 150


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def runs_each(records: Sequence[Record]) -> str:
    """How many independent runs a point of a figure is the mean of, read off the records that are
    drawn.

    Args:
        records: those of the figure; one of a single run is deterministic and named as such.
    """
    sizes = sorted({record.setting["runs"] for record in records})
    drawn = [size for size in sizes if size > 1]
    if not drawn:
        raise ValueError("records: none has more than one run")
    words = f"{drawn[0]} runs each" if len(drawn) == 1 else f"{drawn[0]} to {drawn[-1]} runs each"
    same = "as in the paper" if drawn == [_PAPER_RUNS] else f"the paper has {_PAPER_RUNS}"
    return (
        f"{words},"
        f" {same}{', and one of the expected gradient, which draws nothing' if sizes[0] == 1 else ''}"
    )
