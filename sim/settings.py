"""What the settings of agents and the sizes of runs must be; each fault is one sentence that names
the argument.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from altpg_verify.errors import BadInput

LARGEST = 1e100
"""Numbers in settings are no larger, so that squares and sums of them stay within float64."""


MOST_BITS, LONGEST = 200, 60
"""Whole numbers and texts that are shown as they are."""

MOST = 2**53
"""Whole numbers are no larger: those that are exact in float64."""


def shown(value: Any) -> str:
    """What was given, as a reader sees it: in one line, and not for ever."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a whole number of {value.bit_length()} bits"
    said = " ".join(repr(value).split())
    return said if len(said) <= LONGEST else f"a {type(value).__name__}"


def number(name: str, value: Any, *, least: float = -LARGEST, most: float = LARGEST) -> None:
    """Raise BadInput unless this is a finite number within the bounds.

    Args:
        name: of the argument, for the sentence.
        least, most: both allowed.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or value != value
        or abs(value) == math.inf
    ):
        raise BadInput(f"{name} is {shown(value)}; give a finite number")
    if not least <= value <= most:
        low = "" if least == -LARGEST else f"at least {least:g}"
        high = f"at most {most:g}"
        raise BadInput(
            f"{name} is {shown(value)}; give a number of {' and '.join(filter(None, (low, high)))}"
        )


def numbers(name: str, values: Iterable[Any]) -> None:
    """The same for each of several.

    A fault names the place, as in theta[2].
    """
    for place, value in enumerate(values):
        number(f"{name}[{place}]", value)


def whole(name: str, value: Any, *, least: int = 1, most: int = MOST) -> None:
    """Raise BadInput unless this is a whole number of at least `least`.

    Args:
        name: of the argument, for the sentence.
        least, most: both allowed; beyond 2⁵³ a float64 no longer holds every whole number.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(f"{name} is {shown(value)}; give a whole number of at least {least}")
    if value > most:
        raise BadInput(f"{name} is {shown(value)}; give a whole number of at most {most}")


def stepsizes(agent: Any) -> None:
    """Raise BadInput unless an agent's stepsizes `alpha` and `beta` are finite and not negative."""
    number("alpha", agent.alpha, least=0.0)
    number("beta", agent.beta, least=0.0)


def noises(agent: Any) -> None:
    """Raise BadInput unless an agent's standard deviations are finite and not negative."""
    number("sigma", agent.sigma, least=0.0)
    number("gradient_noise", agent.gradient_noise, least=0.0)


def averaged(what: str, length: Any, last: Any, bins: Any, runs: Any) -> None:
    """Raise BadInput unless so many steps or episodes can be averaged over the last ones and split
    into equal bins.

    Args:
        length: how many steps or episodes.
        last: how many of the final ones the averages are over.
        bins: 0, or how many equal bins; must divide the length.
        runs: independent runs.

    Args:
        what: "steps" or "episodes".
    """
    whole("runs", runs)
    whole(what, length)
    whole("last", last)
    whole("bins", bins, least=0)
    if last > length or (bins and length % bins):
        raise BadInput(
            f"{length} {what} can't be averaged over the last {last} and split into {bins} equal"
            " bins"
        )
