"""Typst markup of a statement, taken apart so that each formula in it can carry an alternative
text.
"""

from __future__ import annotations

import re
from typing import Any

from altpg_verify.report.typst_names import GREEK

_FORMULA = re.compile(r"(?<!\\)\$((?:\\.|[^$\\])*)\$", re.DOTALL)


def take_apart(markup: str) -> dict[str, object]:
    """The markup with its n-th formula replaced by a call `#formula(n)`, and the formulas
    themselves.

    As in Typst, a formula with white space inside both of its dollars is displayed on lines of its
    own.

    Examples:
        >>> from altpg_verify.report.markup import take_apart
        >>> found = take_apart("with $b > 0$")
        >>> found["markup"], found["formulas"][0]["source"]
        ('with #formula(0);', 'b > 0')
    """
    formulas: list[dict[str, object]] = []

    def note(match: re.Match[str]) -> str:
        source = match[1]
        formulas.append(
            {
                "source": source.strip(),
                "alt": spoken(source),
                "block": source[:1].isspace() and source[-1:].isspace(),
            }
        )
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


_WORDS = (
    *("max", "min", "old", "ent", "best", "new", "next", "timeout", "KL", "ALT", "REG"),
    *("PPO", "TRPO"),
)
"""Words that stand below a letter."""
_SUBSCRIPT = rf"(?:[^\W\d_]|\d|{'|'.join(_WORDS)}|pi|dc|ji|ij|A)(?![A-Za-z\d])"
_EXPONENT = r"[\w\s/+−*⁄-]{1,24}"
_MARKED = re.compile(
    r"(?<![\w^\\])"  # one letter, not the end of a word
    rf"(?:(?P<base>e|\d+(?:\.\d+)?)\^(?P<exponent>[-−]?\d+(?:/\d+)?|[-−][^\W\d_](?!\w)|\({_EXPONENT}\)|[^\W\d_](?:_[^\W\d_])?(?![A-Za-z]))"
    r"|(?<=[)\]|])(?P<after>[_^](?:\{[^{}]{1,12}\}|\([\w\s+−-]{1,12}\)|[^\W_](?![A-Za-z\d])))"
    r"|(?P<mantissa>\d+(?:\.\d+)?)e(?P<power>[-−+]\d+)(?!\w)"
    r"|(?P<word>log|rest)_?(?P<index>(?<=_)[^\W\d_](?![A-Za-z\d])|(?<=log)2(?!\w))"
    r"|(?P<letter>sum|prod|∇|[^\W\d_]̂?)"
    rf"(?P<marks>(?:\*(?=_))?(?:['′](?![a-z])|_\{{[^{{}}]{{1,12}}\}}|_{_SUBSCRIPT}"
    r"|\^(?:[^\W\d_](?:_[^\W\d_])?(?![A-Za-z])|\d|\*|\([\w\s+−-]{1,8}\))"
    r"|[²³])+))"
)
_EXPONENTIAL = re.compile(rf"(?<!\w)e\^(?=\((?!{_EXPONENT}\)))")
_MARK = re.compile(
    rf"([_^]?)(\([^)]*\)|\{{[^}}]*\}}|['′]|\w_\w|{'|'.join(_WORDS)}|pi|dc|ji|ij|\*|\w)"
)
_MINUS = re.compile(r"(?:(?<=\b\w)|(?<=_\w)|(?<=[\])}ᵀ²])) - (?=\w\b|\w_|[({\[Σ])")
_LETTERS = {"∇": "nabla", "Σ": "sum", "Π": "product", "∏": "product", "∑": "sum", "prod": "product"}
_SIGNS = (("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("<->", "↔"), ("->", "→"), ("...", "…"))
"""How comparisons and arrows are typed, and how they are printed."""


# no text means these letters, and one is an English word
_GREEK = {
    name: letter
    for name, letter in GREEK.items()
    if name.islower() and name not in ("iota", "omicron", "upsilon")
}
_GREEK_WORD = re.compile(rf"(?<![\w.])({'|'.join(_GREEK)})(?![A-Za-z]|_\w+_|_[a-z]{{4,}})")
# a name of code, as in pi_star_interior, stays what it is


def greek(text: str) -> str:
    """Greek letters for their names where these stand alone: pi* is π*, theta_a is θ_a."""
    return _GREEK_WORD.sub(lambda match: _GREEK[match[1]], text)


def sentence(text: str) -> str:
    """The text with a full stop, and with a capital unless it begins with a symbol (π(a) stays,
    v(s3) too).
    """
    text = text.strip()
    first = re.match(r"(?:[a-z]{2,}|a)(?=[ ,:;'-])", text)
    if first and first[0] not in _GREEK:
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")


def words(text: str) -> list[Any]:
    """Plain text as runs: letters with marks (π_a, σ_c², θ'_j, Σ_c) and powers (10^-12) as small
    formulas, all else as it is.

    Examples:
        >>> from altpg_verify.report.markup import words
        >>> [run if isinstance(run, str) else run["source"] for run in words("E of pi_a is 10^-12")]
        ['E of ', 'π_(a)', ' is ', '10^(-12)']
    """
    # Greek letters first: marks are looked for behind single letters
    text = exponentials(_MINUS.sub(" − ", greek(text)))
    for typed, printed in _SIGNS:
        text = text.replace(typed, printed)
    runs: list[Any] = []
    end = 0
    for match in _MARKED.finditer(text):
        runs += [text[end : match.start()], {"source": _source(match), "alt": match[0]}]
        end = match.end()
    return [run for run in (*runs, text[end:]) if run != ""]


def exponentials(text: str) -> str:
    """The text with exp(...) for each e^(...) whose exponent has letters with marks or brackets of
    its own.
    """
    return _EXPONENTIAL.sub("exp", text)


def _source(match: re.Match[str]) -> str:
    """Typst mathematics for what `_MARKED` found."""
    if match["base"]:
        return f"{match['base']}^({_factors(match['exponent'].replace('−', '-').strip('()'))})"
    if match["after"]:
        # the bracket before it stays with the words
        return f'""{_mark(*_MARK.findall(match["after"])[0])}'
    if match["mantissa"]:
        ten = f"10^({int(match['power'].replace('−', '-'))})"
        return ten if match["mantissa"] == "1" else f"{match['mantissa']} dot {ten}"
    if match["word"]:
        return f'op("{match["word"]}")_({match["index"]})'
    return _LETTERS.get(match["letter"], match["letter"]) + "".join(
        _mark(*mark) for mark in _MARK.findall(match["marks"])
    )


def _mark(sign: str, body: str) -> str:
    if body == "*":
        return "^ast"
    if body in "'′":
        return "'"
    if not sign:
        return f"^({'²³'.index(body) + 2})"
    return f"{sign}({_factors(body.strip('(){}'))})"


_NAMED = {"pi": "π", "dc": "d c", "ji": "j i", "ij": "i j"}


def _factors(inside: str) -> str:
    """Letters side by side are factors, not a name; a word, of three Latin letters or more or in
    capitals, is set upright.
    """
    inside = inside.strip()
    if inside in _NAMED:
        return _NAMED[inside]
    return re.sub(
        r"[A-Za-z]{3,}|[A-Z]{2,}|(?<=[^\W\d])(?=[^\W\d])",
        lambda found: f'"{found[0]}"' if found[0] else " ",
        inside,
    )
