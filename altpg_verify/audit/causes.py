"""Why an update isn't what it is meant to be: each cause is established by taking it away and
looking again.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np

from altpg_verify.audit.agreement import agree, factor_of
from altpg_verify.audit.altered import within
from altpg_verify.audit.argmax_cause import argmax_scored
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.game_causes import own_action
from altpg_verify.audit.gaussian_causes import drawn_by_sample, gaussian_causes
from altpg_verify.audit.held_visits import held_visits
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.torch_sites import Site, changing
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput

PLACES = 3
"""Policies at which it is looked again."""

MOST_DRAWS = 1_000
"""Spaces with more draws are not looked at again."""

MOST_REPLAYS = 400
"""Trainers with more ways of their draws aren't replayed with a line changed."""

BUILDING = 10
"""To make a trainer anew takes as long as so many steps of a small one."""

MOST_SITES = 16
"""So many lines of a loss are changed, one at a time."""


def causes(update: Update, found: Evidence, kind: Kind) -> tuple[str, ...]:
    """One sentence for each cause.

    Args:
        update: what was handed over.
        found: what was seen of it.
        kind: what it is.
    """
    if kind in (Kind.UNBIASED, Kind.UNDECIDED):
        return ()
    if kind is Kind.ZERO:
        by_sample = drawn_by_sample(update, becomes, found.target)
        if by_sample:
            return (by_sample,)
    if kind is Kind.ZERO and update.cut is not None and update.cut():
        return (update.cut(),)
    if update.replay is not None:
        told = [
            *update.replay.remarks,
            _limits(update, found.target),
            _moved_between(update, found.target),
            held_visits(found, kind),
            *(_lines(update, found.target) if few_replays(update) else ()),
        ]
        return tuple(each for each in told if each)
    if update.program.order.enumeration.count > MOST_DRAWS:
        return ()
    found_causes = (
        [*gaussian_causes(update, found, becomes)] if update.space.continuous is not None else []
    )
    if found_causes:
        return tuple(found_causes)
    found_causes = [
        own_action(update, found),
        argmax_scored(update, found),
        _sampled_elsewhere(update, found.target),
        _kept(update, found.target),
        _starts(update, found.target),
        _limits(update, found.target),
        held_visits(found, kind),
        *_lines(update, found.target),
    ]
    return tuple(each for each in found_causes if each)


def becomes(update: Update, target: Objective) -> float | None:
    """c where the expected update is c ∇target at every policy tried; None where it is no such
    thing.
    """
    space = update.space
    places = points(space, PLACES)
    try:
        found = moments_at(update, places)
        if any(each is None for each in found):
            return None
        identifiable = identifiable_projection(space, update.judged)
        fields = np.stack([each.mean @ identifiable for each in found if each is not None])
        gradients = np.stack(
            [identifiable @ target.gradient(space, update.judged, place) for place in places]
        )
    except BadInput:
        return None
    factor = factor_of(fields[0], gradients[0])
    reach = np.array([float(each.size.max()) for each in found if each is not None])
    return factor if factor and agree(fields, factor * gradients, reach) else None


def _conclusion(factor: float) -> str:
    return "is unbiased" if abs(factor - 1) < 1e-9 else f"follows the target, times {factor:.6g}"


def _elsewhere(update: Update, space: Space) -> Update:
    return update.on(space) if update.remade is None else update.remade(space)


def _sampled_elsewhere(update: Update, target: Objective) -> str:
    """The policy that is sampled isn't the one that is scored, and which actions are never
    sampled.
    """
    space = update.space
    if space.behaviour is None:
        return ""
    factor = becomes(_elsewhere(update, replace(space, behaviour=None)), target)
    if factor is None or factor < 0:
        return ""
    tables = Tables.at(space, space.parameters)
    mu, pi = np.asarray(tables.mu, dtype=float), np.asarray(tables.table, dtype=float)
    never = [
        f"action {a} in state {s}" for s, a in zip(*np.nonzero((mu == 0) & (pi > 0)), strict=True)
    ]
    lost = (
        f"; never sampled: {', '.join(never[:4])}{', ...' if len(never) > 4 else ''}"
        if never
        else ""
    )
    return (
        "the policy that is sampled isn't the one that is scored: sampled from that one it"
        f" {_conclusion(factor)}{lost}"
    )


def _kept(update: Update, target: Objective) -> str:
    """Which draws are kept depends on what is in them."""
    space = update.space
    if space.keep is None:
        return ""
    factor = becomes(_elsewhere(update, replace(space, keep=None)), target)
    if factor is None or factor < 0:
        return ""
    return (
        "which draws are thrown away depends on what is in them: with every one kept it"
        f" {_conclusion(factor)}"
    )


def _starts(update: Update, target: Objective) -> str:
    """Every prompt has as many rows in a draw, and they aren't equally probable."""
    space = update.space
    weights = {start: space.start_weight(start) for start in space.starts}
    if space.scheme != "groups" or len(set(weights.values())) == 1:
        return ""
    equal = Fraction(1, len(weights))
    alike = tuple(
        replace(each, chance=each.chance * equal / weights[each.start]) for each in space.episodes
    )
    factor = becomes(_elsewhere(update, replace(space, episodes=alike)), target)
    if factor is None or factor < 0:
        return ""
    told = ", ".join(map(str, weights.values()))
    return (
        f"every draw has as many rows of each prompt, whose chances are {told}: were they equal, it"
        f" {_conclusion(factor)}"
    )


def _limits(update: Update, target: Objective) -> str:
    """A time limit is taken for an end."""
    space = update.space
    if not any(episode.final_value for episode in space.episodes):
        return ""
    ended = replace(
        space, episodes=tuple(replace(each, final_value=Fraction(0)) for each in space.episodes)
    )
    factor = becomes(_elsewhere(update, ended), target)
    if factor is None or factor < 0:
        return ""
    return (
        "time limits are taken for ends: if nothing came after them it would be right"
        f" ({_conclusion(factor)})"
    )


def few_replays(update: Update) -> bool:
    """Whether a step can be replayed once for each of its lines."""
    assert update.replay is not None
    most = MOST_REPLAYS // (BUILDING if update.replay.building else 1)
    return update.replay.enumeration.count <= most


def _moved_between(update: Update, target: Objective) -> str:
    """Later steps of a call see parameters that earlier ones have moved."""
    still = None if update.replay is None else update.replay.standing_still()
    factor = None if still is None else becomes(replace(update, replay=still), target)
    if factor is None or factor < 0:
        return ""
    return (
        "later steps of a call see the parameters that earlier ones have moved: while they stand"
        f" still it {_conclusion(factor)}"
    )


def _lines(update: Update, target: Objective) -> list[str]:
    """Which line of a torch loss carries a gradient that isn't wanted, or divides by what changes
    from draw to draw.
    """
    if update.origin != "torch loss" and (update.replay is None or "torch" not in sys.modules):
        return []
    if update.rewritten is not None:
        # a loss remembers where its path was cut, and isn't to be told of cuts that are made here
        made = update.rewritten(update.function, update.space)
        made = replace(made, target=update.target, groups=update.groups, frozen=update.frozen)
        # the same function on the same space: what was established of its draws holds
        made.program.__dict__["order"] = update.program.order
        update = made
    seen: dict[Site, None] = {}
    if becomes(_changed(update, None, seen), target) is not None:
        return []
    found_causes = []
    for change in ("detached", "constant"):
        for site in [each for each in seen if each.change == change][:MOST_SITES]:
            factor = becomes(_changed(update, site, {}), target)
            if factor is None or factor < 0:
                continue
            what = f"{site.name!r} in {site}" if site.name else str(site)
            if change == "detached":
                found_causes.append(
                    f"an unwanted gradient through {what}: with that detached it {_conclusion(factor)}"
                )
            else:
                found_causes.append(
                    f"what is divided by changes from draw to draw, in {site}: with a constant"
                    f" there it {_conclusion(factor)}"
                )
            break
    return found_causes


def _changed(update: Update, site: Site | None, seen: dict[Site, None]) -> Update:
    """The torch loss with one line changed."""
    import torch

    if update.replay is not None:
        changed = update.replay.within(lambda: changing(torch, site, seen))
        return replace(update, replay=changed)
    return within(update, lambda _: changing(torch, site, seen))
