"""Evaluate the kernel's trees at exact rationals, with arithmetic of its own: sums are loops,
derivatives are dual numbers.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

INDICES = {"a": 0, "c": 1, "d": 2}
"""Distinct free indices are distinct actions; a derivative's variable h is one that no sum
reaches.
"""


class Dual:
    """value + slope ε with ε² = 0, over anything that can be added, multiplied and divided."""

    def __init__(self, value: Any, slope: Any):
        self.value, self.slope = value, slope

    def __add__(self, other: Any) -> Any:
        other = lift(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        other = lift(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return bool(self.value) or bool(self.slope)

    def __eq__(self, other: object) -> bool:
        return not (self + -1 * lift(other))

    def __sub__(self, other: Any) -> Any:
        return self + -1 * lift(other)

    def __rsub__(self, other: Any) -> Any:
        return lift(other) + -1 * self

    def inverse(self) -> Dual:
        return Dual(inverse(self.value), -1 * (self.slope * inverse(self.value * self.value)))


def lift(number: Any) -> Dual:
    return number if isinstance(number, Dual) else Dual(number, 0)


def inverse(number: Any) -> Any:
    return number.inverse() if isinstance(number, Dual) else 1 / Fraction(number)


class World:
    """Numbers for the symbols of one certificate, for k actions."""

    def __init__(self, k: int, seed: int, nonzero: frozenset[str] = frozenset()):
        self.k, self.random, self.nonzero = k, random.Random(seed), nonzero
        self.symbols: dict[str, Any] = {}

    def draw(self, low: int = 1) -> Fraction:
        return Fraction(self.random.randint(low, 30), self.random.randint(1, 12))

    def letter(self, name: str) -> Any:
        """The number of a letter such as "b" or "r[1]"; policies are positive and sum to one."""
        if name == "k":
            return self.k
        if name not in self.symbols:
            base = name.partition("[")[0]
            if base == "epsilon":  # dropped where it is squared
                self.symbols[name] = Dual(Fraction(0), Fraction(1))
            elif base == "pi":
                weights = [self.draw() for _ in range(self.k)]
                self.symbols.update(
                    {
                        f"pi[{action}]": weight / sum(weights)
                        for action, weight in enumerate(weights)
                    }
                )
            else:
                self.symbols[name] = self.draw()
        return self.symbols[name]

    def value(
        self, tree: Any, bound: dict[str, int] | None = None, moving: tuple[str, ...] = ()
    ) -> Any:
        """The tree's value; symbols in `moving` are differentiated, the last one outermost."""
        bound = bound or {}
        if isinstance(tree, int):
            return Fraction(tree)
        if isinstance(tree, str):
            return self._named(resolved(tree, bound), moving)
        head, *parts = tree
        if head == "sum":
            return self._sum(
                [
                    self.value(parts[1], {**bound, parts[0]: action}, moving)
                    for action in range(self.k)
                ]
            )
        if head == "D":
            return lift(self.value(parts[1], bound, (*moving, resolved(parts[0], bound)))).slope
        if head == "^":
            base = self.value(parts[0], bound, moving)
            product: Any = Fraction(1)
            for _ in range(abs(parts[1])):
                product = product * base
            return product if parts[1] >= 0 else inverse(product)
        values = [self.value(part, bound, moving) for part in parts]
        if head == "+":
            return self._sum(values)
        product = Fraction(1)
        for value in values:
            product = product * value
        return product

    def _named(self, name: str, moving: tuple[str, ...]) -> Any:
        """x_a moves as e^θ_a: its slope is itself, at every order."""
        number: Any = self.letter(name)
        for variable in moving:
            number = Dual(number, number) if variable == name else Dual(number, 0 * number)
        return number

    @staticmethod
    def _sum(values: list[Any]) -> Any:
        result: Any = Fraction(0)
        for value in values:
            result = result + value
        return result


def resolved(name: str, bound: dict[str, int]) -> str:
    """The name with its index as a number."""
    base, bracket, index = name.partition("[")
    return (
        f"{base}[{bound.get(index[:-1], INDICES.get(index[:-1], index[:-1]))}]" if bracket else name
    )


def residuals(world: World, given: list[dict]) -> list[Any]:
    """What should be zero by the certificate's assumptions, at the world's symbols."""
    found = []
    for one in given:
        actions = range(world.k) if one["each"] else [0]
        found += [
            world.value(one["zero"], {one["each"]: action} if one["each"] else None)
            for action in actions
        ]
    return found


def settle(world: World, given: list[dict]) -> bool:
    """Move some symbols so that all assumptions hold, from a random policy or from the corner of c;
    zeros only if there is no other way.
    """
    start = dict(world.symbols)
    for zeros in (False, True):
        for corner in (False, True):
            world.symbols = dict(start)
            if corner:
                world.symbols.update(
                    {
                        letter: Fraction(letter == "pi[1]")
                        for letter in start
                        if letter.startswith("pi[")
                    }
                )
            if _one_by_one(world, given, zeros) or _together(world, given, zeros):
                return True
    return False


def _names(world: World) -> list[str]:
    """Symbols without an index first, then others, policies and e^θ last."""
    names = {name.partition("[")[0]: "[" in name for name in world.symbols if name != "epsilon"}
    return sorted(names, key=lambda name: (name == "x", name == "pi", names[name], name))


def _one_by_one(world: World, given: list[dict], zeros: bool) -> bool:
    """Solve each broken assumption for one name without disturbing those that hold; give up if none
    can be.
    """
    start = dict(world.symbols)
    while broken := [one for one in given if any(residuals(world, [one]))]:
        kept = [one for one in given if one not in broken]
        if not any(
            _repair(world, one, name, kept, zeros) for one in broken for name in _names(world)
        ):
            world.symbols = start
            return False
    return True


def _repair(world: World, one: dict, name: str, kept: list[dict], zeros: bool) -> bool:
    start = dict(world.symbols)
    unknown = [letter for letter in start if letter.partition("[")[0] == name]
    if _solve(world, [one], unknown, zeros) and not any(residuals(world, kept)):
        return True
    world.symbols = start
    return False


def _together(world: World, given: list[dict], zeros: bool) -> bool:
    """Solve for a few names in which all assumptions are jointly linear."""
    start = dict(world.symbols)
    for size in (1, 2, 3, 4):
        for chosen in combinations(_names(world), size):
            world.symbols = dict(start)
            if _solve(
                world,
                given,
                [letter for letter in start if letter.partition("[")[0] in chosen],
                zeros,
            ):
                return True
    world.symbols = start
    return False


def _solve(world: World, given: list[dict], unknown: list[str], zeros: bool) -> bool:
    try:
        base = residuals(world, given)
        columns = []
        for letter in unknown:
            world.symbols[letter] += 1
            columns.append(
                [new - old for new, old in zip(residuals(world, given), base, strict=True)]
            )
            world.symbols[letter] -= 1
        if not any(any(column) for column in columns):
            return False
        steps = [world.draw() for _ in unknown]
        _move(world, unknown, steps)
        predicted = [
            old + sum(step * column[row] for step, column in zip(steps, columns, strict=True))
            for row, old in enumerate(base)
        ]
        linear = predicted == residuals(world, given)
        _move(world, unknown, [-step for step in steps])
        solution = (
            _eliminate(
                [[column[row] for column in columns] + [-base[row]] for row in range(len(base))],
                len(unknown),
            )
            if linear
            else None
        )
        if solution is None:
            return False
        _move(world, unknown, solution)
        return not any(residuals(world, given)) and all(
            world.symbols[letter] or (zeros and letter.partition("[")[0] not in world.nonzero)
            for letter in unknown
        )
    except (ZeroDivisionError, TypeError):
        return False


def _move(world: World, symbols: list[str], steps: list[Fraction]) -> None:
    for letter, step in zip(symbols, steps, strict=True):
        world.symbols[letter] += step


def _eliminate(rows: list[list[Fraction]], width: int) -> list[Fraction] | None:
    """A solution of the linear system, free unknowns at zero; None if there is none."""
    pivots: list[int] = []
    for column in range(width):
        at = next((row for row in range(len(pivots), len(rows)) if rows[row][column]), None)
        if at is None:
            continue
        rows[len(pivots)], rows[at] = rows[at], rows[len(pivots)]
        lead = rows[len(pivots)]
        lead[:] = [entry / lead[column] for entry in lead]
        for row in rows:
            if row is not lead and row[column]:
                factor = row[column]
                row[:] = [entry - factor * other for entry, other in zip(row, lead, strict=True)]
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    solution = [Fraction(0)] * width
    for row, column in zip(rows, pivots, strict=False):
        solution[column] = row[-1]
    return solution
