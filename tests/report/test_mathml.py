"""Formulas as MathML: what Typst writes is taken whole or refused, and every formula of the claims
and of the printer is taken.
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


def inside(source: str) -> str:
    return mathml(source, "").removeprefix('<math alttext="">').removesuffix("</math>")


@pytest.mark.parametrize(
    ("source", "xml"),
    [
        ("x_a^2", "<msubsup><mi>𝑥</mi><mi>𝑎</mi><mn>2</mn></msubsup>"),
        ("a/b", "<mfrac><mi>𝑎</mi><mi>𝑏</mi></mfrac>"),
        ("bold(pi)", "<mi>𝝅</mi>"),
        ("EE", "<mi>𝔼</mi>"),
        ('"if "', "<mtext>if\u00a0</mtext>"),
        ("sqrt(x)", "<msqrt><mi>𝑥</mi></msqrt>"),
    ],
)
def test_a_formula_is_written_by_typst(source, xml):
    assert inside(source) == xml


def test_lines_become_rows():
    xml = mathml(r"& x \ & quad = y \ & quad + z", "x", block=True)
    assert xml.count("<mtr>") == 3
    assert xml.startswith('<math display="block"')


def test_the_alternative_text_is_kept_and_escaped():
    assert ElementTree.fromstring(mathml("x", 'a < "b" & c')).get("alttext") == 'a < "b" & c'


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("unheardof", "unknown variable"),
        ("alpha.very.odd", "unknown symbol modifier"),
        ("a / ", "expected"),
        ("overline(x)", "ignored during MathML export"),
        ("cancel(x)", "ignored during MathML export"),
        ("x $ y", "unclosed delimiter"),
        ("x $ and $ y", "not one formula"),
        ("x // y", "unclosed delimiter"),
        (" ", "a formula is empty"),
        ("#panic()", "code stands in a formula"),
        ('#read("pyproject.toml")', "code stands in a formula"),
        ('"a" #h(1em)', "code stands in a formula"),
        ('"\\"" #panic() "\\""', "code stands in a formula"),
        (r'\" #panic() "a"', "code stands in a formula"),
        ('#raw("x", block: true)', "code stands in a formula"),
    ],
)
def test_a_formula_is_shown_whole_or_not_at_all(source, why):
    with pytest.raises(UntranslatableError, match=why):
        mathml(source, "")


@pytest.mark.parametrize(
    ("source", "shown"), [('"a#b"', "<mtext>a#b</mtext>"), (r"\#", "<mi>#</mi>"), ("x < y", "&lt;")]
)
def test_signs_of_typst_and_of_xml_may_stand_in_a_formula(source, shown):
    assert shown in inside(source)
    ElementTree.fromstring(mathml(source, ""))


def test_limits_may_be_asked_for():
    assert "argmax" in inside('op("argmax", limits: #true)_a x')


def test_a_block_of_code_is_no_formula():
    assert listing('#raw("forall x,\\n  y \\"z\\"", block: true)') == 'forall x,\n  y "z"'
    assert listing("x") is None


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
