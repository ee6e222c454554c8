"""A law's statement, written in Unicode for the terminal, as mathematics for the page."""

from __future__ import annotations

import re
from typing import Any

_SIGNS = {
    "ĝ": " hat(g) ", "ₐ": "_a ", "²": "^2 ", "π*": "pi^* ", "‖": " || ", "⇒": " quad => quad ", "·": " dot ", "∥": " parallel ",
    "Σ": " sum", "θ": " theta ", "E[": " EE[", "V[": " VV[",
}  # fmt: skip
_WORDS = re.compile(r"\bKL\b|is the same for every b|modulo shifts|finite")
_OPERATORS = frozenset({"KL"})


def statement(formula: str, says: str) -> dict[str, Any]:
    """What the page shows of a law: its formula displayed, and the sentence below it."""
    markup = f"#formula(0);\n\n{escaped(says[:1].upper() + says[1:])}."
    return {"markup": markup, "formulas": [{"source": source(formula), "alt": formula, "block": True}]}


def source(formula: str) -> str:
    """The formula as Typst mathematics: derivatives as fractions, words upright."""
    upright: list[str] = []

    def keep(match: re.Match[str]) -> str:
        upright.append(f'op("{match[0]}")' if match[0] in _OPERATORS else f'" {match[0]} "')
        return f" §{len(upright) - 1}§"

    text = re.sub(r"∂([^\s/]+)/∂([^\s,]+)", r"frac(∂ \1, ∂ \2)", formula)
    text = re.sub(r"d (KL\([^)]*\))/d(\w)", r"frac(dif \1, dif \2)", text)
    text = _WORDS.sub(keep, text)
    for sign, written in _SIGNS.items():
        text = text.replace(sign, written)
    return re.sub(r"§(\d+)§", lambda match: upright[int(match[1])], text)


def escaped(text: str) -> str:
    """Plain text as Typst markup that shows it letter by letter."""
    return re.sub(r"([\\#$*_`<>@=\-+/~\[\]])", r"\\\1", text)
