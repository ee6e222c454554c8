"""Check again two kinds of statements about exponentials, in exact rational arithmetic: standard
library only.

`sign_holds`: that a sum of rational multiples of e to rational powers is negative, or positive.

`descent_holds`: that one expected step with the alternate estimator lowers D_KL(pi*||pi) for every
policy but pi* of a given bandit with three actions and an optimistic baseline. With d_c = b - r_c,
K = 1/sum(1/d), pi*_c = K/d_c and Psi(y) = (e^-y - 1 + y)/y^2,

    sum_c pi_c e^(x_c) - 1 = alpha sum_c d_c (pi_c - pi*_c)^2 (alpha pi_c d_c Psi(alpha d_c (pi_c - pi*_c)) - 1)

whose sign is that of the step. The certificate is a tree of triangles: the simplex, cut into four
again and again. On a leaf each bracket is bounded by its value at the ends, as Psi falls; the
factor (pi_c - pi*_c)^2 closes the neighbourhood of pi* by itself.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import count

Point = tuple[Fraction, ...]
GRID = 64
"""Arguments of Psi are rounded outwards to multiples of 1/64, so that few different ones occur."""


def sign_holds(certificate: dict) -> bool:
    """Whether Σ coefficient · e^exponent has the stated sign, "<" or ">".

    Args:
        certificate: terms, pairs of rational numbers as text, and the relation to 0.
    """
    try:
        bounds = [
            _scaled(Fraction(coefficient), exponential(Fraction(exponent)))
            for coefficient, exponent in certificate["terms"]
        ]
        low, high = sum(low for low, _ in bounds), sum(high for _, high in bounds)
        return {"<": high < 0, ">": low > 0}[certificate["relation"]]
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return False


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x: the Taylor polynomial, and a geometric bound of what follows once the terms
    halve.

    As exact rational numbers, with 60 terms or more; where terms halve from then on, the rest is at
    most the last one.
    """
    term = total = Fraction(1)
    for number in count(1):
        term = term * x / number
        total += term
        # from here on each term is less than half of the one before, so the rest is at most the
        # last
        if number >= 60 and 2 * abs(x) <= number:
            return total - abs(term), total + abs(term)
    raise AssertionError


def _scaled(coefficient: Fraction, bounds: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    ends = [coefficient * bound for bound in bounds]
    return min(ends), max(ends)


def descent_holds(certificate: dict) -> bool:
    """Whether every leaf of the tree shows that the step lowers the divergence.

    Args:
        certificate: rewards (three), baseline, alpha as text, and the tree as a text of marks.
    """
    try:
        rewards = [Fraction(one) for one in certificate["rewards"]]
        baseline, alpha = Fraction(certificate["baseline"]), Fraction(certificate["alpha"])
        if len(rewards) != 3 or not all(baseline > reward for reward in rewards) or alpha <= 0:
            return False
        problem = Descent([baseline - reward for reward in rewards], alpha)
        marks = iter(certificate["tree"])
        corners = tuple(
            tuple(Fraction(int(row == column)) for column in range(3)) for row in range(3)
        )
        covered = _walk(problem, marks, corners, 0)
        # nothing may be left of the tree
        return covered and next(marks, None) is None
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return False


def _walk(
    problem: "Descent", marks: Iterator[str], triangle: tuple[Point, ...], depth: int
) -> bool:
    """Read one node of the tree: "l" is a leaf to be checked here, "s" is a cut into four with the
    nodes following.
    """
    # far deeper than any tree that is made; a file from anywhere must end
    if depth > 40:
        raise ValueError("the tree is too deep")
    mark = next(marks, "")
    if mark == "l":
        return problem.lowered(triangle)
    if mark != "s":
        raise ValueError(f"{mark!r} is neither a leaf nor a cut")
    return all(_walk(problem, marks, part, depth + 1) for part in quarters(triangle))


def quarters(triangle: tuple[Point, ...]) -> list[tuple[Point, ...]]:
    """The triangle, cut at the middles of its sides into four that cover it.

    They meet in edges only, and each has the triangle's shape at half the size, so bounds get
    better.
    """
    a, b, c = triangle
    ab, bc, ca = (
        tuple((x + y) / 2 for x, y in zip(one, other, strict=True))
        for one, other in ((a, b), (b, c), (c, a))
    )
    return [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]


class Descent:
    """The step of one bandit and stepsize.

    Attributes:
        distances: (k,) b - r_c, all positive.
        alpha: the stepsize.
        fixed: (k,) π*, proportional to 1 / distances.
    """

    def __init__(self, distances: list[Fraction], alpha: Fraction):
        self.distances, self.alpha = distances, alpha
        scale = 1 / sum((1 / distance for distance in distances), start=Fraction(0))
        self.fixed = [scale / distance for distance in distances]

    def lowered(self, triangle: tuple[Point, ...]) -> bool:
        """Whether the sum of the three terms is negative on the triangle, but for pi* if that is in
        it.

        Each bracket is at most its value with the largest pi_c in front and Psi at the smallest.
        """
        total, every = Fraction(0), True
        for action, (distance, fixed) in enumerate(zip(self.distances, self.fixed, strict=True)):
            low, high = min(p[action] for p in triangle), max(p[action] for p in triangle)
            bracket = (
                self.alpha * high * distance * psi_above(self.alpha * distance * (low - fixed)) - 1
            )
            # a positive bracket needs the largest distance for an upper bound, a negative one the
            # least
            far, near = (
                max(abs(low - fixed), abs(high - fixed)),
                max(low - fixed, fixed - high, Fraction(0)),
            )
            total += distance * bracket * (far if bracket > 0 else near) ** 2
            every = every and bracket < 0
        return every or total < 0


def psi_above(y: Fraction) -> Fraction:
    """An upper bound of Psi(y) = sum_n (-y)^n / (n + 2)!, a decreasing function: taken at y rounded
    down.

    Rounding y down makes it larger, and lets one value serve a whole range of arguments.
    """
    return _psi(y.numerator * GRID // y.denominator)


@cache
def _psi(step: int) -> Fraction:
    y = Fraction(step, GRID)
    term = total = Fraction(1, 2)
    for number in count(1):
        term = -term * y / (number + 2)
        total += term
        if number >= 25 and 2 * abs(y) <= number:
            # terms alternate or shrink by half from here on: the rest is at most the last
            return total + abs(term)
    raise AssertionError
