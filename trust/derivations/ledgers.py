"""The ledger of the numbers that three methods make, and of claims of the paper that have several
methods: built with the product's own judges.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from altpg_verify.judging import Finding, compared, searched
from altpg_verify.ledger import Claim, Ledger, evidence
from altpg_verify.ledger_building import build
from trust.derivations.compared_numbers import NUMBERS, Number

FALSE_ALARM_RATE = 1e-4
MAX_EXAMPLES = 40

PRINTED = {
    "expected-alternate-with-baseline": (
        "altpg_verify.theory.fixed_points.bias.expected_alternate",
        "altpg_verify.report.evidence.bias.bias",
    ),
    "regular-unbiased-any-baseline": (
        "altpg_verify.theory.gradients.gradient.regular_unbiased",
        "altpg_verify.report.evidence.gradients.gradient_forms",
    ),
    "corner-alternate-variance": (
        "altpg_verify.theory.saturation.variance.corner_alternate",
        "altpg_verify.report.evidence.saturation.saturated",
    ),
    "value-at-pi-star-number": (
        "altpg_verify.theory.attraction.three_arms.value_number",
        "altpg_verify.report.evidence.fixed_points.lemma",
    ),
    "value-at-pi-star-harmonic": (
        "altpg_verify.theory.fixed_points.pi_star.value",
        "altpg_verify.report.evidence.fixed_points.lemma",
    ),
}
"""Claims of the paper, with the derivation and the enumeration that serve them."""


def three_methods(numbers: tuple[Number, ...] = NUMBERS) -> Ledger:
    """A ledger with one claim for each number; each method says its own, and the one derived is
    what the other two are held against.
    """
    claims = [
        Claim(
            each.name,
            0,
            "trust",
            each.summary,
            "number",
            required_evidence=("derivation", "enumeration", "simulation"),
        )
        for each in numbers
    ]
    return build(claims, [function for each in numbers for function in _methods(each)])


def _methods(number: Number) -> list[Callable[..., Finding]]:
    derived = functools.cache(lambda: tuple(number.derived()))
    enumerated = functools.cache(lambda: tuple(number.enumerated()))
    agreed = "exactly what another method says"

    @evidence(number.name, kind="enumeration")
    def by_enumeration() -> Finding:
        return searched(
            number.summary, [number.name], lambda name: (enumerated(), derived()), domain=agreed
        )

    @evidence(number.name, kind="derivation")
    def by_derivation() -> Finding:
        # the derivation speaks for the number it makes; whether that is right, the other methods
        # say
        return searched(
            number.summary,
            [number.name],
            lambda name: (derived(), derived()),
            domain="the number derived",
        )

    @evidence(number.name, kind="simulation")
    def by_simulation() -> Finding:
        return _simulated(number, derived())

    return [by_derivation, by_enumeration, by_simulation]


def _simulated(number: Number, predicted: tuple[Fraction, ...]) -> Finding:
    """The mean of the runs against the prediction, judged at the entry that fits least."""
    runs = number.simulated()
    means, errors = runs.mean(axis=0), runs.std(axis=0, ddof=1) / math.sqrt(len(runs))
    worst = max(
        range(len(predicted)),
        key=lambda i: abs(means[i] - float(predicted[i])) / max(errors[i], 1e-300),
    )
    return compared(
        number.summary,
        predicted=float(predicted[worst]),
        mean=float(means[worst]),
        standard_error=float(errors[worst]),
        false_alarm_rate=FALSE_ALARM_RATE,
        comparisons=len(predicted),
        worth_finding=number.worth_finding,
        domain=f"{len(runs)} runs",
    )


def printed() -> Ledger:
    """The ledger of `PRINTED`, with the evidence that the report has for it."""
    from importlib import import_module

    from altpg_verify.theory.claims import CLAIMS

    functions = []
    for claim, sources in PRINTED.items():
        for source in sources:
            module, name = source.rsplit(".", 1)
            functions.append(_for_one(claim, getattr(import_module(module), name)))
    alone = [
        replace(claim, depends_on=(), corrects="", adds="")
        for claim in CLAIMS
        if claim.id in PRINTED
    ]
    return build(alone, functions, offered={"max_examples": MAX_EXAMPLES, "seed": 0})


def _for_one(claim: str, function: Callable[..., Finding]) -> Callable[..., Finding]:
    """The same evidence, for one of the claims it serves."""

    @functools.wraps(function)
    def serves(**offered: object) -> Finding:
        asked = (
            {**offered, "claim": claim}
            if "claim" in inspect.signature(function).parameters
            else offered
        )
        return function(**asked)

    serves.__evidence__ = ((claim,), function.__evidence__[1])  # type: ignore[attr-defined]
    return serves
