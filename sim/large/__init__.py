"""Gradient bandits with very many actions: O(log k) a step, for estimators that touch only the
action that was taken.

    tree = SamplingTree(numpy.zeros(1_000_000))
    action = tree.sample(numpy.random.default_rng(0))
    tree.update(action, 0.5)

    python -m altpg_verify.sim.large bench

`SamplingTree` samples from softmax(θ) and takes new preferences one at a time. `LogBandit` is a
gradient bandit that runs a user's estimator, once the checker has derived that it touches the taken
action alone: under envelopes (`altpg_verify.sim.large.envelopes`) or on such a tree. The paper's
algorithms as printed, a corrected version to read, and the peers that the bench runs are in modules
of their own.
"""

from __future__ import annotations

from typing import Any

from altpg_verify.lazy import listed, load

_HOMES = {"LogBandit": "log_bandit", "SamplingTree": "sampling_tree"}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    return load(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return listed(__name__, _HOMES)
