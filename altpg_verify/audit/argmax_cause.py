"""Whether an update scores the most probable action in place of the one that was sampled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from altpg_verify.audit.agreement import CLOSE
from altpg_verify.audit.draws import Draw
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput

MOST_DRAWS = 500
"""Spaces with more draws are not looked at."""


def argmax_scored(update: Update, found: Evidence) -> str:
    """What is said where on every draw the update is a sum of the scores of the arg-max actions, and
    on some of them none of the scores of what was sampled; empty if it isn't, or if with so few
    actions it can't be told.
    """
    space, policy = update.space, update.space.policy
    if (
        not isinstance(policy, TablePolicy)
        or update.judged != (policy.group,)
        or update.random
        or update.choices
        or (order := update.program.order.enumeration).count > MOST_DRAWS
    ):
        return ""
    layout = Layout.of(update.judged, space.parameters)
    telling = count = 0
    # at the point of the audit itself there may be no one arg-max
    for place in found.places[1:3]:
        pi = np.asarray(Tables.at(space, place).table, dtype=float)
        best = pi.argmax(axis=1)
        try:
            for vector, draw in _each(Pass(update.program, [place], order, layout)):
                count += 1
                size = float(np.abs(vector).max(initial=0.0))
                if not size:
                    continue
                states, actions = (np.ravel(draw[name]) for name in ("states", "actions"))
                greedy = _scores(policy, pi, states, best[states])
                if not _within(vector, greedy, size):
                    return ""
                telling += not _within(vector, _scores(policy, pi, states, actions), size)
        except BadInput:
            return ""
    if not telling:
        return ""
    return (
        f"the arg-max is scored: on all {count} draws looked at it moves along the score of the most"
        f" probable action, on {telling} of them along none that was sampled"
    )


def _each(passes: Pass) -> Iterator[tuple[np.ndarray, Draw]]:
    """The update on each draw with it: all at once where it is run so, else one by one, since often
    the first tells.
    """
    program, layout = passes.program, passes.layout
    for block in passes.blocks():
        rows = range(len(block.draws))
        if program.mode == "batched":
            answers: Iterable[np.ndarray] = program.vectors(block.draws, block.points, layout)
        else:
            answers = (program.singly(block.draws, block.points, layout, [i])[0] for i in rows)
        for i, vector in zip(rows, answers, strict=True):
            yield vector, block.draws.row(i)


def _scores(
    policy: TablePolicy, pi: np.ndarray, states: np.ndarray, actions: np.ndarray
) -> np.ndarray:
    """(n, steps) ∇log π of an action in each state."""
    out = np.zeros((int(np.prod(policy.shape)), len(states)))
    for step, (state, action) in enumerate(zip(states, actions, strict=True)):
        for other, entry in enumerate(policy.index[state]):
            if entry >= 0:
                out[entry, step] += float(other == action) - pi[state, other]
    return out


def _within(vector: np.ndarray, columns: np.ndarray, size: float) -> bool:
    """Whether a vector is a sum of multiples of columns."""
    weights = np.linalg.lstsq(columns, vector, rcond=None)[0]
    return bool(np.abs(columns @ weights - vector).max() <= CLOSE * size)
