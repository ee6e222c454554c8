"""The same update run otherwise: within a context that changes what its code does, or by a program
of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import DERIVED, Points
from altpg_verify.audit.updates import Update


def within(
    update: Update, around: Callable[[Update], AbstractContextManager[Any]], *, batched: bool = True
) -> Update:
    """The update, each call of which is made within a context.

    Args:
        around: the update -> the context.
        batched: whether many draws may be run at once in it.
    """

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        with around(update):
            return update.gradient(parameters, draw)

    def batch(points: Points, draws: Draws) -> Mapping[str, Any]:
        assert update.batch is not None
        with around(update):
            return update.batch(points, draws)

    together = batch if batched and update.batch is not None else None
    return run_by(update, gradient, together, lambda other: within(other, around, batched=batched))


def run_by(
    update: Update,
    gradient: Callable[..., Mapping[str, Any]],
    batch: Any,
    changed: Callable[[Update], Update],
) -> Update:
    """The update with another gradient, on the draws and in the mode of execution that were
    established for it.

    Args:
        gradient, batch: as of `Update`.
        changed: makes the same change to the update on another space.
    """
    again = update.remade
    remade = None if again is None else lambda space, **shares: changed(again(space, **shares))
    made = replace(update, gradient=gradient, batch=batch, exact=False, remade=remade)
    made.program.__dict__["order"] = update.program.order
    if update.program.mode == "single":
        made.program.mode, made.program.why = update.program.mode, update.program.why
    elif update.program.mode == "batched":
        made.program.sampled = DERIVED
    return made
