"""Points of tabular policies as a space stores them: exact weights e^θ, and θ in float64."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.declarations import as_fraction, as_list, shown
from altpg_verify.audit.episodes import LEAST_PROBABILITY
from altpg_verify.audit.policies import Parameters, Policy, TablePolicy
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    pass


def point_at(
    policy: Policy, weights: Sequence[Any], others: Parameters, name: str = "weights"
) -> dict[str, Any]:
    """A point of a tabular policy as a space stores it: exact weights e^θ, flattened, and θ in
    float64.

    Args:
        policy: a tabular policy.
        weights: positive numbers, as many as the policy has parameters.
        others: further groups of parameters, kept.
        name: what a message calls the weights.

    Raises:
        BadInput: the policy isn't tabular, or the weights aren't so many positive numbers, or they
            are too far apart for float64.
    """
    if not isinstance(policy, TablePolicy):
        raise BadInput(
            f"{name}: only tabular policies have exact weights; give the parameters by name instead"
        )
    exact = tuple(as_fraction(name, entry) for entry in as_list(name, weights))
    if len(exact) != math.prod(policy.shape) or any(entry <= 0 for entry in exact):
        shorter = shown(", ".join(map(str, exact)))[1:-1]
        raise BadInput(
            f"{name}: the policy needs {math.prod(policy.shape)} positive weights, not {shorter};"
            " give probabilities above 0"
        )
    if any(entry and entry < LEAST_PROBABILITY for entry in policy.exact_table(exact).flat):
        raise BadInput(
            f"{name}: an action has a probability below 10^-300, which float64 can't hold; choose a"
            " policy farther inside"
        )
    theta = np.array([math.log(entry) for entry in exact]).reshape(policy.shape)
    return {"weights": exact, "parameters": {**others, policy.group: theta}}
