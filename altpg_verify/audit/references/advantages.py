"""Advantage estimators: what multiplies the score of a step, (B, P, G, T); sequence-level ones are
the same at every step.

R is the return of an episode, G_t the return from step t on, N the members of a group; means and
deviations are over the group of a prompt unless the batch is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from altpg_verify.audit.references.group_formulas import (
    centred,
    leave_one_out,
    standardised,
    standardised_inside,
)
from altpg_verify.audit.references.sequences import Number, Sequences, shown_number
from altpg_verify.audit.spaces import Space


@dataclass(frozen=True)
class Advantage:
    """One estimator with its numbers.

    Args:
        name: the key in `ADVANTAGES`.
        numbers: (name, number) pairs: eps, ddof, lam, ...
    """

    name: str
    numbers: tuple[tuple[str, Number], ...] = ()

    def __call__(self, draws: Sequences) -> np.ndarray:
        """(B, P, G, T), 0 in the padding."""
        given = {key: draws.number(number) for key, number in self.numbers}
        return np.broadcast_to(ADVANTAGES[self.name].at(draws, **given), draws.shape) * draws.mask

    def fits(self, space: Space) -> bool:
        """Whether it makes sense on the draws of a space."""
        return ADVANTAGES[self.name].fits(space)

    def __str__(self) -> str:
        formula = ADVANTAGES[self.name].formula
        for key, number in self.numbers:
            formula = formula.replace(f"{{{key}}}", shown_number(number))
        return formula


@dataclass(frozen=True)
class Estimator:
    """What an advantage estimator is.

    Args:
        formula: with {names} where its numbers stand.
        at: (sequences, numbers by name) -> (B, P, G, T) or what broadcasts to it.
        fits: whether it makes sense on a space.
        reads: names of a draw it is made of, besides rewards; a loss that asks for none of them
            isn't likely to be it.
    """

    formula: str
    at: Callable[..., np.ndarray]
    fits: Callable[[Space], bool] = lambda space: True
    reads: tuple[str, ...] = ()


def _several(space: Space) -> bool:
    return space.scheme != "one" and space.size > 1


class Members:
    """The members of each prompt, in numpy: the third axis of (B, P, G, ...).

    Args:
        sizes: how many there are.
        where, root: `numpy.where` and `numpy.sqrt`.
    """

    def __init__(self, draws: Sequences) -> None:
        self.sizes = draws.shape[2]

    def total(self, values: np.ndarray) -> np.ndarray:
        """(B, P, 1, ...) sums."""
        return values.sum(axis=2, keepdims=True)

    def level(self, values: np.ndarray) -> np.ndarray:
        """(B, P, 1, ...) whether all members have the same."""
        return np.ptp(values, axis=2, keepdims=True) == 0

    where, root = staticmethod(np.where), staticmethod(np.sqrt)


class Tokens:
    """All tokens of a batch, in numpy: (B, P, G, T) without the padding.

    Args:
        mask: (B, P, G, T) 1 where there is a token.
        sizes: (B, 1, 1, 1) how many there are.
        where, root: `numpy.where` and `numpy.sqrt`.
    """

    def __init__(self, draws: Sequences) -> None:
        self.mask = draws.mask
        self.sizes = self.total(np.ones(draws.shape))

    def total(self, values: np.ndarray) -> np.ndarray:
        """(B, 1, 1, 1) sums."""
        return (values * self.mask).sum(axis=(1, 2, 3), keepdims=True)

    def level(self, values: np.ndarray) -> np.ndarray:
        """(B, 1, 1, 1) whether all tokens have the same."""
        there = self.mask > 0
        largest = np.where(there, values, -np.inf).max(axis=(1, 2, 3), keepdims=True)
        return largest == np.where(there, values, np.inf).min(axis=(1, 2, 3), keepdims=True)

    where, root = staticmethod(np.where), staticmethod(np.sqrt)


def _centred(draws: Sequences) -> np.ndarray:
    return centred(draws.returns, Members(draws))


def _length_weighted(draws: Sequences) -> np.ndarray:
    weights = draws.lengths
    return draws.returns - (weights * draws.returns).sum(axis=2, keepdims=True) / weights.sum(
        axis=2, keepdims=True
    )


def _active(draws: Sequences) -> np.ndarray:
    """α: prompts over prompts whose members don't all get the same."""
    mixed = (np.ptp(draws.returns, axis=2, keepdims=True) != 0).sum(axis=1, keepdims=True)
    return draws.shape[1] / np.maximum(mixed, 1)


def _vtrace(draws: Sequences, rho: float, c: float) -> np.ndarray:
    """ρ_t (r_t + γ v_{t+1} - V(s_t)), v the V-trace targets."""
    ratios = np.exp(draws.logprobs - draws.old)
    weights, traces = np.minimum(ratios, rho), np.minimum(ratios, c)
    steps = draws.shape[3]
    values, final = draws.values, draws.final[..., 0]
    last = draws.lengths[..., 0] - 1
    out = np.zeros(draws.shape)
    following = np.zeros(draws.shape[:3])
    for t in reversed(range(steps)):
        there = draws.mask[..., t] > 0
        # what comes after: its target, or the value at a time limit
        after_value = np.where(last == t, final, values[..., t + 1] if t + 1 < steps else 0.0)
        target_after = np.where(last == t, final, following)
        out[..., t] = np.where(
            there,
            weights[..., t]
            * (draws.rewards[..., t] + draws.discount * target_after - values[..., t]),
            0.0,
        )
        error = weights[..., t] * (
            draws.rewards[..., t] + draws.discount * after_value - values[..., t]
        )
        target = (
            values[..., t] + error + draws.discount * traces[..., t] * (target_after - after_value)
        )
        following = np.where(there, target, following)
    return out


ADVANTAGES: Mapping[str, Estimator] = MappingProxyType(
    {
        "none": Estimator("0", lambda draws: np.zeros(draws.shape)),
        "return": Estimator("R", lambda draws: draws.returns),
        "to go": Estimator(
            "G_t", lambda draws: draws.to_go(draws.rewards), lambda space: space.horizon > 1
        ),
        "discounted to go": Estimator(
            "γᵗ G_t",
            lambda draws: draws.to_go(draws.rewards) * draws.discount ** np.arange(draws.shape[3]),
            lambda space: space.horizon > 1 and space.discount != 1,
        ),
        "to go with the limit's value": Estimator(
            "G_t with the value at a time limit",
            lambda draws: draws.to_go(draws.rewards, last=draws.final[..., 0]),
            reads=("final_values",),
        ),
        "return less b": Estimator("R - b", lambda draws, b: draws.returns - b, reads=("b",)),
        "own mean": Estimator("R - mean(R)", lambda draws: _centred(draws), _several),
        "active": Estimator(
            "α (R - mean(R)), α = prompts / prompts with mixed returns",
            lambda draws: _active(draws) * _centred(draws),
            _several,
        ),
        "leave one out": Estimator(
            "R - mean of the others",
            lambda draws: leave_one_out(draws.returns, Members(draws)),
            _several,
        ),
        "standardised": Estimator(
            "(R - mean(R)) / (std(R) + {eps}), std over N - {ddof}",
            lambda draws, ddof, eps: standardised(draws.returns, Members(draws), ddof, eps),
            _several,
        ),
        "standardised inside": Estimator(
            "(R - mean(R)) / √(var(R) + {eps}), var over N - {ddof}",
            lambda draws, ddof, eps: standardised_inside(draws.returns, Members(draws), ddof, eps),
            _several,
        ),
        "length-weighted mean": Estimator("R - Σ length·R / Σ length", _length_weighted, _several),
        "whitened to go": Estimator(
            "G_t less its mean over the batch's tokens, over their std + {eps}, std over n -"
            " {ddof}",
            lambda draws, ddof, eps: standardised(
                draws.to_go(draws.rewards), Tokens(draws), ddof, eps
            ),
            _several,
        ),
        "whitened to go inside": Estimator(
            "G_t less its mean over the batch's tokens, over √(their var + {eps}), var over n -"
            " {ddof}",
            lambda draws, ddof, eps: standardised_inside(
                draws.to_go(draws.rewards), Tokens(draws), ddof, eps
            ),
            _several,
        ),
        "whitened over the group mean": Estimator(
            "R - mean(R), whitened over the batch's tokens with std + {eps}, std over n - {ddof}",
            lambda draws, ddof, eps: standardised(
                np.broadcast_to(_centred(draws), draws.shape), Tokens(draws), ddof, eps
            ),
            _several,
        ),
        "less value": Estimator(
            "G_t - V(s_t)",
            lambda draws: draws.to_go(draws.rewards, last=draws.final[..., 0]) - draws.values,
            reads=("values", "value"),
        ),
        "one step": Estimator(
            "r + γ V(s') - V(s)", lambda draws: draws.errors, reads=("values", "value")
        ),
        "generalised": Estimator(
            "Σ (γ{lam})ᵘ δ_{t+u}",
            lambda draws, lam: draws.generalised(lam),
            lambda space: space.horizon > 1,
            reads=("values", "value"),
        ),
        "exact": Estimator(
            "q(s, a) - Σ π q", lambda draws: draws.exact_advantages, reads=("q", "h")
        ),
        "less greedy": Estimator(
            "R - R(greedy)", lambda draws: draws.returns - draws.greedy, reads=("pi",)
        ),
        "v-trace": Estimator(
            "min({rho}, ρ_t)(r_t + γ v_{t+1} - V(s_t)), v the V-trace targets",
            _vtrace,
            reads=("values", "value"),
        ),
    }
)
