"""The compiled loop of `LogBandit` on envelopes: for estimators that need neither the policy's
probabilities nor its value.

Proposals are made `AHEAD` at a time, so that their walks wait for memory side by side, and tried
one after the other. That leaves draws exact, though preferences change in between: a proposal is
uniform on the stretches as they were, and is accepted for numbers below the present weight, which
may be any as long as it isn't above the envelope of then. So as soon as an action's weight rises
above its envelope, the proposals that were not looked at are given up, and fewer are made next
time.

An action whose preference fell is filed anew two steps later, so that a step needn't wait for the
one before. One that rose above its envelope, or fell by more than `FAR`, is filed at once.

Where one action has more than half of T, its stretch is looked at before the rows are. It is filed
a little higher than it must be, so that its next rises don't give up proposals.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types

from altpg_verify.sim import streams
from altpg_verify.sim.jit import LOCK, compile_kernel, compiled_once
from altpg_verify.sim.large.envelopes import (
    BATCHES,
    DRAWN,
    FAR,
    HOT,
    LOW,
    MOVES,
    NEWEST,
    NEXT_DRAWN,
    OLDEST,
    PATIENCE,
    PROPOSALS,
    SCALE,
    SEEN,
    SINCE,
    STEPS,
    TOTAL,
    WALKS,
    chance,
    change,
    depth,
    file_all,
    filed_depth,
    own_depth,
    packed,
    start,
    walk,
    width,
)  # fmt: skip
from altpg_verify.sim.large.exponential import LIMIT
from altpg_verify.sim.large.kernels import INDICES, NUMBER, NUMBERS, WHOLE, stamp
from altpg_verify.sim.large.memory import borrowed, prefetch
from altpg_verify.sim.large.rows import product
from altpg_verify.sim.large.stepping import LEARNED, STATE, TAKEN, next_noise

AHEAD = 8
"""How many proposals are made at a time."""

SPARE = 4
"""How many depths higher than it must be an action with more than half of T is filed when it rises,
and may stay when it falls.
"""

DONE, REFILE, REFUSED = 0, 1, 2
"""Why the loop ended: all steps are made; all actions must be filed anew, too soon; the update of
the next step isn't possible.
"""

CACHED = 3
"""With more levels than that, what a step needs of an action is likely not in the cache and is
asked for when it is proposed.
"""

_0, _1, _11 = (np.uint64(i) for i in (0, 1, 11))
_AHEAD = np.uint64(AHEAD)
WORDS = types.Array(types.uint64, 1, "C")
FILES = (WORDS, WORDS, WORDS, types.Array(types.uint32, 1, "C"), WORDS, WORDS, NUMBERS)
"""bound, sums, first, depths, batch, whole, reference: see `altpg_verify.sim.large.envelopes`.

`batch` has the proposals, (action, r) for each.
"""

_SIGNATURE = types.int64(
    types.FunctionType(TAKEN), NUMBERS, *FILES, NUMBERS, NUMBER, NUMBER, NUMBER, WHOLE,
    STATE, STATE, NUMBERS, INDICES, WHOLE, NUMBERS, INDICES, INDICES,
)  # fmt: skip


@compiled_once
def filing() -> Any:
    """`altpg_verify.sim.large.envelopes.file_all`, compiled and kept.

    Its arguments are the preferences and `FILES`; it returns the stamp of the sources.
    """
    seal = stamp()

    def fill(theta, bound, sums, first, depths, batch, whole, reference):
        file_all(theta, bound, sums, first, depths, batch, whole, reference)
        return seal

    return compile_kernel(fill, types.int64(NUMBERS, *FILES), keep=True)


def envelope_steps(levels: int, advantage: bool) -> Any:
    """The loop for so many levels of rows; with `advantage` the estimate in the taken action is R -
    b, and no function is called.
    """
    with LOCK:
        return _envelope_steps(levels, advantage)


@functools.cache
def _envelope_steps(levels: int, advantage: bool) -> Any:
    seal, far_away = stamp(), levels > CACHED

    def envelope_run(
        taken, own_theta, own_bound, own_sums, own_first, own_depths, own_batch, own_whole, reference,
        own_q, sigma, alpha, beta, mode, choices, noise, own_normal, next_draw, steps, numbers, last, own_journal,
    ):  # fmt: skip
        theta, bound, sums, first = (
            borrowed(own_theta),
            borrowed(own_bound),
            borrowed(own_sums),
            borrowed(own_first),
        )
        depths, batch, whole = borrowed(own_depths), borrowed(own_batch), borrowed(own_whole)
        q, normal, journal = borrowed(own_q), borrowed(own_normal), borrowed(own_journal)
        w0, w1, w2, w3 = choices[0, 0], choices[1, 0], choices[2, 0], choices[3, 0]
        next_normal, rho, digits = np.uint64(next_draw[1]), reference[0], np.int64(whole[SCALE])
        b, rewards, expected = numbers[0], numbers[1], numbers[2]
        total, low, hot = whole[TOTAL], whole[LOW], whole[HOT]
        seen, drawn, next_drawn = whole[SEEN], whole[DRAWN], whole[NEXT_DRAWN]
        newest, oldest = whole[NEWEST], whole[OLDEST]
        proposals, walks, moves, end, t, filed_at = _0, _0, _0, DONE, 0, 0
        while t < steps:
            if seen == drawn:
                seen, drawn = _0, next_drawn
                # twice as many each time, as long as no proposal is thrown away
                next_drawn = min(next_drawn << _1, _AHEAD)
                proposals += drawn
                hot_width = width(bound, filed_depth(depths[hot]))
                # tried first only if it has more than half of T: else the comparison costs more
                # than it saves
                hot_width = hot_width if hot_width > total >> _1 else _0
                hot_start = start(hot, sums, first, levels)
                # counted in memory, since one more register would cost more
                whole[BATCHES] += _1
                for j in range(drawn):
                    while True:
                        # the state of the stream stays in registers
                        word, w0, w1, w2, w3 = streams._next(w0, w1, w2, w3)
                        x, rest = product(word, total)
                        # Lemire's method: the slow modulo is computed only if the low word is small
                        if rest >= total or rest >= (_0 - total) % total:
                            break
                    # unsigned: a number below the start wraps around and is larger than any width
                    if x - hot_start < hot_width:
                        action, r = hot, x - hot_start
                    else:
                        action, r = walk(x, sums, first, levels)
                        walks += _1
                        if far_away:
                            prefetch(theta, action)
                            prefetch(depths, action)
                            prefetch(q, action)
                    batch[j << _1], batch[(j << _1) + _1] = action, r
                hot = action
            action, r = batch[seen << _1], batch[(seen << _1) + _1]
            seen += _1
            before, word32 = theta[action], depths[action]
            accepted = chance(r, own_depth(word32), before, bound, rho, digits)
            if accepted < 1.0:
                # refused: the next proposal, and no step is made
                if accepted == 0.0:
                    continue
                word, w0, w1, w2, w3 = streams._next(w0, w1, w2, w3)
                # a second uniform, for the rare case in which whole numbers don't decide
                if np.int64(word >> _11) * streams.UNIT >= accepted:
                    continue
            reward = q[action]
            # before the noise: q(A), whose mean over π is r_π
            expected += reward
            if sigma > 0.0:
                z, next_normal = next_noise(noise, normal, next_normal)
                reward += sigma * z
            rewards += reward
            moved = before + alpha * (
                reward - b if advantage else taken(before, 0.0, reward, b, q[action], 0.0)
            )
            # written so that NaN is refused, too
            if not abs(moved) <= LIMIT:
                numbers[3], last[1], end = moved, action, REFUSED
                break
            theta[action] = moved
            if mode == LEARNED:
                b = beta * reward + (1.0 - beta) * b
            if journal.size > 0:
                journal[t] = action
            t += 1
            g, h = filed_depth(word32), depth(rho, moved)
            depths[action] = packed(g, np.uint64(h))
            # where it is filed isn't below its weight: that can wait, and the action before the
            # last one's turn has come
            late = action
            if np.int64(g) <= h < np.int64(g) + FAR:
                late, oldest, newest = oldest, newest, action
                g, h = filed_depth(depths[late]), np.int64(own_depth(depths[late]))
            # the one tried first may be filed a little too high
            if h != np.int64(g) and (late != hot or not np.int64(g) < h <= np.int64(g) + SPARE):
                own, outdated = np.uint64(h), False
                if h < np.int64(g):
                    # the rest was proposed under an envelope that is below the weight now
                    seen, drawn, next_drawn = _0, _0, _1
                    outdated = h == 0
                    h = max(h - SPARE if late == hot else h, 1)
                # unsigned, so a shorter stretch is an amount modulo 2⁶⁴
                amount = width(bound, np.uint64(h)) - width(bound, g)
                depths[late] = packed(np.uint64(h), own)
                change(late, amount, sums, first, levels)
                total += amount
                moves += _1
                # a preference came too near to the reference, or rounding up takes too large a part
                # of T
                if outdated or total < low:
                    if np.int64(whole[SINCE]) + t - filed_at < np.int64(whole[PATIENCE]):
                        end = REFILE
                        break
                    file_all(theta, bound, sums, first, depths, batch, whole, reference)
                    filed_at, rho, total, hot = t, reference[0], whole[TOTAL], whole[HOT]
                    seen, drawn, next_drawn, newest, oldest = _0, _0, _1, _0, _0
        choices[0, 0], choices[1, 0], choices[2, 0], choices[3, 0] = w0, w1, w2, w3
        numbers[0], numbers[1], numbers[2], last[0], last[2] = b, rewards, expected, t, end
        next_draw[1] = next_normal
        whole[TOTAL], whole[HOT] = total, hot
        whole[SEEN], whole[DRAWN], whole[NEXT_DRAWN] = seen, drawn, next_drawn
        whole[NEWEST], whole[OLDEST] = newest, oldest
        whole[SINCE] += np.uint64(t - filed_at)
        whole[STEPS] += np.uint64(t)
        whole[PROPOSALS] += proposals
        whole[WALKS] += walks
        whole[MOVES] += moves
        return seal

    return compile_kernel(envelope_run, _SIGNATURE, keep=True)
