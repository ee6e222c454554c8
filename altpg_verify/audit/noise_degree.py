"""Of which degree an update is in the noise, where it is a polynomial of it: then a Gauss-Hermite
rule is exact, and not merely close.
"""

from __future__ import annotations

import math

import numpy as np

from altpg_verify.audit.continuous import finer
from altpg_verify.audit.gaussian_actions import Gaussian
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.updates import Update

MOST_DRAWS = 20_000
"""With more draws it isn't asked."""

VANISHING = 1e-10
"""A Hermite coefficient below this share of the largest is 0."""

BEYOND = 3
"""So many coefficients beyond the degree must vanish at least."""


def noise_degree(update: Update) -> int | None:
    """The highest power of any one number of the noise, seen at the nodes of the finer rule; None
    if it is no polynomial, or wasn't asked.

    The update is expanded in Hermite polynomials, Σ c_k He_k(ε) in each number, at the point of the
    audit: it is a polynomial at the nodes if all coefficients from some k on vanish.
    """
    if (
        not isinstance(update.space.continuous, Gaussian)
        or update.space.keep is not None
        or update.choices
    ):
        return None
    other = update.on(finer(update.space))
    space, continuous = other.space, other.space.continuous
    assert isinstance(continuous, Gaussian)
    rule, policy = continuous.policy.rule, continuous.policy
    members = 1 if space.scheme == "one" else space.size
    order = other.program.order.enumeration
    if (
        rule.kind != "hermite"
        or space.scheme not in ("one", "batch")
        or order.merged
        or order.alike
        or max(order.count, rule.count**2) > MOST_DRAWS
    ):
        return None
    layout = Layout.of(other.judged, space.parameters)
    blocks = list(Pass(other.program, [space.parameters], order, layout).blocks())
    vectors = np.concatenate(
        [other.program.vectors(block.draws, block.points, layout) for block in blocks]
    )
    if len(vectors) != order.count:
        return None
    each = (policy.contexts, *[rule.count] * policy.size)
    tensor = vectors.reshape(*each * members, layout.size)
    nodes, weights = rule.at(0.0, 1.0)
    degrees = np.arange(rule.count)
    basis = np.polynomial.hermite_e.hermevander(nodes, rule.count - 1) / np.exp(
        [math.lgamma(k + 1) / 2 for k in degrees]
    )
    transform = (weights[:, None] * basis).T
    axes = [m * len(each) + i for m in range(members) for i in range(1, len(each))]
    for axis in axes:
        tensor = np.moveaxis(np.tensordot(transform, tensor, axes=(1, axis)), 0, axis)
    present = np.abs(tensor) > VANISHING * np.abs(tensor).max(initial=0.0)
    if not present.any():
        return 0
    degree = max(
        int(
            np.flatnonzero(
                present.any(axis=tuple(i for i in range(tensor.ndim) if i != axis))
            ).max()
        )
        for axis in axes
    )
    return degree if degree <= rule.count - 1 - BEYOND else None
