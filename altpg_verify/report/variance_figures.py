"""What one draw does to a policy: where it pushes it, how much it varies, and what becomes of the
entropy, over the whole simplex.

As in the paper's figures of updates, variances and entropies (bandit_intuition and those of its
appendix). Every number is enumerated from the estimator objects that are checked and simulated:
three actions, reward noise of one more or one less with equal odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.estimators import Estimator, alternate, regular
from altpg_verify.report.drawing import COLOURS, INK, TEXT_WIDTH, blank, svg
from altpg_verify.report.parts import Part, figure_part
from altpg_verify.report.simplex import (
    CORNERS,
    REWARDS,
    STEP,
    draw_arrows,
    draw_shades,
    grid,
    moved,
    spread_out,
    triangle,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ESTIMATORS = {"regular": regular, "alternate": alternate}
NOISE = 1.0
ARROWS, MAP = 8, 40
"""Divisions of the grids of policies."""

GREY = "#9aa3ad"


def estimate(
    estimator: Estimator, pi: np.ndarray, action: int, reward: float, b: float
) -> np.ndarray:
    """(3,) the estimate of one draw, an ascent direction.

    Args:
        estimator: the one that is drawn.
        pi: (3,) the policy.
        action: the sampled one, from 0.
        reward: what it paid.
        b: the baseline.
    """
    q = np.asarray(REWARDS)
    return estimator(pi=pi, e=np.eye(len(q))[action], r=reward, b=b, q=q, v=pi @ q)


def draws(
    estimator: Estimator, pi: np.ndarray, b: float | None, noise: float
) -> Iterator[tuple[float, np.ndarray]]:
    """Every draw's probability and estimate.

    Args:
        estimator: the one that is drawn.
        pi: (3,) the policy.
        b: the baseline, None for the policy's own value.
        noise: plus or minus, with equal odds.
    """
    baseline = pi @ np.asarray(REWARDS) if b is None else b
    for action, mean in enumerate(REWARDS):
        for reward in (mean + noise, mean - noise):
            yield pi[action] / 2, estimate(estimator, pi, action, reward, baseline)


def variances(estimator: Estimator, pi: np.ndarray, b: float | None, noise: float) -> np.ndarray:
    """(4,) the variance of each entry of the estimate, then their sum: Var ĝ_a = E[ĝ_a²] - E[ĝ_a]²,
    and 0 where rounding makes it negative.
    """
    odds, found = (np.array(each) for each in zip(*draws(estimator, pi, b, noise), strict=True))
    each = odds @ found**2 - (odds @ found) ** 2
    # at corners both terms agree but for rounding, which may leave a tiny negative number
    return np.maximum(0.0, np.append(each, each.sum()))


def entropy_change(
    estimator: Estimator, pi: np.ndarray, b: float | None, step: float = STEP
) -> float:
    """E[H(π after one update) − H(π)] per unit of stepsize, in nats.

    Args:
        estimator: the one that is drawn.
        pi: (3,) the policy before.
        b: the baseline, None for the policy's own value.
        step: the stepsize α of the update.
    """
    after = sum(
        odds * entropy(moved(pi, found, step)) for odds, found in draws(estimator, pi, b, NOISE)
    )
    return float((after - entropy(pi)) / step)


def entropy(pi: np.ndarray) -> float:
    """H(π) = -Σ π_a ln π_a in nats, from 0 at a corner to ln k.

    Args:
        pi: (k,), all positive.
    """
    return float(-(pi * np.log(pi)).sum())


def parts() -> list[Part]:
    """The three figures: updates, variances and entropy, as parts of a chapter."""
    return [updates(), variance_maps(), entropy_maps()]


def updates() -> Part:
    """A row for each estimator, a column for each action taken; dark arrows for a reward above its
    mean, grey ones for one below.
    """
    policies = grid(ARROWS)
    value = policies @ np.asarray(REWARDS)
    steps = {
        (name, action, sign): (
            np.array(
                [
                    moved(pi, estimate(one, pi, action, REWARDS[action] + sign * NOISE, b), STEP)
                    - pi
                    for pi, b in zip(policies, value, strict=True)
                ]
            )
            @ CORNERS
        )
        for name, one in ESTIMATORS.items()
        for action in range(len(REWARDS))
        for sign in (1, -1)
    }
    longest = max(float(np.linalg.norm(each, axis=1).max()) for each in steps.values())
    with blank(TEXT_WIDTH, 4.3) as canvas:
        axes = canvas.subplots(len(ESTIMATORS), len(REWARDS))
        for line, (name, colour) in zip(axes, zip(ESTIMATORS, COLOURS, strict=False), strict=True):
            for action, axis in enumerate(line):
                triangle(axis, f"{name}, r = {REWARDS[action]:g} was drawn")
                # grey above dark: where both point one way, the shorter grey one lies in the dark
                # one
                for sign, tone in ((1, colour), (-1, GREY)):
                    draw_arrows(
                        axis, policies, steps[name, action, sign], longest, tone, pivot="tail"
                    )
        drawn = svg(canvas)
    caption = (
        "Where one draw pushes the policy of the bandit r = (1, 2, 3), for each action that may be"
        " drawn; the baseline is the value of the policy. Dark arrows: the noise adds 1 to the"
        " reward; light grey arrows: it takes 1 away. Lengths grow with the square root of the"
        " distance, on one scale. Near a corner the regular estimator's arrows shrink whatever is"
        " drawn; the alternate estimator's don't when the corner's own action is drawn, so that"
        " noise can carry the policy away."
    )
    alt = "Six triangles with arrows, dark for more and grey for less reward. " + " ".join(
        _arrows_described(name, steps, policies) for name in ESTIMATORS
    )
    return figure_part("policy-updates", caption, alt, drawn)


def _arrows_described(
    name: str, steps: Mapping[tuple[str, int, int], np.ndarray], policies: np.ndarray
) -> str:
    corner = int(np.argmax(policies[:, 2]))
    moves = [float(np.linalg.norm(steps[name, 2, sign][corner])) for sign in (1, -1)]
    return (
        f"{name}, at the policy nearest the corner of r = 3, that action drawn: moves of"
        f" {moves[0]:.2g} and {moves[1]:.2g}."
    )


def variance_maps() -> Part:
    """A row for each estimator, with and without reward noise; a column for each entry of the
    estimate, and one for their sum.
    """
    policies = grid(MAP)
    rows = [(name, noise) for noise in (NOISE, 0.0) for name in ESTIMATORS]
    values = {
        (name, noise): np.array([variances(ESTIMATORS[name], pi, None, noise) for pi in policies])
        for name, noise in rows
    }
    titles = [*(f"V[ĝ] at r = {reward:g}" for reward in REWARDS), "total"]
    with blank(TEXT_WIDTH, 6.2) as canvas:
        canvas.set_dpi(200)
        axes = canvas.subplots(len(rows), len(titles))
        for line, (name, noise) in zip(axes, rows, strict=True):
            top = max(float(values[other, noise].max()) for other in ESTIMATORS)
            for column, axis in enumerate(line):
                triangle(axis, titles[column])
                shade = draw_shades(axis, policies, values[name, noise][:, column], 0.0, top)
            canvas.colorbar(
                shade,
                ax=list(line),
                label=f"{name}, {'noise 1' if noise else 'no noise'}",
                shrink=0.9,
                pad=0.01,
            )
        drawn = svg(canvas)
    caption = (
        "Variance of the estimate over all policies of the bandit r = (1, 2, 3), the value of the"
        " policy as baseline: of each entry, and in total; first with reward noise of standard"
        " deviation 1, then without, each case on one scale for both estimators. At the corners the"
        " regular estimator's variance is zero; the alternate estimator's is that of the noise, and"
        " zero without it."
    )
    alt = "Triangles shaded by variance. " + " ".join(
        f"{name}, noise {noise:g}: total from {each[:, 3].min():.3g} to {each[:, 3].max():.3g}."
        for (name, noise), each in values.items()
    )
    return figure_part("variance-maps", caption, alt, drawn)


def entropy_maps() -> Part:
    """Where a step is expected to raise the entropy of the policy and where to lower it."""
    policies = grid(MAP)
    panels = (
        ("regular, b = v", regular, None), ("alternate, b = v", alternate, None), ("alternate, b = +4", alternate, 4.0),
        ("alternate, b = −4", alternate, -4.0),
    )  # fmt: skip
    values = {
        title: np.array([entropy_change(one, pi, b) for pi in policies]) for title, one, b in panels
    }
    with blank(TEXT_WIDTH, 3.9) as canvas:
        canvas.set_dpi(200)
        axes = canvas.subplots(2, 2)
        for axis, (title, each) in zip(axes.flat, values.items(), strict=True):
            triangle(axis, title)
            shade = draw_shades(axis, policies, each, float(each.min()), float(each.max()))
            _zero_line(axis, policies, each)
            canvas.colorbar(shade, ax=axis, label="nats for each unit of α", shrink=0.9, pad=0.02)
        drawn = svg(canvas)
    caption = (
        f"Expected change of the policy's entropy by one update with stepsize {STEP:g}, divided by"
        " the stepsize: bandit r = (1, 2, 3), reward noise 1. On the lines it is zero: the bright"
        " side gains entropy, the dark side loses it. "
        + " ".join(f"With {title} it {sentence_of(each)}." for title, each in values.items())
    )
    alt = "Triangles shaded by the expected change of entropy. " + " ".join(
        f"{title}: from {each.min():.3g} to {each.max():.3g}." for title, each in values.items()
    )
    return figure_part("entropy-maps", caption, alt, drawn)


def sentence_of(values: np.ndarray) -> str:
    """How a change goes over all policies, in words: it rises, falls, or rises at a share of them.

    Args:
        values: (n,) the change at each policy.
    """
    if values.max() < 0:
        return "falls at every policy shown"
    return (
        "rises at every policy shown"
        if values.min() > 0
        else f"rises at {np.mean(values > 0):.0%} of the policies shown"
    )


def _zero_line(axis: Axes, policies: np.ndarray, values: np.ndarray) -> None:
    if values.min() < 0 < values.max():
        places = spread_out(policies)
        axis.tricontour(places, values, levels=[0.0], colors=["white"], linewidths=[2.2])
        axis.tricontour(places, values, levels=[0.0], colors=[INK], linewidths=[0.9])
