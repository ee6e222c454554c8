"""Statements as plain text, for a terminal: formulas as Unicode holds them, on one line.

A formula goes through Typst to MathML, as in the HTML report, and its elements are written out: π_a²
for a letter with marks, (r − b)/2 for a fraction, ĝ for an accent. So there is one grammar, and what
it doesn't know isn't shown wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from altpg_verify.report.html.mathml import UntranslatableError, listing, mathml
from altpg_verify.report.markup import take_apart

_ABOVE = dict(zip("0123456789+−()nit", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵗ", strict=True)) | {
    "⊤": "ᵀ",
    "∗": "*",
    "′": "′",
}
_BELOW = dict(zip("0123456789+−()aeijkmnrtx", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₐₑᵢⱼₖₘₙᵣₜₓ", strict=True))
_VARIATIONS = "\ufe00\ufe01"
"""Selectors of a script letter's form."""
_SPACED = frozenset("=≠≤≥<>∈∉∼≈≡∝⇒⇔→←≔≕±×∧∨∥+−")


def statement(markup: str) -> str:
    """A claim's statement on one line; a formula that can't be written out stays as it is in the
    source.

    Args:
        markup: Typst, with mathematics between dollar signs.

    Examples:
        >>> from altpg_verify.report.plain import statement
        >>> statement("the mean of $r_1$ and $r_2$ is $frac(r_1 + r_2, 2)$")
        'the mean of r₁ and r₂ is (r₁ + r₂)/2'
    """
    return spelled(take_apart(markup))


def spelled(parts: Any) -> str:
    """The same of what the report's mapping holds: a statement taken apart, or runs of text and
    small formulas.
    """
    if isinstance(parts, str):
        return parts
    if not isinstance(parts, Mapping):
        return "".join(run if isinstance(run, str) else formula(run["source"]) for run in parts)

    def put_back(found: re.Match[str]) -> str:
        return formula(parts["formulas"][int(found[1])]["source"])

    # a formula with a paragraph of words below it is a sentence of its own
    markup = re.sub(r"^(#formula\(0\);)\n\n(?=\w)", r"\1. ", parts["markup"])
    text = re.sub(
        r"#formula\((\d+)\);", put_back, re.sub(r"(?<!\w)[_*]([^_*]+)[_*](?!\w)", r"\1", markup)
    )
    return " ".join(re.sub(r"\\(\S)", r"\1", text).split())


def formula(source: str) -> str:
    """A formula in Typst's notation as one line of Unicode; what MathML can't hold stays as it is."""
    code = listing(source)
    if code is not None:
        return code
    try:
        tree = ElementTree.fromstring(mathml(source, ""))
    except UntranslatableError:
        return source
    return " ".join(_text(tree).split())


def _text(node: ElementTree.Element) -> str:
    children = list(node)
    match node.tag:
        case "mi" | "mn":
            return _letter(node.text or "")
        case "mtext":
            return _letter(node.text or "")
        case "mo":
            return _sign(node)
        case "mspace":
            return " "
        case "mfrac":
            above, below = map(_text, children)
            return f"{_grouped(above)}/{_grouped(below)}"
        case "msqrt":
            return f"√({''.join(map(_text, children))})"
        case "mroot":
            return f"({_text(children[0])})^(1/{_grouped(_text(children[1]))})"
        case "mover" if node.get("accent"):
            base, accent = _text(children[0]), (children[1].text or "").strip()
            # on a longer base the accent would stand on its last letter
            return (
                unicodedata.normalize("NFC", base + accent) if len(base) == 1 else f"{base}{accent}"
            )
        case "msub" | "munder":
            return _text(children[0]) + _mark(_text(children[1]), _BELOW, "_")
        case "msup" | "mover":
            return _text(children[0]) + _mark(_text(children[1]), _ABOVE, "^")
        case "msubsup" | "munderover":
            base, below, above = map(_text, children)
            return base + _mark(below, _BELOW, "_") + _mark(above, _ABOVE, "^")
        case "mtable":
            return "; ".join(_text(row) for row in children)
        case "mtr":
            return (
                ", ".join(filter(None, map(_text, children)))
                if _is_matrix(node)
                else " ".join(map(_text, children))
            )
        case _:
            return _side_by_side(children)


def _is_matrix(row: ElementTree.Element) -> bool:
    """Whether its cells are entries, rather than the halves of an equation."""
    return not any(_text(cell).lstrip()[:1] in _SPACED for cell in list(row)[1:])


def _side_by_side(children: list[ElementTree.Element]) -> str:
    """Factors are parted by a space, so that they don't read as a name."""
    text = ""
    for child in children:
        # a sign that nothing stands before belongs to what follows
        piece = _text(child)
        piece = piece if text or not _is_sign(child) else piece.strip()
        # a function's argument and what a bracket holds stand close
        apart = (
            bool(text)
            and (not _is_sign(child) or piece in "∇∂¬∀∃√")
            and piece[:1] not in "([)]} ,/"
            and text[-1:] not in "([{|‖∇∂ ⌊⌈√/·."
        )
        apart = apart and not (text[-1:] == "−" and not text[:-1].strip())
        text += (" " if apart else "") + piece
    return text


def _is_sign(node: ElementTree.Element) -> bool:
    return node.tag == "mo" and not (node.text or "").isalpha()


def _sign(node: ElementTree.Element) -> str:
    sign = node.text or ""
    if node.get("form") in ("prefix", "postfix"):
        return sign
    if sign in _SPACED:
        return f" {sign} "
    if sign in ",;":
        return f"{sign} "
    # Typst spaces the bar of a condition and leaves those of an absolute value to the reader
    bar = " | " if node.get("lspace") else "|"
    return {"⊙": " ∘ ", "⋅": "·", "∥": "‖", "|": bar}.get(sign, sign)


def _letter(text: str) -> str:
    """Without the bold, script and double-struck forms, which many terminals lack; an expectation
    stays 𝔼 → E.
    """
    return "".join(
        {"⋯": "…", "²": "²", "³": "³"}.get(one) or unicodedata.normalize("NFKC", one)
        for one in text
        if one not in _VARIATIONS
    )


def _mark(text: str, small: dict[str, str], sign: str) -> str:
    text = text.strip()
    compact = text.replace(" ", "")
    # Unicode has few small letters, and a long row of them is hard to read
    if compact and len(compact) <= 3 and all(one in small for one in compact):
        return "".join(small[one] for one in compact)
    return f"{sign}{_grouped(text)}"


def _grouped(text: str) -> str:
    """In brackets, unless it is one letter, number, name or bracketed already."""
    text = text.strip()
    if re.fullmatch(r"[\w′̂*]+|\d+(?:\.\d+)?", text) or _is_bracketed(text):
        return text
    return f"({text})"


def _is_bracketed(text: str) -> bool:
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for place, one in enumerate(text):
        depth += (one == "(") - (one == ")")
        if depth == 0 and place < len(text) - 1:
            return False
    return True
