"""Audits by sampling, for spaces too big to enumerate and updates with undeclared randomness: never exact, always with error rates.

Each component of the mean update is compared with the target's gradient by a two-sided normal test, the false-alarm rate split over
the components. A pass also states which bias it would have seen: a sample too small for that bias is not called a pass.
"""

from __future__ import annotations

import numpy as np

from altpg_verify.audit.draws import Draw
from altpg_verify.audit.fields import Layout, feeling
from altpg_verify.audit.findings import Audit, Kind
from altpg_verify.audit.notes import describe
from altpg_verify.audit.objectives import Objective
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.tables import Tables
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.judging import normal_quantile
from altpg_verify.verdicts import Verdict

MISS_RATE = 1e-2
"""The chance to pass an update whose bias, in some component, is the smallest one worth finding."""

FEWEST = 1000
"""Below so many draws the normal approximation of the mean is not relied on."""


def sampled_audit(
    update: Update, target: Objective, samples: int, false_alarm_rate: float, worth_finding: float | None, seed: int, origin: str
) -> Audit:
    """Compare the mean of sampled updates with the target's gradient at the point of the audit.

    Raises:
        BadInput: too few samples, or a rate that isn't one.
    """
    if not isinstance(samples, int) or samples < FEWEST:
        raise BadInput(f"samples must be a whole number of at least {FEWEST}, not {samples!r}; the test relies on the normal limit")
    if not 0 < false_alarm_rate < 0.5:
        raise BadInput(f"false_alarm_rate must lie between 0 and 1/2, not {false_alarm_rate!r}")
    space = update.space
    felt = feeling(space, update.judged)
    gradient = target.gradient(space, update.judged)
    vectors = _updates(update, samples, seed)
    mean = vectors.mean(axis=0)
    error = np.sqrt(np.maximum(((vectors - mean) @ felt.T).var(axis=0, ddof=1), 0.0) / samples)
    gap = felt @ (mean - gradient)
    critical = normal_quantile(1 - false_alarm_rate / len(mean) / 2)
    visible = float((error * (critical + normal_quantile(1 - MISS_RATE))).max())
    wrong = np.abs(gap) > critical * error + 1e-12
    enough = worth_finding is None or visible <= worth_finding
    rates = f"{samples:,} sampled draws, seed {seed}; false-alarm rate {false_alarm_rate:g} over {len(mean)} components, split; "
    rates += f"a bias of {visible:.3g} in some component is missed with rate at most {MISS_RATE:g}"
    if wrong.any():
        kind, verdict = Kind.BIASED, Verdict.REFUTED
    elif enough:
        kind, verdict = Kind.UNBIASED, Verdict.SUPPORTED
    else:
        kind, verdict = Kind.UNDECIDED, Verdict.INCONCLUSIVE
        needed = int(np.ceil(samples * (visible / float(worth_finding or 1)) ** 2))
        rates += f", and {worth_finding:g} is worth finding: about {needed:,} draws are needed"
    mark = update.intended.get(str(kind), "")
    return Audit(
        update=update.name,
        space=str(space),
        target=target.name,
        formula=target.formula,
        kind=kind,
        verdict=verdict,
        strength=verdict,
        evidence=rates,
        expected=tuple(float(entry) for entry in mean),
        gradient=tuple(float(entry) for entry in gradient),
        bias=tuple(float(entry) for entry in mean - gradient),
        point=describe(space),
        variance=float(vectors.var(axis=0, ddof=1).sum()),
        draws=samples,
        largest_deviation=float(np.abs(gap).max()),
        notes=space.caveats,
        intended=mark,
        unexpected=bool(update.intended) and not mark,
        replay=f"python -m altpg_verify check {origin} --samples {samples} --seed {seed}" if origin else "",
        sampled=True,
    )


def _updates(update: Update, samples: int, seed: int) -> np.ndarray:
    """(samples, n) updates on independent draws, those that aren't kept drawn again."""
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    tables = Tables.at(space, space.parameters)
    generator = np.random.default_rng(seed)
    keep = space.keep
    found: list[np.ndarray] = []
    tried = 0
    while len(found) < samples:
        for indices in _indices(space, tables, generator, samples - len(found)):
            draw = Draw(tables, indices)
            tried += 1
            if keep is not None and not keep(draw):
                continue
            filled = {"rng": generator} if update.random else {}
            for name, outcomes in update.choices.items():
                chances = np.array([float(chance) for _, chance in outcomes])
                filled[name] = outcomes[int(generator.choice(len(outcomes), p=chances / chances.sum()))][0]
            found.append(layout.flat(update.at(space.parameters, draw.with_values(filled) if filled else draw)))
        if tried > 1000 * samples:
            raise BadInput(f"space {space.name!r} keeps fewer than one draw in a thousand; loosen `keep`")
    return np.array(found, dtype=float)


def _indices(space: Space, tables: Tables, generator: np.random.Generator, count: int) -> list[tuple[int, ...]]:
    """Episodes of so many independent draws."""
    chances = np.array([float(p) for p in tables.sampled])
    everything = np.arange(len(chances))
    if space.scheme in ("one", "batch"):
        return [tuple(row) for row in generator.choice(everything, size=(count, space.size), p=chances / chances.sum()).tolist()]
    starts = {start: np.array([i for i in everything if space.episodes[i].start == start]) for start in space.starts}

    def members(start: int, size: int) -> list[int]:
        own = chances[starts[start]]
        return generator.choice(starts[start], size=size, p=own / own.sum()).tolist()

    if space.scheme == "groups":
        return [tuple(i for start in space.starts for i in members(start, space.size)) for _ in range(count)]
    weights = np.array([float(space.start_weight(start)) for start in space.starts])
    drawn = generator.choice(space.starts, size=count, p=weights / weights.sum())
    return [tuple(members(int(start), space.size)) for start in drawn]


def draws_needed(update: Update, *, worth_finding: float, false_alarm_rate: float = 1e-3, pilot: int = FEWEST, seed: int = 0) -> int:
    """How many draws a sampled audit needs to see a bias of this size in every component, from the spread of a pilot sample."""
    spread = float(np.sqrt(_updates(update, pilot, seed).var(axis=0, ddof=1)).max())
    components = sum(int(np.prod(np.shape(update.space.parameters[name]))) for name in update.judged)
    reach = normal_quantile(1 - false_alarm_rate / components / 2) + normal_quantile(1 - MISS_RATE)
    return max(FEWEST, int(np.ceil((reach * spread / worth_finding) ** 2)))


__all__ = ["MISS_RATE", "draws_needed", "sampled_audit"]
