"""The finite-sum ring: why an identity between sums holds for every number of actions, as explicit
cofactors.

A sum is linear, so `Σ_c f(c)` with f a (Laurent) polynomial in per-action symbols is a combination
of monomials' sums; each of these becomes one symbol, S[p^2 d] say. An identity that reduces to 0
modulo the given relations (S[p] = 1, K S[1/d] = 1) holds for every k, and the cofactors of the
reduction are the certificate. This module finds them with sympy; the kernel, which shares no code
with it, checks them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

from sympy import QQ, Dummy, Expr, Integer, Poly, Symbol, cancel, fraction, together

from altpg_verify.theory.proving.expression_trees import Tree


class Ring:
    """Trees as rational functions in names and sums of monomials, and back.

    Every name, and every Σ_c of a monomial in names with the index c, is one sympy symbol. Distinct
    free indices are distinct actions, so their symbols are independent.
    """

    def __init__(self) -> None:
        self._symbols: dict[Any, Symbol] = {}
        self._keys: dict[Symbol, Any] = {}

    def expression(self, tree: Tree) -> Expr:
        """The tree as a rational function; a sum of a monomial is one symbol.

        Sums are made linear combinations of sums of monomials first; a sum whose body is divided by
        several terms with its index is none, and raises a ValueError.
        """
        if isinstance(tree, int):
            return Integer(tree)
        if isinstance(tree, str):
            return self._symbol(tree)
        head, *parts = tree
        if head == "sum":
            return self._sum(*parts)
        if head == "D":
            return self._derivative(*parts)
        if head == "^":
            return self.expression(parts[0]) ** parts[1]
        values = [self.expression(part) for part in parts]
        result: Expr = Integer(0 if head == "+" else 1)
        for value in values:
            result = result + value if head == "+" else result * value
        return result

    def key(self, symbol: Symbol) -> Any:
        """What a symbol stands for: a plain name, or the monomial that is summed.

        A monomial is a tuple of (name, power), with "[.]" in the place of the index.
        """
        return self._keys[symbol]

    def tree(self, expression: Expr) -> Tree:
        """A rational function of this ring's symbols as a tree.

        With all sums over the index c.
        """
        above, below = (self._polynomial(part) for part in fraction(expression))
        return above if below == 1 or above == 0 else ["*", above, ["^", below, -1]]

    def _polynomial(self, expression: Expr) -> Tree:
        symbols = sorted(expression.free_symbols, key=lambda symbol: str(self._keys[symbol]))
        if not symbols:
            return int(expression)
        polynomial = Poly(expression, *symbols)
        terms: list[Tree] = []
        for powers, coefficient in polynomial.terms():
            # whole numbers alone are numbers to the kernel: p/q is p times q^-1
            factors: list[Tree] = [int(coefficient.p)] if coefficient.p != 1 else []
            factors += [["^", int(coefficient.q), -1]] if coefficient.q != 1 else []
            for symbol, power in zip(polynomial.gens, powers, strict=True):
                factors += (
                    [self._written(symbol) if power == 1 else ["^", self._written(symbol), power]]
                    if power
                    else []
                )
            terms.append(["*", *factors] if len(factors) > 1 else factors[0] if factors else 1)
        return ["+", *terms] if len(terms) > 1 else terms[0] if terms else 0

    def _symbol(self, key: Any) -> Symbol:
        if key not in self._symbols:
            # a dummy, as two keys may have one text
            self._symbols[key] = Dummy(str(key))
            self._keys[self._symbols[key]] = key
        return self._symbols[key]

    def _written(self, symbol: Symbol) -> Tree:
        key = self._keys[symbol]
        if isinstance(key, str):
            return key
        factors = [
            name.replace("[.]", "[c]") if power == 1 else ["^", name.replace("[.]", "[c]"), power]
            for name, power in key
        ]
        return ["sum", "c", ["*", *factors] if len(factors) > 1 else factors[0]]

    def _sum(self, index: str, body: Tree) -> Expr:
        mark = f"[{index}]"
        above, below = fraction(cancel(together(self.expression(body))))
        inside = [
            symbol
            for symbol in (above * below).free_symbols
            if isinstance(self._keys[symbol], str) and self._keys[symbol].endswith(mark)
        ]
        if not inside:
            # nothing depends on the index: the sum of 1 is the number of actions
            return self._symbol("k") * above / below
        # one term below, or the quotient is no combination of monomials: else unpacking raises
        ((divisor, rest),) = Poly(below, *inside).terms()
        result: Expr = Integer(0)
        for powers, coefficient in Poly(above, *inside).terms():
            key = tuple(
                (self._keys[symbol].replace(mark, "[.]"), power - lower)
                for symbol, power, lower in sorted(
                    zip(inside, powers, divisor, strict=True), key=lambda item: self._keys[item[0]]
                )
                if power != lower
            )
            result += coefficient * self._symbol(key or "k")
        return result / rest

    def _derivative(self, name: str, body: Tree) -> Expr:
        """∂/∂θ_a = x_a ∂/∂x_a, where a sum depends on x_a through its term a alone."""
        expression = self.expression(body)
        result: Expr = Integer(0)
        for symbol in sorted(expression.free_symbols, key=lambda one: str(self._keys[one])):
            key = self._keys[symbol]
            if key == name:
                # θ = log x, so the derivative in θ is x times that in x
                result += expression.diff(symbol) * symbol
            elif not isinstance(key, str) and (degree := dict(key).get("x[.]")):
                term: Expr = Integer(degree)
                for inner, power in key:
                    term *= self._symbol(inner.replace("[.]", name[1:])) ** power
                result += expression.diff(symbol) * term
        return result


def cofactors(target: Tree, zeros: Sequence[Tree]) -> list[Tree]:
    """Cofactors with `target = Σ cofactor · zero` as rational functions, by eliminating one symbol
    with each zero.

    If the target isn't in the ideal a remainder stays, and the kernel will refuse what is returned.

    Each relation is solved for one symbol, which is then eliminated from the target and from the
    other relations; no Gröbner basis is computed.

    Args:
        target: what must come out as a combination.
        zeros: the relations.

    Returns:
        One tree for each zero, 0 where it isn't needed.
    """
    # lines of different proofs ask the same; as text, so that nobody shares a list
    found: list[Tree] = json.loads(_found(json.dumps([target, *zeros])))
    return found


@functools.cache
def _found(asked: str) -> str:
    target, *zeros = json.loads(asked)
    return json.dumps(_cofactors(target, zeros))


def _cofactors(target: Tree, zeros: Sequence[Tree]) -> list[Tree]:
    if not zeros:
        return []
    ring = Ring()
    expressions = [ring.expression(one) for one in (target, *zeros)]
    symbols = sorted(
        set().union(*(one.free_symbols for one in expressions)),
        key=lambda symbol: str(ring.key(symbol)),
    )
    # numbers alone: there is no symbol to eliminate
    if not symbols:
        return [
            ring.tree(expressions[0] / expressions[1]) if expressions[1] != 0 else 0,
            *[0] * (len(zeros) - 1),
        ]
    # exact, and faster than sympy's own simplification by far
    field = QQ.frac_field(*symbols)
    remainder, *relations = (field.from_sympy(one) for one in expressions)
    # each relation remembers how it is made of the given ones
    rows = [(one, {number: field.one}) for number, one in enumerate(relations)]
    combination = dict.fromkeys(range(len(zeros)), field.zero)
    while rows:
        # the cheapest relation first, anew each time: what it eliminates makes others cheaper
        cost, at = min((_cost(ring, symbols, row), place) for place, row in enumerate(rows))
        row = rows.pop(at)
        quotient, remainder = _divide(remainder, row[0], cost[-1], field)
        for number, factor in row[1].items():
            combination[number] += quotient * factor
        # the others are rid of its symbol too, or the remainder would get it back from them
        rows = [_eliminate(other, row, cost[-1], field) for other in rows]
    return [ring.tree(field.to_sympy(one)) for one in combination.values()]


Row = tuple[Any, dict[int, Any]]
"""A relation that is zero, and how it is made of the given ones."""
NONE = -1
"""The place of the symbol to be eliminated, when the relation has none."""


def _cost(ring: Ring, symbols: Sequence[Symbol], row: Row) -> tuple[int, int, str, int]:
    """How the relation is best solved: for a symbol of low degree, with a number before it if
    possible, a sum if possible.
    """
    above = row[0].numer
    candidates: list[tuple[int, int, str, int]] = [(-1 if above.is_ground else 99, 0, "", NONE)]
    for place, symbol in enumerate(symbols):
        degree = above.degree(place)
        if degree > 0:
            leading = [monomial for monomial in above.monoms() if monomial[place] == degree]
            # the highest power has a number before it: division needs no new denominator
            plain = len(leading) == 1 and sum(leading[0]) == degree
            if degree == 1 or plain:
                key = ring.key(symbol)
                cost = (
                    (0 if plain else 1 if len(leading) == 1 else 2)
                    + 2 * (degree - 1)
                    + 3 * (key == "k")
                )
                candidates.append((cost, int(isinstance(key, str)), str(key), place))
    return min(candidates)


def _divide(element: Any, zero: Any, place: int, field: Any) -> tuple[Any, Any]:
    """Quotient and remainder of an element's numerator by a relation, as polynomials in one
    symbol.
    """
    if place == NONE:
        return (element / zero, field.zero) if zero else (field.zero, element)
    dividend, divisor = (
        _coefficients(element.numer, place, field),
        _coefficients(zero.numer, place, field),
    )
    symbol = field.gens[place]
    quotient = field.zero
    # long division in one symbol; its coefficients are rational functions of all others
    while len(dividend) >= len(divisor):
        factor, shift = dividend[-1] / divisor[-1], len(dividend) - len(divisor)
        quotient += factor * symbol**shift
        for at, coefficient in enumerate(divisor):
            dividend[at + shift] -= factor * coefficient
        dividend.pop()
    rest = sum(
        (coefficient * symbol**power for power, coefficient in enumerate(dividend)),
        start=field.zero,
    )
    return quotient * zero.denom / element.denom, rest / element.denom


def _coefficients(polynomial: Any, place: int, field: Any) -> list[Any]:
    """Coefficients of the powers of one symbol, lowest first."""
    found: list[Any] = [field.zero] * (max(polynomial.degree(place), 0) + 1)
    for monomial, coefficient in polynomial.terms():
        rest = tuple(0 if at == place else power for at, power in enumerate(monomial))
        found[monomial[place]] += field.field(polynomial.ring({rest: coefficient}))
    return found


def _eliminate(row: Row, by: Row, place: int, field: Any) -> Row:
    quotient, remainder = _divide(row[0], by[0], place, field)
    factors = dict(row[1])
    for number, factor in by[1].items():
        factors[number] = factors.get(number, field.zero) - quotient * factor
    return remainder, factors
