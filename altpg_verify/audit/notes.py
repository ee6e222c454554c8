"""What else is worth saying of an update, one sentence each; and the point of an audit in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.evidence import CLOSE, NOTHING, Evidence, agree, factor_of
from altpg_verify.audit.fields import Curl, expected
from altpg_verify.audit.findings import Kind
from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.audit.policies import TablePolicy
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.tables import Tables
from altpg_verify.audit.training import settle
from altpg_verify.audit.updates import Update


def notes(update: Update, found: Evidence, kind: Kind, twist: Curl | None) -> list[str]:
    """What else is worth saying: the baseline, raw logits, states' own factors, frozen quantities."""
    space = update.space
    told = list(space.caveats)
    if found.where:
        told.append(f"at the point of the audit itself, {describe(space)}, it agrees")
    if kind is Kind.UNBIASED and not agree(found.fields, found.gradients, found.reach):
        told.append("it moves all logits of a state together besides, which the policy can't feel")
    if twist is not None and twist.shown[1] == 0.0 < twist.shown[0]:
        told.append(f"in the raw logits it is the gradient of nothing (curl {say(twist.shown[0])}), which the policy can't feel")
    if _ratio_is_one(update, found):
        told.append("the ratio is 1 in every draw, so a clip is never active; try a behaviour policy with .sampled_by(...)")
    told += _critics(update)
    if space.horizon == 1:
        moved = expected(update.on(_shifted(space)))
        change = float(np.abs(found.felt @ (moved - found.here.mean)).max())
        if change > CLOSE * max(1.0, float(found.reach[0])):
            told.append(f"adding 1 to every reward changes it by up to {say(change)}: a constant baseline doesn't cancel")
    if "b" in update.needs and np.ndim(space.constants.get("b", 0)) == 0 and not isinstance(space.constants.get("b", 0), str):
        b = space.constants.get("b", 0)
        moved = expected(update.on(space.having(b=b + 1)))
        change = float(np.abs(found.felt @ (moved - found.here.mean)).max())
        told.append(
            f"a baseline larger by 1 changes it by up to {say(change)}"
            if change > CLOSE * max(1.0, float(found.reach[0]))
            else "the baseline b doesn't change the expected update"
        )
    if kind is Kind.NOT_A_GRADIENT and space.horizon > 1:
        told += _states_alone(update, found)
    if kind is Kind.NOT_A_GRADIENT and twist is not None and update.frozen:
        told.append(f"with {', '.join(update.frozen)} held")
    return told


def _ratio_is_one(update: Update, found: Evidence) -> bool:
    """It asks for the policy that was sampled, and that is the current one at every policy compared."""
    if not {"old_logprobs", "mu"} & set(update.needs) or "old_logprobs" in update.frozen:
        return False
    tables = [Tables.at(update.space, place) for place in found.places]
    return all(np.array_equal(each.mu, each.table) for each in tables)


def _critics(update: Update) -> list[str]:
    """Where the groups that the policy doesn't read settle while the policy stands still."""
    others = [name for name in update.space.parameters if name not in update.space.policy.shapes and name not in update.judged]
    told = []
    for name in others:
        if np.abs(expected(update, groups=(name,))).max() <= NOTHING:
            continue
        at, stopped = settle(update, (name,))
        if stopped:
            value = float(Tables.at(update.space, update.space.parameters).value)
            told.append(f"with the policy held, {name} settles at {say_vector(at[name].reshape(-1))}; V = {say(value)}")
    return told


def _shifted(space: Space) -> Space:
    moved = tuple(replace(each, rewards=tuple(reward + 1 for reward in each.rewards)) for each in space.episodes)
    return replace(space, episodes=moved)


def _states_alone(update: Update, found: Evidence) -> list[str]:
    """In a multi-step problem, how each state's own direction compares: right ones with unequal factors look like scales and aren't."""
    policy = update.space.policy
    if not isinstance(policy, TablePolicy) or update.judged != (policy.group,):
        return []
    field, gradient = found.here.mean @ found.felt, found.gradients[0] @ found.felt
    told = []
    for state, row in enumerate(policy.index):
        part = sorted({i for i in row if i >= 0})
        factor = factor_of(field[part], gradient[part])
        told.append(f"state {state}: " + ("not parallel" if factor is None else f"{say(factor)} times its own gradient"))
    return ["; ".join(told)]


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
