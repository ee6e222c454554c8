"""Breaking long formulas into lines, since Typst doesn't break a displayed formula by itself."""

from __future__ import annotations

import functools
import re

from sympy import Add, Basic
from sympy.core.relational import Relational
from sympy.matrices.expressions import MatAdd

from altpg_verify.report.typst_math import RELATIONS, TypstPrinter, typeset

WIDTHS = (64, 46, 32)
"""Line lengths, in glyphs of ordinary size, at which a long sum is broken."""


def forms(expression: Basic | str) -> tuple[str, ...]:
    """The formula unbroken, then broken at ever shorter lines; the page takes the first that fits.

    A string is taken as Typst mathematics, written by hand and left as it is.
    """
    if isinstance(expression, str):
        return (expression,)
    return tuple(
        dict.fromkeys((typeset(expression), *(broken(expression, width) for width in WIDTHS)))
    )


def broken(expression: Basic, width: int) -> str:
    """The formula with its outermost sum, or the sums on both sides of a relation, on lines of
    about `width` glyphs. Products and fractions are never broken.

    Args:
        expression: a sympy object.
        width: in glyphs of ordinary size, as `glyphs` counts them.
    """
    if isinstance(expression, Relational):
        relation = RELATIONS[expression.rel_op]
        left, right = _lines(expression.lhs, width), _lines(expression.rhs, width)
        if len(left) == len(right) == 1 and glyphs(left[0]) + glyphs(right[0]) <= width:
            return typeset(expression)
        return " \\ ".join(
            [
                f"& {left[0]}",
                *(f"& quad {line}" for line in left[1:]),
                f"& quad {relation} {right[0]}",
                *(f"& quad quad {line}" for line in right[1:]),
            ]
        )
    first, *rest = _lines(expression, width)
    return " \\ ".join([f"& {first}", *(f"& quad {line}" for line in rest)]) if rest else first


def glyphs(source: str) -> float:
    """Roughly how wide the formula is, counted in glyphs; what hangs above or below the line counts
    half. Letters count alike: the page is laid out by Typst, this only chooses where a line may
    end.
    """
    fractions = re.sub(
        r"frac\(([^(),]*), ([^(),]*)\)", lambda both: max(both[1], both[2], key=len), source
    )
    return sum(map(_width, re.findall(r"[_^]\([^()]*\)|[A-Za-z.]+|\d+|[^\s\w]", fractions)))


def _width(mark: str) -> float:
    if mark[0] in "_^":
        return 0.6 * len(re.findall(r"\w+", mark))
    if mark.isdigit():
        return len(mark)
    return 1.4 if mark in "+-=<>" else 0.8


def _lines(expression: Basic, width: int) -> list[str]:
    lines = [""]
    # a matrix that can be written into has no hash
    terms = (_terms if isinstance(expression, Basic) else _terms.__wrapped__)(expression)
    for number, (sign, source) in enumerate(terms):
        term = source if number == 0 and sign == "+" else f"{sign} {source}"
        if lines[-1] and glyphs(lines[-1]) + glyphs(term) > width:
            lines.append(term)
        else:
            lines[-1] = f"{lines[-1]} {term}".strip()
    return lines


# every width breaks the same terms; `typed`, as 1 and True are equal and not printed alike
@functools.lru_cache(maxsize=16, typed=True)
def _terms(expression: Basic) -> tuple[tuple[str, str], ...]:
    """Sign and source of each term; what is no sum is one."""
    printer = TypstPrinter()
    if not isinstance(expression, Add | MatAdd):
        return (("+", printer.doprint(expression)),)
    return tuple(printer.terms(expression))
