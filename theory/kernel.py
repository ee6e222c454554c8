"""Check a certificate again, from its JSON alone: standard library only, nothing shared with what produced it.

A certificate states `left relation right`, for every number of actions, and shows why: with the witness and the cofactors it gives,
left - right - witness - sum(cofactor * zero) is 0 as a rational function. Each `zero` is given to be 0 (for every value of `each`, if it
names an index); the witness is 0 for "=", manifestly >= 0 for ">=", manifestly > 0 for ">". Formulas are trees: an int; a name such as
"b", or "x[c]" with its action; ["+", ...]; ["*", ...]; ["^", base, int]; ["sum", "c", body] over all actions; ["D", "x[a]", body], the
derivative in theta_a where x = e^theta. Distinct free indices are distinct actions. A sum is linear, so each monomial in its index becomes
one new name, whatever the number of actions is.
"""

import re
from fractions import Fraction
from typing import Any


def holds(certificate: dict) -> bool:
    """Whether the certificate proves its statement; anything malformed proves nothing."""
    try:
        return _Check(**certificate).holds()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return False


def _times(one: Any, other: Any, sign: int = 1) -> frozenset:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + sign * power
    return frozenset(item for item in powers.items() if item[1])


def _collect(terms: Any) -> dict:
    result: dict = {}
    for monomial, coefficient in terms:
        result[monomial] = result.get(monomial, 0) + coefficient
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def _mul(one: dict, other: dict, sign: int = 1) -> dict:
    return _collect((_times(m, n), sign * c * d) for m, c in one.items() for n, d in other.items())


def _add(one: tuple, other: tuple) -> tuple[dict, dict]:
    (above, below), (more, under) = one, other
    if below != under:
        above, more, below = _mul(above, under), _mul(more, below), _mul(below, under)
    return _collect([*above.items(), *more.items()]), below


def _inside(monomial: frozenset, index: str) -> frozenset:
    return frozenset(item for item in monomial if type(item[0]) is str and item[0].endswith(f"[{index}]"))


class _Check:
    def __init__(self, **fields: Any):
        self.fields, self.nonzero, self.constant = fields, fields["nonzero"], fields["constant"]
        self.signs = {**dict.fromkeys(fields["nonnegative"], 1), **dict.fromkeys(fields["positive"], 2)}

    def holds(self) -> bool:
        left, relation, right, witness = (self.fields[name] for name in ("left", "relation", "right", "witness"))
        shown = [(one["each"], ["*", one["cofactor"], one["zero"]]) for one in self.fields["given"]]
        used = [["sum", index, term] if index else term for index, term in shown]
        zero, _ = self.value(["+", left, ["*", -1, ["+", right, witness, *used]]], ())
        return not zero and (witness == 0 if relation == "=" else self.sign(witness) >= {">=": 1, ">": 2}[relation])

    def value(self, tree: Any, bound: tuple) -> tuple[dict, dict]:
        """Numerator and denominator: {monomial: coefficient}, a monomial being a set of (name, exponent)."""
        one: dict = {frozenset(): Fraction(1)}
        if type(tree) is int:
            return _collect([(frozenset(), Fraction(tree))]), one
        if type(tree) is str and re.fullmatch(r"[^][,.]+(\[\w+\])?", tree):
            return {frozenset({(tree, 1)}): Fraction(1)}, one
        head, *parts = tree
        if head == "sum":
            return self.summed(parts[0], parts[1], bound)
        if head == "D":
            return self.derived(parts[0], parts[1], bound)
        result = ({}, one) if head == "+" else (one, one)
        for part in [parts[0]] * abs(parts[1]) if head == "^" else parts:
            above, below = self.value(part, bound)
            result = _add(result, (above, below)) if head == "+" else (_mul(result[0], above), _mul(result[1], below))
        if head not in ("+", "*", "^") or (head == "^" and parts[1] < 0 and not self.is_nonzero(parts[0])):
            raise ValueError("an unknown operation, or division by what is not manifestly nonzero")
        return result[::-1] if head == "^" and parts[1] < 0 else result

    def summed(self, index: str, body: Any, bound: tuple) -> tuple[dict, dict]:
        above, below = self.value(body, (*bound, index))
        (divisor,) = {_inside(monomial, index) for monomial in below}  # one monomial of the index below the line, or this raises
        terms = []
        for monomial, coefficient in above.items():
            inside = _inside(monomial, index)
            generic = frozenset((name.replace(f"[{index}]", "[.]"), power) for name, power in _times(inside, divisor, -1))
            terms.append((_times(_times(monomial, inside, -1), {(generic or "k", 1)}), coefficient))
        if index in bound:
            raise ValueError("a sum needs an index of its own")
        return _collect(terms), {_times(monomial, divisor, -1): coefficient for monomial, coefficient in below.items()}

    def derived(self, name: str, body: Any, bound: tuple) -> tuple[dict, dict]:
        above, below = self.value(body, bound)
        if bound or not name.startswith("x["):
            raise ValueError("derivatives are taken in theta_a, outside of sums")
        square = _mul(below, below)
        return _add((_mul(self.slope(above, name), below), square), (_mul(above, self.slope(below, name), -1), square))

    def slope(self, polynomial: dict, name: str) -> dict:
        terms = []
        for monomial, coefficient in polynomial.items():
            for factor, power in monomial:
                inner = {factor: 1} if type(factor) is str else dict(factor)
                if any(base.split("[")[0] not in ("x", "k", *self.constant) for base in inner):
                    raise ValueError("something is not declared constant in theta")
                there = frozenset((base.replace("[.]", name[1:]), degree) for base, degree in inner.items())
                rest = _times(monomial, {(factor, 1)}, -1)
                terms.append((_times(rest, there), coefficient * power * inner.get(name if type(factor) is str else "x[.]", 0)))
        return _collect(terms)

    def is_nonzero(self, tree: Any) -> bool:
        if type(tree) is list and tree[0] in ("*", "^"):
            return all(self.is_nonzero(part) for part in tree[1 : 2 if tree[0] == "^" else None])
        return (type(tree) is str and tree.split("[")[0] in self.nonzero) or abs(self.sign(tree)) == 2

    def sign(self, tree: Any) -> int:
        """2 if manifestly positive, 1 if manifestly nonnegative, -2 and -1 likewise, else 0."""
        if type(tree) in (int, str):
            return self.signs.get(tree.split("[")[0], 0) if type(tree) is str else 2 if tree > 0 else -2 if tree < 0 else 1
        head, *parts = tree
        if head == "^" and parts[1] % 2 == 0:
            return 1 + self.is_nonzero(parts[0])
        signs = [self.sign(part) for part in {"^": parts[:1], "sum": parts[1:], "D": [""]}.get(head, parts)]
        if head == "+":
            return max(signs) if min(signs) > 0 else min(signs) if max(signs) < 0 else 0
        return min(map(abs, signs)) * (-1) ** sum(sign < 0 for sign in signs)
