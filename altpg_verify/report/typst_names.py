"""Names as a reader writes them: theta_a, pi^*, sigma_c2, Z_rest, thetahat become Typst
mathematics.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

GREEK: Mapping[str, str] = dict(
    zip(
        [
            *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"),
            *("kappa", "lambda", "mu", "nu", "xi", "omicron"),
            *("pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
            *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi"),
            *("Psi", "Omega"),
        ],
        "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)
"""Letters by the names that Typst mathematics knows them by."""

ALIASES = {
    "lamda": "lambda",
    "varepsilon": "epsilon.alt",
    "vartheta": "theta.alt",
    "varphi": "phi.alt",
    "ell": "ell",
    "star": "ast",
}
"""Other names of letters and signs, with Typst's."""

_ACCENTS = {"hat": "hat", "bar": "macron", "tilde": "tilde", "dot": "dot", "vec": "bold"}
_SIGNS = {"*": "ast", "+": "plus", "-": "minus", "'": "prime"}


@dataclass(frozen=True)
class Name:
    """A symbol taken apart: its letter and its marks, each as Typst mathematics.

    Args:
        letter: with its accents.
        subscripts, superscripts: in the order they are written.
    """

    letter: str
    subscripts: tuple[str, ...] = ()
    superscripts: tuple[str, ...] = ()

    def typeset(self, indices: tuple[str, ...] = (), power: str = "") -> str:
        """The symbol with further indices; a power goes beside the subscripts unless the symbol has
        superscripts of its own.

        Args:
            indices: Typst mathematics, put behind the symbol's own subscripts.
            power: Typst mathematics; none if empty.
        """
        text = self.letter
        if self.subscripts or indices:
            text += f"_({', '.join((*self.subscripts, *indices))})"
        if self.superscripts:
            text += f"^({' '.join(self.superscripts)})"
        if power:
            text = f"({text})^({power})" if self.superscripts else f"{text}^({power})"
        return text


def parse(name: str) -> Name:
    """Take a sympy name apart: `_` starts a subscript, `^` a superscript, digits at the end are a
    subscript.

    Examples:
        >>> from altpg_verify.report.typst_names import parse
        >>> parse("theta_a").typeset(), parse("r12").typeset(), parse("pi*").typeset(power="2")
        ('theta_(a)', 'r_(12)', '(pi^(ast))^(2)')
    """
    head, *marks = re.split(r"(_|\^)", name)
    superscripts = [
        piece(text)
        for sign, text in zip(marks[::2], marks[1::2], strict=True)
        if sign == "^" and text
    ]
    subscripts = [
        piece(text)
        for sign, text in zip(marks[::2], marks[1::2], strict=True)
        if sign == "_" and text
    ]
    # r12 is r with an index, while a word such as step2 stays a word
    digits = re.fullmatch(r"(.*?[^\d])(\d+)", head)
    if digits and _is_letter(digits[1]):
        head, subscripts = digits[1], [digits[2], *subscripts]
    for sign in "*'":
        if head.endswith(sign) and len(head) > 1:
            head, superscripts = head[:-1], [_SIGNS[sign], *superscripts]
    return Name(piece(head), tuple(subscripts), tuple(superscripts))


def piece(text: str) -> str:
    """One letter, number or word: Greek by name, accents by their usual endings, anything longer as
    upright text: theta, hat(g) for ghat, "old".
    """
    if text in _SIGNS:
        return _SIGNS[text]
    if text in ALIASES:
        return ALIASES[text]
    if text in GREEK or text.isdigit() or (len(text) == 1 and text.isalpha()):
        return text
    for ending, accent in _ACCENTS.items():
        stem = text.removesuffix(ending)
        if stem != text and _is_letter(stem):
            return f"{accent}({piece(stem)})"
    return quoted(text)


def quoted(text: str) -> str:
    """Upright text inside mathematics, safe for any characters."""
    return json.dumps(text, ensure_ascii=False)


def _is_letter(text: str) -> bool:
    return text in GREEK or text in ALIASES or (len(text) == 1 and text.isalpha())
