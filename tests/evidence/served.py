"""Every claim that the enumeration serves, with the module it is in."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from altpg_verify.report.evidence.enumerated import Enumerated

MODULES: tuple[ModuleType, ...] = tuple(
    import_module(f"altpg_verify.report.evidence.{name}")
    for name in (
        *("bias", "chain", "complexity", "conservative", "divergence", "dynamics"),
        *("fixed_points", "gradients", "mdp_fixed_points", "near_corners", "optimism"),
        *("policy_gradients", "saturation", "softmax", "variance"),
    )
)
SERVED: dict[str, Enumerated] = {
    claim: enumerated
    for module in MODULES
    for claim, enumerated in {**module.CLAIMS, **getattr(module, "COSTS", {})}.items()
}
EXAMPLES = 16
COSTLY = {
    "true-gradient-slow-when-saturated",
    "true-gradient-flow-reaches-optimal-corner",
    "cost-difference-substantial",
    "pessimistic-can-saturate-wrongly",
}
"""Claims that take as long as all others together, since many steps are made: they are judged
behind the slow marker.
"""


def costly(claims: Iterable[str]) -> list[Any]:
    """The claims as a test's parameters."""
    return [
        pytest.param(claim, marks=pytest.mark.slow) if claim in COSTLY else claim
        for claim in claims
    ]
