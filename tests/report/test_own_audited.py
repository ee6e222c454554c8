"""The report on an update or a loss: verdict, counterexample, factor, cause and space, in the shape
of an estimator's report.
"""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pikepdf
import pytest

from altpg_verify.audit import audit, bandit, update
from altpg_verify.audit.expected_update import expected
from altpg_verify.report.__main__ import main
from altpg_verify.report.own.audited import audit_laws, build, chapters, updates_at_policies
from altpg_verify.report.simplex import grid
from altpg_verify.sealing import remade
from altpg_verify.verdicts import Verdict
from tests.report import own_updates
from tests.report.pdf_rules import RULES

HERE = "tests.report.own_updates"


def said(parts) -> str:
    return " ".join(
        run if isinstance(run, str) else run.get("alt", run.get("code"))
        for part in parts
        for run in part.get("text", [])
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("audited")
    code = main(["--estimator", f"{HERE}:scaled", "--out", str(out), "--quiet"])
    return code, {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.thorough
def test_a_report_of_the_same_shape(built):
    code, files = built
    assert code == 1
    assert set(files) == {"own_mean.pdf", "own_mean.html", "own_mean.json"}
    with pikepdf.open(io.BytesIO(files["own_mean.pdf"])) as file:
        assert {name: rule(file) for name, rule in RULES.items()} == {name: [] for name in RULES}
        assert len(file.pages) <= 5
        with file.open_outline() as outline:
            titles = [str(item.title) for item in outline.root]
    assert titles[0] == "Summary"
    assert {
        "What else was found",
        "The update and where it was tried",
        "At other policies",
        "The laws, one by one",
    } <= set(titles)


@pytest.mark.thorough
def test_the_page_says_first_what_needs_action_then_shows_the_simplex_then_the_table(built):
    page = re.sub(
        r"<style>.*?</style>|<script>.*?</script>",
        "",
        built[1]["own_mean.html"].decode(),
        flags=re.DOTALL,
    )
    reported = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    order = [
        "It needs action.",
        "Counterexample",
        "It is the gradient times 1/2",
        "What to do",
        "How the gradient of the target",
        "Kind of law",
    ]
    places = [reported.find(one) for one in order]
    assert -1 not in places
    assert places == sorted(places)
    assert 'id="playground"' in page
    assert page.index('id="summary"') < page.index('id="try"')


def test_the_data_is_that_of_the_audit(built):
    data = json.loads(built[1]["own_mean.json"])
    found = audit(own_updates.scaled, origin=f"{HERE}:scaled", mend=True)
    assert found.mends
    assert {key: data[key] for key in found.as_dict()} == json.loads(found.as_json())
    assert data["laws"]["follows_target"]["verdict"] == "REFUTED"
    assert data["laws"]["right_direction"] == {
        "verdict": "PROVED",
        "shown_as": "PROVED",
        "because": found.evidence,
    }
    assert all(row["bias"] > 0 for row in data["policies"])
    assert {tuple(np.round(end["policy"][0], 6)) for end in data["training_ends"]} == {(1, 0, 0)}


@pytest.mark.parametrize(
    ("one", "marks"),
    [
        (own_updates.scaled, ("REFUTED", "PROVED", "PROVED")),
        (own_updates.meant, ("INTENDED", "PROVED", "PROVED")),
        (own_updates.reinforce, ("PROVED", "PROVED", "PROVED")),
        (own_updates.whitened, ("REFUTED", "NO", "NO")),
        (own_updates.by_length, ("REFUTED", "NO", "PROVED")),
    ],
    ids=["scaled", "meant", "reinforce", "whitened", "by_length"],
)
def test_only_what_was_declared_is_a_fault(one, marks):
    found = audit(one)
    assert tuple(law.mark for law in audit_laws.laws_of(found)) == marks
    assert found.ok is (marks[0] != "REFUTED")
    assert audit_laws.counts(found)["total"] == 3


def test_prompts_with_factors_of_their_own_are_no_multiple_of_the_gradient():
    from tests.gallery.cases.p13_mixed_groups_only import mixed_groups_of_two_prompts

    found = audit(mixed_groups_of_two_prompts)
    assert str(found.kind) == "scaled"
    by_name = {law.name: law for law in audit_laws.laws_of(found)}
    assert by_name[audit_laws.DIRECTION].verdict is Verdict.REFUTED
    assert "not by the same factor" in by_name[audit_laws.DIRECTION].because


@pytest.mark.parametrize(
    ("one", "verdict"),
    [(own_updates.leave_one_out, Verdict.HOLDS), (own_updates.no_leave_one_out, Verdict.REFUTED)],
)
def test_what_is_meant_to_be_an_algorithm_is_required_to_be_that(one, verdict):
    found = audit(one)
    first, follows, *_ = audit_laws.laws_of(found)
    assert (first.name, first.kind, first.verdict) == (
        audit_laws.CONFORMS,
        audit_laws.REQUIRED,
        verdict,
    )
    assert follows.kind == audit_laws.PROPERTY
    assert chapters.verdict(found)[0]["claims"] == [audit_laws.CONFORMS]
    assert found.ok is (verdict is Verdict.HOLDS)
    assert {one["id"] for one in audit_laws.part(found, "x")["ledger"]} == set(
        audit_laws.part(found, "x")["titles"]
    )


def test_what_is_not_finite_near_the_corners_is_not_followed_and_not_drawn():
    ends, why = build._ends(own_updates.finite_near_the_middle_only)
    assert ends == ()
    assert "not followed to the end" in why
    field, _ = updates_at_policies.field_of(own_updates.finite_near_the_middle_only)
    assert field.figure(()) is None
    assert field.playground() is None


def test_an_undecided_update_has_no_law_that_holds():

    from altpg_verify.audit.kinds import Kind

    found = remade(
        audit(own_updates.reinforce),
        kind=Kind.UNDECIDED,
        verdict=Verdict.INCONCLUSIVE,
        strength=Verdict.INCONCLUSIVE,
    )
    assert not any(law.verdict.is_for for law in audit_laws.laws_of(found))


def test_the_first_page_of_what_is_as_it_should_be_asks_for_nothing():
    found = audit(own_updates.meant)
    assert "Nothing needs action." in chapters.lead("x:meant", own_updates.meant, found)[0]
    assert "(N-1)/N is put into the stepsize" in said(chapters.verdict(found)).replace("−", "-")
    assert "What to do" not in {one["head"] for one in chapters.verdict(found)}


def test_the_field_on_the_simplex_is_the_enumerated_one():
    field, why = updates_at_policies.field_of(own_updates.scaled)
    assert (field.rewards, why) == ((1.0, 0.5, 0.0), "")
    gradients, updates = field.at(grid(3))
    assert np.allclose(updates, gradients / 2, rtol=0, atol=1e-12)
    uniform = expected(own_updates.scaled)
    assert np.allclose(field.at([np.full(3, 1 / 3)])[1][0], uniform)


@pytest.mark.parametrize(
    "one",
    [
        own_updates.by_length,
        own_updates.drawing,
        update(space=bandit([1, 0]))(own_updates.own_mean),
    ],
)
def test_where_there_is_no_simplex_it_is_said_why(one):
    field, why = updates_at_policies.field_of(one)
    assert field is None
    assert why


def test_code_in_a_cause_stays_code():
    before, code, after = chapters.with_code(
        "divided by, in mine.py:12 (x = (r - m) / (s + 1e-8)): with -1 there it follows"
    )
    assert (before, code) == ("divided by, in mine.py:12 ", {"code": "(x = (r - m) / (s + 1e-8))"})
    assert after == ": with −1 there it follows"
    assert chapters.with_code("in mine.py:12 (never closed")[-1] == {"code": "(never closed"}
    assert chapters.with_code("with `x - 1e-8` for `x`") == [
        "with ",
        {"code": "x - 1e-8"},
        " for ",
        {"code": "x"},
    ]


def test_a_name_is_only_text():
    from altpg_verify.audit.function_updates import from_function

    named = from_function(
        own_updates.own_mean, space=own_updates.BATCHES, name='</script><b>$x^$ #panic("x")</b>'
    )
    field, _ = updates_at_policies.field_of(named)
    assert "$x^$" in field.figure(())["svg"]
    playground = field.playground()
    assert "</script>" not in playground.script()
    assert "<b>" not in playground.section()


def test_many_draws_cost_no_picture(monkeypatch):
    monkeypatch.setattr(updates_at_policies, "MOST", {"batched": 100, "single": 100})
    monkeypatch.setattr(build, "FOLLOWED", 5)
    assert updates_at_policies.field_of(own_updates.scaled) == (
        None,
        "its 9 draws are too many to be enumerated at so many policies",
    )
    assert build._ends(own_updates.scaled) == (
        (),
        "not followed, since each of its 9 draws would be enumerated at every step",
    )


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--estimator", f"{HERE}:drawing"], "draws its own randomness"),
        (["--estimator", f"{HERE}:scaled", "--policy", "escort:2"], "has the policy of its space"),
    ],
)
def test_what_cannot_be_done_leaves_nothing(arguments, reported, tmp_path, capsys):
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert reported in error
    assert error.strip().count("\n") <= 1
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_torch_loss(tmp_path):
    pytest.importorskip("torch")
    target = tmp_path / "mine_loss.py"
    target.write_text(
        "from altpg_verify.audit import bandit, loss\n\n\n"
        "@loss(space=bandit([1, '1/2', 0]).batch(2))\n"
        "def mean_baseline(logprobs, rewards):\n"
        '    """The mean of the batch as the baseline."""\n'
        "    return -(logprobs * (rewards - rewards.mean())).mean()\n",
        encoding="utf-8",
    )
    assert (
        main(["--estimator", f"{target}:mean_baseline", "--out", str(tmp_path / "out"), "--quiet"])
        == 1
    )
    page = (tmp_path / "out" / "mean_baseline.html").read_text(encoding="utf-8")
    assert "The loss mean_baseline" in page
    assert "return -(logprobs * (rewards - rewards.mean())).mean()" in page
    assert (
        json.loads((tmp_path / "out" / "mean_baseline.json").read_text(encoding="utf-8"))["kind"]
        == "scaled"
    )
