"""Mathematics is written as the field writes it: no line of code stands in a statement, a
derivation or the words around them.
"""

from __future__ import annotations

import ast
import re

import pytest

from altpg_verify.report.content import Steps
from altpg_verify.report.html.inline import statement, words
from altpg_verify.report.markup import take_apart
from altpg_verify.theory.claims import CLAIMS
from tests.report.notation import PRIVATE, code
from tests.report.sample import ROOT

PAGES = (
    "README.md",
    "ARCHITECTURE.md",
    *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md")),
)

LINES = {"note": 0, "equal": 0, "at_least": 0, "greater": 0, "attach": 1, "Proof": 0}
"""What writes a line of a derivation, and which of its arguments has the words."""


def literal(node: ast.expr) -> str:
    """The words of a string, with x for what an f-string puts in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "x"


def lines_of_derivations() -> list[str]:
    """The words of every line that a derivation of the package may print, read off its sources."""
    found = []
    for path in sorted((ROOT / "theory").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = (
                    node.func.attr
                    if isinstance(node.func, ast.Attribute)
                    else getattr(node.func, "id", "")
                )
                found += [literal(word) for word in node.args[LINES[name] :][:2] if isinstance(word, ast.Constant | ast.JoinedStr)] if (
                    name in LINES
                ) else []  # fmt: skip
    return found


@pytest.mark.parametrize(
    "written",
    [
        "<p>Let above_j = r_j.</p>",
        "<td>1e-09</td>",
        "<p>10^-12</p>",
        "<p>a <= b</p>".replace("<=", "&lt;="),
        "<p>x**2</p>",
        "<p>alpha * gap</p>",
        "<p>sum(pi)</p>",
        "<p>θ'_j</p>",
        "<p>Decided by balls, it is still owed.</p>".lower(),
        "<math><mtext>kappa'</mtext></math>",
        "<math><mi>dist</mi></math>",
    ],
)
def test_the_scan_finds_code(written):
    assert list(code(written))


def test_the_scan_leaves_programs_and_formulas_alone():
    shown = (
        "<pre>a_j <= x**2</pre><p>π* is <code>pi_star</code>,"
        " <math><msub><mi>r</mi><mi>j</mi></msub></math></p>"
    )
    assert list(code(shown.replace("<=", "&lt;="))) == []


@pytest.mark.thorough
def test_no_code_in_the_claims():
    shown = [
        statement(take_apart(text))
        for claim in CLAIMS
        for text in (claim.statement, *claim.given, claim.adds)
    ]
    assert [found for text in shown for found in code(text)] == []


@pytest.mark.thorough
def test_no_code_in_the_words_of_derivations():
    lines = lines_of_derivations()
    assert len(lines) > 1000
    assert [found for line in lines for found in code(f"<p>{words_of(line)}</p>")] == []


def words_of(line: str) -> str:
    from altpg_verify.report.markup import words as runs

    return words(runs(line))


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "ARCHITECTURE.md",
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md")),
    ],
)
def test_the_pages_have_the_words_of_the_field(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [found[0] for pattern in PRIVATE.values() for found in re.finditer(pattern, text)] == []


@pytest.mark.slow
def test_no_step_of_a_derivation_is_printed_twice():
    from altpg_verify.theory.proving.certificate_store import derivations

    printed = Steps()
    lines = [
        line for claims, proof in derivations() for line in printed.lines(proof.steps, claims[0])
    ]
    steps = [(str(line["text"]), str(line["formula"])) for line in lines if "number" in line]
    assert len(steps) == len(set(steps)) > 900
