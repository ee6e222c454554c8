"""The online actor-critic in many lanes: one compiled loop for every task, policy and estimator (paper, algorithm "Online Actor-Critic").

    A ~ π(·|S),  R, S' from the task,  r = R + τ H(S) + v(S')  (v = 0 at the goal),  δ = r - v(S)
    w ← w + α x(S) (ĝ(θ(S), π, e_A, r, v(S)) + τ ∇_θ H(S)),  and then  ω ← ω + β δ x(S)

with x(S) the active features, 1/9 each. The four numbers of an active tile, three of w and one of ω, lie side by side.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types, uint64

from sim.jit import compile_kernel, stamp
from sim.online.estimate import ESTIMATES
from sim.online.lanes import (
    ACTION, ACTION_STREAM, AGE, ALPHA, BETA, BIAS, BONUS, CUT, DONE, ENDS, ENTROPIES, ENTROPY, ESTIMATE, FAILED, FEATURES, FEEDBACK, FINAL,
    FIRST, FLOATS, FRESH, HALF, LAST, NEXT, POLICIES, POLICY, PUSH, RETURN, RETURNS, REWARD, SEEN, START, STARTS, STEP, SWITCH, TARGET,
    TAU, TILE, TILINGS, UINTS, VALUE, WHOLE,
)  # fmt: skip
from sim.streams import UNIT, _next

SHARE = 1.0 / FEATURES
"""What an active feature is worth."""


@functools.cache
def kernel(lanes: int) -> Any:
    """The loop for a number of lanes; see `sim.online.linear` for how its numbers are set up and read."""
    seal = stamp("linear")

    def run(
        estimate, task, begin, policies, power, numbers, wholes, weights, worst, steps, width, last, returns, entropies, starts
    ):  # fmt: skip
        half = steps // 2
        fresh = 0
        for i in range(lanes):
            begin(numbers, wholes, i)
            numbers[uint64(FRESH * lanes + i)] = 1.0
            fresh += 1
        for t in range(-1, steps):
            ended = 0
            if t >= 0:
                if t == half:
                    for i in range(lanes):
                        if numbers[uint64(SWITCH * lanes + i)] == 1.0:
                            numbers[uint64(FEEDBACK * lanes + i)] = -1.0
                policies(numbers, power)
                for i in range(lanes):
                    a, b = uint64(ACTION_STREAM * lanes + i), uint64((ACTION_STREAM + 1) * lanes + i)
                    c, counter = uint64((ACTION_STREAM + 2) * lanes + i), uint64((ACTION_STREAM + 3) * lanes + i)
                    bits, wholes[a], wholes[b], wholes[c], wholes[counter] = _next(wholes[a], wholes[b], wholes[c], wholes[counter])
                    uniform = np.int64(bits >> uint64(11)) * UNIT
                    p = numbers[uint64(POLICY * lanes + i)]
                    chosen = 1.0 if uniform >= p else 0.0
                    chosen = 2.0 if uniform >= p + numbers[uint64((POLICY + 1) * lanes + i)] else chosen
                    numbers[uint64(ACTION * lanes + i)] = chosen
                    numbers[uint64(PUSH * lanes + i)] = numbers[uint64(FEEDBACK * lanes + i)] * (chosen - 1.0)
                    seen = numbers[uint64(ENTROPY * lanes + i)]
                    numbers[uint64(ENTROPIES * lanes + i)] += seen if numbers[uint64(FAILED * lanes + i)] == 0.0 else 0.0
                task(numbers, wholes)
                for i in range(lanes):
                    total = weights[wholes[uint64(BIAS * lanes + i)] + uint64(3)]
                    for k in range(TILINGS):
                        total += weights[wholes[uint64((NEXT + k) * lanes + i)] + uint64(3)]
                    numbers[uint64(TARGET * lanes + i)] = total
                for i in range(lanes):
                    ahead = SHARE * numbers[uint64(TARGET * lanes + i)]
                    ahead = 0.0 if numbers[uint64(DONE * lanes + i)] != 0.0 else ahead
                    reward = numbers[uint64(REWARD * lanes + i)]
                    bonus = numbers[uint64(TAU * lanes + i)] * numbers[uint64(ENTROPY * lanes + i)]
                    numbers[uint64(TARGET * lanes + i)] = reward + bonus + ahead
                    numbers[uint64(RETURN * lanes + i)] += reward
                    age = numbers[uint64(AGE * lanes + i)] + 1.0
                    numbers[uint64(AGE * lanes + i)] = age
                    ended += 1 if (age >= numbers[uint64(CUT * lanes + i)]) | (numbers[uint64(DONE * lanes + i)] != 0.0) else 0
                estimate(numbers)
                for k in range(3):
                    for i in range(lanes):
                        step = numbers[uint64((ESTIMATE + k) * lanes + i)] + numbers[uint64((BONUS + k) * lanes + i)]
                        numbers[uint64((ESTIMATE + k) * lanes + i)] = numbers[uint64(ALPHA * lanes + i)] * step
                for i in range(lanes):
                    error = numbers[uint64(TARGET * lanes + i)] - numbers[uint64(VALUE * lanes + i)]
                    numbers[uint64(TARGET * lanes + i)] = numbers[uint64(BETA * lanes + i)] * error
                for i in range(lanes):
                    x0, x1 = numbers[uint64(ESTIMATE * lanes + i)], numbers[uint64((ESTIMATE + 1) * lanes + i)]
                    x2, x3 = numbers[uint64((ESTIMATE + 2) * lanes + i)], numbers[uint64(TARGET * lanes + i)]
                    at = wholes[uint64(BIAS * lanes + i)]
                    weights[at] += x0
                    weights[at + uint64(1)] += x1
                    weights[at + uint64(2)] += x2
                    weights[at + uint64(3)] += x3
                    for k in range(TILINGS):
                        at = wholes[uint64((TILE + k) * lanes + i)]
                        weights[at] += x0
                        weights[at + uint64(1)] += x1
                        weights[at + uint64(2)] += x2
                        weights[at + uint64(3)] += x3
            if ended > 0:
                for i in range(lanes):
                    done = numbers[uint64(DONE * lanes + i)] != 0.0
                    age = numbers[uint64(AGE * lanes + i)]
                    if done or age >= numbers[uint64(CUT * lanes + i)]:
                        got = worst if numbers[uint64(FAILED * lanes + i)] > 0.0 else numbers[uint64(RETURN * lanes + i)]
                        numbers[uint64(LAST * lanes + i)] = got
                        numbers[uint64(RETURNS * lanes + i)] += got
                        numbers[uint64((RETURNS + 1) * lanes + i)] += 1.0
                        if half - last <= t < half:
                            numbers[uint64(HALF * lanes + i)] += got
                            numbers[uint64((HALF + 1) * lanes + i)] += 1.0
                        if t >= steps - last:
                            numbers[uint64(FINAL * lanes + i)] += got
                            numbers[uint64((FINAL + 1) * lanes + i)] += 1.0
                        numbers[uint64(WHOLE * lanes + i)] += got * age
                        numbers[uint64((WHOLE + 1) * lanes + i)] += age
                        if done:
                            numbers[uint64(ENDS * lanes + i)] += 1.0
                            if numbers[uint64(FIRST * lanes + i)] < 0.0:
                                numbers[uint64(FIRST * lanes + i)] = t + 1.0
                        numbers[uint64(AGE * lanes + i)] = 0.0
                        numbers[uint64(RETURN * lanes + i)] = 0.0
                        if numbers[uint64(SWITCH * lanes + i)] == 2.0 and t + 1 >= half:
                            numbers[uint64(FEEDBACK * lanes + i)] = -1.0
                        begin(numbers, wholes, i)
                        numbers[uint64(FRESH * lanes + i)] = 1.0
                        fresh += 1
            for i in range(lanes):
                at = wholes[uint64(BIAS * lanes + i)]
                x0, x1, x2, x3 = weights[at], weights[at + uint64(1)], weights[at + uint64(2)], weights[at + uint64(3)]
                for k in range(TILINGS):
                    at = wholes[uint64((NEXT + k) * lanes + i)]
                    wholes[uint64((TILE + k) * lanes + i)] = at
                    x0 += weights[at]
                    x1 += weights[at + uint64(1)]
                    x2 += weights[at + uint64(2)]
                    x3 += weights[at + uint64(3)]
                numbers[uint64(i)] = SHARE * x0
                numbers[uint64(lanes + i)] = SHARE * x1
                numbers[uint64(2 * lanes + i)] = SHARE * x2
                numbers[uint64(VALUE * lanes + i)] = SHARE * x3
            faults = 0
            for i in range(lanes):
                x0, x1 = numbers[uint64(i)], numbers[uint64(lanes + i)]
                x2, x3 = numbers[uint64(2 * lanes + i)], numbers[uint64(VALUE * lanes + i)]
                # x - x is 0 for a finite x, and NaN for infinity and NaN
                faults += 1 if (x0 - x0) + (x1 - x1) + (x2 - x2) + (x3 - x3) != 0.0 else 0
            if fresh + faults > 0:
                fresh = 0
                for i in range(lanes):
                    x0, x1 = numbers[uint64(i)], numbers[uint64(lanes + i)]
                    x2, x3 = numbers[uint64(2 * lanes + i)], numbers[uint64(VALUE * lanes + i)]
                    if (x0 - x0) + (x1 - x1) + (x2 - x2) + (x3 - x3) != 0.0:
                        numbers[uint64(FAILED * lanes + i)] = 1.0
                        numbers[uint64(LAST * lanes + i)] = worst
                    if numbers[uint64(FRESH * lanes + i)] > 0.0:
                        numbers[uint64(FRESH * lanes + i)] = 0.0
                        if numbers[uint64(FAILED * lanes + i)] == 0.0:
                            numbers[uint64(SEEN * lanes + i)] = x3
                            numbers[uint64(STARTS * lanes + i)] += x3
                            numbers[uint64((STARTS + 1) * lanes + i)] += 1.0
            if t >= 0 and (t + 1) % width == 0:
                for i in range(lanes):
                    count, seen = numbers[uint64((RETURNS + 1) * lanes + i)], numbers[uint64((STARTS + 1) * lanes + i)]
                    column = t // width
                    got = numbers[uint64(RETURNS * lanes + i)] / count if count > 0.0 else numbers[uint64(LAST * lanes + i)]
                    returns[i, column] = got
                    entropies[i, column] = numbers[uint64(ENTROPIES * lanes + i)] / width
                    got = numbers[uint64(STARTS * lanes + i)] / seen if seen > 0.0 else numbers[uint64(SEEN * lanes + i)]
                    starts[i, column] = got
                    for row in (RETURNS, RETURNS + 1, ENTROPIES, STARTS, STARTS + 1):
                        numbers[uint64(row * lanes + i)] = 0.0
            if t == half - 1:
                for i in range(lanes):
                    if numbers[uint64((HALF + 1) * lanes + i)] == 0.0:
                        numbers[uint64(HALF * lanes + i)] = numbers[uint64(LAST * lanes + i)]
                        numbers[uint64((HALF + 1) * lanes + i)] = 1.0
        return seal

    number, whole, matrix = types.float64, types.int64, types.Array(types.float64, 2, "C")
    signature = types.int64(
        types.FunctionType(ESTIMATES), types.FunctionType(STEP), types.FunctionType(START), types.FunctionType(POLICIES), whole,
        FLOATS, UINTS, FLOATS, number, whole, whole, whole, matrix, matrix, matrix,
    )  # fmt: skip
    return compile_kernel(run, signature, keep=True)
