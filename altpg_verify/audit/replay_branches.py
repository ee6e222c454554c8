"""The ways in which a step's draws can come out, and what one step did along one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.draw_tree import Turn
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.errors import BadInput


@dataclass(frozen=True, eq=False)
class Branches(Enumeration):
    """The branches of a step where draws of the space are counted for other updates.

    Args:
        ways: how many there are.
    """

    ways: int = 1

    @cached_property
    def count(self) -> int:
        """How many steps are to be evaluated."""
        return self.ways

    @cached_property
    def parts(self) -> Any:
        """There are none.

        Raises:
            BadInput: always.
        """
        raise BadInput(
            "a trainer draws by itself, so that it can't be asked for draws of the space; audit it,"
            " or hand over its loss"
        )


@dataclass(frozen=True, eq=False)
class Outcome:
    """All branches at one place.

    Args:
        weights: (B,) their probabilities.
        steps: group -> (B, *shape) what each adds to the parameters, in units of the stepsize.
        turns: how the draws came out in each.
    """

    weights: np.ndarray
    steps: Mapping[str, np.ndarray]
    turns: tuple[tuple[Turn, ...], ...]
