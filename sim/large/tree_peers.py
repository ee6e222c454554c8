"""Peers that keep sums of raw exponentials and add differences to them: a Fenwick tree, and the
paper's tree in arrays.

Both are plain: they overflow beyond e^709, underflow, and keep what rounding leaves behind when a
large weight goes. A structure is three arrays and two functions: select(arrays, u) -> action,
change(arrays, action, preference).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit

from altpg_verify.estimators import Estimator
from altpg_verify.sim import streams
from altpg_verify.sim.large.log_bandit import accept, taken_component
from altpg_verify.sim.large.memory import borrowed
from altpg_verify.sim.large.peers import LOGARITHMIC, Peer, Problem, Running
from altpg_verify.sim.portable_math import exp

_0, _1 = np.uint64(0), np.uint64(1)


@njit(error_model="numpy", nogil=True)
def _fenwick_build(theta, weight, sums, total):
    sums[0] = 0.0
    for a in range(theta.size):
        weight[a] = exp(theta[a])
        sums[a + 1] = weight[a]
    total[0] = 0.0
    for i in range(1, theta.size + 1):
        total[0] += weight[i - 1]
        # a Fenwick tree in O(k): each sum is handed to the next node that covers it
        above = i + (i & -i)
        if above <= theta.size:
            sums[above] += sums[i]


@njit(error_model="numpy", nogil=True, inline="always")
def _fenwick_select(weight, sums, total, u):
    x = u * total[_0]
    at, k = _0, np.uint64(weight.size)
    step = _1
    # the largest power of two that fits
    while step << _1 <= k:
        step <<= _1
    while step > _0:
        after = at + step
        if after <= k:
            part = sums[after]
            if x >= part:
                x -= part
                at = after
        step >>= _1
    return min(at, k - _1)


@njit(error_model="numpy", nogil=True, inline="always")
def _fenwick_change(weight, sums, total, action, preference):
    new = exp(preference)
    difference = new - weight[action]
    weight[action] = new
    total[_0] += difference
    i, k = action + _1, np.uint64(weight.size)
    while i <= k:
        sums[i] += difference
        # the lowest bit that is set
        i += i & (~i + _1)


@njit(error_model="numpy", nogil=True)
def _paper_build(theta, value, left, total):
    """The paper's tree without pointers: the node of a list of actions is its middle one."""
    for a in range(theta.size):
        value[a] = exp(theta[a])
    sums = np.zeros(theta.size + 1)
    for a in range(theta.size):
        sums[a + 1] = sums[a] + value[a]
    total[0] = sums[theta.size]
    # ranges that are still to be split; the tree is at most 64 deep
    begin, end = np.zeros(128, np.int64), np.zeros(128, np.int64)
    waiting, end[0] = 1, theta.size
    while waiting > 0:
        waiting -= 1
        first, after = begin[waiting], end[waiting]
        if first < after:
            middle = (first + after) >> 1
            left[middle] = sums[middle] - sums[first]
            begin[waiting], end[waiting] = first, middle
            begin[waiting + 1], end[waiting + 1] = middle + 1, after
            waiting += 2


@njit(error_model="numpy", nogil=True, inline="always")
def _paper_select(value, left, total, u):
    x = u * total[_0]
    first, after = _0, np.uint64(value.size)
    middle = after >> _1
    while True:
        middle = (first + after) >> _1
        if x < left[middle]:
            after = middle
        else:
            x -= left[middle]
            # rounding may leave the key beyond the last value: the last action then has it
            if x < value[middle] or middle + _1 == after:
                break
            x -= value[middle]
            first = middle + _1
        if first == after:
            break
    return middle


@njit(error_model="numpy", nogil=True, inline="always")
def _paper_change(value, left, total, action, preference):
    new = exp(preference)
    difference = new - value[action]
    value[action] = new
    total[_0] += difference
    first, after = _0, np.uint64(value.size)
    while True:
        middle = (first + after) >> _1
        if action < middle:
            left[middle] += difference
            after = middle
        elif action > middle:
            first = middle + _1
        else:
            break


def _sparse(
    name: str, build: Any, select: Any, change: Any, extra: int, estimator: Estimator
) -> Peer:
    accept(estimator)
    # compiled when it is first run, not when the table of peers is made
    component = cache(lambda: taken_component(estimator))

    def one_by_one(
        taken,
        count,
        own_theta,
        own_weight,
        own_sums,
        own_total,
        state,
        own_uniform,
        own_q,
        alpha,
        b,
    ):
        theta, weight, sums, total = (
            borrowed(own_theta),
            borrowed(own_weight),
            borrowed(own_sums),
            borrowed(own_total),
        )
        uniform, q = borrowed(own_uniform), borrowed(own_q)
        next_uniform = np.uint64(uniform.size)
        for _ in range(count):
            if next_uniform == uniform.size:
                streams.fill_uniforms(state, 0, uniform)
                next_uniform = _0
            action = select(weight, sums, total, uniform[next_uniform])
            next_uniform += _1
            r = q[action]
            theta[action] += alpha * taken(
                theta[action], weight[action] / total[_0], r, b, q[action], 0.0
            )
            change(weight, sums, total, action, theta[action])

    steps: Any = njit(error_model="numpy", nogil=True)(one_by_one)
    running = Running()

    def start(problem: Problem) -> None:
        k = problem.q.size
        running.begin(problem, np.zeros(k), np.zeros(k + extra), np.zeros(1))
        build(*running.arrays)
        component()

    def run(count: int) -> None:
        uniform = np.empty(streams.BLOCK)
        steps(
            component(),
            count,
            *running.arrays,
            running.stream,
            uniform,
            running.problem.q,
            running.problem.alpha,
            running.problem.b,
        )

    return Peer(name, estimator, LOGARITHMIC, start, run, running.theta)


def fenwick_tree(estimator: Estimator) -> Peer:
    """A plain Fenwick tree of raw exponentials: no shift, differences added, so it overflows,
    underflows and drifts.

    Sampling and updating take ⌊log₂ k⌋ + 1 steps, of eight bytes each.
    """
    return _sparse(
        "plain Fenwick tree", _fenwick_build, _fenwick_select, _fenwick_change, 1, estimator
    )


def paper_tree(estimator: Estimator) -> Peer:
    """The paper's tree, corrected, in arrays: raw exponentials, differences added.

    The node of a list of actions is its middle one, so neither pointers nor a built tree are
    needed.
    """
    return _sparse(
        "paper's tree in arrays", _paper_build, _paper_select, _paper_change, 0, estimator
    )
