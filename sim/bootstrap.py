"""The bootstrap: how far a number made of many means would move if every agent had been run again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from altpg_verify.sim.analysis import Measured

DRAWS = 400
_SEED = 2022


def bootstrapped(
    label: str, statistic: Callable[[Sequence[np.ndarray]], float], samples: Sequence[np.ndarray], *, step: float = 0.0
) -> Measured:
    """A statistic of the means over runs, and its error from drawing runs again with replacement.

    Args:
        statistic: gets the means, an array for each sample.
        samples: (..., runs): the last axis holds independent runs, which are drawn again in every row by itself.
        step: the smallest step that the statistic can make, such as one stepsize pair in a share of them. Half of it is added to the
            error: where no run drawn again moves it, it is still not known more finely.
    """
    generator = np.random.Generator(np.random.SFC64(_SEED))
    samples = [np.asarray(sample, dtype=np.float64) for sample in samples]
    estimate = float(statistic([sample.mean(axis=-1) for sample in samples]))
    drawn = [float(statistic([_again(sample, generator) for sample in samples])) for _ in range(DRAWS)]
    spread = float(np.std(drawn, ddof=1))
    error = math.hypot(spread, step / 2)
    return Measured(label, estimate, spread, samples[0].shape[-1], error, error)


def bootstrapped_median(label: str, runs: np.ndarray) -> Measured:
    """The median over independent runs: what a typical run does, when a few that go far off would rule the mean."""
    generator = np.random.Generator(np.random.SFC64(_SEED))
    values = np.asarray(runs, dtype=np.float64)
    drawn = np.median(values[generator.integers(0, values.size, (DRAWS, values.size))], axis=1)
    error = float(drawn.std(ddof=1))
    return Measured(f"{label}, median", float(np.median(values)), error, values.size, error, error)


def _again(sample: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """The means of runs drawn again."""
    runs = sample.shape[-1]
    chosen = generator.integers(0, runs, sample.shape)
    if sample.ndim > 1:
        # the places in the flat array: many times faster than `take_along_axis` on so few numbers
        chosen += np.arange(0, sample.size, runs).reshape(*sample.shape[:-1], 1)
    return np.add.reduce(sample.reshape(-1).take(chosen), axis=-1) / runs


def share_near_best(means: Sequence[np.ndarray], of: int, distance: float) -> float:
    """The share of the `of`-th array of means that lies within a distance of the best mean in any of the arrays."""
    best = max(float(mean.max()) for mean in means)
    return float(np.mean(means[of] >= best - distance))


def lead_near_best(means: Sequence[np.ndarray], distance: float) -> float:
    """That share of the first of two arrays less that of the second."""
    return share_near_best(means, 0, distance) - share_near_best(means, 1, distance)


def share_of_wins(means: Sequence[np.ndarray]) -> float:
    """How often the first of two means is larger; the arrays are those of the first and of the second in turn."""
    return float(np.mean([first > second for first, second in zip(means[::2], means[1::2], strict=True)]))
