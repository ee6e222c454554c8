"""Kinds of edits: which are tried first, and what it says of a program that one mends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from altpg_verify.audit.edits import Edit

ORDER = (
    "bootstrapping at the limit",
    "detached",
    "differentiated",
    "without the denominator",
    "the others' mean",
    "a mean over rows of sums",
    "masked",
    "the other way",
    "as what it is",
    "k2 for k3",
    "as a weight of the score",
    "k2 for k1",
    "its logarithm",
    "the ratio",
    "γᵗ",
    "a sum for a mean",
    "a mean for a sum",
    "the other sign",
    "the other order",
    "the policy that acts",
    "with the score",
    "with the score of what leads there",
    "weighed by the policy",
    "each step with its own",
    "a mean over rows of what is there",
    "a mean of what is there",
)
"""Kinds of edits in the order in which they are tried; all others come after, and leave something
out.
"""

SCALING = (
    "without the denominator",
    "the others' mean",
    "a mean over rows of sums",
    "a mean over rows of what is there",
    "a sum for a mean",
    "a mean for a sum",
    "a factor less",
)
"""What may mend a wrong scale that an edit leaves."""

ANOTHER_ESTIMATOR = "another estimator"
"""The kind of an edit of what was declared of the advantages."""

EVERY_DRAW = "every draw kept"
"""The kind of an edit of which draws the space keeps."""

SAYS: Mapping[str, str] = MappingProxyType(
    {
        "bootstrapping at the limit": "nothing follows where a time limit cut off",
        "detached": "an unwanted gradient goes through {after}",
        "differentiated": "a gradient is cut off at {before}",
        "without the denominator": "it is divided by what isn't the same in every draw: {before}",
        "the others' mean": "each is part of its own baseline: {before}",
        "a mean over rows of sums": "the mean isn't one over rows of their sums: {before}",
        "a mean over rows of what is there": "padding is averaged, too: {before}",
        "a mean of what is there": "padding is averaged, too: {before}",
        "masked": "padding takes part: {before}",
        "the other way": "a switch the wrong way: {before}",
        "as what it is": "taken for what it isn't: {before}",
        "k2 for k3": "the gradient of k3 is that of KL(ref‖π): {before}",
        "k2 for k1": "the mean of k1 has no gradient: {before}",
        "as a weight of the score": "the penalty isn't scored: {before}",
        "its logarithm": "a probability where its logarithm belongs: {before}",
        "the ratio": "the ratio is missing: {before}",
        "γᵗ": "no γᵗ before what is scored at time t",
        "a sum for a mean": "a mean where a sum belongs: {before}",
        "a mean for a sum": "a sum where a mean belongs: {before}",
        "the other sign": "the wrong sign: {before}",
        "the other order": "the wrong order: {before}",
        "the policy that acts": "what is scored isn't the policy that acts: {before}",
        "with the score": "what is sampled isn't scored: {before}",
        "with the score of what leads there": "what leads there isn't scored: {before}",
        "weighed by the policy": "a sum over actions without their probabilities: {before}",
        "each step with its own": "every step is weighed by what belongs to the others: {before}",
        "a factor less": "a factor too many: {before}",
        "a term less": "a term too many: {before}",
        "without the condition": "a condition: {before}",
        "without the bound": "a bound: {before}",
        "without this line": "a line too many: {before}",
        ANOTHER_ESTIMATOR: "the advantages: {before}",
        EVERY_DRAW: "which draws are kept depends on what is in them: {before}",
    }
)
"""Kind of an edit -> what was wrong if it mends the program."""


def place(edit: Edit) -> tuple[int, int]:
    """When an edit is tried; of denominators the one nearest to the loss first, since earlier ones
    are those of means and deviations.
    """
    number = ORDER.index(edit.kind) if edit.kind in ORDER else len(ORDER)
    return number, -edit.line if edit.kind == "without the denominator" else 0


def said(made: Sequence[Edit]) -> tuple[str, ...]:
    """What was wrong, by the edits that together mend it: one sentence each."""
    return tuple(
        SAYS.get(edit.kind, f"{edit.kind} it would be right: {{before}}").format(
            before=f"`{edit.before}`", after=f"`{edit.before}`"
        )
        for edit in made
    )
