"""How tightly parts of a formula bind, and in which order the factors of a product are written."""

from __future__ import annotations

from sympy import Add, Basic, Contains, Indexed, KroneckerDelta, Pow, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.relational import Relational
from sympy.printing.precedence import PRECEDENCE, precedence

RELATION = PRECEDENCE["Relational"]


def binding(expr: Basic) -> float:
    """How tightly the printed form binds; a sum sign or an integral takes all that follows it as a
    factor.
    """
    if isinstance(expr, ExprWithLimits):
        return PRECEDENCE["Mul"]
    if isinstance(expr, Relational | Contains):
        return RELATION
    return precedence(expr)


def reaches_right(factor: Basic) -> bool:
    """What follows the factor would be read as part of it."""
    return isinstance(factor, ExprWithLimits) or type(factor).__name__ in ("Limit", "Derivative")


def needs_brackets(factor: Basic) -> bool:
    """It is a sum, of terms or by a sign, which ends at the next factor."""
    return isinstance(factor, Add | ExprWithLimits)


def factor_order(factor: Basic) -> int:
    """Where a factor stands in a product: numbers, letters, functions, bracketed sums, sum
    signs.
    """
    if factor.is_number:
        return 0
    base = factor.base if isinstance(factor, Pow) else factor
    if reaches_right(base):
        return 4
    if isinstance(base, Add):
        return 3
    return 1 if isinstance(base, Symbol | Indexed | KroneckerDelta) else 2
