"""What an identification found: the references that an update equals, or the nearest one and the
first draw on which it differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from altpg_verify.audit.numbers import say_vector
from altpg_verify.sealing import sealed

SMALL = 1e-5
"""A relative difference that an epsilon or float32 explains."""


class Likeness(Enum):
    """How an update and a reference compare."""

    EQUAL = "equal"
    SHIFTED = "shifted"
    NEARLY = "nearly"
    MULTIPLE = "multiple"
    NONE = "none"

    def __str__(self) -> str:
        return _SAID[self]


_SAID = {
    Likeness.EQUAL: "equals",
    Likeness.SHIFTED: "equals, up to shifts of logits (under which softmax is invariant),",
    Likeness.NEARLY: "is, up to an epsilon or float32,",
    Likeness.MULTIPLE: "is a multiple of",
    Likeness.NONE: "equals none of the references",
}


@dataclass(frozen=True)
class Difference:
    """The first draw on which an update and a reference differ.

    Args:
        where: which trial, in words.
        draw: the draw, in words.
        update, reference: (n,) what each does there; ascent directions.
        policy: the policy there.
        share: of how many of the trials' draws they differ.
    """

    where: str
    draw: str
    update: tuple[float, ...]
    reference: tuple[float, ...]
    policy: str
    share: float

    def __str__(self) -> str:
        return (
            f"{self.draw}, {self.policy} ({self.where}): {say_vector(self.update)} and not"
            f" {say_vector(self.reference)}; they differ on {self.share:.3g} of all draws tried"
        )


@sealed()
@dataclass(frozen=True)
class Identification:
    """What an update is called.

    Args:
        update, space: what was identified, and where.
        likeness: how it compares with `names`.
        names: the published algorithms that it equals (or is a multiple of), with the formula each
            was compared by.
        formulas: compositions that it equals, if no published one.
        factor: for a multiple, of what size, in words.
        own: published algorithms that agree only where the policy is sampled from itself.
        nearest, difference: if none agrees, the nearest and the first draw that tells; of `wanted`,
            if that isn't among the names.
        evidence: on what it rests.
        blind: what the space can't tell apart, one sentence each.
        unrun: lines of the update that never ran.
        wanted: the algorithm it is meant to be; empty if nothing is asked.
        conforms: it is that, and the space can tell it from others.
        times: for a composition without a published name, of which published one it is what
            multiple.
    """

    update: str
    space: str
    likeness: Likeness
    names: tuple[str, ...]
    formulas: tuple[str, ...]
    factor: str
    own: tuple[str, ...]
    nearest: str
    difference: Difference | None
    evidence: str
    blind: tuple[str, ...]
    unrun: str
    wanted: str = ""
    conforms: bool = False
    times: str = ""

    @property
    def ok(self) -> bool:
        """It is what it is meant to be, and the space could tell; if nothing was asked, it was
        identified.
        """
        return self.conforms if self.wanted else self.likeness is not Likeness.NONE

    @property
    def partial(self) -> bool:
        """Some of the update never ran."""
        return bool(self.unrun)

    @property
    def sentence(self) -> str:
        """What it is called, as people say it."""
        if self.wanted:
            if self.conforms:
                return f"conforms to {self.wanted}{self._ran}"
            if self.difference is None:
                return (
                    f"not established that it conforms to {self.wanted}: the space can't tell it"
                    f" from {listed(self._others)}"
                )
            return f"doesn't conform to {self.wanted}"
        if self.likeness is Likeness.NONE:
            return (
                "equals none of the"
                f" references{f'; nearest is {self.nearest}' if self.nearest else ', none of which fits the space'}"
            )
        found = self.names or self.formulas[:1]
        said = (
            "agrees with"
            if len(found) > 1 and self.likeness is Likeness.EQUAL
            else str(self.likeness)
        )
        factor = f" by {self.factor}" if self.factor else ""
        return (
            f"{said}"
            f" {listed(found)}{factor}{'' if self.names else ' (no published name)'}{self._ran}"
        )

    @property
    def _ran(self) -> str:
        return ", as far as it ran" if self.unrun else ""

    @property
    def _others(self) -> tuple[str, ...]:
        return tuple(
            name
            for name in self.names or self.formulas
            if self.wanted not in name.split(" (")[0].split(" = ")
        )

    def __str__(self) -> str:
        sign = "✓" if self.ok else "✗"
        return "\n".join(
            [
                f"{sign} {self.update}: {self.sentence}",
                *(f"    {name:<10}{text}" for name, text in self.rows()),
            ]
        )

    def rows(self) -> list[tuple[str, str]]:
        """(name, text) of everything else, in reading order."""
        rows = [("where", self.space)]
        if self.wanted and self.likeness is not Likeness.NONE:
            found = self.names or self.formulas[:1]
            rows.append(
                (
                    "is",
                    (
                        f"{self.likeness}"
                        f" {listed(found)}{f' by {self.factor}' if self.factor else ''}"
                    ),
                )
            )
        if not self.names:
            rows += [("formula", each) for each in self.formulas[:3]]
        if self.times:
            rows.append(("times", f"it is {self.times}"))
        if self.own:
            rows.append(
                (
                    "also",
                    (
                        "where the policy is sampled from itself it agrees with"
                        f" {listed(self.own)}, too"
                    ),
                )
            )
        if self.difference is not None:
            against = self.wanted or self.nearest
            rows.append(("differs", f"from {against} first on {self.difference}"))
            size = np.abs(np.subtract(self.difference.update, self.difference.reference)).max()
            if size <= SMALL * max(
                np.abs(self.difference.update).max(), np.abs(self.difference.reference).max()
            ):
                rows.append(("", "a difference of this size is an epsilon, or float32"))
        rows.append(("evidence", self.evidence))
        rows += [("blind", each) for each in self.blind]
        if self.unrun:
            rows.append(("unseen", f"{self.unrun}; nothing is known of that part"))
        return rows

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        return {
            "update": self.update,
            "space": self.space,
            "ok": self.ok,
            "sentence": self.sentence,
            "likeness": str(self.likeness),
            "names": list(self.names),
            "formulas": list(self.formulas),
            "factor": self.factor,
            "sampled_from_itself": list(self.own),
            "nearest": self.nearest,
            "difference": None if self.difference is None else str(self.difference),
            "evidence": self.evidence,
            "blind": list(self.blind),
            "unrun": self.unrun,
            "wanted": self.wanted,
            "times": self.times,
        }


def listed(names: Sequence[str]) -> str:
    """Names as in a sentence: "a", "a, b and c", "nothing"."""
    return (
        names[0]
        if len(names) == 1
        else f"{', '.join(names[:-1])} and {names[-1]}"
        if names
        else "nothing"
    )
