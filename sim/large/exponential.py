"""e^θ as mantissa times a power of two, for preferences far beyond the range of a double's
exponential.

    e^θ = m · 2ⁿ,  n = round(θ / ln 2),  m = e^(θ - n ln 2) in [0.70, 1.42],  for |θ| <= `LIMIT`.

n ln 2 is taken off in three parts, the first two so short that n times them, and the differences,
are exact; what is left of the error is the rounding of n times the third part, under 2⁻⁵⁵. Only + -
* and integer operations on the bits are used, so the result is the same on every machine (see
`altpg_verify.sim.portable_math`). Relative error of m: at most 2⁻⁵²
(tests/large/test_exponential.py).
"""

from __future__ import annotations

from numba import njit

from altpg_verify.sim.portable_math import _LOG2_E, _SHIFT, _SHIFT_BITS, _bits, _from_bits

LIMIT = 2.0**30
"""Largest preference, in absolute value: there a double still resolves 2⁻²², and the power of two
fits 32 bits.
"""

# ln 2 in parts that are multiples of 2⁻²² and 2⁻⁴⁴, and the rest
_LN2_1 = float.fromhex("0x1.62e428p-1")
_LN2_2 = float.fromhex("0x1.fbe8e0p-23")
_LN2_3 = float.fromhex("0x1.ef35793c7673p-45")


@njit(error_model="numpy", nogil=True)
def split_exp(theta):
    """(m, n) with e^theta = m · 2ⁿ, m in [0.70, 1.42]; theta is a number of absolute value up to
    `LIMIT`.

    Relative error of m at most 2⁻⁵².
    """
    # the addition of a large number rounds to a whole one, which then stands in the lowest bits
    shifted = theta * _LOG2_E + _SHIFT
    n = shifted - _SHIFT
    # the first two products are exact, so r keeps full precision (Cody and Waite)
    r = ((theta - n * _LN2_1) - n * _LN2_2) - n * _LN2_3
    # Taylor series on |r| <= ln(2)/2, summed in pairs, which is faster than one after the other;
    # the first term left out is below 5e-18
    r2 = r * r
    r4 = r2 * r2
    low = (1 / 2 + 1 / 6 * r) + (1 / 24 + 1 / 120 * r) * r2
    middle = (1 / 720 + 1 / 5040 * r) + (1 / 40320 + 1 / 362880 * r) * r2
    high = (1 / 3628800 + 1 / 39916800 * r) + (1 / 479001600 + 1 / 6227020800 * r) * r2
    return 1.0 + (r + r2 * ((low + middle * r4) + high * (r4 * r4))), _bits(shifted) - _SHIFT_BITS


@njit(error_model="numpy", nogil=True)
def power_of_two(n):
    """2ⁿ for an integer n; 0 below the smallest normal double, infinity above the largest.

    Made by writing the exponent's bits: exact, and without a call.
    """
    # the biased exponent with a mantissa of 1, without a call of `ldexp`
    power = _from_bits((n + 1023) << 52)
    power = 0.0 if n < -1022 else power
    return float("inf") if n > 1023 else power


@njit(error_model="numpy", nogil=True)
def exponent_of(x):
    """The n with 2ⁿ <= x < 2ⁿ⁺¹, for a positive normal double."""
    return (_bits(x) >> 52) - 1023
