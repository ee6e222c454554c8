"""The inequalities in the proof that a fixed point attracts or repels, drawn: the terms against the
baseline and the stepsize.

As in the paper's figure fixed_point_nature_proof: r = (1, 2, 3), π = (0.2, 0.1, 0.7), ζ(c) = α
(r(c) − b). One expected update changes KL(π* ‖ π) by log Σ_c π(c) exp(π(c) ζ(c)) − (Σ_c 1/ζ(c))⁻¹;
the proof puts the log term between Σ_c π(c)² ζ(c) and that plus (u − l)²/8.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altpg_verify.report.drawing import (
    COLOURS,
    DASHES,
    FAINT,
    INK,
    PALE,
    TEXT_WIDTH,
    blank,
    ruled,
    svg,
)
from altpg_verify.report.parts import Part, figure_part

REWARDS = np.array([1.0, 2.0, 3.0])
POLICY = np.array([0.2, 0.1, 0.7])
STEPSIZE, OPTIMISTIC, PESSIMISTIC = 0.5, 4.0, -4.0
NAMES = ("log term", "its lower bound", "its upper bound", "fixed-point term")


def terms(b: float, alpha: float) -> tuple[float, float, float, float]:
    """The log term, its bounds by Jensen and Hoeffding, and the term of the fixed point: KL falls
    where the first is below the last.
    """
    zeta = alpha * (REWARDS - b)
    lower = float((POLICY**2 * zeta).sum())
    pulls = POLICY * zeta
    return (
        float(np.log((POLICY * np.exp(pulls)).sum())), lower, lower + float(np.ptp(pulls)) ** 2 / 8, float(1 / (1 / zeta).sum()),
    )  # fmt: skip


def promised() -> float:
    """The stepsize up to which the paper's bound promises descent at `POLICY` with the optimistic
    baseline.
    """
    # at stepsize α the bound reads α² (upper - lower) + α lower < α fixed, its terms those at α = 1
    _, lower, upper, fixed = terms(OPTIMISTIC, 1.0)
    return (fixed - lower) / (upper - lower)


def reached() -> float:
    """The stepsize at which the expected update at `POLICY` ceases to descend, by bisection."""
    # the bound is sufficient, so descent ends beyond it; 60 halvings exhaust float64
    low, high = promised(), 50.0
    for _ in range(60):
        middle = (low + high) / 2
        log, _, _, fixed = terms(OPTIMISTIC, middle)
        low, high = (middle, high) if log < fixed else (low, middle)
    return low


def picture() -> Part:
    """The figure with its caption and alternative text."""
    end = 1.25 * reached()
    below, above = np.linspace(-6, 0.9, 60), np.linspace(3.1, 8, 60)
    alphas = np.linspace(0.02, 2, 60)
    with blank(TEXT_WIDTH, 2.5) as canvas:
        left, middle, right = canvas.subplots(1, 3)
        for side in (below, above):
            _lines(left, side, [terms(b, STEPSIZE) for b in side])
        left.axvspan(1, 3, color=PALE, linewidth=0)
        _axes(left, f"stepsize {STEPSIZE:g}", "baseline b")
        _lines(middle, alphas, [terms(PESSIMISTIC, alpha) for alpha in alphas])
        _axes(middle, "pessimistic, b = −4", "stepsize α")
        far = np.linspace(0.02, end, 90)
        _lines(right, far, [terms(OPTIMISTIC, alpha) for alpha in far])
        _axes(right, "optimistic, b = +4", "stepsize α")
        right.axvline(
            promised(),
            color=FAINT,
            linewidth=0.9,
            linestyle=(0, (1, 1.5)),
            label="stepsize that the bound promises",
        )
        right.axvline(
            reached(),
            color=INK,
            linewidth=0.9,
            linestyle=(0, (7, 2)),
            label="stepsize at which descent ends",
        )
        handles = {
            label: handle
            for axis in (left, right)
            for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
        }
        canvas.legend(
            handles.values(),
            handles,
            loc="outside lower center",
            ncols=3,
            frameon=False,
            handlelength=3.2,
        )
        drawn = svg(canvas)
    caption = (
        "The terms of the theorem's proof at π = (0.2, 0.1, 0.7), r = (1, 2, 3). The expected"
        " update takes π nearer to π* where the log term is below the fixed-point term: nowhere"
        " for a pessimistic baseline, for an optimistic one up to the dashed stepsize. The bound"
        f" promises it up to α = {promised():.4f} (dotted); it holds up to {reached():.4f}, so the"
        " bound is not tight. No line in the grey strip, where the baseline is among the rewards."
    )
    alt = (
        "Curves of four terms. With the baseline 4 the log term lies between its bounds and stays"
        f" below the fixed-point term up to the stepsize {reached():.4f}; the upper bound does so"
        f" up to {promised():.4f}. With the baseline minus 4 all terms are above it."
    )
    return figure_part("theorem-inequalities", caption, alt, drawn)


def _lines(axis: Any, x: Any, found: list[tuple[float, float, float, float]]) -> None:
    for number, (name, y) in enumerate(zip(NAMES, np.array(found).T, strict=True)):
        axis.plot(x, y, color=COLOURS[(3, 6, 7, 4)[number]], linestyle=DASHES[number], label=name)


def _axes(axis: Any, title: str, xlabel: str) -> None:
    axis.set_title(title)
    axis.set_xlabel(xlabel)
    ruled(axis)
