"""The PDF keeps the rules of PDF/A-2a and PDF/UA-1 that can be read off; each rule is shown a file
that breaks it.
"""

from __future__ import annotations

import io
import shutil
import subprocess

import pikepdf
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.report import simplex
from altpg_verify.report.document import document
from altpg_verify.report.formats import volumes
from altpg_verify.report.reading import reproducing
from altpg_verify.report.summary import finding, text
from altpg_verify.report.typesetting import dated, pdf
from tests.report.pdf_rules import RULES, elements


@pytest.fixture(scope="module")
def content(synthetic):
    parts = [
        {"kind": "heading", "text": "A heading"},
        text("Words with π_a."),
        simplex.picture(),
        {"kind": "formula", "forms": ["sum_a pi_a = 1"], "alt": "the sum is one"},
        {"kind": "table", "header": ["stepsize", "mean"], "rows": [["1/64", "2.36"]]},
        {"kind": "code", "text": "python -m altpg_verify"},
        finding(synthetic, "Found", "Words.", "value-2.36"),
    ]
    facts = reproducing("quick", 0, 200, "0" * 64)
    return document(
        synthetic,
        profile="quick",
        reproducing=facts,
        chapters=[{"title": "A chapter", "parts": parts}],
    )


@pytest.fixture(scope="module")
def built(content):
    return pdf(volumes(content)["report"])


@pytest.fixture(scope="module")
def proofs(content):
    return pdf(volumes(content)["proofs"])


@pytest.mark.parametrize("rule", RULES)
def test_the_page_keeps_the_rule(built, proofs, rule):
    for volume in (built, proofs):
        with pikepdf.open(io.BytesIO(volume)) as file:
            assert RULES[rule](file) == []


def first(file: pikepdf.Pdf, **wanted: str) -> pikepdf.Dictionary:
    """The first dictionary of the file with these entries."""
    return next(
        item
        for item in file.objects
        if isinstance(item, pikepdf.Dictionary)
        and all(item.get(f"/{key}") == value for key, value in wanted.items())
    )


def element(file: pikepdf.Pdf, kind: str) -> pikepdf.Dictionary:
    return next(node for node, _ in elements(file) if kind == node.S)


def page_with_links(file: pikepdf.Pdf) -> pikepdf.Dictionary:
    return next(page.obj for page in file.pages if "/Annots" in page.obj)


def strip_font(file):
    descriptor = first(file, Type="/FontDescriptor")
    for key in ("/FontFile", "/FontFile2", "/FontFile3"):
        if key in descriptor:
            del descriptor[key]


def strip_unicode(file):
    del first(file, Type="/Font", Subtype="/Type0")["/ToUnicode"]


def other_title(file):
    with file.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata["dc:title"] = "Another"


def hide_title(file):
    del file.Root.ViewerPreferences["/DisplayDocTitle"]


def no_language(file):
    del file.Root["/Lang"]


def untag(file):
    del file.Root["/MarkInfo"]


def no_standard(file):
    with file.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        del metadata["pdfaid:part"]


def no_profile(file):
    del file.Root["/OutputIntents"]


def script(file):
    file.Root.OpenAction = file.make_indirect(
        pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
    )


def address(file):
    note = page_with_links(file).Annots[0]
    note.A = pikepdf.Dictionary(S=pikepdf.Name.URI, URI="http://example.org")


def strip_figure(file):
    del element(file, "/Figure")["/Alt"]


def empty_formula(file):
    element(file, "/Formula").Alt = ""


def skip_level(file):
    element(file, "/H2").S = pikepdf.Name.H4


def no_table(file):
    element(file, "/Table").S = pikepdf.Name.Div


def no_scope(file):
    del element(file, "/TH")["/A"]


def nowhere(file):
    note = page_with_links(file).Annots[0]
    del note["/Dest"]
    note.A = pikepdf.Dictionary(S=pikepdf.Name.GoTo, D=pikepdf.String("no such place"))


def silent_link(file):
    del page_with_links(file).Annots[0]["/Contents"]


def loose_link(file):
    del page_with_links(file).Annots[0]["/StructParent"]


def no_tabs(file):
    del page_with_links(file)["/Tabs"]


def no_outline(file):
    del file.Root["/Outlines"]


def lost_bookmark(file):
    with file.open_outline() as outline:
        outline.root[0].destination = pikepdf.Array(
            [file.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Page)), pikepdf.Name.Fit]
        )


def shuffled_bookmarks(file):
    with file.open_outline() as outline:
        outline.root.reverse()


def loose_words(file):
    page = file.pages[1]
    page.contents_add(b"q 0 0 10 10 re f Q")


def unknown_content(file):
    page = file.pages[1]
    page.contents_add(b"/P <</MCID 9999>> BDC 0 0 10 10 re f EMC")


FAULTS = {
    "fonts": (strip_font, strip_unicode),
    "marks": (other_title, hide_title, no_language, untag),
    "conformance": (no_standard, no_profile),
    "inert": (script, address),
    "alternatives": (strip_figure, empty_formula),
    "headings": (skip_level,),
    "nesting": (no_table, no_scope),
    "links": (nowhere, silent_link, loose_link, no_tabs),
    "bookmarks": (no_outline, lost_bookmark, shuffled_bookmarks),
    "marked_content": (loose_words, unknown_content),
}


@pytest.mark.parametrize(
    ("rule", "plant"), [(rule, plant) for rule, plants in FAULTS.items() for plant in plants]
)
def test_the_rule_sees_a_planted_fault(built, rule, plant):
    with pikepdf.open(io.BytesIO(built)) as file:
        plant(file)
        assert RULES[rule](file) != []


def test_a_broken_file_is_seen(built):
    broken = bytearray(built)
    at = broken.index(b"stream\n") + 40
    broken[at : at + 8] = b"\0" * 8
    with pikepdf.open(io.BytesIO(bytes(broken)), suppress_warnings=True) as file:
        assert RULES["syntax"](file) != []


def test_every_rule_is_shown_a_fault():
    assert {*FAULTS, "syntax"} == set(RULES)


@pytest.mark.skipif(
    shutil.which("pdffonts") is None, reason="pdffonts is not installed (poppler-utils)"
)
def test_pdffonts_says_embedded(built, tmp_path):
    (tmp_path / "page.pdf").write_bytes(built)
    listed = subprocess.run(
        ["pdffonts", tmp_path / "page.pdf"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    embedded = listed[0].index("emb")
    assert {line[embedded : embedded + 11] for line in listed[2:]} == {"yes yes yes"}


def test_the_date_is_fixed_or_given(built, content, monkeypatch):
    with pikepdf.open(io.BytesIO(built)) as file:
        assert str(file.docinfo["/CreationDate"]) == "D:20200202000000Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert dated() == (2023, 11, 14)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(BadInput, match="SOURCE_DATE_EPOCH='yesterday'"):
        dated()
