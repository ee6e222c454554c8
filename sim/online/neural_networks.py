"""Networks with two hidden layers of ReLU units, forward and backward, for many runs in lock step.

All numbers stand in one flat array of floats, in rows of one number for each run; places are given in floats. A network is a row
for each weight: every unit's weights together, its bias after them; the units of a layer, and the layers, in order.
"""

from __future__ import annotations

import functools
from typing import Any

from numba import njit

from sim.online import adam
from sim.online.neural_lanes import memory, where_below

INPUTS = 2
HIDDEN = 10
FIRST = HIDDEN * (INPUTS + 1)
INNER = FIRST + HIDDEN * (HIDDEN + 1)
"""Weights of the first layer, and of both hidden layers."""


def weights(outputs: int) -> int:
    """How many weights a network has."""
    return INNER + outputs * (HIDDEN + 1)


@functools.cache
def networks(count: int, m_offset: int, v_offset: int) -> tuple[Any, Any]:
    """(forward, learn) for networks of `count` runs, whose moments for Adam stand m_offset and v_offset after the weights."""
    load, store, spread = memory(count)
    step = adam.update(count, m_offset, v_offset)

    @njit(error_model="numpy", nogil=True)
    def layer(s, w, inputs, x, outputs, out, least):
        zero = spread(least)
        for j in range(outputs):
            total = load(s, w + inputs * count)
            for k in range(inputs):
                total = total + load(s, w + k * count) * load(s, x + k * count)
            # NaN stays NaN
            store(s, out + j * count, where_below(total, zero, zero, total))
            w += (inputs + 1) * count

    @njit(error_model="numpy", nogil=True)
    def forward(s, w, x, active, outputs, out):
        """out = network(x); active (2 x 10 rows) gets what the hidden units give."""
        second = active + HIDDEN * count
        layer(s, w, INPUTS, x, HIDDEN, active, 0.0)
        layer(s, w + FIRST * count, HIDDEN, active, HIDDEN, second, 0.0)
        layer(s, w + INNER * count, HIDDEN, second, outputs, out, -float("inf"))

    @njit(error_model="numpy", nogil=True)
    def learn_layer(s, w, inputs, x, outputs, slope, before, rate, softening):
        """Move the weights along slope (the derivatives by this layer's outputs); before gets those by x, with the old weights."""
        for k in range(inputs):
            store(s, before + k * count, spread(0.0))
        for j in range(outputs):
            by_output = load(s, slope + j * count)
            for k in range(inputs):
                weight = load(s, w)
                store(s, before + k * count, load(s, before + k * count) + weight * by_output)
                step(s, w, weight, by_output * load(s, x + k * count), rate, softening)
                w += count
            step(s, w, load(s, w), by_output, rate, softening)
            w += count

    @njit(error_model="numpy", nogil=True)
    def switch_off(s, active, slope):
        zero = spread(0.0)
        for k in range(HIDDEN):
            store(s, slope + k * count, where_below(zero, load(s, active + k * count), load(s, slope + k * count), zero))

    @njit(error_model="numpy", nogil=True)
    def learn(s, w, x, active, outputs, slope, before, stepsize, rate, softening):
        """One update along Σ slope ∇output at x; stepsize is a place, before (2 x 10 rows) is scratch."""
        second, before_second = active + HIDDEN * count, before + HIDDEN * count
        rates, softenings = load(s, stepsize) * spread(rate), spread(softening)
        learn_layer(s, w + INNER * count, HIDDEN, second, outputs, slope, before_second, rates, softenings)
        switch_off(s, second, before_second)
        learn_layer(s, w + FIRST * count, HIDDEN, active, HIDDEN, before_second, before, rates, softenings)
        switch_off(s, active, before)
        learn_layer(s, w, INPUTS, x, HIDDEN, before, before_second, rates, softenings)

    return forward, learn
