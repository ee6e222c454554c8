"""What the report on one's own estimator says: read off verdicts and derivations, never typed."""

from __future__ import annotations

import pytest
import sympy

from altpg_verify.checks import check_estimator
from altpg_verify.errors import BadInput
from altpg_verify.estimators import alternate, regular
from altpg_verify.laws import LAWS
from altpg_verify.parameterisations import escort, softmax
from altpg_verify.report.own import chapters, comparison, lawbook, learning, letters, simplexes, wording
from altpg_verify.report.own.certificates import certificates
from altpg_verify.report.own.statements import source
from altpg_verify.report.own.target import Subject, subject
from altpg_verify.report.typesetting import compiled
from tests.report import own_estimators

HERE = "tests.report.own_estimators"


def about(name: str) -> Subject:
    return subject(f"{HERE}:{name}", softmax)


def said(parts) -> str:
    """The words of findings and paragraphs, formulas by their spoken form."""
    return " ".join(run if isinstance(run, str) else run["alt"] for part in parts for run in part.get("text", []))


@pytest.fixture(scope="module")
def doubled():
    it = about("doubled")
    report = check_estimator(it.estimator, on_fail="return", origin=it.origin, max_examples=30, facts=False)
    return it, report, certificates(it)[0]


def test_a_planted_factor_is_refuted_with_its_counterexample(doubled):
    it, report, certified = doubled
    entry = lawbook.entry(it, report["unbiased"], certified)
    assert entry["verdict"] == "REFUTED"
    checked, certificate = entry["evidence"]
    found = report["unbiased"].counterexample
    assert checked["instance"][:3] == [["case", found.case], ["left side", found.left], ["right side", found.right]]
    assert checked["command"] == found.replay
    assert certificate["verdict"] == "REFUTED"
    assert "not what it should be: unbiased" in wording.lead(it, report)[0]
    assert "It is biased" in said(wording.findings(it, report, certified, {}))


def test_the_difference_is_printed_as_a_formula(doubled):
    it, report, certified = doubled
    (step,) = lawbook.entry(it, report["unbiased"], certified)["evidence"][0]["steps"]
    assert step["formula"]["alt"] == "π₁ π₂(r₁ − r₂)"


def test_the_same_words_say_the_contrary_of_an_unbiased_one():
    it = Subject("altpg_verify.estimators:regular", regular, softmax)
    report = check_estimator(regular, on_fail="return", max_examples=20, facts=False)
    certified, why = certificates(it)
    assert why == ""
    text = said(wording.findings(it, report, certified, {}))
    assert "It is unbiased" in text
    assert "with a certificate for every number of actions" in text
    assert "It is what it says it is" in wording.lead(it, report)[0]


@pytest.mark.parametrize("estimator", [regular, alternate, own_estimators.half_regular, own_estimators.expected], ids=lambda one: one.name)
def test_letters_and_enumeration_agree(estimator):
    general = letters.for_every_k(estimator)
    assert general is not None
    assert letters.agreement(general, estimator, softmax) == (2, 3)


@pytest.mark.parametrize("name", ["expectation", "bias", "variance"])
def test_agreement_notices_a_wrong_formula(name):
    from dataclasses import replace

    general = letters.for_every_k(regular)
    wrong = replace(general, **{name: getattr(general, name) + sympy.Symbol("b")})
    assert letters.agreement(wrong, regular, softmax) == ()


def test_moments_of_the_alternate_estimator():
    found = letters.enumerated(alternate, 2, softmax)
    p, r, b, d, s = sympy.symbols("pi_1 r_1 b d_1 sigma_1")
    assert sympy.expand(found.expectation - p * (r - b)) == 0
    assert sympy.expand((found.variance - p * (d**2 + s**2) + p**2 * d**2).subs(sympy.Symbol("pi_2"), 1 - p)) == 0


def test_what_cannot_be_done_is_said():
    mixing = certificates(about("mixing"))
    assert mixing[0] == {}
    assert "mixes actions" in mixing[1]
    clipped = about("clipped")
    assert letters.for_every_k(clipped.estimator) is None
    assert letters.enumerated(clipped.estimator, 2, softmax) is None
    assert "not derived in letters" in said(chapters.moments(clipped, None, {}, {}, ""))
    assert certificates(Subject("x:y", regular, escort(2)))[0] == {}


def test_online_tasks_need_an_estimator_without_q():
    *_, online = learning.tasks()
    results, why = learning.learn({"expected": own_estimators.expected}, online, lambda name: None)
    assert results == []
    assert "asks for q" in said(chapters.learned([((), [], ""), ((), [], ""), (online, results, why)]))


def test_comparison_is_exact():
    rows = comparison.rows({"regular": regular, "alternate": alternate, "doubled": own_estimators.doubled})
    first = rows[0]
    assert (first["policy"], first["b"]) == ("uniform", "+4")
    assert first["bias"]["regular"] == 0
    assert first["bias"]["alternate"] == pytest.approx(2 / 3**0.5)
    assert all(row["variance"]["doubled"] == pytest.approx(4 * row["variance"]["regular"]) for row in rows)


def test_fixed_points_stand_in_the_alternative_text():
    estimators = {"alternate": alternate}
    picture = simplexes.arrows(estimators, simplexes.ends(estimators))
    assert "attractor π* = (2/11, 3/11, 6/11)" in picture["alt"]
    assert not simplexes.still(alternate, 4)


def test_fixed_points_stand_in_a_table():
    _, table = chapters.points({("alternate", 4): simplexes.ends({"alternate": alternate})["alternate", 4], ("none", 4): ()})
    attractor = next(row for row in table["rows"] if row[3] == "attractor")
    assert attractor[:3] == ["alternate", "+4", "(2/11, 3/11, 6/11)"]
    assert attractor[4] == "2.3636"
    assert table["rows"][-1] == ["none", "+4", "none was found", "", "", ""]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_statements_are_typst_mathematics(law):
    page = f'#set page(width: 20cm, height: auto)\n#set text(font: "New Computer Modern")\n$ {source(law.formula)} $'
    assert compiled({"main.typ": page.encode()}).startswith(b"%PDF")


def test_a_mark_that_does_not_fail_is_said():
    from altpg_verify import estimator

    marked = estimator(expected_failures={"zero_sum": "wrongly so"})(regular.formula)
    report = check_estimator(marked, on_fail="return", max_examples=20, facts=False)
    it = Subject("x:marked", marked, softmax)
    assert "Marked to fail, but not refuted: zero sum." in wording.lead(it, report)[0]
    assert lawbook.standing(report["zero_sum"]) == "marked to fail, but doesn't"


def test_a_peer_of_the_same_name_is_told_apart():
    from altpg_verify import estimator

    mine = estimator(name="regular")(lambda pi, e, r, b: (r - b) * (e - pi))
    assert list(Subject("x:regular", mine, softmax).beside()) == ["regular", "alternate", "regular (yours)"]
    assert list(Subject("x:regular", regular, softmax).beside()) == ["regular", "alternate"]


def test_several_estimators_are_too_many():
    with pytest.raises(BadInput, match="name one of them"):
        subject(HERE, softmax)
