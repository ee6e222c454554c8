"""What else is worth saying of an update, one sentence each; and the point of an audit in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import CLOSE, NOTHING, factor_of
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.expected_update import Curl, expected, moments
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.training import near_corners, settle
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput


def notes(
    update: Update, found: Evidence, kind: Kind, twist: Curl | None, *, constant: bool = False
) -> list[str]:
    """What else is worth saying: caveats of the space, the baseline, raw logits, states' own
    factors, frozen quantities.

    Args:
        constant: it is the target's gradient times one number everywhere, so that states have no
            factors of their own.
    """
    space = update.space
    found_notes = list(space.caveats)
    if found.where:
        found_notes.append(f"at the point of the audit itself, {describe(space)}, it agrees")
    if kind in _FELT_ONLY and _moves_besides(found):
        found_notes.append(
            f"it also shifts all logits of {_a(space)} together, which leaves the policy unchanged"
        )
    if twist is not None and twist.shown[1] == 0.0 < twist.shown[0]:
        found_notes.append(
            f"in the raw logits it is not a gradient field (curl {say(twist.shown[0])}), only"
            " modulo shifts of the logits"
        )
    if kind is Kind.NOT_A_GRADIENT and twist is not None and twist.shown[1] == 0.0:
        found_notes += _curl_elsewhere(update, found)
    if _sampled_from_itself(update, found):
        found_notes.append(
            "old_logprobs are the logprobs in every draw, since the policy is sampled from itself:"
            " what depends on their difference, such as a clip of their ratio, is not tried; try a"
            " behaviour policy with .sampled_by(...)"
        )
    if (
        update.replay is not None
        and not update.replay.follows_rewards
        and kind not in (Kind.UNBIASED, Kind.SCALED, Kind.REVERSED, Kind.UNDECIDED)
    ):
        found_notes.append(
            "the trainer's environment is its own, and whether it is that of the space isn't tested"
        )
    found_notes += _one_direction(found, kind)
    if found.rejected[0] and kind in (Kind.NOT_A_GRADIENT, Kind.BIASED, Kind.OTHER_OBJECTIVE):
        formula, refuted = found.rejected
        found_notes.append(
            f"on this space it is also the gradient of {formula}; with {refuted} it isn't, so that"
            " isn't what it follows"
        )
    if kind in (Kind.SCALED, Kind.REVERSED):
        found_notes += _other_sign(update, found, kind)
    found_notes += _critics(update)
    if (space.horizon == 1 or space.game is not None) and update.replay is None:
        change = _change(update.alike(_shifted(space)), found)
        if change:
            found_notes.append(
                f"adding 1 to every reward changes it by up to {say(change)}: a constant baseline"
                " doesn't cancel"
            )
    b = space.constants.get("b", 0)
    if "b" in update.needs and isinstance(b, int | float | Fraction | np.number):
        change = _change(update.alike(space.having(b=b + 1)), found)
        if change:
            found_notes.append(f"a baseline larger by 1 changes it by up to {say(change)}")
        elif change is not None:
            found_notes.append(
                "a baseline b larger by 1 doesn't change the expected update at this policy"
            )
    if (
        kind not in (Kind.UNBIASED, Kind.ZERO, Kind.UNDECIDED)
        and not constant
        and space.horizon > 1
    ):
        found_notes += _states_alone(update, found)
    if kind is Kind.NOT_A_GRADIENT and twist is not None and update.frozen:
        found_notes.append(f"with {', '.join(update.frozen)} held")
    return found_notes


def _one_direction(found: Evidence, kind: Kind) -> list[str]:
    """What is to be known of a verdict where everything is parallel to the gradient."""
    if not found.one_direction or kind in (Kind.ZERO, Kind.UNDECIDED, Kind.NOT_A_GRADIENT):
        return []
    only = "there is only one direction (two actions), in which every bias looks like a factor"
    others = found.elsewhere.others
    factors = found.elsewhere.factors(found.target, found.parts)
    if kind is Kind.UNBIASED:
        return (
            [f"{only}: with {others} it isn't unbiased, and this space doesn't show it"]
            if found.depends_on_rewards(1)
            else []
        )
    seen = [factor for factor in factors if factor is not None]
    if not seen:
        return [f"{only}; it couldn't be tried with {others}"]
    low, high = min(seen), max(seen)
    factor = say(low) + ("" if high - low <= CLOSE * abs(high) else f" to {say(high)}")
    turns = (kind is Kind.SCALED and low < 0) or (kind is Kind.REVERSED and high > 0)
    return [
        f"{only}; with {others} the factor is"
        f" {factor}{', so that it is uphill with some rewards only' if turns else ''}"
    ]


FEW_STATES = 4
"""So many states are listed although their policies are the same."""

_FELT_ONLY = (Kind.UNBIASED, Kind.SCALED, Kind.REVERSED, Kind.ZERO, Kind.OTHER_OBJECTIVE)
"""What is said of these is said modulo shifts that leave the policy unchanged."""


def _moves_besides(found: Evidence) -> bool:
    """Part of the expected update lies along shifts that leave the policy unchanged, beyond
    rounding.
    """
    unidentifiable = found.fields - found.fields @ found.identifiable
    sizes = np.maximum(np.abs(found.fields).max(axis=1), np.abs(found.gradients).max(axis=1))
    return bool(np.any(np.abs(unidentifiable).max(axis=1) > CLOSE * sizes + NOTHING * found.reach))


def _curl_elsewhere(update: Update, found: Evidence) -> list[str]:
    """Where the curl shows that vanishes at the policy that is shown."""
    if found.turning is None:
        return []
    place, size, bound = found.turning
    amount = f"at least {say(size)}" if bound else say(size)
    return [
        f"its curl shows at another policy: {amount} at"
        f" {describe(replace(update.space, parameters=place))}"
    ]


def _sampled_from_itself(update: Update, found: Evidence) -> bool:
    """It asks for the policy that was sampled, and that is the current one at every policy
    compared.
    """
    if not {"old_logprobs", "mu"} & set(update.needs) or {"old_logprobs", "mu"} & set(
        update.frozen
    ):
        return False
    tables = [Tables.at(update.space, place) for place in found.places]
    return all(np.array_equal(each.mu, each.table) for each in tables)


def _other_sign(update: Update, found: Evidence, kind: Kind) -> list[str]:
    """Near a corner, a policy at which the update is no multiple of the gradient of the sign that
    was found.
    """
    fields, gradients = found.fields @ found.identifiable, found.gradients @ found.identifiable
    lengths = (gradients * gradients).sum(axis=1)
    factors = (fields * gradients).sum(axis=1)[lengths > 0] / lengths[lengths > 0]
    if (
        not factors.size
        or found.here.draws > FEW_DRAWS
        or np.ptp(factors) <= CLOSE * np.abs(factors).max(initial=0.0)
    ):
        return []
    for corner in near_corners(update.space):
        place = {**update.space.parameters, **corner}
        try:
            field = expected(update, place) @ found.identifiable
        except BadInput:
            continue
        gradient = found.target.gradient(update.space, update.judged, place) @ found.identifiable
        along = float(field @ gradient)
        if abs(along) > CLOSE * float(np.linalg.norm(field) * np.linalg.norm(gradient)) and (
            along > 0
        ) is (kind is Kind.REVERSED):
            where = describe(replace(update.space, parameters=place))
            return [
                f"not everywhere: it points {'downhill' if kind is Kind.SCALED else 'uphill'} at"
                f" {where}"
            ]
    return []


FEW_DRAWS = 150
"""So many draws can be enumerated at a few more policies."""


def _change(moved: Update, found: Evidence) -> float | None:
    """The largest change of the expected update that changes the policy; 0 within rounding; None if
    the moved one can't be run.
    """
    try:
        after = moments(moved)
    except BadInput:
        return None
    before = found.here
    size = max(float(each.size.max()) for each in (before, after))
    change = float(np.abs(found.identifiable @ (after.mean - before.mean)).max())
    return change if change > CLOSE * size else 0.0


def _critics(update: Update) -> list[str]:
    """Where the groups that the policy doesn't read settle while the policy stands still."""
    if update.replay is not None:
        # what a critic does between two steps of an actor is a whole run of the trainer
        return []
    others = [
        name
        for name in update.space.parameters
        if name not in update.space.policy.shapes and name not in update.judged
    ]
    found_notes = []
    for name in others:
        if np.abs(expected(update, groups=(name,))).max(initial=0.0) <= NOTHING:
            continue
        at, stopped = settle(update, (name,))
        if stopped:
            value = float(Tables.at(update.space, update.space.parameters).value)
            found_notes.append(
                f"with the policy held, {name} settles at {say_vector(at[name].reshape(-1))}; V ="
                f" {say(value)}"
            )
    return found_notes


def _shifted(space: Space) -> Space:
    if space.continuous is not None:
        return replace(space, continuous=space.continuous.shifted())
    if space.game is not None:
        paid = tuple(
            replace(each, rewards=(*each.rewards[:-1], each.rewards[-1] + 1))
            for each in space.episodes
        )
        return replace(space, episodes=paid)
    moved = tuple(
        replace(each, rewards=tuple(reward + 1 for reward in each.rewards))
        for each in space.episodes
    )
    return replace(space, episodes=moved)


def _states_alone(update: Update, found: Evidence) -> list[str]:
    """In a multi-step problem, how each state's own direction compares: right ones with unequal
    factors look like scales and aren't.
    """
    policy = update.space.policy
    if not isinstance(policy, TablePolicy) or update.judged != (policy.group,):
        return []
    field, gradient = found.here.mean @ found.identifiable, found.gradients[0] @ found.identifiable
    states_of: dict[str, list[int]] = {}
    for state, row in enumerate(policy.index):
        part = sorted({i for i in row if i >= 0})
        size = NOTHING * max(
            float(found.reach[0]), float(np.abs(field).max()), float(np.abs(gradient).max())
        )
        still, flat = (
            bool(np.abs(side[part]).max(initial=0.0) <= size) for side in (field, gradient)
        )
        if flat:
            # nothing to learn in this state: nothing, or something that isn't asked for
            if not still:
                states_of.setdefault("it moves where its own gradient is 0", []).append(state)
            continue
        factor = factor_of(field[part], gradient[part])
        states_of.setdefault(
            "not parallel" if factor is None else f"{say(factor)} times its own gradient", []
        ).append(state)
    return (
        [
            "; ".join(
                f"{_states(each, update.space.steps_are)}: {said}"
                for said, each in states_of.items()
            )
        ]
        if states_of
        else []
    )


def _states(numbers: Sequence[int], kind: str) -> str:
    return (
        f"{kind} {numbers[0]}" if len(numbers) == 1 else f"{kind}s {', '.join(map(str, numbers))}"
    )


def describe(space: Space) -> str:
    """The point of the audit as a reader writes it."""
    constants = "".join(f", {name} = {_constant(value)}" for name, value in space.constants.items())
    if space.continuous is not None:
        return space.continuous.describe(space.parameters) + constants
    table = Tables.at(space, space.parameters).table
    rows = [say_vector(row) for row in table]
    alike = len(rows) > FEW_STATES and len(set(rows)) == 1
    policy = f"π = {rows[0]}" + (
        f" in all {len(rows)} states" if alike else "".join(f"; {row}" for row in rows[1:])
    )
    rewards = ""
    if space.horizon == 1:
        # exact numbers, if there are any: a reward of 1e-90 isn't 0
        q = (
            Tables.exact(space, space.weights)
            if space.weights is not None
            else Tables.at(space, space.parameters)
        ).q
        rewards = ", r = " + "; ".join(say_vector(row) for row in q)
    if space.game is not None:
        rewards = f", r = {say_vector(space.game.payoffs(space).reshape(-1))} for the joint actions"
    gamma = (
        f", γ = {space.discount}"
        if (space.horizon > 1 and space.game is None) or space.discount != 1
        else ""
    )
    return policy + rewards + gamma + constants


def _a(space: Space) -> str:
    return "an agent" if space.game is not None else "a state"


def _constant(value: Any) -> str:
    if isinstance(value, int | float | Fraction):
        return say(value)
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
        return say_vector(value)
    return str(value)
