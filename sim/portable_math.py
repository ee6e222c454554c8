"""exp, log, sine and cosine that give the same bits on every processor.

The functions of the C library and of numpy change in the last bit with the instruction set (fused
multiply-add, AVX2, AVX-512), and a learning agent amplifies a bit into another trajectory. These
use only + - * / and integer operations on the bits, in a fixed order, which IEEE 754 rounds alike
everywhere; and as they have no branches, loops over them become vector code.

They are meant for use inside compiled loops. Accuracy, against exact values: 2 units in the last
place or better (tests/sim/test_portable_math.py).
"""

from __future__ import annotations

from typing import Any

from numba import extending, njit, types

intrinsic: Any = extending.intrinsic

_SHIFT = 6755399441055744.0  # 1.5 * 2**52: adding it leaves the nearest integer in the low bits
_SHIFT_BITS = 0x4338000000000000
_LOG2_E = float.fromhex("0x1.71547652b82fep+0")
# ln 2 and π/2 in parts: the first parts have trailing zeros, so that n times them is exact
_LN2_HIGH = float.fromhex("0x1.62e42feep-1")
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_HALF_PI = float.fromhex("0x1.921fb54442d18p+0")
_HALF_PI_TAIL = float.fromhex("0x1.1a62633145c07p-54")
_HALF_PI_1 = float.fromhex("0x1.921fb544p+0")
_HALF_PI_2 = float.fromhex("0x1.0b4611a6p-34")
_HALF_PI_3 = float.fromhex("0x1.3198a2e037073p-69")
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD

EXP_UNDERFLOW = -707.0
"""Below this `exp` returns 0 (its value would be under 1e-307)."""
EXP_OVERFLOW = 709.7
"""Above this `exp` returns infinity."""


@intrinsic
def _bits(typing, x):
    """The 64 bits of a float as an integer."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], context.get_value_type(types.int64))

    return types.int64(types.float64), generate


@intrinsic
def _from_bits(typing, bits):
    """The float with these 64 bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], context.get_value_type(types.float64))

    return types.float64(types.int64), generate


@njit(error_model="numpy")
def exp(x):
    """eˣ; 0 below `EXP_UNDERFLOW`, infinity above `EXP_OVERFLOW`, NaN for NaN.

    x = n ln 2 + r with |r| <= ln(2)/2, and eˣ = 2ⁿ eʳ: eʳ by its Taylor series, 2ⁿ by writing n
    into the exponent bits. Within 2 units in the last place.
    """
    shifted = x * _LOG2_E + _SHIFT
    # rounds to the nearest whole number without a call: adding 1.5 · 2⁵² pushes the fraction out
    n = shifted - _SHIFT
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    # Taylor series on |r| <= ln(2)/2; the first term left out is below 5e-18
    p = 1 / 6227020800 * r + 1 / 479001600
    p = p * r + 1 / 39916800
    p = p * r + 1 / 3628800
    p = p * r + 1 / 362880
    p = p * r + 1 / 40320
    p = p * r + 1 / 5040
    p = p * r + 1 / 720
    p = p * r + 1 / 120
    p = p * r + 1 / 24
    p = p * r + 1 / 6
    p = p * r + 0.5
    # 2ⁿ⁻¹ is written into the exponent field, times 2: for n = 1024 the field alone would overflow
    y = 2.0 * (1.0 + (r + r * r * p)) * _from_bits((_bits(shifted) + 1022) << 52)
    y = 0.0 if x < EXP_UNDERFLOW else y
    return float("inf") if x > EXP_OVERFLOW else y


@njit(error_model="numpy")
def log(x):
    """The natural logarithm of a positive normal float.

    x = 2ᵏ (1 + f) with 1 + f between √½ and √2, and ln x = k ln 2 + 2 artanh(f / (2 + f)). For 0, a
    negative or a subnormal number the result means nothing, and nothing is raised.
    """
    bits = _bits(x)
    # the exponent such that 1 + f lies between √½ and √2, where the series converges fastest
    k = (bits - _SQRT_HALF_BITS) >> 52
    f = _from_bits(bits - (k << 52)) - 1.0
    n = _from_bits(k + _SHIFT_BITS) - _SHIFT
    # ln(1 + f) = 2 artanh(s), s = f/(2 + f), |s| <= 0.172
    s = f / (2.0 + f)
    z = s * s
    p = 2 / 23 * z + 2 / 21
    p = p * z + 2 / 19
    p = p * z + 2 / 17
    p = p * z + 2 / 15
    p = p * z + 2 / 13
    p = p * z + 2 / 11
    p = p * z + 2 / 9
    p = p * z + 2 / 7
    p = p * z + 2 / 5
    p = p * z + 2 / 3
    # f - f²/2 is taken out of the series, as its leading terms must not lose bits in a sum
    half = 0.5 * f * f
    return n * _LN2_HIGH - ((half - (s * (half + z * p) + n * _LN2_LOW)) - f)


@njit(error_model="numpy")
def _quarter(quadrant, x, tail):
    """(cos, sin) of quadrant * π/2 + x + tail for |x| <= π/4, tail tiny."""
    z = x * x
    p = 1 / 355687428096000 * z - 1 / 1307674368000
    p = p * z + 1 / 6227020800
    p = p * z - 1 / 39916800
    p = p * z + 1 / 362880
    p = p * z - 1 / 5040
    p = p * z + 1 / 120
    sine = x - ((z * (0.5 * tail - z * x * p) - tail) + z * x * (1 / 6))
    p = 1 / 20922789888000 * z - 1 / 87178291200
    p = p * z + 1 / 479001600
    p = p * z - 1 / 3628800
    p = p * z + 1 / 40320
    p = p * z - 1 / 720
    p = p * z + 1 / 24
    half = 0.5 * z
    # what rounding 1 - z/2 loses is added back with the rest of the series
    near = 1.0 - half
    cosine = near + (((1.0 - near) - half) + (z * z * p - x * tail))
    odd = (quadrant & 1) == 1
    first = sine if odd else cosine
    second = cosine if odd else sine
    first = -first if ((quadrant + 1) & 2) == 2 else first
    second = -second if (quadrant & 2) == 2 else second
    return first, second


@njit(error_model="numpy")
def cos_sin(x):
    """(cos x, sin x) for x in radians, |x| up to 100,000.

    x is reduced by n π/2 to |r| <= π/4, with π/2 in three parts, so that n times the first two are
    exact up to that bound (Cody and Waite's reduction).
    """
    shifted = x * (1.0 / _HALF_PI) + _SHIFT
    n = shifted - _SHIFT
    high = (x - n * _HALF_PI_1) - n * _HALF_PI_2
    low = n * _HALF_PI_3
    reduced = high - low
    return _quarter(_bits(shifted), reduced, (high - reduced) - low)


@njit(error_model="numpy")
def cos_sin_turn(u):
    """(cos 2πu, sin 2πu) for u in turns, |u| up to 100,000.

    For Box-Muller: a uniform u needs no reduction modulo π, as the part of 4u behind the nearest
    whole number is exact.
    """
    quarters = 4.0 * u
    shifted = quarters + _SHIFT
    part = quarters - (shifted - _SHIFT)
    return _quarter(_bits(shifted), part * _HALF_PI, part * _HALF_PI_TAIL)


@njit(error_model="numpy")
def sin(x):
    """The sine of x in radians, |x| up to 100,000."""
    return cos_sin(x)[1]


@njit(error_model="numpy")
def cos(x):
    """The cosine of x in radians, |x| up to 100,000."""
    return cos_sin(x)[0]
