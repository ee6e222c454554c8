"""The finite-sum ring: why an identity between sums holds for every number of actions, as explicit cofactors.

A sum is linear, so `Σ_c f(c)` with f a (Laurent) polynomial in per-action letters is a combination of monomials' sums; each of
these becomes one symbol, S[p^2 d] say. An identity that reduces to 0 modulo the given relations (S[p] = 1, K S[1/d] = 1) holds
for every k, and the cofactors of the reduction are the certificate. This module finds them with sympy; the kernel, which shares
no code with it, checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from sympy import Dummy, Expr, Integer, Poly, Symbol, cancel, fraction, reduced, together

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

    def tree(self, polynomial: Poly) -> Tree:
        """A polynomial in this ring's symbols as a tree."""
        terms: list[Tree] = []
        for powers, coefficient in polynomial.terms():
            factors: list[Tree] = [int(coefficient.p)] if coefficient.p != 1 else []
            factors += [["^", int(coefficient.q), -1]] if coefficient.q != 1 else []
            for symbol, power in zip(polynomial.gens, powers, strict=True):
                factors += [self._written(symbol) if power == 1 else ["^", self._written(symbol), power]] if power else []
            terms.append(["*", *factors] if len(factors) > 1 else factors[0] if factors else 1)
        return ["+", *terms] if len(terms) > 1 else terms[0] if terms else 0

    def sums_first(self, expressions: Sequence[Expr]) -> list[Symbol]:
        """All symbols in the expressions, sums before plain names, so that relations between sums lead."""
        found = set().union(*(expression.free_symbols for expression in expressions))
        return sorted(found, key=lambda symbol: (isinstance(self._keys[symbol], str), str(self._keys[symbol])))

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
    """Cofactors with `target = Σ cofactor · zero` as rational functions, as far as they can be found.

    If the division leaves a remainder the cofactors of the smallest one are returned: the kernel will then refuse them.
    """
    ring = Ring()
    above, below = fraction(together(ring.expression(target)))
    relations = [fraction(together(ring.expression(zero))) for zero in zeros]
    symbols = ring.sums_first([above, below, *(part for relation in relations for part in relation)])
    best: tuple[int, list[Tree]] | None = None
    for order in permutations(range(len(zeros))):
        quotients, remainder = reduced(above, [relations[one][0] for one in order], *symbols, order="lex", polys=True)
        found = dict(zip(order, quotients, strict=True))
        trees = [_over(ring, found[one], relations[one][1], below, symbols) for one in range(len(zeros))]
        if best is None or len(remainder.terms()) < best[0]:
            best = (len(remainder.terms()), trees)
        if remainder.is_zero:
            return trees
    return best[1] if best else []


def _over(ring: Ring, quotient: Poly, scale: Expr, below: Expr, symbols: Sequence[Symbol]) -> Tree:
    """quotient · scale / below, as a tree."""
    if quotient.is_zero:
        return 0
    factors = [ring.tree(quotient), ring.tree(Poly(scale, *symbols)), ["^", ring.tree(Poly(below, *symbols)), -1]]
    kept = [factor for factor in factors if factor not in (1, ["^", 1, -1])]
    return ["*", *kept] if len(kept) > 1 else kept[0] if kept else 1
