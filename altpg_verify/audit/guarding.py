"""What is established about somebody's update beside its numbers: that it is pure, and which of its lines and branches ever ran."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.layout import Layout
from altpg_verify.audit.moments import Pass
from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.programs import telling_rows
from altpg_verify.untrusted.constants import constants, neighbours
from altpg_verify.untrusted.lines import LineCoverage, Unrun

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space
    from altpg_verify.audit.updates import Update

ROWS = 12
"""Draws of one policy that are asked one by one."""

CALLS = 600
"""Calls in which lines that didn't run yet are looked for."""

SHARE = 0.2
"""Of the time that the audit took so far: looking for further lines stops there."""

MOST_CONSTANTS = 8
"""Constants of the update on both sides of which policies are placed."""


def look(update: Update, places: Sequence[Parameters], seconds: float) -> Unrun:
    """Ask single draws again, at all policies that were compared; what of the update never ran.

    Args:
        update: what was audited.
        places: the policies.
        seconds: how long the audit took so far.

    Raises:
        BadEstimator: it draws random numbers, reads the clock or remembers earlier calls.
    """
    program = update.program
    layout = Layout.of(update.judged, update.space.parameters)
    passes = Pass(program, places, program.order.enumeration, layout)
    begin = time.perf_counter()
    coverage = LineCoverage(update.function)
    asked = 0
    pure = False
    for spec in passes.specs():
        block = passes.block(spec)
        if block is None:
            continue
        vectors = program.vectors(block.draws, block.points, layout)
        rows = telling_rows(vectors, ROWS)

        def run(i: int, block=block, rows=rows) -> np.ndarray:  # type: ignore[no-untyped-def]
            return program.singly(block.draws, block.points, layout, [rows[i]])[0]

        if not pure:
            program.guard.establish(run, [run(i) for i in range(len(rows))], seeded=update.seeded)
            pure = True
        with watched(update), coverage:
            for i in range(len(rows)):
                run(i)
        asked += len(rows)
        if not coverage.unrun() or asked > CALLS or time.perf_counter() - begin > max(0.05, SHARE * seconds):
            break
    else:
        # a line that only some draws reach
        return _in_all_draws(passes, coverage, begin + max(0.1, SHARE * seconds))
    return coverage.unrun()


def watched(update: Update) -> AbstractContextManager[None]:
    """A context in which the update's own Python runs at every single call."""
    return nullcontext() if update.uncompiled is None else update.uncompiled()


def _in_all_draws(passes: Pass, coverage: LineCoverage, until: float) -> Unrun:
    for block in passes.blocks():
        for row in range(len(block.draws)):
            if time.perf_counter() > until:
                return coverage.unrun()
            with watched(passes.program.update), coverage:
                passes.program.singly(block.draws, block.points, passes.layout, [row])
            if row % 16 == 0 and not coverage.unrun():
                return coverage.unrun()
    return coverage.unrun()


def at_constants(update: Update) -> list[Parameters]:
    """Policies on both sides of the probabilities that stand in the update's own source; of tabular policies only."""
    space, policy = update.space, update.space.policy
    if update.function is None or not isinstance(policy, TablePolicy) or not policy.separate:
        return []
    near = [float(number) for number in neighbours(constants(update.function)) if 0 < number < 1]
    wanted = [number for number in near if any(abs(number - float(each)) < 0.02 for each in constants(update.function))]
    return [_with_probability(space, policy, number) for number in wanted[: 3 * MOST_CONSTANTS]]


def _with_probability(space: Space, policy: TablePolicy, number: float) -> Parameters:
    """In each state the first action that has a logit of its own gets this probability, the others share the rest."""
    theta = np.zeros(int(np.prod(policy.shape)))
    for row in policy.index:
        others = sum(i != -2 for i in row) - 1
        free = [i for i in row if i >= 0]
        if free and others:
            theta[free[0]] = np.log(number / (1 - number) * others)
    return {**space.parameters, policy.group: theta.reshape(policy.shape)}
