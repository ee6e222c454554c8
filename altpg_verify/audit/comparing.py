"""Two updates side by side: what a patch changes in bias, scale, variance and where training
ends.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import CLOSE, NOTHING
from altpg_verify.audit.diagnosis import audit
from altpg_verify.audit.expected_update import identifiable_projection, moments
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import beyond_rounding, say, say_vector
from altpg_verify.audit.training import End, endpoints
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.sealing import seal, sealed


@sealed()
@dataclass(frozen=True)
class Comparison:
    """What a patch changes.

    Args:
        before, after: the audits.
        changes: the expected update at the point differs, beyond rounding and beyond shifts that
            leave the policy unchanged.
        difference: after less before, flattened over the judged groups.
        ends: where training ends from the same starts, before and after; empty if not followed.

    Examples:
        >>> from altpg_verify.audit import bandit, compare, update
        >>> space = bandit([1, 0]).batch(2)
        >>> @update(space=space)
        ... def mean(rewards, scores):
        ...     return (rewards[:, None] * scores).mean(axis=0)
        >>> @update(space=space)
        ... def total(rewards, scores):
        ...     return (rewards[:, None] * scores).sum(axis=0)
        >>> found = compare(mean, total)
        >>> found.changes, str(found.before.kind), str(found.after.kind)
        (True, 'unbiased', 'scaled')
    """

    before: Audit
    after: Audit
    changes: bool
    difference: tuple[float, ...]
    ends: tuple[tuple[End, End], ...] = ()

    @property
    def ok(self) -> bool:
        """The patched update is as it should be."""
        return self.after.ok

    @property
    def sentence(self) -> str:
        """What the patch does, as people say it."""
        before, after = self.before, self.after
        spread = self._spread()
        if Kind.UNDECIDED in (before.kind, after.kind):
            return f"{_decided(before)} before, {_decided(after)} after; {spread}"
        if not self.changes:
            if before.kind is not after.kind:
                return (
                    f"the same expected update at this policy, but not at others: {before.kind}"
                    f" before, {after.kind} after; {spread}"
                )
            if before.kind is not Kind.UNBIASED:
                return f"the expected update here stays what it was ({before.kind}); {spread}"
        if before.kind is Kind.UNBIASED and after.kind is Kind.UNBIASED:
            return f"unbiased before and after; {spread}"
        if before.kind is Kind.UNBIASED:
            return f"it was unbiased, and the patch makes it so no longer ({after.kind}); {spread}"
        if after.kind is Kind.UNBIASED:
            return f"the patch removes the bias ({before.kind} before); {spread}"
        if before.kind is after.kind:
            return f"{after.kind} before and after, differently; {spread}"
        return f"{before.kind} before, {after.kind} after; {spread}"

    def _spread(self) -> str:
        if self.before.variance is None or self.after.variance is None:
            return "variance not computed"
        one = beyond_rounding(self.before.variance, self.before.expected)
        other = beyond_rounding(self.after.variance, self.after.expected)
        if abs(one - other) <= CLOSE * max(one, other):
            return f"same variance, {one:.6g}"
        return f"variance {one:.6g} before, {other:.6g} after"

    def __str__(self) -> str:
        lines = [
            f"{self.before.update} → {self.after.update}: {self.sentence}",
            f"    on        {self.after.space}; {self.after.point}",
        ]
        for when, one in (("before", self.before), ("after", self.after)):
            lines += [
                f"    {when:<10}{one.sentence}",
                f"    {'':<10}E[g] = {say_vector(one.expected)}, bias {say_vector(one.bias)}",
            ]
            if one.curl is not None:
                spread = (
                    ""
                    if one.variance is None
                    else f", variance {beyond_rounding(one.variance, one.expected):.6g}"
                )
                lines.append(
                    f"    {'':<10}curl"
                    f" {say(one.curl[1])}{' modulo shifts' if one.logits else ''}{spread}"
                )
        if self.changes:
            lines.append(f"    {'change':<10}{say_vector(self.difference)}")
        for old, new in self.ends:
            lines += [f"    {'ends':<10}before: {old}", f"    {'':<10}after:  {new}"]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        return {
            "sentence": self.sentence,
            "changes": self.changes,
            "difference": list(self.difference),
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "ends": [
                {"start": old.start, "before": old.as_dict(), "after": new.as_dict()}
                for old, new in self.ends
            ],
        }

    def _repr_html_(self) -> str:
        """For notebooks: the sentence, and both audits."""
        return f"<p>{html.escape(self.sentence)}</p>{self.before._repr_html_()}{self.after._repr_html_()}"


def compare(
    before: Update, after: Update, *, ends: bool = True, starts: Sequence[Any] | None = None
) -> Comparison:
    """Audit two updates on the space of the second and say what the change does.

    Args:
        before: the update as it was; its own space is not used.
        after: the update as it is now.
        ends: also follow training to its end under both.
        starts: parameters to follow it from; the point of the audit by default.

    Raises:
        BadInput: they judge different groups of parameters, so that there is nothing to compare.

    Examples:
        >>> from altpg_verify.audit import bandit, compare, update
        >>> space = bandit([1, 0]).batch(2)
        >>> @update(space=space)
        ... def mean(rewards, scores):
        ...     return (rewards[:, None] * scores).mean(axis=0)
        >>> @update(space=space)
        ... def total(rewards, scores):
        ...     return (rewards[:, None] * scores).sum(axis=0)
        >>> compare(mean, total).changes
        True
    """
    before = before.on(after.space) if before.space is not after.space else before
    if before.judged != after.judged:
        raise BadInput(
            f"{before.name!r} is judged by {', '.join(before.judged)} and {after.name!r} by"
            f" {', '.join(after.judged)}; give both the same groups"
        )
    identifiable = identifiable_projection(after.space, after.judged)
    there = [moments(each) for each in (before, after)]
    one, other = (each.mean for each in there)
    size = max(float(np.abs(one).max()), float(np.abs(other).max()))
    # of numbers this large, both are sums
    reach = max(float(each.size.max()) for each in there)
    changes = bool(np.abs(identifiable @ (other - one)).max() > CLOSE * size + NOTHING * reach)
    pairs = (
        tuple(zip(endpoints(before, starts=starts), endpoints(after, starts=starts), strict=True))
        if ends
        else ()
    )
    return seal(
        Comparison(
            audit(before),
            audit(after),
            changes,
            tuple(float(entry) for entry in other - one),
            pairs,
        )
    )


def _decided(one: Audit) -> str:
    return "not decided" if one.kind is Kind.UNDECIDED else str(one.kind)
