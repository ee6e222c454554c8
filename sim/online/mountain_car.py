"""MountainCar, the car on a hill that must swing to get out, in three physics; position p, velocity v, a in {-1, 0, 1}.

MountainCar (Singh and Sutton, 1996):  v ← v + 0.001 a - 0.0025 cos 3p,  p ← p + v, by the new velocity.
RealisticMountainCar:  p ← p + Δ v, by the old velocity,  v ← v + Δ (-g m cos 3p + f a/m - k v)  with Δ = 0.1, g = 9.8, m = 0.2,
k = 0.3, f = 2, which the paper's experiments used; "newer" has -g cos 3p in place of -g m cos 3p, and g = 0.0025, m = 10, k = 0,
f = 0.1.

In all: |v| <= 0.07; p < -1.2 becomes p = -1.2, v = 0; an episode starts at p uniform in [-0.6, -0.4] with v = 0, each step costs
1, and the goal is p >= 0.5.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import njit, uint64

from sim.jit import compile_kernel, stamp
from sim.online.inlined import cos
from sim.online.lanes import DONE, PUSH, REWARD, SCALED, START, START_STREAM, STATE, STEP
from sim.online.tiles import find_corner, find_tiles
from sim.streams import UNIT, _next

DIMENSIONS = 2
FASTEST = 0.07
LEFTMOST, GOAL = -1.2, 0.5
REALISTIC = (9.8 * 0.2, 2.0 / 0.2, 0.3, 0.1)
"""Pull of the hill, acceleration by the motor, friction and time step of RealisticMountainCar."""
NEWER = (0.0025, 0.1 / 10.0, 0.0, 0.1)
"""The same in the newer physics."""


@njit(error_model="numpy", nogil=True, forceinline=True)
def arrive(numbers, wholes, i, lanes, p, v):
    """The state after a step to p at velocity v, before the left wall and the goal are considered."""
    wall = p < LEFTMOST
    p = LEFTMOST if wall else p
    v = 0.0 if wall else v
    numbers[uint64(STATE * lanes + i)] = p
    numbers[uint64((STATE + 1) * lanes + i)] = v
    numbers[uint64(REWARD * lanes + i)] = -1.0
    numbers[uint64(DONE * lanes + i)] = 1.0 if p >= GOAL else 0.0
    scale(numbers, wholes, i, lanes, p, v)


@njit(error_model="numpy", nogil=True, forceinline=True)
def scale(numbers, wholes, i, lanes, p, v):
    """Position and velocity in tiles."""
    numbers[uint64(SCALED * lanes + i)] = (p - LEFTMOST) * (4.0 / (GOAL - LEFTMOST))
    numbers[uint64((SCALED + 1) * lanes + i)] = (v + FASTEST) * (4.0 / (2.0 * FASTEST))
    find_corner(numbers, wholes, i, lanes, DIMENSIONS)


@njit(error_model="numpy", nogil=True, forceinline=True)
def limited(v):
    v = v if v < FASTEST else FASTEST
    return v if v > -FASTEST else -FASTEST


@functools.cache
def classic(lanes: int) -> Any:
    """One step of MountainCar in all lanes."""
    seal = stamp("linear")

    def step(numbers, wholes):
        if seal == 0:
            return
        for i in range(lanes):
            p, v = numbers[uint64(STATE * lanes + i)], numbers[uint64((STATE + 1) * lanes + i)]
            v = limited(v + 0.001 * numbers[uint64(PUSH * lanes + i)] - 0.0025 * cos(3.0 * p))
            arrive(numbers, wholes, i, lanes, p + v, v)
        for i in range(lanes):
            find_tiles(numbers, wholes, i, lanes, DIMENSIONS)

    return compile_kernel(step, STEP, keep=True)


@functools.cache
def realistic(lanes: int, constants: tuple[float, float, float, float]) -> Any:
    """One step of RealisticMountainCar in all lanes; constants: `REALISTIC` or `NEWER`."""
    seal = stamp("linear")
    hill, motor, friction, dt = constants

    def step(numbers, wholes):
        if seal == 0:
            return
        for i in range(lanes):
            p, v = numbers[uint64(STATE * lanes + i)], numbers[uint64((STATE + 1) * lanes + i)]
            push = numbers[uint64(PUSH * lanes + i)]
            arrive(numbers, wholes, i, lanes, p + dt * v, limited(v + dt * (motor * push - hill * cos(3.0 * p) - friction * v)))
        for i in range(lanes):
            find_tiles(numbers, wholes, i, lanes, DIMENSIONS)

    return compile_kernel(step, STEP, keep=True)


@functools.cache
def start(lanes: int) -> Any:
    """A new episode in one lane."""
    seal = stamp("linear")

    def begin(numbers, wholes, i):
        if seal == 0:
            return
        p = -0.6 + 0.2 * draw(wholes, i, lanes)
        numbers[uint64(STATE * lanes + i)] = p
        numbers[uint64((STATE + 1) * lanes + i)] = 0.0
        scale(numbers, wholes, i, lanes, p, 0.0)
        find_tiles(numbers, wholes, i, lanes, DIMENSIONS)

    return compile_kernel(begin, START, keep=True)


@njit(error_model="numpy", nogil=True, forceinline=True)
def draw(wholes, i, lanes):
    """A uniform in [0, 1) from the stream of starts of lane i."""
    a, b = uint64(START_STREAM * lanes + i), uint64((START_STREAM + 1) * lanes + i)
    c, counter = uint64((START_STREAM + 2) * lanes + i), uint64((START_STREAM + 3) * lanes + i)
    bits, wholes[a], wholes[b], wholes[c], wholes[counter] = _next(wholes[a], wholes[b], wholes[c], wholes[counter])
    return np.int64(bits >> uint64(11)) * UNIT
