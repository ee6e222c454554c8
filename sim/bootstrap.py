"""The bootstrap: how far a number made of many means would move if every agent had been run
again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from altpg_verify.sim.analysis import Measured

DRAWS = 400
_SEED = 2022
BLOCK = 2**14
"""Numbers that are drawn again at once."""


def bootstrapped(
    label: str,
    statistic: Callable[[Sequence[np.ndarray]], float],
    samples: Sequence[np.ndarray],
    *,
    step: float = 0.0,
) -> Measured:
    """A statistic of the means over runs, and its error from drawing runs again with replacement.

    The error is the standard deviation of the statistic over `DRAWS` resamples of the runs, drawn
    with a fixed seed, so that a finding is the same on every machine.

    Args:
        statistic: gets the means, an array for each sample.
        samples: (..., runs): the last axis holds independent runs, which are drawn again in every
            row by itself.
        step: the smallest step that the statistic can make, such as one stepsize pair in a share of
            them. Half of it is added to the
            error: where no run drawn again moves it, it is still not known more finely.
    """
    generator = np.random.Generator(np.random.SFC64(_SEED))
    samples = [np.asarray(sample, dtype=np.float64) for sample in samples]
    # of all runs as they are: the draws are for the error only
    estimate = float(statistic([sample.mean(axis=-1) for sample in samples]))
    drawn = [float(statistic(means)) for means in _again(samples, generator)]
    # ddof=1, as the draws are a sample themselves
    spread = float(np.std(drawn, ddof=1))
    # a statistic that moves in steps is known to half a step at best
    error = math.hypot(spread, step / 2)
    return Measured(label, estimate, spread, samples[0].shape[-1], error, error)


def bootstrapped_median(label: str, runs: np.ndarray) -> Measured:
    """The median over independent runs: what a typical run does, when a few that go far off would
    rule the mean.

    The median has no simple standard error; the bootstrap's is the standard deviation over `DRAWS`
    resamples.

    Args:
        label: what it is the median of; ", median" is added.
        runs: (runs,), one number each.
    """
    generator = np.random.Generator(np.random.SFC64(_SEED))
    values = np.asarray(runs, dtype=np.float64)
    # the same seed every time: a finding must not depend on when it is made
    drawn = np.median(values[generator.integers(0, values.size, (DRAWS, values.size))], axis=1)
    error = float(drawn.std(ddof=1))
    return Measured(f"{label}, median", float(np.median(values)), error, values.size, error, error)


def _again(
    samples: Sequence[np.ndarray], generator: np.random.Generator
) -> Iterator[list[np.ndarray]]:
    """The means of runs drawn again, of all samples, for each draw."""
    runs = {sample.shape[-1] for sample in samples}
    # samples of different lengths can't be stacked; the way below is for the common case
    if len(runs) > 1:
        for _ in range(DRAWS):
            each = [generator.integers(0, sample.shape[-1], sample.shape) for sample in samples]
            yield [
                np.take_along_axis(sample, places, axis=-1).mean(axis=-1)
                for sample, places in zip(samples, each, strict=True)
            ]
        return
    (count,) = runs
    # all samples side by side, a row for each mean to be drawn again
    rows = np.concatenate([sample.reshape(-1, count) for sample in samples])
    first = np.arange(0, rows.size, count)[:, None]
    ends = np.cumsum([sample.size // count for sample in samples])[:-1]
    # many draws at once where they are small, few where a block of them would leave the cache
    block = max(1, BLOCK // rows.size)
    for start in range(0, DRAWS, block):
        # one call for all samples gives the numbers that a call for each would give
        chosen = generator.integers(0, count, (min(block, DRAWS - start), *rows.shape))
        # places in the flat array: many times faster than `take_along_axis` on so few numbers
        chosen += first
        for means in np.add.reduce(rows.reshape(-1).take(chosen), axis=-1) / count:
            yield [
                mean.reshape(sample.shape[:-1])
                for mean, sample in zip(np.split(means, ends), samples, strict=True)
            ]


def share_near_best(means: Sequence[np.ndarray], of: int, distance: float) -> float:
    """The share of the `of`-th array of means that lies within a distance of the best mean in any
    of the arrays.

    Args:
        means: arrays of means over runs, one for each agent, over its stepsizes.
        distance: in the units of the means; larger means are better.
    """
    best = max(float(mean.max()) for mean in means)
    return float(np.mean(means[of] >= best - distance))


def lead_near_best(means: Sequence[np.ndarray], distance: float) -> float:
    """That share of the first of two arrays less that of the second."""
    return share_near_best(means, 0, distance) - share_near_best(means, 1, distance)


def share_of_wins(means: Sequence[np.ndarray]) -> float:
    """How often the first of two means is larger; the arrays are those of the first and of the
    second in turn.
    """
    return float(
        np.mean([first > second for first, second in zip(means[::2], means[1::2], strict=True)])
    )


def share_of_plots_won(means: Sequence[np.ndarray]) -> float:
    """The same of means over all stepsizes of a plot."""
    return share_of_wins([np.asarray(mean.mean()) for mean in means])
