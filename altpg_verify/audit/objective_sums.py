"""Objectives as they are written in quotes: sums of names with factors."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction

from altpg_verify.audit.objective_functions import Objective

LONGEST = 300
"""Characters of a sum."""

_MOST_DIGITS = 40


class NoSum(Exception):
    """The text is no sum of names with factors."""


def objective_sum(text: str, names: Mapping[str, Objective]) -> Objective:
    """The objective that a text such as "value + 0.1 * entropy" stands for, or "-kl_to_reference".

    Numbers mean what they say in decimals: 0.1 is 1/10.

    Args:
        text: names, numbers, `+`, `-`, `*`, `/` and brackets.
        names: name -> objective.

    Raises:
        NoSum: it is anything else, or not linear in the names.
    """
    if len(text) > LONGEST:
        raise NoSum
    try:
        found = _meaning(ast.parse(text.strip(), mode="eval").body, text.strip(), names)
    except (SyntaxError, ValueError, RecursionError, ZeroDivisionError) as error:
        raise NoSum from error
    if isinstance(found, Fraction):
        raise NoSum
    return found


def _meaning(node: ast.expr, text: str, names: Mapping[str, Objective]) -> Objective | Fraction:
    match node:
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Constant(value=int() | float()):
            return _number(ast.get_source_segment(text, node) or "")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_meaning(operand, text, names)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _meaning(operand, text, names)
        case ast.BinOp(left=left, op=operator, right=right):
            return _joined(_meaning(left, text, names), operator, _meaning(right, text, names))
        case _:
            raise NoSum


def _number(digits: str) -> Fraction:
    # 1e999999 is as short as it is long to write down
    number = Fraction(digits) if len(digits) <= _MOST_DIGITS and "e" not in digits.lower() else None
    if number is None:
        number = Fraction(repr(float(digits)))
    return number


def _joined(
    left: Objective | Fraction, operator: ast.operator, right: Objective | Fraction
) -> Objective | Fraction:
    match operator, left, right:
        case ast.Add(), Objective(), Objective():
            return left + right
        case ast.Sub(), Objective(), Objective():
            return left - right
        case ast.Mult(), Objective(), Fraction():
            return left * right
        case ast.Mult(), Fraction(), Objective():
            return right * left
        case ast.Div(), Objective(), Fraction():
            return left * (1 / right)
        case ast.Add(), Fraction(), Fraction():
            return left + right
        case ast.Sub(), Fraction(), Fraction():
            return left - right
        case ast.Mult(), Fraction(), Fraction():
            return left * right
        case ast.Div(), Fraction(), Fraction():
            return left / right
        case _:
            raise NoSum
