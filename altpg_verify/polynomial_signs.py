"""Whether a polynomial can be seen to have one sign everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altpg_verify.signs import POSITIVE, ZERO, multiplied, sign_of, squared


def one_sign(
    polynomial: Any, names: Sequence[str], of: Mapping[str, int], simplex: Sequence[str]
) -> bool:
    """All coefficients have one sign, in terms that are never of another, of which one is never
    zero.

    In probabilities p₁, ..., p_m below 1 in sum, the polynomial is made homogeneous with p_m+1
    = 1 - Σp first: 1 - p₁ is p₂ + ...

    Args:
        polynomial: of FLINT.
        names: of its variables.
        of: name -> signs it can have.
        simplex: names of probabilities that are positive and whose sum is below 1.
    """
    terms = polynomial.to_dict()
    places = [names.index(name) for name in simplex]
    if places:
        terms = _homogeneous(terms, places)
    coefficients = [sign_of(coefficient) for coefficient in terms.values()]
    # terms of both signs may cancel somewhere
    if len(set(coefficients)) != 1:
        return False
    strict = False
    for monomial in terms:
        signs = POSITIVE
        for name, power in zip(names, monomial, strict=False):
            if power:
                signs = multiplied(signs, squared(of[name]) if power % 2 == 0 else of[name])
        if signs & ~(ZERO | POSITIVE):
            return False
        strict = strict or not signs & ZERO
    return strict


def _homogeneous(
    terms: Mapping[tuple[int, ...], Any], places: Sequence[int]
) -> dict[tuple[int, ...], Any]:
    """The same polynomial times powers of Σp = 1, one more variable at the end, all terms of one
    degree in the probabilities.
    """
    rows: dict[tuple[int, ...], Any] = {
        (*(int(power) for power in monomial), 0): coefficient
        for monomial, coefficient in terms.items()
    }
    spots = [*places, len(next(iter(rows))) - 1]
    degree = max(sum(monomial[spot] for spot in spots) for monomial in rows)
    done: dict[tuple[int, ...], Any] = {}
    while rows:
        raised: dict[tuple[int, ...], Any] = {}
        for monomial, coefficient in rows.items():
            if sum(monomial[spot] for spot in spots) == degree:
                done[monomial] = done.get(monomial, 0) + coefficient
                continue
            for spot in spots:
                higher = (*monomial[:spot], monomial[spot] + 1, *monomial[spot + 1 :])
                raised[higher] = raised.get(higher, 0) + coefficient
        rows = raised
    return {monomial: coefficient for monomial, coefficient in done.items() if coefficient != 0}
