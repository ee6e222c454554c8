"""Three actions seen whole: total variance as a map, the expected update as arrows, and fixed
points by the way they act.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.cases import Case, bandit
from altpg_verify.dynamics import FixedPoint, fixed_points
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import expected_update, variance
from altpg_verify.facts import BASELINES, FIXTURE
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.report.drawing import INK, TEXT_WIDTH, blank, svg
from altpg_verify.report.own.escort_flow import power, preferences
from altpg_verify.report.parts import Part, figure_part
from altpg_verify.report.series_styles import styles
from altpg_verify.report.simplex import (
    CORNERS,
    STEP,
    draw_arrows,
    draw_shades,
    grid,
    moved,
    triangle,
)

DIVISIONS = {"arrows": 11, "map": 26}
MARKS = {
    "attractor": {"marker": "o", "markerfacecolor": INK},
    "repeller": {"marker": "o", "markerfacecolor": "white"},
    "saddle": {"marker": "D", "markerfacecolor": "white"},
    "marginal": {"marker": "s", "markerfacecolor": "#b9c0ca"},
}
"""Filled where training ends, empty where it leaves, other shapes for what is neither."""

KINDS_SHOWN = "filled dot: attractor; empty dot: repeller; diamond: saddle; grey square: marginal"


def baselines(estimators: Mapping[str, Estimator]) -> tuple[int, ...]:
    """The paper's optimistic and pessimistic baseline, +4 and -4; one suffices where no estimator
    looks at it.
    """
    return BASELINES if any("b" in one.needs for one in estimators.values()) else BASELINES[:1]


def noiseless(policy: Any, b: float) -> Case:
    """The paper's bandit r = (1, 2, 3) in float64, without reward noise.

    Args:
        policy: (3,) probabilities.
        b: a fixed baseline.
    """
    uniform = bandit(FIXTURE, [Fraction(1, 3)] * 3, b).as_float()
    return Case(tuple(float(p) for p in policy), uniform.rewards, uniform.b)


def noisy(policy: Any, b: Any, kind: Parameterisation = softmax) -> Case:
    """The paper's bandit with reward noise of standard deviation 1: one more or one less, with
    equal odds.

    Args:
        policy: (3,) probabilities.
        b: a fixed baseline, or None for the value itself.
        kind: softmax, or an escort policy with positive preferences.
    """
    half = type(policy[0])(1) / 2
    rewards = tuple(
        ((reward - 1 + 0 * half, half), (reward + 1 + 0 * half, half)) for reward in FIXTURE
    )
    x = tuple(policy) if kind.normalised else tuple(preferences(policy, power(kind)))
    # 0 * half is a zero of the policy's own sort of numbers
    case = Case(x, rewards, 0 * half if b is None else b + 0 * half, kind)
    return case.at_value() if b is None else case


def ends(estimators: Mapping[str, Estimator]) -> dict[tuple[str, int], tuple[FixedPoint, ...]]:
    """The fixed points of each estimator for each baseline; none where the formula isn't defined
    along the way, nor where nothing moves.

    Args:
        estimators: by label, as updates of softmax logits.
    """
    found = {}
    for label, estimator in estimators.items():
        for b in baselines(estimators):
            try:
                found[label, b] = () if still(estimator, b) else fixed_points(estimator, FIXTURE, b)
            except (BadEstimator, ArithmeticError):
                found[label, b] = ()
    return found


def still(estimator: Estimator, b: int) -> bool:
    """Whether the expected update moves no policy at all: then every policy is a fixed point. Tried
    on a grid, up to 1e-12.
    """
    return all(
        float(np.abs(_step(estimator, policy, b)).max()) < 1e-12
        for policy in grid(DIVISIONS["arrows"])
    )


def arrows(
    estimators: Mapping[str, Estimator],
    found: Mapping[tuple[str, int], tuple[FixedPoint, ...]],
    policy: Parameterisation = softmax,
) -> Part:
    """The figure of expected updates: a row for each baseline, a column for each estimator. Args:
    policy: whose flows they are.
    """
    rows = baselines(estimators)
    policies = grid(DIVISIONS["arrows"])
    steps = {
        (label, b): np.array([_step(estimator, policy, b) for policy in policies]) @ CORNERS
        for label, estimator in estimators.items()
        for b in rows
    }
    look = styles(list(estimators))
    longest = max(float(np.linalg.norm(each, axis=1).max()) for each in steps.values()) or 1.0
    share = len(estimators) / 3
    with blank(TEXT_WIDTH * share, 2.15 * len(rows)) as canvas:
        axes = canvas.subplots(len(rows), len(estimators), squeeze=False)
        for (label, b), axis in zip(
            ((label, b) for b in rows for label in estimators), axes.flat, strict=True
        ):
            triangle(axis, f"{label}, b = {_signed(b)}")
            draw_arrows(axis, policies, steps[label, b], longest, look[label].colour)
            for point in found.get((label, b), ()):
                x, y = np.array([float(p) for p in point.pi]) @ CORNERS
                axis.plot(
                    x,
                    y,
                    markersize=5.5,
                    markeredgecolor=INK,
                    linestyle="none",
                    zorder=5,
                    clip_on=False,
                    **MARKS[point.kind],
                )
        drawn = svg(canvas)
    caption = (
        "How the expected update moves the policy of the three-armed bandit r = (1, 2, 3), with"
        " the baseline held fixed. A corner always takes the action with the reward written there."
        " Arrows point where the policy goes; their length grows with the square root of the"
        f" distance, on one scale for all panels. Fixed points that were found: {KINDS_SHOWN}."
        + (
            ""
            if policy.normalised
            else " It is the flow of an escort policy with positive preferences."
        )
    )
    alt = (
        f"Triangles with arrows for {', '.join(estimators)}, baselines"
        f" {' and '.join(_signed(b) for b in rows)}. "
        + " ".join(
            f"{label}, b = {_signed(b)}:"
            f" {'; '.join(map(str, points)) or 'no fixed point was found'}."
            for (label, b), points in found.items()
        )
    )
    return figure_part("own-arrows", caption, alt, drawn, share)


def variance_map(estimators: Mapping[str, Estimator]) -> Part:
    """The figure of total variance, the sum over preferences: a row for b = +4 and one for b = v, a
    column for each estimator.
    """
    rows = (BASELINES[0], None)
    policies = grid(DIVISIONS["map"])
    values = {
        (label, b): np.array([_total_variance(estimator, policy, b) for policy in policies])
        for b in rows
        for label, estimator in estimators.items()
    }
    with blank(TEXT_WIDTH, 2.15 * len(rows)) as canvas:
        canvas.set_dpi(200)
        axes = canvas.subplots(len(rows), len(estimators), squeeze=False)
        for line, b in zip(axes, rows, strict=True):
            finite = [
                each[np.isfinite(each)] for (_, baseline), each in values.items() if baseline == b
            ]
            top = max(float(each.max(initial=0.0)) for each in finite) or 1.0
            for axis, label in zip(line, estimators, strict=True):
                triangle(axis, f"{label}, b = {'v' if b is None else _signed(b)}")
                shown = np.where(np.isfinite(values[label, b]), values[label, b], top)
                drawn = draw_shades(axis, policies, shown, 0.0, top)
            canvas.colorbar(drawn, ax=list(line), label="total variance", shrink=0.85, pad=0.01)
        page = svg(canvas)
    caption = (
        "Total variance of the estimate, Σ_a V[ĝ_a], over all policies of the bandit r = (1, 2, 3)"
        " with reward noise of standard deviation 1, enumerated; one colour scale in a row. The"
        " second row has the value v of the policy itself as the baseline."
    )
    alt = "Triangles shaded by variance. " + " ".join(
        f"{label}, b = {'the value' if b is None else _signed(b)}: from {np.nanmin(each):.3g} to"
        f" {np.nanmax(each):.3g}."
        for (label, b), each in values.items()
    )
    return figure_part("own-variance", caption, alt, page)


def _step(estimator: Estimator, policy: Any, b: float) -> Any:
    try:
        update = np.array(
            [float(entry) for entry in expected_update(estimator, noiseless(policy, b))]
        )
    except (BadEstimator, ArithmeticError):
        return np.zeros(len(policy))
    return moved(policy, update, STEP) - policy


def _total_variance(estimator: Estimator, policy: Any, b: Any) -> float:
    try:
        return max(0.0, float(sum(variance(estimator, noisy([float(p) for p in policy], b)))))
    except (BadEstimator, ArithmeticError):
        return float("nan")


def _signed(b: float) -> str:
    return f"+{b}" if b > 0 else f"−{abs(b)}" if b < 0 else "0"
