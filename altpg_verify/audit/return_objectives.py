"""Functions of the return other than its mean: transforms of a prompt's success, the best of k, and
weights inside an entropy.

Where there are several starts (prompts), a transform is taken of each start's own value and
averaged over them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.audit.episode_arrays import total
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.spaces import Space


def _levels(space: Space) -> list[Fraction]:
    return sorted(set(space.arrays.returns(space.discount)[:, 0]))


def _two_levels(space: Space) -> bool:
    return len(_levels(space)) == 2


def _positive(space: Space) -> bool:
    return _levels(space)[0] >= 0 < _levels(space)[-1]


def _per_start(
    transform: Callable[[np.ndarray], np.ndarray], *, success: bool
) -> Callable[[Tables, Tables], Any]:
    """Σ over starts of their weight times a transform of their value, or of their chance of the
    larger of two returns.
    """

    def at(tables: Tables, held: Tables) -> Any:
        if not tables.floats:
            raise NotExact("this has no exact value")
        space, arrays = tables.space, tables.arrays
        levels = _levels(space)
        gained = tables.returns_to_go[:, 0]
        if success:
            gained = (gained - float(levels[0])) / float(levels[-1] - levels[0])
        out: Any = 0.0
        for start in space.starts:
            weight = float(space.start_weight(start))
            own = arrays.starts == start
            out = out + weight * transform(
                (tables.probabilities[..., own] * gained[own]).sum(axis=-1) / weight
            )
        return out

    return at


def expected_best(size_of: Callable[[Space], int]) -> Callable[[Tables, Tables], Any]:
    """E[max of k] = Σ over starts of their weight times Σ over levels of level (P(R ≤ level)^k -
    P(R < level)^k).

    Args:
        size_of: k on a space.
    """

    def at(tables: Tables, held: Tables) -> Any:
        size, arrays = size_of(tables.space), tables.arrays
        returns = arrays.returns(tables.space.discount)[:, 0]
        out: Any = 0
        for start in tables.space.starts:
            weight = tables.space.start_weight(start)
            own = arrays.starts == start
            below: Any = 0
            for level in sorted(set(returns[own])):
                upto = total(tables.probabilities[..., own & (returns <= level)]) * tables.number(
                    1 / weight
                )
                out = out + tables.number(weight) * tables.number(level) * (upto**size - below)
                below = upto**size
        return out

    return at


def _squared_return(tables: Tables, held: Tables) -> Any:
    returns = tables.returns_to_go[:, 0]
    return tables.expectation(returns * returns)


def _path_logs(tables: Tables) -> np.ndarray:
    """(..., episodes) Σ_t log π(a_t | s_t)."""
    if not tables.floats:
        raise NotExact("a logarithm has no exact value")
    arrays = tables.arrays
    taken = tables.table[..., arrays.states, arrays.actions]
    return np.log(np.where(arrays.steps & (taken != 0), taken, 1)).sum(axis=-1)


def _weighted_entropy(tables: Tables, held: Tables) -> Any:
    return -(tables.probabilities * tables.returns_to_go[:, 0] * _path_logs(tables)).sum(axis=-1)


def _token_entropy(tables: Tables, held: Tables) -> Any:
    return -(tables.probabilities * _path_logs(tables) / tables.arrays.lengths).sum(axis=-1)


def _token_kl(tables: Tables, held: Tables) -> Any:
    reference = Tables(tables.space, held.ref)
    return (
        tables.probabilities * (_path_logs(tables) - _path_logs(reference)) / tables.arrays.lengths
    ).sum(axis=-1)


def _k(space: Space) -> int:
    return int(space.constants["k"])


def _names_k(space: Space) -> bool:
    k = space.constants.get("k")
    return isinstance(k, int) and not isinstance(k, bool) and 1 < k <= 64


_stacking = partial(Objective, stacks=True)

best_of_group = _stacking(
    "the expected best of the group",
    "E[max of G]",
    expected_best(lambda space: space.size),
    lambda space: space.scheme in ("group", "batch") and space.size > 1,
)
best_of_k = _stacking(
    "the expected best of k, pass@k where rewards are 0 and 1",
    "E[max of k]",
    expected_best(_k),
    _names_k,
)
squared_return = _stacking("the mean squared return", "E[R²]", _squared_return)
log_value = _stacking(
    "the log of the value, of each prompt", "log V", _per_start(np.log, success=False), _positive
)
log_odds = _stacking(
    "the log-odds of success, of each prompt",
    "log p/(1-p)",
    _per_start(lambda p: np.log(p) - np.log(1 - p), success=True),
    _two_levels,
)
arcsin_success = _stacking(
    "2 arcsin √p of each prompt's success",
    "2 arcsin √p",
    _per_start(lambda p: 2 * np.arcsin(np.sqrt(p)), success=True),
    _two_levels,
)
"""What dividing by the standard deviation follows, as groups grow."""
weighted_entropy = _stacking(
    "the entropy weighted with returns, -Σ r π log π", "-Σ r π log π", _weighted_entropy
)
token_entropy = _stacking(
    "the entropy per token",
    "E[(1/T) Σ -log π]",
    _token_entropy,
    lambda space: space.horizon > 1 and space.game is None,
)
token_kl = _stacking(
    "the KL(π‖ref) per token",
    "E[(1/T) Σ log π/ref]",
    _token_kl,
    lambda space: space.horizon > 1 and space.game is None and space.reference is not None,
)

RETURN_OBJECTIVES: dict[str, Objective] = {
    "squared_return": squared_return,
    "best_of_group": best_of_group,
    "best_of_k": best_of_k,
    "log_value": log_value,
    "log_odds": log_odds,
    "arcsin_success": arcsin_success,
    "weighted_entropy": weighted_entropy,
    "token_entropy": token_entropy,
    "token_kl": token_kl,
}
"""Candidates, in the order in which they are tried."""
