"""Agents that ignore what the paper says, run by the experiments' own code.

One never learns; one is the uniform policy, whatever the start it was given; one is the other
estimator in disguise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from altpg_verify import estimators
from altpg_verify.estimators import Estimator, estimator
from altpg_verify.sim.experiments.online_panel import FINE, MOMENTS, moments
from altpg_verify.sim.results import Record

NAMES = ("alternate", "regular")


def never_learning() -> dict[str, Estimator]:
    """Estimators of the usual names whose estimate is zero: the policy stays what it was, the
    uniform one if that was its start.
    """

    def sampled(e: Any, r: Any, b: Any) -> Any:
        return 0.0 * e

    def expected(pi: Any, q: Any, v: Any) -> Any:
        return 0.0 * pi

    made = {name: estimator(name=name)(sampled) for name in NAMES}
    return made | {"expected_gradient": estimator(name="expected_gradient")(expected)}


def exchanged() -> dict[str, Estimator]:
    """Alternate and regular, each under the name of the other."""
    one, other = (getattr(estimators, name).formula for name in NAMES)
    return {
        name: estimator(name=name)(formula)
        for name, formula in zip(NAMES, (other, one), strict=True)
    }


def from_uniform(simulate: Callable[..., Any]) -> Callable[..., Any]:
    """A simulator of tabular agents that forgets their saturated start: all preferences are
    equal.
    """

    def simulated(estimator: Any, agents: Any, **sizes: Any) -> Any:
        return simulate(
            estimator,
            [replace(agent, theta=(0.0,) * len(agent.theta)) for agent in agents],
            **sizes,
        )

    return simulated


class Disguised:
    """Kept results in which alternate and regular have exchanged their names."""

    def __init__(self, results: Any) -> None:
        self.results = results

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        return [
            _renamed(record) for record in self.results.select(experiment, **_swapped(criteria))
        ]

    def one(self, experiment: str, **criteria: Any) -> Record:
        return _renamed(self.results.one(experiment, **_swapped(criteria)))


def _swapped(criteria: Mapping[str, Any]) -> dict[str, Any]:
    exchange = dict(zip(NAMES, reversed(NAMES), strict=True))
    return {
        name: exchange.get(value, value) if name == "estimator" else value
        for name, value in criteria.items()
    }


def _renamed(record: Record) -> Record:
    return Record(_swapped(record.setting), record.arrays)


class Idle:
    """The kept experiments of online agents, in which no policy ever moves; values are learned with
    the largest stepsize.

    At every pair of stepsizes it has the same runs in another order, as a stepsize of the policy
    changes nothing.
    """

    STEPS = 20_000
    RUNS = 48

    def __init__(self, results: Any) -> None:
        self.results = results
        self.generator = np.random.Generator(np.random.SFC64(11))
        self.made: dict[str, Record] = {}

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        return [self.idle(setting) for setting in self.results.settings(experiment, **criteria)]

    def one(self, experiment: str, **criteria: Any) -> Record:
        (found,) = self.select(experiment, **criteria)
        return found

    def idle(self, setting: Mapping[str, Any]) -> Record:
        key = repr(sorted((name, value) for name, value in setting.items() if name != "estimator"))
        if key not in self.made:
            self.made[key] = Record(setting, dict(self._arrays(setting)))
        return Record(setting, self.made[key].arrays)

    def _arrays(self, setting: Mapping[str, Any]) -> Iterator[tuple[str, np.ndarray]]:
        (outcome,) = _run(setting, self.STEPS, self.RUNS)
        shape = (len(setting["alphas"]), len(setting["betas"]), setting["runs"])
        for name in ("final", "half", "whole", "first_goal", "failed"):
            yield name, self.generator.choice(np.asarray(getattr(outcome, name)), shape)
        choices, fresh = len(setting["choices"]), setting["fresh"]
        yield "chosen", np.zeros((choices, 2), int)
        for name in ("final", "half", "whole"):
            yield f"fresh_{name}", self.generator.choice(getattr(outcome, name), (choices, fresh))
        for name in ("returns", "entropy", "start_value"):
            curve = getattr(outcome, name)
            at = np.stack([curve[:, part].mean(axis=-1) for part in moments(curve.shape[-1])])
            yield (
                f"at_{name}",
                np.stack(
                    [at[:, self.generator.integers(0, self.RUNS, fresh)] for _ in range(choices)]
                ),
            )
        assert len(MOMENTS) == len(at)


class Uniform(Idle):
    """The same for the uniform policy: every start is replaced by equal preferences."""

    RUNS = 300

    def idle(self, setting: Mapping[str, Any]) -> Record:
        equal = {
            name: _equal(value) for name, value in setting.items() if name in ("theta", "stay")
        }
        return Record(setting, super().idle({**setting, **equal}).arrays)


def _equal(start: Any) -> Any:
    """Equal preferences, not zero, of which escort policies are uniform as well; no preference for
    staying.
    """
    return [1.0] * len(start) if isinstance(start, list | tuple) else 0.0


def _run(setting: Mapping[str, Any], steps: int, runs: int) -> Any:
    sizes = {
        "root": 5,
        "experiment": "idle",
        "runs": runs,
        "steps": steps,
        "bin": FINE,
        "last": 5000,
    }
    if "task" in setting:
        from altpg_verify.sim.experiment import estimator_named
        from altpg_verify.sim.online.linear import LinearAgent, simulate

        more = {name: setting[name] for name in ("critic", "switch", "tau", "policy", "coder")}
        agent = LinearAgent(
            setting["task"], 0.0, setting["betas"][-1], tuple(setting["theta"]), **more
        )
        return simulate(estimator_named(setting["estimator"]), [agent], **sizes)
    from altpg_verify.sim.online import neural
    from altpg_verify.sim.online.dot_reacher import ACTIONS, STAY

    theta = tuple(setting["stay"] if action == STAY else 0.0 for action in range(ACTIONS))
    agent = neural.NeuralAgent(
        0.0, setting["betas"][-1], theta, setting["critic"], setting["switch"]
    )
    return neural.simulate(estimators.regular, [agent], **sizes)
