"""The interactive simplex of the report on one's own: moved by the formula itself where it runs on
symbols, else by a grid of updates.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace

from altpg_verify.cases import Case
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import evaluate, expected_update
from altpg_verify.facts import FIXTURE
from altpg_verify.report.html.playground import (
    ACTIONS,
    Grid,
    Playground,
    formula_in_javascript,
    symbolic_estimate,
)
from altpg_verify.report.own.simplex_figures import noiseless
from altpg_verify.report.simplex import grid

DIVISIONS = 30
"""Of each side of the triangle, where updates are computed beforehand: at 496 policies."""

HELD = (-4.0, 0.0, 2.0, 4.0)
"""The fixed baselines for which they are: below the rewards 1, 2, 3, among them and above."""

TRIED = 8
"""Draws at which the expressions must give what the formula gives."""

GRID_NOTE = (
    "{} doesn't run on symbols as on numbers, so its expected update was computed beforehand, by"
    " enumeration, for these rewards on a grid of policies, and is interpolated between them; the"
    " line follows it."
)


ESCORT_RATE = "rate of change of log π, up to a shift,"

ESCORT_NOTE = (
    "The policy is an escort policy, and arrows and line show its flow under the expected update:"
    " the rate of change of log π, for positive preferences. It was computed beforehand, by"
    " enumeration, for these rewards on a grid of policies, and is interpolated between them; α"
    " scales the time."
)


def interactive(
    estimators: Mapping[str, Estimator], first: str, *, escort: bool = False
) -> Playground | None:
    """The simplex of these estimators, by their labels; None if the expected update of the first
    isn't defined everywhere on it.

    Args:
        escort: they are flows of an escort policy, see `escort_flow`, of which single draws aren't
            shown.
    """
    formulas, gridded = {}, []
    for label, estimator in estimators.items():
        code = "" if escort else formula_or_nothing(estimator)
        if not code:
            try:
                code = replace(
                    updates_on_a_grid(estimator),
                    quantity=ESCORT_RATE if escort else "expected update",
                ).javascript()
            except (BadEstimator, ArithmeticError):
                if label == first:
                    return None
                continue
            gridded.append(label)
        formulas[label] = code
    note = ESCORT_NOTE if escort else GRID_NOTE.format(" and ".join(gridded)) if gridded else ""
    return Playground(formulas, first, note)


def formula_or_nothing(estimator: Estimator) -> str:
    """The formula in JavaScript, or nothing if it can't be run on symbols or gives something else
    there than on numbers.
    """
    try:
        return formula_in_javascript(estimator) if _agrees(estimator) else ""
    except Exception:
        # a user's code may raise anything on symbols
        return ""


def updates_on_a_grid(estimator: Estimator, divisions: int = DIVISIONS) -> Grid:
    """Its expected updates on the paper's bandit, for a few baselines if it asks for one.

    Raises:
        BadEstimator, ArithmeticError: the formula isn't defined at one of the policies.
    """
    held: tuple[float | None, ...] = HELD if "b" in estimator.needs else (None,)
    updates = {}
    for b in held:
        tables = [
            expected_update(estimator, noiseless(policy, 0.0 if b is None else b))
            for policy in grid(divisions)
        ]
        updates[b] = [[float(entry) for entry in each] for each in tables]
    return Grid(FIXTURE, divisions, updates)


def _agrees(estimator: Estimator) -> bool:
    """Whether the expressions give what the formula gives on floats, at a few draws that are always
    the same.
    """
    generator = random.Random(1)
    entries = symbolic_estimate(estimator)
    if len(entries) != ACTIONS:
        return False
    for number in range(TRIED):
        weights = [generator.uniform(0.1, 1) for _ in range(ACTIONS)]
        rewards = tuple(((generator.uniform(-3, 3), 1.0),) for _ in range(ACTIONS))
        case = Case(
            tuple(weight / sum(weights) for weight in weights), rewards, generator.uniform(-4, 4)
        )
        action = number % ACTIONS
        reward = case.rewards[action][0][0]
        given = case.arguments(action, reward)
        named = {name: float(given[name]) for name in ("r", "b", "v")}
        for name in ("pi", "e", "q", "h", "theta"):
            named |= {f"{name}_{index}": float(value) for index, value in enumerate(given[name])}
        found = [float(entry.subs(named)) for entry in entries]
        wanted = [float(entry) for entry in evaluate(estimator, case, action, reward)]
        if not all(
            math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
            for one, other in zip(found, wanted, strict=True)
        ):
            return False
    return True
