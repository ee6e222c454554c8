"""Which signs a number can have, as a set of bits: enough to see that a sum of squares and positive
terms is never zero.

The abstract domain of signs from the analysis of programs: a set of NEGATIVE, ZERO and POSITIVE
that contains the sign at every policy, reward law and baseline. Each operation is sound (no sign
that can occur is left out) and may be loose: x - x comes out as any sign.
"""

from __future__ import annotations

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
ANY = NEGATIVE | ZERO | POSITIVE
NONZERO = NEGATIVE | POSITIVE
NOT_NEGATIVE = ZERO | POSITIVE

_EACH = ((NEGATIVE, -1), (ZERO, 0), (POSITIVE, 1))


def sign_of(number: object) -> int:
    """The sign of one known number, as a set with one bit."""
    return POSITIVE if number > 0 else NEGATIVE if number < 0 else ZERO  # type: ignore[operator]


def negated(signs: int) -> int:
    """Signs of -x: negative and positive change places."""
    return (
        (signs & ZERO)
        | (POSITIVE if signs & NEGATIVE else 0)
        | (NEGATIVE if signs & POSITIVE else 0)
    )


def added(one: int, other: int) -> int:
    """Signs of x + y; any, where terms of both signs may meet and cancel."""
    found = 0
    for bit, sign in _EACH:
        for other_bit, other_sign in _EACH:
            if one & bit and other & other_bit:
                # a positive and a negative number have a sum of any sign
                found |= ANY if sign * other_sign < 0 else _bit(sign + other_sign)
    return found


def multiplied(one: int, other: int) -> int:
    """Signs of x·y, for factors that may be independent; `squared` knows more of x·x."""
    found = 0
    for bit, sign in _EACH:
        for other_bit, other_sign in _EACH:
            if one & bit and other & other_bit:
                found |= _bit(sign * other_sign)
    return found


def squared(signs: int) -> int:
    """Signs of x²: never negative, and zero only if x can be."""
    return (signs & ZERO) | (POSITIVE if signs & NONZERO else 0)


def _bit(sign: int) -> int:
    return POSITIVE if sign > 0 else NEGATIVE if sign < 0 else ZERO
