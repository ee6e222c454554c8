"""A law's statement and its cases, written in Unicode for the terminal, as the page has them."""

from __future__ import annotations

import re

_SIGNS = {
    "ĝ": " hat(g) ", "ₐ": "_a ", "²": "^2 ", "π*": "pi^* ", "‖": " || ", "⇒": " quad => quad ", "·": " dot ", "∥": " parallel ",
    "Σ": " sum", "θ": " theta ", "E[": " EE[", "V[": " VV[",
}  # fmt: skip
_WORDS = re.compile(r"\bKL\b|is the same for every b|modulo shifts|finite")
_OPERATORS = frozenset({"KL"})


def statement(formula: str, summary: str) -> dict[str, object]:
    """What the page shows of a law: its formula displayed, and the sentence below it.

    Args:
        formula: in Unicode, as `Law.formula`.
        summary: as `Law.summary`.
    """
    markup = f"#formula(0);\n\n{escaped(summary[:1].upper() + summary[1:])}."
    return {
        "markup": markup,
        "formulas": [{"source": source(formula), "alt": formula, "block": True}],
    }


def source(formula: str) -> str:
    """The formula as Typst mathematics: derivatives as fractions, words upright.

    Examples:
        >>> from altpg_verify.report.own.statements import source
        >>> " ".join(source("E[ĝ] = ∇J").split())
        'EE[ hat(g) ] = ∇J'
    """
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


def readable_case(printed: str) -> str:
    """A case as a reader writes it: 0@1/2|2@1/2, as the command line has it, is 0 or 2 with odds
    1/2 and 1/2.
    """
    printed = re.sub(r"\s{2,}", ", ", printed.strip())
    return re.sub(r"[^\s(),|@]+@[^\s(),|@]+(?:\|[^\s(),|@]+@[^\s(),|@]+)*", _lottery, printed)


def _lottery(found: re.Match[str]) -> str:
    pairs = [one.split("@") for one in found[0].split("|")]
    return (
        f"[{' or '.join(value for value, _ in pairs)} with odds"
        f" {' and '.join(chance for _, chance in pairs)}]"
    )


def gap_formula(recognised: str) -> str:
    """A gap as it was recognised, `-b π   [proved for k = 2]`, as a reader writes it: −b π (proved
    for k = 2).
    """
    formula, _, how = re.sub(r"^-", "−", recognised).partition("   [")
    return f"{formula} ({how.rstrip(']')})" if how else formula
