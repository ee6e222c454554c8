"""Check a certificate again, from its JSON alone: standard library only, nothing shared with what
produced it.

A certificate states `left relation right`, for every number of actions, and shows why: with the
witness and the cofactors it gives, left - right - witness - sum(cofactor * zero) is 0 as a rational
function. Each `zero` is given to be 0 (for every value of `each`, if it names an index); the
witness is 0 for "=", manifestly >= 0 for ">=", manifestly > 0 for ">". Formulas are trees: an int;
a name such as "b", or "x[c]" with its action; ["+", ...]; ["*", ...]; ["^", base, int]; ["sum",
"c", body] over all actions; ["D", "x[a]", body], the derivative in theta_a where x = e^theta.
Distinct free indices are distinct actions.

A formula's value is a polynomial {monomial: coefficient}, a monomial a set of (factor, exponent),
negative where it is divided by. There are three types of factors: a str is a name; a frozenset,
itself a monomial in names such as "x[.]", is the sum of that monomial over all actions (sums are
linear, so no others are needed, whatever the number of actions is); a tuple holds a polynomial of
several terms that is divided by and manifestly not 0, so that in the end everything can be
multiplied by it.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from typing import Any


def holds(certificate: dict) -> bool:
    """Whether the certificate proves its statement; anything malformed proves nothing."""
    try:
        return _Check(**certificate).holds()
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return False


def _times(one: Iterable, other: Iterable, sign: int = 1) -> frozenset:
    """The product of two monomials; with sign -1, their quotient."""
    powers = dict(one)
    for factor, power in other:
        powers[factor] = powers.get(factor, 0) + sign * power
    return frozenset(item for item in powers.items() if item[1])


def _sum(polynomials: Iterable[dict]) -> dict:
    """The sum of polynomials, without terms that cancel."""
    result: dict = {}
    for monomial, coefficient in (
        term for polynomial in polynomials for term in polynomial.items()
    ):
        result[monomial] = result.get(monomial, 0) + coefficient
    # zero terms would make equal polynomials differ
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def _product(factors: Iterable[dict]) -> dict:
    """The product of polynomials."""
    return reduce(
        lambda p, q: _sum({_times(m, n): c * d} for m, c in p.items() for n, d in q.items()),
        factors,
        {frozenset(): Fraction(1)},
    )


def _inside(monomial: frozenset, index: str) -> frozenset:
    """The names in a monomial that have the index."""
    return frozenset(
        item for item in monomial if type(item[0]) is str and item[0].endswith(f"[{index}]")
    )


def _cleared(value: dict) -> dict:
    """The value times the polynomials it is divided by, one after the other: 0 if and only if the
    value is.
    """
    while divisors := {
        factor for monomial in value for factor, _ in monomial if type(factor) is tuple
    }:
        # which divisor is taken first makes no difference: each is multiplied out in turn
        divisor = divisors.pop()
        # powers are negative where it is divided by; the lowest of them clears all the others
        powers = {monomial: dict(monomial).get(divisor, 0) for monomial in value}
        rest = {
            monomial: {_times(monomial, {(divisor, power)}, -1): value[monomial]}
            for monomial, power in powers.items()
        }
        value = _sum(
            _product([rest[m], *[dict(*divisor)] * (power - min(powers.values()))])
            for m, power in powers.items()
        )
    return value


class _Check:
    """One certificate, and what it declares of its symbols."""

    def __init__(self, **fields: Any):
        self.fields, self.constant = fields, set(fields["constant"])
        signs = (("nonzero", {-1, 1}), ("nonnegative", {0, 1}), ("positive", {1}))
        self.declared = {letter: possible for field, possible in signs for letter in fields[field]}

    def holds(self) -> bool:
        """Whether the two sides differ by the witness and by what is given to be 0, and the witness
        has the right sign.
        """
        left, relation, right, witness = (
            self.fields[name] for name in ("left", "relation", "right", "witness")
        )
        shown = [(one["each"], ["*", one["cofactor"], one["zero"]]) for one in self.fields["given"]]
        # an assumption about every index is used summed over it, a plain one as it stands
        used = [["sum", index, term] if index else term for index, term in shown]
        # no division by what may be 0 gets this far: `inverse` raises, so that clearing is an
        # equivalence
        rest = _cleared(self.value(["+", left, ["*", -1, ["+", right, witness, *used]]], ()))
        # the difference must vanish identically, and the witness have its sign for all values
        return not rest and (
            witness == 0
            if relation == "="
            else self.signs(witness) <= {">=": {0, 1}, ">": {1}}[relation]
        )

    def value(self, tree: Any, bound: tuple) -> dict:
        """The polynomial that a formula is, inside of sums over the bound indices."""
        # a bool is an int to isinstance, and would be a number here
        if type(tree) is int:
            return _sum([{frozenset(): Fraction(tree)}])
        if type(tree) is str and re.fullmatch(r"[^][,.]+(\[\w+\])?", tree):
            return {frozenset({(tree, 1)}): Fraction(1)}
        head, *parts = tree
        if head in ("+", "*") and parts:
            return (_sum if head == "+" else _product)([self.value(part, bound) for part in parts])
        first, second = parts
        if head == "^":
            return _product(
                [self.value(first, bound) if second >= 0 else self.inverse(first, bound)]
                * abs(second)
            )
        # an index that is bound twice could capture a free one of the inner sum
        if head == "sum" and first not in bound:
            return _sum(
                self.summed(first, *term) for term in self.value(second, (*bound, first)).items()
            )
        if head == "D" and re.fullmatch(r"x\[\w+\]", first) and not bound:
            return _sum(self.slopes(first, self.value(second, ())))
        raise ValueError(
            "an unknown operation, an index used twice, or a derivative that is not in theta or in"
            " a sum"
        )

    def inverse(self, tree: Any, bound: tuple) -> dict:
        """What a division by the formula multiplies by."""
        value = self.value(tree, bound)
        if (
            not value
            or 0 in self.signs(tree)
            or (len(value) > 1 and any(_inside(m, index) for m in value for index in bound))
        ):
            raise ValueError(
                "division by what is not manifestly nonzero, or in a sum by several terms that have"
                " its index"
            )
        # one term is inverted itself; several stay together as one factor, to be multiplied out at
        # the end
        # 1/(p + q) stays one factor: there is no polynomial for it
        terms = (
            value.items()
            if len(value) == 1
            else [(frozenset({((frozenset(value.items()),), 1)}), Fraction(1))]
        )
        return {_times((), monomial, -1): 1 / coefficient for monomial, coefficient in terms}

    def summed(self, index: str, monomial: frozenset, coefficient: Fraction) -> dict:
        """A term, summed over the index."""
        inside = _inside(monomial, index)
        # what doesn't depend on the index comes out of the sum; a sum of 1 is the number of actions
        over_all = (
            frozenset((name.replace(f"[{index}]", "[.]"), power) for name, power in inside) or "k"
        )
        return {_times(_times(monomial, inside, -1), {(over_all, 1)}): coefficient}

    def slopes(self, name: str, value: dict) -> Iterator[dict]:
        """The terms of a derivative: each factor's in each monomial."""
        for monomial, coefficient, factor, power in (
            (m, c, *item) for m, c in value.items() for item in m
        ):
            there = (
                {}
                if type(factor) is tuple
                else dict([(factor, 1)] if type(factor) is str else factor)
            )
            there = {
                base.replace("[.]", name[1:]): degree for base, degree in there.items()
            }  # in a sum, the term of this action
            if not all(
                base == "k" or base.startswith("x[") or base.split("[")[0] in self.constant
                for base in there
            ):
                raise ValueError("something is not declared constant in theta")
            slope = (
                _sum(self.slopes(name, dict(*factor)))
                if type(factor) is tuple
                else {frozenset(there.items()): there.get(name, 0)}
            )
            yield _product([{_times(monomial, {(factor, 1)}, -1): coefficient * power}, slope])

    def signs(self, tree: Any) -> set:
        """Which of the signs -1, 0 and 1 the formula may have, as far as the signs of its parts
        tell.
        """
        if type(tree) in (int, str):
            return (
                {(tree > 0) - (tree < 0)}
                if type(tree) is int
                else self.declared.get(tree.split("[")[0], {-1, 0, 1})
            )
        head, *parts = tree
        if head == "^":
            # a division by it has the same sign; one by 0 was refused before
            return {sign ** abs(parts[1]) for sign in self.signs(parts[0])}
        parts = {"sum": parts[1:] * 2, "D": [1, -1]}.get(
            head, parts
        )  # a sum of more adds no sign; a derivative may have any
        join = (
            (lambda m, n: {m * n})
            if head == "*"
            else (lambda m, n: {-1, 0, 1} if m * n < 0 else {m or n})
        )
        return reduce(
            lambda one, other: {sign for m in one for n in other for sign in join(m, n)},
            map(self.signs, parts),
        )
