"""An update that is taken several times on the same draw: the inner epochs of PPO, the old policy
being that of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from altpg_verify.audit.draw_names import DRAWN, GIVEN
from altpg_verify.audit.draws import Draw
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.updates import Update

MOVING = ("logprobs", "pi", "score", "scores")
"""What is the current policy's in every epoch; everything else, values and the policy that was
sampled, is that of the draw.
"""

HELD = tuple(name for name in (*DRAWN, *GIVEN) if name not in MOVING)


def repeated(update: Update, epochs: int, stepsize: float, said: str) -> Update:
    """(θ_K - θ_0) / α after K steps θ_{k+1} = θ_k + α g(θ_k) on one draw, made at θ_0.

    Args:
        update: g, an ascent direction.
        epochs: K.
        stepsize: α; 0 for K times the first step.
        said: what a verdict says of it.
    """

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        begins = Tables.at(draw.space, parameters)
        point = {name: np.array(values, dtype=float) for name, values in parameters.items()}
        total: dict[str, np.ndarray] = {}
        for _ in range(epochs):
            found = update.gradient(point, draw.under(Tables.at(draw.space, point), begins, HELD))
            for name, values in found.items():
                total[name] = total.get(name, 0) + np.asarray(values, dtype=float)
                point[name] = point[name] + stepsize * np.asarray(values, dtype=float)
        return total

    again: Callable[..., Update] | None = update.remade
    other = update.rewritten
    spoken = update.said
    return replace(
        update,
        gradient=gradient,
        batch=None,
        value=None,
        # the old policy is this one's past, and moves apart from it
        needs=tuple(name for name in update.needs if name not in ("mu", "old_logprobs")),
        said=lambda: (said, *(spoken() if spoken is not None else ())),
        remade=(
            None
            if again is None
            else lambda space, **shares: repeated(again(space, **shares), epochs, stepsize, said)
        ),
        rewritten=(
            None
            if other is None
            else lambda function, space: repeated(other(function, space), epochs, stepsize, said)
        ),
    )
