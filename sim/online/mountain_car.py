"""MountainCar, the car on a hill that must swing to get out, in three physics; position p, velocity
v, a in {-1, 0, 1}.

MountainCar (Singh and Sutton, 1996):  v ← v + 0.001 a - 0.0025 cos 3p,  p ← p + v, by the new
velocity. RealisticMountainCar:  p ← p + Δ v, by the old velocity,  v ← v + Δ (-g m cos 3p + f a/m -
k v)  with Δ = 0.1, g = 9.8, m = 0.2, k = 0.3, f = 2, which the paper's experiments used; "newer"
has -g cos 3p in place of -g m cos 3p, and g = 0.0025, m = 10, k = 0, f = 0.1.

In all: |v| <= 0.07; p < -1.2 becomes p = -1.2, v = 0; an episode starts at p uniform in [-0.6,
-0.4] with v = 0, each step costs 1, and the goal is p >= 0.5.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import njit, uint64

from altpg_verify.sim.jit import compile_kernel, stamp
from altpg_verify.sim.online import inlined
from altpg_verify.sim.online.lanes import (
    DONE,
    PUSH,
    REWARD,
    SCALED,
    SCRATCH,
    START,
    START_STREAM,
    STATE,
    STEP,
)
from altpg_verify.sim.online.tiles import find_tiles
from altpg_verify.sim.online.vectors import cos, load, spread, store, where
from altpg_verify.sim.streams import UNIT, _next

DIMENSIONS = 2
FASTEST = 0.07
SLOPE = SCRATCH
"""Row of cos 3p: kept from one step to the next, as nothing that is done in between waits for
it.
"""
LEFTMOST, GOAL = -1.2, 0.5
REALISTIC = (9.8 * 0.2, 2.0 / 0.2, 0.3, 0.1)
"""Pull of the hill, acceleration by the motor, friction and time step of RealisticMountainCar."""
NEWER = (0.0025, 0.1 / 10.0, 0.0, 0.1)
"""The same in the newer physics."""


@njit(error_model="numpy", nogil=True, forceinline=True)
def arrive(numbers, wholes, lanes, wraps, p, v):
    """In all lanes, the state after a step to position p at velocity v, and what it brings.

    The left wall stops the car: p < -1.2 becomes p = -1.2, v = 0. Written are STATE, REWARD (-1,
    the last step too), DONE (p >= 0.5), the tiles NEXT, and SLOPE = cos 3p for the next step.
    """
    # the left wall is inelastic: the car stays there, without velocity
    wall = p < LEFTMOST
    p, v = where(wall, LEFTMOST, p), where(wall, 0.0, v)
    store(numbers, STATE, lanes, p)
    store(numbers, STATE + 1, lanes, v)
    store(numbers, REWARD, lanes, spread(-1.0, lanes))
    store(numbers, DONE, lanes, where(p >= GOAL, 1.0, 0.0))
    store(numbers, SCALED, lanes, across(p))
    store(numbers, SCALED + 1, lanes, upwards(v))
    find_tiles(numbers, wholes, 0, lanes, lanes, DIMENSIONS, wraps)
    store(numbers, SLOPE, lanes, cos(3.0 * p))


@njit(error_model="numpy", nogil=True, forceinline=True)
def across(p):
    """The position, in [-1.2, 0.5], as a coordinate in tiles, in [0, 4].

    A position beyond the goal lies beyond the last tile; its episode is over, so its value is not
    used.
    """
    return (p - LEFTMOST) * (4.0 / (GOAL - LEFTMOST))


@njit(error_model="numpy", nogil=True, forceinline=True)
def upwards(v):
    """The velocity, in ±0.07, as a coordinate in tiles, in [0, 4]."""
    return (v + FASTEST) * (4.0 / (2.0 * FASTEST))


@njit(error_model="numpy", nogil=True, forceinline=True)
def limited(v):
    """The velocity, kept within ±`FASTEST`."""
    v = where(v < FASTEST, v, FASTEST)
    return where(v > -FASTEST, v, -FASTEST)


@functools.cache
def classic(lanes: int, coder: str) -> Any:
    """One step of MountainCar in all lanes, compiled: signature
    `altpg_verify.sim.online.lanes.STEP`.

    The new velocity moves the car, v ← v + 0.001 a - 0.0025 cos 3p and then p ← p + v.

    Args:
        lanes: how many runs go side by side.
        coder: one of `altpg_verify.sim.online.tiles.CODERS`.
    """
    seal, wraps = stamp("linear"), coder == "wrapping"

    def step(numbers, wholes):
        # never true: it puts the sources' fingerprint into the closure, and so into numba's cache
        # key
        if seal == 0:
            return
        p, v = load(numbers, STATE, lanes), load(numbers, STATE + 1, lanes)
        # 0.001 and 0.0025: force of the motor and pull of the hill, as in Gym
        v = limited(v + 0.001 * load(numbers, PUSH, lanes) - 0.0025 * load(numbers, SLOPE, lanes))
        arrive(numbers, wholes, lanes, wraps, p + v, v)

    return compile_kernel(step, STEP, keep=True)


@functools.cache
def realistic(lanes: int, coder: str, constants: tuple[float, float, float, float]) -> Any:
    """One step of RealisticMountainCar in all lanes, compiled, by Euler's method with a step of Δ.

    The old velocity moves the car: p ← p + Δ v and v ← v + Δ (f/m a - g m cos 3p - k v), so a push
    shows in the position one step later, which is what makes the task hard (paper, appendix F).

    Args:
        lanes: how many runs go side by side.
        coder: one of `altpg_verify.sim.online.tiles.CODERS`.
        constants: `REALISTIC` or `NEWER`: (pull, motor, friction, Δ).
    """
    seal, wraps = stamp("linear"), coder == "wrapping"
    hill, motor, friction, dt = constants

    def step(numbers, wholes):
        if seal == 0:
            return
        p, v = load(numbers, STATE, lanes), load(numbers, STATE + 1, lanes)
        push = load(numbers, PUSH, lanes)
        change = motor * push - hill * load(numbers, SLOPE, lanes) - friction * v
        # explicit Euler: the position moves with the velocity from before
        arrive(numbers, wholes, lanes, wraps, p + dt * v, limited(v + dt * change))

    return compile_kernel(step, STEP, keep=True)


@functools.cache
def start(lanes: int, coder: str) -> Any:
    """A new episode in one lane, compiled: p uniform in [-0.6, -0.4] and v = 0.

    Its signature is `altpg_verify.sim.online.lanes.START`; one uniform of the lane's stream is
    taken.

    Args:
        lanes: how many runs the block has.
        coder: one of `altpg_verify.sim.online.tiles.CODERS`.
    """
    seal, wraps = stamp("linear"), coder == "wrapping"

    def begin(numbers, wholes, i):
        if seal == 0:
            return
        # at the bottom of the valley, which is near -0.52
        p = -0.6 + 0.2 * draw(wholes, i, lanes)
        numbers[uint64(STATE * lanes + i)] = p
        numbers[uint64((STATE + 1) * lanes + i)] = 0.0
        numbers[uint64(SCALED * lanes + i)] = across(p)
        numbers[uint64((SCALED + 1) * lanes + i)] = upwards(0.0)
        find_tiles(numbers, wholes, i, 1, lanes, DIMENSIONS, wraps)
        numbers[uint64(SLOPE * lanes + i)] = inlined.cos(3.0 * p)

    return compile_kernel(begin, START, keep=True)


@njit(error_model="numpy", nogil=True, forceinline=True)
def draw(wholes, i, lanes):
    """A uniform in [0, 1) from the stream of starts of lane i.

    The four words of the stream's state stand in rows of `wholes`, from START_STREAM on, and move
    on by one draw; the number is the one that numpy's generator would give.
    """
    a, b = uint64(START_STREAM * lanes + i), uint64((START_STREAM + 1) * lanes + i)
    c, counter = uint64((START_STREAM + 2) * lanes + i), uint64((START_STREAM + 3) * lanes + i)
    bits, wholes[a], wholes[b], wholes[c], wholes[counter] = _next(
        wholes[a], wholes[b], wholes[c], wholes[counter]
    )
    return np.int64(bits >> uint64(11)) * UNIT
