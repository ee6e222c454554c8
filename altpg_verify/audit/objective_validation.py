"""What an objective that somebody wrote must keep to before a verdict is about it: real numbers,
the same whenever they are asked for, and of each policy of a stack by itself.
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.calling import calling
from altpg_verify.untrusted.purity import Purity

TOLERANCE = 1e-12
"""Relative; a stack may add up in another order."""


def refuse_unusable_objective(target: Objective, space: Space) -> None:
    """Ask an objective for its values at two policies, again, and stacked.

    Raises:
        BadInput: it isn't a real finite number, with `stacks=True` none for each policy, draws
            random numbers or remembers earlier calls; or `fits` answers with no truth value.
    """
    who = f"objective {target.name!r}"
    with calling(who):
        suits = target.fits(space)
    if not isinstance(suits, bool | np.bool_):
        raise BadInput(
            f"{who}: `fits` must return True or False, not a {type(suits).__name__}; compare"
            " something of the space"
        )
    if space.continuous is not None or not suits:
        return
    points = [Tables.at(space, point) for point in (space.parameters, _elsewhere(space.parameters))]
    guard = Purity(target.at, who)
    with calling(who):
        found = [_number(target.at(tables, points[0]), who) for tables in points]
        guard.establish(lambda i: _number(target.at(points[i], points[0]), who), found)
    if target.stacks and not callable(space.behaviour):
        _refuse_mixed(target, points, found, who)


def _elsewhere(parameters: Parameters) -> Parameters:
    return {
        name: np.asarray(group)
        + 0.25 * np.cos(1 + np.arange(np.size(group))).reshape(np.shape(group))
        for name, group in parameters.items()
    }


def _number(found: Any, who: str) -> float:
    if getattr(found, "shape", None) == () and hasattr(found, "item"):
        # of numpy, torch or JAX
        found = found.item()
    if not isinstance(found, numbers.Real) or isinstance(found, bool):
        raise BadInput(
            f"{who} returned a {type(found).__name__}; return one real number for a policy"
        )
    number = float(found)
    if not math.isfinite(number):
        raise BadInput(f"{who} returned {number}; return a finite number, or say where it `fits`")
    return number


def _refuse_mixed(target: Objective, points: list[Tables], alone: list[float], who: str) -> None:
    stack = np.stack([tables.table for tables in points]).astype(complex)
    with calling(who), np.errstate(all="ignore"):
        found = target.at(Tables(points[0].space, stack, None, None), points[0])
    real = np.asarray(found).real if np.ndim(found) <= 1 else None
    if real is None or real.dtype.kind not in "fiu" or real.shape not in ((), (len(points),)):
        raise BadInput(
            f"{who}: with `stacks=True` it must return one number for each policy of a stack; leave"
            " it out, and it is asked for one policy at a time"
        )
    if not np.allclose(np.broadcast_to(real, len(points)), alone, rtol=TOLERANCE, atol=TOLERANCE):
        raise BadInput(
            f"{who}: with `stacks=True` it gives other numbers for a stack of policies than for"
            " each alone; sum over the last axes only, or leave it out"
        )
