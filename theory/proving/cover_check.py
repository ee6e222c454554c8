"""Check again, with ball arithmetic (Arb), on which side of zero the change of D_KL(pi*||pi) is,
over a whole closed simplex.

One expected step of the alternate estimator, theta_c + zeta_c pi_c with zeta_c = alpha (r_c - b),
all of one sign, has

    exp(change of D_KL(pi*||pi)) - 1 = sum_c zeta_c (pi_c - pi*_c)^2 B_c,      B_c = 1 + pi_c zeta_c Psi(zeta_c (pi*_c - pi_c))

where Psi(y) = (e^-y - 1 + y)/y^2 is positive and falls, pi*_c = H/zeta_c and H = 1/sum(1/zeta). So
where every B_c is positive the change has the sign of zeta, pi* alone left out; the factor (pi_c -
pi*_c)^2 closes its neighbourhood. The certificate is a recorded bisection of the simplex, `tree`,
read from the left: "." is a leaf, "ij" cuts the edge between vertices i and j in the middle and is
followed by the part that keeps i and the part that keeps j. `leaves` lists the vertices of the
leaves, each as integers in proportion to its coordinates. Leaves must be those of the tree and fill
the simplex: their volumes sum to 1 exactly. This module shares no code with what grew the tree.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any

PRECISION = 160
"""Bits; the tree was grown with fewer."""

Vertex = tuple[int, ...]
Leaf = tuple[Vertex, ...]


def number(text: Any) -> Fraction:
    """A number written as 3, -3, 1/2 or 0.25, and nothing else.

    40 digits at most before and after the sign of division or the point, and no exponent:
    1e999999999 would be a valid fraction, too.

    Raises:
        ValueError: it is anything else.
    """
    if not isinstance(text, str) or not re.fullmatch(r"-?\d{1,40}(/\d{1,40}|\.\d{1,40})?", text):
        raise ValueError(f"{text!r} is no number")
    return Fraction(text)


def statement(data: dict) -> str:
    """What a certificate with these data says.

    Which way the divergence moves follows from the baseline: above all rewards it falls, below it
    rises.
    """
    rewards, baseline = [number(one) for one in data["rewards"]], number(data["baseline"])
    falls = all(baseline > reward for reward in rewards)
    moves, others = ("lowers", "smaller") if falls else ("raises", "larger")
    shown = ", ".join(map(str, rewards))
    return (
        f"r = ({shown}), b = {baseline}: one expected step with α = {number(data['alpha'])}, and by"
        f" convexity in α with any {others} one, {moves} D_KL(π*‖π) at every policy of the closed"
        f" simplex but π*; shown on {len(data['leaves'])} pieces"
    )


def holds(data: dict) -> bool:
    """Whether the leaves cover the simplex, and the change has one sign on each of them.

    The zetas must be of one sign, for two to four actions; volumes of the leaves sum to 1 exactly,
    and the change is bounded at `PRECISION` bits.
    """
    import flint

    if set(data) != {"rewards", "baseline", "alpha", "tree", "leaves"}:
        return False
    rewards, baseline, alpha = (
        [number(one) for one in data["rewards"]],
        number(data["baseline"]),
        number(data["alpha"]),
    )
    zeta = [alpha * (reward - baseline) for reward in rewards]
    # b on one side of all rewards, or there is no π* in the simplex
    if not 2 <= len(zeta) <= 4 or alpha <= 0 or not (min(zeta) > 0 or max(zeta) < 0):
        return False
    leaves = [tuple(tuple(vertex) for vertex in leaf) for leaf in data["leaves"]]
    # JSON's true is an int, and 1.0 a float: neither is a weight
    if any(type(weight) is not int for leaf in leaves for vertex in leaf for weight in vertex):
        return False
    # twice shown: the leaves are those of the recorded cuts, and their volumes add up to the whole
    if leaves != cut(data["tree"], len(zeta)) or sum(map(volume, leaves)) != 1:
        return False
    before = flint.ctx.prec
    flint.ctx.prec = PRECISION
    try:
        change = Change(zeta)
        return all(change.has_one_sign(leaf) for leaf in leaves)
    finally:
        flint.ctx.prec = before


def cut(tree: str, k: int) -> list[Leaf]:
    """The leaves of the recorded bisection of the simplex with k corners, in the order of the
    record.

    Depth first: after a cut the part that keeps the first vertex comes next.

    Raises:
        ValueError: the record isn't one of a bisection.
    """
    waiting: list[Leaf] = [
        tuple(tuple(int(row == column) for column in range(k)) for row in range(k))
    ]
    leaves: list[Leaf] = []
    marks = iter(tree)
    for mark in marks:
        piece = waiting.pop()
        if mark == ".":
            leaves.append(piece)
            continue
        i, j = int(mark), int(next(marks, ""))
        if i == j:
            raise ValueError("an edge needs two ends")
        middle = between(piece[i], piece[j])
        waiting.append(
            tuple(middle if place == i else vertex for place, vertex in enumerate(piece))
        )
        waiting.append(
            tuple(middle if place == j else vertex for place, vertex in enumerate(piece))
        )
    if waiting:
        raise ValueError("the record of the bisection stops too early")
    return leaves


def between(one: Vertex, other: Vertex) -> Vertex:
    """The middle of two points, in lowest terms.

    Vertices are weights, in proportion to coordinates, so each is scaled by the other's sum first.
    """
    # homogeneous integers: to a common denominator, then added
    left, right = sum(other), sum(one)
    weights = [x * left + y * right for x, y in zip(one, other, strict=True)]
    common = gcd(*weights)
    return tuple(weight // common for weight in weights)


def volume(leaf: Leaf) -> Fraction:
    """The volume of a piece, that of the whole simplex being 1: |det| of its vertices' coordinates.

    By exact elimination, with a row exchange where a pivot is 0.
    """
    rows = [[Fraction(weight, sum(vertex)) for weight in vertex] for vertex in leaf]
    result = Fraction(1)
    for column in range(len(rows)):
        pivot = next((row for row in range(column, len(rows)) if rows[row][column]), None)
        if pivot is None:
            return Fraction(0)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        result *= rows[column][column]
        for row in range(column + 1, len(rows)):
            factor = rows[row][column] / rows[column][column]
            rows[row] = [x - factor * y for x, y in zip(rows[row], rows[column], strict=True)]
    return abs(result)


class Change:
    """The sum above divided by the sign of zeta, bounded from below on pieces of the simplex.

    Attributes:
        zeta: (k,) the steps α (r - b), all of one sign.
        fixed: (k,) π*, proportional to 1 / zeta.
        terms: what `term` found, by action and range.

    A term of action c depends on the range of pi_c alone, so it is computed once for each range.
    """

    def __init__(self, zeta: Sequence[Fraction]):
        self.zeta = zeta
        harmonic = 1 / sum((1 / one for one in zeta), start=Fraction(0))
        self.fixed = [harmonic / one for one in zeta]
        self.terms: dict[tuple[int, Fraction, Fraction], tuple[bool, Any]] = {}

    def has_one_sign(self, leaf: Leaf) -> bool:
        """Every B_c is positive on the piece, or the sum of the lower bounds is.

        The first is what decides at pi*, where the sum is 0; the second elsewhere.
        """
        total, every = 0, True
        for action in range(len(self.zeta)):
            shares = [Fraction(vertex[action], sum(vertex)) for vertex in leaf]
            positive, term = self.term(action, min(shares), max(shares))
            total, every = total + term, every and positive
        # a ball is above 0 only if all of it is
        return every or bool(total > 0)

    def term(self, action: int, low: Fraction, high: Fraction) -> tuple[bool, Any]:
        """Whether B_c > 0 for all low <= pi_c <= high, and a lower bound of |zeta_c| (pi_c -
        pi*_c)^2 B_c there.

        For zeta < 0, B_c is least with the largest pi_c before Psi and the smallest inside it. A
        positive bound counts with the smallest distance from pi*_c, a negative one with the
        largest.
        """
        key = action, low, high
        if key not in self.terms:
            zeta, fixed = self.zeta[action], self.fixed[action]
            bound = ball(1) if zeta > 0 else 1 + ball(high * zeta) * psi(zeta * (fixed - low))
            # the least and the largest distance to π* on the piece
            near, far = max(low - fixed, fixed - high, Fraction(0)), max(fixed - low, high - fixed)
            positive = bool(bound > 0)
            self.terms[key] = positive, ball(abs(zeta) * (near if positive else far) ** 2) * bound
        return self.terms[key]


def psi(y: Fraction) -> Any:
    """A ball around Psi(y) = (e^-y - 1 + y)/y^2, with Psi(0) = 1/2."""
    if y == 0:
        return ball(Fraction(1, 2))
    argument = ball(y)
    return ((-argument).expm1() + argument) / (argument * argument)


def ball(exact: Fraction | int) -> Any:
    """The smallest ball around a rational number.

    At the precision that is set; a dyadic rational that fits it has radius 0.
    """
    import flint

    return flint.arb(flint.fmpq(Fraction(exact).numerator, Fraction(exact).denominator))
