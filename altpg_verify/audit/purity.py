"""Whether an update is a function of its arguments: every draw of the first pass is asked again, in
another order and another state of every random generator that can be seen, and must give the same
to the last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from altpg_verify.audit.passes import Block
from altpg_verify.audit.programs import Asked, Program, digest
from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.generators import State

if TYPE_CHECKING:
    from altpg_verify.audit.updates import Update

CALLS = 60
"""Calls that are repeated, where there are few draws; counted, not timed, so that a verdict doesn't
depend on the machine.
"""

TIMES = 3
"""So often at most each draw is asked again: what a few draws would show only later, they show one
by one as well, see `guarding`.
"""

STATES = 3
"""States of the random generators that are tried."""

RANDOM = (
    "update {0!r} draws random numbers of its own; declare them as choices={{name: [(value,"
    " probability), ...]}}, take a generator `rng` as an argument and sample (audit(update,"
    " samples=N)), or fix a loss's with seed=0"
)

STATE = (
    "update {0!r} remembers earlier calls, or looks at a clock: the same draw gave another answer"
    " when asked again; take a running mean or generator as an argument"
)


def refuse_impure(update: Update) -> int:
    """Ask everything of the first pass again; how many evaluations that were.

    Raises:
        BadEstimator: it draws random numbers, or remembers earlier calls; the message says which,
            and what to do.
    """
    if update.replay is not None:
        return update.replay.establish()
    program = update.program
    asked = 0
    # what ran in another mode then has other last bits
    again = [each for each in program.first_pass if each.mode == program.mode]
    first = sum(each.spec.stop - each.spec.start for each in again)
    # what is asked several times is made once; what is large is asked once, block by block
    made = {id(each): each.passes.block(each.spec) for each in again} if first < CALLS else {}
    generators = program.guard.generators
    before = generators.capture()
    try:
        for repetition in range(min(TIMES, math.ceil(CALLS / max(first, 1)))):
            # chance goes on from where the last call left it; other states of it are tried a few
            # times, as they cost more than a call
            fresh = _reseeded(program, repetition + 1) if repetition < STATES else None
            for each in reversed(again):
                asked += each.spec.stop - each.spec.start
                block = made[id(each)] if made else each.passes.block(each.spec)
                if _given(program, each, block) != each.digest:
                    raise BadEstimator(_reason(program, each))
            if fresh is not None and generators.moved(fresh):
                raise BadEstimator(RANDOM.format(update.name))
    finally:
        generators.restore(before)
    if update.drew is not None and update.drew():
        raise BadEstimator(RANDOM.format(update.name))
    return asked


def _reseeded(program: Program, seed: int) -> State:
    """Put all generators that can be seen into another state; that state."""
    program.guard.generators.reseed(seed)
    return program.guard.generators.capture()


def _found(program: Program, each: Asked) -> bytes:
    """What a block gives now."""
    return _given(program, each, each.passes.block(each.spec))


def _given(program: Program, each: Asked, block: Block | None) -> bytes:
    return (
        b""
        if block is None
        else digest(program.vectors(block.draws, block.points, each.passes.layout))
    )


def _under(program: Program, each: Asked, seed: int) -> bytes:
    """What a block gives in one state of all generators that can be seen."""
    _reseeded(program, seed)
    return _found(program, each)


def _reason(program: Program, each: Asked) -> str:
    """What makes the answers differ."""
    if program.update.drew is not None and program.update.drew():
        return RANDOM.format(program.update.name)
    one, other, third = (_under(program, each, seed) for seed in (1, 1, 2))
    return (RANDOM if one == other != third else STATE).format(program.update.name)
