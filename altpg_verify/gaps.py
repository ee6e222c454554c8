"""Recognising what separates the two sides of a refuted law: a short formula, fitted exactly and
then verified.

Candidates are products of a few vectors (1, π, π², ...) and scalars (1, b, v, ...). The fit solves
exact linear equations on random rational cases, smallest formula first; it counts only if it
reproduces every further case, and is called proved only when the difference is the zero rational
function for each k tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from altpg_verify.cases import Case
from altpg_verify.estimators import Estimator
from altpg_verify.laws import Law
from altpg_verify.number_types import Number
from altpg_verify.rational_functions import equal

Feature = Callable[[Case], list[Any]]


@dataclass(frozen=True)
class Term:
    """A candidate: vector part times scalar part, as a function of the case giving one number for
    each entry of a side.

    Args:
        vector: the part that differs from entry to entry as it is printed, e.g. π; empty for 1.
        scalar: the part that multiplies it as it is printed, e.g. b; empty for 1.
        entries: (case) -> one number for each entry of a side.
    """

    vector: str
    scalar: str
    entries: Feature

    @property
    def cost(self) -> int:
        """The length of the term in print; shorter formulas are tried first."""
        return len(self.vector) + len(self.scalar)


@dataclass(frozen=True)
class Gap:
    """left - right as a sum of coefficients times terms, such as (v - b) π; printed that way.

    Args:
        parts: (coefficient, term) pairs.
    """

    parts: tuple[tuple[Fraction, Term], ...]

    def entries(self, case: Case) -> list[Any]:
        """The formula's value for each entry of a side, in the numbers of the case: over a symbolic
        one, a rational function.
        """
        columns = [(coefficient, term.entries(case)) for coefficient, term in self.parts]
        return [
            sum(coefficient * column[i] for coefficient, column in columns)
            for i in range(len(columns[0][1]))
        ]

    def __str__(self) -> str:
        groups: dict[str, list[tuple[Fraction, str]]] = {}
        for coefficient, term in self.parts:
            groups.setdefault(term.vector, []).append((coefficient, term.scalar))
        text = " + ".join(_group(vector, scalars) for vector, scalars in groups.items())
        return text.replace("+ -", "- ")


def _group(vector: str, scalars: list[tuple[Fraction, str]]) -> str:
    scalars = sorted(scalars, key=lambda item: ["v", "R", "q", "b", "σ²", ""].index(item[1]))
    # (v - b) π / 2 rather than v π / 2 - b π / 2: what all share stands before or behind
    common = abs(scalars[0][0])
    if any(abs(coefficient) != common for coefficient, _ in scalars):
        common = Fraction(1)
    if scalars[0][0] < 0:
        common = -common
    inner = ""
    for coefficient, scalar in scalars:
        share = coefficient / common
        size = "" if abs(share) == 1 and scalar else f"{abs(share)}{' ' if scalar else ''}"
        inner += f"{' - ' if share < 0 else ' + ' if inner else ''}{size}{scalar}"
    if len(scalars) > 1:
        inner = f"({inner})"
    body = vector if inner == "1" and vector else f"{inner} {vector}".strip()
    if common == 1:
        return body
    sign = "-" if common < 0 else ""
    above, below = abs(common).numerator, abs(common).denominator
    return f"{sign}{f'{above} ' if above != 1 else ''}{body}{f' / {below}' if below != 1 else ''}"


def _per_action() -> list[Term]:
    vectors: dict[str, Callable[[Case, int], Number]] = {
        "": lambda case, a: 1,
        "π": lambda case, a: case.pi[a],
        "π²": lambda case, a: case.pi[a] * case.pi[a],
        "Σπ² π": lambda case, a: case.pi[a] * (case.pi * case.pi).sum(),
        "/k": lambda case, a: Fraction(1, case.k),
    }
    scalars: dict[str, Callable[[Case, int], Number]] = {
        "": lambda case, a: 1,
        "b": lambda case, a: case.b,
        "v": lambda case, a: case.v,
        "q": lambda case, a: case.q[a],
        "σ²": lambda case, a: case.sigma2[a],
    }

    def feature(f: Callable[[Case, int], Number], g: Callable[[Case, int], Number]) -> Feature:
        return lambda case: [f(case, a) * g(case, a) for a in range(case.k)]

    return [
        Term(name, scalar, feature(f, g))
        for name, f in vectors.items()
        for scalar, g in scalars.items()
    ]


def _per_draw(per_action: bool) -> list[Term]:
    vectors: dict[str, Callable[[Case, int, int], Number]] = {"": lambda case, A, a: 1}
    if per_action:
        vectors |= {
            "e": lambda case, A, a: int(a == A),
            "π": lambda case, A, a: case.pi[a],
            "π∘e": lambda case, A, a: case.pi[a] * int(a == A),
        }
    else:
        vectors |= {
            "π_A": lambda case, A, a: case.pi[A],
            "Σπ²": lambda case, A, a: (case.pi * case.pi).sum(),
            "k": lambda case, A, a: case.k,
        }
    scalars: dict[str, Callable[[Case, Number], Number]] = {
        "": lambda case, R: 1,
        "R": lambda case, R: R,
        "b": lambda case, R: case.b,
        "v": lambda case, R: case.v,
    }

    def feature(
        f: Callable[[Case, int, int], Number], g: Callable[[Case, Number], Number]
    ) -> Feature:
        def entries(case: Case) -> list[Number]:
            actions = range(case.k) if per_action else range(1)
            return [f(case, A, a) * g(case, R) for _, A, R in case.draws() for a in actions]

        return entries

    return [
        Term(name, scalar, feature(f, g))
        for name, f in vectors.items()
        for scalar, g in scalars.items()
    ]


def _touching_others() -> list[Term]:
    terms = []
    for term in _per_draw(True):
        # e is zero wherever an action wasn't taken
        if "e" in term.vector:
            continue

        def entries(case: Case, term: Term = term) -> list[Number]:
            everything = iter(term.entries(case))
            return [
                entry
                for _, A, _ in case.draws()
                for a in range(case.k)
                for entry in [next(everything)]
                if a != A
            ]

        terms.append(Term(term.vector, term.scalar, entries))
    return terms


def candidates(law: Law) -> list[Term]:
    """The terms that may occur in the gap of this law, simplest first; none if its sides have no
    such layout.

    For entries that are actions: 1, π, π², (Σπ²) π or 1/k, times 1, b, v, q or σ². For draws and
    actions: 1, e, π or π∘e, and for draws alone 1, π_A, Σπ² or k, times 1, R, b or v.
    """
    if law.layout == "draws x other actions":
        terms = _touching_others()
    elif law.layout == "actions":
        terms = _per_action()
    elif law.layout in ("draws", "draws x actions"):
        terms = _per_draw(law.layout == "draws x actions")
    else:
        terms = []
    return sorted(terms, key=lambda term: term.cost)


def difference(law: Law, estimator: Estimator, case: Case) -> list[Any]:
    """left - right, entry by entry; for the law `unbiased` that is the bias E[ĝ] - ∇J."""
    left, right = law.sides(estimator, case)
    return [one - two for one, two in zip(left, right, strict=True)]


def recognise(law: Law, estimator: Estimator, cases: Sequence[Case]) -> Gap | None:
    """The shortest formula (some vectors) x (some scalars) that equals left - right on every one of
    the cases, or None.

    Args:
        law: whose sides.
        estimator: of which.
        cases: exact ones, enough to have more equations than a formula has terms.

    Returns:
        A gap that fits these cases only; the caller tries it on others. None also if the sides
        agree on all of them.
    """
    terms = {(term.vector, term.scalar): term for term in candidates(law)}
    if not terms:
        return None
    columns: dict[tuple[str, str], list[Fraction]] = {key: [] for key in terms}
    target: list[Fraction] = []
    for case in cases:
        target += [Fraction(entry) for entry in difference(law, estimator, case)]
        for key, term in terms.items():
            columns[key] += [Fraction(entry) for entry in term.entries(case)]
    if not any(target):
        # these cases don't show the gap
        return None
    # modulo a prime most shapes are excluded at a fraction of the cost of exact elimination
    residues = {key: [_residue(entry) for entry in column] for key, column in columns.items()}
    wanted = [_residue(entry) for entry in target]
    for chosen in _shapes(list(terms)):
        if not _solvable([residues[key] for key in chosen], wanted):
            continue
        solution = _solve([columns[key] for key in chosen], target)
        # a coefficient of 0 means that a smaller shape does, which came before
        if solution is not None and all(solution):
            return Gap(
                tuple(
                    (coefficient, terms[key])
                    for coefficient, key in zip(solution, chosen, strict=True)
                )
            )
    return None


def _shapes(keys: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Sets of terms worth trying: up to two vectors times up to three scalars, smallest first."""
    vectors, scalars = (
        list(dict.fromkeys(v for v, _ in keys)),
        list(dict.fromkeys(s for _, s in keys)),
    )
    products = [
        [(v, s) for v in some_vectors for s in some_scalars]
        for m in (1, 2)
        for some_vectors in combinations(vectors, m)
        for n in (1, 2, 3)
        for some_scalars in combinations(scalars, n)
    ]
    # two terms that share neither part are no product: v π - b π², say
    pairs = [
        list(pair)
        for pair in combinations(keys, 2)
        if pair[0][0] != pair[1][0] and pair[0][1] != pair[1][1]
    ]
    # sorting is stable: of one length, those of shorter terms come first
    return sorted([*products, *pairs], key=len)


# so large that a number other than 0 hardly ever vanishes modulo it
_PRIME = 2**61 - 1


def _residue(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, _PRIME) % _PRIME


def _solvable(columns: Sequence[Sequence[int]], target: Sequence[int]) -> bool:
    """Whether the equations have a solution modulo a large prime: quick, and true whenever they
    have one in rational numbers.
    """
    return _eliminated(columns, target, _PRIME) is not None


def _eliminated(
    columns: Sequence[Sequence[Any]], target: Sequence[Any], prime: int | None = None
) -> list[tuple[int, list[Any]]] | None:
    """Each pivot's column and its equation, led by 1, in rational numbers or modulo a prime; None
    if the equations contradict each other.
    """
    # row by row: an equation that contradicts those before ends it, mostly after a few
    pivots: list[tuple[int, list[Any]]] = []
    for row in range(len(target)):
        equation = [column[row] for column in columns] + [target[row]]
        for lead, pivot in pivots:
            if factor := equation[lead]:
                equation = [
                    entry - factor * other for entry, other in zip(equation, pivot, strict=True)
                ]
                if prime:
                    equation = [entry % prime for entry in equation]
        lead = next((i for i, entry in enumerate(equation[:-1]) if entry), -1)
        if lead >= 0:
            scale = pow(equation[lead], -1, prime) if prime else 1 / equation[lead]
            equation = [entry * scale for entry in equation]
            pivots.append((lead, [entry % prime for entry in equation] if prime else equation))
        elif equation[-1]:
            return None
    return pivots


def _solve(
    columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]
) -> list[Fraction] | None:
    """Coefficients with Σ coefficient·column = target in every row, exactly; None if there are none
    or they aren't unique.
    """
    pivots = _eliminated(columns, target)
    # fewer pivots than terms: on these cases they depend on each other
    if pivots is None or len(pivots) < len(columns):
        return None
    solution: dict[int, Fraction] = {}
    for lead, pivot in reversed(pivots):
        solution[lead] = pivot[-1] - sum(
            pivot[i] * solution[i] for i in range(len(columns)) if i != lead and i in solution
        )
    return [solution[i] for i in range(len(columns))]


def verified_for(
    gap: Gap,
    law: Law,
    estimator: Estimator,
    symbolic: Callable[[int], Iterable[Case]],
    actions: Iterable[int],
) -> list[int]:
    """The numbers of actions k for which the formula is the gap as a rational function.

    Args:
        gap: as recognised.
        law, estimator: whose sides differ by it.
        symbolic: k -> the symbolic cases that stand for all with k actions.
        actions: the k to try.
    """
    return [
        k
        for k in actions
        if all(
            all(
                equal(one, two)
                for one, two in zip(
                    difference(law, estimator, case), gap.entries(case), strict=True
                )
            )
            for case in symbolic(k)
        )
    ]
