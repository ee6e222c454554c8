"""Why an update on normally distributed actions isn't what it is meant to be: a known term too much
or too little, and what mends it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import CLOSE, NOTHING, agree, fitted
from altpg_verify.audit.altered import within
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.gaussian_actions import Gaussian, jacobian_term
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.numbers import say
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import entropy
from altpg_verify.audit.torch_normals import carrying
from altpg_verify.audit.updates import Update

Becomes = Callable[[Update, Objective], float | None]


def gaussian_causes(update: Update, found: Evidence, becomes: Becomes) -> list[str]:
    """One sentence for each cause; of a space without normally distributed actions, none.

    Args:
        update: what was handed over.
        found: what was seen of it.
        becomes: (update, target) -> c where the expected update is c ∇target, else None.
    """
    space = update.space
    if not isinstance(space.continuous, Gaussian):
        return []
    causes = [
        drawn_by_sample(update, becomes, found.target),
        _clipped(update, found, becomes),
        _jacobian(found, space.continuous),
        _other_std(update, found, becomes),
    ]
    return [*(each for each in causes if each), *_std(found, space.continuous)]


def drawn_by_sample(update: Update, becomes: Becomes, target: Objective) -> str:
    """What `rsample` makes of a loss that draws by `sample`; empty if it doesn't draw so, or
    nothing better comes of it.
    """
    if update.samples is None or not update.samples():
        return ""
    factor = becomes(within(update, lambda _: carrying()), target)
    if factor is None or factor <= 0:
        return ""
    right = (
        "it is unbiased"
        if abs(factor - 1) < CLOSE
        else f"it follows the target, times {say(factor)}"
    )
    return (
        f"the action is drawn by sample(), through which no gradient goes: with rsample() {right}"
    )


def _clipped(update: Update, found: Evidence, becomes: Becomes) -> str:
    """The log-probability is of the action that the environment clipped, which has another
    density.
    """
    space = update.space
    if "clipped_actions" not in update.needs or space.continuous is None:
        return ""
    unclipped = replace(space, continuous=_Unclipped(**vars(space.continuous)))
    factor = becomes(update.on(unclipped), found.target)
    if factor is None or abs(factor - 1) > CLOSE:
        return ""
    return (
        "what is scored is the clipped action, whose density is another: with the action as it was"
        " sampled it is unbiased"
    )


def _other_std(update: Update, found: Evidence, becomes: Becomes) -> str:
    """The standard deviation is taken for the variance, or the other way round: then that is the
    density of another policy.
    """
    space = update.space
    assert isinstance(space.continuous, Gaussian)
    for power, described in (
        (0.5, "√σ, as if σ were the variance"),
        (2.0, "σ², as if the variance were the standard deviation"),
    ):
        policy = replace(space.continuous.policy, power=power)
        scored = replace(
            space, policy=policy, continuous=replace(space.continuous, policy=policy), _process=None
        )
        factor = becomes(update.on(scored), found.target)
        if factor is not None and abs(factor - 1) < CLOSE:
            return (
                f"what is scored has the standard deviation {described}: were that sampled, it would be"
                " unbiased"
            )
    return ""


class _Unclipped(Gaussian):
    """The same with actions as they are sampled in the place of clipped ones; they are paid as
    before.
    """

    def array(self, draws: Any, name: str) -> Any:
        return super().array(draws, "actions" if name == "clipped_actions" else name)


def _weight(objective: Objective, wanted: Objective) -> float:
    """With which coefficient an objective is in a sum."""
    if objective is wanted:
        return 1.0
    return sum(float(factor) * _weight(part, wanted) for factor, part in objective.parts)


def _jacobian(found: Evidence, space: Gaussian) -> str:
    """How often log(1 - a²) is in the log-probability, where that is all that is wrong."""
    weight = _weight(found.target, entropy)
    if not space.policy.squashed or not weight:
        return ""
    off = (found.fields - found.gradients).reshape(-1)
    column = np.concatenate([found.gradient(jacobian_term, place) for place in found.places])
    fit = fitted(off, [column])
    if fit is None or fit[1] > CLOSE * np.abs(found.gradients).max():
        return ""
    times = 1 + float(fit[0][0]) / weight
    if abs(times) < CLOSE:
        return (
            "log π lacks the correction for tanh, log(1 - a²): it is the density of u, where the"
            " entropy of a = tanh u is meant"
        )
    often = "twice" if abs(times - 2) < CLOSE else f"{say(times)} times"
    return f"log π has the correction for tanh, log(1 - a²), {often}"


def _std(found: Evidence, space: Gaussian) -> list[str]:
    """What is wrong with σ alone, while the mean is right."""
    _policy, group = space.policy, space.policy.std_group
    update = found.update
    if not {"mean", group} <= set(update.judged):
        return []
    layout = Layout.of(update.judged, update.space.parameters)
    fields = [layout.split(field) for field in found.fields]
    gradients = [layout.split(gradient) for gradient in found.gradients]

    def sides(entries: list[dict[str, np.ndarray]], name: str) -> np.ndarray:
        return np.stack([one[name].reshape(-1) for one in entries])

    if not agree(sides(fields, "mean"), sides(gradients, "mean"), found.reach):
        return []
    field, gradient = sides(fields, group), sides(gradients, group)
    if np.abs(field).max() <= NOTHING * found.reach.max() < np.abs(gradient).max():
        return [
            f"the mean is right, and {group} is never moved: no gradient of the log-probability, or"
            " of the action, reaches it"
        ]
    slopes = []
    for place in found.places:
        raw = np.asarray(place[group], dtype=float).reshape(-1)
        slopes.append(np.exp(raw) if group == "log_std" else 1 / (1 + np.exp(-raw)))
    meant = "log σ" if group == "log_std" else "raw_std"
    if agree(field * np.stack(slopes), gradient, found.reach):
        return [
            f"the mean is right, and what is added to {group} is the gradient in σ, not in {meant}:"
            f" times ∂σ/∂{group} it is right"
        ]
    if agree(field, gradient * np.stack(slopes), found.reach):
        return [
            f"the mean is right, and what is added to {group} has the factor ∂σ/∂{group} once too"
            " often"
        ]
    return []
