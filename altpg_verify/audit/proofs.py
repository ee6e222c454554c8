"""When a statement about an expected update is an identity: both sides as rational functions of the
policy, compared in normal form.

Only for tabular policies, updates that run on rational functions, and few draws; anything else is
said to hold at the policies tried.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.draw_counts import count_of
from altpg_verify.audit.expected_update import exact_expected
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import FIXED, TablePolicy
from altpg_verify.audit.policy_quantities import NotExact
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.opaque_numbers import NotRational, budget
from altpg_verify.rational_functions import Field, equal
from altpg_verify.signs import POSITIVE

MOST_TERMS = 10_000
"""Draws times parameters above which no proof is tried."""

BUDGET = 1e7
"""Products of terms that a proof may take; about a second."""


def proved(update: Update, objective: Objective | None, factor: Any = 1) -> bool:
    """Whether E[g] = factor · ∇objective (0 if it is None) as rational functions, up to shifts
    (softmax is shift-invariant).
    """
    space = update.space
    if not update.exact or update.random or not isinstance(factor, int | Fraction):
        return False
    # every sequence is run: that multisets stand for them is established in float64 only
    if count_of(space) * Layout.of(update.judged, space.parameters).size > MOST_TERMS:
        return False
    if not isinstance(space.policy, TablePolicy) or update.judged != (space.policy.group,):
        return False
    try:
        with budget(BUDGET):
            weights = symbols(space)
            left = exact_expected(update, weights)
            right = (
                [0] * len(left)
                if objective is None
                else objective.exact_gradient(space, update.judged, weights)
            )
            difference = [one - factor * other for one, other in zip(left, right, strict=True)]
            return unfelt(space.policy, difference)
    except (NotExact, NotRational, TypeError, ZeroDivisionError):
        return False


def symbols(space: Space) -> list[Any]:
    """The weights e^θ as rational functions, one symbol for each free probability.

    In a softmax state of its own the last weight is one less the others, so that they are the
    probabilities; nothing is lost, since a common factor of the weights changes neither the policy
    nor its scores.
    """
    policy = space.policy
    assert isinstance(policy, TablePolicy)
    size = int(np.prod(policy.shape))
    field = Field([f"p{i}" for i in range(size)], {f"p{i}": POSITIVE for i in range(size)})
    weights = field.generators()
    used = [i for row in policy.index for i in row if i >= 0]
    if len(used) != len(set(used)):
        return weights
    for row in policy.index:
        free = [i for i in row if i >= 0]
        if FIXED in row and len(free) == 1:
            weights[free[0]] = weights[free[0]] / (1 - weights[free[0]])
        elif FIXED not in row and len(free) > 1:
            weights[free[-1]] = (
                1 - sum((weights[i] for i in free[:-1]), start=field.constant(0))
            ).known(POSITIVE)
    return weights


def unfelt(policy: TablePolicy, difference: list[Any]) -> bool:
    """Zero, or the same for all logits of a softmax state of its own."""
    if all(_is_zero(entry) for entry in difference):
        return True
    used = [i for row in policy.index for i in row if i >= 0]
    if len(used) != len(set(used)) or len(used) != len(difference):
        return False
    for row in policy.index:
        free = [i for i in row if i >= 0]
        if FIXED in row and not all(_is_zero(difference[i]) for i in free):
            return False
        if not all(_is_zero(difference[i] - difference[free[0]]) for i in free):
            return False
    return True


def _is_zero(entry: Any) -> bool:
    return equal(entry, 0)
