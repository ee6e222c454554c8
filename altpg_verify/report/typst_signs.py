"""Which terms of a sum are written with a minus sign."""

from __future__ import annotations

from sympy import Add, Basic, Mul, Pow
from sympy.matrices.expressions import MatMul


def signed(term: Basic) -> tuple[str, Basic]:
    """The sign in front of a term and the term without it: -b and b (-x - y) have a minus sign, r -
    b has none.
    """
    if isinstance(term, MatMul):
        coefficient, matrices = term.as_coeff_matrices()
        sign, rest = signed(coefficient)
        return sign, MatMul(rest, *matrices).doit(deep=False) if sign == "-" else term
    if isinstance(term, Mul):
        coefficient, product = term.as_coeff_Mul()
        factors = [(_turned(factor), factor) for factor in Mul.make_args(product)]
        minus = sum(turned is not None for turned, _ in factors) + bool(coefficient.is_negative)
        if minus == 0:
            return "+", term
        parts = [factor if turned is None else turned for turned, factor in factors]
        size = [abs(coefficient)] if abs(coefficient) != 1 else []
        return "+-"[minus % 2], Mul(*size, *parts, evaluate=not size)
    if term.is_number and term.is_comparable and term.is_negative:
        return "-", -term
    turned = _turned(term)
    return ("+", term) if turned is None or isinstance(term, Add) else ("-", turned)


def _turned(factor: Basic) -> Basic | None:
    """Minus the factor if it is a sum of negative terms only, or an odd power of one; else None."""
    if isinstance(factor, Add) and all(signed(term)[0] == "-" for term in factor.args):
        return -factor
    if isinstance(factor, Pow) and factor.exp.is_odd and (base := _turned(factor.base)) is not None:
        return Pow(base, factor.exp)
    return None
