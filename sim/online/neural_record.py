"""What is noted of each run: see `altpg_verify.sim.online.outcome` for what it all means."""

from __future__ import annotations

from numba import njit

from altpg_verify.sim.online import neural_rows as row
from altpg_verify.sim.online.dot_reacher import COST


@njit(error_model="numpy", nogil=True)
def mean(s, total, lane, otherwise, count):
    """A sum divided by the number in the row after it, or, if that is 0, the number in row
    `otherwise`.

    What a bin or half without an episode shows: the last known value.
    """
    many = s[(total + 1) * count + lane]
    return s[total * count + lane] / many if many > 0.0 else s[otherwise * count + lane]


@njit(error_model="numpy", nogil=True)
def end_episode(s, lane, t, is_final, is_half, count):
    """Note the return of the episode that has just ended, -0.01 a step, in the sums that it belongs
    to.

    Args:
        lane: whose episode; t: the step in which it ended.
        is_final, is_half: whether that step is one of the last before the end, or before half-time.
    """
    lost = s[row.BROKEN * count + lane] > 0.0
    steps = s[row.LENGTH * count + lane]
    ret = s[row.WORST * count + lane] if lost else -COST * steps
    s[row.LAST_RETURN * count + lane] = ret
    s[row.RETURN_SUM * count + lane] += ret
    s[row.RETURN_COUNT * count + lane] += 1.0
    s[row.WHOLE_SUM * count + lane] += ret * steps
    s[row.WHOLE_COUNT * count + lane] += steps
    if is_final:
        s[row.FINAL_SUM * count + lane] += ret
        s[row.FINAL_COUNT * count + lane] += 1.0
    if is_half:
        s[row.HALF_SUM * count + lane] += ret
        s[row.HALF_COUNT * count + lane] += 1.0
    if s[row.REACHED * count + lane] > 0.0 and not lost:
        s[row.GOALS * count + lane] += 1.0
        if s[row.FIRST_GOAL * count + lane] < 0.0:
            s[row.FIRST_GOAL * count + lane] = t + 1.0


@njit(error_model="numpy", nogil=True)
def end_bin(s, offset, index, width, curves, count):
    """curves (3, runs, bins) get return, entropy and value of start states; the next bin begins.

    index is the bin's number and width its length in steps; entropy is in nats, a mean over steps.
    """
    for lane in range(count):
        curves[0, offset + lane, index] = mean(s, row.RETURN_SUM, lane, row.LAST_RETURN, count)
        curves[1, offset + lane, index] = s[row.ENTROPIES * count + lane] / width
        curves[2, offset + lane, index] = mean(s, row.START_SUM, lane, row.LAST_VALUE, count)
        for noted in (
            row.RETURN_SUM,
            row.RETURN_COUNT,
            row.ENTROPIES,
            row.START_SUM,
            row.START_COUNT,
        ):
            s[noted * count + lane] = 0.0


@njit(error_model="numpy", nogil=True)
def end_half(s, count):
    """Turn the sum of returns before half-time into their mean, or the last return if no episode
    ended.
    """
    for lane in range(count):
        s[row.HALF_SUM * count + lane] = mean(s, row.HALF_SUM, lane, row.LAST_RETURN, count)


@njit(error_model="numpy", nogil=True)
def end(s, offset, single, weights, count):
    """single (6, runs) gets final, half, whole, first_goal, ends and failed; weights (runs,
    WEIGHTS) the weights.

    A run with a weight that isn't finite has failed, even if no preference or value showed it.
    """
    for lane in range(count):
        run = offset + lane
        fault = 0.0
        for i in range(row.WEIGHTS):
            weights[run, i] = s[(row.ACTOR_WEIGHTS + i) * count + lane]
            fault += weights[run, i] - weights[run, i]
        single[0, run] = mean(s, row.FINAL_SUM, lane, row.LAST_RETURN, count)
        single[1, run] = s[row.HALF_SUM * count + lane]
        single[2, run] = mean(s, row.WHOLE_SUM, lane, row.WORST, count)
        single[3, run], single[4, run] = (
            s[row.FIRST_GOAL * count + lane],
            s[row.GOALS * count + lane],
        )
        single[5, run] = s[row.BROKEN * count + lane] if fault == 0.0 else 1.0
