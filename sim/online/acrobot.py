"""Acrobot, two links that hang from a pivot, with a motor between them (Sutton, 1996; Sutton and
Barto, 2018, section 11.3, 1st ed.).

State (θ1, θ2, θ1', θ2'), torque a in {-1, 0, 1}; links of mass, length and inertia 1, centres of
mass at 1/2, gravity 9.8:

    d1 = m lc² + m (l² + lc² + 2 l lc cos θ2) + 2 I = 7/2 + cos θ2,  d2 = m (lc² + l lc cos θ2) + I = 5/4 + cos θ2 / 2
    φ2 = g/2 sin(θ1 + θ2),  φ1 = -θ2'² sin θ2 / 2 - θ1' θ2' sin θ2 + 3g/2 sin θ1 + φ2
    θ2'' = (a + φ1 d2/d1 - θ1'² sin θ2 / 2 - φ2) / (5/4 - d2²/d1),  θ1'' = -(d2 θ2'' + φ1)/d1

One Runge-Kutta step of 0.2, then angles are taken to [-π, π] and velocities to 4π and 9π. A step
costs 1, but for the one that reaches the goal -cos θ1 - cos(θ1 + θ2) > 1; an episode starts
uniformly in [-0.1, 0.1]⁴. The agent sees (cos θ1, sin θ1, cos θ2, sin θ2, θ1', θ2'), in this order
where tiles wrap around, as one of these carries into the next.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from numba import njit, uint64

from altpg_verify.sim.jit import compile_kernel, stamp
from altpg_verify.sim.online import inlined
from altpg_verify.sim.online.lanes import DONE, PUSH, REWARD, SCALED, SCRATCH, START, STATE, STEP
from altpg_verify.sim.online.mountain_car import draw
from altpg_verify.sim.online.tiles import find_tiles
from altpg_verify.sim.online.vectors import cos_sin, load, spread, store, where

DIMENSIONS = 6
GRAVITY, TIME = 9.8, 0.2
FASTEST = (4.0 * math.pi, 9.0 * math.pi)
# rows of scratch: cosines and sines of the two angles
COSINES, SINES = SCRATCH, SCRATCH + 2


@njit(error_model="numpy", nogil=True, forceinline=True)
def accelerations(c1, s1, c2, s2, v1, v2, push):
    """(θ1'', θ2'') in rad/s², from the cosines and sines of the angles, the velocities and the
    torque.

    With θ1 from the downward vertical and θ2 between the links; φ2 is written out by the addition
    theorem, so that no sine beyond those kept is needed, and 1/d1 is taken once.
    """
    # with masses and lengths 1, inertias 1 and centres of mass at 1/2
    inverse = 1.0 / (3.5 + c2)
    d2 = 1.25 + 0.5 * c2
    phi2 = (0.5 * GRAVITY) * (s1 * c2 + c1 * s2)
    phi1 = (1.5 * GRAVITY) * s1 + phi2 - s2 * v2 * (0.5 * v2 + v1)
    a2 = (push + d2 * inverse * phi1 - 0.5 * v1 * v1 * s2 - phi2) / (1.25 - d2 * d2 * inverse)
    return -(d2 * a2 + phi1) * inverse, a2


@njit(error_model="numpy", nogil=True, forceinline=True)
def around(x):
    """The angle in [-π, π], for |x| <= 5π: a turn of 2π is taken off, or added, at most twice.

    Without a division, whose rounding would show in the last bits. NaN stays NaN.
    """
    for _ in range(2):
        x = where(x > math.pi, x - 2.0 * math.pi, x)
        x = where(x < -math.pi, x + 2.0 * math.pi, x)
    return x


@njit(error_model="numpy", nogil=True, forceinline=True)
def limited(v, fastest):
    """The velocity in rad/s, kept within ±`fastest`; NaN becomes `fastest`, as comparisons with it
    are false.
    """
    v = where(v < fastest, v, fastest)
    return where(v > -fastest, v, -fastest)


@njit(error_model="numpy", nogil=True, forceinline=True)
def part(x):
    """A cosine or sine, in [-1, 1], as a coordinate in tiles, in [0, 4]."""
    return (x + 1.0) * 2.0


@njit(error_model="numpy", nogil=True, forceinline=True)
def speed(v, fastest):
    """A velocity in rad/s, in ±`fastest`, as a coordinate in tiles, in [0, 4]."""
    return (v + fastest) * (2.0 / fastest)


@functools.cache
def step(lanes: int, coder: str) -> Any:
    """One step in all lanes, compiled: signature `altpg_verify.sim.online.lanes.STEP`.

    It reads PUSH and STATE, and the COSINES and SINES that the step before left or the start made,
    and writes STATE, REWARD (-1, or 0 at the goal), DONE and the tiles NEXT. One trip round the
    loop is one stage of the classic Runge-Kutta method; the trigonometry of a stage's end serves
    the next one.

    Args:
        lanes: how many runs go side by side.
        coder: one of `altpg_verify.sim.online.tiles.CODERS`.
    """
    seal, wraps = stamp("linear"), coder == "wrapping"

    def advance(numbers, wholes):
        # never true: it puts the sources' fingerprint into the closure, and so into numba's cache
        # key
        if seal == 0:
            return
        push = load(numbers, PUSH, lanes)
        x1, x2 = load(numbers, STATE, lanes), load(numbers, STATE + 1, lanes)
        x3, x4 = load(numbers, STATE + 2, lanes), load(numbers, STATE + 3, lanes)
        v1, v2 = x3, x4
        c1, c2 = load(numbers, COSINES, lanes), load(numbers, COSINES + 1, lanes)
        s1, s2 = load(numbers, SINES, lanes), load(numbers, SINES + 1, lanes)
        # the weighted sum of the four slopes (Runge and Kutta, fourth order)
        y1 = y2 = y3 = y4 = spread(0.0, lanes)
        for stage in range(4):
            # the slopes count 1/6, 1/3, 1/3, 1/6; the next stage lies half a step ahead, then half,
            # then one, and last is the end
            weight = TIME / 6.0 if stage == 0 or stage == 3 else TIME / 3.0
            ahead = 0.5 * TIME if stage < 2 else TIME
            end = 1.0 if stage == 3 else 0.0
            ahead = 0.0 if stage == 3 else ahead
            a1, a2 = accelerations(c1, s1, c2, s2, v1, v2, push)
            y1, y2, y3, y4 = y1 + weight * v1, y2 + weight * v2, y3 + weight * a1, y4 + weight * a2
            z1, z2 = x1 + (ahead * v1 + end * y1), x2 + (ahead * v2 + end * y2)
            v1, v2 = x3 + (ahead * a1 + end * y3), x4 + (ahead * a2 + end * y4)
            if stage == 3:
                z1, z2 = around(z1), around(z2)
                v1, v2 = limited(v1, FASTEST[0]), limited(v2, FASTEST[1])
                store(numbers, STATE, lanes, z1)
                store(numbers, STATE + 1, lanes, z2)
                store(numbers, STATE + 2, lanes, v1)
                store(numbers, STATE + 3, lanes, v2)
            c1, s1 = cos_sin(z1)
            c2, s2 = cos_sin(z2)
        store(numbers, COSINES, lanes, c1)
        store(numbers, COSINES + 1, lanes, c2)
        store(numbers, SINES, lanes, s1)
        store(numbers, SINES + 1, lanes, s2)
        # cos(θ1 + θ2) by the addition theorem
        done = -c1 - (c1 * c2 - s1 * s2) > 1.0
        store(numbers, DONE, lanes, where(done, 1.0, 0.0))
        store(numbers, REWARD, lanes, where(done, 0.0, -1.0))
        store(numbers, SCALED, lanes, part(c1))
        store(numbers, SCALED + 1, lanes, part(s1 if wraps else c2))
        store(numbers, SCALED + 2, lanes, part(c2 if wraps else s1))
        store(numbers, SCALED + 3, lanes, part(s2))
        store(numbers, SCALED + 4, lanes, speed(v1, FASTEST[0]))
        store(numbers, SCALED + 5, lanes, speed(v2, FASTEST[1]))
        find_tiles(numbers, wholes, 0, lanes, lanes, DIMENSIONS, wraps)

    return compile_kernel(advance, STEP, keep=True)


@functools.cache
def start(lanes: int, coder: str) -> Any:
    """A new episode in one lane, compiled: signature `altpg_verify.sim.online.lanes.START`.

    Four uniforms of the lane's stream of starts give the angles and velocities, in this order.

    Args:
        lanes: how many runs the block has.
        coder: one of `altpg_verify.sim.online.tiles.CODERS`.
    """
    seal, wraps = stamp("linear"), coder == "wrapping"

    def begin(numbers, wholes, i):
        # as above: only the closure matters
        if seal == 0:
            return
        for k in range(4):
            # angles and velocities uniform in ±0.1
            x = -0.1 + 0.2 * draw(wholes, i, lanes)
            numbers[uint64((STATE + k) * lanes + i)] = x
        for k in range(2):
            cosine, sine = inlined.cos_sin(numbers[uint64((STATE + k) * lanes + i)])
            numbers[uint64((COSINES + k) * lanes + i)] = cosine
            numbers[uint64((SINES + k) * lanes + i)] = sine
        for k in range(4):
            # cosines, then sines; or, as above, one angle after the other
            to = 2 * (k % 2) + k // 2 if wraps else k
            numbers[uint64((SCALED + to) * lanes + i)] = part(
                numbers[uint64((COSINES + k) * lanes + i)]
            )
        for k in range(2):
            numbers[uint64((SCALED + 4 + k) * lanes + i)] = speed(
                numbers[uint64((STATE + 2 + k) * lanes + i)], FASTEST[k]
            )
        find_tiles(numbers, wholes, i, 1, lanes, DIMENSIONS, wraps)

    return compile_kernel(begin, START, keep=True)
