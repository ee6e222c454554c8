"""The expected update and its target's gradient at many policies: as a table, and over the simplex
of three actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.expected_update import identifiable_projection, moments_at, points
from altpg_verify.audit.objectives import objective_named
from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.training import End
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.report.html.playground import Grid, Playground
from altpg_verify.report.parts import Part, figure_part, table
from altpg_verify.report.simplex import CORNERS, STEP, draw_arrows, grid, moved, triangle

PLACES = 6
"""Policies in the table, the point of the audit first."""

DRAWN = 11
"""Divisions of the triangle's sides for the drawn arrows."""

DIVISIONS = (30, 20, DRAWN)
"""The same for the interactive simplex, the finest that costs no more than `MOST` calls."""

MOST = {"batched": 3_000_000, "single": 30_000}
"""Draws, times policies, that are asked for a picture: many at once, or one by one."""

TABULATED = 8
"""A policy with more parameters isn't tabulated: its vectors would be wider than the page."""


@dataclass(frozen=True)
class Field:
    """Where an update on a bandit of three actions moves the policy, beside the gradient of its
    target.

    Args:
        update: it.
        rewards: (3,) the mean reward of each action.
    """

    update: Update
    rewards: tuple[float, ...]

    @property
    def labels(self) -> tuple[str, str]:
        """What the two are called."""
        target = objective_named(self.update.target)
        return (
            f"∇({target.formula})" if " " in target.formula else f"∇{target.formula}"
        ), self.update.name

    def at(self, policies: Sequence[Any] | np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """(n, 3) the gradient of the target and (n, 3) the expected update; None if some policy
        keeps no draw, or it isn't finite there.
        """
        places = [_place(self.update, policy) for policy in policies]
        try:
            found = moments_at(self.update, places)
        except BadInput:
            # near the border a formula may have no finite value
            return None
        if any(each is None for each in found):
            return None
        target = objective_named(self.update.target)
        gradients = [
            target.gradient(self.update.space, self.update.judged, place) for place in places
        ]
        fields = [each.mean for each in found if each is not None]
        order = list(_policy(self.update).index[0])
        return np.array(gradients)[:, order], np.array(fields)[:, order]

    @cached_property
    def drawn(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The same at the policies of the figure."""
        return self.at(grid(DRAWN))

    def figure(self, ends: Sequence[End]) -> Part | None:
        """The two beside each other, with arrows. Args: ends: where training ends, for the dots."""
        from altpg_verify.report.drawing import INK, TEXT_WIDTH, blank, svg
        from altpg_verify.report.series_styles import styles

        if self.drawn is None:
            return None
        policies = grid(DRAWN)
        steps = [
            np.array([moved(pi, u, STEP) - pi for pi, u in zip(policies, each, strict=True)])
            @ CORNERS
            for each in self.drawn
        ]
        longest = max(float(np.linalg.norm(each, axis=1).max()) for each in steps) or 1.0
        look = styles(list(self.labels))
        reached = [end for end in ends if end.stopped and end.stable]
        with blank(0.72 * TEXT_WIDTH, 2.2) as canvas:
            for axis, label, each in zip(canvas.subplots(1, 2), self.labels, steps, strict=True):
                triangle(axis, label, self.rewards)
                draw_arrows(axis, policies, each, longest, look[label].colour)
                for end in reached if label == self.update.name else ():
                    axis.plot(
                        *(end.policy[0] @ CORNERS),
                        marker="o",
                        markersize=5.5,
                        color=INK,
                        linestyle="none",
                        zorder=5,
                        clip_on=False,
                    )
            page = svg(canvas)
        caption = (
            f"How the gradient of the target (left) and the expected update of {self.update.name}"
            " (right) move the policy of the bandit on which it was audited. A corner always takes"
            " the action with the mean reward written there. Arrows point where the policy goes;"
            " their length grows with the square root of the distance, on one scale for both."
            + (" Filled dot: where training by the expected update ends." if reached else "")
        )
        alt = f"Two triangles with arrows: {self.labels[0]} and {self.update.name}. " + " ".join(
            f"{end}." for end in reached
        )
        return figure_part("own-arrows", caption, alt, page, 0.72)

    def playground(self) -> Playground | None:
        """The interactive simplex of the two; None if it would take too long, keeps no draw at some
        policy, or isn't finite.
        """
        divisions = next(
            (one for one in DIVISIONS if _affordable(self.update, (one + 1) * (one + 2) // 2)), 0
        )
        found = self.at(grid(divisions)) if divisions else None
        if found is None:
            return None
        formulas = {
            label: Grid(self.rewards, divisions, {None: each}).javascript()
            for label, each in zip(self.labels, found, strict=True)
        }
        note = (
            "Both were computed beforehand, by enumeration of every draw, for the rewards of the"
            " audit on a grid of policies, and are interpolated between them; the line follows"
            " them."
        )
        return Playground(formulas, self.update.name, note)


def field_of(update: Update) -> tuple[Field | None, str]:
    """The field on the simplex; or None and why there is none."""
    space = update.space
    if update.random:
        return None, "it draws its own randomness, so that its expectation is not enumerated"
    policy = space.policy
    if not isinstance(policy, TablePolicy) or update.judged != (policy.group,):
        return None, "its parameters are not the logits of a table"
    if (space.states, space.actions, space.horizon) != (1, 3, 1) or not policy.separate:
        return (
            None,
            (
                f"its space has {space.states} state(s), {space.actions} actions and episodes of up"
                f" to {space.horizon} step(s)"
            ),
        )
    if not _affordable(update, (DRAWN + 1) * (DRAWN + 2) // 2):
        return (
            None,
            (
                f"its {update.program.order.enumeration.count} draws are too many to be enumerated"
                " at so many policies"
            ),
        )
    rewards = [0.0] * 3
    for episode in space.episodes:
        rewards[episode.actions[0]] += float(episode.chance * episode.rewards[0])
    return Field(update, tuple(rewards)), ""


def compared(update: Update) -> list[dict[str, object]]:
    """At each of a few policies: the policy, E[g], ∇target, and the length of the bias in the
    directions that change the policy.
    """
    target, identifiable = (
        objective_named(update.target),
        identifiable_projection(update.space, update.judged),
    )
    if update.random:
        return []
    places = points(update.space, PLACES)
    rows = []
    for place, each in zip(places, moments_at(update, places), strict=True):
        if each is not None:
            gradient = target.gradient(update.space, update.judged, place)
            rows.append(
                {
                    "policy": _policy_in_words(update.space, place),
                    "expected": _short(each.mean),
                    "gradient": _short(gradient),
                    "bias": float(f"{np.linalg.norm(identifiable @ (each.mean - gradient)):.4g}"),
                }
            )
    return rows


def _policy_in_words(space: Space, place: Parameters) -> str:
    if space.continuous is not None:
        return space.continuous.describe(place)
    return "; ".join(_row(row) for row in space.policy.table(place))


def comparison(rows: Sequence[Mapping[str, Any]]) -> Part:
    """These as a table of the page."""
    lines = [
        [row["policy"], _row(row["expected"]), _row(row["gradient"]), f"{_zeroed(row['bias']):.4g}"]
        for row in rows
    ]
    return table(
        ["policy", "expected update", "gradient of the target", "length of the bias"], lines
    )


def _row(entries: Sequence[float]) -> str:
    return (
        f"({', '.join(f'{entry:.3g}' for entry in entries)})".replace("-", "−")
        if len(entries) <= TABULATED
        else f"{len(entries)} entries"
    )


def _zeroed(number: float) -> float:
    return 0.0 if abs(number) < 1e-12 else number


def _short(entries: Any) -> list[float]:
    return [_zeroed(float(f"{float(entry):.6g}")) for entry in entries]


def _policy(update: Update) -> TablePolicy:
    policy = update.space.policy
    assert isinstance(policy, TablePolicy)
    return policy


def _place(update: Update, policy: Any) -> Parameters:
    """The parameters of a softmax policy over three actions; groups that the policy doesn't read
    stay as they are.
    """
    table_policy = _policy(update)
    logits = np.zeros(3)
    logits[list(table_policy.index[0])] = np.log(policy)
    return {**update.space.parameters, table_policy.group: logits.reshape(table_policy.shape)}


def _affordable(update: Update, policies: int) -> bool:
    return update.program.order.enumeration.count * policies <= MOST.get(
        update.program.mode or "single", MOST["single"]
    )
