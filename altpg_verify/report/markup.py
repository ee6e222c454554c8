"""Typst markup of a statement, taken apart so that each formula in it can carry an alternative text."""

from __future__ import annotations

import re
from typing import Any

_FORMULA = re.compile(r"(?<!\\)\$((?:\\.|[^$\\])*)\$", re.DOTALL)


def take_apart(markup: str) -> dict[str, Any]:
    """The markup with its n-th formula replaced by a call `#formula(n)`, and the formulas themselves.

    As in Typst, a formula with white space inside both of its dollars is displayed on lines of its own.
    """
    formulas: list[dict[str, Any]] = []

    def note(match: re.Match[str]) -> str:
        source = match[1]
        formulas.append({"source": source.strip(), "alt": spoken(source), "block": source[:1].isspace() and source[-1:].isspace()})
        return f"#formula({len(formulas) - 1});"

    return {"markup": _FORMULA.sub(note, markup), "formulas": formulas}


_SPOKEN = (
    (r"\b(?:bold|upright|cal|bb|op|lr)\(([^()]*)\)", r"\1"),
    (r"\bhat\(([^()]*)\)", r"\1-hat"),
    (r"\bnorm\(([^()]*)\)", r"norm of \1"),
    (r"\bfrac\(([^(),]*), ?([^(),]*)\)", r"(\1)/(\2)"),
    (r"\bdot\.o\b|∘|⊙", "times elementwise"),
    (r"\bsum\b", "sum over"),
    (r"\bnabla\b", "gradient"),
    (r"\^\(?(?:top|TT)\)?|\^⊤", " transposed"),
    (r'[&\\"]', " "),
    (r"\s+", " "),
)


def spoken(source: str) -> str:
    """A formula as a screen reader can say it: its source with the typesetting taken out."""
    for pattern, replacement in _SPOKEN:
        source = re.sub(pattern, replacement, source)
    return source.strip() or "formula"
