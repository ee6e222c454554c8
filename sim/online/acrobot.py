"""Acrobot, two links that hang from a pivot, with a motor between them (Sutton, 1996; Sutton and Barto, 2018, section 11.3, 1st ed.).

State (θ1, θ2, θ1', θ2'), torque a in {-1, 0, 1}; links of mass, length and inertia 1, centres of mass at 1/2, gravity 9.8:

    d1 = m lc² + m (l² + lc² + 2 l lc cos θ2) + 2 I = 7/2 + cos θ2,  d2 = m (lc² + l lc cos θ2) + I = 5/4 + cos θ2 / 2
    φ2 = g/2 sin(θ1 + θ2),  φ1 = -θ2'² sin θ2 / 2 - θ1' θ2' sin θ2 + 3g/2 sin θ1 + φ2
    θ2'' = (a + φ1 d2/d1 - θ1'² sin θ2 / 2 - φ2) / (5/4 - d2²/d1),  θ1'' = -(d2 θ2'' + φ1)/d1

One Runge-Kutta step of 0.2, then angles are taken to [-π, π] and velocities to 4π and 9π. A step costs 1, but for the one that
reaches the goal -cos θ1 - cos(θ1 + θ2) > 1; an episode starts uniformly in [-0.1, 0.1]⁴. The agent sees (cos θ1, cos θ2,
sin θ1, sin θ2, θ1', θ2').
"""

from __future__ import annotations

import functools
import math
from typing import Any

from numba import njit, uint64

from sim.jit import compile_kernel, stamp
from sim.online.inlined import cos_sin
from sim.online.lanes import DONE, PUSH, REWARD, SCALED, SCRATCH, START, STATE, STEP
from sim.online.mountain_car import draw
from sim.online.tiles import find_corner, find_tiles

DIMENSIONS = 6
GRAVITY, TIME = 9.8, 0.2
FASTEST = (4.0 * math.pi, 9.0 * math.pi)
# rows of scratch: the state at a stage, cosines and sines of its two angles, the weighted sum of slopes
AT, COSINES, SINES, SUM = SCRATCH, SCRATCH + 4, SCRATCH + 6, SCRATCH + 8


@njit(error_model="numpy", nogil=True, forceinline=True)
def accelerations(c1, s1, c2, s2, v1, v2, push):
    """(θ1'', θ2'')."""
    inverse = 1.0 / (3.5 + c2)
    d2 = 1.25 + 0.5 * c2
    phi2 = (0.5 * GRAVITY) * (s1 * c2 + c1 * s2)
    phi1 = (1.5 * GRAVITY) * s1 + phi2 - s2 * v2 * (0.5 * v2 + v1)
    a2 = (push + d2 * inverse * phi1 - 0.5 * v1 * v1 * s2 - phi2) / (1.25 - d2 * d2 * inverse)
    return -(d2 * a2 + phi1) * inverse, a2


@njit(error_model="numpy", nogil=True, forceinline=True)
def around(x):
    """The angle in [-π, π], for |x| <= 5π."""
    for _ in range(2):
        x = x - 2.0 * math.pi if x > math.pi else x
        x = x + 2.0 * math.pi if x < -math.pi else x
    return x


@njit(error_model="numpy", nogil=True, forceinline=True)
def limited(v, fastest):
    v = v if v < fastest else fastest
    return v if v > -fastest else -fastest


@njit(error_model="numpy", nogil=True, forceinline=True)
def show(numbers, wholes, i, lanes):
    """What the agent sees of the state AT, in tiles."""
    for k in range(4):
        numbers[uint64((SCALED + k) * lanes + i)] = (numbers[uint64((COSINES + k) * lanes + i)] + 1.0) * 2.0
    for k in range(2):
        numbers[uint64((SCALED + 4 + k) * lanes + i)] = (numbers[uint64((AT + 2 + k) * lanes + i)] + FASTEST[k]) * (2.0 / FASTEST[k])
    find_corner(numbers, wholes, i, lanes, DIMENSIONS)


@functools.cache
def step(lanes: int) -> Any:
    """One step in all lanes. Cosines and sines are up to date with STATE from the step before, or from the start."""
    seal = stamp("linear")

    def advance(numbers, wholes):
        if seal == 0:
            return
        for k in range(4):
            for i in range(lanes):
                numbers[uint64((AT + k) * lanes + i)] = numbers[uint64((STATE + k) * lanes + i)]
                numbers[uint64((SUM + k) * lanes + i)] = 0.0
        for stage in range(4):
            # the slopes count 1/6, 1/3, 1/3, 1/6; the next stage lies half a step ahead, then half, then one, and last is the end
            weight = TIME / 6.0 if stage == 0 or stage == 3 else TIME / 3.0
            ahead = 0.5 * TIME if stage < 2 else TIME
            end = 1.0 if stage == 3 else 0.0
            ahead = 0.0 if stage == 3 else ahead
            for i in range(lanes):
                v1, v2 = numbers[uint64((AT + 2) * lanes + i)], numbers[uint64((AT + 3) * lanes + i)]
                a1, a2 = accelerations(
                    numbers[uint64(COSINES * lanes + i)],
                    numbers[uint64(SINES * lanes + i)],
                    numbers[uint64((COSINES + 1) * lanes + i)],
                    numbers[uint64((SINES + 1) * lanes + i)],
                    v1,
                    v2,
                    numbers[uint64(PUSH * lanes + i)],
                )
                x1 = numbers[uint64(SUM * lanes + i)] + weight * v1
                x2 = numbers[uint64((SUM + 1) * lanes + i)] + weight * v2
                x3 = numbers[uint64((SUM + 2) * lanes + i)] + weight * a1
                x4 = numbers[uint64((SUM + 3) * lanes + i)] + weight * a2
                numbers[uint64(SUM * lanes + i)] = x1
                numbers[uint64((SUM + 1) * lanes + i)] = x2
                numbers[uint64((SUM + 2) * lanes + i)] = x3
                numbers[uint64((SUM + 3) * lanes + i)] = x4
                numbers[uint64(AT * lanes + i)] = numbers[uint64(STATE * lanes + i)] + (ahead * v1 + end * x1)
                numbers[uint64((AT + 1) * lanes + i)] = numbers[uint64((STATE + 1) * lanes + i)] + (ahead * v2 + end * x2)
                numbers[uint64((AT + 2) * lanes + i)] = numbers[uint64((STATE + 2) * lanes + i)] + (ahead * a1 + end * x3)
                numbers[uint64((AT + 3) * lanes + i)] = numbers[uint64((STATE + 3) * lanes + i)] + (ahead * a2 + end * x4)
            if stage == 3:
                for i in range(lanes):
                    numbers[uint64(AT * lanes + i)] = around(numbers[uint64(AT * lanes + i)])
                    numbers[uint64((AT + 1) * lanes + i)] = around(numbers[uint64((AT + 1) * lanes + i)])
                    numbers[uint64((AT + 2) * lanes + i)] = limited(numbers[uint64((AT + 2) * lanes + i)], FASTEST[0])
                    numbers[uint64((AT + 3) * lanes + i)] = limited(numbers[uint64((AT + 3) * lanes + i)], FASTEST[1])
            for i in range(2 * lanes):
                # both angles: their rows are neighbours
                cosine, sine = cos_sin(numbers[uint64(AT * lanes + i)])
                numbers[uint64(COSINES * lanes + i)] = cosine
                numbers[uint64(SINES * lanes + i)] = sine
        for i in range(lanes):
            c1, c2 = numbers[uint64(COSINES * lanes + i)], numbers[uint64((COSINES + 1) * lanes + i)]
            s1, s2 = numbers[uint64(SINES * lanes + i)], numbers[uint64((SINES + 1) * lanes + i)]
            done = -c1 - (c1 * c2 - s1 * s2) > 1.0
            numbers[uint64(DONE * lanes + i)] = 1.0 if done else 0.0
            numbers[uint64(REWARD * lanes + i)] = 0.0 if done else -1.0
            show(numbers, wholes, i, lanes)
        for k in range(4):
            for i in range(lanes):
                numbers[uint64((STATE + k) * lanes + i)] = numbers[uint64((AT + k) * lanes + i)]
        for i in range(lanes):
            find_tiles(numbers, wholes, i, lanes, DIMENSIONS)

    return compile_kernel(advance, STEP, keep=True)


@functools.cache
def start(lanes: int) -> Any:
    """A new episode in one lane."""
    seal = stamp("linear")

    def begin(numbers, wholes, i):
        if seal == 0:
            return
        for k in range(4):
            x = -0.1 + 0.2 * draw(wholes, i, lanes)
            numbers[uint64((STATE + k) * lanes + i)] = x
            numbers[uint64((AT + k) * lanes + i)] = x
        for k in range(2):
            cosine, sine = cos_sin(numbers[uint64((AT + k) * lanes + i)])
            numbers[uint64((COSINES + k) * lanes + i)] = cosine
            numbers[uint64((SINES + k) * lanes + i)] = sine
        show(numbers, wholes, i, lanes)
        find_tiles(numbers, wholes, i, lanes, DIMENSIONS)

    return compile_kernel(begin, START, keep=True)
