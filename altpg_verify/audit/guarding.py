"""What is established about somebody's update beside its numbers: that it is pure, which of its
lines and branches ever ran, and which of its conditions went both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Block, Pass
from altpg_verify.audit.policies import Parameters
from altpg_verify.untrusted.conditions import Conditions
from altpg_verify.untrusted.lines import LineCoverage, Unrun

if TYPE_CHECKING:
    from altpg_verify.audit.updates import Update

ROWS = 12
"""Draws of a block that are asked one by one."""

ALIKE = 3
"""The same where all draws were evaluated together: then none goes a way of its own through the
code, and one shows what others do.
"""

CALLS = 1_000
"""Calls in which lines that didn't run yet are looked for; counted, not timed, so that a verdict
doesn't depend on the machine.
"""

CALLS_CONSTANT = 100
"""Calls after which nothing more is expected of a condition that asks of the same numbers each time."""

CALLS_UNCOMPILED = 100
"""The same where each call is traced anew, and takes milliseconds."""


def look(update: Update, places: Sequence[Parameters]) -> Unrun:
    """Ask single draws again, at all policies that were compared; what of the update never ran.

    Args:
        update: what was audited.
        places: the policies.

    Raises:
        BadEstimator: it draws random numbers, reads the clock or remembers earlier calls.
    """
    if update.replay is not None:
        replay = update.replay
        return replay.unrun.also(replay.one_way(places), "in the branches looked at")
    program = update.program
    _refuse_impure_rows(update)
    passes = Pass(
        program,
        places,
        program.order.enumeration,
        Layout.of(update.judged, update.space.parameters),
    )
    most = CALLS if update.uncompiled is None else CALLS_UNCOMPILED
    coverage = LineCoverage(update.function)

    def ran(block: Block, rows: list[int]) -> None:
        with update.watched(), coverage:
            program.singly(block.draws, block.points, passes.layout, rows)

    _until(passes, most, ran, lambda calls: not coverage.unrun())
    return coverage.unrun().also(*_one_way(update, passes, coverage, most))


def _one_way(
    update: Update, passes: Pass, coverage: LineCoverage, most: int
) -> tuple[list[tuple[str, int, int, str]], str]:
    """Conditions that went one way only though what they ask of varied, and among how many draws
    that is so, if not among all.
    """
    conditions = Conditions(coverage.roots)
    if not conditions.sites:
        return [], ""

    def ran(block: Block, rows: list[int]) -> None:
        policies = block.policy[rows]
        for number in np.unique(policies):
            conditions.where.place = int(number)
            at_it = [row for row, policy in zip(rows, policies, strict=True) if policy == number]
            with update.watched(), conditions:
                update.program.singly(block.draws, block.points, passes.layout, at_it)

    def done(calls: int) -> bool:
        return not conditions.open or (calls >= CALLS_CONSTANT and not conditions.telling)

    calls, every = _until(passes, most, ran, done)
    return conditions.one_way(every=every), "" if every else f"in {calls:,} draws"


def _until(
    passes: Pass, most: int, run: Callable[[Block, list[int]], None], done: Callable[[int], bool]
) -> tuple[int, bool]:
    """Run single draws until it is done, a few of every block first: most that a function does
    hangs on the policy; then all, for what few of them reach.

    Args:
        passes: where the draws are.
        most: how many at most, or all of a block's few.
        run: runs these rows of a block.
        done: whether it is, after so many calls.

    Returns:
        How many draws were run, and whether that is all of them.
    """
    calls = 0
    for block, rows in _shares(passes, most):
        # one draw runs all lines of a function that doesn't branch
        for some in (rows[:1], rows[1 : most - calls]):
            if not some:
                continue
            run(block, some)
            calls += len(some)
            if done(calls):
                return calls, False
        if calls >= most:
            return calls, False
    return calls, True


def _shares(passes: Pass, most: int) -> Iterator[tuple[Block, list[int]]]:
    for few in (True, False):
        for block in passes.blocks():
            count = len(block.draws)
            spread = sorted({*np.linspace(0, count - 1, ROWS).astype(int).tolist()})
            others = (row for row in range(count) if row not in spread)
            yield block, spread if few else list(islice(others, most))


def _refuse_impure_rows(update: Update) -> None:
    """Raises BadEstimator if single draws, those of the first pass that show most, tell that the
    update isn't pure.
    """
    program = update.program
    for first in program.first_pass[:1]:
        block = first.passes.block(first.spec)
        if block is None:
            continue

        def run(row: int, block: Block = block, layout: Layout = first.passes.layout) -> np.ndarray:
            return program.singly(block.draws, block.points, layout, [row])[0]

        rows = first.rows[:ALIKE] if first.mode == "batched" else first.rows

        def nth(i: int, rows: tuple[int, ...] = rows) -> np.ndarray:
            return run(rows[i])

        # what is compiled has run the function's Python long ago, and would show nothing of it
        with update.watched():
            # what was asked already, to compare it with a block, needn't be asked anew
            known = (
                program.alone[1]
                if program.alone[0] == first.digest and update.uncompiled is None
                else None
            )
            answers = (
                [nth(i) for i in range(len(rows))] if known is None else list(known[: len(rows)])
            )
            program.guard.establish(nth, answers, seeded=update.seeded)
