"""The formula of a factor that changes with the policy; those that don't are explained in
`factors`.

A formula is given only if it reproduces the factor at every size of batch tried, at the point of
the audit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from altpg_verify.audit.expected_update import expected, identifiable_projection
from altpg_verify.audit.factors import MOST_DRAWS, explained
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput

CLOSE = 1e-9


def _mixed(space: Space) -> float:
    """P(not all returns of a group are equal), for a single start."""
    tables = Tables.at(space, space.parameters)
    levels: dict[Fraction, float] = {}
    for probability, episode in zip(tables.sampled, space.episodes, strict=True):
        level = tables.returns(episode, space.discount)[0]
        levels[level] = levels.get(level, 0.0) + float(probability)
    return 1 - sum(chance**space.size for chance in levels.values())


def _deviation(space: Space) -> float:
    """The standard deviation of the return."""
    tables = Tables.at(space, space.parameters)
    mean = float(tables.value)
    square = float(
        tables.expectation(
            lambda episode: tables.number(tables.returns(episode, space.discount)[0] ** 2)
        )
    )
    return float(np.sqrt(max(square - mean * mean, 0.0)))


VARYING: dict[str, Callable[[Space], float]] = {
    "P(mixed group)": lambda space: _mixed(space),
    "1/P(mixed group)": lambda space: 1 / _mixed(space),
    "1/σ": lambda space: 1 / _deviation(space),
    "1/σ²": lambda space: 1 / _deviation(space) ** 2,
    "V": lambda space: float(Tables.at(space, space.parameters).value),
    "1/V": lambda space: 1 / float(Tables.at(space, space.parameters).value),
    "2V": lambda space: 2 * float(Tables.at(space, space.parameters).value),
}
"""Factors that change with the policy; σ is the standard deviation of the return."""


def formula_of(update: Update, target: Objective, constant: bool) -> str:
    """The formula of the factor in the space's constants, or in the policy; empty if none fits
    wherever it was tried.
    """
    if constant:
        return explained(update, target)
    space = update.space
    if len(space.starts) > 1 or space.continuous is not None:
        return ""
    sizes = (
        [space.size]
        if space.scheme == "one"
        else [n for n in (2, 3, 4, space.size) if replace(space, size=n).draws_count <= MOST_DRAWS]
    )
    sizes = list(dict.fromkeys(sizes))
    try:
        seen = [
            (replace(space, size=n), _factor(update.on(replace(space, size=n)), target))
            for n in sizes
        ]
    except (BadInput, ZeroDivisionError):
        # an update that can't be run at another size has no law in it
        return ""
    return next(
        (
            name
            for name, shape in VARYING.items()
            if all(_fits(shape, there, factor) for there, factor in seen)
        ),
        "",
    )


def _fits(formula: Callable[[Space], float], space: Space, factor: float) -> bool:
    """Whether a formula gives the factor; one without a value there, as 1/V where V is 0,
    doesn't.
    """
    try:
        return abs(formula(space) - factor) <= CLOSE * abs(factor)
    except ZeroDivisionError:
        return False


def _factor(update: Update, target: Objective) -> float:
    identifiable = identifiable_projection(update.space, update.judged)
    gradient = identifiable @ target.gradient(update.space, update.judged)
    # numbers as small as 1e-200 have no square
    size = float(np.abs(gradient).max(initial=0.0)) or 1.0
    unit = gradient / size
    return float((identifiable @ expected(update)) @ unit / (unit @ unit)) / size
