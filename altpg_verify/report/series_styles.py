"""How each series of a figure looks: never told apart by colour alone.

Labels like "alternate, β = 1/4" and "regular, β = 1/4" share what they have in common: the word before the comma chooses hue and
line pattern, the rest chooses marker and tint. So a reader learns the two once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from altpg_verify.report.drawing import COLOURS, DASHES, MARKERS

KNOWN = {"regular": 0, "alternate": 1, "expected gradient": 2}
"""Hues that mean the same estimator in every figure."""

_TINTS = (0.0, 0.3, 0.5, 0.64, 0.0, 0.3, 0.5)


@dataclass(frozen=True)
class Look:
    """Colour, marker and whether it is filled, line pattern beside markers, and the pattern of a line that has no markers.

    Args:
        colour: as matplotlib reads it.
        marker: as matplotlib names it.
        filled: the marker is filled.
        dashes: the line's pattern beside markers.
        bare: its pattern where there are none.
    """

    colour: str
    marker: str
    filled: bool
    dashes: Any
    bare: Any


def looks(labels: Sequence[str]) -> dict[str, Look]:
    """A look for each label, all different."""
    parts = {label: _split(label) for label in labels}
    groups = list(dict.fromkeys(group for group, _ in parts.values()))
    hues = _hues(groups)
    members = {member: number for number, member in enumerate(dict.fromkeys(member for _, member in parts.values() if member))}
    ordinal = {label: members.get(member, 0) for label, (_, member) in parts.items()}
    alike = len({(hues[group], ordinal[label]) for label, (group, _) in parts.items()}) < len(labels)
    if len(groups) == len(labels) and len(groups) <= len(COLOURS):
        return {label: _look(hues[group], hues[group], 0.0) for label, (group, _) in parts.items()}
    if alike or len(members) > len(MARKERS):
        # too many to share: by place among those of one hue
        counts: dict[int, int] = {}
        ordinal = {}
        for label, (group, _) in parts.items():
            ordinal[label] = counts.get(hues[group], 0)
            counts[hues[group]] = ordinal[label] + 1
    return {label: _look(hues[group], ordinal[label], _TINTS[ordinal[label] % len(_TINTS)]) for label, (group, _) in parts.items()}


def _hues(groups: Sequence[str]) -> dict[str, int]:
    """An estimator's own hue; what is no estimator takes the hues that no estimator has, and those of estimators last."""
    free = [number for number in range(len(COLOURS)) if number not in KNOWN.values()]
    if not any(group in KNOWN for group in groups):
        free += list(KNOWN.values())[::-1]
    others = [group for group in groups if group not in KNOWN]
    return {**KNOWN, **{group: free[number % len(free)] for number, group in enumerate(others)}}


def _look(hue: int, member: int, tint: float) -> Look:
    colour = COLOURS[hue % len(COLOURS)]
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    blended = "#" + "".join(f"{round(channel + (255 - channel) * tint):02x}" for channel in channels)
    return Look(blended, MARKERS[member % len(MARKERS)], member % 2 == 0, DASHES[hue % len(DASHES)], DASHES[member % len(DASHES)])


def _split(label: str) -> tuple[str, str]:
    """The words before the first comma, and the rest; a comma inside parentheses doesn't count."""
    match = re.fullmatch(r"([^(),]+), (.+)", label)
    return (match[1], match[2]) if match else (label, "")
