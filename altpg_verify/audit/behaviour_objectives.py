"""Objectives under a fixed policy that is sampled, μ: what losses with importance ratios follow, by
construction or by mistake.

ρ_t = π(a_t | s_t) / μ(a_t | s_t) is the ratio of a step, G_t the return from it on, and E_μ the
mean over episodes that μ samples. Nothing of μ moves with the parameters, so that minus the mean of
a loss, E_μ[-L], is itself an objective.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.audit.episode_arrays import objects, total
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.spaces import Space

CLIPS = (
    *("eps", "epsilon", "clip_eps", "eps_clip", "clip", "clip_ratio", "clip_range"),
    *("cliprange", "clip_epsilon"),
)
"""Names of constants by which a ratio is clipped."""

LOWER = ("eps_low", "epsilon_low", "clip_ratio_low", "clip_low", "eps_clip_low")
"""Names of constants by which it is clipped from below, each with one for above."""


def fixed(space: Space) -> bool:
    """Whether a fixed policy is sampled."""
    return isinstance(space.behaviour, np.ndarray)


def _long(space: Space) -> bool:
    return fixed(space) and space.horizon > 1


def ratios(tables: Tables, held: Tables) -> np.ndarray:
    """(..., episodes, steps) ρ_t, 1 in the padding and where μ never goes."""
    arrays = tables.arrays
    above, below = (
        tables.table[..., arrays.states, arrays.actions],
        held.mu[arrays.states, arrays.actions],
    )
    reached = arrays.steps & (below != 0)
    return np.where(reached, above / np.where(reached, below, 1), 1)


def mean(tables: Tables, held: Tables, numbers: np.ndarray) -> Any:
    """E_μ of (..., episodes) numbers."""
    return total(held.sampled * numbers)


def steps(tables: Tables, numbers: np.ndarray, shares: np.ndarray | None = None) -> np.ndarray:
    """(..., episodes) sums over the steps that there are."""
    kept = np.where(tables.arrays.steps, numbers, 0 * numbers)
    return total(kept) if shares is None else total(kept) * shares


def bounded(numbers: np.ndarray, low: float, high: float) -> np.ndarray:
    """Numbers between two bounds; which side a complex one is on is told by its real part."""
    real = np.real(numbers)
    return np.where(real < low, low, np.where(real > high, high, numbers))


def _per_length(tables: Tables) -> np.ndarray:
    """(episodes,) one over the length."""
    lengths = tables.arrays.lengths
    return (
        1 / lengths if tables.floats else objects([Fraction(1, int(length)) for length in lengths])
    )


def _surrogate(tables: Tables, held: Tables) -> Any:
    return mean(tables, held, steps(tables, ratios(tables, held) * held.returns_to_go))


def _surrogate_over_length(tables: Tables, held: Tables) -> Any:
    return mean(
        tables, held, steps(tables, ratios(tables, held) * held.returns_to_go, _per_length(tables))
    )


def _squared_ratio(tables: Tables, held: Tables) -> Any:
    found = ratios(tables, held)
    return mean(tables, held, steps(tables, found * found * held.returns_to_go)) * tables.number(
        _HALF
    )


def _squared_sequence_ratio(tables: Tables, held: Tables) -> Any:
    ratio = np.prod(ratios(tables, held), axis=-1)
    return mean(tables, held, ratio * ratio * held.returns_to_go[:, 0]) * tables.number(_HALF)


def _geometric_ratio(tables: Tables, held: Tables) -> Any:
    logs = steps(tables, _logs(tables, ratios(tables, held)), _per_length(tables))
    return mean(tables, held, np.exp(logs) * held.returns_to_go[:, 0])


def _weighted_likelihood(tables: Tables, held: Tables) -> Any:
    return mean(tables, held, steps(tables, _taken_logs(tables, held) * held.returns_to_go))


def _likelihood(tables: Tables, held: Tables) -> Any:
    return mean(tables, held, steps(tables, _taken_logs(tables, held)))


def _logs(tables: Tables, numbers: np.ndarray) -> np.ndarray:
    if not tables.floats:
        raise NotExact("a logarithm has no exact value")
    return np.log(numbers)


def _taken_logs(tables: Tables, held: Tables) -> np.ndarray:
    """(..., episodes, steps) log π(a_t | s_t), 0 where μ never goes."""
    arrays = tables.arrays
    taken = tables.table[..., arrays.states, arrays.actions]
    return _logs(
        tables, np.where(arrays.steps & (held.mu[arrays.states, arrays.actions] != 0), taken, 1)
    )


def _divergence_on_samples(tables: Tables, held: Tables) -> Any:
    arrays, shut = tables.arrays, tables.table == 0
    logs = _logs(tables, np.where(shut, 1, tables.table)) - _logs(
        tables, np.where(shut, 1, held.ref)
    )
    return mean(tables, held, steps(tables, (tables.table * logs).sum(axis=-1)[..., arrays.states]))


def clips(space: Space) -> tuple[Any, Any] | None:
    """(1 - ε, 1 + ε) between which the space's constants clip a ratio; None if it has no such
    constant.
    """
    constants: Mapping[str, Any] = space.constants
    for name in CLIPS:
        if _number(constants.get(name)):
            return 1 - constants[name], 1 + constants[name]
    for name in LOWER:
        above = name.replace("low", "high")
        if _number(constants.get(name)) and _number(constants.get(above)):
            return 1 - constants[name], 1 + constants[above]
    return None


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _clipped(tables: Tables, held: Tables) -> Any:
    if not tables.floats:
        raise NotExact("a clip is piecewise")
    ends = clips(tables.space)
    assert ends is not None
    found, gained = ratios(tables, held), held.returns_to_go
    plain, cut = found * gained, bounded(found, *ends) * gained
    # a complex number carries a derivative: which is smaller is told by its real part
    return mean(tables, held, steps(tables, np.where(np.real(plain) <= np.real(cut), plain, cut)))


_HALF = Fraction(1, 2)
_stacking: Callable[..., Objective] = partial(Objective, stacks=True)

surrogate = _stacking("the surrogate Σ d^μ Σ π Q^μ", "Σ d^μ Σ π Q^μ", _surrogate, fixed)
"""E_μ[Σ ρ_t G_t]: states as μ visits them, values of its own continuation."""
surrogate_over_length = _stacking(
    "E_μ[(1/T) Σ ρ G]", "E_μ[(1/T) Σ ρ G]", _surrogate_over_length, _long
)
clipped_surrogate = _stacking(
    "the clipped surrogate",
    "E_μ[Σ min(ρ G, clip(ρ) G)]",
    _clipped,
    lambda space: fixed(space) and clips(space) is not None,
)
squared_ratio = _stacking("1/2·E_μ[Σ ρ² G]", "½E_μ[Σ ρ² G]", _squared_ratio, fixed)
"""The ratio taken twice: in the weight and again in the loss."""
squared_sequence_ratio = _stacking(
    "1/2·E_μ[ρ² R], ρ of the sequence", "½E_μ[(Π ρ)² R]", _squared_sequence_ratio, _long
)
geometric_ratio = _stacking(
    "E_μ[s R], s the geometric mean of the ratios", "E_μ[(Π ρ)^(1/T) R]", _geometric_ratio, _long
)
weighted_likelihood = _stacking(
    "the log-likelihood weighted with returns", "E_μ[Σ G log π]", _weighted_likelihood, fixed
)
"""E_μ[Σ G_t log π(a_t | s_t)]: the score without a ratio."""
likelihood = _stacking("the log-likelihood of what is sampled", "E_μ[Σ log π]", _likelihood, fixed)
divergence_on_samples = _stacking(
    "the KL(π‖ref) of the states that μ visits",
    "E_μ[Σ KL(π‖ref)]",
    _divergence_on_samples,
    lambda space: fixed(space) and space.reference is not None,
)

BEHAVIOUR_OBJECTIVES: dict[str, Objective] = {
    "surrogate": surrogate,
    "surrogate_over_length": surrogate_over_length,
    "clipped_surrogate": clipped_surrogate,
    "squared_ratio": squared_ratio,
    "squared_sequence_ratio": squared_sequence_ratio,
    "geometric_ratio": geometric_ratio,
    "weighted_likelihood": weighted_likelihood,
    "likelihood": likelihood,
    "divergence_on_samples": divergence_on_samples,
}
"""Candidates where a fixed policy is sampled."""
