"""Where the authors' released code does other than their text says, both ways at the stepsizes of
the learning curves.

The text has the actions switched, and the goal moved, after half of the steps; the code does it
when the next episode begins. Two of DotReacher's nine actions are the same in the code, and one
direction is missing; it cuts an episode after 1001 steps. The chain's episodes, too, are cut one
step later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.sim.analysis import Measured, less, measured
from altpg_verify.sim.captions import fraction
from altpg_verify.sim.experiment import Experiment, estimator_named, no_figures
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, STEPS, TASKS
from altpg_verify.sim.experiments.linear_panel import RETURNS as LINEAR_RETURNS
from altpg_verify.sim.experiments.neural_nonstationary import LAST
from altpg_verify.sim.experiments.neural_nonstationary import STEPS as NEURAL_STEPS
from altpg_verify.sim.experiments.neural_panel import RETURNS as NEURAL_RETURNS
from altpg_verify.sim.experiments.online_panel import WINDOW
from altpg_verify.sim.results import Results

SWITCH, DOTREACHER, CHAIN = "released_switch_time", "released_dot_reacher", "released_chain_cut"
VARIANTS = ("text", "code")
_RUNS = {"quick": 32, "paper": 192}

_LINEAR_STEPSIZES = {
    ("MountainCar", "alternate"): ((2.0**-3, 1.0), (2.0**5, 0.1)),
    ("MountainCar", "regular"): ((2.0**-3, 0.05), (2.0**-7, 0.05)),
    ("Acrobot", "alternate"): ((2.0**-3, 2.0), (2.0**-3, 0.1)),
    ("Acrobot", "regular"): ((2.0**-3, 1.0), (2.0**-5, 0.1)),
}
"""α and β that were best at half-time and at the end, in the sweeps by the wrapping coder;
tests/sim/test_choices.py compares.
"""

_NEURAL_STEPSIZES = {
    "alternate": ((2.0**-3, 2.0**-13), (2.0**-3, 2.0**-15)),
    "regular": ((2.0**-15, 2.0**-7), (2.0**-5, 2.0**-17)),
}

_CHAIN_STARTS = (0.0, 3.0)
_CHAIN_RUNS = {"quick": 600, "paper": 6000}


def _linear_cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {
            "task": task,
            "estimator": estimator,
            "alpha": alpha,
            "beta": beta,
            "variant": variant,
            "steps": STEPS[task],
            "runs": _RUNS[profile],
        }
        for task in TASKS
        for estimator in ESTIMATORS
        for alpha, beta in _LINEAR_STEPSIZES[task, estimator]
        for variant in VARIANTS
    ]


def _linear_run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """final and failed (runs,): the variants have other settings, and so streams of their own."""
    from altpg_verify.sim.online.linear import LinearAgent, simulate

    agent = LinearAgent(
        setting["task"],
        setting["alpha"],
        setting["beta"],
        switch="actions",
        switch_at="episode" if setting["variant"] == "code" else "step",
    )
    return _final(simulate, agent, experiment, setting, root, WINDOW)


def _neural_cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {
            "estimator": estimator,
            "alpha": alpha,
            "beta": beta,
            "variant": variant,
            "steps": NEURAL_STEPS,
            "runs": _RUNS[profile],
        }
        for estimator in ESTIMATORS
        for alpha, beta in _NEURAL_STEPSIZES[estimator]
        for variant in VARIANTS
    ]


def _neural_run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """The same for DotReacher whose goal moves."""
    from altpg_verify.sim.online.neural import NeuralAgent, simulate

    code: dict[str, Any] = (
        {"switch_at": "episode", "cut": 1001, "moves": "library"}
        if setting["variant"] == "code"
        else {}
    )
    agent = NeuralAgent(setting["alpha"], setting["beta"], switch="goal", **code)
    return _final(simulate, agent, experiment, setting, root, LAST)


def _final(
    simulate: Any, agent: Any, experiment: str, setting: Mapping[str, Any], root: int, last: int
) -> dict[str, np.ndarray]:
    estimator, steps = estimator_named(setting["estimator"]), setting["steps"]
    (outcome,) = simulate(
        estimator,
        [agent],
        root=root,
        experiment=experiment,
        runs=setting["runs"],
        steps=steps,
        bin=steps,
        last=last,
    )
    return {"final": outcome.final, "failed": outcome.failed}


def _chain_cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {"estimator": estimator, "start": start, "cut": cut, "runs": _CHAIN_RUNS[profile]}
        for estimator in ESTIMATORS
        for start in _CHAIN_STARTS
        for cut in (100, 101)
    ]


def _chain_run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """The exact v(s3) over the last ten of 100 episodes, learned values from 0, α = 1/2, β =
    1/4.
    """
    from altpg_verify.sim.chain import Chain, simulate

    agent = Chain((setting["start"], 0.0), 0.5, 0.25, "learned", 0.0, cut=setting["cut"])
    sizes = {
        "root": root,
        "experiment": experiment,
        "runs": setting["runs"],
        "episodes": 100,
        "last": 10,
    }
    (outcome,) = simulate(estimator_named(setting["estimator"]), [agent], **sizes)
    return {"final": outcome.mean, "failed": outcome.failed}


def _cost(setting: Mapping[str, Any]) -> float:
    return float(setting["steps"] * setting["runs"])


_experiment = partial(
    Experiment,
    paper="beyond the paper: where its text and the authors' code differ",
    figures=no_figures,
)
RELEASED_SWITCH = _experiment(
    SWITCH,
    "linear actor-critic, actions switched at a step or at the next episode",
    scale={
        profile: f"{runs} runs at the stepsizes of the learning curves"
        for profile, runs in _RUNS.items()
    },
    cells=_linear_cells,
    run=_linear_run,
    family="linear",
    stored=True,
    cost=_cost,
)
RELEASED_DOT_REACHER = _experiment(
    DOTREACHER,
    "neural actor-critic on DotReacher by the text and by the code",
    scale={
        profile: f"{runs} runs at the stepsizes of the learning curves"
        for profile, runs in _RUNS.items()
    },
    cells=_neural_cells,
    run=_neural_run,
    family="neural",
    stored=True,
    cost=_cost,
)
RELEASED_CHAIN_CUT = _experiment(
    CHAIN,
    "chain, episodes cut after 100 and after 101 steps",
    scale={profile: f"{runs} runs of 100 episodes" for profile, runs in _CHAIN_RUNS.items()},
    cells=_chain_cells,
    run=_chain_run,
    stored=True,
)


def differences(results: Results, experiment: str) -> Sequence[Measured]:
    """What the code's way changes, agent by agent: its mean less the text's.

    Text and code are independent runs, and so their errors add. Units are those of the performance.
    """
    records = results.select(experiment)
    bounds = {SWITCH: LINEAR_RETURNS, DOTREACHER: NEURAL_RETURNS, CHAIN: (0.0, 0.81)}[experiment]
    found = []
    # cells alternate: the text's way, then the code's
    for text, code in zip(records[::2], records[1::2], strict=True):
        named = ", ".join(
            f"{value}" for name, value in text.setting.items() if name in ("task", "estimator")
        )
        rates = (
            f"α = {fraction(text.setting['alpha'])}, β = {text.setting['beta']:.2g}"
            if "alpha" in text.setting
            else ""
        )
        label = f"{named} {rates or 'start ' + format(text.setting['start'], 'g')}"
        found.append(
            less(
                *(
                    measured(label, [np.asarray(one["final"], float)], bounds)
                    for one in (code, text)
                )
            )
        )
    return found
