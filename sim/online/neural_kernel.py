"""The inner loop of the neural agents, compiled: blocks of runs in lock step, one block after the other."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numba import njit, types

from sim import streams
from sim.jit import LOCK, compile_kernel, stamp
from sim.online import adam, neural_estimate, neural_networks
from sim.online.dot_reacher import ACTIONS, COST, TOLERANCE
from sim.online.inlined import exp, log
from sim.online.neural_lanes import magnitude, memory, where_below
from sim.online.neural_networks import HIDDEN, INNER, INPUTS

ACTOR, CRITIC = neural_networks.weights(ACTIONS), neural_networks.weights(1)
WEIGHTS = ACTOR + CRITIC
"""The actor's 239, then the critic's 151."""


@njit(error_model="numpy", nogil=True)
def start_weights(states, run, last, biases, out):
    """The weights of a network at the start: PyTorch's for the hidden layers, zero and the biases given for the last one."""
    one = np.empty(1)
    for i in range(INNER):
        bound = 1.0 / math.sqrt(float(INPUTS if i < neural_networks.FIRST else HIDDEN))
        streams.fill_uniforms(states, run, one)
        out[i] = bound * (2.0 * one[0] - 1.0)
    for i in range(last):
        for k in range(HIDDEN):
            out[INNER + i * (HIDDEN + 1) + k] = 0.0
        out[INNER + i * (HIDDEN + 1) + HIDDEN] = biases[i]


@functools.cache
def _compiled(count: int) -> Any:
    seal = stamp("neural")
    load, store, spread = memory(count)
    forward, learn = neural_networks.networks(count, WEIGHTS * count, 2 * WEIGHTS * count)
    # places in the flat array: the rows of the estimator, the weights with their moments, and what follows
    theta, pi, out, action, signal, value = (
        row * count
        for row in (
            neural_estimate.THETA,
            neural_estimate.PI,
            neural_estimate.ESTIMATE,
            neural_estimate.ACTION,
            neural_estimate.SIGNAL,
            neural_estimate.BASELINE,
        )
    )
    size = neural_estimate.ROWS * count

    def rows(how_many: int = 1) -> int:
        nonlocal size
        place, size = size, size + how_many * count
        return place

    actor, critic, _ = rows(ACTOR), rows(CRITIC), rows(2 * WEIGHTS)
    state, after, actor_units, critic_units, after_units, before = (rows(2), rows(2), *(rows(2 * HIDDEN) for _ in range(4)))
    bonus = rows(ACTIONS)
    after_value, error, chance, entropy, log_mass, mass, reached, over = (rows() for _ in range(8))
    length, broken = rows(), rows()
    alpha, beta, tau, cut, worst, late, goal, later, first_critic = (*(rows() for _ in range(6)), rows(2), rows(2), rows())
    first_theta, moves = rows(ACTIONS), rows(2 * ACTIONS)
    settings = first_critic // count - alpha // count + 1 + 3 * ACTIONS
    last_return, last_value, entropies, values, observed, returns, ended = (rows() for _ in range(7))
    final, finals, half, halves, whole, wholes, first_goal, goals = (rows() for _ in range(8))

    @njit(error_model="numpy", nogil=True)
    def act(s):
        """π, its entropy and an action, from the preferences; and the state after the action."""
        most = load(s, theta)
        for a in range(1, ACTIONS):
            preference = load(s, theta + a * count)
            most = where_below(most, preference, preference, most)
        for a in range(ACTIONS):
            store(s, pi + a * count, load(s, theta + a * count) - most)
        for i in range(pi, pi + ACTIONS * count):
            s[bonus + i - pi] = exp(s[i])
        total, weighted = spread(0.0), spread(0.0)
        for a in range(ACTIONS):
            weight = load(s, bonus + a * count)
            total = total + weight
            weighted = weighted + weight * load(s, pi + a * count)
        store(s, mass, total)
        for i in range(mass, mass + count):
            s[log_mass + i - mass] = log(s[i])
        scale = spread(1.0) / total
        surprise = load(s, log_mass) - weighted * scale
        store(s, entropy, surprise)
        draw, below, choice = load(s, chance), spread(0.0), spread(0.0)
        x, y = spread(0.0), spread(0.0)
        for a in range(ACTIONS):
            # action a is taken if the draw is at least π_0 + ... + π_{a-1}, until a later one takes over
            choice = where_below(draw, below, choice, spread(float(a)))
            x = where_below(draw, below, x, load(s, moves + a * count))
            y = where_below(draw, below, y, load(s, moves + (ACTIONS + a) * count))
            probability = load(s, bonus + a * count) * scale
            below = below + probability
            # pi holds θ - max θ until here, bonus gets the gradient of the entropy, -π (log π + H)
            store(s, bonus + a * count, spread(0.0) - probability * (load(s, pi + a * count) - load(s, log_mass) + surprise))
            store(s, pi + a * count, probability)
        store(s, action, choice)
        move(s, 0, x)
        move(s, count, y)

    @njit(error_model="numpy", nogil=True)
    def move(s, axis, by):
        place = load(s, state + axis) + by
        place = where_below(spread(1.0), place, spread(1.0), place)
        store(s, after + axis, where_below(place, spread(-1.0), spread(-1.0), place))

    @njit(error_model="numpy", nogil=True)
    def judge(s):
        """What the action brought: is the goal reached, is the episode over, the signal, the error; and has the run failed."""
        zero, one, tolerance = spread(0.0), spread(1.0), spread(TOLERANCE)
        off = magnitude(load(s, after) - load(s, goal))
        other = magnitude(load(s, after + count) - load(s, goal + count))
        off = where_below(off, other, other, off)
        done = where_below(tolerance, off, zero, one)
        store(s, reached, done)
        first = load(s, length)
        store(s, length, first + one)
        store(s, over, where_below(first + one, load(s, cut), done, one))
        now, then = load(s, value), load(s, after_value)
        # x - x is 0 for a finite x, and NaN for infinity and NaN
        fault = (now - now) + (then - then)
        for a in range(ACTIONS):
            preference = load(s, theta + a * count)
            fault = fault + (preference - preference)
        failed = where_below(fault, one, load(s, broken), one)
        store(s, broken, failed)
        store(s, last_return, where_below(failed, one, load(s, last_return), load(s, worst)))
        store(s, entropies, load(s, entropies) + where_below(failed, one, load(s, entropy), zero))
        fresh = where_below(first + failed, one, one, zero)
        store(s, values, load(s, values) + where_below(fresh, one, zero, now))
        store(s, observed, load(s, observed) + fresh)
        store(s, last_value, where_below(fresh, one, load(s, last_value), now))
        target = spread(-COST) + load(s, tau) * load(s, entropy) + where_below(tolerance, off, then, zero)
        store(s, signal, target)
        store(s, error, target - now)

    @njit(error_model="numpy", nogil=True)
    def steepen(s):
        """Add the gradient of the entropy to the estimate; what is too small to matter becomes 0, lest its square be subnormal."""
        for a in range(ACTIONS):
            slope = load(s, out + a * count) + load(s, tau) * load(s, bonus + a * count)
            store(s, out + a * count, where_below(magnitude(slope), spread(adam.NEGLIGIBLE), spread(0.0), slope))

    @njit(error_model="numpy", nogil=True)
    def end_episode(s, lane, t, is_final, is_half, moved, starts, place):
        """Note the return, and start again somewhere."""
        lost = s[broken + lane] > 0.0
        steps = s[length + lane]
        ret = s[worst + lane] if lost else -COST * steps
        s[last_return + lane] = ret
        s[returns + lane] += ret
        s[ended + lane] += 1.0
        s[whole + lane] += ret * steps
        s[wholes + lane] += steps
        if is_final:
            s[final + lane] += ret
            s[finals + lane] += 1.0
        if is_half:
            s[half + lane] += ret
            s[halves + lane] += 1.0
        if s[reached + lane] > 0.0 and not lost:
            s[goals + lane] += 1.0
            if s[first_goal + lane] < 0.0:
                s[first_goal + lane] = t + 1.0
        if moved:
            s[goal + lane], s[goal + count + lane] = s[later + lane], s[later + count + lane]
        start_episode(s, lane, starts, place)

    @njit(error_model="numpy", nogil=True)
    def start_episode(s, lane, starts, place):
        streams.fill_uniforms(starts, lane, place)
        s[state + lane], s[state + count + lane] = 2.0 * place[0] - 1.0, 2.0 * place[1] - 1.0
        s[length + lane] = 0.0

    @njit(error_model="numpy", nogil=True)
    def begin(s, numbers, offset, starts, draws, place):
        drawn = np.empty(WEIGHTS)
        for i in range(size):
            s[i] = 0.0
        for lane in range(count):
            for row in range(settings):
                s[alpha + row * count + lane] = numbers[row, offset + lane]
            biases = np.empty(ACTIONS)
            for a in range(ACTIONS):
                biases[a] = s[first_theta + a * count + lane]
            start_weights(draws, offset + lane, ACTIONS, biases, drawn)
            biases[0] = s[first_critic + lane]
            start_weights(draws, offset + lane, 1, biases, drawn[ACTOR:])
            for i in range(WEIGHTS):
                s[actor + i * count + lane] = drawn[i]
            s[last_return + lane], s[last_value + lane], s[first_goal + lane] = s[worst + lane], s[first_critic + lane], -1.0
            start_episode(s, lane, starts, place)

    @njit(error_model="numpy", nogil=True)
    def end_bin(s, offset, index, width, curves):
        for lane in range(count):
            many, some = s[ended + lane], s[observed + lane]
            curves[0, offset + lane, index] = s[returns + lane] / many if many > 0.0 else s[last_return + lane]
            curves[1, offset + lane, index] = s[entropies + lane] / width
            curves[2, offset + lane, index] = s[values + lane] / some if some > 0.0 else s[last_value + lane]
            s[ended + lane], s[returns + lane], s[entropies + lane], s[observed + lane], s[values + lane] = 0.0, 0.0, 0.0, 0.0, 0.0

    @njit(error_model="numpy", nogil=True)
    def end_half(s):
        for lane in range(count):
            s[half + lane] = s[half + lane] / s[halves + lane] if s[halves + lane] > 0.0 else s[last_return + lane]

    @njit(error_model="numpy", nogil=True)
    def end(s, offset, single, weights):
        for lane in range(count):
            run = offset + lane
            fault = 0.0
            for i in range(WEIGHTS):
                weights[run, i] = s[actor + i * count + lane]
                fault += weights[run, i] - weights[run, i]
            single[0, run] = s[final + lane] / s[finals + lane] if s[finals + lane] > 0.0 else s[last_return + lane]
            single[1, run] = s[half + lane]
            single[2, run] = s[whole + lane] / s[wholes + lane] if s[wholes + lane] > 0.0 else s[worst + lane]
            single[3, run], single[4, run] = s[first_goal + lane], s[goals + lane]
            single[5, run] = s[broken + lane] if fault == 0.0 else 1.0

    def run(estimate, numbers, actions, starts, draws, steps, width, last, curves, single, weights):
        spare = np.empty(size + 8)
        # whole values then share no line of the cache with their neighbours
        skipped = -(spare.ctypes.data // 8) % 8
        s = spare[skipped : skipped + size]
        chances = s[chance : chance + count]
        place = np.empty(2)
        act_states, start_states = np.empty((4, count), np.uint64), np.empty((4, count), np.uint64)
        middle = steps // 2
        for offset in range(0, numbers.shape[1], count):
            for word in range(4):
                for lane in range(count):
                    act_states[word, lane], start_states[word, lane] = actions[word, offset + lane], starts[word, offset + lane]
            begin(s, numbers, offset, start_states, draws, place)
            power_1, power_2 = 1.0, 1.0
            for t in range(steps):
                if t == middle:
                    for lane in range(count):
                        if s[late + lane] == 0.0:
                            s[goal + lane], s[goal + count + lane] = s[later + lane], s[later + count + lane]
                forward(s, actor, state, actor_units, ACTIONS, theta)
                streams.uniforms(act_states, chances)
                act(s)
                forward(s, critic, state, critic_units, 1, value)
                forward(s, critic, after, after_units, 1, after_value)
                judge(s)
                estimate(s)
                steepen(s)
                power_1 *= adam.BETA_1
                power_2 *= adam.BETA_2
                rate, softening = adam.correction(power_1, power_2)
                learn(s, actor, state, actor_units, ACTIONS, out, before, alpha, rate, softening)
                learn(s, critic, state, critic_units, 1, error, before, beta, rate, softening)
                for axis in range(0, INPUTS * count, count):
                    store(s, state + axis, load(s, after + axis))
                for lane in range(count):
                    if s[over + lane] > 0.0:
                        moved = t + 1 >= middle and s[late + lane] > 0.0
                        end_episode(s, lane, t, t >= steps - last, middle - last <= t < middle, moved, start_states, place)
                if t == middle - 1:
                    end_half(s)
                if (t + 1) % width == 0:
                    end_bin(s, offset, t // width, float(width), curves)
            end(s, offset, single, weights)
        return seal

    number, whole_number = types.float64, types.int64
    matrix, cube, states = types.Array(number, 2, "C"), types.Array(number, 3, "C"), types.Array(types.uint64, 2, "C")
    signature = types.int64(
        types.FunctionType(neural_estimate.FORM), matrix, states, states, states, whole_number, whole_number, whole_number,
        cube, matrix, matrix,
    )  # fmt: skip
    return compile_kernel(run, signature, keep=True)


def kernel(count: int) -> Any:
    """The loop for blocks of `count` runs, compiled once per process; `sim.online.neural.simulate` calls it."""
    with LOCK:
        return _compiled(count)
