"""The translator to MathML: golden pieces, Typst's precedences, every formula of the claims and of
the printer, and what it refuses.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from altpg_verify.report.html.mathml import UntranslatableError, listing, mathml
from altpg_verify.report.markup import take_apart, words
from altpg_verify.report.typst_lines import forms
from altpg_verify.report.typst_names import ALIASES, GREEK, parse
from altpg_verify.theory.claims import CLAIMS
from tests.report.test_typst_math import GOLDEN as PRINTED

GOLDEN = [
    ("x", "<mi>x</mi>"),
    ("12.5", "<mn>12.5</mn>"),
    ("bold(pi)", '<mi mathvariant="normal">𝝅</mi>'),
    ("bold(phi.alt)", '<mi mathvariant="normal">𝝓</mi>'),
    ("phi.alt", "<mi>ϕ</mi>"),
    ("bold(1)", "<mn>𝟏</mn>"),
    ("cal(J)", '<mi mathvariant="normal">𝒥</mi>'),
    ("Gamma", '<mi mathvariant="normal">Γ</mi>'),
    ("EE", '<mi mathvariant="normal">𝔼</mi>'),
    ("x_1", "<msub><mi>x</mi><mn>1</mn></msub>"),
    ("x_a^2", "<msubsup><mi>x</mi><mi>a</mi><mn>2</mn></msubsup>"),
    ("x^2_a", "<msubsup><mi>x</mi><mi>a</mi><mn>2</mn></msubsup>"),
    ("e^(a b)", "<msup><mi>e</mi><mrow><mi>a</mi><mi>b</mi></mrow></msup>"),
    ("a/b", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
    ("(a) / (b)", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
    (
        "a_1/b^2",
        "<mfrac><msub><mi>a</mi><mn>1</mn></msub><msup><mi>b</mi><mn>2</mn></msup></mfrac>",
    ),
    ("a/b/c", "<mfrac><mfrac><mi>a</mi><mi>b</mi></mfrac><mi>c</mi></mfrac>"),
    ("hat(pi)", '<mover accent="true"><mi>π</mi><mo stretchy="false">^</mo></mover>'),
    ("π\u0302", '<mover accent="true"><mi>π</mi><mo stretchy="false">^</mo></mover>'),
    ('"diag"', "<mtext>diag</mtext>"),
    ('"if "', "<mtext>if\u00a0</mtext>"),
    ("sum_a^k", "<munderover><mo>∑</mo><mi>a</mi><mi>k</mi></munderover>"),
    ("integral_0^1", "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>"),
    ("-x", '<mrow><mo form="prefix">−</mo><mi>x</mi></mrow>'),
    ("sqrt(x)", "<msqrt><mi>x</mi></msqrt>"),
    ("root(3, x)", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
]


def inside(source: str) -> str:
    return mathml(source, "").removeprefix('<math alttext="">').removesuffix("</math>")


@pytest.mark.parametrize(("source", "xml"), GOLDEN, ids=lambda value: value[:24])
def test_golden(source, xml):
    assert inside(source) == xml


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("f(x)/2", "(f(x)) / 2"),
        ("pi(a)/2", "(pi(a)) / 2"),
        ("x_pi(a)", "x_(pi(a))"),
        ("nabla_bold(w) x", "nabla_(bold(w)) x"),
        ("e^f(x)", "e^(f(x))"),
        ("sum _a", "sum_a"),
        ("1 / alpha log x", "frac(1, alpha) log x"),
        ("x <= y", "x ≤ y"),
    ],
)
def test_what_binds_as_in_typst(source, same):
    assert inside(source) == inside(same)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f (x)/2", "f(x)/2"),
        ("x_pi (a)", "x_pi(a)"),
        ("(a)(b)", "(a b)"),
        ("d", "d'"),
        ("x", "bold(x)"),
    ],
)
def test_what_must_differ(one, other):
    assert inside(one) != inside(other)


def test_a_bracket_may_be_closed_by_another():
    assert inside("[0, 1)").startswith("<mrow><mo>[</mo>")
    assert inside("lr([ 0, infinity ))").endswith("<mo>)</mo></mrow>")
    assert 'stretchy="false">(' in inside("(x")


def test_lines_become_rows():
    xml = mathml(r"& x \ & quad = y \ & quad + z", "x", block=True)
    assert xml.count("<mtr>") == xml.count("<mtd>") == 3
    assert 'display="block"' in xml


def test_the_alternative_text_is_kept_and_escaped():
    assert ElementTree.fromstring(mathml("x", 'a < "b" & c')).get("alttext") == 'a < "b" & c'


@pytest.mark.parametrize(
    "source",
    ["unheardof", "wide(x)", "#panic()", "x @ y", 'mat(delim: "[", 1)', "√(x) ☃", "alpha.very.odd"],
)
def test_what_has_no_rule_raises(source):
    with pytest.raises(UntranslatableError, match="no rule"):
        mathml(source, "")


def test_a_block_of_code_is_no_formula():
    assert listing('#raw("forall x,\\n  y \\"z\\"", block: true)') == 'forall x,\n  y "z"'
    assert listing("x") is None
    with pytest.raises(UntranslatableError):
        mathml('#raw("x", block: true)', "")


def test_every_formula_of_every_claim():
    texts = [
        take_apart(text)
        for claim in CLAIMS
        for text in (claim.statement, *claim.given, claim.adds or "")
    ]
    formulas = [formula for text in texts for formula in text["formulas"]]
    assert len(formulas) > 1000
    for formula in formulas:
        ElementTree.fromstring(mathml(formula["source"], formula["alt"]))


def test_every_rule_of_the_printer():
    sources = [form for expression, _ in PRINTED for form in forms(expression)]
    sources += [
        parse(name).typeset()
        for name in (*GREEK, *ALIASES, "x1", "p*", "pi^*_a", "Z_rest", "phat", "barr", "a^+")
    ]
    for source in sources:
        ElementTree.fromstring(mathml(source, source))


def test_every_letter_of_the_words():
    for text in ("π_a² and σ_c²", "Σ_c r_c", "e^(l − X)", "π̂_a", "θ^(n)", "x_1^*"):
        for run in words(text):
            if not isinstance(run, str):
                ElementTree.fromstring(mathml(run["source"], run["alt"]))
