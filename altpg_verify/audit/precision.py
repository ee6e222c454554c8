"""What of a finding is float32 rounding or a safety epsilon, and what it is without: said only
where that was tried.

The update is run again with numpy's float32 meaning float64, and torch's within a numpy function
(in a torch loss it always does, in JAX it is refused), and with the small literals that are added
to its divisors one, two and four times as large. What it is where they are 0 is extrapolated draw
by draw: (8 g(ε) - 6 g(2ε) + g(4ε)) / 3. A bias from anywhere else, however small, stays in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from altpg_verify.audit import jax_epsilons, numpy_epsilons, torch_epsilons
from altpg_verify.audit.agreement import CLOSE, NOTHING
from altpg_verify.audit.altered import run_by, within
from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.expected_update import moments, moments_at, points
from altpg_verify.audit.kinds import Kind, Scale
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import NotBatched, Points
from altpg_verify.audit.recognition import Fit
from altpg_verify.audit.updates import Update
from altpg_verify.audit.wide_numpy import names_narrow, wide_numpy
from altpg_verify.audit.wide_torch import names_torch
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.constants import constants

LEVEL = 1e-6
"""Deviations above this share of the expected update are no mere rounding, whatever they come
from.
"""

LINEAR = 0.05
"""How far from doubling the deviation may be where the epsilon doubles, as a share of it."""

MOST_SINGLE = 5_000
"""So many draws are run one by one with other epsilons."""

DIFFERENTIATED = ("torch loss", "jax loss")
"""What a library differentiates."""

CLEAN = (Kind.UNBIASED, Kind.SCALED, Kind.REVERSED, Kind.ZERO, Kind.OTHER_OBJECTIVE)
"""What something may be up to rounding."""

Decided = tuple[Kind, Scale | None, Fit | None]


class Precise:
    """The same update without its rounding and epsilons, and how far it is from what was handed
    over.

    Attributes:
        original: the evidence on the update as it was handed over.
        update: the update with numpy's float32 meaning float64 and its epsilons extrapolated to 0.
        found, decided: the evidence on it, and what it is.
        epsilons: those it divides by.
        size: the largest entry by which the expected update differs from that of `update`, beyond
            shifts.
        narrow: whether numpy's float32 has a part in it.
    """

    def __init__(self, found: Evidence, places: int, epsilons: set[float]) -> None:
        self.original = found
        self.epsilons = epsilons
        self.size = 0.0
        self.narrow = False
        self.update = (
            _extrapolated(found.update, self.epsilons)
            if epsilons
            else _at(found.update, 1.0, set())
        )
        self.found = Evidence(self.update, found.target, places)
        self.decided: Decided = self.found.decide()

    @property
    def how(self) -> str:
        """How that was found out."""
        ways = ["its epsilons taken to 0"] if self.epsilons else []
        whose = "numpy's and torch's" if names_torch(self.original.update) else "numpy's"
        return "with " + " and ".join(
            [*ways, *([f"{whose} float32 as float64"] if self.narrow else [])]
        )

    @property
    def said(self) -> str:
        """How far off, and by what."""
        causes = (
            [f"an epsilon of {' and '.join(f'{each:g}' for each in sorted(self.epsilons))}"]
            if self.epsilons
            else []
        )
        causes += ["float32 rounding"] if self.narrow else []
        return f"up to {self.size:.1g}: {' and '.join(causes)}"

    def explains(self) -> bool:
        """Whether it is something clean, and all that lies between is at the level of rounding and
        goes with the epsilons.
        """
        kind = self.decided[0]
        if kind not in CLEAN:
            return False
        update, space, identifiable = (
            self.original.update,
            self.original.space,
            self.original.identifiable,
        )
        places = points(space, len(self.found.places))
        scaled = (
            [_at(update, scale, set()) for scale in (1.0, 2.0)]
            if self.epsilons
            else [self.update] * 2
        )
        fields = [_fields(each, places) for each in (update, *scaled, self.update)]
        if any(each is None for each in fields):
            return False
        given, once, twice, limit = (each @ identifiable for each in fields if each is not None)
        reach = float(self.original.reach.max())
        largest = reach if kind is Kind.ZERO else float(np.abs(limit).max())
        self.size = float(np.abs(given - limit).max())
        self.narrow = bool(np.abs(given - once).max() > NOTHING * reach)
        if self.size > LEVEL * largest:
            return False
        moved = float(np.abs(once - limit).max())
        if moved <= NOTHING * reach:
            self.epsilons.clear()
        elif (
            float(np.abs((twice - limit) - 2 * (once - limit)).max())
            > LINEAR * moved + NOTHING * reach
        ):
            return False
        return bool(self.epsilons) or self.narrow

    def matters(self) -> bool:
        """Whether the deviation is more than the audit's own rounding: a factor, or an objective,
        is then another without it.
        """
        return self.size > CLOSE * float(np.abs(self.found.fields).max())


def precise(found: Evidence, kind: Kind, places: int) -> Precise | None:
    """What the update is without rounding and epsilons, where that is cleaner than what it is with
    them; None if there is nothing to say.

    Args:
        found: the evidence on it as it was handed over.
        kind: what it is.
        places: how many policies are compared.
    """
    update = found.update
    if kind in (Kind.UNBIASED, Kind.ZERO) or found.undecided or not _may_round(update):
        return None
    epsilons: set[float] = set()
    try:
        wide = moments(_at(update, 1.0, epsilons))
        if not epsilons and np.abs(wide.mean - found.here.mean).max() <= NOTHING * float(
            found.reach.max()
        ):
            return None
        other = Precise(found, places, epsilons)
        return (
            other
            if other.explains() and (other.decided[0] is not kind or other.matters())
            else None
        )
    except BadInput:
        # what can't be run that way is judged as it is
        return None


def _fields(update: Update, places: list[Parameters]) -> np.ndarray | None:
    found = moments_at(update, places)
    return (
        np.stack([each.mean for each in found if each is not None])
        if all(each is not None for each in found)
        else None
    )


def _may_round(update: Update) -> bool:
    """Whether it can have epsilons or float32 in it. A numpy function is read; a loss under autodiff
    may call anything, and is tried.
    """
    if update.origin in DIFFERENTIATED:
        return True
    if update.origin not in ("function", "formula"):
        return False
    numbers: list[Any] = [
        *constants(update.function),
        *(each for each in update.space.constants.values() if isinstance(each, float)),
    ]
    return any(0 < abs(each) <= torch_epsilons.LARGEST for each in numbers) or names_narrow(update)


def _at(update: Update, scale: float, seen: set[float]) -> Update:
    """The update in float64 with its epsilons so many times as large."""
    single = update.origin not in DIFFERENTIATED
    if single and update.program.order.enumeration.count > MOST_SINGLE:
        raise BadInput("too many draws to be run one by one")
    return within(update, lambda each: _measured(each, scale, seen), batched=not single)


def _extrapolated(update: Update, seen: set[float]) -> Update:
    """The update in float64 with its epsilons at 0, to third order in them."""
    parts = [_at(update, scale, seen) for scale in (1.0, 2.0, 4.0)]

    def total(answers: list[Mapping[str, Any]]) -> Mapping[str, Any]:
        # differences are added to the first, so that without epsilons it is the first to the last
        # digit
        first, second, third = (
            {name: np.asarray(value, dtype=float) for name, value in each.items()}
            for each in answers
        )
        return {
            name: (
                first[name]
                + 5 / 3 * (first[name] - second[name])
                - (second[name] - third[name]) / 3
            )
            for name in first
        }

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        return total([each.gradient(parameters, draw) for each in parts])

    def batch(points: Points, draws: Draws) -> Mapping[str, Any]:
        answers = []
        for each in parts:
            if each.batch is None:
                raise NotBatched("runs on one draw at a time with other epsilons")
            answers.append(each.batch(points, draws))
        return total(answers)

    return run_by(
        update,
        gradient,
        None if parts[0].batch is None else batch,
        lambda other: _extrapolated(other, seen),
    )


@contextmanager
def _measured(update: Update, scale: float, seen: set[float]) -> Iterator[None]:
    """Numpy's float32 means float64, and epsilons are so many times as large."""
    if update.origin == "jax loss":
        # casts to float32 are refused there
        with jax_epsilons.scaled_epsilons(scale, seen):
            yield
        return
    with wide_numpy(update):
        if update.origin == "torch loss":
            import torch

            with torch_epsilons.scaled_epsilons(torch, scale, seen):
                yield
        else:
            with numpy_epsilons.scaled_epsilons(scale, seen):
                yield
