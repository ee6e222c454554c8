"""Numbers that are known to lie in an interval: what a formula with logarithms and exponentials
comes to, with a bound on every rounding.

Where float64 says that a law fails, the same case is run on balls (FLINT's `arb`, through
python-flint): if the balls of the two sides exclude what the law says, the refutation is certified;
if they are as good as equal, float64 saw its own rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.forward_mode import Dual
from altpg_verify.number_types import Number
from altpg_verify.sized import sized

if TYPE_CHECKING:
    from flint import arb

Sides: TypeAlias = tuple[Sequence[Number], Sequence[Number]]
"""The two sides of a law in a case."""

PRECISIONS = (128, 512, 2048)
"""Bits that are tried, one after the other."""

EQUAL = 2.0**-80
"""Two sides whose balls overlap and are that narrow, as a share of the sides and of the case's
numbers, are taken for equal.
"""

SEEN, ROUNDED = 1e-6, 1e-13
"""The balls must be what float64 gave, up to these shares of the sides and of the case's squares:
else the formula is another on balls.
"""


LAST_BITS = 2.0**-50
"""Deviations, as a share of the larger side, in which float64 can't tell a formula's constants from
their neighbours.
"""


class Uncertain(ArithmeticError):
    """The formula asks of a ball what can't be told of all numbers in it: a comparison of balls
    that overlap, a conversion, a value where it may have none.
    """


_REFUSED: list[list[str]] = []


def _refuse(what: str) -> NoReturn:
    if _REFUSED:
        _REFUSED[-1].append(what)
    raise Uncertain(what)


@contextmanager
def _watched() -> Iterator[list[str]]:
    """What is refused within the block, whether the formula swallows it or not."""
    refused: list[str] = []
    _REFUSED.append(refused)
    try:
        yield refused
    finally:
        _REFUSED.pop()


class Ball:
    """A number somewhere in an interval; arithmetic and elementary functions keep every possible
    value.

    A comparison answers only if all numbers in both balls agree on it; else it raises `Uncertain`,
    as do conversions to float or int, so that no formula goes a way that some number in the ball
    would not go. At a higher precision the same question may have an answer.

    Args:
        ball: an `arb`.
    """

    __slots__ = ("ball",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, ball: arb) -> None:
        self.ball = ball

    def __repr__(self) -> str:
        return str(self.ball)

    def _apply(self, other: object, operation: Callable[[arb, arb], arb]) -> Ball:
        if isinstance(other, np.ndarray | Dual):
            return NotImplemented
        operand = _arb(other)
        return NotImplemented if operand is None else _made(operation(self.ball, operand))

    def __add__(self, other: object) -> Ball:
        return self._apply(other, lambda x, y: x + y)

    __radd__ = __add__

    def __sub__(self, other: object) -> Ball:
        return self._apply(other, lambda x, y: x - y)

    def __rsub__(self, other: object) -> Ball:
        return self._apply(other, lambda x, y: y - x)

    def __mul__(self, other: object) -> Ball:
        return self._apply(other, lambda x, y: x * y)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Ball:
        return self._apply(other, _quotient)

    def __rtruediv__(self, other: object) -> Ball:
        return self._apply(other, lambda x, y: _quotient(y, x))

    def __neg__(self) -> Ball:
        return Ball(-self.ball)

    def __pos__(self) -> Ball:
        return self

    def __abs__(self) -> Ball:
        return Ball(abs(self.ball))

    def __pow__(self, power: object) -> Ball:
        if isinstance(power, int):
            return _made(self.ball**power) if power >= 0 else 1 / self**-power
        return self._apply(power, lambda x, y: x**y)

    def __rpow__(self, base: object) -> Ball:
        return self._apply(base, lambda x, y: y**x)

    def _compared(
        self,
        other: object,
        certainly: Callable[[arb, arb], bool],
        never: Callable[[arb, arb], bool],
    ) -> bool:
        operand = _arb(other)
        if operand is None:
            return NotImplemented
        # arb's relations are true only if they hold for all numbers of both balls
        if certainly(self.ball, operand):
            return True
        if never(self.ball, operand):
            return False
        _refuse("compares numbers that can't be told apart")

    def __eq__(self, other: object) -> bool:
        return self._compared(
            other, lambda x, y: bool((x - y).is_zero()), lambda x, y: not x.overlaps(y)
        )

    def __lt__(self, other: object) -> bool:
        return self._compared(other, lambda x, y: bool(x < y), lambda x, y: bool(x >= y))

    def __le__(self, other: object) -> bool:
        return self._compared(other, lambda x, y: bool(x <= y), lambda x, y: bool(x > y))

    def __gt__(self, other: object) -> bool:
        return self._compared(other, lambda x, y: bool(x > y), lambda x, y: bool(x <= y))

    def __ge__(self, other: object) -> bool:
        return self._compared(other, lambda x, y: bool(x >= y), lambda x, y: bool(x < y))

    def __bool__(self) -> bool:
        return bool(self != 0)

    def _converted(self, *_: object) -> NoReturn:
        _refuse("converts its numbers")

    __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = (
        _converted
    )
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = _converted


def _function(name: str) -> Callable[[Ball], Ball]:
    def method(self: Ball) -> Ball:
        return _made(getattr(self.ball, name)())

    return method


# numpy asks objects for methods by its own names
for _numpy, _flint in {
    **{
        name: name
        for name in (
            *("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh"),
            *("cosh", "tanh"),
        )
    },
    **{
        "arctan": "atan",
        "arcsin": "asin",
        "arccos": "acos",
        "arcsinh": "asinh",
        "arccosh": "acosh",
        "arctanh": "atanh",
    },
}.items():
    setattr(Ball, _numpy, _function(_flint))


def _made(ball: arb) -> Ball:
    """A number that exists; arb says of the others that they are no number, or anything."""
    if not ball.is_finite():
        _refuse("has no value that can be told")
    return Ball(ball)


def _quotient(above: arb, below: arb) -> arb:
    # exactly zero, as for numbers; a ball that merely holds 0 gives one that isn't finite
    if below.is_zero():
        raise ZeroDivisionError("division by zero")
    return above / below


def _arb(number: object) -> Any:
    """The number as it is, in a ball; None if it is none."""
    from flint import arb, fmpq

    if isinstance(number, Ball):
        return number.ball
    if isinstance(number, np.generic):
        number = number.item()
    if isinstance(number, int | Fraction):
        return arb(fmpq(number.numerator, number.denominator))
    # a float is the dyadic number that it is
    return arb(number) if isinstance(number, float) and math.isfinite(number) else None


def log(number: Number) -> Ball:
    """The natural logarithm of an exact number or a ball, in nats.

    Raises:
        Uncertain: the number may be zero or negative.
    """
    return _made(_arb(number).log())


def on_balls(case: Case) -> Case:
    """An exact case, each number of which is a ball around it; chances of rewards stay exact.

    Exact rewards and policies are balls of the width of one rounding at the present precision;
    preferences of a softmax policy become logarithms of balls in place of float64 ones.
    """
    rewards = tuple(
        tuple((Ball(_arb(reward)), weight) for reward, weight in outcomes)
        for outcomes in case.rewards
    )
    parameterisation = case.parameterisation
    # escort's preferences are x itself, balls already
    if parameterisation.normalised:
        parameterisation = replace(
            parameterisation, preferences=lambda x: [log(entry) for entry in x]
        )
    return replace(
        case,
        x=tuple(Ball(_arb(entry)) for entry in case.x),
        rewards=rewards,
        b=Ball(_arb(case.b)),
        parameterisation=parameterisation,
    )


def fails(
    sides: Callable[[Case], Sides], relation: str, case: Case, seen: Sides
) -> tuple[bool, int] | None:
    """Whether a relation between two sides is certainly false for a case, or as good as certainly
    true; None if balls can't tell.

    Precision rises from 128 to 2048 bits while the answer is uncertain. A formula that gives
    something else to balls than to floats, up to rounding, isn't judged by balls.

    Args:
        sides: of the law, for a case.
        relation: between each pair of their entries, e.g. "=".
        case: of exact numbers.
        seen: the sides in float64, which the balls must agree with.

    Returns:
        (whether it fails, the bits of precision at which that was told).
    """
    from flint import ctx

    scale = max(
        1.0,
        *(
            abs(float(number))
            for number in (case.b, *(reward for outcomes in case.rewards for reward, _ in outcomes))
        ),
    )
    for bits in PRECISIONS:
        with ctx.workprec(bits), _watched() as refused:
            try:
                left, right = sides(on_balls(case))
                fails = _fails(left, right, relation, seen, scale)
            except (ArithmeticError, AttributeError, TypeError, ValueError):
                # what balls can't do, or can't tell yet
                if not refused:
                    return None
                continue
            if refused:
                continue
            if fails is not None:
                return fails, bits
    return None


def _fails(
    left: Sequence[Number], right: Sequence[Number], relation: str, seen: Sides, scale: float
) -> bool | None:
    """Whether the relation fails for certain (True), or holds up to what no float can see
    (False).
    """
    from flint import arb

    pairs = [(_arb(one), _arb(two)) for one, two in zip(left, right, strict=True)]
    # first of all: is it the same computation? the midpoints must be what float64 gave
    size = max([0.0, *(abs(float(side)) for pair in pairs for side in pair)])
    floats = [[sized(entry) for entry in side] for side in seen]
    reach = max([size, *(entry.size for side in floats for entry in side)])
    components = [
        (float(ball), entry.value)
        for balls, side in zip(zip(*pairs, strict=True), floats, strict=True)
        for ball, entry in zip(balls, side, strict=True)
    ]
    if any(not abs(one - two) <= SEEN * reach + ROUNDED * scale**2 for one, two in components):
        return None
    off = {
        "=": lambda one, two: not one.overlaps(two),
        ">=": lambda one, two: bool(one < two),
        ">": lambda one, two: bool(one < two) or bool((one - two).is_zero()),
        "<=": lambda one, two: bool(one > two),
        "<": lambda one, two: bool(one > two) or bool((one - two).is_zero()),
    }.get(relation)
    if off is None:
        return None
    if failing := [abs(one - two) for one, two in pairs if off(one, two)]:
        # 0.1 · 3 / 0.3 is 1 to whoever writes it, and isn't the number 1
        return relation in ("<", ">") or not all(
            deviation <= arb(LAST_BITS * size) for deviation in failing
        )
    # within the balls, whose width no float can see
    narrow = all(
        abs(one - two) <= arb(EQUAL * (size + scale))
        or bool(one > two if relation[0] == ">" else one < two)
        for one, two in pairs
    )
    return False if narrow and relation in ("=", ">=", "<=") else None
