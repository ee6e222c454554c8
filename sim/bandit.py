"""The k-armed gradient bandit (paper, section 4 and the algorithm "Gradient Bandit"), many runs in
lock step.

At every step, for each run on its own random stream:

    A ~ π = softmax(θ),  R = r(A) + σ ε,  θ ← θ + α (ĝ(θ, π, e_A, R, b) + ξ),
    and then, if b is learned,  b ← β R + (1 - β) b.

The gradient noise ξ, an independent normal for every action (paper, appendix on modifying the
regular estimator), is usually absent. Performance is analytic, J = π·r of the policy that acts. A
run in which θ or b is no longer finite has failed: from then on it counts as the worst reward, and
it is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit, types

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.sim import compiled, refusals, settings, streams
from altpg_verify.sim.jit import compile_kernel, compiled_once, stamp
from altpg_verify.sim.portable_math import exp
from altpg_verify.sim.settings import averaged

FIXED, LEARNED, TRUE = "fixed", "learned", "true"
BASELINES = (FIXED, LEARNED, TRUE)
"""b stays as it starts; is a running average of the rewards; is r_π itself, exactly."""


@dataclass(frozen=True)
class Bandit:
    """One agent on one bandit; floats are used as they are, so a setting names its random streams
    exactly.

    Preferences and rewards are in the order of the actions. The agent ascends: θ moves by +α times
    the estimate, and rewards are maximised. The paper's starts are θ = 0 (uniform) and one
    preference of 10 (saturated; section 4, experiment 1).

    Args:
        rewards: expected reward of each of the k actions.
        sigma: standard deviation of the Gaussian reward noise.
        theta: action preferences at the start.
        alpha, beta: stepsizes of the policy and of the baseline (beta only matters when it is
            learned).
        baseline: one of `BASELINES`; b: its value at the start.
        gradient_noise: standard deviation of ξ.
    """

    rewards: tuple[float, ...]
    sigma: float
    theta: tuple[float, ...]
    alpha: float
    beta: float
    baseline: str
    b: float
    gradient_noise: float = 0.0

    def __post_init__(self) -> None:
        refusals.bandit(self)
        if len(self.rewards) < 2 or len(self.theta) != len(self.rewards):
            raise BadInput(
                "a bandit needs two rewards or more and as many preferences, got"
                f" {len(self.rewards)} and {len(self.theta)}"
            )
        if self.baseline not in BASELINES:
            raise BadInput(f"baseline {self.baseline!r} is none of {', '.join(BASELINES)}")
        settings.numbers("rewards", self.rewards)
        settings.numbers("theta", self.theta)
        settings.number("b", self.b)
        settings.stepsizes(self)
        settings.noises(self)


@dataclass(frozen=True)
class Outcome:
    """What n runs did. `mean`, `square`, `policy` and `off` are averages over the last steps of
    each run.

    J = π·r is the expected reward of the policy that acts in a step, before its update; k is the
    number of actions, and a failed run counts with min(r) in `mean`, `square` and `curve`. The
    spread of J over the steps of a run is √(square - mean²).

    Shapes: mean J (n,), square J² (n,), policy π (n, k), off |b - r_π| (n,), curve: J averaged over
    each bin (n, bins), theta (n, k) and b (n,) at the end, failed (n,).
    """

    mean: np.ndarray
    square: np.ndarray
    policy: np.ndarray
    off: np.ndarray
    curve: np.ndarray
    theta: np.ndarray
    b: np.ndarray
    failed: np.ndarray


def simulate(
    estimator: Estimator,
    settings: list[Bandit],
    *,
    root: int,
    experiment: str,
    runs: int,
    steps: int,
    last: int,
    bins: int = 0,
    by_action: bool | None = None,
) -> list[Outcome]:
    """Run every setting `runs` times; the streams belong to (root, experiment, estimator and
    setting, run).

    Args:
        last: how many of the final steps the averages are over.
        bins: how many equal bins of steps the learning curve has; 0 for none.
        by_action: see `compiled.lanes`; the path never changes the result beyond rounding.

    Raises:
        BadInput: the steps can't be averaged over the last ones, or split into the bins.

    Returns:
        One `Outcome` a setting, in their order.

    Examples:
        A policy saturated on a wrong arm, and the alternate estimator (paper, experiment 1):

        >>> from altpg_verify.estimators import alternate
        >>> start = Bandit((0.0, 0.0, 1.0), 1.0, (10.0, 0.0, 0.0), 1.0, 0.25, LEARNED, 0.0)
        >>> sizes = {"runs": 4, "steps": 1000, "last": 50, "bins": 10}
        >>> (outcome,) = simulate(alternate, [start], root=0, experiment="example", **sizes)
        >>> outcome.mean.shape, outcome.policy.shape, outcome.curve.shape
        ((4,), (4, 3), (4, 10))
        >>> bool(outcome.failed.any())
        False
    """
    refusals.run(estimator, settings, Bandit, root, experiment)
    refusals.by_action(by_action)
    averaged("steps", steps, last, bins, runs)
    # a stream of its own for each purpose, so that none is moved by what another one draws
    keys = [streams.key(estimator.name, setting) for setting in settings]
    actions, noise, stir = (
        streams.states([streams.entropy(root, experiment, key, purpose) for key in keys], runs)
        for purpose in ("actions", "reward noise", "gradient noise")
    )
    return [
        _run(
            compiled.lanes(estimator, len(setting.rewards), by_action=by_action),
            setting,
            states,
            steps,
            last,
            bins,
        )
        for setting, *states in zip(settings, actions, noise, stir, strict=True)
    ]


def _run(
    estimate: Any, setting: Bandit, states: Sequence[np.ndarray], steps: int, last: int, bins: int
) -> Outcome:
    runs, k = states[0].shape[1], len(setting.rewards)
    # the kernel wants a column a run; the outcome has a row a run
    theta = np.repeat(np.array(setting.theta, dtype=float)[:, None], runs, axis=1)
    b = np.full(runs, float(setting.b))
    mean, square, off, failed = (np.zeros(runs) for _ in range(4))
    policy, curve = np.zeros((k, runs)), np.zeros((bins, runs))
    rewards = np.array(setting.rewards, dtype=float)
    # a bandit's action values are its mean rewards, the same in every run
    q = np.repeat(rewards[:, None], runs, axis=1)
    seal = _kernel()(
        estimate, rewards, setting.sigma, setting.gradient_noise, setting.alpha, setting.beta, BASELINES.index(setting.baseline), theta, b,
        *states, steps, last, min(setting.rewards), q, mean, square, policy, off, curve, failed,
    )  # fmt: skip
    if seal != stamp():
        raise RuntimeError("the bandit kernel on disk was compiled from other sources")
    if bins:
        curve /= steps // bins
    curves, ends = np.ascontiguousarray(curve.T), np.ascontiguousarray(theta.T)
    return Outcome(
        # averages, as the kernel only sums
        mean / last,
        square / last,
        policy.T / last,
        off / last,
        curves,
        ends,
        b,
        failed > 0,
    )


@njit(error_model="numpy", nogil=True)
def softmax(theta, largest, total, pi):
    """pi[:, i] = softmax(theta[:, i]) for n policies; largest and total (n,) are scratch.

    theta and pi are (k, n), one policy a column, so that the inner loops run over policies, which
    lie side by side in memory, and become vector code. A preference of +∞ or NaN makes its whole
    column NaN.
    """
    k, n = theta.shape
    for i in range(n):
        # the largest preference is taken off, for e^θ overflows from 710 on
        largest[i] = theta[0, i]
        total[i] = 0.0
    for a in range(1, k):
        for i in range(n):
            largest[i] = max(largest[i], theta[a, i])
    for a in range(k):
        for i in range(n):
            weight = exp(theta[a, i] - largest[i])
            pi[a, i] = weight
            total[i] += weight
    for i in range(n):
        # one division a policy; products cost less, and the bits are the same on every machine
        total[i] = 1.0 / total[i]
    for a in range(k):
        for i in range(n):
            pi[a, i] *= total[i]


@njit(error_model="numpy", nogil=True)
def choose(pi, rewards, uniform, below, action, ret, value):
    """Sample actions from n policies by inversion, with the expected reward of each choice and
    policy.

    pi (k, n), rewards (k,) and uniform (n,) in [0, 1) are read; action (n,) gets the index of the
    choice as a float, ret (n,) its expected reward r(A), value (n,) the policy's r_π = Σ_a π(a)
    r(a); below (n,) is scratch.
    """
    k, n = pi.shape
    for i in range(n):
        below[i] = 0.0
        value[i] = 0.0
    for a in range(k):
        # actions are floats here, so that one loop over runs can be vectorised
        reward, number = rewards[a], float(a)
        for i in range(n):
            # action a is taken if u >= π_0 + ... + π_{a-1}, until a later one takes over
            taken = uniform[i] >= below[i]
            below[i] += pi[a, i]
            value[i] += pi[a, i] * reward
            action[i] = number if taken else action[i]
            ret[i] = reward if taken else ret[i]


@compiled_once
def _kernel() -> Any:
    # in the closure, so that the compiled code carries the fingerprint of its sources
    seal = stamp()

    def run(
        estimate, rewards, sigma, xi, alpha, beta, mode, theta, b, actions, noise, stir, steps, last, worst, q,
        mean, square, policy, off, curve, failed,
    ):  # fmt: skip
        k, n = theta.shape
        pi, out = np.empty((k, n)), np.empty((k, n))
        largest, total, below, value, shown, uniform = (
            np.empty(n),
            np.empty(n),
            np.empty(n),
            np.empty(n),
            np.empty(n),
            np.empty(n),
        )
        action, ret, even, odd, first, second = (
            np.empty(n),
            np.empty(n),
            np.empty(n),
            np.empty(n),
            np.empty(n),
            np.empty(n),
        )
        # without bins the curve has no rows, and the width is never used
        width = steps // max(1, curve.shape[0])
        for t in range(steps):
            # all runs advance together: the inner loops run over runs, which are contiguous
            softmax(theta, largest, total, pi)
            streams.uniforms(actions, uniform)
            choose(pi, rewards, uniform, below, action, ret, value)
            if sigma > 0.0:
                # Box and Muller give normal numbers in pairs: one for this step, one for the next
                if t % 2 == 0:
                    streams.normals(noise, even, odd)
                    for i in range(n):
                        ret[i] += sigma * even[i]
                else:
                    for i in range(n):
                        ret[i] += sigma * odd[i]
            if mode == 2:
                for i in range(n):
                    b[i] = value[i]
            for i in range(n):
                # a run whose numbers overflowed counts as the worst arm, and isn't left out of the
                # mean
                shown[i] = worst if failed[i] > 0.0 else value[i]
            # b_t goes into the estimate, and is learned from R_t only afterwards: b never depends
            # on A_t
            estimate(theta, pi, q, value, action, ret, b, out)
            if xi > 0.0:
                for a in range(k):
                    # again in pairs, one for this action and one for the next
                    if a % 2 == 0:
                        streams.normals(stir, first, second)
                        for i in range(n):
                            out[a, i] += xi * first[i]
                    else:
                        for i in range(n):
                            out[a, i] += xi * second[i]
            if t >= steps - last:
                for i in range(n):
                    off[i] += abs(b[i] - value[i])
            for i in range(n):
                # x - x is 0 for a finite x, and NaN for infinity and NaN
                total[i] = b[i] - b[i]
            for a in range(k):
                for i in range(n):
                    # ascent: the estimate points to where the expected reward grows
                    theta[a, i] += alpha * out[a, i]
                    total[i] += theta[a, i] - theta[a, i]
            if mode == 1:
                for i in range(n):
                    b[i] = beta * ret[i] + (1.0 - beta) * b[i]
            for i in range(n):
                failed[i] = failed[i] if total[i] == 0.0 else 1.0
            if curve.shape[0] > 0:
                for i in range(n):
                    curve[t // width, i] += shown[i]
            # sums; `_run` divides them by `last`
            if t >= steps - last:
                for i in range(n):
                    mean[i] += shown[i]
                    square[i] += shown[i] * shown[i]
                for a in range(k):
                    for i in range(n):
                        policy[a, i] += pi[a, i]
        return seal

    number, whole = types.float64, types.int64
    vector, matrix, state = (
        types.Array(number, 1, "C"),
        types.Array(number, 2, "C"),
        types.Array(types.uint64, 2, "C"),
    )
    signature = types.int64(
        types.FunctionType(compiled.LANES), vector, number, number, number, number, whole, matrix, vector,
        state, state, state, whole, whole, number, matrix, vector, vector, matrix, vector, matrix, vector,
    )  # fmt: skip
    return compile_kernel(run, signature, keep=True)
