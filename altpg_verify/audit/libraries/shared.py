"""What the audits of several libraries have in common: the steps they are tried on, and the
sentences about methods that many ship.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.spaces import Space

A2C = "advantage actor-critic (Mnih et al., 2016)"
PPO = "proximal policy optimisation with a clipped surrogate (Schulman et al., 2017)"

CLIPPING = (
    "clipping is there to stop updates far from the old policy; the surrogate is not the value"
)
NORMALISING = (
    "normalising the advantages within a batch is on by default and documented; it reweights"
    " batches to steady the step size"
)


def two_steps(*, fresh: bool = True) -> Space:
    """Two steps on three arms, sampled by the policy itself; if not `fresh`, by an old policy, the
    uniform one.
    """
    space = three_arms().batch(2)
    return (
        space
        if fresh
        else space.sampled_by(["1/3", "1/3", "1/3"]).named(
            "three arms, sampled by the uniform policy"
        )
    )


@contextlib.contextmanager
def generators_kept() -> Iterator[None]:
    """The generators of torch and numpy are afterwards as they were before."""
    import torch

    kept = torch.get_rng_state(), np.random.get_state()
    try:
        yield
    finally:
        torch.set_rng_state(kept[0])
        np.random.set_state(kept[1])
