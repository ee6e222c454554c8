"""What a part reports: numbers, each with the bound it was to keep, which was fixed before it was
measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A number that was measured; with a bound it is met or not, without one it is just reported.

    Bounds are written down before anything is measured, beside the code that measures; a figure
    without one is for readers only.

    Attributes:
        name: short and stable, for readers of the file.
        value: the number.
        summary: one sentence fragment for people, such as "mutants of the core that a test notices,
            as a share".
        at_least, at_most: the bound, if there is one.

    Examples:
        >>> from trust.figures import Figure
        >>> misses = Figure("misses", 0, "wrong ones called right", at_most=0)
        >>> misses.met, misses.target
        (True, 'at most 0')
    """

    name: str
    value: float
    summary: str
    at_least: float = -math.inf
    at_most: float = math.inf

    @property
    def bounded(self) -> bool:
        """Whether there is anything to meet."""
        return self.at_least > -math.inf or self.at_most < math.inf

    @property
    def met(self) -> bool:
        """Whether the number keeps its bounds; NaN keeps none."""
        return self.at_least <= self.value <= self.at_most

    @property
    def target(self) -> str:
        """The bound in words; empty without one."""
        if self.at_least == self.at_most:
            return f"exactly {self.at_least:g}"
        words = [f"at least {self.at_least:g}"] if self.at_least > -math.inf else []
        words += [f"at most {self.at_most:g}"] if self.at_most < math.inf else []
        return " and ".join(words)


@dataclass(frozen=True)
class Outcome:
    """The figures of one part, with what a reader may want to look at: survivors with explanations,
    things not run with reasons.

    Attributes:
        figures: in the order to be shown.
        notes: sentences; what wasn't run, and why, belongs here.
        details: anything that JSON can hold.
    """

    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The figures that don't keep their bounds; those without one aren't among them."""
        return tuple(figure for figure in self.figures if figure.bounded and not figure.met)

    @property
    def met(self) -> bool:
        """Whether every figure keeps its bounds."""
        return not self.missed


Say = Callable[[str], None]
"""Called with a line of progress."""


@dataclass(frozen=True)
class Part:
    """One way of testing the verifier.

    Attributes:
        name: as given to `--only`.
        title: a line for people.
        run: called with `sample` (a small, deterministic share for CI) and a function to report
            progress; may use two cores.
    """

    name: str
    title: str
    run: Callable[[bool, Say], Outcome]
