"""Episodes that hardly end: what their policies look like, and how likely it is that one is cut
(paper, the long footnote of E.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding, inconclusive
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.bandit_panel import ALPHAS
from altpg_verify.sim.experiments.chain_fixed_points import GAMMA, START, STATES
from altpg_verify.sim.experiments.chain_learned_value import NOISE
from altpg_verify.sim.experiments.chain_panel import STARTS
from altpg_verify.sim.figures import FigureData, Panel, Series
from altpg_verify.sim.results import Results

NAME = "chain_long_episodes"
LONG = 10_000
_EPISODES = 20
_AGENTS = (("regular", 0.0), ("regular", 4.0), ("alternate", 0.0), ("alternate", 4.0))
_RUNS = {"quick": 120, "paper": 1500}
_FIRST, _LAST = tuple(range(10)), tuple(range(90, 100))
"""Episodes, counted from 0, in which the paper's footnote compares how many are cut."""
_SAMPLED = ("regular", "alternate")
_SAMPLED_FIRST, _SAMPLED_LAST = _FIRST[::3], _LAST[::3]
"""Four of each ten, for agents whose policy differs from run to run."""
_SAMPLED_RUNS = {"quick": 60, "paper": 600}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    long = [
        {
            "estimator": estimator,
            "b": b,
            "alpha": 2.0,
            "beta": 0.25,
            "episodes": _EPISODES,
            "runs": _RUNS[profile],
        }
        for estimator, b in _AGENTS
    ]
    sampled = [
        {
            "estimator": estimator,
            "start": start,
            "beta": 0.25,
            "alphas": ALPHAS,
            "runs": _SAMPLED_RUNS[profile],
        }
        for estimator in _SAMPLED
        for start in STARTS
    ]
    return [
        *long,
        *(
            {"estimator": "expected_gradient", "start": start, "alphas": ALPHAS, "runs": 1}
            for start in STARTS
        ),
        *sampled,
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """length (runs,) of the last episode, right (runs, 5) of its policy; or, for the expected
    gradient, cut (alphas, 20); failed.

    cut is the exact probability that an episode takes more than 100 steps, in the first ten and in
    the last ten of 100 episodes. For sampled agents with stepsizes cut and value are (alphas, 8,
    runs): that probability and v(s3) of each run's policy.
    """
    from altpg_verify.sim.chain import Chain, simulate

    agent = estimator_named(setting["estimator"])
    shared = {"root": root, "experiment": experiment, "runs": setting["runs"], "last": 1}
    if setting["estimator"] == "expected_gradient":
        grid = [
            Chain((setting["start"], 0.0), alpha, 0.0, "fixed", 0.0) for alpha in setting["alphas"]
        ]
        columns = []
        for done in (*_FIRST, *_LAST):
            if done:
                before = [
                    _right(outcome.theta[0])
                    for outcome in simulate(agent, grid, episodes=done, **shared)
                ]
            else:
                before = [_right(np.tile([setting["start"], 0.0], (5, 1)))] * len(grid)
            columns.append([float(cut_probability(right)) for right in before])
        return {"cut": np.array(columns).T, "failed": np.zeros(1, bool)}
    if "alphas" in setting:
        grid = [
            Chain((setting["start"], 0.0), alpha, setting["beta"], "learned", 0.0)
            for alpha in setting["alphas"]
        ]
        policies = [
            _before(agent, grid, done, shared) for done in (*_SAMPLED_FIRST, *_SAMPLED_LAST)
        ]
        right = np.stack(policies, axis=1)
        return {
            "cut": cut_probability(right),
            "value": start_values(right),
            "failed": np.zeros(setting["runs"], bool),
        }
    chain = Chain(
        (0.0, 0.0), setting["alpha"], setting["beta"], "learned", setting["b"], cut=LONG + 1
    )
    # a longer run begins like a shorter one: the policy of the last episode is the one before it
    (earlier,), (last,) = (
        simulate(agent, [chain], episodes=setting["episodes"] - ago, **shared) for ago in (1, 0)
    )
    return {"length": last.length, "right": _right(earlier.theta), "failed": last.failed}


def _before(agent: Any, grid: list[Any], done: int, shared: Mapping[str, Any]) -> np.ndarray:
    """P(right|s) (alphas, runs, 5) of the policies after so many episodes."""
    from altpg_verify.sim.chain import simulate

    if not done:
        return np.tile(_right(np.tile(grid[0].theta, (5, 1))), (len(grid), shared["runs"], 1))
    return np.stack(
        [_right(outcome.theta) for outcome in simulate(agent, grid, episodes=done, **shared)]
    )


def _right(theta: np.ndarray) -> np.ndarray:
    return analysis.policies(theta)[..., 1]


def cut_probability(right: np.ndarray, steps: int = 100) -> np.ndarray:
    """The probability that policies, P(right|s) (..., 5), don't leave the chain from s3 within so
    many steps.

    The sum of row s3 of Pᵗ, with P (5, 5) the chances to go on, which lose what leaves the chain.
    """
    # what is left inside of the chain after so many steps
    return np.linalg.matrix_power(_moves(right), steps)[..., START, :].sum(axis=-1)


def start_values(right: np.ndarray) -> np.ndarray:
    """v(s3) (...) of policies, P(right|s) (..., 5).

    By a linear solve for each policy, γ = 0.9; the reward is 1 off the right end.
    """
    reward = np.zeros(right.shape)
    reward[..., -1] = right[..., -1]
    return np.linalg.solve(np.eye(STATES) - GAMMA * _moves(right), reward[..., None])[..., START, 0]


def _moves(right: np.ndarray) -> np.ndarray:
    """The chances (..., 5, 5) to go from one state to another."""
    to = np.zeros((*right.shape, STATES))
    for state in range(STATES - 1):
        to[..., state, state + 1] = right[..., state]
        to[..., state + 1, state] = 1.0 - right[..., state + 1]
    return to


def _figures(results: Results) -> list[FigureData]:
    series = []
    for start in STARTS:
        cut = results.one(NAME, estimator="expected_gradient", start=start)["cut"][-1]
        x = tuple(float(done + 1) for done in (*_FIRST, *_LAST))
        series.append(Series(f"θ = ({start:g}, 0)", x, tuple(np.log10(cut).tolist())))
    caption = (
        "REINFORCE on the chain with the expected gradient at α = 2: exact probability that an"
        " episode takes more than 100 steps, in the first ten and in the last ten of 100 episodes."
    )
    alt = "Four curves that fall over the episodes, on a logarithmic scale."
    panel = Panel(
        "expected gradient", "episode", "log₁₀ of the probability of a cut", "linear", tuple(series)
    )
    return [FigureData(NAME, "Episodes that are cut", caption, alt, (panel,))]


CHAIN_LONG_EPISODES = Experiment(
    NAME,
    "chain, episodes of more than 10 000 steps and cut ones",
    "the footnote timeout_rambling",
    {
        profile: f"the last of {_EPISODES} episodes of {runs} runs at α = 2; not in the paper"
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


@evidence("million-step-episodes", kind="simulation")
def neighbours_point_at_each_other(results: Results) -> Finding:
    loops = []
    for estimator, b in _AGENTS:
        record = results.one(NAME, estimator=estimator, b=b, episodes=_EPISODES)
        # a trap: right of it goes left, left of it goes right
        right = record["right"][record["length"] > LONG]
        loops.append(((right[:, :-1] > 0.5) & (right[:, 1:] < 0.5)).any(axis=1))
    every = np.concatenate(loops)
    if not every.size:
        return inconclusive(
            "no episode took more than 10 000 steps",
            numbers={"false_alarm_rate": analysis.ERROR_RATE, "long": 0},
        )
    summary = (
        "of the policies of episodes of more than 10 000 steps more than 0.95 go right in one"
        f" state and left in the very next; {int(every.sum())} of {every.size} do"
    )
    domain = (
        "chain, noise 1, γ = 0.9, both estimators, values learned from 0 and +4, α = 2, β = 1/4,"
        f" uniform start, episode {_EPISODES}"
    )
    return analysis.share_above(summary, [("all long episodes", every)], 0.95, domain)


@evidence("timeouts-decrease", kind="simulation")
def timeouts_decrease(results: Results) -> Finding:
    readings = {
        "the agents that sample": _sampled_timeouts(results),
        "the expected gradient": _expected_timeouts(results),
    }
    return analysis.agreed(readings)


def _sampled_timeouts(results: Results) -> Finding:
    conditions, shown = [], []
    for estimator in _SAMPLED:
        records = [
            results.one(NAME, estimator=estimator, start=start, beta=0.25) for start in STARTS
        ]
        part = len(_SAMPLED_FIRST)
        # equal weight to starts and stepsizes, which have streams of their own; the episodes of a
        # run are averaged
        groups = [
            (record["cut"][i], record["value"][i]) for record in records for i in range(len(ALPHAS))
        ]
        fewer = measured(f"{estimator}, half of the share in the first ten less that in the last ten", [
            cut[:part].mean(axis=0) / 2 - cut[part:].mean(axis=0) for cut, _ in groups
        ])  # fmt: skip
        better = measured(
            f"{estimator}, v(s3) in the last ten less the first",
            [v[part:].mean(axis=0) - v[:part].mean(axis=0) for _, v in groups],
        )
        conditions += [analysis.above(better, 0.0), analysis.above(fewer, 0.0)]
        first, last = (
            float(np.mean([cut[chosen].mean() for cut, _ in groups]))
            for chosen in (slice(part), slice(part, None))
        )
        shown.append(f"{estimator} {first:.2g} and {last:.2g}")
    summary = (
        "regular and alternate come to a better value, and the share of their episodes that are"
        " cut, exact for each run's policy, is in the last ten less than half of what it is in the"
        f" first ten ({', '.join(shown)})"
    )
    domain = (
        "chain, noise 1, γ = 0.9, 100 episodes, values learned from 0 with β = 1/4, mean over four"
        f" starts and α = 1/64 ... 2, {records[0].setting['runs']} runs of each"
    )
    return analysis.all_hold(summary, conditions, domain)


def _expected_timeouts(results: Results) -> Finding:
    firsts, lasts, shown = [], [], []
    for start in STARTS:
        alpha, _ = best_stepsizes.best(
            results.one(NOISE, estimator="expected_gradient", start=start)
        )
        cut = results.one(NAME, estimator="expected_gradient", start=start)["cut"][alpha]
        # exact probabilities, no runs: the mean over the episodes is the expected share
        firsts.append(float(cut[: len(_FIRST)].mean()))
        lasts.append(float(cut[len(_FIRST) :].mean()))
        shown.append(f"θ = ({start:g}, 0): {firsts[-1]:.1e} and {lasts[-1]:.1e}")
    item = measured(
        "half of the first 10 less the last 10", [np.array([np.mean(firsts) / 2 - np.mean(lasts)])]
    )
    summary = (
        "with the expected gradient at its best stepsize the exact share of episodes that are cut"
        " is in the last ten less than half of what it is in the first ten, in the mean over the"
        f" four starts ({'; '.join(shown)})"
    )
    domain = "chain, γ = 0.9, 100 episodes, four starts with equal weight; no chance in it"
    return analysis.all_above(summary, [item], 0.0, domain)
