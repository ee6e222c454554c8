"""Every claim that the enumeration serves, with the module it is in."""

from __future__ import annotations

from types import ModuleType

from altpg_verify.report.evidence import (
    bias,
    chain,
    complexity,
    conservative,
    divergence,
    dynamics,
    fixed_points,
    gradients,
    mdp_fixed_points,
    near_corners,
    optimism,
    policy_gradients,
    saturation,
    softmax,
    variance,
)
from altpg_verify.report.evidence.enumerated import Enumerated

MODULES: tuple[ModuleType, ...] = (
    bias,
    chain,
    complexity,
    conservative,
    divergence,
    dynamics,
    fixed_points,
    gradients,
    mdp_fixed_points,
    near_corners,
    optimism,
    policy_gradients,
    saturation,
    softmax,
    variance,
)
SERVED: dict[str, Enumerated] = {
    claim: enumerated for module in MODULES for claim, enumerated in {**module.CLAIMS, **getattr(module, "COSTS", {})}.items()
}
EXAMPLES = 50
