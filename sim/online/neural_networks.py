"""Networks with two hidden layers of ReLU units, forward and backward, for many runs in lock step.

All numbers stand in one flat array of floats, in rows of one number for each run; places are given
in rows. A network is a row for each weight: every unit's weights together, its bias after them; the
units of a layer, and the layers, in order.
"""

from __future__ import annotations

from numba import njit

from altpg_verify.sim.online import adam
from altpg_verify.sim.online.neural_lanes import load, spread, store, where_below

INPUTS = 2
HIDDEN = 10
FIRST = HIDDEN * (INPUTS + 1)
INNER = FIRST + HIDDEN * (HIDDEN + 1)
"""Weights of the first layer, and of both hidden layers."""


def weights(outputs: int) -> int:
    """How many weights, biases included, a network with so many outputs has: 140 + 11 · outputs."""
    return INNER + outputs * (HIDDEN + 1)


@njit(error_model="numpy", nogil=True)
def layer(s, w, inputs, x, outputs, out, least, count):
    """Outputs of a layer from row `out` on: max(bias + Σ weight · input, least), with its weights
    from row w and its inputs from row x.

    least is 0 for ReLU units and -∞ for linear ones; `total` is added up in the order of the
    inputs, the bias first, so that a lane has the bits of a run alone.
    """
    zero = spread(least, count)
    for j in range(outputs):
        # a unit's weights, then its bias
        total = load(s, w + inputs, count)
        for k in range(inputs):
            total = total + load(s, w + k, count) * load(s, x + k, count)
        # NaN stays NaN
        store(s, out + j, where_below(total, zero, zero, total))
        w += inputs + 1


@njit(error_model="numpy", nogil=True)
def forward(s, w, x, active, outputs, out, count):
    """out = network(x); active (2 x 10 rows) gets what the hidden units give.

    w, x, active and out are rows where the weights, the two inputs, the hidden units and the
    outputs begin.
    """
    second = active + HIDDEN
    layer(s, w, INPUTS, x, HIDDEN, active, 0.0, count)
    layer(s, w + FIRST, HIDDEN, active, HIDDEN, second, 0.0, count)
    # the output layer is linear: its least value is -∞
    layer(s, w + INNER, HIDDEN, second, outputs, out, -float("inf"), count)


@njit(error_model="numpy", nogil=True)
def learn_layer(s, w, inputs, x, outputs, slope, before, rate, softening, moments, count):
    """Move the weights of a layer up along slope; before gets the derivatives by its inputs.

    slope (outputs rows) is the derivative of the objective by this layer's outputs; before (inputs
    rows) is Σ_j w_jk slope_j, with the weights from before the update.
    """
    for k in range(inputs):
        store(s, before + k, spread(0.0, count))
    for j in range(outputs):
        by_output = load(s, slope + j, count)
        for k in range(inputs):
            # read before the update, for the derivative by the input needs the old weight
            weight = load(s, w, count)
            store(s, before + k, load(s, before + k, count) + weight * by_output)
            adam.update(
                s, w, moments, weight, by_output * load(s, x + k, count), rate, softening, count
            )
            w += 1
        adam.update(s, w, moments, load(s, w, count), by_output, rate, softening, count)
        w += 1


@njit(error_model="numpy", nogil=True)
def switch_off(s, active, slope, count):
    """Multiply slopes by ReLU's derivative: they become 0 where the unit's output isn't positive.

    active and slope are rows, ten of each; at an output of 0 the derivative is taken to be 0, as
    PyTorch does.
    """
    zero = spread(0.0, count)
    for k in range(HIDDEN):
        store(
            s,
            slope + k,
            where_below(zero, load(s, active + k, count), load(s, slope + k, count), zero),
        )


@njit(error_model="numpy", nogil=True)
def learn(s, w, x, active, outputs, slope, before, stepsize, rate, softening, moments, count):
    """One update of all weights of a network, up along Σ_j slope_j ∇output_j at x.

    Args:
        s: the block; w, x, active, slope: rows of its weights, inputs, hidden units (as `forward`
            left them) and of the slopes by its outputs.
        before: 2 x 10 rows of scratch.
        stepsize: the row of α or β; rate, softening: see `adam.correction`.
        moments: how many rows after a weight its first moment stands.
    """
    second, before_second = active + HIDDEN, before + HIDDEN
    # each run has a stepsize of its own
    rates, softenings = load(s, stepsize, count) * spread(rate, count), spread(softening, count)
    learn_layer(
        s,
        w + INNER,
        HIDDEN,
        second,
        outputs,
        slope,
        before_second,
        rates,
        softenings,
        moments,
        count,
    )
    # from the output backwards; each layer's slopes pass through ReLU's derivative
    switch_off(s, second, before_second, count)
    learn_layer(
        s,
        w + FIRST,
        HIDDEN,
        active,
        HIDDEN,
        before_second,
        before,
        rates,
        softenings,
        moments,
        count,
    )
    switch_off(s, active, before, count)
    learn_layer(s, w, INPUTS, x, HIDDEN, before, before_second, rates, softenings, moments, count)
