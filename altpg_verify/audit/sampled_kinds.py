"""What a sample says of the mean update: intervals for the mean in many directions at once, and
which multiples of the gradient fit them.

With m the mean update and t the target's gradient, "m = c t" fits if for every direction u the
interval of u·m holds c u·t. All intervals hold together but with the stated rate, so a true c is
ruled out no more often. c = 1 is unbiased, c = 0 zero, c < 0 reversed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from altpg_verify.audit.intervals import betting, normal
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import say_interval

Bounds = tuple[float, float] | None
"""Between which numbers every entry of an update lies, if that was declared."""

ROUNDING = 1e-12
"""Of the largest number in a sample: what rounding may have added to a mean."""

NEARLY_ZERO = 0.1
"""A mean that fits zero is called zero if no multiple of the gradient larger than this fits."""

Fitting = tuple[float, float] | None
"""The smallest and the largest factor c with which m = c t fits; None if there is none."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Intervals that hold u·m for all rows u of `directions` at once.

    Args:
        directions: (rows, n) the directions looked along; the first `components` are the
            parameters' own, less common shifts.
        low, high: (rows,) the intervals.
        along: (rows,) u·t.
        components: how many rows are components.
    """

    directions: np.ndarray
    low: np.ndarray
    high: np.ndarray
    along: np.ndarray
    components: int

    @property
    def largest_gap(self) -> float:
        """No component of m - t is larger, if the intervals hold."""
        here = slice(0, self.components)
        return float(
            np.maximum(
                np.abs(self.low[here] - self.along[here]),
                np.abs(self.high[here] - self.along[here]),
            ).max(initial=0.0)
        )

    def fitting(self, part: np.ndarray | None = None) -> Fitting:
        """The factors c with which m = c t fits, on these parameters alone if they are given; all
        factors if t is zero there.
        """
        rows = np.ones(len(self.low), dtype=bool)
        if part is not None:
            outside = np.setdiff1d(np.arange(self.directions.shape[1]), part)
            rows = np.abs(self.directions[:, outside]).max(axis=1, initial=0.0) <= 1e-9
        smallest, largest = -math.inf, math.inf
        size = float(np.abs(self.along).max(initial=0.0))
        for low, high, along in zip(self.low[rows], self.high[rows], self.along[rows], strict=True):
            if abs(along) <= ROUNDING * size or along == 0.0:
                if not low <= 0.0 <= high:
                    return None
                continue
            ends = sorted((low / along, high / along))
            smallest, largest = max(smallest, ends[0]), min(largest, ends[1])
        return (smallest, largest) if smallest <= largest else None


def read(
    vectors: np.ndarray,
    gradient: np.ndarray,
    identifiable: np.ndarray,
    parts: Mapping[str, np.ndarray],
    rate: float,
    bounds: Bounds,
) -> Reading:
    """Intervals along every component, along the gradient and across it, on each part and on the
    whole.

    Args:
        vectors: (draws, n) sampled updates.
        gradient: (n,) the target's.
        identifiable: (n, n) projection orthogonal to what leaves the policy unchanged.
        parts: index sets that may have factors of their own.
        rate: how often one of the intervals may miss.
        bounds: of every entry of an update.
    """
    components = [row for row in identifiable if np.abs(row).max() > 1e-9]
    rows = [
        *components,
        *(
            row
            for part in parts.values()
            for row in _along_and_across(identifiable, gradient, part)
        ),
    ]
    if len(parts) > 1 and np.any(identifiable @ gradient):
        rows.append(identifiable @ gradient / np.linalg.norm(identifiable @ gradient))
    directions = np.array(rows)
    ends = []
    for row in directions:
        values = vectors @ row
        slack = ROUNDING * float(np.abs(vectors).max(initial=0.0))
        if bounds is None:
            low, high = normal(values, rate / len(directions))
        else:
            # the range of u·g over the box of entries
            corners = np.sort(np.outer(row, bounds), axis=1).sum(axis=0)
            low, high = betting(
                values, float(corners[0]), float(corners[1]), rate / len(directions)
            )
        ends.append((low - slack, high + slack))
    low, high = np.array(ends).T
    return Reading(directions, low, high, directions @ gradient, len(components))


def _along_and_across(
    identifiable: np.ndarray, gradient: np.ndarray, part: np.ndarray
) -> list[np.ndarray]:
    """An orthonormal basis of what changes the policy in this part; its first row lies along the
    gradient there, if that isn't zero.
    """
    lengths, vectors = np.linalg.eigh(identifiable[np.ix_(part, part)])
    basis = vectors[:, lengths > 0.5].T
    along = basis @ gradient[part]
    if basis.size and np.abs(along).max() > 0:
        basis = np.linalg.svd(along[None, :] / np.abs(along).max())[2] @ basis
    found = []
    for row in basis:
        whole = np.zeros(len(gradient))
        whole[part] = row
        found.append(whole)
    return found


@dataclass(frozen=True)
class Decided:
    """What fits.

    Args:
        kind: what the mean is, as far as the intervals say.
        factors: for each part ("" is the whole) the factors that fit.
        why: why it is undecided.
    """

    kind: Kind
    factors: Mapping[str, tuple[float, float]]
    why: str = ""


def decide(reading: Reading, parts: Mapping[str, np.ndarray]) -> Decided:
    """The kind of mean that fits all intervals.

    If the intervals hold, the true factor is in the set that the kind names.
    """
    whole = reading.fitting()
    if whole is None:
        return _part_by_part({name: reading.fitting(part) for name, part in parts.items()})
    low, high = whole
    if math.isinf(low):
        # the gradient is zero, and so may the mean be
        return Decided(Kind.UNBIASED, {})
    if low <= 1.0 <= high:
        if low <= 0.0:
            why = f"both 0 and the gradient fit the sample (times c in {say_interval(whole)}); "
            return Decided(Kind.UNDECIDED, {"": whole}, why)
        return Decided(Kind.UNBIASED, {"": whole})
    if low <= 0.0 <= high:
        return Decided(Kind.ZERO if max(-low, high) <= NEARLY_ZERO else Kind.BIASED, {"": whole})
    return Decided(Kind.SCALED if low > 0 else Kind.REVERSED, {"": whole})


def _part_by_part(factors: Mapping[str, Fitting]) -> Decided:
    """For a mean that is no multiple of the gradient as a whole."""
    known = {
        name: each for name, each in factors.items() if each is not None and not math.isinf(each[0])
    }
    if len(factors) < 2 or any(each is None for each in factors.values()):
        return Decided(Kind.BIASED, {})
    if all(low > 0 for low, _ in known.values()):
        return Decided(Kind.SCALED, known)
    if all(high < 0 for _, high in known.values()):
        return Decided(Kind.REVERSED, known)
    return Decided(Kind.BIASED, known)
