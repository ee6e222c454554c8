"""How long it takes to leave a corner, as a flow: linear in the gap for the biased update,
exponential for the true gradient.

The flow of the expected updates is integrated with the logit of the saturated action as the
independent variable, by Runge-Kutta of order four; halving its steps shows the error. Closed forms:
envelopes for three actions, the exact time for two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.expected_steps import expected_update, policies_of
from altpg_verify.sim.figures import FigureData, Panel, Series
from altpg_verify.sim.results import Record, Results

if TYPE_CHECKING:
    from altpg_verify.estimators import Estimator

NAME = "bandit_escape_times"
GAPS = [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0]
BANDITS = (([1.0, 2.0, 3.0], 4.0), ([1.0, 3.0], 4.0), ([0.0, 0.5, 1.2, 2.0], 2.5))
_STEPS = {"quick": 600, "paper": 20000}
END = 0.5


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {"rewards": r, "b": b, "gaps": GAPS, "steps": _STEPS[profile], "end": _end(r, b), "runs": 1}
        for r, b in BANDITS
    ]


def _end(rewards: list[float], b: float) -> float:
    """The probability at which the corner has been left: 1/2, or more where the upper envelope
    needs more.
    """
    # the corner pushes outwards while own · p exceeds most · (1 - p)
    most, own = max(b - r for r in rewards[1:]), b - rewards[0]
    return max(END, 0.05 + most / (most + own))


def _time(
    velocity: Callable[[np.ndarray], np.ndarray], k: int, gaps: np.ndarray, end: float, steps: int
) -> np.ndarray:
    """The time from θ = (gap, 0, ..., 0) until π(a0) is `end`; velocity maps policies (k, n) to
    dθ/dt (k, n).
    """
    n = gaps.size
    # the logit of π(a0) only falls, so that time is an integral over it, with no event to find
    first = gaps - np.log(k - 1.0)
    last = np.log(end / (1.0 - end))
    h = (last - first) / steps
    policies, policies_all = policies_of(k - 1, n), policies_of(k, n)

    def slope(logit: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # others: log-ratios of a2, a3, ... to a1; with the logit they fix the policy
        within = np.concatenate([np.zeros((1, n)), others])
        weights = policies(within)
        theta = np.concatenate([logit[None], np.log(weights)])
        pi = policies_all(theta)
        g = velocity(pi)
        # dl/dt = g_0 - Σ_(j>0) π_j g_j/(1 - π_0)
        speed = g[0] - (weights * g[1:]).sum(axis=0)
        return 1.0 / speed, (g[2:] - g[1:2]) / speed

    others, time = np.zeros((k - 2, n)), np.zeros(n)
    for step in range(steps):
        logit = first + step * h
        # Runge-Kutta of order 4; the error is read off by halving the steps
        t1, o1 = slope(logit, others)
        t2, o2 = slope(logit + h / 2, others + h / 2 * o1)
        t3, o3 = slope(logit + h / 2, others + h / 2 * o2)
        t4, o4 = slope(logit + h, others + h * o3)
        time += h / 6 * (t1 + 2 * t2 + 2 * t3 + t4)
        others = others + h / 6 * (o1 + 2 * o2 + 2 * o3 + o4)
    return time


def _velocity(estimator: Estimator, rewards: np.ndarray, b: float, pi: np.ndarray) -> np.ndarray:
    return expected_update(estimator, pi, rewards, b)


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """alternate, gradient: times for each gap; their errors by halving the steps; failed."""
    rewards, gaps, b = (
        np.array(setting["rewards"])[:, None],
        np.array(setting["gaps"]),
        setting["b"],
    )
    arrays: dict[str, np.ndarray] = {}
    for name, estimator in (
        ("alternate", estimator_named("alternate")),
        ("gradient", estimator_named("expected_gradient")),
    ):
        # a flow has no stepsize: times are in steps times the stepsize
        velocity = partial(_velocity, estimator, rewards, b)
        fine, coarse = (
            _time(velocity, len(rewards), gaps, setting["end"], n)
            for n in (setting["steps"], setting["steps"] // 2)
        )
        # of order 4, so the coarse result is off by sixteen times as much as the fine one
        arrays[name], arrays[name + "_error"] = fine, np.abs(fine - coarse)
    return {**arrays, "failed": ~np.isfinite(arrays["alternate"] + arrays["gradient"])}


def envelopes(record: Record) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lower and upper bound on the biased update's time, and the lower bound on the true
    gradient's, for each gap.

    With l the logit of π(a0), from l₀ = gap - ln(k - 1) to l₁ = ln(end/(1 - end)), all are
    integrals over l of bounds on dl/dt; times are in steps times α. They are proved in
    `altpg_verify.theory.extensions.escape`.

    Args:
        record: of one bandit; the results have an entry for each gap.
    """
    rewards, b, end = record.setting["rewards"], record.setting["b"], record.setting["end"]
    first, last = (
        np.array(record.setting["gaps"]) - np.log(len(rewards) - 1.0),
        np.log(end / (1.0 - end)),
    )
    own, most, spread = b - rewards[0], max(b - r for r in rewards[1:]), max(rewards) - rewards[0]
    low = (first - last + np.exp(-last) - np.exp(-first)) / own
    high = -(first - last) / most + (1 / own + 1 / most) * np.log(
        (own * np.exp(first) - most) / (own * np.exp(last) - most)
    )
    return low, high, (np.exp(first) - np.exp(last) + first - last) / (2.0 * spread)


def _words(setting: Mapping[str, Any]) -> str:
    return f"r = ({', '.join(f'{r:g}' for r in setting['rewards'])}), b = {setting['b']:g}"


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for record in results.select(NAME):
        x = tuple(record.setting["gaps"])
        low, high, slow = envelopes(record)
        shown = {
            "biased update": record["alternate"], "its lower envelope": low, "its upper envelope": high,
            "true gradient": record["gradient"], "its lower bound": slow,
        }  # fmt: skip
        series = tuple(
            Series(label, x, tuple(np.log10(times).tolist())) for label, times in shown.items()
        )
        panels.append(
            Panel(
                _words(record.setting),
                "gap of the saturated preference",
                "log10 of the time to leave",
                "linear",
                series,
            )
        )
    caption = (
        "Time of the flow from θ = (gap, 0, ..., 0) until the worst action has lost its corner,"
        " with the proved envelopes. An optimistic baseline makes the time proportional to the gap;"
        " the true gradient needs a time exponential in it: at a gap of 20, ten million times as"
        " long."
    )
    alt = (
        "Three panels: the biased update's curves are nearly flat on a logarithmic axis, between"
        " their envelopes; the gradient's is a straight rise."
    )
    return [FigureData(NAME, "Escape from a corner", caption, alt, tuple(panels))]


BANDIT_ESCAPE_TIMES = Experiment(
    NAME,
    "bandit, flow of the expected updates: time to leave a corner",
    'the remark "the biased update escapes faster", made quantitative',
    {
        profile: f"10 gaps, three bandits, {steps} Runge-Kutta steps; not in the paper"
        for profile, steps in _STEPS.items()
    },
    _cells,
    _run,
    _figures,
)


def _room(label: str, room: np.ndarray, error: np.ndarray) -> list[Measured]:
    """One number for each gap that should be positive, with the error of the integration."""
    return [
        Measured(f"gap {gap:g}, {label}", float(x), float(e), 1, float(e), float(e))
        for gap, x, e in zip(GAPS, room, error, strict=True)
    ]


def _known(results: Results, name: str) -> str:
    """The times for three gaps, in words."""
    times = results.one(NAME, rewards=[1.0, 2.0, 3.0])[name]
    return ", ".join(
        f"{time:.4g} from a gap of {gap:g}"
        for gap, time in zip(GAPS, times, strict=True)
        if gap in (5.0, 10.0, 20.0)
    )


_DOMAIN = (
    "gaps from 2 to 20, r = (1, 2, 3), b = 4; r = (1, 3), b = 4; r = (0, 0.5, 1.2, 2), b = 2.5;"
    " errors of the integration for standard errors"
)


@evidence("escape-time-alternate-envelopes", kind="simulation")
def within_envelopes(results: Results) -> Finding:
    items: list[Measured] = []
    for record in results.select(NAME):
        low, high, _ = envelopes(record)
        items += _room(_words(record.setting), record["alternate"] - low, record["alternate_error"])
        items += _room(
            _words(record.setting), high - record["alternate"], record["alternate_error"]
        )
    summary = (
        "the integrated times lie between the envelopes, to a millionth (with two actions the"
        " upper one is exact): a deeper corner costs little more; for r = (1, 2, 3), b = 4:"
        f" {_known(results, 'alternate')}"
    )
    return analysis.all_above(summary, items, -1e-6, _DOMAIN)


@evidence("true-gradient-slow-when-saturated", kind="simulation")
def gradient_is_slow(results: Results) -> Finding:
    items: list[Measured] = []
    for record in results.select(NAME):
        proved = envelopes(record)[2]
        items += _room(
            _words(record.setting),
            record["gradient"] / proved - 1.0,
            record["gradient_error"] / proved,
        )
    summary = (
        "the true gradient takes longer than the proved time, to a millionth of it; for r = (1, 2,"
        f" 3): {_known(results, 'gradient')}"
    )
    return analysis.all_above(summary, items, -1e-6, _DOMAIN)


@evidence("escape-time-gradient-two-arms", kind="simulation")
def two_arms(results: Results) -> Finding:
    record = results.one(NAME, rewards=[1.0, 3.0])
    end, first = record.setting["end"], np.array(GAPS)
    last = np.log(end / (1.0 - end))
    # (l + sinh l)/D from the start to the end, with D = 2
    exact = (first + np.sinh(first) - last - np.sinh(last)) / 2.0
    ratio, error = record["gradient"] / exact, record["gradient_error"] / exact
    items = [
        Measured(f"gap {g:g}", float(x), float(e), 1, float(e), float(e))
        for g, x, e in zip(GAPS, ratio, error, strict=True)
    ]
    summary = "the integrated time is the exact one to a millionth, for gaps from 2 to 20"
    return analysis.all_within(
        summary,
        items,
        1.0,
        1e-6,
        "r = (1, 3), from each gap to the end of the escape; errors of the integration",
    )
