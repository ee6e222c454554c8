"""The online actor-critic, linear in tile-coded features (paper, appendix F and the algorithm "Online Actor-Critic")."""

from __future__ import annotations

from dataclasses import dataclass

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from sim.online.outcome import Outcome

TASKS = ("MountainCar", "Acrobot", "RealisticMountainCar", "RealisticMountainCar:newer")
"""The last is the newer physics of the same task in the library it came from; the paper's experiments used the former."""

SWITCHES = ("none", "actions")
SWITCH_AT = ("step", "episode")


@dataclass(frozen=True)
class LinearAgent:
    """One agent on one task; floats are used as they are, so a setting names its random streams exactly.

    Args:
        task: one of `TASKS`; three actions: left, do nothing, right.
        alpha, beta: stepsizes of the policy and of the critic; the features are divided by nine, the stepsizes are not.
        theta: action preferences at the start, the same in every state.
        critic: value of every state at the start.
        switch: "actions" exchanges left and right after half-time.
        tau: weight of the entropy bonus (softmax only).
        policy: "softmax", or "escort:P" (the estimator then asks for theta; see `altpg_verify.estimators.escort_regular`).
        switch_at: "step" switches right after half-time, as the text says; "episode" when the next episode begins.
        cut: steps after which an episode is ended, with bootstrapping. gamma is 1.
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

    def __post_init__(self) -> None:
        for name, choices in (("task", TASKS), ("switch", SWITCHES), ("switch_at", SWITCH_AT)):
            if getattr(self, name) not in choices:
                raise BadInput(f"{name} {getattr(self, name)!r} is none of {', '.join(choices)}")


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
    """Run every setting `runs` times; the streams belong to (root, experiment, estimator and setting, run).

    Args:
        bin: steps in a bin of the learning curves; divides `steps`.
        last: how many steps before half-time and before the end `half` and `final` are over.
        lanes: how many runs go in lock step; changes no bit of the result.
        by_action: see `sim.compiled.lanes`.
    """
    raise NotImplementedError
