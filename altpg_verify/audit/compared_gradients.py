"""The gradients that the expected update is compared with, and at how many of its parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.layout import Layout
from altpg_verify.audit.numbers import fraction_near
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update


def digits_of(probability: float) -> int:
    """Significant digits that tell a probability from 1."""
    return (
        2 if probability < 0.99 else min(9, 1 - math.floor(math.log10(max(1 - probability, 1e-9))))
    )


def parts_of(update: Update) -> dict[str, np.ndarray]:
    """Index sets that may each have a scale of their own: the logits of each prompt, if episodes
    are single steps; else everything.
    """
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    size = sum(int(np.prod(shape)) for shape in layout.shapes)
    policy = space.policy
    if (
        space.horizon == 1
        and len(space.starts) > 1
        and isinstance(policy, TablePolicy)
        and layout.groups == (policy.group,)
    ):
        rows = [sorted({i for i in policy.index[start] if i >= 0}) for start in space.starts]
        if sum(map(len, rows)) == len({i for row in rows for i in row}):
            return {
                f"prompt {start}": np.array(row)
                for start, row in zip(space.starts, rows, strict=True)
            }
    return {"": np.arange(size)}


def pays_the_same(space: Space) -> bool:
    """Whether in each start of a problem of one step every action pays the same on average."""
    arrays = space.arrays
    returns = arrays.returns(space.discount)[:, 0]
    paid: dict[tuple[int, int], list[Fraction]] = {}
    for start, action, gained, chance in zip(
        arrays.starts, arrays.actions[:, 0], returns, arrays.chances, strict=True
    ):
        before, weight = paid.get((start, action), [Fraction(0), Fraction(0)])
        paid[start, action] = [before + chance * gained, weight + chance]
    means: dict[int, set[Fraction]] = {}
    for (start, _), (gained, weight) in paid.items():
        means.setdefault(start, set()).add(gained / weight)
    return all(len(found) == 1 for found in means.values())


class Gradients:
    """Gradients of objectives at policies, each computed once.

    Args:
        space: where.
        groups: the groups of parameters they are taken in.
    """

    def __init__(self, space: Space, groups: Sequence[str]) -> None:
        self.space, self.groups = space, groups
        self._known: dict[tuple[int, bytes], tuple[Objective, np.ndarray]] = {}

    def __call__(self, objective: Objective, place: Parameters) -> np.ndarray:
        """(n,) the gradient, flattened."""
        key = (
            id(objective),
            b"".join(np.ascontiguousarray(values).tobytes() for _, values in sorted(place.items())),
        )
        if key not in self._known:
            # the objective is kept beside it, so that its id is not another's
            self._known[key] = objective, objective.gradient(self.space, self.groups, place)
        return self._known[key][1]


def readable_point(number: float) -> Any:
    """A number as the fraction that it is, if it is one."""
    near = fraction_near(number)
    return number if near is None else near
