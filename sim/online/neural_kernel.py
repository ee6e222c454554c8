"""The inner loop of the neural agents, compiled: blocks of runs in lock step, one block after the
other.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numba import njit, types

from altpg_verify.sim import streams
from altpg_verify.sim.jit import LOCK, compile_kernel, stamp
from altpg_verify.sim.online import adam, neural_networks
from altpg_verify.sim.online import neural_rows as row
from altpg_verify.sim.online.dot_reacher import ACTIONS, COST, TOLERANCE
from altpg_verify.sim.online.inlined import exp, log
from altpg_verify.sim.online.neural_estimate import FORM
from altpg_verify.sim.online.neural_lanes import load, magnitude, spread, store, where_below
from altpg_verify.sim.online.neural_networks import HIDDEN, INNER, INPUTS, forward, learn
from altpg_verify.sim.online.neural_record import end, end_bin, end_episode, end_half


@njit(error_model="numpy", nogil=True)
def start_weights(states, run, last, biases, out):
    """The weights of a network at the start: PyTorch's for the hidden layers, zero and the biases
    given for the last one.

    Hidden weights and biases are uniform in ±1/√inputs of their layer, in order of the rows, one
    uniform of the run's stream each.

    Args:
        states: (4, runs) streams of the weights; run: which of them.
        last: how many outputs, with their biases (last,).
        out: gets the weights, `neural_networks.weights(last)` of them.
    """
    one = np.empty(1)
    for i in range(INNER):
        # uniform in ±1/√(inputs), biases included: PyTorch's default
        bound = 1.0 / math.sqrt(float(INPUTS if i < neural_networks.FIRST else HIDDEN))
        # one by one, in the order of the weights, as the stream is read
        streams.fill_uniforms(states, run, one)
        out[i] = bound * (2.0 * one[0] - 1.0)
    for i in range(last):
        for k in range(HIDDEN):
            out[INNER + i * (HIDDEN + 1) + k] = 0.0
        out[INNER + i * (HIDDEN + 1) + HIDDEN] = biases[i]


@njit(error_model="numpy", nogil=True)
def begin(s, numbers, offset, starts, draws, place, count):
    """All rows for `count` runs, from column `offset` of the settings and streams on.

    The setting is copied, actor and critic get their first weights, moments and records are 0, and
    an episode starts in every lane. numbers is (SETTING, runs), draws (4, runs), starts (4, count);
    place (2,) is scratch.
    """
    drawn = np.empty(row.WEIGHTS)
    for i in range(row.ROWS * count):
        s[i] = 0.0
    for lane in range(count):
        for i in range(row.SETTING):
            s[(row.ALPHA + i) * count + lane] = numbers[i, offset + lane]
        biases = np.empty(ACTIONS)
        for a in range(ACTIONS):
            biases[a] = s[(row.FIRST_THETA + a) * count + lane]
        start_weights(draws, offset + lane, ACTIONS, biases, drawn)
        # the critic's only output begins at its bias, as the last layer has no other weight yet
        biases[0] = s[row.FIRST_CRITIC * count + lane]
        start_weights(draws, offset + lane, 1, biases, drawn[row.ACTOR :])
        for i in range(row.WEIGHTS):
            s[(row.ACTOR_WEIGHTS + i) * count + lane] = drawn[i]
        s[row.LAST_RETURN * count + lane], s[row.FIRST_GOAL * count + lane] = (
            s[row.WORST * count + lane],
            -1.0,
        )
        s[row.LAST_VALUE * count + lane] = s[row.FIRST_CRITIC * count + lane]
        start_episode(s, lane, starts, place, count)


@njit(error_model="numpy", nogil=True)
def start_episode(s, lane, starts, place, count):
    """Put the dot anywhere in the square [-1, 1]², by two uniforms of the lane's stream; LENGTH
    becomes 0.
    """
    streams.fill_uniforms(starts, lane, place)
    s[row.STATE * count + lane], s[(row.STATE + 1) * count + lane] = (
        2.0 * place[0] - 1.0,
        2.0 * place[1] - 1.0,
    )
    s[row.LENGTH * count + lane] = 0.0


@njit(error_model="numpy", nogil=True)
def move_goal(s, lane, count):
    """Put the goal where it is after half-time: GOAL gets LATER, in one lane."""
    s[row.GOAL * count + lane], s[(row.GOAL + 1) * count + lane] = (
        s[row.LATER * count + lane],
        s[(row.LATER + 1) * count + lane],
    )


@njit(error_model="numpy", nogil=True)
def act(s, count):
    """π, its entropy and an action, from the preferences; and the state after the action.

    THETA (9 rows) and CHANCE, a uniform, are read; PI gets softmax(θ), ENTROPY its entropy in nats,
    BONUS ∇_θ H = -π ∘ (ln π + H), ACTION the index, AFTER the dot's next place.
    """
    # the largest preference comes off, so that no exponential overflows
    most = load(s, row.THETA, count)
    for a in range(1, ACTIONS):
        preference = load(s, row.THETA + a, count)
        most = where_below(most, preference, preference, most)
    for a in range(ACTIONS):
        store(s, row.PI + a, load(s, row.THETA + a, count) - most)
    # rows are contiguous, so this is one loop over actions and runs
    for i in range(ACTIONS * count):
        s[row.BONUS * count + i] = exp(s[row.PI * count + i])
    total, weighted = spread(0.0, count), spread(0.0, count)
    for a in range(ACTIONS):
        weight = load(s, row.BONUS + a, count)
        total = total + weight
        weighted = weighted + weight * load(s, row.PI + a, count)
    store(s, row.MASS, total)
    for i in range(count):
        s[row.LOG_MASS * count + i] = log(s[row.MASS * count + i])
    # one division for all nine probabilities
    scale = spread(1.0, count) / total
    # H = ln Σ e^θ - Σ π θ, for preferences less their largest
    surprise = load(s, row.LOG_MASS, count) - weighted * scale
    store(s, row.ENTROPY, surprise)
    draw, below, choice = load(s, row.CHANCE, count), spread(0.0, count), spread(0.0, count)
    x, y = spread(0.0, count), spread(0.0, count)
    for a in range(ACTIONS):
        # action a is taken if the draw is at least π_0 + ... + π_{a-1}, until a later one takes
        # over
        choice = where_below(draw, below, choice, spread(float(a), count))
        x = where_below(draw, below, x, load(s, row.MOVES + a, count))
        y = where_below(draw, below, y, load(s, row.MOVES + ACTIONS + a, count))
        probability = load(s, row.BONUS + a, count) * scale
        below = below + probability
        # pi holds θ - max θ until here, bonus gets the gradient of the entropy, -π (log π + H)
        store(
            s,
            row.BONUS + a,
            spread(0.0, count)
            - probability * (load(s, row.PI + a, count) - load(s, row.LOG_MASS, count) + surprise),
        )
        store(s, row.PI + a, probability)
    store(s, row.ACTION, choice)
    move(s, 0, x, count)
    move(s, 1, y, count)


@njit(error_model="numpy", nogil=True)
def move(s, axis, by, count):
    """One coordinate of the dot, held in the square.

    AFTER gets STATE + by on the axis, clipped to [-1, 1].
    """
    place = load(s, row.STATE + axis, count) + by
    # held in the square: at a wall the dot stays there
    place = where_below(spread(1.0, count), place, spread(1.0, count), place)
    store(s, row.AFTER + axis, where_below(place, spread(-1.0, count), spread(-1.0, count), place))


@njit(error_model="numpy", nogil=True)
def judge(s, count):
    """What the action brought: is the goal reached, is the episode over, the signal, the error; and
    has the run failed.

    REACHED is 1 where both coordinates are within 0.1 of GOAL, OVER where the episode ends by the
    goal or the cut, SIGNAL r = -0.01 + τ H + v(S') with v = 0 at the goal, ERROR r - v(S), the
    ascent direction of the critic's value. Sums of entropy and of start values are kept for the
    record.
    """
    zero, one, tolerance = spread(0.0, count), spread(1.0, count), spread(TOLERANCE, count)
    off = magnitude(load(s, row.AFTER, count) - load(s, row.GOAL, count))
    other = magnitude(load(s, row.AFTER + 1, count) - load(s, row.GOAL + 1, count))
    # the larger of the two distances decides
    off = where_below(off, other, other, off)
    done = where_below(tolerance, off, zero, one)
    store(s, row.REACHED, done)
    first = load(s, row.LENGTH, count)
    store(s, row.LENGTH, first + one)
    store(s, row.OVER, where_below(first + one, load(s, row.CUT, count), done, one))
    now, then = load(s, row.BASELINE, count), load(s, row.AFTER_VALUE, count)
    # x - x is 0 for a finite x, and NaN for infinity and NaN
    fault = (now - now) + (then - then)
    for a in range(ACTIONS):
        preference = load(s, row.THETA + a, count)
        fault = fault + (preference - preference)
    failed = where_below(fault, one, load(s, row.BROKEN, count), one)
    store(s, row.BROKEN, failed)
    store(
        s,
        row.LAST_RETURN,
        where_below(failed, one, load(s, row.LAST_RETURN, count), load(s, row.WORST, count)),
    )
    store(
        s,
        row.ENTROPIES,
        load(s, row.ENTROPIES, count) + where_below(failed, one, load(s, row.ENTROPY, count), zero),
    )
    # 1 in the first step of an episode of a run that hasn't failed
    # both are 0 or more, so the sum is below 1 only if both are 0
    fresh = where_below(first + failed, one, one, zero)
    store(s, row.START_SUM, load(s, row.START_SUM, count) + where_below(fresh, one, zero, now))
    store(s, row.START_COUNT, load(s, row.START_COUNT, count) + fresh)
    store(s, row.LAST_VALUE, where_below(fresh, one, load(s, row.LAST_VALUE, count), now))
    # r + τ H + v(S'), without v at the goal; a cut isn't an end
    target = (
        spread(-COST, count)
        + load(s, row.TAU, count) * load(s, row.ENTROPY, count)
        + where_below(tolerance, off, then, zero)
    )
    store(s, row.SIGNAL, target)
    store(s, row.ERROR, target - now)


@njit(error_model="numpy", nogil=True)
def steepen(s, count):
    """Add the gradient of the entropy to the estimate; what is too small to matter becomes 0, lest
    its square be subnormal.

    ESTIMATE becomes ĝ + τ ∇H, the ascent direction by the preferences; below `adam.NEGLIGIBLE` it
    is 0.
    """
    for a in range(ACTIONS):
        slope = load(s, row.ESTIMATE + a, count) + load(s, row.TAU, count) * load(
            s, row.BONUS + a, count
        )
        store(
            s,
            row.ESTIMATE + a,
            where_below(
                magnitude(slope), spread(adam.NEGLIGIBLE, count), spread(0.0, count), slope
            ),
        )


@functools.cache
def _compiled(count: int) -> Any:
    # only numbers may be in the closure: what is kept on disk is found again by them
    seal = stamp("neural")

    def run(estimate, numbers, actions, starts, draws, steps, width, last, curves, single, weights):
        # eight numbers more, to move the start to a line of the cache (64 bytes)
        spare = np.empty(row.ROWS * count + 8)
        # whole values then share no line of the cache with their neighbours
        skipped = -(spare.ctypes.data // 8) % 8
        s = spare[skipped : skipped + row.ROWS * count]
        chances = s[row.CHANCE * count : (row.CHANCE + 1) * count]
        place = np.empty(2)
        act_states, start_states = np.empty((4, count), np.uint64), np.empty((4, count), np.uint64)
        middle = steps // 2
        for offset in range(0, numbers.shape[1], count):
            for word in range(4):
                for lane in range(count):
                    act_states[word, lane], start_states[word, lane] = (
                        actions[word, offset + lane],
                        starts[word, offset + lane],
                    )
            begin(s, numbers, offset, start_states, draws, place, count)
            # the moments begin anew with each block of runs
            power_1, power_2 = 1.0, 1.0
            for t in range(steps):
                if t == middle:
                    for lane in range(count):
                        if s[row.LATE * count + lane] == 0.0:
                            move_goal(s, lane, count)
                # the actor first: the critic's value of the new state needs the action
                forward(s, row.ACTOR_WEIGHTS, row.STATE, row.ACTOR_UNITS, ACTIONS, row.THETA, count)
                streams.uniforms(act_states, chances)
                act(s, count)
                forward(s, row.CRITIC_WEIGHTS, row.STATE, row.CRITIC_UNITS, 1, row.BASELINE, count)
                forward(
                    s, row.CRITIC_WEIGHTS, row.AFTER, row.AFTER_UNITS, 1, row.AFTER_VALUE, count
                )
                judge(s, count)
                estimate(s)
                steepen(s, count)
                # β₁ᵗ and β₂ᵗ are the same for all weights: each is updated in every step
                power_1 *= adam.BETA_1
                power_2 *= adam.BETA_2
                rate, softening = adam.correction(power_1, power_2)
                learn(
                    s, row.ACTOR_WEIGHTS, row.STATE, row.ACTOR_UNITS, ACTIONS, row.ESTIMATE, row.BEFORE, row.ALPHA, rate, softening,
                    row.WEIGHTS, count,
                )  # fmt: skip
                learn(
                    s, row.CRITIC_WEIGHTS, row.STATE, row.CRITIC_UNITS, 1, row.ERROR, row.BEFORE, row.BETA, rate, softening,
                    row.WEIGHTS, count,
                )  # fmt: skip
                for axis in range(INPUTS):
                    store(s, row.STATE + axis, load(s, row.AFTER + axis, count))
                for lane in range(count):
                    if s[row.OVER * count + lane] > 0.0:
                        end_episode(
                            s, lane, t, t >= steps - last, middle - last <= t < middle, count
                        )
                        if t + 1 >= middle and s[row.LATE * count + lane] > 0.0:
                            move_goal(s, lane, count)
                        start_episode(s, lane, start_states, place, count)
                if t == middle - 1:
                    end_half(s, count)
                if (t + 1) % width == 0:
                    end_bin(s, offset, t // width, float(width), curves, count)
            end(s, offset, single, weights, count)
        return seal

    number, whole = types.float64, types.int64
    matrix, cube, states = (
        types.Array(number, 2, "C"),
        types.Array(number, 3, "C"),
        types.Array(types.uint64, 2, "C"),
    )
    signature = types.int64(
        types.FunctionType(FORM),
        matrix,
        states,
        states,
        states,
        whole,
        whole,
        whole,
        cube,
        matrix,
        matrix,
    )
    return compile_kernel(run, signature, keep=True)


def kernel(count: int) -> Any:
    """The loop for blocks of `count` runs, compiled once per process;
    `altpg_verify.sim.online.neural.simulate` calls it.
    """
    with LOCK:
        return _compiled(count)
