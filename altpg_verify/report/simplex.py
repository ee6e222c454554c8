"""The policy simplex of a three-armed bandit: where the expected update moves the policy, and where
it leaves it.

As in the paper's figure bandit_intuition (right): r = (1, 2, 3), a baseline fixed at +4 or -4. The
arrows come from the very estimator objects that are checked and simulated; the fixed points are
found by following them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.estimators import Estimator, alternate, regular
from altpg_verify.report.drawing import COLOURS, FAINT, INK, TEXT_WIDTH, blank, svg
from altpg_verify.report.parts import Part, figure_part

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.tri import Triangulation

REWARDS = (1.0, 2.0, 3.0)
CORNERS = np.array([[1.0, 0.0], [0.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Where the paper draws the actions a_0, a_1, a_2: right, left, top."""

STEP = 0.05
"""Stepsize α of the drawn update; only the relative lengths of arrows depend on it, and hardly."""

LONGEST = 0.105
"""Length of the longest arrow, in sides of the triangle."""


@dataclass(frozen=True)
class Field:
    """One simplex to draw: an estimator with a baseline.

    Args:
        title: above it.
        estimator: whose expected update is drawn.
        baseline: a fixed b.
        fixed_point: whether π* is marked.
    """

    title: str
    estimator: Estimator
    baseline: float
    fixed_point: bool


FIELDS = (
    Field("regular estimator, any b", regular, 4.0, False),
    Field("alternate estimator, b = +4", alternate, 4.0, True),
    Field("alternate estimator, b = −4", alternate, -4.0, True),
)

CAPTION = (
    "How the expected update moves the policy of the three-armed bandit r = (1, 2, 3). A corner is"
    " the policy that always takes the action with the reward written there. Arrows point where the"
    " policy goes; their length grows with the square root of the distance, on one scale for the"
    " three panels. Dots: the fixed point π*, an attractor for the optimistic baseline and a"
    " repeller for the pessimistic one; dotted: the borders between the regions from which the"
    " pessimistic baseline drives the policy into different corners."
)
ALT = (
    "Three triangles with arrows. Regular estimator: arrows lead to the corner of the best action"
    " and are tiny near the corners. Alternate estimator with baseline 4: arrows from everywhere"
    " lead to one point inside the triangle, nearest to the best action. With baseline minus 4:"
    " arrows lead away from a point near the centre and into the three corners."
)


def expected_update(
    estimator: Estimator, pi: np.ndarray, baseline: float, rewards: Sequence[float] = REWARDS
) -> np.ndarray:
    """E[ĝ] = Σ_a π_a ĝ(a) by enumeration of the actions, in float64, for rewards without noise.

    Args:
        estimator: the one that is drawn.
        pi: (k,) the policy.
        baseline: b, fixed.
        rewards: (k,) of the actions.

    Returns:
        (k,), an ascent direction.
    """
    q = np.asarray(rewards)
    draws = [
        estimator(pi=pi, e=e, r=reward, b=baseline, q=q, v=pi @ q)
        for e, reward in zip(np.eye(len(q)), q, strict=True)
    ]
    return sum(weight * draw for weight, draw in zip(pi, draws, strict=True))


def moved(pi: np.ndarray, update: np.ndarray, step: float) -> np.ndarray:
    """The policy after θ + step·update: softmax of the changed preferences, π ∘ e^(step·update)
    over its sum.

    Args:
        pi: (k,) the policy before.
        update: (k,) an ascent direction.
        step: the stepsize α; a negative one goes back.
    """
    # less the largest, which changes no softmax and keeps the exponential from overflowing
    weights = pi * np.exp(step * (update - update.max()))
    return weights / weights.sum()


def fixed_point(
    estimator: Estimator, baseline: float, rewards: Sequence[float] = REWARDS
) -> np.ndarray:
    """The interior policy that the expected update leaves as it is: where the update leads, or for
    a repeller where it comes from.

    Steps of size `STEP` from the uniform policy, forwards and then backwards, until the update is
    the same for all actions to 1e-9 (lemma fixed_pt_biased_pg gives the same point in closed form).

    Returns:
        (k,) the policy.

    Raises:
        ArithmeticError: neither way leads to an interior point.
    """
    for direction in (1.0, -1.0):
        pi = np.full(len(rewards), 1 / len(rewards))
        for _ in range(5000):
            before = pi
            pi = moved(pi, expected_update(estimator, pi, baseline, rewards), direction * STEP)
            if np.array_equal(pi, before):
                # every later step would give these bits again
                break
        if np.ptp(expected_update(estimator, pi, baseline, rewards)) < 1e-9 and pi.min() > 1e-3:
            return pi
    raise ArithmeticError(
        f"{estimator.name} with baseline {baseline} has no fixed point inside the simplex that the"
        " update leads to or from"
    )


def picture() -> Part:
    """The figure with its caption and alternative text, as the template wants it."""
    return figure_part("policy-simplex", CAPTION, ALT, draw())


def draw() -> str:
    """The figure as SVG."""
    longest = max(np.linalg.norm(_steps(field)[1], axis=1).max() for field in FIELDS)
    with blank(TEXT_WIDTH, 2.2) as canvas:
        for axis, field in zip(canvas.subplots(1, len(FIELDS)), FIELDS, strict=True):
            _simplex(axis, field, longest)
        return svg(canvas)


def triangle(axis: Axes, title: str, rewards: Sequence[float] = REWARDS) -> None:
    """The outline of the simplex with the reward of the action that each corner always takes.

    Args:
        axis: of matplotlib; its own axes are hidden.
        title: above the triangle, plain text.
        rewards: (3,) at the corners, in the order of `CORNERS`.
    """
    axis.set_axis_off()
    axis.set_aspect("equal")
    axis.set_xlim(-0.12, 1.12)
    axis.set_ylim(-0.13, 1.0)
    # a name may have dollars in it
    axis.set_title(title, parse_math=False)
    axis.plot(*np.vstack([CORNERS, CORNERS[:1]]).T, color=FAINT, linewidth=0.8)
    for reward, (x, y), dy in zip(rewards, CORNERS, (-0.1, -0.1, 0.04), strict=True):
        axis.text(x, y + dy, f"r = {reward:g}", ha="center")


def draw_arrows(
    axis: Axes,
    policies: np.ndarray,
    steps: np.ndarray,
    longest: float,
    colour: str,
    pivot: str = "middle",
) -> None:
    """Arrows that grow with the square root of a step, so that small ones near corners are seen.

    Args:
        axis: a triangle.
        policies: (n, 3), where they stand.
        steps: (n, 2), on the page.
        longest: the longest step of all panels on one scale.
        colour: of all of them.
        pivot: the part of the arrow that stands at the policy.
    """
    lengths = np.linalg.norm(steps, axis=1, keepdims=True)
    shown = steps / np.maximum(lengths, 1e-300) * np.sqrt(lengths / longest) * LONGEST
    heads: dict[str, Any] = {"width": 0.012, "headwidth": 4, "headlength": 4.5, "headaxislength": 4}
    places = (policies @ CORNERS).T
    axis.quiver(
        *places,
        *shown.T,
        angles="xy",
        scale_units="xy",
        scale=1,
        units="inches",
        color=colour,
        pivot=pivot,
        **heads,
    )


def spread_out(policies: np.ndarray) -> Triangulation:
    """The policies, (n, 3), as points on the page joined to triangles, for shades and level lines."""
    from matplotlib import tri

    return tri.Triangulation(*(policies @ CORNERS).T)


def draw_shades(
    axis: Axes, policies: np.ndarray, values: np.ndarray, low: float, high: float
) -> Any:
    """Shades between the policies, (n, 3), for values, (n,), on a scale from `low` to `high`; what
    a colour bar is made from.
    """
    # thousands of triangles would be thousands of paths: they become one picture, the rest stays
    # vector
    return axis.tripcolor(
        spread_out(policies),
        values,
        cmap="cividis",
        vmin=low,
        vmax=high,
        shading="gouraud",
        rasterized=True,
        zorder=0.5,
    )


def _simplex(axis: Axes, field: Field, longest: float) -> None:
    triangle(axis, field.title)
    if field.fixed_point and field.baseline < min(REWARDS):
        for border in _borders(field):
            axis.plot(*(border @ CORNERS).T, color=INK, linewidth=0.9, linestyle=(0, (1, 1.6)))
    policies, steps = _steps(field)
    draw_arrows(
        axis, policies, steps, longest, COLOURS[0] if field.estimator is regular else COLOURS[1]
    )
    if field.fixed_point:
        x, y = fixed_point(field.estimator, field.baseline) @ CORNERS
        inside = INK if field.baseline > max(REWARDS) else "white"
        axis.plot(
            x,
            y,
            marker="o",
            markersize=5.5,
            markerfacecolor=inside,
            markeredgecolor=INK,
            linestyle="none",
            zorder=5,
        )


def _steps(field: Field) -> tuple[np.ndarray, np.ndarray]:
    """Policies on the grid, (n, 3), and the way each is moved on the page, (n, 2)."""
    policies = grid(11)
    return (
        policies,
        np.array(
            [
                moved(pi, expected_update(field.estimator, pi, field.baseline), STEP) - pi
                for pi in policies
            ]
        )
        @ CORNERS,
    )


def grid(divisions: int) -> np.ndarray:
    """Policies on a triangular grid, none on the border.

    Args:
        divisions: of an edge; the grid has (divisions + 1)(divisions + 2)/2 policies.

    Returns:
        (n, 3), rows that sum to one.
    """
    inner = [
        (i, j, divisions - i - j) for i in range(divisions + 1) for j in range(divisions + 1 - i)
    ]
    # a quarter of a cell away from the border, where logarithms have no value
    return (np.array(inner) + 0.25) / (divisions + 0.75)


def _borders(field: Field) -> list[np.ndarray]:
    """Segments from the fixed point to the three edges, along which the two strongest pulls are
    equal.
    """
    centre = fixed_point(field.estimator, field.baseline)
    borders = []
    for i, j in ((0, 1), (1, 2), (0, 2)):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            pi = np.zeros(3)
            pi[i], pi[j] = middle, 1 - middle
            update = expected_update(field.estimator, pi, field.baseline)
            low, high = (middle, high) if update[i] < update[j] else (low, middle)
        borders.append(np.array([centre, pi]))
    return borders
