"""What an expected update can be beside its target: the kinds of verdict, and the factor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from altpg_verify.audit.numbers import say, say_interval


class Kind(Enum):
    """What an update is, relative to the objective it is meant to ascend.

    Examples:
        >>> from altpg_verify.audit import Kind
        >>> str(Kind.NOT_A_GRADIENT), Kind.NOT_A_GRADIENT.follows
        ('not a gradient', False)
    """

    UNBIASED = "unbiased"
    SCALED = "scaled"
    ZERO = "zero"
    REVERSED = "reversed"
    OTHER_OBJECTIVE = "other objective"
    NOT_A_GRADIENT = "not a gradient"
    BIASED = "biased"
    UNDECIDED = "undecided"

    @property
    def meaning(self) -> str:
        """The same as the beginning of a sentence."""
        return _MEANING[self]

    @property
    def follows(self) -> bool | None:
        """Whether such an update follows its target; None if that isn't decided."""
        return None if self is Kind.UNDECIDED else self is Kind.UNBIASED

    def __str__(self) -> str:
        return self.value


_MEANING = {
    Kind.UNBIASED: "the expected update is the gradient of the target",
    Kind.SCALED: "right direction, wrong scale",
    Kind.ZERO: "the expected update is zero: nothing is learned",
    Kind.REVERSED: "the expected update points downhill",
    Kind.OTHER_OBJECTIVE: "biased for the target, but the exact gradient of another objective",
    Kind.NOT_A_GRADIENT: "biased, and not a gradient field",
    Kind.BIASED: "biased; it may be the gradient of something that was not recognised",
    Kind.UNDECIDED: "not decided",
}


@dataclass(frozen=True)
class Scale:
    """How much longer than the target's gradient the expected update is.

    Args:
        factors: at the point of the audit, for each part ("" for everything, else "prompt 0", ...).
        constant: the same at every policy tried, and for every part.
        formula: what the factor is in general, if that was recognised.
        intervals: for sampled verdicts, between which numbers each factor lies, at the verdict's
            error rate.
        alone: what must be as it is for a constant factor to be this one ("other rewards" give
            another); empty if that makes no difference.
    """

    factors: Mapping[str, Any]
    constant: bool
    formula: str = ""
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    alone: str = ""

    def __str__(self) -> str:
        if self.intervals:
            return "c in " + ", ".join(
                f"{say_interval(ends)}{f' for {name}' if name else ''}"
                for name, ends in self.intervals.items()
            )
        parts = ", ".join(
            f"{factor_text(value)} for {name}" if name else factor_text(value)
            for name, value in self.factors.items()
        )
        varies = "" if self.constant else ", and it changes with the policy"
        varies += f" here, and with {self.alone} it isn't that" if self.alone else ""
        return f"{parts}{f' = {self.formula}' if self.formula else ''}{varies}"


def factor_text(value: Any) -> str:
    """A factor; one that isn't 1 isn't written as 1."""
    said = say(value)
    if said not in ("1", "-1") or value == float(said):
        return said
    return f"{said} {'+' if value > float(said) else '-'} {abs(value - float(said)):.1g}"


def bracketed(formula: str) -> str:
    """A formula, in brackets if it is a sum or negative."""
    return (
        f"({formula})"
        if " + " in formula or " - " in formula or formula.startswith("-")
        else formula
    )


def small(number: float) -> str:
    """A number; what is rounding is 0."""
    return "0" if abs(number) < 1e-9 else say(number)
