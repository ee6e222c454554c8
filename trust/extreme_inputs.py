"""Inputs of every size for `trust.extreme_numbers`: cases, formulas, spaces, updates, logits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

MANY = 10**6


_TINY, _HUGE = Fraction(1, 10**12), Fraction(10**12)


_LEAST = Fraction(1, 10**300)


_DENORMAL = Fraction(1, 10**310)


def law_cases() -> dict[str, Any]:
    """Exact cases with numbers of every size."""
    from altpg_verify.cases import Case

    half = (Fraction(1, 2), Fraction(1, 2))
    skewed = (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))

    def case(pi: Any, rewards: Any, b: Any) -> Case:
        return Case(
            tuple(map(Fraction, pi)),
            tuple(((Fraction(reward), Fraction(1)),) for reward in rewards),
            Fraction(b),
        )

    return {
        "rewards of 1e-12": case(skewed, (_TINY, 0, -_TINY), _TINY / 3),
        "rewards of 1e12": case(skewed, (_HUGE, 0, -_HUGE), _HUGE / 4),
        "rewards of 1e12 that differ by 1": case(skewed, (_HUGE, _HUGE + 1, _HUGE + 2), _HUGE),
        "rewards of 1e15 that differ by 1": case(
            half, (1000 * _HUGE, 1000 * _HUGE + 1), 1000 * _HUGE + Fraction(1, 4)
        ),
        "rewards of 1e12 and of 1e-12": case(skewed, (_HUGE, _TINY, 0), 1),
        "a probability of 1e-300": case((_LEAST, 1 - _LEAST), (1, 0), Fraction(1, 2)),
        "a probability of 1e-300, and the better action": case(
            (_LEAST, Fraction(1, 3), Fraction(2, 3) - _LEAST), (3, 2, 1), 4
        ),
        "a probability of 1e-17": case(
            (Fraction(1, 10**17), 1 - Fraction(1, 10**17)), (1, 0), Fraction(1, 2)
        ),
        "equal rewards": case(skewed, (5, 5, 5), 2),
        "equal rewards and the baseline": case(skewed, (5, 5, 5), 5),
        "equal rewards of 1e12": case(skewed, (_HUGE,) * 3, _HUGE / 3),
        "a baseline equal to a reward": case(skewed, (1, 2, 3), 2),
        "a baseline equal to the value": case(half, (1, 0), Fraction(1, 2)),
        "denormal rewards": case(half, (_DENORMAL, 0), 0),
        "denormal rewards, a baseline of 1": case(half, (_DENORMAL, 0), 1),
        "a corner": case((1, 0), (1, 0), Fraction(1, 2)),
        "a corner, its reward the baseline": case((0, 1), (1, _TINY), _TINY),
        "a baseline far above all": case(skewed, (1, 2, 3), _HUGE),
        "a baseline far below all": case(skewed, (1, 2, 3), -_HUGE),
    }


def formulas() -> dict[str, Callable[..., Any]]:
    """Estimators that are right, nearly right and wrong."""
    return {
        "regular": lambda pi, e, r, b: (r - b) * (e - pi),
        "alternate": lambda pi, e, r, b: (r - b) * e,
        "half-way": lambda pi, e, r, b: (r - b) * (e - pi / 2),
        "twice": lambda pi, e, r, b: 2 * (r - b) * (e - pi),
        "turned": lambda pi, e, r, b: (b - r) * (e - pi),
        "squared": lambda pi, e, r, b: (r - b) ** 2 * (e - pi),
    }


def spaces() -> dict[str, tuple[Any, bool]]:
    """Bandits with numbers of every size, and whether every action pays the same."""
    from altpg_verify.audit import bandit

    least = f"1/{10**300}"
    return {
        "rewards of 1e-12": (bandit([_TINY, _TINY / 2, 0]), False),
        "rewards of 1e12": (bandit([_HUGE, _HUGE / 2, 0]), False),
        "rewards of 1e12 that differ by 1": (bandit([_HUGE, _HUGE + 1, _HUGE]), False),
        "rewards of 1e15 that differ by 1": (
            bandit([1000 * _HUGE, 1000 * _HUGE + 1, 1000 * _HUGE]),
            False,
        ),
        "rewards of 1e-300": (bandit([_LEAST, 0]), False),
        "denormal rewards": (bandit([_DENORMAL, 0]), False),
        "equal rewards": (bandit([5, 5, 5]), True),
        "equal rewards of 1e12": (bandit([_HUGE] * 3), True),
        "logits of ±1e4": (bandit([1, "1/2", 0], theta=[1e4, -1e4, 0]), False),
        "logits of ±700": (bandit([0, "1/2", 1], theta=[700, -700, 0]), False),
        "a logit of 40": (bandit([1, "1/2", 0], theta=[40, 0, 0]), False),
        "a logit of 12": (bandit(["1/2", 1, 0], theta=[12, 0, 0]), False),
        "logits of minus zero": (bandit([1, "1/2", 0], theta=[-0.0, 0.0, -0.0]), False),
        "a probability of 1e-300": (bandit([1, 0], pi=[least, f"{10**300 - 1}/{10**300}"]), False),
        "a probability of 1e-20": (
            bandit([1, "1/2", 0], pi=["1/2", f"{10**20 // 2 - 1}/{10**20}", f"1/{10**20}"]),
            False,
        ),
    }


def _one(factor: float) -> Callable[..., Any]:
    def update(actions: Any, rewards: Any, scores: Any) -> Any:
        return (factor * rewards[:, None] * scores).mean(axis=0)

    return update


def _leave_one_out(actions: Any, rewards: Any, scores: Any) -> Any:
    others = (rewards.sum() - rewards) / (len(rewards) - 1)
    return ((rewards - others)[:, None] * scores).mean(axis=0)


def _own_mean(actions: Any, rewards: Any, scores: Any) -> Any:
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)


def float_update(update: Callable[..., Any]) -> Callable[..., Any]:
    """The same update, run in float64."""

    def rounded(actions: Any, rewards: Any, scores: Any) -> Any:
        return update(actions, np.asarray(rewards, dtype=float), np.asarray(scores, dtype=float))

    return rounded


UPDATES: dict[str, tuple[Callable[..., Any], str]] = {
    "the likelihood ratio": (_one(1), "unbiased"),
    "twice the likelihood ratio": (_one(2), "scaled"),
    "the likelihood ratio downhill": (_one(-1), "reversed"),
    "leave one out": (_leave_one_out, "unbiased"),
    "own mean": (_own_mean, "scaled"),
}


def logits(sample: bool) -> dict[str, np.ndarray]:
    """Preferences as far apart as they come, and as many."""
    many = 10_000 if sample else MANY
    spread = np.linspace(-30, 30, many)
    needle = np.zeros(many)
    needle[many // 2] = 14.0
    return {
        "±1e4": np.array([1e4, -1e4, 0.0, 9999.0]),
        "±700": np.array([700.0, -700.0, 0.0]),
        "all 1e4": np.full(5, 1e4),
        "all -1e4": np.full(5, -1e4),
        "denormals and minus zero": np.array([5e-324, -0.0, 0.0, -5e-324]),
        "a probability of 1e-300": np.array([0.0, -690.7]),
        f"{many:,} actions from -30 to 30": spread,
        f"{many:,} actions, one ahead": needle,
    }
