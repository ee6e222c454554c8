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
from sim.online import lanes as row
from sim.online import tile_weights
from sim.online.estimate import ESTIMATES
from sim.streams import UNIT, _next

SHARE = 1.0 / row.FEATURES
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
            numbers[uint64(row.FRESH * lanes + i)] = 1.0
            fresh += 1
        for t in range(-1, steps):
            ended = 0
            if t >= 0:
                if t == half:
                    for i in range(lanes):
                        if numbers[uint64(row.SWITCH * lanes + i)] == 1.0:
                            numbers[uint64(row.FEEDBACK * lanes + i)] = -1.0
                policies(numbers, power)
                for i in range(lanes):
                    a, b = uint64(row.ACTION_STREAM * lanes + i), uint64((row.ACTION_STREAM + 1) * lanes + i)
                    c, counter = uint64((row.ACTION_STREAM + 2) * lanes + i), uint64((row.ACTION_STREAM + 3) * lanes + i)
                    bits, wholes[a], wholes[b], wholes[c], wholes[counter] = _next(wholes[a], wholes[b], wholes[c], wholes[counter])
                    uniform = np.int64(bits >> uint64(11)) * UNIT
                    p = numbers[uint64(row.POLICY * lanes + i)]
                    chosen = 1.0 if uniform >= p else 0.0
                    chosen = 2.0 if uniform >= p + numbers[uint64((row.POLICY + 1) * lanes + i)] else chosen
                    numbers[uint64(row.ACTION * lanes + i)] = chosen
                    numbers[uint64(row.PUSH * lanes + i)] = numbers[uint64(row.FEEDBACK * lanes + i)] * (chosen - 1.0)
                    seen = numbers[uint64(row.ENTROPY * lanes + i)]
                    numbers[uint64(row.ENTROPIES * lanes + i)] += seen if numbers[uint64(row.FAILED * lanes + i)] == 0.0 else 0.0
                task(numbers, wholes)
                for i in range(lanes):
                    total = weights[wholes[uint64(row.BIAS * lanes + i)] + uint64(3)]
                    for k in range(row.TILINGS):
                        total += weights[wholes[uint64((row.NEXT + k) * lanes + i)] + uint64(3)]
                    numbers[uint64(row.TARGET * lanes + i)] = total
                for i in range(lanes):
                    ahead = SHARE * numbers[uint64(row.TARGET * lanes + i)]
                    ahead = 0.0 if numbers[uint64(row.DONE * lanes + i)] != 0.0 else ahead
                    reward = numbers[uint64(row.REWARD * lanes + i)]
                    bonus = numbers[uint64(row.TAU * lanes + i)] * numbers[uint64(row.ENTROPY * lanes + i)]
                    numbers[uint64(row.TARGET * lanes + i)] = reward + bonus + ahead
                    numbers[uint64(row.RETURN * lanes + i)] += reward
                    age = numbers[uint64(row.AGE * lanes + i)] + 1.0
                    numbers[uint64(row.AGE * lanes + i)] = age
                    ended += 1 if (age >= numbers[uint64(row.CUT * lanes + i)]) | (numbers[uint64(row.DONE * lanes + i)] != 0.0) else 0
                estimate(numbers)
                for k in range(3):
                    for i in range(lanes):
                        step = numbers[uint64((row.ESTIMATE + k) * lanes + i)] + numbers[uint64((row.BONUS + k) * lanes + i)]
                        numbers[uint64((row.ESTIMATE + k) * lanes + i)] = numbers[uint64(row.ALPHA * lanes + i)] * step
                for i in range(lanes):
                    error = numbers[uint64(row.TARGET * lanes + i)] - numbers[uint64(row.VALUE * lanes + i)]
                    numbers[uint64(row.TARGET * lanes + i)] = numbers[uint64(row.BETA * lanes + i)] * error
                for i in range(lanes):
                    x0, x1 = numbers[uint64(row.ESTIMATE * lanes + i)], numbers[uint64((row.ESTIMATE + 1) * lanes + i)]
                    x2, x3 = numbers[uint64((row.ESTIMATE + 2) * lanes + i)], numbers[uint64(row.TARGET * lanes + i)]
                    tile_weights.add(weights, wholes, uint64(row.BIAS), uint64(row.TILE), uint64(lanes), uint64(i), x0, x1, x2, x3)
            if ended > 0:
                for i in range(lanes):
                    done = numbers[uint64(row.DONE * lanes + i)] != 0.0
                    age = numbers[uint64(row.AGE * lanes + i)]
                    if done or age >= numbers[uint64(row.CUT * lanes + i)]:
                        got = worst if numbers[uint64(row.FAILED * lanes + i)] > 0.0 else numbers[uint64(row.RETURN * lanes + i)]
                        numbers[uint64(row.LAST * lanes + i)] = got
                        numbers[uint64(row.RETURNS * lanes + i)] += got
                        numbers[uint64((row.RETURNS + 1) * lanes + i)] += 1.0
                        if half - last <= t < half:
                            numbers[uint64(row.HALF * lanes + i)] += got
                            numbers[uint64((row.HALF + 1) * lanes + i)] += 1.0
                        if t >= steps - last:
                            numbers[uint64(row.FINAL * lanes + i)] += got
                            numbers[uint64((row.FINAL + 1) * lanes + i)] += 1.0
                        numbers[uint64(row.WHOLE * lanes + i)] += got * age
                        numbers[uint64((row.WHOLE + 1) * lanes + i)] += age
                        if done:
                            numbers[uint64(row.ENDS * lanes + i)] += 1.0
                            if numbers[uint64(row.FIRST * lanes + i)] < 0.0:
                                numbers[uint64(row.FIRST * lanes + i)] = t + 1.0
                        numbers[uint64(row.AGE * lanes + i)] = 0.0
                        numbers[uint64(row.RETURN * lanes + i)] = 0.0
                        if numbers[uint64(row.SWITCH * lanes + i)] == 2.0 and t + 1 >= half:
                            numbers[uint64(row.FEEDBACK * lanes + i)] = -1.0
                        begin(numbers, wholes, i)
                        numbers[uint64(row.FRESH * lanes + i)] = 1.0
                        fresh += 1
            for i in range(lanes):
                x0, x1, x2, x3 = tile_weights.total(weights, wholes, uint64(row.BIAS), uint64(row.NEXT), uint64(lanes), uint64(i))
                for k in range(row.TILINGS):
                    wholes[uint64((row.TILE + k) * lanes + i)] = wholes[uint64((row.NEXT + k) * lanes + i)]
                numbers[uint64(i)] = SHARE * x0
                numbers[uint64(lanes + i)] = SHARE * x1
                numbers[uint64(2 * lanes + i)] = SHARE * x2
                numbers[uint64(row.VALUE * lanes + i)] = SHARE * x3
            faults = 0
            for i in range(lanes):
                x0, x1 = numbers[uint64(i)], numbers[uint64(lanes + i)]
                x2, x3 = numbers[uint64(2 * lanes + i)], numbers[uint64(row.VALUE * lanes + i)]
                # x - x is 0 for a finite x, and NaN for infinity and NaN
                faults += 1 if (x0 - x0) + (x1 - x1) + (x2 - x2) + (x3 - x3) != 0.0 else 0
            if fresh + faults > 0:
                fresh = 0
                for i in range(lanes):
                    x0, x1 = numbers[uint64(i)], numbers[uint64(lanes + i)]
                    x2, x3 = numbers[uint64(2 * lanes + i)], numbers[uint64(row.VALUE * lanes + i)]
                    if (x0 - x0) + (x1 - x1) + (x2 - x2) + (x3 - x3) != 0.0:
                        numbers[uint64(row.FAILED * lanes + i)] = 1.0
                        numbers[uint64(row.LAST * lanes + i)] = worst
                    if numbers[uint64(row.FRESH * lanes + i)] > 0.0:
                        numbers[uint64(row.FRESH * lanes + i)] = 0.0
                        if numbers[uint64(row.FAILED * lanes + i)] == 0.0:
                            numbers[uint64(row.SEEN * lanes + i)] = x3
                            numbers[uint64(row.STARTS * lanes + i)] += x3
                            numbers[uint64((row.STARTS + 1) * lanes + i)] += 1.0
            if t >= 0 and (t + 1) % width == 0:
                for i in range(lanes):
                    count, seen = numbers[uint64((row.RETURNS + 1) * lanes + i)], numbers[uint64((row.STARTS + 1) * lanes + i)]
                    column = t // width
                    got = numbers[uint64(row.RETURNS * lanes + i)] / count if count > 0.0 else numbers[uint64(row.LAST * lanes + i)]
                    returns[i, column] = got
                    entropies[i, column] = numbers[uint64(row.ENTROPIES * lanes + i)] / width
                    got = numbers[uint64(row.STARTS * lanes + i)] / seen if seen > 0.0 else numbers[uint64(row.SEEN * lanes + i)]
                    starts[i, column] = got
                    for number in (row.RETURNS, row.RETURNS + 1, row.ENTROPIES, row.STARTS, row.STARTS + 1):
                        numbers[uint64(number * lanes + i)] = 0.0
            if t == half - 1:
                for i in range(lanes):
                    if numbers[uint64((row.HALF + 1) * lanes + i)] == 0.0:
                        numbers[uint64(row.HALF * lanes + i)] = numbers[uint64(row.LAST * lanes + i)]
                        numbers[uint64((row.HALF + 1) * lanes + i)] = 1.0
        return seal

    number, whole, matrix = types.float64, types.int64, types.Array(types.float64, 2, "C")
    signature = types.int64(
        types.FunctionType(ESTIMATES), types.FunctionType(row.STEP), types.FunctionType(row.START), types.FunctionType(row.POLICIES), whole,
        row.FLOATS, row.UINTS, row.FLOATS, number, whole, whole, whole, matrix, matrix, matrix,
    )  # fmt: skip
    return compile_kernel(run, signature, keep=True)
