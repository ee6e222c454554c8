"""From sympy to the kernel's trees: what the reader sees becomes what the kernel checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any

from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Rational, Sum, Symbol, exp, sympify

from altpg_verify.theory.proving.notation import Partial, h, theta

Tree = int | str | list
Meaning = Mapping[Any, Any]
"""What is written out, and as what: a symbol's expression, an indexed letter's function of the
index, a class's function of its arguments (which may return None for "leave this one"). A letter
that stands for itself is left.
"""


class NotRational(TypeError):
    """The formula has something that is no rational function, and no letter was given for it.

    A logarithm, or an exponential that is no power of e^θ, is one.
    """


def tree(expression: Any, where: Meaning | None = None) -> Tree:
    """The expression as the kernel reads it, with the symbols of `where` written out.

    e^θ_a becomes x[a]. Anything that is no rational function of its symbols (a logarithm, another
    exponential) must have a letter.

    Args:
        where: what stands for what, applied again and again until nothing changes.

    Returns:
        An int, a name, or a list that begins with an operation; see `kernel`.

    Raises:
        NotRational: something has no letter of its own.

    Examples:
        >>> from altpg_verify.theory.proving.notation import SIMPLEX
        >>> tree(SIMPLEX)
        ['+', -1, ['sum', 'c', 'pi[c]']]
    """
    meaning = where or {}
    one = sympify(expression)
    if isinstance(one, Integer):
        return int(one)
    if isinstance(one, Rational):
        return ["*", int(one.p), ["^", int(one.q), -1]]
    # a symbol may be written out as itself: that would go on for ever
    if one in meaning and meaning[one] != one:
        return tree(meaning[one], meaning)
    if isinstance(one, Symbol):
        return str(one.name)
    if isinstance(one, Indexed):
        return _indexed(one, meaning)
    if isinstance(one, exp) and (powers := _preferences(one.args[0])) is not None:
        return _product(
            [
                ["^", f"x[{index}]", power] if power != 1 else f"x[{index}]"
                for index, power in powers.items()
            ]
        )
    # after exp: a meaning of exp is for exponentials that aren't powers of e^θ
    if one.func in meaning and (instead := meaning[one.func](*one.args)) is not None:
        return tree(instead, meaning)
    if isinstance(one, Add | Mul):
        return _joined(
            "+" if isinstance(one, Add) else "*", [tree(part, meaning) for part in one.args]
        )
    if isinstance(one, Pow) and isinstance(one.exp, Integer):
        return ["^", tree(one.base, meaning), int(one.exp)]
    if isinstance(one, Partial):
        return ["D", f"x[{_variable(one.args[1][0])}]", tree(one.args[0], meaning)]
    if isinstance(one, Sum):
        body = tree(one.function, meaning)
        for index, *_ in one.limits:  # innermost first
            body = ["sum", str(index), body]
        return body
    raise NotRational(f"{one} has no letter of its own and is no rational function")


def _indexed(one: Indexed, meaning: Meaning) -> Tree:
    (index,) = one.indices
    if one.base in meaning:
        definition: Callable[[Any], Expr] = meaning[one.base]
        if (instead := definition(index)) != one:
            return tree(instead, meaning)
    return f"{one.base.label}[{index}]"


def _variable(one: Any) -> Any:
    """The index of a preference, or the name of the one other variable that may be differentiated
    in; else None.
    """
    return (
        h
        if one == h
        else one.indices[0]
        if isinstance(one, Indexed) and one.base == theta
        else None
    )


def _preferences(exponent: Expr) -> dict[Any, int] | None:
    """{index: integer factor} if the exponent is a combination of θ's, else None."""
    powers: dict[Any, int] = {}
    for term in Add.make_args(exponent):
        factor, rest = term.as_coeff_Mul()
        if not isinstance(factor, Integer) or (index := _variable(rest)) is None:
            return None
        # e^(2 θ_a - θ_c) is x_a² / x_c
        powers[index] = int(factor)
    return powers


def _joined(head: str, parts: list[Tree]) -> Tree:
    """A sum or product; one of numbers alone is a number, so that its sign can be seen."""
    numbers = [part for part in parts if isinstance(part, int)]
    # a product with a symbol stays as written: the kernel reads signs off its factors
    if len(numbers) < len(parts):
        return [head, *parts]
    return sum(numbers) if head == "+" else prod(numbers)


def _product(parts: list[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 else ["*", *parts]


def names(one: Tree) -> Iterator[str]:
    """The names in a tree, without their indices; of a derivative also "x", the letter of e^θ.

    Indices of sums aren't among them.
    """
    if isinstance(one, str):
        yield one.split("[")[0]
    elif isinstance(one, list):
        for part in one[2 if one[0] in ("sum", "D") else 1 :]:
            yield from names(part)
        if one[0] == "D":
            yield "x"
