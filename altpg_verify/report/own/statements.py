"""A law's statement, written in Unicode for the terminal, as mathematics for the page."""

from __future__ import annotations

import re
from typing import Any

_SIGNS = {"ĝ": " hat(g) ", "ₐ": "_a ", "²": "^2 ", "π*": "pi^* ", "‖": " || ", "⇒": " quad => quad ", "·": " dot ", "∥": " parallel ", "θ": " theta "}


def statement(formula: str, says: str) -> dict[str, Any]:
    """What the page shows of a law: its formula displayed, and the sentence below it."""
    markup = f"#formula(0);\n\n{escaped(says[:1].upper() + says[1:])}."
    return {"markup": markup, "formulas": [{"source": source(formula), "alt": formula, "block": True}]}


def source(formula: str) -> str:
    """The formula as Typst mathematics; words of it upright."""
    quoted = []

    def keep(match: re.Match[str]) -> str:
        quoted.append(match[0].strip())
        return f" §{len(quoted) - 1}§ "

    text = re.sub(r"\bKL\b|\bfor every b\b|is the same for every b|modulo shifts|finite", keep, formula)
    text = re.sub(r"(?<=[ /(])d(?=[α ])", "dif ", text)
    for sign, written in _SIGNS.items():
        text = text.replace(sign, written)
    return re.sub(r"§(\d+)§", lambda match: f'op("{quoted[int(match[1])]}")' if quoted[int(match[1])] == "KL" else f'" {quoted[int(match[1])]} "', text)


def escaped(text: str) -> str:
    """Plain text as Typst markup that shows it letter by letter."""
    return re.sub(r"([\\#$*_`<>@=\-+/~\[\]])", r"\\\1", text)
