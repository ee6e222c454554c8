"""Numbers as the paper writes them, and how many runs a figure shows, for labels and captions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from altpg_verify.sim.results import Record


def signed(value: float) -> str:
    """A baseline as the paper writes it, with the minus sign of typesetting.

    Examples:
        >>> signed(4), signed(-4), signed(0)
        ('+4', '−4', '0')
    """
    return f"{value:+g}".replace("-", "−") if value else "0"


def fraction(value: float) -> str:
    """A stepsize as the paper writes it, exactly: grids are powers of two, and so are their
    fractions.

    Examples:
        >>> fraction(0.25), fraction(2.0)
        ('1/4', '2')
    """
    return str(Fraction(value))


def small(value: float) -> str:
    """A stepsize in few letters: a power of two below 1/64 as such, anything else as a decimal.

    Examples:
        >>> small(0.05), small(2.0**-17)
        ('0.05', '2⁻¹⁷')
    """
    # value = mantissa · 2^exponent with mantissa in [1/2, 1), exactly 1/2 for powers of two
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

    Raises:
        ValueError: none of the records has more than one run.

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
