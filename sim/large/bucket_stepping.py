"""The compiled loop of `LogBandit` on buckets: for estimators that need neither the policy's probabilities nor its value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from sim import streams
from sim.jit import compile_kernel, compiled_once
from sim.large.buckets import (
    FAR,
    GROUPS,
    LOW,
    NEXT,
    PATIENCE,
    PENDING,
    SCALE,
    SINCE,
    STEPS,
    TOTAL,
    TRIES,
    chance,
    file_all,
    move,
    number,
    propose,
)  # fmt: skip
from sim.large.exponential import LIMIT
from sim.large.kernels import INDICES, NUMBER, NUMBERS, WHOLE, stamp
from sim.large.memory import borrowed
from sim.large.rows import product
from sim.large.stepping import LEARNED, STATE, TAKEN

DONE, REFILE, REFUSED = 0, 1, 2
"""Why the loop ended: all steps are made; all actions must be filed anew, too soon; the update of the next step isn't possible."""

_0, _1, _11 = (np.uint64(i) for i in (0, 1, 11))
_BLOCK = streams.BLOCK
_HALF = _BLOCK // 2
_CYCLE = np.uint64(PENDING - 1)
WORDS = types.Array(types.uint64, 1, "C")
NAMES = types.Array(types.uint32, 1, "C")
FILES = (WORDS, WORDS, WORDS, NAMES, NAMES, types.Array(types.uint16, 1, "C"), NAMES, WORDS, NUMBERS)
"""bucket, inner, outer, arena, place, home, pending, whole, reference: see `sim.large.buckets`."""

_SIGNATURE = types.int64(
    types.FunctionType(TAKEN), types.boolean, NUMBERS, *FILES, NUMBERS, NUMBER, NUMBER, NUMBER, WHOLE,
    STATE, STATE, NUMBERS, INDICES, WHOLE, NUMBERS, INDICES, INDICES,
)  # fmt: skip


@compiled_once
def filing() -> Any:
    """`sim.large.buckets.file_all`, compiled and kept."""
    seal = stamp()

    def fill(theta, bucket, inner, outer, arena, place, home, pending, whole, reference):
        file_all(theta, bucket, inner, outer, arena, place, home, pending, whole, reference)
        return seal

    return compile_kernel(fill, types.int64(NUMBERS, *FILES), keep=True)


@compiled_once
def bucket_steps() -> Any:
    """The loop; with `advantage` the estimate in the taken action is R - b, and no function is called."""
    seal = stamp()

    def bucket_run(
        taken, advantage, own_theta, own_bucket, own_inner, own_outer, own_arena, own_place, own_home, own_pending, own_whole, reference,
        own_q, sigma, alpha, beta, mode, choices, noise, own_normal, next_draw, steps, numbers, last, own_journal,
    ):  # fmt: skip
        theta, bucket, inner, outer = borrowed(own_theta), borrowed(own_bucket), borrowed(own_inner), borrowed(own_outer)
        arena, place, home, pending = borrowed(own_arena), borrowed(own_place), borrowed(own_home), borrowed(own_pending)
        whole, q, normal, journal = borrowed(own_whole), borrowed(own_q), borrowed(own_normal), borrowed(own_journal)
        w0, w1, w2, w3 = choices[0, 0], choices[1, 0], choices[2, 0], choices[3, 0]
        next_normal, rho, digits = np.uint64(next_draw[1]), reference[0], np.int64(whole[SCALE])
        b, rewards, expected = numbers[0], numbers[1], numbers[2]
        tries, groups, end, done, filed = _0, _0, DONE, steps, 0
        for t in range(steps):
            while True:
                word, w0, w1, w2, w3 = streams._next(w0, w1, w2, w3)
                total = whole[TOTAL]
                x, rest = product(word, total)
                tries += _1
                if rest < total and rest < (_0 - total) % total:
                    continue
                action, g, r, group = propose(x, bucket, inner, outer, arena)
                groups += group
                before = theta[action]
                accepted = chance(r, before, bucket, rho, digits)
                if accepted == 1.0:
                    break
                if accepted > 0.0:
                    word, w0, w1, w2, w3 = streams._next(w0, w1, w2, w3)
                    if np.int64(word >> _11) * streams.UNIT < accepted:
                        break
            reward = q[action]
            expected += reward
            if sigma > 0.0:
                if next_normal == _BLOCK:
                    streams.fill_normals(noise, 0, normal[:_HALF], normal[_HALF:])
                    next_normal = _0
                # the stream has its normals in pairs, the fill in two halves
                reward += sigma * normal[(next_normal >> _1) + (next_normal & _1) * np.uint64(_HALF)]
                next_normal += _1
            rewards += reward
            moved = before + alpha * (reward - b if advantage else taken(before, 0.0, reward, b, q[action], 0.0))
            if not abs(moved) <= LIMIT:
                numbers[3], last[1], done, end = moved, action, t, REFUSED
                break
            theta[action] = moved
            if mode == LEARNED:
                b = beta * reward + (1.0 - beta) * b
            if journal.size > 0:
                journal[t] = action
            h = number(rho, moved)
            # a preference that rose is filed at once, so that no envelope is below its weight; so is one that fell far, or it would be
            # proposed in vain too often; any other, some steps later
            late = action
            if np.int64(g) <= h < np.int64(g) + FAR:
                at = whole[NEXT] & _CYCLE
                whole[NEXT] += _1
                late = np.uint64(pending[at])
                pending[at] = action
                g, h = np.uint64(home[late]), number(rho, theta[late])
            if h != np.int64(g):
                fits = h > 0
                if fits:
                    fits = move(late, g, np.uint64(h), bucket, inner, outer, arena, place, home, whole)
                if not fits or whole[TOTAL] < whole[LOW]:
                    if np.int64(whole[SINCE]) + t + 1 - filed < np.int64(whole[PATIENCE]):
                        done, end = t + 1, REFILE
                        break
                    file_all(theta, bucket, inner, outer, arena, place, home, pending, whole, reference)
                    filed, rho = t + 1, reference[0]
        choices[0, 0], choices[1, 0], choices[2, 0], choices[3, 0] = w0, w1, w2, w3
        numbers[0], numbers[1], numbers[2], last[0], last[2] = b, rewards, expected, done, end
        next_draw[1] = next_normal
        whole[SINCE] += np.uint64(done - filed)
        whole[STEPS] += np.uint64(done)
        whole[TRIES] += tries
        whole[GROUPS] += groups
        return seal

    return compile_kernel(bucket_run, _SIGNATURE, keep=True)
