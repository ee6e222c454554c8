"""Typst mathematics as MathML: a translator of the subset that the claims and the sympy printer
write.

The grammar is Typst's own (typst-syntax, parser.rs): `_` and `^` bind before `/`, a letter or a
name directly before a bracket takes it along, a fraction and an attachment drop the round brackets
around their operands. What isn't known raises: a formula is shown right or not at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

from altpg_verify.report.html.mathml_names import (
    ACCENTS,
    BLACKBOARD,
    COMBINING,
    ENCLOSING,
    FUNCTIONS,
    LARGE,
    LETTERS,
    OPERATORS,
    SHORTHANDS,
    SPACES,
    STYLES,
    WITH_LIMITS,
    styled,
)
from altpg_verify.report.html.mathml_pieces import CALLS, Node, accented, bare, lines, row


class UntranslatableError(ValueError):
    """No rule says how this piece of Typst mathematics is written in MathML."""


_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<string>\"(?:\\.|[^\"\\])*\")|(?P<name>[A-Za-z]{2,}(?:\.[a-z]+)*)|(?P<number>\d+(?:\.\d+)?)"
    rf"|(?P<line>\\(?=\s|$))|(?P<escape>\\\S)|(?P<shorthand>{'|'.join(map(re.escape, SHORTHANDS))})"
    r"|(?P<letter>[^\W\d_][\u0302\u0303\u0304\u0307]?)|(?P<sign>\S)"
)
_PRIME = '<mo class="prime" lspace="0" rspace="0">′</mo>'
_OPEN, _CLOSE = "([{", ")]}"
_PLAIN_SIGNS = frozenset("+−=<>,;:.|!∞∑∏√∘⊙⊤≤≥≠·⋅∈∉∼≈≡∝±×⇒⇔→←∥‖~°²³∇∂")


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    spaced: bool


def mathml(source: str, alt: str, *, block: bool = False) -> str:
    """The `<math>` element of a Typst formula. Args: alt: what a screen reader without MathML says.

    Raises:
        UntranslatableError: something in the formula has no rule.
    """
    display = ' display="block"' if block else ""
    return f'<math{display} alttext="{escape(alt)}">{_Translator(source).whole()}</math>'


def listing(source: str) -> str | None:
    """The text of a formula that is a block of code, `#raw("...", block: true)`; None if it is
    mathematics.
    """
    match = re.fullmatch(r'\s*#raw\(("(?:\\.|[^"\\])*"), block: true\)\s*', source, re.DOTALL)
    return json.loads(match[1]) if match else None


class _Translator:
    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = list(_tokens(source))
        self.at = 0
        self.style: frozenset[str] = frozenset()

    def whole(self) -> str:
        nodes = self.sequence(lambda token: False)
        return (
            lines(nodes) if any(node.role in ("break", "align") for node in nodes) else row(nodes)
        )

    # the tokens

    def see(self, ahead: int = 0) -> _Token | None:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def take(self) -> _Token:
        token = self.see()
        if token is None:
            raise self.fault("it ends too early")
        self.at += 1
        return token

    def directly(self, text: str) -> bool:
        token = self.see()
        return (
            token is not None and token.text == text and token.kind == "sign" and not token.spaced
        )

    def fault(self, what: str) -> UntranslatableError:
        return UntranslatableError(f"{what}: {self.source!r}")

    @contextmanager
    def styling(self, name: str) -> Iterator[None]:
        before, self.style = self.style, self.style | {name}
        yield
        self.style = before

    # the grammar

    def sequence(self, stop: Callable[[_Token], bool]) -> list[Node]:
        nodes: list[Node] = []
        while (token := self.see()) is not None and not stop(token):
            nodes.append(self.expression(0, nodes[-1] if nodes else None))
        return nodes

    def expression(self, least: int, before: Node | None = None) -> Node:
        """An atom with what hangs on it. Args: least: the weakest operator taken, 1 for `/`, 2 for
        `_` and `^`.
        """
        node, continues = self.atom(before)
        if continues and least < 3 and any(map(self.directly, _OPEN)):
            node = Node(row([node, self.delimited()]))
        while (token := self.see()) is not None:
            if token.kind == "sign" and token.text == "'" and not token.spaced:
                self.take()
                node = self.attached(node, None, _PRIME, prime=True)
            elif token.kind == "sign" and token.text in "_^" and least <= 2:
                node = self.attached(node, *self.marks())
            elif token.kind == "sign" and token.text == "/" and least <= 1:
                self.take()
                below = self.expression(2)
                node = Node(f"<mfrac>{bare(node)}{bare(below)}</mfrac>")
            else:
                break
        return node

    def marks(self) -> tuple[str | None, str | None]:
        found: dict[str, str] = {}
        while (
            (token := self.see()) is not None
            and token.kind == "sign"
            and token.text in "_^"
            and token.text not in found
        ):
            self.take()
            # a further mark belongs to the base, not to what hangs on it
            found[token.text] = bare(self.hanging())
        return found.get("_"), found.get("^")

    def hanging(self) -> Node:
        """What hangs on a base: an atom with its directly following bracket and primes."""
        node, continues = self.atom(None)
        if continues and any(map(self.directly, _OPEN)):
            node = Node(row([node, self.delimited()]))
        while self.directly("'"):
            self.take()
            node = self.attached(node, None, _PRIME, prime=True)
        return node

    def attached(
        self, base: Node, below: str | None, above: str | None, prime: bool = False
    ) -> Node:
        limits = base.limits and not prime
        names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
        name = names[2] if below and above else names[0] if below else names[1]
        return Node(
            f"<{name}>{base.xml}{below or ''}{above or ''}</{name}>",
            base.role if base.role == "function" else "ordinary",
        )

    def delimited(self) -> Node:
        opening = self.take()
        begin = self.at
        nodes = self.sequence(lambda token: token.kind == "sign" and token.text in _CLOSE)
        closing = self.see()
        if closing is None:
            # an unmatched bracket is a sign like any other
            self.at = begin
            return Node(f'<mo stretchy="false">{opening.text}</mo>', "open")
        self.take()
        inner = row(nodes)
        text = f"<mrow><mo>{opening.text}</mo>{inner}<mo>{closing.text}</mo></mrow>"
        return Node(
            text, "bracket", inner=inner if (opening.text, closing.text) == ("(", ")") else None
        )

    def atom(self, before: Node | None) -> tuple[Node, bool]:
        """The next atom, and whether a bracket directly after it belongs to it."""
        token = self.see()
        if token is not None and token.kind == "sign" and token.text in _OPEN:
            return self.delimited(), False
        token = self.take()
        prefix = before is None or before.role in ("operator", "open", "align", "break")
        if token.kind == "name":
            return self.name(token, prefix)
        if token.kind == "letter":
            return self.letter(token.text), True
        if token.kind == "number":
            digits = "".join(styled(digit, self.style) or digit for digit in token.text)
            return Node(f"<mn>{digits}</mn>"), False
        if token.kind == "string":
            return self.words(json.loads(token.text)), True
        if token.kind == "escape":
            return Node(f'<mo stretchy="false">{escape(token.text[1:])}</mo>', "operator"), True
        if token.kind == "line":
            return Node("", "break"), False
        if token.text == "&":
            return Node("", "align"), False
        return self.sign(token, prefix), False

    def letter(self, text: str) -> Node:
        if len(text) == 2:
            return Node(accented(self.letter(text[0]).xml, COMBINING[text[1]]))
        changed = styled(text, self.style)
        upright = (
            "upright" in self.style or not text.isalpha() or (text.isupper() and not text.isascii())
        )
        if changed:
            return Node(f'<mi mathvariant="normal">{changed}</mi>')
        return Node(f'<mi mathvariant="normal">{text}</mi>' if upright else f"<mi>{text}</mi>")

    def words(self, text: str) -> Node:
        kind = (
            ' class="mono"'
            if "mono" in self.style
            else ' class="strong"'
            if "bold" in self.style
            else ""
        )
        # MathML trims white space at the ends
        shown = re.sub(r"^ | $", "\u00a0", escape(text, quote=False))
        return Node(f"<mtext{kind}>{shown}</mtext>")

    def sign(self, token: _Token, prefix: bool) -> Node:
        text = SHORTHANDS.get(token.text, token.text)
        if token.kind != "shorthand" and text not in _PLAIN_SIGNS and text not in _CLOSE:
            raise self.fault(f"no rule for {text!r}")
        if text in "∇∂":
            return self.letter(text)
        if text == "∑":
            return Node("<mo>∑</mo>", "operator", limits=True)
        if text in "∞⊤²³!…∗":
            role = "ordinary" if prefix or text != "∗" else "operator"
            return Node(f"<mi>{text}</mi>" if role == "ordinary" else f"<mo>{text}</mo>", role)
        if text == "|":
            return Node(
                '<mo class="bar" stretchy="false" lspace="0.18em" rspace="0.18em">|</mo>',
                "operator",
            )
        if text in "+−" and prefix:
            return Node(f'<mo form="prefix">{text}</mo>', "operator")
        if text == "." or text in _CLOSE:
            return Node(f'<mo stretchy="false" lspace="0" rspace="0">{text}</mo>', "ordinary")
        return Node(f'<mo stretchy="false">{escape(text)}</mo>', "operator")

    def name(self, token: _Token, prefix: bool) -> tuple[Node, bool]:
        name = token.text
        if self.directly("(") and (
            name in STYLES or name in ACCENTS or name in ENCLOSING or name in CALLS
        ):
            return self.call(name), False
        if name == "prime":
            return Node(_PRIME), False
        if name in LETTERS:
            return self.letter(LETTERS[name]), True
        if name in LARGE:
            return Node(f"<mo>{LARGE[name]}</mo>", "operator", limits=name != "integral"), True
        if name in BLACKBOARD:
            with self.styling("bb"):
                return self.letter(BLACKBOARD[name]), True
        if name in SPACES:
            return Node(f'<mspace width="{SPACES[name]}"/>', "operator"), False
        if name in FUNCTIONS:
            return Node(f"<mi>{FUNCTIONS[name]}</mi>", "function"), True
        if name in WITH_LIMITS:
            return (
                Node(
                    f'<mo movablelimits="true" lspace="0" rspace="0">{name}</mo>',
                    "function",
                    limits=True,
                ),
                True,
            )
        if name in OPERATORS:
            text = OPERATORS[name]
            if (name == "dot" and prefix) or text in "∗d" or (text in "+−" and prefix):
                return Node(f'<mi mathvariant="normal">{text}</mi>'), True
            return Node(f"<mo>{text}</mo>", "operator"), True
        raise self.fault(f"no rule for {name!r}")

    # calls

    def arguments(self) -> tuple[list[list[list[Node]]], dict[str, str]]:
        """Rows (by `;`) of arguments (by `,`), and the named ones."""
        self.take()
        rows: list[list[list[Node]]] = [[]]
        named: dict[str, str] = {}
        while True:
            name, colon = self.see(), self.see(1)
            if name and colon and name.kind == "name" and colon.text == ":" and not colon.spaced:
                self.at += 2
                named[name.text] = self.value()
            else:
                rows[-1].append(
                    self.sequence(lambda token: token.kind == "sign" and token.text in ",;)")
                )
            end = self.take().text
            if end == ")":
                return [line for line in rows if line], named
            if end == ";":
                rows.append([])

    def value(self) -> str:
        text = ""
        while (token := self.see()) is not None and token.text not in (",", ")"):
            text += self.take().text
        return text

    def call(self, name: str) -> Node:
        if name in STYLES:
            with self.styling(name):
                ((nodes,),), _ = self.arguments()
            return nodes[0] if len(nodes) == 1 else Node(row(nodes))
        rows, named = self.arguments()
        if named and not (name == "op" and named == {"limits": "#true"}):
            raise self.fault(f"no rule for the arguments {named} of {name!r}")
        cells = [[row(nodes) for nodes in line] for line in rows]
        if name in ACCENTS:
            return Node(accented(cells[0][0], ACCENTS[name]))
        if name in ENCLOSING:
            left, right = ENCLOSING[name]
            return Node(
                f'<mrow><mo form="prefix">{left}</mo>{cells[0][0]}<mo'
                f' form="postfix">{right}</mo></mrow>'
            )
        return CALLS[name](cells, rows, bool(named))


def _tokens(source: str) -> Iterator[_Token]:
    spaced = False
    for match in _TOKEN.finditer(source):
        kind = str(match.lastgroup)
        if kind == "space":
            spaced = True
            continue
        yield _Token(kind, match[0], spaced)
        spaced = False
