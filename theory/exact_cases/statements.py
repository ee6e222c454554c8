"""A printed formula as a value: two sides, how they are related, and the cases on which they are
compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from altpg_verify.judging import Finding, searched


@dataclass(frozen=True)
class Statement:
    """`left relation right` for every case, as printed.

    A statement for all policies isn't proved by cases: HOLDS says that no counterexample was found
    among those listed, while one case on which the sides differ does refute it, as the arithmetic
    is exact.

    Args:
        left, right: functions of one case; numbers or vectors of fractions.
        cases: the smallest first, so that the first case to fail is the smallest.
        domain: the cases in words.
        relation: as in `altpg_verify.relations.RELATIONS`.
        summary: what the two sides are, where the formula alone doesn't tell.
        shows: the parts of an instance that a reader needs; all of them if empty.
    """

    left: Callable[[Any], Any]
    right: Callable[[Any], Any]
    cases: Iterable[Any]
    domain: str
    relation: str = "="
    summary: str = "both sides from the formula as printed, in fractions"
    shows: tuple[str, ...] = ()

    def judged(self) -> Finding:
        """HOLDS with the number of cases, or REFUTED by the first that fails."""

        def describe(case: Any) -> dict[str, Any]:
            parts = case.described() if hasattr(case, "described") else {"case": case}
            return {
                name: part for name, part in parts.items() if not self.shows or name in self.shows
            }

        return searched(
            self.summary,
            self.cases,
            lambda case: (self.left(case), self.right(case)),
            self.relation,
            domain=self.domain,
            describe=describe,
        )
