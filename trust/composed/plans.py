"""Random batch updates as data: each part of a plan is a word, so that two programs can read it
without sharing a formula.

An update is a mean over the N steps of a draw, mean of ratio · factor · clip(whiten(signal -
baseline)) · direction, plus further terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

Reward = tuple[tuple[Fraction, Fraction], ...]
"""What an action pays: (reward, chance) pairs."""

SIGNALS = ("r", "r", "r", "r", "r squared", "r less log-probability", "next r")
BASELINES = ("none", "constant", "mean", "leave one out", "value", "value", "largest other")
WHITENINGS = ("none", "none", "none", "std", "std of others", "second moment")
RATIOS = ("none", "none", "importance", "importance", "clipped", "truncated")
DIRECTIONS = (
    *("score", "score", "score", "score", "e", "e less half π", "e / π"),
    *("e less 1/k", "score of the next action"),
)
EXTRAS = ("score", "entropy gradient", "π", "ones", "q", "value gradient")
FACTORS = tuple(map(Fraction, ("1", "1", "1", "-1", "1/2", "2", "-3", "3/4")))

MOST_DRAWS = 140
"""A larger draw space is made smaller: the slow oracle walks through it some thirty times."""


@dataclass(frozen=True)
class Plan:
    """One composed update and where it is tried.

    Attributes:
        rewards: for each prompt and each action.
        pi: for each prompt the policy at the point of the audit.
        mu: the policy that is sampled, if it is another one.
        scheme, size: one step, a batch, or a group from one prompt.
        frozen: values stand still when the policy moves (a stop-gradient).
        extra: (what, coefficient) of the terms added.
        known: the kind that follows from how it was composed; empty if nothing does.
    """

    index: int
    rewards: tuple[tuple[Reward, ...], ...]
    pi: tuple[tuple[Fraction, ...], ...]
    mu: tuple[tuple[Fraction, ...], ...] | None
    scheme: str
    size: int
    signal: str
    baseline: str
    constant: Fraction
    whitening: str
    clip: Fraction | None
    ratio: str
    direction: str
    factor: Fraction
    frozen: bool
    extra: tuple[tuple[str, Fraction], ...]

    @property
    def k(self) -> int:
        """The number of actions, the same for every prompt."""
        return len(self.pi[0])

    @property
    def known(self) -> str:
        """What is right by construction: independent baselines leave the score unbiased, factors
        scale, zero-mean terms add nothing.

        A kind of update, or "" where nothing follows; a third answer beside the product's and the
        oracle's.
        """
        independent = self.baseline in ("none", "constant", "leave one out", "value")
        weighted = self.ratio == ("none" if self.mu is None else "importance")
        unchanged = (
            self.signal == "r"
            and self.whitening == "none"
            and self.clip is None
            and self.direction == "score"
        )
        # off the policy the score has a mean
        zero_mean = ("ones",) if self.mu is not None else ("score", "ones")
        if not (
            independent
            and weighted
            and unchanged
            and all(name in zero_mean for name, _ in self.extra)
        ):
            return ""
        if self._flat:
            return "unbiased"
        if self.factor == 0:
            return "zero"
        return "unbiased" if self.factor == 1 else "scaled" if self.factor > 0 else "reversed"

    @property
    def _flat(self) -> bool:
        """Every action of every prompt pays the same on average: the gradient is 0."""
        return all(
            len({sum(r * p for r, p in outcomes) for outcomes in row}) == 1 for row in self.rewards
        )


def plan(index: int) -> Plan:
    """The composed update of that number; the same one everywhere.

    Three in ten are composed of parts that keep them unbiased up to a factor: at random hardly any
    would be.

    Args:
        index: its number, the seed of all its choices.
    """
    rng = np.random.default_rng([9, index])

    def pick(options: Sequence[Any]) -> Any:
        return options[int(rng.integers(len(options)))]

    prompts = 2 if rng.random() < 0.15 else 1
    k = 2 if prompts == 2 else int(rng.integers(2, 5))
    rewards = tuple(tuple(_reward(rng) for _ in range(k)) for _ in range(prompts))
    pi = tuple(_policy(rng, k) for _ in range(prompts))
    mu = tuple(_policy(rng, k) for _ in range(prompts)) if rng.random() < 0.25 else None
    scheme, size = pick(("one", "batch", "batch", "group")), int(rng.integers(2, 4))
    size = 1 if scheme == "one" else size
    episodes = sum(len(outcomes) for row in rewards for outcomes in row)
    while size > 1 and episodes**size > MOST_DRAWS:
        size -= 1
    if size == 1:
        scheme = "one"
    alone = size == 1
    signal = pick([each for each in SIGNALS if not (alone and each == "next r")])
    baseline = pick(
        [
            each
            for each in BASELINES
            if not (alone and each in ("mean", "leave one out", "largest other"))
        ]
    )
    whitening = (
        pick([each for each in WHITENINGS if not (alone and each != "none")])
        if size < 3 or rng.random() < 0.5
        else "none"
    )
    if whitening == "std of others" and size < 3:
        whitening = "none"
    proper = rng.random() < 0.3
    made = Plan(
        index=index,
        rewards=rewards,
        pi=pi,
        mu=mu,
        scheme=scheme,
        size=size,
        signal="r" if proper else signal,
        baseline="constant" if proper and baseline in ("mean", "largest other") else baseline,
        constant=Fraction(int(rng.integers(-4, 5)), 3),
        whitening="none" if proper else whitening,
        clip=Fraction(int(rng.integers(1, 9)), 7) if rng.random() < 0.15 and not proper else None,
        ratio="none" if mu is None else "importance" if proper else pick(RATIOS),
        direction="score" if proper else pick(DIRECTIONS),
        factor=pick(FACTORS),
        frozen=bool(rng.random() < 0.5),
        extra=tuple(
            (pick(("score", "ones") if proper else EXTRAS), Fraction(int(rng.integers(1, 5)), 10))
            for _ in range(pick((0, 0, 0, 1, 1, 2)))
        ),
    )
    # some learn nothing at all
    return replace(made, factor=Fraction(0)) if rng.random() < 0.03 else made


def _reward(rng: np.random.Generator) -> Reward:
    low = Fraction(int(rng.integers(-3, 4)), int(rng.integers(1, 4)))
    if rng.random() < 0.8:
        return ((low, Fraction(1)),)
    chance = Fraction(int(rng.integers(1, 4)), 4)
    return ((low, chance), (low + int(rng.integers(1, 4)), 1 - chance))


def _policy(rng: np.random.Generator, k: int) -> tuple[Fraction, ...]:
    weights = [int(weight) for weight in rng.integers(1, 12, size=k)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)
