"""The audit: what an update is, relative to the objective it is meant to ascend.

The order of the questions is that of the verdicts: does it follow the target; its direction with another length; nothing at all; the
opposite; another objective's gradient; or nobody's. Everything is compared at the point of the audit and at further policies, modulo
what the policy can't feel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.draws import NotExact, Tables
from altpg_verify.audit.fields import Curl, Layout, Moments, curl, exact_expected, expected, feeling, moments, points
from altpg_verify.audit.findings import Audit, Kind, Scale
from altpg_verify.audit.numbers import fraction_near, say, say_vector
from altpg_verify.audit.objectives import Objective, objective_named
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.proofs import proved
from altpg_verify.audit.recognition import Fit, recognise
from altpg_verify.audit.scales import formula_of
from altpg_verify.audit.spaces import Episode, Space
from altpg_verify.audit.training import endpoints, settle
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.verdicts import Verdict

PLACES = 4
"""Policies at which everything is compared: the point of the audit and three about it."""

CLOSE = 1e-9
"""Relative deviation below which two float64 vectors agree; enumeration itself is exact to about 1e-15."""

NOTHING = 1e-13
"""Size below which a float64 expectation is zero."""


def audit(
    update: Update,
    *,
    places: int = PLACES,
    samples: int | None = None,
    false_alarm_rate: float = 1e-3,
    worth_finding: float | None = None,
    seed: int = 0,
    differentiate: bool = True,
    ends: bool = False,
    origin: str = "",
) -> Audit:
    """Decide what an update is.

    Args:
        places: how many policies to compare at.
        samples: judge by so many sampled draws instead of enumerating them; never called exact (see `sampling`).
        false_alarm_rate, worth_finding: for sampled verdicts only: the chance to call a right update wrong, and the smallest bias, in
            any component, that a pass must exclude.
        differentiate: whether to compute the curl, which costs 8 expectations for each parameter.
        ends: whether to follow training to its end as well.
        origin: how the command line names the update, for the replay command.

    Raises:
        BadInput: the space is too big to enumerate, or the update draws its own randomness, and `samples` isn't given.
        BadEstimator: the update raised, or returned what it shouldn't.
    """
    target = objective_named(update.target)
    if not target.fits(update.space):
        raise BadInput(f"update {update.name!r}: {target.name} makes no sense on {update.space}; choose another target or space")
    if samples is not None:
        from altpg_verify.audit.sampling import sampled_audit

        return sampled_audit(update, target, samples, false_alarm_rate, worth_finding, seed, origin)
    found = _Evidence(update, target, places)
    kind, scale, fit = found.decide()
    twist = curl(update) if differentiate or kind is Kind.UNDECIDED else None
    if kind is Kind.UNDECIDED:
        assert twist is not None
        kind = Kind.BIASED if twist.conservative and found.conservative_elsewhere() else Kind.NOT_A_GRADIENT
    strength, evidence, deviation = found.strength(kind, scale, fit)
    mark = update.intended.get(str(kind), "")
    return Audit(
        update=update.name,
        space=str(update.space),
        target=target.name,
        formula=target.formula,
        kind=kind,
        verdict=strength if kind is Kind.UNBIASED else Verdict.REFUTED,
        strength=strength,
        evidence=evidence,
        expected=found.shown[0],
        gradient=found.shown[1],
        bias=tuple(one - other for one, other in zip(*found.shown, strict=True)),
        point=describe(replace(update.space, parameters=found.places[found.where])),
        scale=scale,
        follows="" if fit is None else fit.objective.formula,
        curl=None if twist is None else twist.shown,
        curl_moving=curl(update, moving=True).shown[1] if update.frozen and twist is not None else None,
        variance=found.here.trace,
        draws=found.here.draws,
        largest_deviation=deviation,
        notes=tuple(_notes(update, found, kind, twist)),
        ends=_ends(update) if ends else (),
        intended=mark,
        unexpected=bool(update.intended) and not mark,
        replay=f"python -m altpg_verify check {origin}" if origin else "",
    )


class _Evidence:
    """The expected update and the target's gradient at every policy compared."""

    def __init__(self, update: Update, target: Objective, places: int) -> None:
        self.update, self.target = update, target
        self.space = update.space
        self.places = points(self.space, places)
        self.here: Moments = moments(update)
        self.fields = np.stack([self.here.mean, *(expected(update, place) for place in self.places[1:])])
        self.gradients = np.stack([target.gradient(self.space, update.judged, place) for place in self.places])
        self.felt = feeling(self.space, update.judged)
        self.parts = _parts(update)
        self.where = self._telling_place()
        exact = self._exact_sides() if self.where == 0 else None
        self.shown = exact or (
            tuple(float(entry) for entry in self.fields[self.where]),
            tuple(float(entry) for entry in self.gradients[self.where]),
        )

    def _telling_place(self) -> int:
        """The point of the audit, unless a bias shows only elsewhere."""
        gaps = np.abs((self.fields - self.gradients) @ self.felt).max(axis=1)
        agree_here = _agree(self.fields[:1] @ self.felt, self.gradients[:1] @ self.felt)
        return int(gaps.argmax()) if agree_here and not _agree(self.fields @ self.felt, self.gradients @ self.felt) else 0

    def _exact_sides(self) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
        if self.space.weights is None:
            return None
        try:
            left = exact_expected(self.update, self.space.weights)
            right = self.target.exact_gradient(self.space, self.update.judged, self.space.weights)
        except (NotExact, ZeroDivisionError):
            return None
        return tuple(Fraction(entry) for entry in left), tuple(Fraction(entry) for entry in right)

    def decide(self) -> tuple[Kind, Scale | None, Fit | None]:
        """The kind, with what goes with it; UNDECIDED if the curl has to tell."""
        fields, gradients = self.fields @ self.felt, self.gradients @ self.felt
        if _agree(fields, gradients):
            return Kind.UNBIASED, None, None
        if np.abs(fields).max() <= NOTHING:
            return Kind.ZERO, None, None
        fit = recognise(self.update, self.places, self.fields, self.felt, self.target)
        factors = [
            {name: _factor(field[part], gradient[part]) for name, part in self.parts.items()}
            for field, gradient in zip(fields, gradients, strict=True)
        ]
        numbers = [factor for each in factors for factor in each.values()]
        if all(factor is not None for factor in numbers):
            values = np.array(numbers, dtype=float)
            constant = bool(np.ptp(values) <= CLOSE * np.abs(values).max())
            if (values > 0).all() or (values < 0).all():
                scale = self._scale(factors[0], constant)
                return (Kind.SCALED if values[0] > 0 else Kind.REVERSED), scale, None if constant else fit
        if fit is not None:
            return Kind.OTHER_OBJECTIVE, None, fit
        return Kind.UNDECIDED, None, None

    def _scale(self, factors: Mapping[str, float | None], constant: bool) -> Scale:
        shown = {name: _readable(float(factor)) for name, factor in factors.items() if factor is not None}
        if constant:
            shown = {"": next(iter(shown.values()))}
        return Scale(shown, constant, formula_of(self.update, self.target, constant))

    def conservative_elsewhere(self) -> bool:
        return curl(self.update, parameters=self.places[1]).conservative

    def strength(self, kind: Kind, scale: Scale | None, fit: Fit | None) -> tuple[Verdict, str, float]:
        """How well the sentence is established, on what, and the largest deviation seen."""
        fields, gradients = self.fields @ self.felt, self.gradients @ self.felt
        count = f"{len(self.places)} policies, {self.here.draws:,} draws each, float64"
        objective: Objective | None = self.target
        factor: Any = 1
        deviation = float(np.abs(fields - gradients).max())
        if kind is Kind.ZERO:
            objective, deviation = None, float(np.abs(fields).max())
        elif kind in (Kind.SCALED, Kind.REVERSED) and scale is not None and scale.constant:
            factor = next(iter(scale.factors.values()))
            deviation = float(np.abs(fields - float(factor) * gradients).max())
        elif kind is Kind.OTHER_OBJECTIVE and fit is not None:
            objective, deviation = fit.objective, fit.deviation
        elif kind in (Kind.SCALED, Kind.REVERSED):
            return Verdict.HOLDS, f"at {count}; the direction, with a factor of its own at each", 0.0
        elif kind is not Kind.UNBIASED:
            return Verdict.HOLDS, f"at {count}; no candidate objective and no sum of two fits", deviation
        if proved(self.update, objective, factor):
            return Verdict.PROVED, "for every policy on this space, as rational functions", deviation
        return Verdict.HOLDS, f"at {count}; largest deviation {deviation:.1g}", deviation


def _parts(update: Update) -> dict[str, np.ndarray]:
    """Index sets that may each have a scale of their own: the logits of each prompt, if episodes are single steps; else everything."""
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    size = sum(int(np.prod(shape)) for shape in layout.shapes)
    policy = space.policy
    if space.horizon == 1 and len(space.starts) > 1 and isinstance(policy, TablePolicy) and layout.groups == (policy.group,):
        rows = [sorted({i for i in policy.index[start] if i >= 0}) for start in space.starts]
        if sum(map(len, rows)) == len({i for row in rows for i in row}):
            return {f"prompt {start}": np.array(row) for start, row in zip(space.starts, rows, strict=True)}
    return {"": np.arange(size)}


def _agree(left: np.ndarray, right: np.ndarray) -> bool:
    """Within rounding, policy by policy: a small gradient is not outvoted by a large one elsewhere."""
    sizes = np.maximum(np.abs(left).max(axis=1), np.abs(right).max(axis=1))
    return bool(np.all(np.abs(left - right).max(axis=1) <= CLOSE * sizes + NOTHING))


def _factor(field: np.ndarray, gradient: np.ndarray) -> float | None:
    """c with field = c · gradient, if there is one and the gradient isn't zero."""
    length = float(gradient @ gradient)
    if length <= NOTHING**2:
        return None
    factor = float(field @ gradient) / length
    size = max(float(np.abs(field).max()), abs(factor) * float(np.abs(gradient).max()))
    if size <= NOTHING:
        return 0.0
    return factor if np.abs(field - factor * gradient).max() <= CLOSE * size else None


def _readable(number: float) -> Any:
    near = fraction_near(number)
    return number if near is None else near


def describe(space: Space) -> str:
    """The point of the audit as a reader writes it."""
    table = Tables.at(space, space.parameters).table
    rows = [say_vector(row) for row in table]
    policy = f"π = {rows[0]}" if len(rows) == 1 else "π = " + "; ".join(rows)
    rewards = ""
    if space.horizon == 1:
        q = Tables.at(space, space.parameters).q
        rewards = ", r = " + "; ".join(say_vector(row) for row in q)
    gamma = f", γ = {space.discount}" if space.horizon > 1 or space.discount != 1 else ""
    constants = "".join(f", {name} = {_constant(value)}" for name, value in space.constants.items())
    return policy + rewards + gamma + constants


def _constant(value: Any) -> str:
    if isinstance(value, int | float | Fraction):
        return say(value)
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
        return say_vector(value)
    return str(value)


def _notes(update: Update, found: _Evidence, kind: Kind, twist: Curl | None) -> list[str]:
    """What else is worth saying: the baseline, raw logits, states' own factors, frozen quantities."""
    space, notes = update.space, []
    if found.where:
        notes.append(f"at the point of the audit itself, {describe(space)}, it agrees")
    if kind is Kind.UNBIASED and not _agree(found.fields, found.gradients):
        notes.append("it moves all logits of a state together besides, which the policy can't feel")
    if twist is not None and twist.shown[1] == 0.0 < twist.shown[0]:
        notes.append(f"in the raw logits it is the gradient of nothing (curl {say(twist.shown[0])}), which the policy can't feel")
    notes += _critics(update)
    if space.horizon == 1:
        moved = expected(update.on(_shifted(space)))
        change = float(np.abs(found.felt @ (moved - found.here.mean)).max())
        if change > CLOSE:
            notes.append(f"adding 1 to every reward changes it by up to {say(change)}: a constant baseline doesn't cancel")
    if "b" in update.needs and np.ndim(space.constants.get("b", 0)) == 0 and not isinstance(space.constants.get("b", 0), str):
        b = space.constants.get("b", 0)
        moved = expected(update.on(space.having(b=b + 1)))
        change = float(np.abs(found.felt @ (moved - found.here.mean)).max())
        notes.append(
            f"a baseline larger by 1 changes it by up to {say(change)}"
            if change > CLOSE
            else "the baseline b doesn't change the expected update"
        )
    if kind is Kind.NOT_A_GRADIENT and space.horizon > 1:
        notes += _states_alone(update, found)
    if kind is Kind.NOT_A_GRADIENT and twist is not None and update.frozen:
        notes.append(f"with {', '.join(update.frozen)} held")
    return notes


def _critics(update: Update) -> list[str]:
    """Where the groups that the policy doesn't read settle while the policy stands still."""
    others = [name for name in update.space.parameters if name not in update.space.policy.shapes and name not in update.judged]
    told = []
    for name in others:
        if np.abs(expected(update, groups=(name,))).max() <= NOTHING:
            continue
        at, stopped = settle(update, (name,))
        if stopped:
            told.append(
                f"with the policy held, {name} settles at {say_vector(at[name].reshape(-1))}; V = {say(float(Tables.at(update.space, update.space.parameters).value))}"
            )
    return told


def _shifted(space: Space) -> Space:
    moved = tuple(
        Episode(each.chance, each.states, each.actions, tuple(reward + 1 for reward in each.rewards), each.final_value)
        for each in space.episodes
    )
    return replace(space, episodes=moved)


def _states_alone(update: Update, found: _Evidence) -> list[str]:
    """In a multi-step problem, how each state's own direction compares: right ones with unequal factors look like scales and aren't."""
    policy = update.space.policy
    if not isinstance(policy, TablePolicy) or update.judged != (policy.group,):
        return []
    field, gradient = found.here.mean @ found.felt, found.gradients[0] @ found.felt
    told = []
    for state, row in enumerate(policy.index):
        part = sorted({i for i in row if i >= 0})
        factor = _factor(field[part], gradient[part])
        told.append(f"state {state}: " + ("not parallel" if factor is None else f"{say(factor)} times its own gradient"))
    return ["; ".join(told)]


def _ends(update: Update) -> tuple[str, ...]:
    return tuple(str(end) for end in endpoints(update))


__all__ = ["PLACES", "audit", "describe"]
