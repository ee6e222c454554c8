"""Comparisons in which an exponential or a logarithm stands: decided by ball arithmetic, or not at
all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)


class Undecided(ArithmeticError):
    """The ball still contains zero at the highest precision: the number may be zero, and no verdict
    rests on it.
    """


def sign(number: Callable[[], Any]) -> int:
    """-1, 0 or 1; 0 only for a ball that is exactly zero.

    Args:
        number: computes a ball at the precision in force when it is called.

    Raises:
        Undecided: the sign can't be told at 4096 bits.
    """
    from flint import ctx

    for bits in PRECISIONS:
        with ctx.workprec(bits):
            value = number()
            if value.is_zero():
                return 0
            if value > 0:
                return 1
            if value < 0:
                return -1
    raise Undecided(f"the ball {value} contains zero at {PRECISIONS[-1]} bits")


def ball(number: int | Fraction) -> Any:
    """The number as a ball at the precision in force, whose radius is its rounding."""
    arb, fmpq = _classes()
    return arb(fmpq(number.numerator, number.denominator))


@cache
def _classes() -> tuple[Any, Any]:
    """Looked up once: half a million balls are made for a report."""
    from flint import arb, fmpq

    return arb, fmpq


def excess(weights: Iterable[Fraction], exponents: Iterable[Fraction]) -> int:
    """The sign of sum w e^x - 1 for weights that sum to one: that of log sum w e^x.

    Summed as w (e^x - 1), so that exponents that are all zero give exactly zero.
    """
    return sign(
        lambda: sum(
            (ball(w) * ball(x).expm1() for w, x in zip(weights, exponents, strict=True)), ball(0)
        )
    )


def stepped(policy: Iterable[Fraction], step: Iterable[Fraction]) -> list[Any]:
    """The softmax policy after its preferences moved by `step`, π ∘ e^step over its sum, as balls."""
    moved = [ball(p) * ball(x).exp() for p, x in zip(policy, step, strict=True)]
    total = sum(moved, ball(0))
    return [entry / total for entry in moved]


def kullback_leibler(target: Iterable[Fraction], policy: Iterable[Any]) -> Any:
    """KL(p ‖ q) = Σ p log(p/q) in nats, for a positive rational p and a q in balls."""
    return sum(
        (ball(p) * (ball(p) / q).log() for p, q in zip(target, policy, strict=True)), ball(0)
    )


def entropy(policy: Iterable[Any]) -> Any:
    """H(p) = -Σ p log p in nats, for a positive policy in balls."""
    return -sum((p * p.log() for p in policy), ball(0))
