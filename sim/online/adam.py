"""Adam (Kingma and Ba, 2014) with PyTorch's defaults, as an ascent, for many runs in lock step.

With g the estimate of the gradient and t = 1, 2, ... counting updates,

    m ← β₁ m + (1 - β₁) g,   v ← β₂ v + (1 - β₂) g²,   w ← w + α (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε),

computed as w + rate m / (√v + softening) with rate = α √(1 - β₂ᵗ) / (1 - β₁ᵗ) and softening = ε √(1
- β₂ᵗ).

A moment m below `FLUSH` counts as 0. The m of a unit that is never active shrinks by a tenth with
every step into the subnormal numbers, which many processors handle a hundred times slower; what is
cut off moves a weight by less than 1e-280 in a step.
"""

from __future__ import annotations

import math

from numba import njit

from altpg_verify.sim.online.neural_lanes import load, magnitude, root, spread, store, where_below

BETA_1 = 0.9
BETA_2 = 0.999
EPSILON = 1e-8
FLUSH = 1e-290
NEGLIGIBLE = 1e-120
"""A gradient below this moves a weight by less than 1e-110, but its square costs as much as any
other subnormal number.
"""


@njit(error_model="numpy", nogil=True)
def correction(power_1, power_2):
    """(rate / α, softening) = (√(1 - β₂ᵗ) / (1 - β₁ᵗ), ε √(1 - β₂ᵗ)), given the powers β₁ᵗ and β₂ᵗ.

    Both corrections of the bias are thus made once a step, not once a weight.
    """
    # both corrections of Adam's moments, folded into the stepsize and ε
    unbiased = math.sqrt(1.0 - power_2)
    return unbiased / (1.0 - power_1), EPSILON * unbiased


@njit(error_model="numpy", nogil=True)
def update(s, row, moments, w, g, rate, softening, count):
    """The ascent of one weight w = row `row` of s, along g; its moments move too.

    m and v stand `moments` and 2 `moments` rows after w. g, rate and softening are values of
    `count` lanes (see `neural_lanes`); an m that is smaller than `FLUSH` becomes 0.
    """
    m = spread(BETA_1, count) * load(s, row + moments, count) + spread(1.0 - BETA_1, count) * g
    v = (
        spread(BETA_2, count) * load(s, row + 2 * moments, count)
        + spread(1.0 - BETA_2, count) * g * g
    )
    # subnormal numbers are slow
    m = where_below(magnitude(m), spread(FLUSH, count), spread(0.0, count), m)
    store(s, row + moments, m)
    store(s, row + 2 * moments, v)
    # ascent: plus, where Adam minimises
    store(s, row, w + rate * m / (root(v) + softening))
