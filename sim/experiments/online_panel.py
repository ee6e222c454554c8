"""One online actor-critic over a grid of stepsizes: the cell of the linear and of the neural
experiments.

The sweep keeps what each run came to, not its learning curve: curves of all stepsizes would be
gigabytes. The stepsizes that the paper chooses, best at half-time or best at the end, are run again
on fresh streams, and those runs keep their curves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from altpg_verify.sim.experiment import estimator_named

WINDOW = 5000
"""Steps before half-time, after it, and before the end over which a fresh run is measured; the
paper's for final performance.
"""

FINE = 1000
"""Steps in the finest bins: in so many every run ends an episode, because episodes are cut
there.
"""

MOMENTS = ("second", "before", "after", "end")
"""When a fresh run is measured: its second 1000 steps, the last 5000 before half-time, the first
5000 after it, and the last 5000.
"""

CURVES = ("returns", "entropy", "start_value")
POINTS = 100
"""Points of a kept curve, or fewer if the bins would be shorter than `FINE`."""

KEPT = ("final", "half", "whole", "first_goal", "failed")
"""What the sweep keeps of every run."""

CHOICES = ("half", "final")
"""How the paper chooses stepsizes: best at half-time, best at the end."""

Simulate = Callable[..., list[Any]]


def grid(setting: Mapping[str, Any]) -> list[tuple[float, float]]:
    """All pairs of stepsizes, alpha first: the order in which `sweep` wants its agents."""
    return list(product(setting["alphas"], setting["betas"]))


def cost(setting: Mapping[str, Any]) -> int:
    """How many steps of the environment a cell takes.

    Those of the sweep and of the fresh runs of each choice.
    """
    runs = (
        len(setting["alphas"]) * len(setting["betas"]) * setting["runs"]
        + len(setting["choices"]) * setting["fresh"]
    )
    return runs * setting["steps"]


def sample(setting: Mapping[str, Any], fraction: float) -> dict[str, Any]:
    """About so much of a cell: as many runs, in whole sets of lanes, at one pair of stepsizes from
    the middle of the grid.
    """
    alphas, betas = setting["alphas"], setting["betas"]
    runs = max(1, round(fraction * cost(setting) / setting["steps"] / _LANES)) * _LANES
    return {
        **setting,
        "alphas": [alphas[len(alphas) // 2]],
        "betas": [betas[len(betas) // 2]],
        "runs": runs,
        "fresh": 0,
    }


_LANES = 16


def best(values: np.ndarray) -> tuple[int, int]:
    """The indices of the stepsizes with the largest mean over runs; values (alphas, betas, runs).
    Of equals the smallest stepsizes.
    """
    mean = values.mean(axis=-1, dtype=np.float64)
    alpha, beta = np.unravel_index(mean.argmax(), mean.shape)
    return int(alpha), int(beta)


def sweep(
    simulate: Simulate,
    agents: Sequence[Any],
    experiment: str,
    setting: Mapping[str, Any],
    root: int,
) -> dict[str, np.ndarray]:
    """Run all agents of a grid, and the best of them again.

    Args:
        simulate: of `altpg_verify.sim.online.linear` or `altpg_verify.sim.online.neural`.
        agents: one for each pair of `grid(setting)`.
        setting: estimator, alphas, betas, runs, steps, last; `choices`, some of "half" and "final";
            and `fresh`, how many fresh runs the best stepsizes of each choice get.

    Returns:
        final, half, whole (alphas, betas, runs), see `altpg_verify.sim.online.outcome.Outcome`;
        first_goal and failed of the same shape.
        chosen (choices, 2): indices of the best alpha and beta.
        fresh_final, fresh_half, fresh_whole (choices, fresh).
        at_returns, at_entropy, at_start_value (choices, moments, fresh): means over the steps of
        `MOMENTS`.
        returns, entropy, start_value (choices, points) and returns_error, ...: curves of the fresh
        runs and their standard errors.
    """
    estimator = estimator_named(setting["estimator"])
    sizes = {name: setting[name] for name in ("steps", "last")}
    outcomes = simulate(
        estimator,
        list(agents),
        root=root,
        experiment=experiment,
        runs=setting["runs"],
        bin=WINDOW,
        **sizes,
    )
    shape = (len(setting["alphas"]), len(setting["betas"]), setting["runs"])
    arrays = {
        name: _small(np.stack([getattr(outcome, name) for outcome in outcomes]).reshape(shape))
        for name in KEPT
    }
    if not setting["fresh"]:
        return arrays
    chosen = [best(arrays[choice]) for choice in setting["choices"]]
    again = []
    for choice, (alpha, beta) in zip(setting["choices"], chosen, strict=True):
        agent = agents[alpha * len(setting["betas"]) + beta]
        # a name of its own, so that two choices of the same stepsizes are still independent
        # streams are named by the experiment, so these runs are independent of the sweep
        name = f"{experiment}, fresh, best by {choice}"
        again += simulate(
            estimator, [agent], root=root, experiment=name, runs=setting["fresh"], bin=FINE, **sizes
        )
    # indices into the grid, so that a reader can find the stepsizes
    arrays["chosen"] = np.array(chosen, dtype=np.int16)
    arrays |= {
        f"fresh_{name}": _small(np.stack([getattr(outcome, name) for outcome in again]))
        for name in ("final", "half", "whole")
    }
    arrays["fresh_failed"] = np.stack([outcome.failed for outcome in again])
    for name in CURVES:
        values = np.stack([getattr(outcome, name) for outcome in again])
        arrays[f"at_{name}"] = _small(
            np.stack(
                [values[..., part].mean(axis=-1) for part in moments(values.shape[-1])], axis=1
            )
        )
        points = coarser(values)
        arrays[name] = _small(points.mean(axis=1))
        arrays[f"{name}_error"] = _small(points.std(axis=1, ddof=1) / np.sqrt(setting["fresh"]))
    return arrays


def _small(values: np.ndarray) -> np.ndarray:
    """In as few bytes as its meaning needs: returns and values to seven digits, counts of steps in
    32 bits.
    """
    if values.dtype.kind == "f":
        largest = np.finfo(np.float32).max
        # a run that diverged must not become infinite by the conversion
        return np.clip(values, -largest, largest).astype(np.float32)
    return values.astype(np.bool_ if values.dtype.kind == "b" else np.int32)


def moments(bins: int) -> tuple[slice, ...]:
    """The fine bins of each of `MOMENTS`.

    With bins of `FINE` steps; the second bin, since in the first an agent may not have ended an
    episode.
    """
    # in fine bins
    width, middle = WINDOW // FINE, bins // 2
    return (
        slice(1, 2),
        slice(middle - width, middle),
        slice(middle, middle + width),
        slice(bins - width, bins),
    )


def coarser(values: np.ndarray) -> np.ndarray:
    """Curves (..., bins) with neighbouring fine bins averaged, so that at most `POINTS` are
    left.

    The width divides the number of bins, so that every point is a mean of as many.
    """
    bins = values.shape[-1]
    width = next(
        width for width in range(1, bins + 1) if bins % width == 0 and bins // width <= POINTS
    )
    return values.reshape(*values.shape[:-1], bins // width, width).mean(axis=-1)
