"""How long escort and softmax policies take to leave a saturated start, in rational bounds."""

from __future__ import annotations

from fractions import Fraction

from altpg_verify.theory.entropy_escort.cases_escort import Escort
from altpg_verify.theory.exact_cases.arithmetic import exp_bounds


def log_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers just below and just above log x, for x >= 1, a thousandth apart or less.

    Bisection on e^y with `exp_bounds`, from [0, 64].
    """
    # e^64 > 10^27: larger than any odds that are asked for
    low, high = Fraction(0), Fraction(64)
    while high - low > Fraction(1, 1000):
        middle = (low + high) / 2
        below, above = exp_bounds(middle)
        if above <= x:
            low = middle
        elif below >= x:
            high = middle
        # the bounds of e^middle are on either side of x: nearer can't be told
        else:
            break
    return low, high


def escort_time(c: Escort) -> Fraction:
    """From below, the time until the last action, the only one with a reward, has half of the mass
    along escort's gradient flow.

    p = 1: its preference grows at most at the rate 1/Z, and Z stays at or above the root of sum
    theta^2, which the flow keeps. p = 2: its probability q grows at the rate 4 q (1 - q) / Z with Z
    constant.

    In units of the gradient flow, that is steps times the stepsize.
    """
    if c.p == 1:
        first = max(map(abs, c.theta))
        return first * (first / 2 - abs(c.theta[-1]))
    return c.z / 4 * log_bounds((1 - c.pi[-1]) / c.pi[-1])[0]


def softmax_time(c: Escort) -> Fraction:
    """From above, that time for a softmax policy that starts at the same policy of three actions: q
    grows at 3/2 q^2 (1 - q)^2 or more.

    The antiderivative of 1/(q² (1 − q)²) is −1/q + 1/(1 − q) + 2 log(q/(1 − q)); it is zero at q =
    1/2.
    """
    q = c.pi[-1]
    return Fraction(2, 3) * (1 / q - 1 / (1 - q) + 2 * log_bounds((1 - q) / q)[1])
