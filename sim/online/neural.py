"""The online actor-critic with neural networks on DotReacher (paper, appendix G and the algorithm
"Online Actor-Critic").

Actor 2 x 10 x 10 x 9 and critic 2 x 10 x 10 x 1, ReLU. At every step, in the state S, with γ = 1:

    θ = actor(S), A ~ π = softmax(θ), the task gives R and S',
    r = R + τ H(π) + v(S') (v = 0 at the goal, not at a cut),   b = v(S),
    actor:  Adam, stepsize α, along  Σ_a (ĝ(θ, π, e_A, r, b) + τ ∇H(π))_a ∇θ_a,   then
    critic: Adam, stepsize β, along  (r - b) ∇v(S).

Weights start as PyTorch's do, uniform in ±1/√inputs, but those of the last layers at zero, with
biases as the agent says. A run whose weights, preferences or values are no longer finite has
failed: from then on it counts as the worst, and it is reported.

The estimator that runs is the object that was checked, compiled into the loop in which 16 runs go
in lock step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.sim import refusals, streams
from altpg_verify.sim.jit import stamp
from altpg_verify.sim.online import dot_reacher
from altpg_verify.sim.online.dot_reacher import ACTIONS, COST, STRIDE
from altpg_verify.sim.online.neural_estimate import estimates
from altpg_verify.sim.online.neural_kernel import kernel
from altpg_verify.sim.online.neural_rows import WEIGHTS
from altpg_verify.sim.online.outcome import Outcome

SWITCHES = ("none", "goal")
SWITCH_AT = ("step", "episode")
LANES = 16


@dataclass(frozen=True)
class NeuralAgent:
    """One agent on DotReacher; floats are used as they are, so a setting names its random streams
    exactly.

    θ and v start as given in every state, since the last layers' weights are 0 and their biases are
    θ and `critic`. Returns lie between -0.01 · cut and -0.01.

    Args:
        alpha, beta: stepsizes of Adam for the actor and for the critic.
        theta: action preferences at the start, the same in every state; `dot_reacher.STAY` is the
            action that doesn't move.
        critic: value of every state at the start.
        switch: "goal" has the goal in (-1, -1) and moves it to (1, 1) at half-time; with "none" it
            stays in (0, 0).
        tau: weight of the entropy bonus.
        switch_at: "step" switches right after half-time, as the text says; "episode" when the next
            episode begins.
        cut: steps after which an episode is ended, with bootstrapping.
        moves: directions of the actions, by the "text" or as in the "library" at the time
            (`dot_reacher.MOVES`).
    """

    alpha: float
    beta: float
    theta: tuple[float, ...] = (0.0,) * ACTIONS
    critic: float = 0.0
    switch: str = "none"
    tau: float = 0.0
    switch_at: str = "step"
    cut: int = dot_reacher.CUT
    moves: str = "text"

    def __post_init__(self) -> None:
        refusals.neural(self)
        if len(self.theta) != ACTIONS:
            raise BadInput(f"DotReacher needs {ACTIONS} preferences, got {len(self.theta)}")
        for name, choices in (
            ("switch", SWITCHES),
            ("switch_at", SWITCH_AT),
            ("moves", tuple(dot_reacher.MOVES)),
        ):
            if getattr(self, name) not in choices:
                raise BadInput(f"{name} {getattr(self, name)!r} is none of {', '.join(choices)}")
        if self.cut < 1:
            raise BadInput(f"an episode can't be cut after {self.cut} steps")

    @property
    def worst(self) -> float:
        """The return of an episode that is cut."""
        return -COST * self.cut


def simulate(
    estimator: Estimator,
    settings: list[NeuralAgent],
    *,
    root: int,
    experiment: str,
    runs: int,
    steps: int,
    bin: int,
    last: int,
    lanes: int = LANES,
    by_action: bool | None = None,
    weights: np.ndarray | None = None,
) -> list[Outcome]:
    """Run every setting `runs` times; the streams belong to (root, experiment, estimator and
    setting, run).

    A run's result depends on its own streams only, so neither `lanes` nor the other settings change
    it.

    Args:
        bin: steps in a bin of the learning curves; divides `steps`.
        last: how many steps before half-time and before the end `half` and `final` are over.
        lanes: how many runs go in lock step; changes no bit of the result.
        by_action: see `altpg_verify.sim.online.neural_estimate.estimates`.
        weights: gets the weights at the end, (settings, runs, WEIGHTS).

    Raises:
        BadInput: the steps can't be split into the bins with the last ones of each half apart, or
            there are no lanes.
    """
    refusals.run(estimator, settings, NeuralAgent, root, experiment)
    refusals.sizes(runs, steps, bin, last, lanes)
    refusals.by_action(by_action)
    refusals.room(weights, settings, runs, WEIGHTS)
    if steps < 1 or bin < 1 or steps % bin or not 0 < last <= max(1, steps // 2):
        raise BadInput(
            f"{steps} steps can't be split into bins of {bin}, with the last {last} of either half"
            " apart"
        )
    if lanes < 1:
        raise BadInput(f"{lanes} runs can't go in lock step")
    # all runs of all settings in one row, cut into blocks of `lanes`
    total = len(settings) * runs
    # so many that the last block is full
    padding = -total % lanes
    keys = [streams.key(estimator.name, setting) for setting in settings]
    actions, starts, draws = (
        _packed(
            streams.states([streams.entropy(root, experiment, key, purpose) for key in keys], runs),
            padding,
        )
        for purpose in ("actions", "starts", "weights")
    )
    numbers = _packed(
        np.repeat(np.array([_numbers(setting) for setting in settings])[:, :, None], runs, axis=2),
        padding,
    )
    # returns, entropies and values of start states
    curves = np.zeros((3, total + padding, steps // bin))
    single = np.zeros((6, total + padding))
    ends = np.zeros((total + padding, WEIGHTS))
    seal = kernel(lanes)(
        estimates(estimator, lanes, by_action=by_action),
        numbers,
        actions,
        starts,
        draws,
        steps,
        bin,
        last,
        curves,
        single,
        ends,
    )
    if seal != stamp("neural"):
        raise RuntimeError("the neural kernel on disk was compiled from other sources")
    if weights is not None:
        weights[:] = ends[:total].reshape(len(settings), runs, WEIGHTS)
    return [_outcome(curves, single, slice(i * runs, (i + 1) * runs)) for i in range(len(settings))]


def _outcome(curves: np.ndarray, single: np.ndarray, own: slice) -> Outcome:
    returns, entropy, start_value = (curve[own].copy() for curve in curves)
    final, half, whole, first_goal, ends, failed = (row[own].copy() for row in single)
    return Outcome(
        returns,
        final,
        half,
        whole,
        entropy,
        start_value,
        first_goal.astype(np.int64),
        ends.astype(np.int64),
        failed > 0,
    )


def _numbers(setting: NeuralAgent) -> list[float]:
    """The setting as the kernel reads it: see the rows at its beginning."""
    goals = (
        # two places of the goal, before and after half-time; the same one twice without a switch
        dot_reacher.CORNERS
        if setting.switch == "goal"
        else (dot_reacher.CENTRE, dot_reacher.CENTRE)
    )
    moves = [STRIDE * move[axis] for axis in range(2) for move in dot_reacher.MOVES[setting.moves]]
    # 1: the goal moves when the first episode after half-time begins
    late = float(setting.switch_at == "episode")
    return [
        setting.alpha, setting.beta, setting.tau, float(setting.cut), setting.worst, late, *goals[0], *goals[1],
        float(setting.critic), *map(float, setting.theta), *moves,
    ]  # fmt: skip


def _packed(of_settings: np.ndarray, padding: int) -> np.ndarray:
    """(settings, rows, runs) as (rows, settings * runs + padding); the last run fills the gap, and
    its copies are thrown away.
    """
    flat = np.moveaxis(of_settings, 1, 0).reshape(of_settings.shape[1], -1)
    return np.ascontiguousarray(np.pad(flat, ((0, 0), (0, padding)), mode="edge"))
