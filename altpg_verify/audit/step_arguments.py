"""What a trainer's step, or what builds one, asks for by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from altpg_verify.audit import declared_rewards
from altpg_verify.errors import BadEstimator

OFFERED = ("choose", "rng", *declared_rewards.NAMES)
"""What a step may ask for by name; what makes one anew is given what the space pays only."""


def given_to(step: Callable[..., Any], who: str, *, building: bool = False) -> tuple[str, ...]:
    """Which of `OFFERED` a step, or what builds it, asks for.

    Raises:
        BadEstimator: it asks for something else.
    """
    try:
        asked = inspect.signature(step).parameters.values()
    except (TypeError, ValueError):
        return ()
    offered = declared_rewards.NAMES if building else OFFERED
    names = []
    for each in asked:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if each.name in offered:
            names.append(each.name)
        elif each.default is each.empty:
            raise BadEstimator(
                f"{who} asks for {each.name!r}, and"
                + (
                    " what builds a step is given `rewards` or `reward_of` at most; wrap it:"
                    f" trainer(build=lambda: build({each.name}), ...)"
                    if building
                    else " a step is given `choose` or `rng` (`rewards`, `reward_of`) at most;"
                    f" wrap it: trainer(lambda: step({each.name}), ...)"
                )
            )
    return tuple(names)
