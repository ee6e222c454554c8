"""How draws are run to see what their order makes of them: at which policy, in which blocks, and
within what rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Block, Pass, Spec
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import Program
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.workers import spread, spreading

ROUNDING = 1e-12
"""Difference of two orders, as a share of the update, that is rounding: sums are taken in another
order.
"""

NOISE = 1e-14
"""The same as a share of the largest update of all."""

TRIED = 64
"""Draws on which it is first tried which members may change places."""


def singly(program: Program) -> bool:
    """Whether the update is run on one draw at a time, which a few draws tell."""
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    block = next(Pass(program, [generic(space)], Enumeration(space), layout).blocks())
    rows = few_rows(len(block.draws))
    few = Draws(block.draws.tables, block.draws.indices[rows], None, None, (), block.draws.values)
    program.vectors(few, block.points, layout)
    return program.mode == "single"


def few_rows(count: int) -> np.ndarray:
    """At most `TRIED` of the numbers below `count`, spread evenly."""
    # np.unique would load numpy.ma, which a small audit needn't
    return np.array(sorted({*np.linspace(0, count - 1, TRIED).astype(int).tolist()}))


def generic(space: Space) -> Parameters:
    """A policy about the point of the audit at which nothing vanishes by chance."""
    return points(space, 2)[1]


def specs_of(passes: Pass) -> list[Spec]:
    """The blocks of a pass; where there are other processes, in pieces for them if the update is
    run draw by draw.
    """
    program = passes.program
    if spreading() and not program.mode and not singly(program):
        # a few draws are enough to run it draw by draw, but not to trust it with many
        program.mode = ""
    return passes.specs()


def answers(passes: Pass, specs: Sequence[Spec]) -> Iterator[tuple[Spec, Block, np.ndarray]]:
    """Each block with what the update gives on it, in order, spread where it can be."""
    if not spreading():
        for spec in specs:
            block = passes.block(spec)
            if block is not None:
                yield spec, block, passes.program.vectors(block.draws, block.points, passes.layout)
        return
    for spec, found in spread(passes, specs):
        block = passes.block(spec)
        if block is not None and found is not None:
            yield spec, block, found[2]
