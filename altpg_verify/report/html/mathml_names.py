"""What the names and characters of Typst mathematics are in MathML: the part of Typst that the
report uses, and no more.
"""

from __future__ import annotations

from altpg_verify.report.typst_names import GREEK

VARIANTS = {"epsilon.alt": "ϵ", "theta.alt": "ϑ", "phi.alt": "ϕ"}
"""Second forms of Greek letters."""

LETTERS = {
    **GREEK,
    **VARIANTS,
    "partial": "∂",
    "ell": "ℓ",
    "nabla": "∇",
    "infinity": "∞",
    "oo": "∞",
    "emptyset": "∅",
    "top": "⊤",
}
"""Names that stand for one letter or ordinary sign."""

OPERATORS = {
    "dot": "⋅", "dot.o": "⊙", "times": "×", "in": "∈", "in.not": "∉", "tilde": "∼", "equiv": "≡", "approx": "≈", "prop": "∝",
    "dots.c": "⋯", "parallel": "∥", "and": "∧", "or": "∨", "not": "¬", "plus": "+", "minus": "−", "ast": "∗", "dif": "d",
}  # fmt: skip
"""Names of signs that stand between or before things."""

LARGE = {"sum": "∑", "product": "∏", "integral": "∫"}

SHORTHANDS = {
    "<=>": "⇔", "...": "…", "<=": "≤", ">=": "≥", "!=": "≠", ":=": "≔", "=:": "≕", "=>": "⇒", "->": "→", "<-": "←", "||": "∥",
    "-": "−", "*": "∗",
}  # fmt: skip
"""Typst's spellings of signs, the longer ones first."""

FUNCTIONS = {
    name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "log", "exp", "tr")
} | {"Re": "ℜ", "Im": "ℑ"}
WITH_LIMITS = frozenset({"lim", "max", "min", "sup", "inf"})
BLACKBOARD = {name: name[0] for name in ("EE", "VV", "PP", "RR", "ZZ", "NN", "II")}
SPACES = {"space": "0.25em", "thin": "0.17em", "quad": "1em"}
ACCENTS = {"hat": "^", "overline": "‾", "tilde": "~", "dot": "˙"}
COMBINING = {"\u0302": "^", "\u0303": "~", "\u0304": "‾", "\u0307": "˙"}
STYLES = frozenset({"bold", "upright", "cal", "bb", "mono"})
ENCLOSING = {"abs": ("|", "|"), "norm": ("‖", "‖"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉")}

_SCRIPT = dict(zip("BEFHILMReg", "ℬℰℱℋℐℒℳℛℯℊ", strict=True)) | {"o": "ℴ"}
# in Unicode's order of the bold ones
_BOLD_VARIANTS = "ϵϑϰϕ"
_DOUBLE = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))


def styled(letter: str, style: frozenset[str]) -> str | None:
    """The Unicode character of a letter or digit in a style, None if the style doesn't change the
    character.
    """
    if "cal" in style and letter.isascii() and letter.isalpha():
        return _SCRIPT.get(letter) or _latin(letter, 0x1D49C, 0x1D4B6)
    if "bb" in style and letter.isascii() and letter.isalnum():
        return _DOUBLE.get(letter) or _latin(letter, 0x1D538, 0x1D552, 0x1D7D8)
    if "mono" in style and letter.isascii() and letter.isalnum():
        return _latin(letter, 0x1D670, 0x1D68A, 0x1D7F6)
    if "bold" in style:
        return _bold(letter, upright="upright" in style)
    return None


def _bold(letter: str, *, upright: bool) -> str | None:
    if letter.isascii() and letter.isalnum():
        return _latin(letter, *((0x1D400, 0x1D41A) if upright else (0x1D468, 0x1D482)), 0x1D7CE)
    if "α" <= letter <= "ω":
        return chr((0x1D6C2 if upright else 0x1D736) + ord(letter) - ord("α"))
    if "Α" <= letter <= "Ω":
        return chr(0x1D6A8 + ord(letter) - ord("Α"))
    if letter in _BOLD_VARIANTS:
        return chr((0x1D6DC if upright else 0x1D750) + _BOLD_VARIANTS.index(letter))
    if letter == "∇":
        return "𝛁"
    return None


def _latin(letter: str, upper: int, lower: int, digit: int = 0) -> str:
    if letter.isdigit():
        return chr(digit + int(letter))
    return (
        chr(upper + ord(letter) - ord("A"))
        if letter.isupper()
        else chr(lower + ord(letter) - ord("a"))
    )
