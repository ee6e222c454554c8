"""What a loss does with advantages: ratios and their clips, divergence terms, and how tokens are
added up.

Each surrogate is written as what it multiplies the scores ∇ log π(a_t | s_t) by, as an ascent
direction: minus the derivative of the loss in the log-probability of the step, with the advantages
held. ρ = π / π_old of a step, A its advantage, w its weight in the aggregation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from altpg_verify.audit.references.sequences import Number, Sequences, shown_number


@dataclass(frozen=True)
class Piece:
    """One surrogate, aggregation or divergence term with its numbers.

    Args:
        table: which of the tables below it is in: "surrogate", "aggregation", "divergence".
        name: its key there.
        numbers: (name, number) pairs.
    """

    table: str
    name: str
    numbers: tuple[tuple[str, Number], ...] = ()

    @property
    def formula(self) -> Formula:
        """What it is."""
        return TABLES[self.table][self.name]

    def given(self, draws: Sequences) -> dict[str, float]:
        """Its numbers there."""
        return {key: draws.number(number) for key, number in self.numbers}

    def __str__(self) -> str:
        text = self.formula.text
        for key, number in self.numbers:
            text = text.replace(f"{{{key}}}", shown_number(number))
        return text


@dataclass(frozen=True)
class Formula:
    """What a piece is.

    Args:
        text: the formula, with {names} where its numbers stand.
        at: the function, see the tables.
        reads: names of a draw it is made of.
    """

    text: str
    at: Callable[..., np.ndarray]
    reads: tuple[str, ...] = ()


def _ratio(draws: Sequences) -> np.ndarray:
    return np.exp((draws.logprobs - draws.old) * draws.mask)


def _clipped(ratio: np.ndarray, advantages: np.ndarray, low: float, high: float) -> np.ndarray:
    """Where the pessimistic minimum takes the clipped side, whose derivative is 0."""
    return ((advantages > 0) & (ratio > 1 + high)) | ((advantages < 0) & (ratio < 1 - low))


def _clip(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float
) -> np.ndarray:
    ratio = _ratio(draws)
    return weights * np.where(_clipped(ratio, advantages, low, high), 0.0, ratio * advantages)


def _dual_clip(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float, c: float
) -> np.ndarray:
    return np.where(
        (advantages < 0) & (_ratio(draws) > c), 0.0, _clip(draws, advantages, weights, low, high)
    )


def _cispo(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float
) -> np.ndarray:
    return weights * np.clip(_ratio(draws), 1 - low, 1 + high) * advantages


def _truncated(
    draws: Sequences,
    advantages: np.ndarray,
    weights: np.ndarray,
    low: float,
    high: float,
    cap: float,
) -> np.ndarray:
    ratio = np.exp((draws.logprobs - draws.start) * draws.mask)
    engines = np.minimum(np.exp((draws.start - draws.old) * draws.mask), cap)
    through = np.where(_clipped(ratio, advantages, low, high), 0.0, ratio * advantages)
    return weights * engines * through


def _sapo(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, up: float, down: float
) -> np.ndarray:
    ratio = _ratio(draws)
    sharpness = np.where(advantages > 0, up, down)
    gate = 1 / (1 + np.exp(-sharpness * (ratio - 1)))
    return weights * 4 * gate * (1 - gate) * ratio * advantages


def _sequence_ratio(draws: Sequences) -> np.ndarray:
    """(B, P, G, 1) the geometric mean of the ratios."""
    return np.exp(
        ((draws.logprobs - draws.old) * draws.mask).sum(axis=-1, keepdims=True) / draws.lengths
    )


def _sequence_clip(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float
) -> np.ndarray:
    ratio = _sequence_ratio(draws)
    through = np.where(_clipped(ratio, advantages, low, high), 0.0, weights * ratio * advantages)
    # every step moves the ratio of all: its share is 1 / length
    return through.sum(axis=-1, keepdims=True) / draws.lengths * draws.mask


def _sequence_token_clip(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float
) -> np.ndarray:
    ratio = _sequence_ratio(draws)
    return np.where(_clipped(ratio, advantages, low, high), 0.0, weights * ratio * advantages)


def _product_ratio(draws: Sequences, advantages: np.ndarray, weights: np.ndarray) -> np.ndarray:
    ratio = np.exp(((draws.logprobs - draws.old) * draws.mask).sum(axis=-1, keepdims=True))
    return weights * ratio * advantages


def _product_clip(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float
) -> np.ndarray:
    ratio = np.exp(((draws.logprobs - draws.old) * draws.mask).sum(axis=-1, keepdims=True))
    return np.where(_clipped(ratio, advantages, low, high), 0.0, weights * ratio * advantages)


def _geometric(
    draws: Sequences, advantages: np.ndarray, weights: np.ndarray, low: float, high: float
) -> np.ndarray:
    first = advantages[..., :1]
    sign = np.where(first > 0, 1.0, -1.0)
    reach = np.where(first > 0, high, low)
    logs = sign * (draws.logprobs - draws.old) * draws.mask
    kept = logs <= reach
    ratio = np.exp(
        (sign * np.minimum(logs, reach) * draws.mask).sum(axis=-1, keepdims=True) / draws.lengths
    )
    whole = (weights * draws.mask).sum(axis=-1, keepdims=True) / draws.lengths
    return whole * ratio * first * kept * draws.mask


SURROGATES: Mapping[str, Formula] = MappingProxyType(
    {
        "score": Formula("A log π", lambda draws, advantages, weights: weights * advantages),
        "ratio": Formula(
            "ρ A",
            lambda draws, advantages, weights: weights * _ratio(draws) * advantages,
            ("old_logprobs",),
        ),
        "clip": Formula("min(ρ A, clip(ρ, 1 - {low}, 1 + {high}) A)", _clip, ("old_logprobs",)),
        "dual clip": Formula(
            "min(ρ A, clip(ρ, 1 - {low}, 1 + {high}) A), at least {c} A for A < 0",
            _dual_clip,
            ("old_logprobs",),
        ),
        "clipped weight": Formula(
            "[clip(ρ, 1 - {low}, 1 + {high})] A log π, the bracket held", _cispo, ("old_logprobs",)
        ),
        "truncated weight": Formula(
            "[min(π_old/μ, {cap})] min(ρ A, clip(ρ, 1 ± ε) A), the bracket held, ρ = π/π_old, and"
            " π_old = π in the first step",
            _truncated,
            ("old_logprobs",),
        ),
        "soft gate": Formula(
            "(4/τ) σ(τ (ρ - 1)) A, τ = {up} for A > 0, else {down}", _sapo, ("old_logprobs",)
        ),
        "sequence clip": Formula(
            "min(s A, clip(s, 1 - {low}, 1 + {high}) A), s = (Π ρ)^(1/length)",
            _sequence_clip,
            ("old_logprobs",),
        ),
        "sequence clip by token": Formula(
            "min(s A, clip(s, 1 - {low}, 1 + {high}) A), s = [(Π ρ)^(1/length)] π/[π], brackets"
            " held",
            _sequence_token_clip,
            ("old_logprobs",),
        ),
        "geometric mean": Formula(
            "(Π clipped ρ)^(1/length) A, log ρ clipped at {high} for A > 0, else at -{low}",
            _geometric,
            ("old_logprobs",),
        ),
        "product ratio": Formula("(Π ρ) A", _product_ratio, ("old_logprobs",)),
        "product clip": Formula(
            "min((Π ρ) A, clip(Π ρ, 1 - {low}, 1 + {high}) A)", _product_clip, ("old_logprobs",)
        ),
    }
)
"""(sequences, advantages, weights, numbers by name) -> (B, P, G, T) what multiplies the scores."""


def _count(draws: Sequences) -> int:
    return draws.shape[1] * draws.shape[2]


AGGREGATIONS: Mapping[str, Formula] = MappingProxyType(
    {
        "sequence sum": Formula(
            "mean over sequences of the sum over tokens", lambda draws: draws.mask / _count(draws)
        ),
        "token mean": Formula(
            "mean over all tokens",
            lambda draws: draws.mask / draws.mask.sum(axis=(1, 2, 3), keepdims=True),
        ),
        "sequence mean": Formula(
            "mean over sequences of the mean over tokens",
            lambda draws: draws.mask / (_count(draws) * draws.lengths),
        ),
        "fixed length": Formula(
            "mean over sequences of the sum over tokens / {length}",
            lambda draws, length: draws.mask / (_count(draws) * length),
        ),
        "prompt mean": Formula(
            "mean over prompts of the mean over the prompt's tokens",
            lambda draws: (
                draws.mask / (draws.shape[1] * draws.mask.sum(axis=(2, 3), keepdims=True))
            ),
        ),
        "sum": Formula("sum over all tokens", lambda draws: draws.mask + 0.0),
    }
)
"""(sequences, numbers by name) -> (B, P, G, T) the weight of each token."""


def _log_ratio(draws: Sequences) -> np.ndarray:
    return (draws.logprobs - draws.ref) * draws.mask


def _k3_slope(draws: Sequences) -> np.ndarray:
    return 1 - np.exp(-_log_ratio(draws))


def _k(draws: Sequences, kind: str, *, old: bool = False) -> np.ndarray:
    """The estimator of the divergence at each step."""
    log_ratio = ((draws.old if old else draws.logprobs) - draws.ref) * draws.mask
    if kind == "k1":
        return log_ratio
    return log_ratio**2 / 2 if kind == "k2" else np.exp(-log_ratio) - 1 + log_ratio


_SLOPES: Mapping[str, Callable[[Sequences], np.ndarray]] = {
    "k1": lambda draws: draws.mask,
    "k2": _log_ratio,
    "k3": _k3_slope,
}


def _attached(kind: str) -> Callable[[Sequences], np.ndarray]:
    return lambda draws: _ratio(draws) * (_k(draws, kind) + _SLOPES[kind](draws))


def _weighted(kind: str) -> Callable[[Sequences], np.ndarray]:
    return lambda draws: _ratio(draws) * _SLOPES[kind](draws)


_TEXTS = {"k1": "log(π/ref)", "k2": "½ log²(π/ref)", "k3": "ref/π - 1 - log(ref/π)"}

DIVERGENCES: Mapping[str, Formula] = MappingProxyType(
    {
        "none": Formula("", lambda draws: np.zeros(draws.shape)),
        **{
            f"{kind} in the loss": Formula(
                f"{{beta}} · {kind} in the loss, {kind} = {text}", _SLOPES[kind], ("ref_logprobs",)
            )
            for kind, text in _TEXTS.items()
        },
        **{
            f"{kind} with ratio": Formula(
                f"{{beta}} · ρ {kind} in the loss",
                _attached(kind),
                ("ref_logprobs", "old_logprobs"),
            )
            for kind in _TEXTS
        },
        **{
            f"{kind} with held ratio": Formula(
                f"{{beta}} · [ρ] {kind} in the loss, ρ held",
                _weighted(kind),
                ("ref_logprobs", "old_logprobs"),
            )
            for kind in _TEXTS
        },
        **{
            f"{kind} in the reward": Formula(
                f"{{beta}} · {kind} off each reward, held",
                lambda draws, kind=kind: _k(draws, kind),
                ("ref_logprobs",),
            )
            for kind in _TEXTS
        },
        **{
            f"{kind} of the sampled policy in the reward": Formula(
                f"{{beta}} · {kind} of π_old off each reward",
                lambda draws, kind=kind: _k(draws, kind, old=True),
                ("ref_logprobs", "old_logprobs"),
            )
            for kind in _TEXTS
        },
    }
)
"""sequences -> (B, P, G, T) the slope of the term in log π; of those in the reward, the term
itself.
"""

TABLES: Mapping[str, Mapping[str, Formula]] = {
    "surrogate": SURROGATES,
    "aggregation": AGGREGATIONS,
    "divergence": DIVERGENCES,
}
