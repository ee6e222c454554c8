"""The page compiles from a ledger alone; text is data; the PDF is outlined, in its own fonts, and
the same each time.
"""

from __future__ import annotations

import io
import re
from importlib import resources

import numpy as np
import pikepdf
import pytest
import typst
from PIL import Image

from altpg_verify.judging import Step
from altpg_verify.report import refuted, simplex
from altpg_verify.report.content import Steps, shown, title
from altpg_verify.report.document import document
from altpg_verify.report.formats import volumes
from altpg_verify.report.markup import greek, take_apart, words
from altpg_verify.report.reading import reproducing
from altpg_verify.report.summary import finding, text
from altpg_verify.report.typesetting import TypesettingError, compiled, pdf, sources
from tests.report.sample import HOSTILE, a, b


@pytest.fixture(scope="module")
def content(synthetic):
    chapters = [
        {
            "title": "The simplex",
            "parts": [
                {"kind": "heading", "text": f"Heading {HOSTILE}"},
                text(HOSTILE),
                simplex.picture(),
                {
                    "kind": "table",
                    "header": ["stepsize", "mean"],
                    "rows": [["1/64", "2.36"], ["2", HOSTILE]],
                },
                finding(synthetic, "A finding", HOSTILE, "only-at-boundary"),
            ],
        }
    ]
    return document(
        synthetic,
        profile="quick",
        reproducing=reproducing("quick", 0, 200, "0" * 64),
        numbers=[
            {
                "what": HOSTILE,
                "claimed": "2.36",
                "simulated": "2.364 ± 0.001",
                "apart": "0.4",
                "claim": "value-2.36",
                "verdict": "SUPPORTED",
            }
        ],
        findings=[finding(synthetic, "Found", HOSTILE, "value-2.36")],
        chapters=chapters,
    )


@pytest.fixture(scope="module")
def report(content):
    return volumes(content)["report"]


@pytest.fixture(scope="module")
def proofs(content):
    return volumes(content)["proofs"]


@pytest.fixture(scope="module")
def built(report):
    return pdf(report)


@pytest.fixture(scope="module")
def proved(proofs):
    return pdf(proofs)


@pytest.mark.thorough
def test_same_bytes(report, built):
    assert pdf(report) == built


def test_every_verdict_occurs(content):
    assert {row["verdict"] for row in content["ledger"]} == {
        "PROVED",
        "CERTIFIED",
        "HOLDS",
        "SUPPORTED",
        "REFUTED",
        "INCONCLUSIVE",
        "NOT RUN",
    }
    assert content["summary"]["counts"]["total"] == 8


def test_what_fails_stands_with_its_counterexample_and_the_correction(synthetic):
    parts = refuted.chapter(synthetic)
    (item,) = [one for part in parts if part["kind"] == "claims" for one in part["items"]]
    assert item["id"] == "only-at-boundary"
    assert item["instance"]
    assert [one["id"] for one in item["instead"]] == ["only-at-boundary-corrected"]
    assert "By kind: fixed point 1." in str(parts[0]["text"])


def test_a_step_is_printed_once_and_cited_after(content):
    shared = [Step("So it is."), Step("Again.", a + b), Step("Then.", a)]
    steps = Steps()
    first = steps.lines([*shared, Step("The end.")], "one")
    second = steps.lines([Step("Now."), *shared, Step("Then.", b)], "two")
    assert [line["number"] for line in first] == [1, 2, 3, 4]
    assert [(line.get("number"), line.get("from"), line.get("to")) for line in second] == [
        (5, None, None),
        (None, 1, 3),
        (6, None, None),
    ]
    printed = [
        (str(line["text"]), str(line["formula"]))
        for section in content["sections"] for one in section["claims"] for item in one["evidence"] for line in item["steps"]
        if "number" in line
    ]  # fmt: skip
    assert len(printed) == len(set(printed)) > 0


def test_outlined(built):
    with pikepdf.open(io.BytesIO(built)) as file, file.open_outline() as outline:
        chapters = {
            str(item.title): [str(child.title) for child in item.children] for item in outline.root
        }
    # the hostile text came through letter by letter
    assert f"Heading {HOSTILE}" in chapters["The simplex"]


def test_the_proofs_are_outlined(proved):
    with pikepdf.open(io.BytesIO(proved)) as file, file.open_outline() as outline:
        chapters = {
            str(item.title): [str(child.title) for child in item.children] for item in outline.root
        }
    assert "B.3 Proofs" in chapters["Claims and derivations"]


def test_only_fonts_of_the_design(built):
    with pikepdf.open(io.BytesIO(built)) as file:
        fonts = [
            item
            for item in file.objects
            if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor"
        ]
    assert len(fonts) >= 4
    assert {
        str(font.FontName).partition("+")[2].rstrip("0123456789").split("-")[0] for font in fonts
    } <= {"NewCM10", "NewCMMath", "DejaVuSansMono"}


def test_figures_and_formulas_have_alternative_texts(built, proved):
    alternatives = []
    for volume in (built, proved):
        with pikepdf.open(io.BytesIO(volume)) as file:
            nodes = [
                item
                for item in file.objects
                if isinstance(item, pikepdf.Dictionary) and "/S" in item and "/P" in item
            ]
            alternatives += [str(node.Alt) for node in nodes if node.S in ("/Figure", "/Formula")]
    assert simplex.ALT in alternatives
    assert "∑_(c = 1)^k π_c(r_c − b) = r_π − b" in alternatives


def ink_beside_the_text(page: bytes) -> int:
    """Dark points in the side margins of a page."""
    points = np.asarray(Image.open(io.BytesIO(page)).convert("L"))
    margin = int(1.8 / 21 * points.shape[1])
    return int((points[:, :margin] < 200).sum() + (points[:, -margin:] < 200).sum())


def pages(files: dict[str, bytes]) -> list[bytes]:
    images = typst.compile(files, format="png", ppi=50, ignore_system_fonts=True)
    return images if isinstance(images, list) else [images]


@pytest.mark.parametrize("volume", ["report", "proofs"])
def test_nothing_sticks_out_into_the_margins(content, volume):
    images = pages(sources(volumes(content)[volume]))
    assert len(images) > 1
    assert [ink_beside_the_text(image) for image in images] == [0] * len(images)
    wide = b'#set page(paper: "a4", margin: 2.5cm)\n#box($ #range(90).map(n => $x_#n$).join($+$) $)'
    assert ink_beside_the_text(pages({"main.typ": wide})[0]) > 0


@pytest.mark.parametrize(
    ("identity", "heading"),
    [
        ("value-at-pi-star-number", "Value at π* number"),
        ("kl-relation", "KL relation"),
        ("softmax-jacobian", "Softmax Jacobian"),
        ("eta-zero", "η zero"),
    ],
)
def test_titles(identity, heading):
    assert title(identity) == heading


def test_a_warning_is_an_error():
    with pytest.raises(TypesettingError, match="unknown font family"):
        compiled({"main.typ": b'#set text(font: "No Such Font")\nwords'}, format="pdf")


def test_an_error_names_the_place():
    with pytest.raises(TypesettingError, match="unknown variable: nosuch"):
        compiled({"main.typ": b"#nosuch"}, format="pdf")


def test_template_stays_offline():
    folder = resources.files("altpg_verify.report").joinpath("pages")
    sources = {
        one.name: one.read_text(encoding="utf-8")
        for one in folder.iterdir()
        if one.name.endswith(".typ")
    }
    assert len(sources) == 5
    for source in sources.values():
        assert "@preview" not in source
        assert set(re.findall(r'#import "([^"]+)"', source)) <= set(sources)


def test_statements_are_taken_apart():
    taken = take_apart('For $x$ and \\$5, $ y + z $ holds: $hat(bold(g))^"ALT" dot.o x$')
    assert taken["markup"] == "For #formula(0); and \\$5, #formula(1); holds: #formula(2);"
    assert [(one["source"], one["block"]) for one in taken["formulas"][:2]] == [
        ("x", False),
        ("y + z", True),
    ]
    assert taken["formulas"][2]["alt"] == "g-hat^ ALT times elementwise x"


@pytest.mark.parametrize(
    ("plain", "sources"),
    [
        ("r_a π_a - Σ_c π_c r_c", ["r_(a)", "π_(a)", "sum_(c)", "π_(c)", "r_(c)"]),
        ("σ_c², e^θ_a, π^*, θ^(t+1), ĝ_a", ["σ_(c)^(2)", "e^(θ _ a)", "π^ast", "θ^(t+1)", "ĝ_(a)"]),
        ("log sum of e^θ_a over pi(a), and e^theta, for theta_a", ["e^(θ _ a)", "e^(θ)", "θ_(a)"]),
        ("pi*_c over sum_a e^θ_a", ["π^ast_(c)", "sum_(a)", "e^(θ _ a)"]),
        ("e^(ακ t)", ["e^(α κ t)"]),
        ("snake_case stays, r_max doesn't, and 2^-6", ['r_("max")', "2^(-6)"]),
        (
            "Σ_{j≠c} π_j x_j, θ'_j, 1e-9, 10^-12",
            ["sum_(j≠c)", "π_(j)", "x_(j)", "θ'_(j)", "10^(-9)", "10^(-12)"],
        ),
        (
            "(1 - β)^t, |θ|^p, [θ(s)]_a, [θ]_{A_t}, (R - b)^2, (1 - β)^(2t)",
            ['""^(t)', '""^(p)', '""_(a)', '""_(A _ t)', '""^(2)', '""^(2t)'],
        ),
        ("∇_W λ and e^-x", ["nabla_(W)", "e^(-x)"]),
        ("e^(-α gap), of the lemma pi_star_interior and kappa_not_0", ['e^(-α "gap")']),
        (HOSTILE, []),
    ],
)
def test_letters_with_marks_become_formulas(plain, sources):
    runs = words(plain)
    assert [run["source"] for run in runs if not isinstance(run, str)] == sources
    assert "".join(run if isinstance(run, str) else run["alt"] for run in runs).replace(
        "−", "-"
    ) == greek(plain)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0.25, "0.25"),
        (-1e-9, "−1e−09"),
        (True, "yes"),
        ("(-1/2, 1)", "(−1/2, 1)"),
        ("alpha-1", "alpha-1"),
        (3, "3"),
        ([1, 0.5], "(1, 0.5)"),
        ({"a": 1}, "a 1"),
        (float("inf"), "∞"),
    ],
)
def test_shown(value, printed):
    assert shown(value) == printed
