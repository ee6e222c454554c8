"""Peers that look at all actions at each step: compute the policy, sample from it, update.

A sampler is given theta, arrays to work in and the stream; it returns the action and a total, so
that weight / total is the policy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from altpg_verify.estimators import Estimator
from altpg_verify.sim import compiled, streams
from altpg_verify.sim.large.blocks import aligned_zeros, row_sum
from altpg_verify.sim.large.memory import borrowed
from altpg_verify.sim.large.peers import LINEAR, Peer, Problem, Running
from altpg_verify.sim.portable_math import exp, log
from altpg_verify.structure import touches_taken_action_only

_0, _1, _2, _3, _4, _5, _6, _7 = (np.uint64(i) for i in range(8))


@njit(error_model="numpy", nogil=True)
def _largest(theta):
    """max θ; eight maxima side by side, which is four times as fast as one."""
    m0 = m1 = m2 = m3 = m4 = m5 = m6 = m7 = theta[0]
    whole = theta.size // 8
    for block in range(np.uint64(whole)):
        a = block << _3
        m0, m1 = max(theta[a], m0), max(theta[a + _1], m1)
        m2, m3 = max(theta[a + _2], m2), max(theta[a + _3], m3)
        m4, m5 = max(theta[a + _4], m4), max(theta[a + _5], m5)
        m6, m7 = max(theta[a + _6], m6), max(theta[a + _7], m7)
    for last in range(8 * whole, theta.size):
        m0 = max(theta[last], m0)
    return max(max(max(m0, m1), max(m2, m3)), max(max(m4, m5), max(m6, m7)))


@njit(error_model="numpy", nogil=True)
def _weigh(theta, weight):
    """weight = e^(θ - max θ), and its total; eight sums side by side."""
    largest = _largest(theta)
    for a in range(theta.size):
        weight[a] = exp(theta[a] - largest)
    total = 0.0
    for block in range(np.uint64((theta.size + 7) // 8)):
        total += row_sum(weight, block << _3)
    return total


@njit(error_model="numpy", nogil=True)
def _search(theta, weight, share, alias, uniform, state):
    """Softmax, cumulative sums, search: sums of eight are passed first, then single weights."""
    total = _weigh(theta, weight)
    streams.fill_uniforms(state, 0, uniform[:1])
    x = uniform[0] * total
    block, last = _0, np.uint64((theta.size - 1) // 8)
    part = row_sum(weight, _0)
    # rounding may leave a key beyond the last sum: the last action then has it
    while x >= part and block < last:
        x -= part
        block += _1
        part = row_sum(weight, block << _3)
    a, end = block << _3, min((block << _3) + _7, np.uint64(theta.size - 1))
    while x >= weight[a] and a < end:
        x -= weight[a]
        a += _1
    return a, total


@njit(error_model="numpy", nogil=True)
def _plain_search(theta, weight, share, alias, uniform, state):
    """Softmax, cumulative sums and binary search as one writes them down, with the exponential of
    the C library.
    """
    largest = theta[0]
    for a in range(theta.size):
        largest = max(largest, theta[a])
    total = 0.0
    for a in range(theta.size):
        weight[a] = math.exp(theta[a] - largest)
        total += weight[a]
        share[a] = total
    streams.fill_uniforms(state, 0, uniform[:1])
    return (
        np.uint64(min(np.searchsorted(share, uniform[0] * total, side="right"), theta.size - 1)),
        total,
    )


@njit(error_model="numpy", nogil=True)
def _alias(theta, weight, share, alias, uniform, state):
    """Vose's alias table, built and used once."""
    total = _weigh(theta, weight)
    k = theta.size
    scale = k / total
    # `uniform` holds the two lists while the table is built: small ones from the front, large ones
    # from the back
    small, large = 0, k
    for a in range(k):
        share[a] = weight[a] * scale
        if share[a] < 1.0:
            uniform[small] = a
            small += 1
        else:
            large -= 1
            uniform[large] = a
    while small > 0 and large < k:
        small -= 1
        less, more = int(uniform[small]), int(uniform[large])
        alias[less] = more
        # what the small column lacks comes from the large one
        share[more] -= 1.0 - share[less]
        if share[more] < 1.0:
            large += 1
            uniform[small] = more
            small += 1
    for i in range(small):
        share[int(uniform[i])] = 1.0
    for i in range(large, k):
        share[int(uniform[i])] = 1.0
    streams.fill_uniforms(state, 0, uniform[:2])
    column = min(int(uniform[0] * k), k - 1)
    return np.uint64(column if uniform[1] < share[column] else alias[column]), total


@njit(error_model="numpy", nogil=True)
def _gumbel(theta, weight, share, alias, uniform, state):
    """The largest of θ - log(-log u): no policy needed to sample, one uniform for each action."""
    streams.fill_uniforms(state, 0, uniform[: theta.size])
    for a in range(theta.size):
        # half a unit is added, as the logarithm of 0 is asked for otherwise
        share[a] = theta[a] - log(-log(uniform[a] + streams.UNIT / 2))
    chosen, highest = 0, share[0]
    for a in range(theta.size):
        if share[a] > highest:
            chosen, highest = a, share[a]
    return np.uint64(chosen), 0.0


def _dense(name: str, sample: Any, estimator: Estimator) -> Peer:
    """A peer with an O(k) sampler; an estimator that touches the taken action only is computed
    there only.
    """
    formula = compiled._whole(estimator)
    sparse = touches_taken_action_only(estimator)
    weighs = sample is not _gumbel

    def one_by_one(
        count, own_theta, own_weight, own_share, own_alias, own_uniform, state, own_q, alpha, b
    ):
        theta, weight, share, q = (
            borrowed(own_theta),
            borrowed(own_weight),
            borrowed(own_share),
            borrowed(own_q),
        )
        alias, uniform = borrowed(own_alias), borrowed(own_uniform)
        for _ in range(count):
            action, total = sample(theta, weight, share, alias, uniform, state)
            r = q[action]
            if sparse:
                theta[action] += alpha * formula(theta[action], 0.0, 1.0, r, b, q[action], 0.0, 0.0)
            else:
                # Gumbel-max samples without a policy, which the regular estimator needs
                if not weighs:
                    total = _weigh(theta, weight)
                scale = 1.0 / total
                at = np.int64(action)
                for a in range(theta.size):
                    e = 1.0 if a == at else 0.0
                    theta[a] += alpha * formula(
                        theta[a], weight[a] * scale, e, r, b, q[a], 0.0, 0.0
                    )

    steps: Any = njit(error_model="numpy", nogil=True)(one_by_one)
    running = Running()

    def start(problem: Problem) -> None:
        k = problem.q.size
        running.begin(
            problem,
            aligned_zeros(k + 8),
            np.empty(k),
            np.empty(k, dtype=np.int64),
            np.empty(max(k, 2)),
        )

    def run(count: int) -> None:
        steps(
            count,
            *running.arrays,
            running.stream,
            running.problem.q,
            running.problem.alpha,
            running.problem.b,
        )

    return Peer(name, estimator, LINEAR, start, run, running.theta)


def softmax_search(estimator: Estimator) -> Peer:
    """Softmax, cumulative sums and search, compiled, with exponentials that are vector code: the
    fastest O(k) step we know.

    Sums of eight are searched before single weights, so a step costs little beyond the
    exponentials.
    """
    return _dense("softmax + search, vector exp", _search, estimator)


def plain_softmax_search(estimator: Estimator) -> Peer:
    """Softmax, cumulative sums and search, compiled, as one writes it down.

    One pass each for the maximum, for exponentials and their sums, and a binary search.
    """
    return _dense("softmax + cumsum + search", _plain_search, estimator)


def alias_table(estimator: Estimator) -> Peer:
    """Vose's alias table, rebuilt at each step, compiled.

    Vose (1991): O(k) to build and O(1) to sample, which doesn't help if the policy changes with
    each sample (the paper's table of costs has it for the regular estimator).
    """
    return _dense("alias table rebuilt", _alias, estimator)


def gumbel_max(estimator: Estimator) -> Peer:
    """The Gumbel-max trick, compiled.

    argmax_a θ_a - log(-log U_a) ~ softmax(θ), with a uniform U_a for each action: O(k) logarithms a
    step, and no policy unless the estimator needs one.
    """
    return _dense("Gumbel-max", _gumbel, estimator)


def numpy_search(estimator: Estimator) -> Peer:
    """Softmax, cumulative sums and search with numpy.

    As one would write it for an experiment: each step makes arrays of k numbers.
    """
    running = Running()
    generator = np.random.Generator(np.random.SFC64(0))
    sparse = touches_taken_action_only(estimator)

    def start(problem: Problem) -> None:
        running.begin(problem, np.zeros(problem.q.size))

    def run(count: int) -> None:
        q, alpha, b = running.problem.q, running.problem.alpha, running.problem.b
        theta, e = running.arrays
        for _ in range(count):
            weight = np.exp(theta - theta.max())
            sums = weight.cumsum()
            action = int(sums.searchsorted(generator.random() * sums[-1], side="right"))
            if sparse:
                theta[action] += alpha * estimator(
                    theta=theta[action], e=1.0, r=q[action], b=b, q=q[action]
                )
            else:
                e[action] = 1.0
                theta += alpha * estimator(
                    theta=theta, pi=weight / sums[-1], e=e, r=q[action], b=b, q=q
                )
                e[action] = 0.0

    return Peer("numpy", estimator, LINEAR, start, run, running.theta)
