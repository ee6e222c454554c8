"""The parts of a constant factor, from the constants of a space: "3/8" as (G-1)/G · 1/length.

One constant after the other gets two other values, and the update is audited again there. What a
part is follows from how the factor changes; the product must then give the factor where all of them
are changed at once. A constant that can't be varied is in no formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product as product_of
from math import prod
from typing import Any

import numpy as np

from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.factor_parts import CLOSE, Constant, Part, Ratios, shape_of, with_exponent
from altpg_verify.audit.numbers import fraction_near
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.updates import Update
from altpg_verify.audit.wide_numpy import in_float64
from altpg_verify.errors import BadInput

MOST_DRAWS = 5_000
"""Spaces with more draws are not tried."""

LARGEST = 12
"""Numerators and denominators of the number that may be left before a formula."""


def constants_of(update: Update) -> list[Constant]:
    """What of a space, and of the declarations of an update, can be varied."""
    space = update.space
    found = []
    if space.scheme != "one":
        found.append(
            Constant(
                "N" if space.scheme == "batch" else "G", space.size, _two((2, 3, 4, 5), space.size)
            )
        )
    if space.discount not in (0, 1):
        # not 1, where 1-γ is 0 and what is 1/(1-γ) can't be run
        tried = (Fraction(1, 2), Fraction(3, 4), Fraction(2, 5))
        found.append(Constant("γ", space.discount, _two(tried, space.discount)))
    if space.longer is not None and space.behaviour is None and space.reference is None:
        found.append(
            Constant("agents", space.horizon, _two((2, 3, 4), space.horizon))
            if space.game is not None
            else Constant("length", space.horizon, _two((1, 2, 3, 4), space.horizon))
        )
    for name, value in space.constants.items():
        if isinstance(value, int | float | Fraction) and not isinstance(value, bool) and value:
            steps = (value + 1, value + 2) if isinstance(value, int) else (value * 2, value * 3)
            found.append(Constant(name, value, steps))
    for name, (value, possible) in update.shares.items():
        found.append(Constant(name, value, _two(possible, value)))
    return [each for each in found if len(each.others) == 2]


def _two(values: tuple[Any, ...], but: Any) -> tuple[Any, ...]:
    return tuple(each for each in values if each != but)[:2]


def with_constants(update: Update, values: Mapping[str, Any]) -> Update:
    """The update where constants have other values.

    Raises:
        BadInput: it can't be run there, or there are too many draws.
    """
    space, declared = update.space, {}
    for name, value in values.items():
        if name in ("length", "agents"):
            assert space.longer is not None
            other = space.longer(value)
            space = replace(
                other, scheme=space.scheme, size=space.size, discount=space.discount, constants=space.constants, keep=space.keep,
                exchangeable=space.exchangeable,
            )  # fmt: skip
    for name, value in values.items():
        if name in ("N", "G"):
            space = replace(space, size=value)
        elif name == "γ":
            space = replace(space, discount=value)
        elif name in update.shares:
            declared[name] = value
        elif name not in ("length", "agents"):
            space = space.having(**{name: value})
    if space.draws_count > MOST_DRAWS:
        raise BadInput("too many draws")
    if update.remade is not None:
        return update.remade(space, **declared)
    return update.on(space)


def explained(update: Update, target: Objective) -> str:
    """The factor as a formula in the space's constants; empty if none reproduces it wherever it was
    tried.
    """
    update = in_float64(update)
    base = _factor(update, target)
    if base is None:
        return ""
    varied = {each.name: each for each in constants_of(update)}
    parts: dict[str, Part] = {}
    for each in varied.values():
        ratios = _ratios(update, target, each, base)
        shape = shape_of(each, ratios)
        if shape is None and each.name == "length" and "γ" in parts:
            # the exponent of the discount may be what changes with the length
            found = with_exponent(each, ratios, varied["γ"], parts["γ"])
            if found is not None:
                parts["γ"], shape = found
        # what is 1 here explains nothing of the number
        if shape and each.shapes[shape](float(each.value)) != 1:
            parts[each.name] = Part.of(each, shape)
    # a part that holds only while the others stand still is given up: γ at one length, for example
    for left_out in (None, *parts):
        kept = [part for name, part in parts.items() if name != left_out]
        said = _said(update, target, varied, kept, base) if kept else ""
        if said:
            return said
    return ""


def _said(
    update: Update,
    target: Objective,
    varied: Mapping[str, Constant],
    parts: list[Part],
    base: float,
) -> str:
    """The product of these parts as a formula, if with a short number before it it gives the
    factor.
    """
    names = list(dict.fromkeys(name for part in parts for name in part.names))

    def product(values: Mapping[str, Any]) -> float:
        return prod(part.at(values) for part in parts)

    exact = fraction_near(base / product({name: varied[name].value for name in names}))
    if exact is None or max(abs(exact.numerator), exact.denominator) > LARGEST:
        return ""
    if len(names) > 1 and not _together(
        update, target, varied, names, lambda values: float(exact) * product(values)
    ):
        return ""
    said = " · ".join(part.said for part in parts)
    return said if exact == 1 else f"{exact} · {said}"


def _together(
    update: Update,
    target: Objective,
    varied: Mapping[str, Constant],
    names: list[str],
    formula: Callable[[Mapping[str, Any]], float],
) -> bool:
    """Whether the product holds where all of its constants are changed at once, at some values that
    can be run.
    """
    for choice in product_of(*(varied[name].others for name in names)):
        values = dict(zip(names, choice, strict=True))
        try:
            seen = _factor(with_constants(update, values), target)
        except BadInput:
            continue
        if seen is not None:
            return abs(seen - formula(values)) <= CLOSE * abs(seen)
    return False


def _ratios(update: Update, target: Objective, constant: Constant, base: float) -> Ratios | None:
    """How the factor changes with one constant; None where it can't be told."""
    ratios = []
    for value in constant.others:
        try:
            seen = _factor(with_constants(update, {constant.name: value}), target)
        except BadInput:
            seen = None
        if seen is None:
            return None
        ratios.append((float(value), seen / base))
    return ratios


def _factor(update: Update, target: Objective) -> float | None:
    """The factor, if the expected update is a multiple of the gradient, and the same one at two
    policies.
    """
    found = []
    places = points(update.space, 2)
    identifiable = identifiable_projection(update.space, update.judged)
    for place, there in zip(places, moments_at(update, places), strict=True):
        if there is None:
            return None
        gradient, field = (
            identifiable @ target.gradient(update.space, update.judged, place),
            identifiable @ there.mean,
        )
        # numbers as small as 1e-200 have no square
        size = float(np.abs(gradient).max(initial=0.0))
        if not size:
            return None
        unit = gradient / size
        factor = float(field @ unit / (unit @ unit)) / size
        if np.abs(field - factor * gradient).max() > CLOSE * max(
            float(np.abs(field).max()), 1e-3 * size
        ):
            return None
        found.append(factor)
    same = abs(found[0] - found[1]) <= CLOSE * abs(found[0])
    return found[0] if same and found[0] else None


def _ways(count: int) -> Iterator[int]:
    return (each for each in range(1, count + 1) if count % each == 0)


def shares_of(rows: int, ranks: int, micro_batches: int) -> dict[str, tuple[int, tuple[int, ...]]]:
    """How else so many rows could be shared: name -> (its value, others)."""
    return {
        "ranks": (ranks, tuple(each for each in _ways(rows) if rows % (each * micro_batches) == 0)),
        "micro_batches": (
            micro_batches,
            tuple(each for each in _ways(rows) if rows % (each * ranks) == 0),
        ),
    }
