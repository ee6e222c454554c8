"""The finite-sum ring: why an identity between sums holds for every number of actions, as explicit cofactors.

A sum is linear, so `Σ_c f(c)` with f a (Laurent) polynomial in per-action letters is a combination of monomials' sums; each of
these becomes one symbol, S[p^2 d] say. An identity that reduces to 0 modulo the given relations (S[p] = 1, K S[1/d] = 1) holds
for every k, and the cofactors of the reduction are the certificate. This module finds them with sympy; the kernel, which shares
no code with it, checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import QQ, Dummy, Expr, Integer, Poly, Symbol, cancel, div, fraction, together

from theory.trees import Tree


class Ring:
    """Trees as rational functions in names and sums of monomials, and back."""

    def __init__(self) -> None:
        self._symbols: dict[Any, Symbol] = {}
        self._keys: dict[Symbol, Any] = {}

    def expression(self, tree: Tree) -> Expr:
        """The tree as a rational function; a sum of a monomial is one symbol."""
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

    def tree(self, expression: Expr) -> Tree:
        """A rational function of this ring's symbols as a tree."""
        above, below = (self._polynomial(part) for part in fraction(expression))
        return above if below == 1 or above == 0 else ["*", above, ["^", below, -1]]

    def pivot(self, row: Row) -> tuple[tuple[int, int, str], Symbol | None]:
        """The symbol that the relation is best solved for: of low degree in it, with a number before it if possible, a sum if possible."""
        above = fraction(cancel(together(row[0])))[0]
        candidates: list[tuple[tuple[int, int, str], Symbol | None]] = [((-1 if above.is_number else 9, 9, ""), None)]
        for symbol in above.free_symbols:
            polynomial = Poly(above, symbol)
            leading, key = polynomial.LC(), self._keys[symbol]
            if polynomial.degree() == 1 or leading.is_number:
                cost = 0 if leading.is_number else 1 if len(Poly(leading, *leading.free_symbols).terms()) == 1 else 2
                cost += 2 * (polynomial.degree() - 1)
                candidates.append(((cost + 3 * (key == "k"), int(isinstance(key, str)), str(key)), symbol))
        return min(candidates, key=lambda candidate: candidate[0])

    def _polynomial(self, expression: Expr) -> Tree:
        symbols = sorted(expression.free_symbols, key=lambda symbol: str(self._keys[symbol]))
        if not symbols:
            return int(expression)
        polynomial = Poly(expression, *symbols)
        terms: list[Tree] = []
        for powers, coefficient in polynomial.terms():
            factors: list[Tree] = [int(coefficient.p)] if coefficient.p != 1 else []
            factors += [["^", int(coefficient.q), -1]] if coefficient.q != 1 else []
            for symbol, power in zip(polynomial.gens, powers, strict=True):
                factors += [self._written(symbol) if power == 1 else ["^", self._written(symbol), power]] if power else []
            terms.append(["*", *factors] if len(factors) > 1 else factors[0] if factors else 1)
        return ["+", *terms] if len(terms) > 1 else terms[0] if terms else 0

    def _symbol(self, key: Any) -> Symbol:
        if key not in self._symbols:
            self._symbols[key] = Dummy(str(key))
            self._keys[self._symbols[key]] = key
        return self._symbols[key]

    def _written(self, symbol: Symbol) -> Tree:
        key = self._keys[symbol]
        if isinstance(key, str):
            return key
        factors = [name.replace("[.]", "[c]") if power == 1 else ["^", name.replace("[.]", "[c]"), power] for name, power in key]
        return ["sum", "c", ["*", *factors] if len(factors) > 1 else factors[0]]

    def _sum(self, index: str, body: Tree) -> Expr:
        mark = f"[{index}]"
        above, below = fraction(cancel(together(self.expression(body))))
        inside = [
            symbol for symbol in (above * below).free_symbols if isinstance(self._keys[symbol], str) and self._keys[symbol].endswith(mark)
        ]
        if not inside:
            return self._symbol("k") * above / below
        ((divisor, rest),) = Poly(below, *inside).terms()
        result: Expr = Integer(0)
        for powers, coefficient in Poly(above, *inside).terms():
            key = tuple(
                (self._keys[symbol].replace(mark, "[.]"), power - lower)
                for symbol, power, lower in sorted(zip(inside, powers, divisor, strict=True), key=lambda item: self._keys[item[0]])
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
                result += expression.diff(symbol) * symbol
            elif not isinstance(key, str) and (degree := dict(key).get("x[.]")):
                term: Expr = Integer(degree)
                for inner, power in key:
                    term *= self._symbol(inner.replace("[.]", name[1:])) ** power
                result += expression.diff(symbol) * term
        return result


def cofactors(target: Tree, zeros: Sequence[Tree]) -> list[Tree]:
    """Cofactors with `target = Σ cofactor · zero` as rational functions, by eliminating one symbol with each zero.

    If the target isn't in the ideal a remainder stays, and the kernel will refuse what is returned.
    """
    ring = Ring()
    remainder = ring.expression(target)
    combinations = {number: Integer(0) for number in range(len(zeros))}
    rows = [(ring.expression(zero), {number: Integer(1)}) for number, zero in enumerate(zeros)]
    while rows:
        pivot, row = min(((ring.pivot(row), row) for row in rows), key=lambda pair: pair[0][0])
        rows.remove(row)
        quotient, remainder = _divide(remainder, row[0], pivot[1])
        for number, factor in row[1].items():
            combinations[number] += quotient * factor
        rows = [_eliminate(other, row, pivot[1]) for other in rows]
    return [ring.tree(cancel(together(combination))) for combination in combinations.values()]


Row = tuple[Expr, dict[int, Expr]]
"""A relation that is zero, and how it is made of the given ones."""


def _divide(expression: Expr, zero: Expr, symbol: Symbol | None) -> tuple[Expr, Expr]:
    """Quotient and remainder with respect to one symbol; without one the zero is a number, and if not 0 it divides everything."""
    if symbol is None:
        return (expression / zero, Integer(0)) if zero.is_number and zero != 0 else (Integer(0), expression)
    above, below = fraction(cancel(together(expression)))
    relation = fraction(together(zero))
    if symbol not in above.free_symbols:
        return Integer(0), expression
    others = sorted((above * relation[0]).free_symbols - {symbol}, key=str)
    domain = QQ.frac_field(*others) if others else QQ
    quotient, remainder = div(Poly(above, symbol, domain=domain), Poly(relation[0], symbol, domain=domain))
    return quotient.as_expr() * relation[1] / below, remainder.as_expr() / below


def _eliminate(row: Row, by: Row, symbol: Symbol | None) -> Row:
    quotient, remainder = _divide(row[0], by[0], symbol)
    factors = dict(row[1])
    for number, factor in by[1].items():
        factors[number] = factors.get(number, Integer(0)) - quotient * factor
    return remainder, factors
