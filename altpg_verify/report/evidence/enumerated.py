"""A claim as the enumeration sees it: the two sides of a statement on one case, and the cases it is
tried on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.judging import Finding, inconclusive, searched
from altpg_verify.report.evidence.ball_arithmetic import Undecided
from altpg_verify.report.evidence.domains import Domain


@dataclass(frozen=True)
class Enumerated:
    """`left relation right` on every case of a domain.

    Args:
        sides: one case -> both sides; numbers, arrays or nests of them, flattened entry by entry.
        domain: the cases, the smallest first, so that what refutes is small.
        relation: as in `altpg_verify.relations.RELATIONS`.
        summary: what the two sides are, where the claim alone doesn't tell.
    """

    sides: Callable[[Any], tuple[object, object]] = field(repr=False)
    domain: Domain
    relation: str = "="
    summary: str = "both sides from the list of every outcome, in fractions"

    def judged(self, max_examples: int, seed: int) -> Finding:
        """HOLDS with the number of cases, REFUTED by the first that fails, INCONCLUSIVE if a
        comparison can't be decided.
        """

        def flattened(case: Any) -> tuple[list[Any], list[Any]]:
            left, right = self.sides(case)
            return flat(left), flat(right)

        cases = self.domain.cases(max_examples, seed)
        try:
            return searched(
                self.summary,
                cases,
                flattened,
                self.relation,
                domain=self.domain.name,
                describe=described,
            )
        except Undecided as why:
            return inconclusive(str(why), tested=self.summary)


def flat(side: Any) -> list[Any]:
    """The entries of a side in order, truth values as 0 and 1."""
    if isinstance(side, np.ndarray):
        return flat(side.ravel().tolist())
    if isinstance(side, list | tuple):
        return [entry for part in side for entry in flat(part)]
    return [int(side) if isinstance(side, bool) else side]


def described(case: Any) -> Mapping[str, object]:
    """The instance as a reader wants it."""
    return {"case": str(case)} if isinstance(case, Case) else case.described()
