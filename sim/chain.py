"""Tabular REINFORCE on the five-state chain (paper, section 6 and the algorithm "REINFORCE with
Baseline").

States s1 ... s5 in a row, start in s3; `left` and `right` move one step, off either end the episode
is over, and only the step off the right end is rewarded, with 1. There may be more than two
actions: the last is `right`, all others go left (three of them in the paper's four-action chain,
appendix E.5). Every reward carries Gaussian noise. An episode is cut after 100 steps, without
bootstrapping, as the paper's text says. With the policy frozen during the episode,

    θ(s) ← θ(s) + α Σ_t γᵗ ĝ(θ(s), π(·|s), e_{A_t}, G_t, b(s))  over the steps with S_t = s,

and then, if the baseline is learned, b(S_t) ← b(S_t) + β (G_t - b(S_t)) for t = 0, 1, ... An
estimator that asks for neither e nor r is an expected update: it is weighted with the exact
discounted occupancy Σ_t γᵗ P(S_t = s) instead, without the cut.

Gradient noise, where there is any, adds an independent normal to every entry of the sum, in all
five states (paper, appendix E.4).

Performance is v_π(s3), solved exactly after every episode. A run in which θ or b is no longer
finite has failed: from then on it counts as 0, the worst, and it is reported.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit, types

from altpg_verify.errors import BadInput
from altpg_verify.estimators import SAMPLED, Estimator
from altpg_verify.sim import compiled, refusals, settings, streams
from altpg_verify.sim.bandit import BASELINES
from altpg_verify.sim.jit import LOCK, compile_kernel, stamp
from altpg_verify.sim.portable_math import exp
from altpg_verify.sim.settings import averaged

STATES = 5
START = 2


@dataclass(frozen=True)
class Chain:
    """One REINFORCE agent on the chain.

    The policy is π(·|s) = softmax(θ(s)), tabular; the agent ascends along the estimate, with the
    return G_t of each visited state. The paper starts with θ = 0, or with 3 (1 with a pessimistic
    baseline) for `left` and 0 for `right`, in all states.

    Args:
        theta: preferences (left, ..., right) at the start, k >= 2 of them, the same in every state;
            or k for each state.
        alpha, beta: stepsizes of the policy and of the value estimate (beta only matters when it is
            learned).
        baseline: one of `altpg_verify.sim.bandit.BASELINES`; "true" is v_π(s), exactly. b: its
            value at the start, in every state.
        sigma: standard deviation of the reward noise. gamma: discount. cut: steps after which an
            episode is ended.
        gradient_noise: standard deviation of the noise on the gradient.
    """

    theta: tuple[float, ...] | tuple[tuple[float, ...], ...]
    alpha: float
    beta: float
    baseline: str
    b: float
    sigma: float = 1.0
    gamma: float = 0.9
    cut: int = 100
    gradient_noise: float = 0.0

    def __post_init__(self) -> None:
        refusals.chain(self)
        if self.baseline not in BASELINES:
            raise BadInput(f"baseline {self.baseline!r} is none of {', '.join(BASELINES)}")
        if not 0.0 < self.gamma <= 1.0:
            raise BadInput(f"gamma is {self.gamma!r}; give a discount above 0 and at most 1")
        settings.whole("cut", self.cut)
        settings.number("b", self.b)
        settings.stepsizes(self)
        settings.noises(self)
        # a lone number has no axis: (0,) fails the test below
        *states, actions = np.shape(self.theta) or (0,)
        if actions < 2 or states not in ([], [STATES]):
            raise BadInput(
                f"the chain needs two preferences or more, or {STATES} times so many, got shape"
                f" {np.shape(self.theta)}"
            )
        settings.numbers("theta", np.ravel(self.theta).tolist())

    @property
    def actions(self) -> int:
        """k; the last goes right, the others left."""
        return int(np.shape(self.theta)[-1])


@dataclass(frozen=True)
class Outcome:
    """What n runs did. `mean`, `square`, `right` and `length` are averages over the last episodes
    of each run.

    v(s3) is the exact value of the start state under the policy after an episode's update, in units
    of the reward at the right end; a failed run counts with 0. `length` counts the steps of the
    episodes that were acted in, and is 0 for an expected update, which acts in none.

    Shapes: mean v(s3) (n,), square v(s3)² (n,), right P(right|s) (n, 5), length in steps (n,),
    curve: v(s3) averaged over each bin (n, bins), theta (n, 5, k) and b (n, 5) at the end,
    failed (n,).
    """

    mean: np.ndarray
    square: np.ndarray
    right: np.ndarray
    length: np.ndarray
    curve: np.ndarray
    theta: np.ndarray
    b: np.ndarray
    failed: np.ndarray


def simulate(
    estimator: Estimator,
    settings: list[Chain],
    *,
    root: int,
    experiment: str,
    runs: int,
    episodes: int,
    last: int,
    bins: int = 0,
    by_action: bool | None = None,
) -> list[Outcome]:
    """Run every setting `runs` times; arguments as in `altpg_verify.sim.bandit.simulate`, with
    episodes for steps.

    Raises:
        BadInput: the episodes can't be averaged over the last ones, or split into the bins.

    Returns:
        One `Outcome` a setting, in their order.

    Examples:
        >>> from altpg_verify.estimators import alternate
        >>> start = Chain((3.0, 0.0), 0.5, 0.25, "learned", 0.0)
        >>> sizes = {"runs": 4, "episodes": 20, "last": 10}
        >>> (outcome,) = simulate(alternate, [start], root=0, experiment="example", **sizes)
        >>> outcome.mean.shape, outcome.right.shape, outcome.theta.shape
        ((4,), (4, 5), (4, 5, 2))
    """
    refusals.run(estimator, settings, Chain, root, experiment)
    refusals.by_action(by_action)
    averaged("episodes", episodes, last, bins, runs)
    # a stream of its own for each purpose, so that none is moved by what another one draws
    keys = [streams.key(estimator.name, setting) for setting in settings]
    actions, noise, stir = (
        streams.states([streams.entropy(root, experiment, key, purpose) for key in keys], runs)
        for purpose in ("actions", "reward noise", "gradient noise")
    )
    # compiled once for each k, not once for each setting
    estimates = {
        k: compiled.episode(estimator, k, by_action=by_action)
        for k in {setting.actions for setting in settings}
    }
    # an estimator that reads neither action nor return gives the expected update itself
    expected = not SAMPLED & set(estimator.needs)
    return [
        _run(
            estimates[setting.actions],
            expected,
            setting,
            (actions[i], noise[i], stir[i]),
            episodes,
            last,
            bins,
        )
        for i, setting in enumerate(settings)
    ]


def _run(
    estimate: Any,
    expected: bool,
    setting: Chain,
    states: tuple[np.ndarray, ...],
    episodes: int,
    last: int,
    bins: int,
) -> Outcome:
    runs = states[0].shape[1]
    # a copy for each run, as the kernel updates in place
    theta = np.broadcast_to(
        np.array(setting.theta, dtype=float), (runs, STATES, setting.actions)
    ).copy()
    b = np.full((runs, STATES), float(setting.b))
    mean, square, length, failed = np.zeros((4, runs))
    # sums over the last episodes; divided by `last` at the end
    right, curve = np.zeros((runs, STATES)), np.zeros((runs, bins))
    # γᵗ by repeated products: a power function would round otherwise on other machines
    # the expected update needs a weight for each state, whatever the cut is
    weight = np.multiply.accumulate([1.0] + [setting.gamma] * (max(setting.cut, STATES) - 1))
    with LOCK:
        kernel = _kernel(setting.actions)
    seal = kernel(
        estimate, expected, setting.gamma, setting.sigma, setting.gradient_noise, setting.alpha, setting.beta,
        BASELINES.index(setting.baseline), setting.cut, theta, b, *states, episodes, last, weight,
        mean, square, right, length, curve, failed,
    )  # fmt: skip
    if seal != stamp():
        raise RuntimeError("the chain kernel on disk was compiled from other sources")
    if bins:
        curve /= episodes // bins
    return Outcome(
        mean / last, square / last, right / last, length / last, curve, theta, b, failed > 0
    )


@njit(error_model="numpy", nogil=True)
def policy(theta, pi):
    """pi[s] = softmax(theta[s]), shifted so that the largest preference is 0.

    theta and pi are (5, k). With two actions it is the logistic function of the gap of preferences,
    by e^-|gap| alone, which never overflows; with more, the softmax of preferences less their
    largest.
    """
    if pi.shape[1] == 2:
        # one exponential instead of two, without branches: most chains have two actions
        for s in range(STATES):
            # softmax of two preferences is the logistic function of their difference
            gap = theta[s, 0] - theta[s, 1]
            smaller = exp(-abs(gap))
            scale = 1.0 / (1.0 + smaller)
            pi[s, 0] = scale if gap > 0.0 else smaller * scale
            pi[s, 1] = smaller * scale if gap > 0.0 else scale
        return
    for s in range(STATES):
        # shifted by the largest preference, as e^θ overflows from 710 on
        largest = theta[s, 0]
        for a in range(1, pi.shape[1]):
            largest = max(largest, theta[s, a])
        total = 0.0
        for a in range(pi.shape[1]):
            pi[s, a] = exp(theta[s, a] - largest)
            total += pi[s, a]
        scale = 1.0 / total
        for a in range(pi.shape[1]):
            pi[s, a] *= scale


@njit(error_model="numpy", nogil=True)
def _left(pi, s):
    """The probability to go left in s."""
    total = pi[s, 0]
    for a in range(1, pi.shape[1] - 1):
        total += pi[s, a]
    return total


@njit(error_model="numpy", nogil=True)
def values(pi, gamma, v, q):
    """v_π and q_π exactly, by eliminating v(s - 1) from the left and substituting back from the
    right.

    v(s) = γ P(left|s) v(s-1) + P(right|s) γ v(s+1),   with 1 in place of γ v(s+1) in s5
    q(s, left) = γ v(s-1),   q(s, right) = γ v(s+1), or 1 in s5

    pi (5, k) is read, v (5,) and q (5, k) are written; v beyond either end is 0. The chain of 5
    linear equations is tridiagonal, so one pass each way solves it (Thomas's algorithm).
    """
    right = pi.shape[1] - 1
    carry = 0.0
    for s in range(STATES):
        # so far v(s) = carry * v(s + 1); beyond the right end stands 1/γ, to make up for the
        # discount
        carry = gamma * pi[s, right] / (1.0 - gamma * _left(pi, s) * carry)
        v[s] = carry
    # substitution back: v holds the factors, and `after` is v(s + 1)
    after = 1.0 / gamma
    for s in range(STATES - 1, -1, -1):
        q[s, right] = gamma * after
        v[s] *= after
        after = v[s]
    # exactly the reward: γ times 1/γ may round to a neighbour of 1
    q[STATES - 1, right] = 1.0
    before = 0.0
    for s in range(STATES):
        for a in range(right):
            q[s, a] = gamma * before
        before = v[s]


@njit(error_model="numpy", nogil=True)
def occupancy(pi, gamma, d):
    """d(s) = Σ_t γᵗ P(S_t = s), the discounted occupancy from the start s3, exactly, into d (5,).

    It solves d(s) = [s = s3] + γ P(right|s-1) d(s-1) + γ P(left|s+1) d(s+1), a tridiagonal system,
    by elimination from both ends towards the start. Σ_s d(s) is the expected discounted length of
    an episode that is never cut.
    """
    right = pi.shape[1] - 1
    carry = 0.0
    for s in range(START):
        # d(s) = carry * d(s + 1)
        carry = (
            gamma * _left(pi, s + 1) / (1.0 - gamma * pi[s - 1, right] * carry)
            if s > 0
            else gamma * _left(pi, 1)
        )
        d[s] = carry
    # the share of the start's visits that come back from either side
    from_left = gamma * pi[START - 1, right] * carry
    carry = 0.0
    for s in range(STATES - 1, START, -1):
        # d(s) = carry * d(s - 1)
        carry = (
            gamma * pi[s - 1, right] / (1.0 - gamma * _left(pi, s + 1) * carry)
            if s < STATES - 1
            else gamma * pi[s - 1, right]
        )
        d[s] = carry
    from_right = gamma * _left(pi, START + 1) * carry
    d[START] = 1.0 / (1.0 - from_left - from_right)
    for s in range(START - 1, -1, -1):
        d[s] *= d[s + 1]
    for s in range(START + 1, STATES):
        d[s] *= d[s - 1]


@functools.lru_cache(maxsize=8)
def _kernel(k: int) -> Any:
    """The kernel for k actions: with k known when it is compiled, two actions take a tenth less
    time.
    """
    seal = stamp()

    def run(
        estimate, expected, gamma, sigma, xi, alpha, beta, mode, cut, thetas, bs, actions, noises, stirs, episodes, last, weight,
        mean, square, right, length, curve, failed,
    ):  # fmt: skip
        pi, q, gradient = np.empty((STATES, k)), np.empty((STATES, k)), np.empty((STATES, k))
        v, d, ret = np.empty(STATES), np.empty(STATES), np.empty(weight.size)
        state, action = np.empty(weight.size, np.int64), np.empty(weight.size, np.int64)
        half = streams.BLOCK // 2
        uniform, even, odd, lefts, rights = (
            np.empty(streams.BLOCK),
            np.empty(half),
            np.empty(half),
            np.empty(half),
            np.empty(half),
        )
        # without bins the curve has no columns, and the width is never used
        width = episodes // max(1, curve.shape[1])
        for run in range(thetas.shape[0]):
            theta, b = thetas[run], bs[run]
            # the buffers count as used up, so that the first draw fills them
            next_uniform, next_normal, next_stir = streams.BLOCK, streams.BLOCK, streams.BLOCK
            policy(theta, pi)
            # needed before the first update by baseline "true" and the expected update
            values(pi, gamma, v, q)
            for n in range(episodes):
                for s in range(STATES):
                    gradient[s] = 0.0
                    if mode == 2:
                        b[s] = v[s]
                # b stays frozen during the episode, as θ does
                count = 0
                if expected:
                    occupancy(pi, gamma, d)
                    for s in range(STATES):
                        # one pseudo-step a state, weighted by its occupancy; the estimate reads
                        # neither action nor return
                        state[s], action[s], ret[s] = s, 0, 0.0
                    estimate(theta, pi, q, v, b, state, action, ret, d, STATES, gradient)
                else:
                    s = START
                    while s != -1 and s != STATES and count < cut:
                        if next_uniform == streams.BLOCK:
                            streams.fill_uniforms(actions, run, uniform)
                            next_uniform = 0
                        # inversion: the action is the number of cumulative probabilities that the
                        # draw has reached
                        a, below = 0, 0.0
                        for one in range(k - 1):
                            below += pi[s, one]
                            a += int(uniform[next_uniform] >= below)
                        next_uniform += 1
                        state[count], action[count] = s, a
                        s += 1 if a == k - 1 else -1
                        count += 1
                    for t in range(count):
                        ret[t] = 0.0
                        if sigma > 0.0:
                            if next_normal == streams.BLOCK:
                                streams.fill_normals(noises, run, even, odd)
                                next_normal = 0
                            ret[t] = sigma * (
                                even[next_normal // 2]
                                if next_normal % 2 == 0
                                else odd[next_normal // 2]
                            )
                            next_normal += 1
                    # only the step off the right end is rewarded; noise comes with every reward
                    if s == STATES:
                        ret[count - 1] += 1.0
                    # from rewards to returns in place, G_t = R_{t+1} + γ G_{t+1}
                    for t in range(count - 2, -1, -1):
                        ret[t] += gamma * ret[t + 1]
                    estimate(theta, pi, q, v, b, state, action, ret, weight, count, gradient)
                if xi > 0.0:
                    for s in range(STATES):
                        for a in range(k):
                            if next_stir == streams.BLOCK:
                                streams.fill_normals(stirs, run, lefts, rights)
                                next_stir = 0
                            gradient[s, a] += xi * (
                                lefts[next_stir // 2]
                                if next_stir % 2 == 0
                                else rights[next_stir // 2]
                            )
                            next_stir += 1
                # one visit after the other, so a state visited twice moves twice (Monte Carlo,
                # every visit)
                if mode == 1:
                    for t in range(count):
                        b[state[t]] += beta * (ret[t] - b[state[t]])
                fault = 0.0
                for s in range(STATES):
                    for a in range(k):
                        theta[s, a] += alpha * gradient[s, a]
                        # x - x is 0 for a finite x, and NaN for infinity and NaN
                        fault += theta[s, a] - theta[s, a]
                    fault += b[s] - b[s]
                if fault != 0.0:
                    failed[run] = 1.0
                policy(theta, pi)
                values(pi, gamma, v, q)
                # performance is analytic: no noise of evaluation episodes
                shown = 0.0 if failed[run] > 0.0 else v[START]
                if curve.shape[1] > 0:
                    curve[run, n // width] += shown
                if n >= episodes - last:
                    mean[run] += shown
                    square[run] += shown * shown
                    length[run] += count
                    for s in range(STATES):
                        right[run, s] += pi[s, k - 1]
        return seal

    number, whole = types.float64, types.int64
    vector, matrix, cube = (types.Array(number, dimensions, "C") for dimensions in (1, 2, 3))
    state = types.Array(types.uint64, 2, "C")
    signature = types.int64(
        types.FunctionType(compiled.EPISODE), types.boolean, number, number, number, number, number, whole, whole, cube, matrix,
        state, state, state, whole, whole, vector, vector, vector, matrix, vector, matrix, vector,
    )  # fmt: skip
    return compile_kernel(run, signature, keep=True)
