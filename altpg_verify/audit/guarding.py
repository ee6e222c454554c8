"""What is established about somebody's update beside its numbers: that it is pure, and which of its
lines and branches ever ran.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Block, Pass
from altpg_verify.audit.policies import Parameters
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
        return update.replay.unrun
    program = update.program
    _refuse_impure_rows(update)
    passes = Pass(
        program,
        places,
        program.order.enumeration,
        Layout.of(update.judged, update.space.parameters),
    )
    coverage = LineCoverage(update.function)
    left = CALLS if update.uncompiled is None else CALLS_UNCOMPILED
    # a few draws of every block first: most lines hang on the policy; then all draws, for lines
    # that few of them reach
    for most in (ROWS, None):
        for block in passes.blocks():
            count = len(block.draws)
            rows = (
                range(count)
                if most is None
                else sorted({*np.linspace(0, count - 1, most).astype(int).tolist()})
            )
            # one draw runs all lines of a function that doesn't branch
            for some in (list(rows)[:1], list(rows)[1:left]):
                if not some:
                    continue
                with update.watched(), coverage:
                    program.singly(block.draws, block.points, passes.layout, some)
                if not coverage.unrun():
                    return coverage.unrun()
            left -= len(rows)
            if left <= 0:
                return coverage.unrun()
    return coverage.unrun()


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
