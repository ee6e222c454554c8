"""Every draw of a space as arrays: which episodes it consists of, and how many orders of them it
stands for.

Draws are numbered and made in blocks, so that ten million of them need no list. `merged` lists
multisets instead of sequences: right for updates that don't look at the order of a batch or group,
which `merging` establishes. Between the two are updates that look at the order of some members
only: `alike` names those that may change places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.draw_counts import count_of, refuse_too_many
from altpg_verify.audit.episode_arrays import objects
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space


_FACTORIAL = 170
"""The largest number whose factorial float64 holds."""


Alike = tuple[tuple[int, ...], ...]
"""Places of a batch or group, in classes whose members may change places; each place is in one."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Sequences of episodes, one a row.

    Args:
        indices: (C, n) which episodes.
        merged: each row stands for all its orders.
    """

    indices: np.ndarray
    merged: bool = False

    @cached_property
    def orders(self) -> np.ndarray:
        """(C,) float64, how many sequences each row stands for: n! / Π (multiplicities)!.

        Raises:
            BadInput: a row has more than 10^308 orders, above float64.
        """
        if not self.merged:
            return np.ones(len(self.indices))
        # rows are sorted: the length of the run of equal episodes up to each place, multiplied up,
        # is Π m!
        run = np.ones(len(self.indices))
        # column by column they are looked at much faster
        columns = np.ascontiguousarray(self.indices.T)
        members = len(columns)
        # of many members n! is above float64 where the quotient isn't: n! / Π m! factor by factor
        long = members > _FACTORIAL
        orders = np.full(len(self.indices), 1.0 if long else float(math.factorial(members)))
        below = np.ones(len(self.indices))
        with np.errstate(over="ignore"):
            for i in range(1, members):
                run *= columns[i] == columns[i - 1]
                run += 1
                if long:
                    orders *= (i + 1) / run
                else:
                    below *= run
        if not np.isfinite(orders).all():
            raise BadInput(
                f"{members} members have more than 10^308 orders, which float64 can't count; take"
                " fewer, or samples=..."
            )
        # the quotient is whole; what float64 adds to it is rounding
        return np.round(orders / below)

    def exact_orders(self, chosen: np.ndarray) -> list[int]:
        """The same for some rows, as whole numbers."""
        if not self.merged:
            return [1] * len(chosen)
        found = []
        for row in self.indices[chosen]:
            _, counts = np.unique(row, return_counts=True)
            found.append(
                math.factorial(len(row))
                // math.prod(math.factorial(int(count)) for count in counts)
            )
        return found


@dataclass(frozen=True, eq=False)
class Part:
    """Draws of one shape: every combination of one row of each of `factors`.

    Args:
        factors: the rows to combine.
        weight: what the probability of a draw is multiplied by beside its episodes' own and its
            orders.
        columns: the place in a draw of each of the factors' columns; empty if they are in order.
    """

    factors: tuple[Rows, ...]
    weight: Fraction = Fraction(1)
    columns: tuple[int, ...] = ()

    @cached_property
    def dimensions(self) -> tuple[int, ...]:
        """How many rows each factor has."""
        return tuple(len(rows.indices) for rows in self.factors)

    @cached_property
    def count(self) -> int:
        """How many draws."""
        return math.prod(self.dimensions)

    def _digits(self, numbers: np.ndarray) -> tuple[np.ndarray, ...]:
        return np.unravel_index(numbers, self.dimensions)

    def indices(self, numbers: np.ndarray) -> np.ndarray:
        """(B, N) the episodes of the draws of these numbers."""
        each = [
            rows.indices[digit]
            for rows, digit in zip(self.factors, self._digits(numbers), strict=True)
        ]
        found = np.concatenate(each, axis=1) if len(each) > 1 else each[0]
        return found[:, np.argsort(self.columns)] if self.columns else found

    def times(self, numbers: np.ndarray) -> np.ndarray:
        """(B,) float64: weight times orders."""
        out = np.full(len(numbers), float(self.weight))
        if any(rows.merged for rows in self.factors):
            for rows, digit in zip(self.factors, self._digits(numbers), strict=True):
                out *= rows.orders[digit]
        return out

    def exact_times(self, numbers: np.ndarray) -> np.ndarray:
        """(B,) the same as Fractions."""
        each = [
            rows.exact_orders(digit)
            for rows, digit in zip(self.factors, self._digits(numbers), strict=True)
        ]
        return objects([self.weight * math.prod(orders) for orders in zip(*each, strict=True)])


@dataclass(frozen=True, eq=False)
class Enumeration:
    """All draws of a space.

    Args:
        space: where they come from.
        merged: multisets instead of sequences.
        alike: multisets of some members only, where `merged` isn't right.
    """

    space: Space
    merged: bool = False
    alike: Alike = ()

    @cached_property
    def count(self) -> int:
        """How many draws there are to evaluate.

        Raises:
            BadInput: there are more than `MOST_DRAWS`.
        """
        if self.alike:
            return sum(part.count for part in self.parts)
        refuse_too_many(self.space, self.merged)
        return int(count_of(self.space, self.merged))

    @cached_property
    def kept(self) -> dict[tuple[int, int, int], np.ndarray]:
        """Which draws of a block the space keeps, where that depends on nothing that parameters
        move.
        """
        return {}

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The draws by shape.

        Raises:
            BadInput: there are more than `MOST_DRAWS`.
        """
        space = self.space
        refuse_too_many(space, self.merged)
        arrays = space.arrays
        everything = np.arange(len(space.episodes))
        if space.scheme == "one":
            lengths = dict.fromkeys(arrays.lengths.tolist())
            return tuple(
                Part((Rows(everything[arrays.lengths == length][:, None]),)) for length in lengths
            )
        if space.scheme == "batch":
            return (Part(self._tuples(everything), columns=self._columns(1)),)
        by_start = [everything[arrays.starts == start] for start in space.starts]
        if space.scheme == "group":
            # the start is drawn once, not once for each member
            return tuple(
                Part(
                    self._tuples(members),
                    space.start_weight(start) ** (1 - space.size),
                    self._columns(1),
                )
                for start, members in zip(space.starts, by_start, strict=True)
            )
        # every episode's probability has its start's share in it, which groups of every start don't
        # draw
        correction = math.prod(
            (space.start_weight(start) ** -space.size for start in space.starts), start=Fraction(1)
        )
        return (
            Part(
                tuple(rows for members in by_start for rows in self._tuples(members)),
                correction,
                self._columns(len(by_start)),
            ),
        )

    def _columns(self, groups: int) -> tuple[int, ...]:
        places = [place for together in self.alike for place in together]
        return tuple(group * self.space.size + place for group in range(groups) for place in places)

    def _tuples(self, members: np.ndarray) -> tuple[Rows, ...]:
        size = self.space.size
        if self.merged and size > 1:
            rows = multisets(len(members), size)
            every = len(members) == len(self.space.episodes)
            return (Rows(rows if every else members[rows], merged=True),)
        if self.alike:
            return tuple(
                Rows(members[multisets(len(members), len(together))], merged=len(together) > 1)
                for together in self.alike
            )
        return (Rows(members[:, None]),) * size

    def blocks(self, most: int) -> Iterator[tuple[Part, np.ndarray]]:
        """(part, numbers of its draws) in blocks of at most `most`."""
        for part in self.parts:
            for start in range(0, part.count, most):
                yield part, np.arange(start, min(start + most, part.count))


@dataclass(frozen=True, eq=False)
class SomeDraws(Enumeration):
    """A few draws of a space, for what is looked at draw by draw: nothing is expected of them.

    Args:
        rows: (C, N) the episodes of each.
    """

    rows: np.ndarray = field(kw_only=True)

    @cached_property
    def count(self) -> int:
        """How many."""
        return len(self.rows)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All in one."""
        return (Part((Rows(self.rows),)),)


def multisets(members: int, size: int) -> np.ndarray:
    """(C, size) every non-decreasing sequence of whole numbers below `members`, in lexicographic
    order.
    """
    columns = [np.arange(members, dtype=np.intp)]
    grown_from = [columns[0]]
    for _ in range(size - 1):
        ways = members - columns[-1]
        begin = np.repeat(np.cumsum(ways) - ways, ways)
        grown_from.append(np.repeat(np.arange(len(ways)), ways))
        columns.append(np.repeat(columns[-1], ways) + np.arange(len(begin)) - begin)
    rows = np.empty((len(columns[-1]), size), dtype=np.intp)
    at = np.arange(len(rows))
    # from the last column back, so that no sequence is copied while it grows
    for column in reversed(range(size)):
        rows[:, column] = columns[column][at]
        at = grown_from[column][at]
    return rows


def orders_of(indices: np.ndarray, sizes: Sequence[int], kind: str, seed: int = 0) -> np.ndarray:
    """The same draws with the episodes of each group in another order.

    Args:
        indices: (B, N).
        sizes: how many neighbours may change places among themselves: (N,) for a batch, one entry a
            start for groups.
        kind: "swap" (the first two), "rotation", or "shuffle" (an order of its own for each draw).
    """
    out = indices.copy()
    generator = np.random.default_rng(seed)
    start = 0
    for size in sizes:
        part = out[:, start : start + size]
        if kind == "swap" and size > 1:
            out[:, [start, start + 1]] = part[:, [1, 0]]
        elif kind == "rotation":
            out[:, start : start + size] = np.roll(part, 1, axis=1)
        elif kind == "shuffle":
            out[:, start : start + size] = generator.permuted(part, axis=1)
        start += size
    return out


def reordered(
    indices: np.ndarray, sizes: Sequence[int], kind: str
) -> tuple[np.ndarray, np.ndarray]:
    """(B,) which draws another order changes, and those draws in it; one whose members are the same
    episode is the very same draw.
    """
    other = orders_of(indices, sizes, kind)
    moves = (other != indices).any(axis=1)
    return moves, other[moves]
