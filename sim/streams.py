"""Random streams that belong to a run, not to a worker.

A stream is named by (root seed, experiment, setting, run, purpose). Its four 32-bit words of
entropy are the first 16 bytes of the SHA-256 of the canonical JSON of everything but the run; the
run is the fifth word. From there on it is numpy's own construction, so any stream can be had
without this package:

    numpy.random.SFC64(numpy.random.SeedSequence([*entropy(root, experiment, setting, purpose), run]))

Uniforms are numpy's too: the upper 53 bits of a draw, times 2⁻⁵³. Normals come in pairs from two
uniforms x, y (Box-Muller): √(-2 ln(x + 2⁻⁵³)) times cos 2πy, then sin 2πy.

A state is a (4, runs) array of uint64, one column a run, updated in place; the functions below are
compiled and hold all runs in lock step.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit, uint64

from altpg_verify.sim.portable_math import cos_sin_turn, log

UNIT = 2.0**-53
"""The distance between neighbouring uniforms; numpy's own."""

BLOCK = 128
"""How many draws `fill_uniforms` and `fill_normals` make at a time."""


def key(estimator: str, setting: Any) -> dict[str, Any]:
    """What names the streams of an agent: its estimator and its setting.

    Gradient noise counts only where there is any: the setting got that field after results had been
    kept, and without noise an agent has the streams it always had.

    Args:
        estimator: its name.
        setting: a dataclass of numbers and texts, such as `bandit.Bandit`.
    """
    return {
        "estimator": estimator,
        **{
            name: value
            for name, value in vars(setting).items()
            if value or name != "gradient_noise"
        },
    }


def entropy(root: int, experiment: str, setting: Any, purpose: str) -> tuple[int, int, int, int]:
    """Four 32-bit words that name a stream, for all of its runs.

    Args:
        root: the root seed.
        setting: anything JSON can hold, in any order of keys; NaN and infinities are refused.
        purpose: what is drawn, e.g. "actions": purposes of one agent have streams of their own, so
            that a change in one leaves the others as they are.

    Examples:
        The same stream by numpy alone, for run 7:

        >>> words = entropy(2022, "bandit", {"alpha": 0.5}, "actions")
        >>> import numpy as np
        >>> by_numpy = np.random.SFC64(np.random.SeedSequence([*words, 7]))
        >>> bool((states([words], 8)[0, :, 7] == by_numpy.state["state"]["state"]).all())
        True
    """
    name = json.dumps(
        [root, experiment, setting, purpose],
        sort_keys=True,
        separators=(",", ":"),
        # one text for one setting, whatever the order of fields or the locale
        ensure_ascii=True,
        allow_nan=False,
    )
    digest = hashlib.sha256(name.encode()).digest()
    # 128 of the 256 bits: SeedSequence's pool has four words
    first, second, third, fourth = (
        int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)
    )
    return first, second, third, fourth


def states(words: Sequence[tuple[int, int, int, int]], runs: int) -> np.ndarray:
    """(streams, 4, runs) uint64: for each four words, the states for runs 0, ..., runs-1, as
    numpy's SFC64 would start.

    This is `numpy.random.SeedSequence` with its default pool of four words, done for all streams at
    once.
    """
    keys = np.array(words, dtype=np.uint32).reshape(-1, 4)
    run = np.arange(runs, dtype=np.uint32)
    # INIT_A and MULT_A of numpy's SeedSequence; below INIT_B and MULT_B
    hashing = _Hash(0x43B0D7E5, 0x931E8875)
    # from here on as numpy's SeedSequence, for all streams and runs at once
    pool = [hashing(np.broadcast_to(keys[:, i, None], (len(keys), runs))) for i in range(4)]
    # every word of the pool affects every other
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mix(pool[target], hashing(pool[source]))
    for target in range(4):
        # the run is the fifth word: it is mixed into every word of the full pool
        pool[target] = _mix(pool[target], hashing(run))
    output = _Hash(0x8B51F9DD, 0x58F38DED)
    # six words of 32 bits make the three words of 64 bits that seed SFC64
    low_high = [output(pool[i % 4]).astype(np.uint64) for i in range(6)]
    a, b, c = (low_high[2 * i] | (low_high[2 * i + 1] << np.uint64(32)) for i in range(3))
    # SFC64 throws its first twelve draws away, to mix the seed
    for counter in range(1, 13):
        draw = a + b + np.uint64(counter)
        a, b, c = (
            b ^ (b >> np.uint64(11)),
            c + (c << np.uint64(3)),
            ((c << np.uint64(24)) | (c >> np.uint64(40))) + draw,
        )
    # the counter starts at 1 and stands at 13 after twelve draws
    return np.ascontiguousarray(np.stack([a, b, c, np.full_like(a, 13)], axis=1))


class _Hash:
    """SeedSequence's hash: each call mixes one word in with the next multiplier of a fixed
    sequence.
    """

    def __init__(self, start: int, factor: int) -> None:
        self.multiplier, self.factor = start, factor

    def __call__(self, value: np.ndarray) -> np.ndarray:
        value = value ^ np.uint32(self.multiplier)
        self.multiplier = self.multiplier * self.factor & 0xFFFFFFFF
        value = value * np.uint32(self.multiplier)
        return value ^ (value >> np.uint32(16))


def _mix(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    result: Any = x * np.uint32(0xCA01F9DD) - y * np.uint32(0x4973F715)
    return result ^ (result >> np.uint32(16))


@njit(error_model="numpy", nogil=True)
def _next(a, b, c, counter):
    """One step of SFC64: the draw and the new state."""
    draw = a + b + counter
    rotated = (c << uint64(24)) | (c >> uint64(40))
    return draw, b ^ (b >> uint64(11)), c + (c << uint64(3)), rotated + draw, counter + uint64(1)


@njit(error_model="numpy", nogil=True)
def uniforms(state, out):
    """One uniform in [0, 1) for every run, into out (runs,).

    53 bits of each draw count, so that 0 can come and 1 can't; state (4, runs) moves on by one.
    """
    for i in range(out.size):
        draw, state[0, i], state[1, i], state[2, i], state[3, i] = _next(
            state[0, i], state[1, i], state[2, i], state[3, i]
        )
        # the upper 53 bits, as a float has no more
        out[i] = np.int64(draw >> uint64(11)) * UNIT


@njit(error_model="numpy", nogil=True)
def _box_muller(x, y):
    """x, y hold uniforms and get normals."""
    for i in range(x.size):
        # x + 2⁻⁵³ lies in (0, 1]: the logarithm of 0 is never asked for
        radius = math.sqrt(-2.0 * log(x[i] + UNIT))
        cosine, sine = cos_sin_turn(y[i])
        x[i] = radius * cosine
        y[i] = radius * sine


@njit(error_model="numpy", nogil=True)
def normals(state, first, second):
    """The next two standard normals of every run, into first and second (runs,).

    Each pair takes two uniforms of the run's stream, whatever the caller does with the second
    normal.
    """
    uniforms(state, first)
    uniforms(state, second)
    _box_muller(first, second)


@njit(error_model="numpy", nogil=True)
def fill_uniforms(state, run, out):
    """The next out.size uniforms in [0, 1) of one run: the same numbers as by `uniforms`, call by
    call.

    For agents that don't take a draw in every step, such as those on the chain, whose episodes end
    at different times.
    """
    a, b, c, counter = state[0, run], state[1, run], state[2, run], state[3, run]
    for i in range(out.size):
        draw, a, b, c, counter = _next(a, b, c, counter)
        out[i] = np.int64(draw >> uint64(11)) * UNIT
    state[0, run], state[1, run], state[2, run], state[3, run] = a, b, c, counter


@njit(error_model="numpy", nogil=True)
def fill_normals(state, run, first, second):
    """The next first.size pairs of standard normals of one run: first[0], second[0], first[1], ...

    The same numbers as by `normals`, call by call.
    """
    a, b, c, counter = state[0, run], state[1, run], state[2, run], state[3, run]
    for i in range(first.size):
        draw, a, b, c, counter = _next(a, b, c, counter)
        first[i] = np.int64(draw >> uint64(11)) * UNIT
        draw, a, b, c, counter = _next(a, b, c, counter)
        second[i] = np.int64(draw >> uint64(11)) * UNIT
    state[0, run], state[1, run], state[2, run], state[3, run] = a, b, c, counter
    _box_muller(first, second)
