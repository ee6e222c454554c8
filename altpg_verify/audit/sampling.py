"""Audits by sampling, for spaces too big to enumerate and updates with undeclared randomness: never
exact, always with error rates.

The mean update is enclosed by intervals in many directions at once (see `sampled_kinds`), and
called by what fits all of them: no bias seen, scaled with the factors that fit, reversed, zero, or
biased. Where the range of the update's entries is declared, the intervals hold for every number of
draws and every distribution; without it they rest on the normal limit, and the verdict says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.compared_gradients import parts_of as parts_of
from altpg_verify.audit.continuous import refuse_continuous
from altpg_verify.audit.declarations import as_fraction, as_list, shown, whole
from altpg_verify.audit.expected_update import identifiable_projection
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.intervals import unseen
from altpg_verify.audit.kinds import Kind, Scale
from altpg_verify.audit.notes import describe
from altpg_verify.audit.numbers import say_interval
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.sampled_draws import (
    refuse_outside_anywhere,
    sampled_updates,
    unrun_in_samples,
)
from altpg_verify.audit.sampled_kinds import Bounds, Decided, Reading, decide, read
from altpg_verify.audit.sealed_audits import sealed_audit
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.judging import normal_quantile
from altpg_verify.verdicts import Verdict, of_an_update

MISS_RATE = 1e-2
"""For `draws_needed`: the chance that so many draws don't decide about the bias they are planned
for, if the normal limit holds.
"""

FALSE_ALARM_RATE = 1e-3
"""How often one of the intervals may miss, unless it is said."""

FEWEST = 1000
"""Below so many draws the normal approximation of the mean is not relied on."""


def sampled_audit(
    update: Update,
    target: Objective,
    samples: int,
    false_alarm_rate: float,
    worth_finding: float | None,
    seed: int,
    origin: str,
    bounds: Sequence[Any] | None = None,
) -> Audit:
    """Compare the mean of sampled updates with the target's gradient at the point of the audit.

    Args:
        update, target, origin: as for `audit`.
        samples: how many independent draws.
        false_alarm_rate: how often one of the intervals on which the verdict rests may miss what it
            encloses.
        worth_finding: the smallest bias, in any component, that a pass must exclude.
        seed: of the draws.
        bounds: (low, high) between which every entry of the update lies, on every draw; the
            intervals then rest on nothing else.

    Raises:
        BadInput: too few samples, a rate that isn't one, or bounds that aren't.
        BadEstimator: the update left its bounds, raised, or returned what it shouldn't.
    """
    if update.replay is not None:
        raise BadInput(
            f"{update.replay.who} draws by itself, and its branches are enumerated; leave"
            " samples out"
        )
    refuse_continuous(update.space, "sampled")
    count = _samples(samples)
    rate = _rate(false_alarm_rate)
    worth = None if worth_finding is None else _positive("worth_finding", worth_finding)
    within = _bounds(bounds)
    space = update.space
    identifiable = identifiable_projection(space, update.judged)
    gradient = target.gradient(space, update.judged)
    number = whole("seed", seed, 0)
    unrun = unrun_in_samples(update, count, number)
    vectors = sampled_updates(update, count, number, within)
    if within is not None:
        refuse_outside_anywhere(update, within)
    with np.errstate(over="ignore"):
        if not np.isfinite((vectors**2).sum()):
            raise BadInput(
                f"update {update.name!r} returns numbers whose squares float64 can't hold; scale"
                " the rewards down"
            )
    parts = parts_of(update)
    reading = read(vectors, identifiable @ gradient, identifiable, parts, rate, within)
    found = decide(reading, parts)
    evidence = _rests_on(reading, found, target, count, seed, rate, within)
    if found.kind is Kind.UNBIASED and worth is not None and reading.largest_gap > worth:
        needed = math.ceil(count * (reading.largest_gap / worth) ** 2)
        far = f"{reading.largest_gap:.3g}"
        why = (
            f"a bias of {worth:g} is worth finding, and one of {far} isn't excluded: about"
            f" {needed:,} draws are needed; "
        )
        found = Decided(Kind.UNDECIDED, found.factors, why)
    verdict = _verdict(found.kind)
    mean = vectors.mean(axis=0)
    return sealed_audit(
        update,
        target,
        found.kind,
        verdict,
        evidence=found.why + evidence,
        expected=tuple(float(entry) for entry in mean),
        gradient=tuple(float(entry) for entry in gradient),
        point=describe(space),
        scale=_scale(found, mean, identifiable @ gradient, parts),
        variance=float(vectors.var(axis=0, ddof=1).sum()),
        draws=count,
        largest_deviation=float(np.abs(identifiable @ (mean - gradient)).max()),
        notes=(*space.caveats, *_said_of_parts(update, found, reading, target)),
        replay=(
            f"python -m altpg_verify check {origin} --samples {count} --seed"
            f" {seed}{_options(within, rate, worth)}"
            if origin
            else ""
        ),
        sampled=True,
        unrun=str(unrun),
    )


def _verdict(kind: Kind) -> Verdict:
    return of_an_update(
        kind.follows, Verdict.INCONCLUSIVE if kind is Kind.UNDECIDED else Verdict.SUPPORTED
    )


def _rests_on(
    reading: Reading,
    found: Decided,
    target: Objective,
    samples: int,
    seed: int,
    rate: float,
    bounds: Bounds,
) -> str:
    """The evidence in words: how much was drawn, how well the mean is enclosed, and what that
    assumes.
    """
    said = (
        f"{samples:,} sampled draws, seed {seed}, at this policy alone; error rate {rate:g}, shared"
        f" by {len(reading.low)} directions; "
    )
    if found.kind in (Kind.UNBIASED, Kind.UNDECIDED):
        said += (
            f"no component is farther than {reading.largest_gap:.3g} from that of"
            f" ∇{target.formula}; "
        )
    if found.kind is Kind.UNBIASED and "" in found.factors:
        said += f"times c in {say_interval(found.factors[''])}; "
    if bounds is not None:
        return (
            said
            + f"for any distribution within the declared bounds [{bounds[0]:g}, {bounds[1]:g}], by"
            " betting"
        )
    return (
        said + "this rests on a finite variance and the normal limit of the mean, which were not"
        f" tested: what happens with a chance below {unseen(samples, rate):.2g} may not have been"
        " drawn, however large; bounds=(low, high) of the update's entries need no such limit"
    )


def _scale(
    found: Decided, mean: np.ndarray, gradient: np.ndarray, parts: dict[str, np.ndarray]
) -> Scale | None:
    if found.kind not in (Kind.SCALED, Kind.REVERSED, Kind.ZERO):
        return None
    everything = np.arange(len(gradient))
    factors = {}
    for name, ends in found.factors.items():
        part = parts.get(name, everything) if name else everything
        size = float(gradient[part] @ gradient[part])
        # the estimate may lie outside of what all directions together leave
        factors[name] = float(np.clip(mean[part] @ gradient[part] / size if size else 0.0, *ends))
    return Scale(factors, False, "", found.factors)


def _said_of_parts(
    update: Update, found: Decided, reading: Reading, target: Objective
) -> list[str]:
    """For a biased update, what is known of its direction, as a whole or state by state."""
    if found.kind is not Kind.BIASED:
        return []
    if found.factors:
        each = ", ".join(
            f"{f'in {name} ' if name else ''}c in {say_interval(ends)}"
            for name, ends in found.factors.items()
        )
        return [f"it may be parallel to ∇{target.formula}, times {each}"]
    policy = update.space.policy
    if (
        not isinstance(policy, TablePolicy)
        or update.judged != (policy.group,)
        or update.space.states == 1
    ):
        return []
    scales = []
    for state, row in enumerate(policy.index):
        ends = reading.fitting(np.array(sorted({i for i in row if i >= 0}), dtype=int))
        if ends is None or not math.isinf(ends[0]):
            scales.append(
                f"state {state}: "
                + ("not parallel" if ends is None else f"c in {say_interval(ends)}")
            )
    return ["times its own gradient, " + "; ".join(scales)] if scales else []


def _samples(samples: Any) -> int:
    try:
        return whole("samples", samples, FEWEST)
    except BadInput:
        raise BadInput(
            f"samples must be a whole number of at least {FEWEST}, not {shown(samples)}; fewer say"
            " too little of a mean"
        ) from None


def _rate(rate: Any) -> float:
    number = _positive("false_alarm_rate", rate)
    if not number < 0.5:
        raise BadInput(f"false_alarm_rate must lie between 0 and 1/2, not {shown(rate)}")
    return number


def _positive(name: str, value: Any) -> float:
    number = float(as_fraction(name, value))
    if number <= 0:
        raise BadInput(
            f"{name} must lie between 0 and 1/2, not {shown(value)}"
            if "rate" in name
            else f"{name} must be positive, not {shown(value)}"
        )
    return number


def _bounds(bounds: Any) -> Bounds:
    if bounds is None:
        return None
    ends = [float(as_fraction("bounds", entry)) for entry in as_list("bounds", bounds)]
    if len(ends) != 2 or ends[0] >= ends[1]:
        raise BadInput(
            "bounds must be (low, high), the range of every entry of the update, not"
            f" {shown(bounds)}"
        )
    return ends[0], ends[1]


def _options(bounds: Bounds, rate: float, worth: float | None) -> str:
    """What a command needs besides, to come to the same."""
    said = "" if bounds is None else f" --bounds={bounds[0]!r},{bounds[1]!r}"
    said += "" if rate == FALSE_ALARM_RATE else f" --false-alarm-rate {rate!r}"
    return said + ("" if worth is None else f" --worth-finding {worth!r}")


def draws_needed(
    update: Update,
    *,
    worth_finding: float,
    false_alarm_rate: float = 1e-3,
    pilot: int = FEWEST,
    seed: int = 0,
) -> int:
    """How many draws a sampled audit needs to see a bias of this size in every component, from the
    spread of a pilot sample.

    An estimate, by the normal limit and without declared bounds; the audit itself says how far its
    sample reaches.

    Raises:
        BadInput: a size or a rate that isn't one, or too small a pilot.
    """
    worth, rate = _positive("worth_finding", worth_finding), _rate(false_alarm_rate)
    vectors = sampled_updates(update, _samples(pilot), whole("seed", seed, 0))
    spread = float(np.sqrt(vectors.var(axis=0, ddof=1)).max())
    # components, and as many directions along and across the gradient
    directions = 2 * vectors.shape[1] + 1
    reach = normal_quantile(1 - rate / directions / 2) + normal_quantile(1 - MISS_RATE)
    return max(FEWEST, math.ceil((reach * spread / worth) ** 2))


__all__ = ["MISS_RATE", "draws_needed", "sampled_audit"]
