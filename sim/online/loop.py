"""The online actor-critic in many lanes: one compiled loop for every task, policy and estimator
(paper, algorithm "Online Actor-Critic").

    A ~ π(·|S),  R, S' from the task,  r = R + τ H(S) + v(S')  (v = 0 at the goal),  δ = r - v(S)
    w ← w + α x(S) (ĝ(θ(S), π, e_A, r, v(S)) + τ ∇_θ H(S)),  and then  ω ← ω + β δ x(S)

with x(S) the active features, 1/9 each. The four numbers of an active tile, three of w and one of
ω, lie side by side.
"""

from __future__ import annotations

import functools
from typing import Any

from numba import types, uint64

from altpg_verify.sim.jit import compile_kernel, stamp
from altpg_verify.sim.online import lanes as row
from altpg_verify.sim.online import tile_weights
from altpg_verify.sim.online.estimate import ESTIMATES
from altpg_verify.sim.online.vectors import anywhere, load, store, uniforms, where

SHARE = 1.0 / row.FEATURES
"""What an active feature is worth."""


@functools.cache
def kernel(lanes: int) -> Any:
    """The loop for a number of lanes; see `altpg_verify.sim.online.linear` for how its numbers are
    set up and read.

    Of a run's three purposes two draw here: one uniform a step for the action, and the tasks'
    starts. It returns the stamp of the sources, after all arrays that it was given were written.

    Args:
        lanes: how many runs go side by side; known to the compiler.
    """
    seal = stamp("linear")

    def run(
        estimate, task, begin, policies, power, numbers, wholes, weights, worst, steps, width, last, returns, entropies, starts
    ):  # fmt: skip
        # every quantity is a row of `numbers` with a lane a run: lanes are runs side by side in a
        # vector register
        # the task switches at half-time, and either half has a record of its last steps
        half = steps // 2
        # lanes whose episode has just begun, whose start value is still to be noted
        fresh = 0
        for i in range(lanes):
            begin(numbers, wholes, i)
            numbers[uint64(row.FRESH * lanes + i)] = 1.0
            fresh += 1
        # step -1 only looks at the first state, so that each later one has the values of the state
        # it is in
        for t in range(-1, steps):
            ended = False
            if t >= 0:
                if t == half:
                    for i in range(lanes):
                        if numbers[uint64(row.SWITCH * lanes + i)] == 1.0:
                            numbers[uint64(row.FEEDBACK * lanes + i)] = -1.0
                # one draw of every lane in every step, so lanes never get out of step
                uniform = uniforms(wholes, row.ACTION_STREAM, lanes)
                policies(numbers, power)
                p = load(numbers, row.POLICY, lanes)
                # inversion: action 0 below π_0, 2 from π_0 + π_1 on
                chosen = where(uniform >= p, 1.0, 0.0)
                chosen = where(uniform >= p + load(numbers, row.POLICY + 1, lanes), 2.0, chosen)
                store(numbers, row.ACTION, lanes, chosen)
                # actions 0, 1, 2 push by -1, 0, 1, or the other way round after the switch
                store(numbers, row.PUSH, lanes, load(numbers, row.FEEDBACK, lanes) * (chosen - 1.0))
                seen = load(numbers, row.ENTROPY, lanes)
                # a run that failed has entropy 0 from then on
                seen = where(load(numbers, row.FAILED, lanes) == 0.0, seen, 0.0)
                store(numbers, row.ENTROPIES, lanes, load(numbers, row.ENTROPIES, lanes) + seen)
                task(numbers, wholes)
                done = load(numbers, row.DONE, lanes) != 0.0
                # an end of the task is bootstrapped by 0; a cut at the time limit isn't an end, and
                # by the value
                ahead = where(done, 0.0, SHARE * tile_weights.values(weights, wholes, lanes))
                reward = load(numbers, row.REWARD, lanes)
                target = (
                    reward
                    + load(numbers, row.TAU, lanes) * load(numbers, row.ENTROPY, lanes)
                    + ahead
                )
                store(numbers, row.TARGET, lanes, target)
                store(numbers, row.RETURN, lanes, load(numbers, row.RETURN, lanes) + reward)
                age = load(numbers, row.AGE, lanes) + 1.0
                store(numbers, row.AGE, lanes, age)
                ended = anywhere(done | (age >= load(numbers, row.CUT, lanes)))
                # the policy's update before the critic's, both with the values from before the step
                estimate(numbers)
                alpha = load(numbers, row.ALPHA, lanes)
                tile_weights.add(
                    weights,
                    wholes,
                    alpha * (load(numbers, row.ESTIMATE, lanes) + load(numbers, row.BONUS, lanes)),
                    alpha
                    * (
                        load(numbers, row.ESTIMATE + 1, lanes) + load(numbers, row.BONUS + 1, lanes)
                    ),
                    alpha
                    * (
                        load(numbers, row.ESTIMATE + 2, lanes) + load(numbers, row.BONUS + 2, lanes)
                    ),
                    load(numbers, row.BETA, lanes)
                    * (load(numbers, row.TARGET, lanes) - load(numbers, row.VALUE, lanes)),
                )
            # rare: lanes that end are looked for only if any did
            if ended:
                for i in range(lanes):
                    done = numbers[uint64(row.DONE * lanes + i)] != 0.0
                    age = numbers[uint64(row.AGE * lanes + i)]
                    if done or age >= numbers[uint64(row.CUT * lanes + i)]:
                        got = (
                            worst
                            if numbers[uint64(row.FAILED * lanes + i)] > 0.0
                            else numbers[uint64(row.RETURN * lanes + i)]
                        )
                        numbers[uint64(row.LAST * lanes + i)] = got
                        numbers[uint64(row.RETURNS * lanes + i)] += got
                        numbers[uint64((row.RETURNS + 1) * lanes + i)] += 1.0
                        # a return belongs to the step in which its episode ends
                        if half - last <= t < half:
                            numbers[uint64(row.HALF * lanes + i)] += got
                            numbers[uint64((row.HALF + 1) * lanes + i)] += 1.0
                        if t >= steps - last:
                            numbers[uint64(row.FINAL * lanes + i)] += got
                            numbers[uint64((row.FINAL + 1) * lanes + i)] += 1.0
                        # weighted by length: `whole` is an average over steps, not over episodes
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
            # after the update, so that θ and v of the next state are those of the new weights
            x0, x1, x2, x3 = tile_weights.total(weights, wholes, lanes)
            # features of size 1/9, so the sums are averages over nine weights
            x0, x1, x2, x3 = SHARE * x0, SHARE * x1, SHARE * x2, SHARE * x3
            store(numbers, row.THETA, lanes, x0)
            store(numbers, row.THETA + 1, lanes, x1)
            store(numbers, row.THETA + 2, lanes, x2)
            store(numbers, row.VALUE, lanes, x3)
            # the next state becomes the present one
            for k in range(row.TILINGS):
                store(wholes, row.TILE + k, lanes, load(wholes, row.NEXT + k, lanes))
            # x - x is 0 for a finite x, and NaN for infinity and NaN
            if anywhere((x0 - x0) + (x1 - x1) + (x2 - x2) + (x3 - x3) != 0.0) or fresh > 0:
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
                    count, seen = (
                        numbers[uint64((row.RETURNS + 1) * lanes + i)],
                        numbers[uint64((row.STARTS + 1) * lanes + i)],
                    )
                    column = t // width
                    got = (
                        numbers[uint64(row.RETURNS * lanes + i)] / count
                        if count > 0.0
                        else numbers[uint64(row.LAST * lanes + i)]
                    )
                    returns[i, column] = got
                    entropies[i, column] = numbers[uint64(row.ENTROPIES * lanes + i)] / width
                    got = (
                        numbers[uint64(row.STARTS * lanes + i)] / seen
                        if seen > 0.0
                        else numbers[uint64(row.SEEN * lanes + i)]
                    )
                    starts[i, column] = got
                    for number in (
                        row.RETURNS,
                        row.RETURNS + 1,
                        row.ENTROPIES,
                        row.STARTS,
                        row.STARTS + 1,
                    ):
                        numbers[uint64(number * lanes + i)] = 0.0
            # no episode ended before half-time: the last known return stands
            if t == half - 1:
                for i in range(lanes):
                    if numbers[uint64((row.HALF + 1) * lanes + i)] == 0.0:
                        numbers[uint64(row.HALF * lanes + i)] = numbers[
                            uint64(row.LAST * lanes + i)
                        ]
                        numbers[uint64((row.HALF + 1) * lanes + i)] = 1.0
        return seal

    number, whole, matrix = types.float64, types.int64, types.Array(types.float64, 2, "C")
    signature = types.int64(
        types.FunctionType(ESTIMATES), types.FunctionType(row.STEP), types.FunctionType(row.START), types.FunctionType(row.POLICIES), whole,
        row.FLOATS, row.UINTS, row.FLOATS, number, whole, whole, whole, matrix, matrix, matrix,
    )  # fmt: skip
    return compile_kernel(run, signature, keep=True)
