"""Whether an update is a function of its arguments: every draw of the first pass is asked again, in another order and another state of
every random generator that can be seen, and must give the same to the last bit.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.programs import Program, digest
from altpg_verify.errors import BadEstimator

if TYPE_CHECKING:
    from altpg_verify.audit.moments import Pass, Spec
    from altpg_verify.audit.updates import Update

CALLS = 200
"""Calls that are repeated at least, where there are few draws."""

SHARE = 0.2
"""Of the time that the audit took so far: further repetitions stop there."""

RANDOM = (
    "update {0!r} draws random numbers of its own; declare them as choices={{name: [(value, probability), ...]}}, take a generator `rng` "
    "as an argument and sample (audit(update, samples=N)), or fix a loss's with seed=0"
)

STATE = (
    "update {0!r} remembers earlier calls, or looks at a clock: the same draw gave another answer when asked again; "
    "take a running mean or generator as an argument"
)


def refuse_impure(update: Update, seconds: float) -> int:
    """Ask everything of the first pass again; how many evaluations that were.

    Args:
        update: what was audited.
        seconds: how long the audit took so far.

    Raises:
        BadEstimator: it draws random numbers, or remembers earlier calls; the message says which, and what to do.
    """
    program = update.program
    begin, asked = time.perf_counter(), 0
    first = sum(spec.stop - spec.start for _, spec, _ in program.asked)
    for repetition in range(max(1, math.ceil(CALLS / max(first, 1)))):
        if repetition and time.perf_counter() - begin > SHARE * seconds:
            break
        for passes, spec, before in reversed(program.asked):
            # where draws are many, those of one policy are enough
            if spec.policy:
                continue
            asked += spec.stop - spec.start
            again, moved = _again(program, passes, spec, repetition + 1)
            if moved:
                raise BadEstimator(RANDOM.format(update.name))
            if again != before:
                raise BadEstimator(_reason(program, passes, spec))
    if update.drew is not None and update.drew():
        raise BadEstimator(RANDOM.format(update.name))
    return asked


def _again(program: Program, passes: Pass, spec: Spec, seed: int) -> tuple[bytes, bool]:
    """What a block gives in another state of the generators, and whether that state is another one afterwards."""
    block = passes.block(spec)
    if block is None:
        return b"", False
    with reseeded(seed) as moved:
        found = digest(program.vectors(block.draws, block.points, passes.layout))
        return found, moved()


def _reason(program: Program, passes: Pass, spec: Spec) -> str:
    """What makes the answers differ."""
    one, other, third = (_again(program, passes, spec, seed)[0] for seed in (1, 1, 2))
    return (RANDOM if one == other != third else STATE).format(program.update.name)


def _states() -> list[Any]:
    """Of Python's, numpy's and torch's generators."""
    state: Any = np.random.get_state()
    kind, keys, *rest = state
    torch = sys.modules.get("torch")
    return [random.getstate(), (kind, keys.tobytes(), *rest), b"" if torch is None else torch.get_rng_state().numpy().tobytes()]


@contextmanager
def reseeded(seed: int) -> Iterator[Callable[[], bool]]:
    """Python's, numpy's and torch's generators in a state of their own, and as they were afterwards; tells whether anything drew."""
    torch = sys.modules.get("torch")
    before = random.getstate(), np.random.get_state(), None if torch is None else torch.get_rng_state()
    random.seed(20_160_605 + seed)
    np.random.seed(4_242 + seed)
    if torch is not None:
        torch.manual_seed(31 + seed)
    fresh = _states()
    try:
        yield lambda: _states() != fresh
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
        if torch is not None:
            torch.set_rng_state(before[2])
