"""The online actor-critic, linear in tile-coded features (paper, appendix F and the algorithm
"Online Actor-Critic").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.parameterisations import named
from altpg_verify.sim import refusals, streams
from altpg_verify.sim.jit import LOCK, stamp
from altpg_verify.sim.online import acrobot, loop, mountain_car, policies
from altpg_verify.sim.online import lanes as row
from altpg_verify.sim.online.estimate import estimates
from altpg_verify.sim.online.outcome import Outcome
from altpg_verify.sim.online.tiles import CODERS, place_tilings

WORST = -1000.0
"""The return of an episode that is cut after 1000 steps, and of a run that has failed."""


@dataclass(frozen=True)
class Task:
    """A task of the linear agents.

    Both are made once for a number of lanes and a coder, and kept on disk.

    Args:
        dimensions: how many its tiles have.
        step: from a number of lanes and one of `altpg_verify.sim.online.tiles.CODERS` its step,
            compiled; see
        `altpg_verify.sim.online.lanes.STEP`.
        start: the same for a new episode; see `altpg_verify.sim.online.lanes.START`.
    """

    dimensions: int
    step: Callable[[int, str], Any]
    start: Callable[[int, str], Any]


TASKS = {
    "MountainCar": Task(mountain_car.DIMENSIONS, mountain_car.classic, mountain_car.start),
    "Acrobot": Task(acrobot.DIMENSIONS, acrobot.step, acrobot.start),
    "RealisticMountainCar": Task(
        mountain_car.DIMENSIONS,
        lambda *how: mountain_car.realistic(*how, mountain_car.REALISTIC),
        mountain_car.start,
    ),
    "RealisticMountainCar:newer": Task(
        mountain_car.DIMENSIONS,
        lambda *how: mountain_car.realistic(*how, mountain_car.NEWER),
        mountain_car.start,
    ),
}
"""By name. The last is the newer physics of the same task in the library it came from; the paper's
experiments used the former.
"""

PURPOSES = ("actions", "starts", "tile offsets")
SWITCHES = ("none", "actions")
SWITCH_AT = ("step", "episode")


@dataclass(frozen=True)
class LinearAgent:
    """One agent on one task; floats are used as they are, so a setting names its random streams
    exactly.

    The update is that of `altpg_verify.sim.online.loop`, an ascent; a return is minus the number of
    steps of an episode, except where a task's last step costs nothing, and is at least -`cut`.

    Args:
        task: one of `TASKS`; three actions: left, do nothing, right.
        alpha, beta: stepsizes of the policy and of the critic; the features are divided by nine,
            the stepsizes are not.
        theta: action preferences at the start, the same in every state.
        critic: value of every state at the start.
        switch: "actions" exchanges left and right after half-time.
        tau: weight of the entropy bonus (softmax only).
        policy: "softmax", or "escort:P" (the estimator then asks for theta; see
            `altpg_verify.estimators.escort_regular`).
        switch_at: "step" switches right after half-time, as the text says; "episode" when the next
            episode begins.
        cut: steps after which an episode is ended, with bootstrapping; gamma is 1.
        coder: of the features, one of `altpg_verify.sim.online.tiles.CODERS`. It names no stream:
            with either coder a run has the same
        random numbers.
    """

    task: str
    alpha: float
    beta: float
    theta: tuple[float, float, float] = (0.0, 0.0, 0.0)
    critic: float = 0.0
    switch: str = "none"
    tau: float = 0.0
    policy: str = "softmax"
    switch_at: str = "step"
    cut: int = 1000
    coder: str = "wrapping"

    def __post_init__(self) -> None:
        refusals.linear(self)
        for name, choices in (
            ("task", TASKS),
            ("switch", SWITCHES),
            ("switch_at", SWITCH_AT),
            ("coder", CODERS),
        ):
            if getattr(self, name) not in choices:
                raise BadInput(f"{name} {getattr(self, name)!r} is none of {', '.join(choices)}")
        if len(self.theta) != 3:
            raise BadInput(
                f"theta needs three preferences (left, nothing, right), got {len(self.theta)}"
            )
        if named(self.policy).name != "softmax" and (self.tau != 0.0 or not any(self.theta)):
            raise BadInput(
                f"policy {self.policy!r} has no entropy bonus and needs a preference other than 0;"
                f" got {self.tau=}, {self.theta=}"
            )

    @property
    def power(self) -> int:
        """The escort power; 0 for softmax.

        Raises:
            BadInput: the policy is neither softmax nor an escort.
        """
        named(self.policy)
        return int(self.policy.partition(":")[2] or 0)


def simulate(
    estimator: Estimator,
    settings: list[LinearAgent],
    *,
    root: int,
    experiment: str,
    runs: int,
    steps: int,
    bin: int,
    last: int,
    lanes: int = 16,
    by_action: bool | None = None,
) -> list[Outcome]:
    """Run every setting `runs` times; the streams belong to (root, experiment, estimator and
    setting, run).

    The runs of all settings that share task, policy and coder are put into blocks of `lanes`; a
    block takes its steps together.

    Args:
        bin: steps in a bin of the learning curves; divides `steps`.
        last: how many steps before half-time and before the end `half` and `final` are over.
        lanes: how many runs go in lock step; changes no bit of the result.
        by_action: see `altpg_verify.sim.compiled.lanes`.

    Raises:
        BadInput: the steps can't be split into the bins, or averaged over the last ones of each
            half.
    """
    refusals.run(estimator, settings, LinearAgent, root, experiment)
    refusals.sizes(runs, steps, bin, last, lanes)
    refusals.by_action(by_action)
    # each half of the run is averaged over its own last steps
    if steps < 2 or bin < 1 or steps % bin or not 0 < last <= steps // 2:
        raise BadInput(
            f"{steps} steps can't be split into bins of {bin} and averaged over the last {last} of"
            " each half"
        )
    # one kernel a group, so runs of different settings share its blocks
    groups: dict[tuple[str, int, str], list[tuple[int, int]]] = {}
    for number, setting in enumerate(settings):
        groups.setdefault((setting.task, setting.power, setting.coder), []).extend(
            (number, run) for run in range(runs)
        )
    # the coder names no stream, so that both coders face the same random numbers
    keys = [
        {name: of for name, of in streams.key(estimator.name, setting).items() if name != "coder"}
        for setting in settings
    ]
    words = [
        [streams.entropy(root, experiment, key, purpose) for key in keys] for purpose in PURPOSES
    ]
    # streams belong to settings and runs, so blocks may be filled in any order
    states = [streams.states(each, runs) for each in words]
    estimate = estimates(estimator, lanes, by_action=by_action)
    bins = steps // bin
    curves = np.empty((3, len(settings), runs, bins))
    single = np.empty((6, len(settings), runs))
    for (task, power, coder), jobs in groups.items():
        for first in range(0, len(jobs), lanes):
            block = jobs[first : first + lanes]
            # lanes without a run of their own repeat the first; what they do is dropped
            filled = block + block[:1] * (lanes - len(block))
            agents = [settings[number] for number, _ in filled]
            own = [
                np.stack([state[number, :, run] for number, run in filled], axis=1)
                for state in states
            ]
            measured, numbers = _block(
                estimate, TASKS[task], (power, coder), agents, own, steps, bin, last
            )
            # back from lanes to settings and runs; repeated lanes are left out
            number, run = np.array(block).T
            curves[:, number, run] = measured[:, : len(block)]
            single[:, number, run] = numbers[:, : len(block)]
    return [
        Outcome(
            returns, single[0, i], single[1, i], single[2, i], entropy, start_value, single[3, i].astype(int), single[4, i].astype(int),
            single[5, i] > 0,
        )
        for i, (returns, entropy, start_value) in enumerate(zip(*curves, strict=True))
    ]  # fmt: skip


def _block(
    estimate: Any,
    task: Task,
    how: tuple[int, str],
    agents: Sequence[LinearAgent],
    states: Sequence[np.ndarray],
    steps: int,
    bin: int,
    last: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Run one block of lanes: (3, lanes, bins) returns, entropy, start values; (6, lanes) the other
    fields of `Outcome`.
    """
    lanes, (power, coder) = len(agents), how
    with LOCK:
        run, step, start = loop.kernel(lanes), task.step(lanes, coder), task.start(lanes, coder)
        policy = policies.escort(lanes) if power else policies.softmax(lanes)
    numbers, wholes = (
        _aligned((row.NUMBERS, lanes), float),
        _aligned((row.WHOLES, lanes), np.uint64),
    )
    numbers[:], wholes[:] = 0.0, 0
    count = row.rows(task.dimensions)
    # three columns of the actor and one of the critic, side by side: one load fetches all four
    weights = _aligned((lanes, count, 4), float)
    # every feature starts at the wanted preference, as the nine active ones are averaged
    weights[:] = np.array([(*agent.theta, agent.critic) for agent in agents])[:, None, :]
    # where the weights of each lane begin, in one flat array
    wholes[row.BASE] = np.arange(lanes) * weights[0].size
    wholes[row.BIAS] = wholes[row.BASE] + np.uint64(4 * (count - 1))
    actions, starts, offsets = states
    (
        wholes[row.ACTION_STREAM : row.ACTION_STREAM + 4],
        wholes[row.START_STREAM : row.START_STREAM + 4],
    ) = (actions, starts)
    # offsets of the tilings are drawn tiling by tiling, dimension by dimension, each run's its own
    uniform = np.empty(lanes)
    for tiling in range(row.TILINGS):
        for d in range(task.dimensions):
            streams.uniforms(offsets, uniform)
            place_tilings(
                numbers,
                wholes,
                tiling,
                d,
                uniform,
                np.array([agent.coder == "wrapping" for agent in agents]),
            )
    # a stepsize for the sum of nine features of size 1/9
    numbers[row.ALPHA] = [agent.alpha * loop.SHARE for agent in agents]
    numbers[row.BETA] = [agent.beta * loop.SHARE for agent in agents]
    numbers[row.TAU] = [agent.tau for agent in agents]
    numbers[row.CUT] = [agent.cut for agent in agents]
    numbers[row.SWITCH] = [
        # 0: never; 1: at half-time itself; 2: when the episode after half-time begins
        0.0 if agent.switch == "none" else 1.0 + SWITCH_AT.index(agent.switch_at)
        for agent in agents
    ]
    # FEEDBACK 1: actions push as named; LAST: what counts until an episode has ended; FIRST: never
    numbers[row.FEEDBACK], numbers[row.LAST], numbers[row.FIRST] = 1.0, WORST, -1.0
    numbers[row.SEEN] = [agent.critic for agent in agents]
    # returns, entropies and values of start states
    curves = np.empty((3, lanes, steps // bin))
    seal = run(
        estimate,
        step,
        start,
        policy,
        power,
        numbers.reshape(-1),
        wholes.reshape(-1),
        weights.reshape(-1),
        WORST,
        steps,
        bin,
        last,
        *curves,
    )
    if seal != stamp("linear"):
        raise RuntimeError(
            "the kernel of the online agents on disk was compiled from other sources"
        )
    # without an episode that ended, the last known return
    final = np.where(
        numbers[row.FINAL + 1] > 0,
        numbers[row.FINAL] / np.maximum(numbers[row.FINAL + 1], 1),
        numbers[row.LAST],
    )
    # the loop has put a count of at least one there
    half = numbers[row.HALF] / numbers[row.HALF + 1]
    whole = np.where(
        numbers[row.WHOLE + 1] > 0,
        numbers[row.WHOLE] / np.maximum(numbers[row.WHOLE + 1], 1),
        WORST,
    )
    return curves, np.stack(
        [final, half, whole, numbers[row.FIRST], numbers[row.ENDS], numbers[row.FAILED]]
    )


def _aligned(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of eight-byte numbers, not yet set, that begins with a line of the cache: so no row
    of weights lies in two lines.
    """
    size = 8 * math.prod(shape)
    memory = np.empty(size + 64, np.uint8)
    # 64 bytes are a line of the cache
    first = -memory.ctypes.data % 64
    return memory[first : first + size].view(dtype).reshape(shape)
