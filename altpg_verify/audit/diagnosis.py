"""The audit: what an update is, relative to the objective it is meant to ascend."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from altpg_verify.audit.causes import causes
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.evidence_strength import strength_of
from altpg_verify.audit.expected_update import MANY as MANY_DRAWS
from altpg_verify.audit.expected_update import affordable, curl, moments, refuse_random
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.guarding import look
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.mending import mends
from altpg_verify.audit.noise_degree import noise_degree
from altpg_verify.audit.notes import describe, notes
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objective_validation import refuse_unusable_objective
from altpg_verify.audit.objectives import OBJECTIVES, objective_named
from altpg_verify.audit.own_mean import FORMULA, follows_own_mean
from altpg_verify.audit.precision import precise
from altpg_verify.audit.progress import Clock, OutOfTime, plan, watching
from altpg_verify.audit.purity import refuse_impure
from altpg_verify.audit.sealed_audits import sealed_audit
from altpg_verify.audit.training import endpoints
from altpg_verify.audit.updates import Update
from altpg_verify.audit.workers import working
from altpg_verify.errors import BadInput
from altpg_verify.sealing import remade
from altpg_verify.stale_sources import refuse_stale
from altpg_verify.untrusted.intact import intact
from altpg_verify.verdicts import Verdict

MANY = 100
"""Draws from which on it is said that they were run one by one."""

PLACES = 4
"""Policies at which everything is compared: the point of the audit and three about it."""


def audit(
    update: Update,
    *,
    places: int = PLACES,
    samples: int | None = None,
    false_alarm_rate: float = 1e-3,
    worth_finding: float | None = None,
    bounds: tuple[float, float] | None = None,
    seed: int = 0,
    differentiate: bool = True,
    ends: bool = False,
    origin: str = "",
    budget: float | None = None,
    report: Callable[[str], None] | None = None,
    jobs: int | str | Executor | None = None,
    mend: bool | float = False,
) -> Audit:
    """Decide what an update is.

    Args:
        update: an ascent direction with the space it is tried on and the objective it is meant to
            ascend.
        places: how many policies to compare at.
        samples: judge by so many sampled draws instead of enumerating them; never called exact (see
            `sampling`).
        false_alarm_rate, worth_finding: for sampled verdicts only: the chance to call a right
            update wrong, and the smallest bias, in any component, that a pass must exclude.
        bounds: for sampled verdicts only: between which numbers every entry of the update lies;
            then nothing rests on the normal limit.
        seed: of the sampled draws.
        differentiate: whether to compute the curl, which costs 8 expectations for each parameter.
        ends: whether to follow training to its end as well.
        origin: how the command line names the update, for the replay command.
        budget: seconds after which to stop; what isn't decided by then is INCONCLUSIVE, and says
            how much was covered.
        report: is handed a line now and then about what is done and how much is left.
        mend: whether to look for small edits of the source that would make it right, each audited;
            if True, so many of them that it is the same on every machine, or for a number of
            seconds.
        jobs: processes, or a Dask scheduler's address, over which an update is spread that can't be
            run on many draws at once.

    Raises:
        BadInput: the space is too big to enumerate, or the update draws its own randomness, and
            `samples` isn't given; or the code was edited since it was loaded.
        BadEstimator: the update raised, or returned what it shouldn't.

    Examples:
        >>> from altpg_verify.audit import audit, bandit, update
        >>> @update(space=bandit([1, "1/2", 0]).batch(3))
        ... def own_mean(rewards, scores):
        ...     return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)
        >>> found = audit(own_mean)
        >>> str(found.kind), str(found.scale)
        ('scaled', '2/3 = (N-1)/N')
    """
    if isinstance(places, bool) or not isinstance(places, int) or places < 2:
        raise BadInput(
            f"places must be a whole number of at least 2, not {places!r}; a verdict from one"
            " policy says nothing of others"
        )
    if not isinstance(mend, bool) and not (
        isinstance(mend, int | float) and 0 <= mend < float("inf")
    ):
        raise BadInput(f"mend must be a number of seconds, or True, not {mend!r}")
    if budget is not None and not 0 < budget < float("inf"):
        raise BadInput(f"budget must be a number of seconds above 0, not {budget!r}")
    for name, given in (("bounds", bounds), ("worth_finding", worth_finding)):
        if given is not None and samples is None:
            raise BadInput(
                f"{name} is of sampled verdicts; give samples=N as well, or leave it out"
            )
    refuse_stale(update)
    target = objective_named(update.target)
    if isinstance(update.target, Objective) and update.target not in OBJECTIVES.values():
        refuse_unusable_objective(target, update.space)
    if not target.makes_sense(update.space):
        raise BadInput(
            f"update {update.name!r}: {target.name} makes no sense on {update.space}; choose"
            " another target or space"
        )
    if samples is not None:
        from altpg_verify.audit.sampling import sampled_audit

        with intact(f"update {update.name!r}"):
            return sampled_audit(
                update, target, samples, false_alarm_rate, worth_finding, seed, origin, bounds
            )
    with (
        intact(f"update {update.name!r}"),
        watching(Clock(update.name, budget=budget, report=report)),
        working(jobs),
    ):
        try:
            # a trainer is opened once: looking for what it holds takes a walk over all objects
            # there are
            with update.replay.opened() if update.replay is not None else nullcontext():
                found = _enumerated(
                    update, target, places, differentiate=differentiate, ends=ends, origin=origin
                )
            return _mended(found, update, target, places, mend)
        except OutOfTime as stopped:
            return _unfinished(update, target, str(stopped), origin)


def _enumerated(
    update: Update, target: Objective, places: int, *, differentiate: bool, ends: bool, origin: str
) -> Audit:
    refuse_random(update)
    plan(update.program.order.enumeration.count * places)
    found = Evidence(update, target, places)
    kind, scale, fit = found.decide()
    given, exactly = update, precise(found, kind, places)
    if exactly is not None:
        update, found = exactly.update, exactly.found
        kind, scale, fit = exactly.decided
    point = found.places[found.where]
    wanted = kind is Kind.UNDECIDED or (differentiate and affordable(update))
    open_question = kind is Kind.UNDECIDED and not found.undecided
    # where draws are many one clear entry elsewhere decides at a fraction of the cost
    decided = (
        open_question
        and update.program.order.enumeration.count > MANY_DRAWS
        and found.turning is not None
    )
    twist = (
        curl(update, parameters=point, decided=decided) if not found.undecided and wanted else None
    )
    if open_question:
        assert twist is not None
        kind = Kind.BIASED if twist.conservative and found.turning is None else Kind.NOT_A_GRADIENT
    refuse_impure(given)
    unrun = look(given, found.tried)
    strength, evidence, deviation = strength_of(found, kind, scale, fit)
    degree = None if kind is Kind.UNDECIDED else noise_degree(update)
    if degree is not None:
        evidence += (
            f"; at the nodes it is a polynomial of degree {degree} in each number of the noise,"
            " whose mean the rule gives exactly"
        )
    shown = (
        found.shown
        if exactly is None
        else (tuple(moments(given, point).mean.tolist()), found.shown[1])
    )
    named = "" if fit is None else fit.objective.formula
    own = kind in (Kind.BIASED, Kind.OTHER_OBJECTIVE) and follows_own_mean(update)
    return sealed_audit(
        update,
        target,
        kind,
        strength,
        evidence=evidence if exactly is None else f"{evidence}, {exactly.how}",
        expected=shown[0],
        gradient=shown[1],
        point=describe(replace(update.space, parameters=point)),
        scale=scale,
        follows=named or (FORMULA if own else ""),
        by_construction=own,
        curl=None if twist is None else twist.shown,
        curl_moving=(
            curl(update, parameters=point, moving=True).shown[1]
            if update.frozen and twist is not None
            else None
        ),
        variance=found.there.trace,
        draws=found.there.draws,
        largest_deviation=deviation,
        notes=tuple(
            notes(update, found, kind, twist, constant=scale is not None and scale.constant)
        ),
        ends=_ends(update) if ends else (),
        replay=f"python -m altpg_verify check {origin}" if origin else "",
        run=_how_run(given),
        unrun=str(unrun),
        conformance=_conformance(given),
        logits=update.space.continuous is None or update.space.continuous.logits,
        precision="" if exactly is None else exactly.said,
        causes=causes(given, found, kind),
        elsewhere=(
            found.confirmation.said if fit is not None and found.confirmation is not None else ""
        ),
        reservation=(
            found.confirmation.reservation
            if fit is not None and found.confirmation is not None
            else ""
        ),
    )


def _mended(
    found: Audit, update: Update, target: Objective, places: int, mend: bool | float
) -> Audit:
    """With edits that would make it right, if they are asked for and it isn't; what they mend is
    its cause, where none was found otherwise.
    """
    if not mend or found.ok or found.kind in (Kind.UNBIASED, Kind.UNDECIDED):
        return found

    def audited(edited: Update) -> Audit:
        return _enumerated(edited, target, places, differentiate=False, ends=False, origin="")

    try:
        searched = mends(update, target, audited, None if mend is True else float(mend))
    except OutOfTime:
        return found
    cut_short = (
        (f"not every edit that may mend it was tried within {float(mend):g} s",)
        if searched.stopped and mend is not True
        else ()
    )
    first = searched.mends[:1]
    return remade(
        found,
        mends=searched.mends,
        unmended="" if cut_short else searched.none,
        causes=found.causes or tuple(each for one in first for each in one.causes),
        notes=(*found.notes, *cut_short),
    )


def _conformance(update: Update) -> Any:
    """Whether it is the published algorithm that it is meant to be; None if none is declared."""
    if not update.conforms_to:
        return None
    from altpg_verify.audit.references.identifying import identify

    return identify(update)


def _how_run(update: Update) -> tuple[str, ...]:
    """How the draws were evaluated, where that isn't simply all of them at once."""
    program = update.program
    if "order" not in vars(program):
        # the budget was spent before that was known
        return ()
    # where draws are few it makes no difference
    many = program.order.enumeration.count >= MANY
    said = [f"draw by draw, since it {program.why}"] if program.why and many else []
    said += update.said() if update.said is not None else ()
    return tuple(said + ([program.order.sentence] if program.order.sentence else []))


def _unfinished(update: Update, target: Objective, why: str, origin: str) -> Audit:
    """What is said where the budget was spent before anything was decided."""
    gradient = tuple(float(entry) for entry in target.gradient(update.space, update.judged))
    return sealed_audit(
        update,
        target,
        Kind.UNDECIDED,
        Verdict.INCONCLUSIVE,
        evidence=why,
        expected=(),
        gradient=gradient,
        point=describe(update.space),
        # a mark on "undecided" speaks of what was looked at, not of what was cut short
        intended="",
        unexpected=bool(update.intended),
        replay=f"python -m altpg_verify check {origin}" if origin else "",
        run=_how_run(update),
    )


def _ends(update: Update) -> tuple[str, ...]:
    return tuple(str(end) for end in endpoints(update))
