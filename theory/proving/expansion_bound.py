"""How large a stored formula can get when it is multiplied out, told from its tree without doing
so: standard library only.

A few characters can ask for more terms than any memory holds, such as ["^", ["^", ["+", "a", "b"],
99], 99]. What is told here is an upper bound, so a formula that is let through can't.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

LARGEST_WORK = 1_000_000
"""Terms times leaves; the derivations of the paper stay below a fiftieth of it."""
LARGEST_LEAVES = 5_000
LARGEST_DEGREE = 128
"""Nested powers count together; a derivation needs up to γ¹⁰⁰."""
LARGEST_NUMBERS = 4_000_000
"""Bits of all numbers together, each with the powers around it; a name counts as a number of 40
digits.
"""
_NAME = 133


def is_too_much(trees: Iterable[Any], numbers: int = LARGEST_NUMBERS) -> bool:
    """Whether the sum of the formulas, cleared of all it is divided by, could be too much to
    multiply out.

    Upper bounds: a sum has as many terms as its parts together, a product as their product, a power
    n that to the n-th; each divisor multiplies all terms once for each of its powers.

    Args:
        numbers: how many bits all numbers together may have.

    Raises:
        ValueError: one of them is no formula.
    """
    sizes = _Sizes()
    terms = sum(sizes.terms(tree, 1) for tree in trees)
    if sizes.leaves > LARGEST_LEAVES or sizes.bits > numbers:
        return True
    # clearing a divisor multiplies every term by it
    for count, power in sizes.divisors.values():
        terms *= count**power
        if terms > LARGEST_WORK:
            return True
    return terms * sizes.leaves > LARGEST_WORK


class _Sizes:
    """Bounds of one formula, and the divisors of all so far: how many terms each has, and its
    highest power.
    """

    def __init__(self) -> None:
        self.leaves = self.bits = self.slopes = 0
        self.around = 0  # derivatives around what is counted
        self.divisors: dict[str, tuple[int, int]] = {}

    def terms(self, tree: Any, degree: int) -> int:
        """An upper bound of the number of terms, capped soon above the largest that is allowed;
        `degree` is that of the powers around.
        """
        if type(tree) in (int, str):
            # each number counts with its length, times the powers around it
            self.leaves += 1
            self.bits += degree * (tree.bit_length() if type(tree) is int else _NAME)
            return 1
        if not isinstance(tree, list) or len(tree) < 2:
            raise ValueError("neither a number, nor a name, nor an operation")
        head, *parts = tree
        if head == "^" and len(parts) == 2 and type(parts[1]) is int:
            return self._power(parts[0], parts[1], degree)
        if head == "sum":
            return self.terms(parts[-1], degree)
        if head == "D":
            return self._slope(parts[-1], degree)
        counts = [self.terms(part, degree) for part in parts]
        if head == "+":
            return _capped(sum(counts))
        total = 1
        for count in counts:
            total = _capped(total * count)
        return total

    def _slope(self, body: Any, degree: int) -> int:
        """A derivative has a term for each factor of each term, and for each term of what that is
        divided by, once more.
        """
        leaves, slopes = self.leaves, self.slopes
        self.around += 1
        count = self.terms(body, degree)
        self.around -= 1
        # a factor is a leaf, or what a derivative inside has made of one
        factors = (self.leaves - leaves) * (1 + self.slopes - slopes)
        self.slopes += 1
        return _capped(
            count * factors * max((terms for terms, _ in self.divisors.values()), default=1)
        )

    def _power(self, base: Any, power: int, degree: int) -> int:
        degree *= max(1, abs(power))
        if degree > LARGEST_DEGREE:
            raise ValueError("powers of powers")
        count = self.terms(base, degree)
        if power >= 0:
            return _capped(
                count ** max(1, power)
            )  # the base of a power of 0 is multiplied out, too
        if count > 1:
            name = json.dumps(base)
            self.divisors[name] = (
                count,
                max(degree + self.around, self.divisors.get(name, (0, 0))[1]),
            )
        return 1


def _capped(count: int) -> int:
    return min(count, LARGEST_WORK + 1)
