"""How each series of a figure looks: never told apart by colour alone.

Labels like "alternate, β = 1/4" and "regular, β = 1/4" share what they have in common: the
estimator, or else the words before the comma, has a hue with a line pattern; the rest has a marker
with a tint. Where points are many, and a line has few markers, the two change places. So each
estimator is learned once, and its colour is no one else's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from altpg_verify.report.drawing import COLOURS, DASHES, MARKERS

KNOWN = {
    "regular": 0,
    "alternate": 1,
    "expected gradient": 2,
    "biased update": 1,
    "true gradient": 2,
}
"""Hues that mean the same estimator in every figure; an update by the expectation has the hue of
its estimator.
"""

_FREE = (3, 4, 6, 7, 8, 9, 5)
"""Hues of what is no estimator."""

_ESTIMATOR = re.compile(rf"({'|'.join(KNOWN)})(?![\w-])[ ,:]*(.*)")
_TINTS = (0.0, 0.3, 0.5, 0.64)


@dataclass(frozen=True)
class SeriesStyle:
    """Colour, marker and whether it is filled, line pattern beside markers, and what a line of many
    points has.

    Args:
        colour: as matplotlib reads it.
        marker: as matplotlib names it.
        filled: the marker is filled.
        dashes: the line's pattern beside markers.
        bare: its pattern where the points are many.
        sparse: the marker that such a line has here and there.
    """

    colour: str
    marker: str
    filled: bool
    dashes: Any
    bare: Any
    sparse: str


def styles(labels: Sequence[str]) -> dict[str, SeriesStyle]:
    """A look for each label, all different, in grey too.

    Args:
        labels: of the series of a figure, such as "regular, α = 1/4".
    """
    parts = {label: _split(label) for label in labels}
    groups = list(dict.fromkeys(group for group, _ in parts.values()))
    hues = _hues(groups)
    members = {
        member: number
        for number, member in enumerate(
            dict.fromkeys(member for _, member in parts.values() if member)
        )
    }
    ordinal = {label: members.get(member, 0) for label, (_, member) in parts.items()}
    alike = len({(hues[group], ordinal[label]) for label, (group, _) in parts.items()}) < len(
        labels
    )
    if len({hues[group] for group in groups}) == len(labels):
        return {label: _look(hues[group], hues[group], 0.0) for label, (group, _) in parts.items()}
    if alike or len(members) > len(MARKERS):
        # too many to share: by place among those of one hue
        counts: dict[int, int] = {}
        ordinal = {}
        for label, (group, _) in parts.items():
            ordinal[label] = counts.get(hues[group], 0)
            counts[hues[group]] = ordinal[label] + 1
    return {
        label: _look(hues[group], ordinal[label], _TINTS[ordinal[label] % len(_TINTS)])
        for label, (group, _) in parts.items()
    }


def _hues(groups: Sequence[str]) -> dict[str, int]:
    """An estimator's own hue; what is no estimator takes the hues that no estimator has."""
    others = [group for group in groups if group not in KNOWN]
    return {**KNOWN, **{group: _FREE[number % len(_FREE)] for number, group in enumerate(others)}}


def _look(hue: int, member: int, tint: float) -> SeriesStyle:
    colour = COLOURS[hue % len(COLOURS)]
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    blended = "#" + "".join(
        f"{round(channel + (255 - channel) * tint):02x}" for channel in channels
    )
    by_hue, by_member = hue % len(DASHES), member % len(DASHES)
    return SeriesStyle(
        blended,
        MARKERS[by_member],
        member % 2 == 0,
        DASHES[by_hue],
        DASHES[by_member],
        MARKERS[by_hue],
    )


def _split(label: str) -> tuple[str, str]:
    """The estimator that the label begins with, else the words before the first comma, and the
    rest; no comma inside parentheses counts.
    """
    match = _ESTIMATOR.fullmatch(label) or re.fullmatch(r"([^(),]+), (.+)", label)
    return (match[1], match[2]) if match else (label, "")
