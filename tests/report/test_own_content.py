"""What the report on one's own estimator says: read off verdicts and derivations, never typed."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from altpg_verify.checks import check_estimator
from altpg_verify.errors import BadInput
from altpg_verify.estimators import alternate, regular
from altpg_verify.laws import LAWS
from altpg_verify.parameterisations import escort, softmax
from altpg_verify.report.own import (
    chapters,
    comparison,
    law_sections,
    learning,
    simplex_figures,
    standing,
    symbolic_moments,
    wording,
)
from altpg_verify.report.own.certificates import certificates
from altpg_verify.report.own.needs_action import needs_action, unseen
from altpg_verify.report.own.statements import readable_case, source
from altpg_verify.report.own.target import Subject, subject
from altpg_verify.report.typesetting import compiled
from altpg_verify.sealing import remade
from altpg_verify.verdicts import Verdict
from tests.report import own_estimators
from tests.shares import share

HERE = "tests.report.own_estimators"


def about(name: str) -> Subject:
    return subject(f"{HERE}:{name}", softmax)


def said(parts) -> str:
    """The words of findings and paragraphs, formulas by their spoken form."""
    return " ".join(
        run if isinstance(run, str) else run["alt"]
        for part in parts
        for run in part.get("text", [])
    )


@pytest.fixture(scope="module")
def doubled():
    it = about("doubled")
    report = check_estimator(
        it.estimator, on_fail="return", origin=it.origin, max_examples=8, facts=False
    )
    return it, report, certificates(it)[0]


@pytest.mark.thorough
def test_a_planted_factor_is_refuted_with_its_counterexample(doubled):
    it, report, certified = doubled
    entry = law_sections.entry(it, report["unbiased"], certified)
    assert entry["verdict"] == "REFUTED"
    checked, certificate = entry["evidence"]
    found = report["unbiased"].counterexample
    assert checked["instance"][:3] == [
        ["case", readable_case(found.case)],
        ["left side", found.left],
        ["right side", found.right],
    ]
    assert checked["command"] == found.replay
    assert certificate["verdict"] == "REFUTED"
    assert (
        f"{sum(not one.ok for one in report)} of them are not as they should be"
        in wording.lead(it, report)[0]
    )
    assert "It is biased" in said(wording.findings(it, report, certified, {}))


@pytest.mark.thorough
def test_the_difference_is_printed_as_a_formula_where_no_short_gap_was_recognised(doubled):
    it, report, certified = doubled
    found = report["unbiased"]
    assert law_sections.entry(it, found, certified)["evidence"][0]["steps"] == []
    (step,) = law_sections.entry(it, remade(found, gap=""), certified)["evidence"][0]["steps"]
    assert step["formula"]["alt"] == "π₁ π₂(r₁ − r₂)"


@pytest.mark.thorough
def test_the_same_words_say_the_contrary_of_an_unbiased_one():
    it = Subject("altpg_verify.estimators:regular", regular, softmax)
    report = check_estimator(regular, on_fail="return", max_examples=8, facts=False)
    certified, why = certificates(it)
    assert why == ""
    text = said(wording.findings(it, report, certified, {}))
    assert "It is unbiased" in text
    assert "with a certificate for every number of actions" in text
    assert "Nothing needs action" in wording.lead(it, report)[0]
    assert needs_action(report) == []


SEVERAL = [regular, alternate, own_estimators.expected, own_estimators.half_regular]


@pytest.mark.parametrize("estimator", share(SEVERAL, 2), ids=lambda one: one.name)
def test_symbols_and_enumeration_agree(estimator):
    general = symbolic_moments.for_every_k(estimator)
    assert general is not None
    assert symbolic_moments.agreement(general, estimator, softmax) == (2, 3)


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(["variance", "expectation", "bias"], 3))
def test_agreement_notices_a_wrong_formula(name):
    general = symbolic_moments.for_every_k(regular)
    wrong = replace(general, **{name: getattr(general, name) + sympy.Symbol("b")})
    assert symbolic_moments.agreement(wrong, regular, softmax) == ()


def test_moments_of_the_alternate_estimator():
    found = symbolic_moments.enumerated(alternate, 2, softmax)
    p, r, b, d, s = sympy.symbols("pi_1 r_1 b d_1 sigma_1")
    assert sympy.expand(found.expectation - p * (r - b)) == 0
    assert (
        sympy.expand(
            (found.variance - p * (d**2 + s**2) + p**2 * d**2).subs(sympy.Symbol("pi_2"), 1 - p)
        )
        == 0
    )


def test_what_cannot_be_done_is_said():
    mixing = certificates(about("mixing"))
    assert mixing[0] == {}
    assert "mixes actions" in mixing[1]
    clipped = about("clipped")
    assert symbolic_moments.for_every_k(clipped.estimator) is None
    assert symbolic_moments.enumerated(clipped.estimator, 2, softmax) is None
    assert "not derived symbolically" in said(chapters.moments(clipped, None, {}, {}, ""))
    assert certificates(Subject("x:y", regular, escort(2)))[0] == {}


def test_online_tasks_need_an_estimator_without_q():
    *_, online = learning.tasks()
    results, why = learning.learn({"expected": own_estimators.expected}, online, lambda name: None)
    assert results == []
    assert "asks for q" in said(
        chapters.learned([((), [], ""), ((), [], ""), (online, results, why)])
    )


def test_comparison_is_exact():
    rows = comparison.rows(
        {"regular": regular, "alternate": alternate, "doubled": own_estimators.doubled}
    )
    first = rows[0]
    assert (first["policy"], first["b"]) == ("uniform", "+4")
    assert first["bias"]["regular"] == 0
    assert first["bias"]["alternate"] == pytest.approx(2 / 3**0.5)
    assert all(
        row["variance"]["doubled"] == pytest.approx(4 * row["variance"]["regular"]) for row in rows
    )


@pytest.mark.thorough
def test_fixed_points_stand_in_the_alternative_text():
    estimators = {"alternate": alternate}
    picture = simplex_figures.arrows(estimators, simplex_figures.ends(estimators))
    assert "attractor π* = (2/11, 3/11, 6/11)" in picture["alt"]
    assert not simplex_figures.still(alternate, 4)


def test_fixed_points_stand_in_a_table():
    _, table = chapters.points(
        {
            ("alternate", 4): simplex_figures.ends({"alternate": alternate})["alternate", 4],
            ("none", 4): (),
        }
    )
    attractor = next(row for row in table["rows"] if row[3] == "attractor")
    assert attractor[:3] == ["alternate", "+4", "(2/11, 3/11, 6/11)"]
    assert attractor[4] == "2.3636"
    assert table["rows"][-1] == ["none", "+4", "none was found", "", "", ""]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_statements_are_typst_mathematics(law):
    page = (
        '#set page(width: 20cm, height: auto)\n#set text(font: "New Computer Modern")\n$'
        f" {source(law.formula)} $"
    )
    assert compiled({"main.typ": page.encode()}).startswith(b"%PDF")


@pytest.mark.thorough
def test_a_mark_that_does_not_fail_is_said():
    from altpg_verify import estimator

    marked = estimator(expected_failures={"zero_sum": "wrongly so"})(regular.formula)
    report = check_estimator(marked, on_fail="return", max_examples=20, facts=False)
    (finding,) = needs_action(report)
    assert "Marked as meant to fail (“wrongly so”), but not refuted" in said([finding])
    assert standing.standing(report["zero_sum"]) == "marked to fail, but doesn't"


def test_a_peer_of_the_same_name_is_told_apart():
    from altpg_verify import estimator

    mine = estimator(name="regular")(lambda pi, e, r, b: (r - b) * (e - pi))
    assert list(Subject("x:regular", mine, softmax).beside()) == [
        "regular",
        "alternate",
        "regular (yours)",
    ]
    assert list(Subject("x:regular", regular, softmax).beside()) == ["regular", "alternate"]


def test_several_estimators_are_too_many():
    with pytest.raises(BadInput, match="name one of them"):
        subject(HERE, softmax)


def test_an_absent_property_is_a_grey_no_and_a_broken_promise_is_a_fault():
    from altpg_verify import estimator

    promising = estimator(promises=("quiet_at_corner",))(alternate.formula)
    for one, shown, kind in (
        (alternate, "NO", "property"),
        (promising, "REFUTED", "promised property"),
    ):
        report = check_estimator(
            one, only=["quiet_at_corner"], on_fail="return", max_examples=20, facts=False
        )
        assert report["quiet_at_corner"].verdict is Verdict.REFUTED
        assert standing.mark(report["quiet_at_corner"]) == shown
        (line,) = law_sections.part(Subject("x:one", one, softmax), report, {})["ledger"]
        assert (line["verdict"], line["kind"]) == (shown, kind)
        assert law_sections.counts(report)["columns"] == [shown]
        assert bool(needs_action(report)) is (shown == "REFUTED")


def test_a_refutation_that_is_meant_is_no_fault():
    report = check_estimator(
        own_estimators.half_regular,
        only=["unbiased"],
        on_fail="return",
        max_examples=20,
        facts=False,
    )
    assert standing.mark(report["unbiased"]) == "INTENDED"
    assert needs_action(report) == []


def test_what_follows_from_a_failing_law_is_told_once(doubled):
    _, report, _ = doubled
    first, *others = needs_action(report)
    assert first["claims"] == ["unbiased"]
    assert "Smallest counterexample: π = " in said([first])
    reported = [law for one in (first, *others) for law in one["claims"]]
    assert sorted(reported) == sorted(result.law for result in report if not result.ok)
    assert "unbiased_at_value" in others[-1]["claims"]


def test_what_no_case_reached_is_said_beside_a_verdict_that_holds():
    from altpg_verify import estimator

    @estimator
    def branching(pi, e, r, b):
        if len(pi) > 1000:
            return 2 * (r - b) * e
        return (r - b) * (e - pi)

    report = check_estimator(
        branching, only=["zero_sum"], on_fail="return", max_examples=10, facts=False
    )
    assert report["zero_sum"].verdict.is_for
    assert "Nothing is known of it" in said(unseen(report))
    notes = law_sections.entry(Subject("x:branching", branching, softmax), report["zero_sum"], {})[
        "notes"
    ]
    assert any("no case reached" in note for note in notes)
    report = check_estimator(
        regular, only=["zero_sum"], on_fail="return", max_examples=10, facts=False
    )
    assert unseen(report) == []


def test_where_no_law_applies_it_is_not_said_that_nothing_needs_action():
    report = check_estimator(
        regular, only=["zero_sum"], on_fail="return", max_examples=10, facts=False
    )
    skipped = remade(
        report,
        results=tuple(remade(one, verdict=Verdict.SKIPPED, reason="not for it") for one in report),
    )
    about = Subject("x:regular", regular, softmax)
    assert "nothing was decided" in wording.lead(about, skipped)[0]
    assert "Nothing needs action" not in wording.lead(about, skipped)[0]


@pytest.mark.thorough
def test_a_corner_at_which_another_gap_is_found_is_told_on_its_own():
    from altpg_verify import estimator

    marked = estimator(alternate.formula)
    report = check_estimator(
        marked,
        only=["unbiased", "vanishes_at_corner"],
        on_fail="return",
        max_examples=20,
        facts=False,
    )
    assert [one["claims"] for one in needs_action(report)] == [["unbiased"], ["vanishes_at_corner"]]
    assert [one["head"] for one in needs_action(report)] == ["Unbiased", "With it"]
    first, second = report.results
    apart = remade(report, results=(first, remade(second, gap="b π")))
    assert [one["head"] for one in needs_action(apart)] == ["Unbiased", "Vanishes at corner"]


def test_an_action_that_is_needed_says_the_gap_in_its_short_form(doubled):
    _, report, _ = doubled
    finding = needs_action(report)[0]
    assert "In general left − right = −(v − q) π (proved for k = 2, 3, 4)." in said([finding])


def test_a_reward_law_is_read_as_odds():
    assert (
        readable_case("π = (1, 0)    r = (0@1/2|2@1/2, 1)    b = 0")
        == "π = (1, 0), r = ([0 or 2 with odds 1/2 and 1/2], 1), b = 0"
    )
