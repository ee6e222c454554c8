"""The HTML report: the same content as the PDF, links that resolve, nothing loaded, the same bytes,
and in a browser no errors.
"""

from __future__ import annotations

import re
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest

from altpg_verify.cases import bandit
from altpg_verify.dynamics import fixed_points
from altpg_verify.exact import expected_update
from altpg_verify.report import simplex
from altpg_verify.report.__main__ import main
from altpg_verify.report.document import document
from altpg_verify.report.formats import rendered
from altpg_verify.report.html.folds import UnfoldableError, held
from altpg_verify.report.html.inline import UnreadableMarkupError, fitting, statement
from altpg_verify.report.html.mathml import UntranslatableError
from altpg_verify.report.html.page import html
from altpg_verify.report.html.pictures import inlined
from altpg_verify.report.html.playground import ESTIMATORS, formula_in_javascript, of_the_paper
from altpg_verify.report.markup import take_apart
from altpg_verify.report.reading import reproducing
from altpg_verify.report.summary import finding, text
from altpg_verify.verdicts import Verdict
from tests.axe import DARK
from tests.report.browser import browse, clipped, in_browser, noted, serious
from tests.report.sample import CLAIMS, HOSTILE

VOID = {"meta", "link", "input", "br", "path", "circle", "rect", "use", "mspace"}


class Read(HTMLParser):
    """What a page holds: ids, links, addresses, tags and text; unbalanced tags are an error."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self.formulas = 0
        self.text = ""
        self.feed(page.decode())
        assert self.tags == []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("href", "src", "srcset", "action", "data", "poster", "xlink:href"):
            if name in given:
                (self.links if given[name].startswith("#") else self.addresses).append(given[name])
        self.links += [
            f"#{one}"
            for one in re.findall(
                r"url\(#([^)]+)\)", " ".join(value or "" for value in given.values())
            )
        ]
        if tag == "math":
            self.formulas += 1
            assert "alttext" in given
        if tag == "svg":
            assert given.get("aria-hidden") == "true" or given.get("aria-label"), given
        if tag not in VOID:
            self.tags.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.tags.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.tags.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.tags):
            self.text += data


@pytest.fixture(scope="module")
def content(synthetic):
    parts = [
        {"kind": "heading", "text": f"Heading {HOSTILE}"},
        text(f"π_a² {HOSTILE}"),
        {"kind": "note", "text": [HOSTILE]},
        {"kind": "formula", "forms": ["sum_a pi_a"], "alt": HOSTILE},
        simplex.picture(),
        {**simplex.picture(), "name": "again"},
        {
            "kind": "table",
            "header": ["stepsize", "mean"],
            "rows": [["1/64", "2.36"], ["2", HOSTILE]],
        },
        {
            "kind": "prose",
            "header": ["library", "says"],
            "rows": [[[HOSTILE], ["no"]]],
            "widths": [1, 1],
        },
        {"kind": "transcript", "text": HOSTILE},
        {"kind": "code", "text": HOSTILE},
        finding(synthetic, "A finding", HOSTILE, "only-at-boundary"),
    ]
    number = {
        "what": HOSTILE,
        "claimed": "2.36",
        "simulated": "–",
        "apart": "0.1",
        "claim": "value-2.36",
        "verdict": "SUPPORTED",
    }
    return document(
        synthetic,
        profile="quick",
        reproducing=reproducing("quick", 0, 200, "0" * 64),
        numbers=[number],
        findings=[finding(synthetic, "Found", HOSTILE, "value-2.36")],
        chapters=[{"title": HOSTILE, "parts": parts}],
    )


@pytest.fixture(scope="module")
def page(content):
    return html(content, simplex=of_the_paper())


@pytest.fixture(scope="module")
def read(page):
    return Read(page)


@pytest.mark.thorough
def test_every_claim_is_an_anchor_once(read):
    assert {f"claim-{claim.id}" for claim in CLAIMS} <= set(read.ids)
    assert len(set(read.ids)) == len(read.ids)


def test_every_internal_link_resolves(read):
    assert len(read.links) > 50
    assert {link[1:] for link in read.links} <= set(read.ids)


def test_nothing_is_loaded(page, read):
    assert set(read.addresses) == {"data:,"}
    assert b"default-src 'none'" in page
    # an address that is only a name of a namespace is in the script that draws
    assert set(re.findall(rb"https?://[^\s\"'<]+", page)) == {b"http://www.w3.org/2000/svg"}
    assert b"@import" not in page
    assert b"<base" not in page


def test_all_formulas_are_mathml(page, read, content):
    def formulas(part) -> int:
        if isinstance(part, dict):
            own = 1 if ("source" in part and "alt" in part) or "forms" in part else 0
            return own + sum(map(formulas, part.values()))
        return sum(map(formulas, part)) if isinstance(part, list | tuple) else 0

    # a long formula stands twice, for a wide and for a narrow page
    twice = page.count(b'class="formula phone"')
    # and that of a statement in the list of claims, too
    listed = sum(
        formulas(claim["statement"])
        for section in content["sections"]
        for claim in section["claims"]
    )
    assert read.formulas - twice == formulas(content) + listed
    for raw in ("bold(pi)", "dot.o", "sum_", "frac(", "#formula", "cal("):
        assert raw not in read.text


def test_hostile_text_is_text(read):
    # words() sets "pi"-like letters as formulas; what stays text must stay letter by letter
    assert read.text.count('#panic("x")') > 8
    assert "<angle>" in read.text


def test_every_verdict_has_word_and_mark(page, read):
    for verdict in Verdict:
        assert f"mark-v-{str(verdict).lower().replace(' ', '-')}" in read.ids
        assert str(verdict) in read.text


def test_same_bytes_twice(content, page):
    assert html(content, simplex=of_the_paper()) == page


def test_an_unknown_construct_raises(content):
    chapters = [
        {"title": "One", "parts": [{"kind": "formula", "forms": ["unheardof(x)"], "alt": ""}]}
    ]
    with pytest.raises(UntranslatableError, match="unheardof"):
        html({**content, "chapters": chapters}, simplex=None)
    with pytest.raises(KeyError, match="film"):
        html({**content, "chapters": [{"title": "One", "parts": [{"kind": "film"}]}]}, simplex=None)
    with pytest.raises(UnreadableMarkupError, match="no rule"):
        statement(take_apart("a #strong[word]"))


def test_without_the_playground(content):
    page = html(content, simplex=None)
    assert b"ESTIMATORS" not in page
    assert "try" not in Read(page).ids


def test_a_report_on_something_else_brings_its_names(content):
    names = {
        "kind": "Kind of law",
        "item": "Law",
        "items": "One by one",
        "ledger": "At a glance",
        "evidence": "which is",
        "lines": False,
    }
    reported = Read(html({**content, "names": names}, simplex=None)).text
    assert "One by one" in reported
    assert "Claims and derivations" not in reported


def test_chapters_wait_as_text_until_they_are_opened(page, read):
    folded = page.count(b'<details class="fold"')
    assert folded == page.count(b"</summary><noscript>") > 3
    # the claims are in it for who has no scripts, and for who searches the file
    assert b"<noscript>" in page.partition(b'id="rows"')[2][:200]
    with pytest.raises(UnfoldableError, match="noscript"):
        held("a <NOSCRIPT>b</noscript>")


def test_the_claims_are_filtered_by_what_they_are(read, page):
    for name in ("section", "kind", "verdict"):
        assert f'<select name="{name}">'.encode() in page
    assert page.count(b"<li data-section=") == len(CLAIMS)


def test_markup_of_statements():
    assert statement(take_apart(r"a _b_ *c* \$ it's")) == "a <em>b</em> <strong>c</strong> $ it’s"
    assert 'display="block"' in statement(take_apart("$x$"))
    assert 'display="block"' not in statement(take_apart("so $x$"))


def test_a_narrow_page_takes_the_shortest_lines():
    wide = ("+".join("x" * 60), r"& x x \ & x x")
    assert fitting(wide, 64) == fitting(wide, 32) == wide[1]
    assert fitting(("x", wide[1]), 32) == "x"


def test_a_picture_keeps_what_is_drawn():
    svg = (
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink" width="9pt"><metadata>m</metadata><defs><path'
        ' id="m1" d="M 0 1.23456 L -0.001 2"/><clipPath id="c"><rect/></clipPath></defs><g'
        ' id="unused" clip-path="url(#c)"><use xlink:href="#m1" x="1.005001"'
        ' transform="rotate(1.23456)"/></g></svg>'
    )
    assert (
        inlined(svg, "f", "a < b")
        == '<svg role="img" aria-label="a &lt; b" width="9pt"><defs><path id="f-m1" d="M 0 1.23 L 0'
        ' 2"/><clipPath id="f-c"><rect/></clipPath></defs><g clip-path="url(#f-c)"><use'
        ' href="#f-m1" x="1.01" transform="rotate(1.23456)"/></g></svg>'
    )


@pytest.mark.parametrize("one", ESTIMATORS.values(), ids=lambda one: one.name)
def test_the_script_has_the_estimators_own_formulas(one):
    """The body of the arrow function is also Python; its mean over actions equals the exact
    enumeration.
    """
    names, _, body = formula_in_javascript(one).partition(" => ")
    rewards = [Fraction(1), Fraction(-2), Fraction(7, 3)]
    for pi in (
        [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
        [Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)],
    ):
        for b in (Fraction(4), Fraction(-1, 3)):
            v = sum(p * r for p, r in zip(pi, rewards, strict=True))
            mean = [Fraction(0)] * 3
            for action, weight in enumerate(pi):
                e = [int(other == action) for other in range(3)]
                scope = {
                    "pi": pi,
                    "e": e,
                    "r": rewards[action],
                    "b": b,
                    "q": rewards,
                    "v": v,
                    "h": [q - v for q in rewards],
                    "theta": None,
                }
                assert all(name in scope for name in names.strip("()").split(", "))
                mean = [
                    total + weight * entry
                    for total, entry in zip(mean, eval(body, {}, scope), strict=True)
                ]
            assert mean == list(expected_update(one, bandit(rewards, pi, b)))


@pytest.mark.parametrize(
    ("chosen", "files"),
    [
        pytest.param("pdf", {"report.pdf", "proofs.pdf"}, marks=pytest.mark.slow),
        pytest.param("html", {"report.html"}, marks=pytest.mark.slow),
        ("both", {"report.pdf", "proofs.pdf", "report.html"}),
    ],
)
def test_the_format_chooses_the_files(quick, tmp_path, capsys, chosen, files):
    assert main(["--out", str(tmp_path), "--format", chosen]) == 0
    assert {path.name for path in tmp_path.iterdir()} - {"ledger.json"} == files
    out = capsys.readouterr().out
    assert all(str(tmp_path / name) in out for name in files)


def test_an_unknown_format(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--out", str(tmp_path / "out"), "--format", "docx"])
    assert stopped.value.code == 2
    assert "--format" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_page_that_fails_writes_neither(quick, tmp_path, monkeypatch):
    from altpg_verify.report.html import page as module

    def broken(content, **options):
        raise UntranslatableError("no")

    monkeypatch.setattr(module, "html", broken)
    with pytest.raises(UntranslatableError):
        main(["--out", str(tmp_path), "--format", "both", "--quiet"])
    assert not list(tmp_path.glob("report.*"))


# ---------------------------------------------------------------- in a browser


class TestInABrowser:
    pytestmark = in_browser

    @pytest.mark.parametrize("one", ESTIMATORS.values(), ids=lambda one: one.name)
    @pytest.mark.parametrize("b", [4.0, -4.0, 2.5])
    def test_the_simplex_says_what_python_says(self, tmp_path, page, one, b):
        here = bandit((1, 2, 3), ("1/5", "3/10", "1/2"), b)
        dom = browse(tmp_path, page, f"?estimator={one.name}&r=1,2,3&b={b}&start=0.2,0.3,0.5")
        assert noted(dom, "errors") is None
        shown = list(map(float, str(noted(dom, "update")).split(",")))
        assert np.allclose(shown, expected_update(one, here).astype(float), rtol=0, atol=1e-12)
        inside = [point for point in fixed_points(one, (1, 2, 3), b) if min(point.pi) > 1e-4]
        if inside:
            assert noted(dom, "kind") == inside[0].kind
            assert np.allclose(
                list(map(float, str(noted(dom, "fixed")).split(","))),
                [float(p) for p in inside[0].pi],
                rtol=0,
                atol=1e-8,
            )
        else:
            assert noted(dom, "kind") == "none"

    def test_the_listener_hears_an_error(self, tmp_path, page):
        failing = page.replace(
            b"</body>", b"<script>throw new Error('planted');</script></body>", 1
        )
        assert "planted" in str(noted(browse(tmp_path, failing), "errors"))

    def test_the_listener_hears_a_request(self, tmp_path, page):
        asking = page.replace(b"<main>", b'<main><img src="http://192.0.2.1/x.png">', 1)
        assert "blocked" in str(noted(browse(tmp_path, asking), "errors"))

    @pytest.mark.parametrize("width", [500, 1200])
    def test_no_page_is_wider_than_the_window(self, tmp_path, page, width):
        dom = browse(tmp_path, page, "", f"--window-size={width},900")
        assert noted(dom, "errors") is None
        assert int(str(noted(dom, "wide"))) <= 0

    @pytest.mark.parametrize("flags", [(), DARK], ids=["light", "dark"])
    def test_axe_finds_nothing_serious_with_every_chapter_open(self, tmp_path, page, flags):
        reported = serious(tmp_path, page, *flags)
        assert reported["checked"] > 10
        assert reported["grave"] == []

    @pytest.mark.parametrize("width", [390, 1280])
    def test_no_formula_is_clipped_with_every_chapter_open(self, tmp_path, page, width):
        number, beyond = clipped(tmp_path, page, width)
        assert number > 10
        assert beyond == ""

    @pytest.mark.parametrize("width", [390, 1200])
    def test_it_can_be_drawn(self, tmp_path, page, width):
        from PIL import Image

        picture = tmp_path / "page.png"
        browse(tmp_path, page, "", f"--window-size={width},1200", f"--screenshot={picture}")
        with Image.open(picture) as drawn:
            assert drawn.size == (width, 1200)
            assert len(drawn.convert("L").getcolors()) > 50

    def test_the_filter_counts(self, tmp_path, page):
        rows = len(CLAIMS)
        typing = (
            b"box = document.getElementById('filter'); box.value = 'refuted'; box.dispatchEvent(new"
            b" Event('input', {bubbles: true}));"
        )
        typed = b"<script>" + typing + b"</script></body>"
        dom = browse(tmp_path, page.replace(b"</body>", typed, 1))
        reported = re.search(r'id="filtered"[^>]*>(\d+) of (\d+) claims', dom)
        assert reported
        assert int(reported[2]) == rows
        assert int(reported[1]) == rows - len(re.findall(r'<li [^>]*hidden=""', dom))
        assert 0 < int(reported[1]) < rows
        assert noted(dom, "errors") is None

    def test_a_link_opens_the_chapter_that_it_leads_into(self, tmp_path, page):
        dom = browse(tmp_path, page, "#claim-value-2.36")
        assert noted(dom, "errors") is None
        place = re.search(r'<(\w+) [^>]*id="claim-value-2.36"', dom.replace("&lt;", "["))
        assert place
        assert re.search(r"<details[^>]* open", dom)

    @pytest.mark.parametrize(
        ("alpha", "message"),
        [
            ("0.1", "unstable above α = 11/3 ≈ 3.66667; at α = 0.1 it is stable"),
            ("4", "unstable above α = 11/3 ≈ 3.66667; at α = 4 it is unstable"),
        ],
    )
    def test_the_stepsize_that_is_too_large_is_said(self, tmp_path, page, alpha, message):
        dom = browse(tmp_path, page, f"?r=1,2,3&b=4&alpha={alpha}")
        assert noted(dom, "errors") is None
        assert message in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", dom))
        assert "26/11" in dom


@pytest.mark.slow
def test_the_whole_report_of_ones_own(tmp_path):
    assert (
        main(
            [
                "--estimator",
                "altpg_verify.estimators:alternate",
                "--out",
                str(tmp_path),
                "--format",
                "html",
                "--quiet",
            ]
        )
        == 0
    )
    whole = Read((tmp_path / "alternate.html").read_bytes())
    assert {link[1:] for link in whole.links} <= set(whole.ids)
    assert all(address.startswith("data:") for address in whole.addresses)


def test_the_formats_are_those_of_the_command(content):
    assert set(rendered(content, "html", simplex=of_the_paper)) == {"report.html"}
