"""The SMT queries: both solvers agree, a flipped inequality is seen, and what can't be decided is
never counted as proved.
"""

from __future__ import annotations

import pytest

from altpg_verify.theory.smt import queries
from altpg_verify.theory.smt.solvers import FOLDER, NAMES, Agreement, answer, ask, missing
from altpg_verify.verdicts import Verdict

FILES = sorted(FOLDER.glob("*.smt2"))
solvers = pytest.mark.skipif(
    bool(missing()), reason=f"not installed: {', '.join(missing())} (the extra smt)"
)
FLIPPED = {
    "no-common-value": ("(assert (< b r", "(assert (> b r"),
    "unique-fixed-point": ("(assert (= (* p1 d1)", "(assert (> (* p1 d1)"),
    "second-moment": ("(assert (<= (+", "(assert (>= (+"),
    "sum-of-squares": ("(assert (distinct (-", "(assert (= (-"),
    "term-of-optimistic-step": ("(assert (> (* z p u)", "(assert (< (* z p u)"),
    "clipped-positive-advantage": (
        "(assert (< eps 1))\n(assert (distinct",
        "(assert (< eps 1))\n(assert (=",
    ),
    "clipped-negative-advantage": (
        "(assert (< eps 1))\n(assert (distinct",
        "(assert (< eps 1))\n(assert (=",
    ),
}
"""One relation of each query turned round, so that it has a solution."""


def test_every_query_is_asked_and_every_flip_planned():
    asked = set(queries.ASKED)
    assert asked == {path.stem for path in FILES}
    assert {name.removesuffix("-k2").removesuffix("-k3") for name in asked} == set(FLIPPED)


@pytest.mark.thorough
@solvers
def test_both_solvers_find_every_negation_unsatisfiable():
    assert [str(one) for one in ask(FILES) if not one.recheck()] == []


@solvers
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_flipped_relation_is_not_unsatisfiable(path, tmp_path):
    before, after = FLIPPED[path.stem.removesuffix("-k2").removesuffix("-k3")]
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    planted = tmp_path / path.name
    planted.write_text(text.replace(before, after), encoding="utf-8")
    assert answer("z3", planted) == "sat"
    assert answer("cvc5", planted, seconds=3) != "unsat"


@solvers
def test_a_solver_that_takes_too_long_is_stopped():
    assert answer("z3", FILES[0], seconds=0.001) == "no answer in 0.001 s"


@solvers
def test_a_broken_query_is_no_proof(tmp_path):
    broken = tmp_path / "broken.smt2"
    broken.write_text("(assert (< x 0))(check-sat)", encoding="utf-8")
    (found,) = ask([broken])
    assert not found.recheck()


@solvers
def test_evidence_is_proved_by_both():
    finding = queries.unique_fixed_point()
    assert finding.verdict is Verdict.PROVED
    assert finding.domain == "k = 2 and k = 3"


@solvers
@pytest.mark.parametrize(
    "other", ["(check-sat)", "(declare-const x Real)(assert (> x 0))(check-sat)", "(assert"]
)
def test_one_doubt_makes_it_inconclusive(other):
    said = tuple((name, "unsat") for name in NAMES)
    answers = [*ask(FILES[:1]), Agreement("two", other, said)]
    finding = queries.judged(answers, "says", "k = 2", [])
    assert finding.verdict is Verdict.INCONCLUSIVE
    assert "two (z3: unsat, cvc5: unsat)" in finding.summary


@solvers
@pytest.mark.parametrize(
    "said", [(), (("z3", "sat"), ("cvc5", "unknown")), (("z3", "unsat"), ("cvc5", "unsat"))]
)
def test_answers_that_somebody_wrote_down_prove_and_refute_nothing(said):
    true, *_ = ask(FILES[:1])
    assert Agreement(true.query, true.text, said).recheck()
    assert not Agreement(
        true.query, true.text.replace("(check-sat)", "(reset)(check-sat)"), said
    ).recheck()


def test_one_solver_alone_is_no_proof(monkeypatch):
    monkeypatch.setattr("altpg_verify.theory.smt.solvers._HEARD", {("z3", "(check-sat)"): "unsat"})
    monkeypatch.setattr("altpg_verify.theory.smt.solvers.find_spec", lambda name: None)
    assert not Agreement("one", "(check-sat)", tuple((name, "unsat") for name in NAMES)).recheck()


def test_without_the_extra_nothing_is_run(monkeypatch):
    monkeypatch.setattr(queries, "missing", lambda: ["cvc5"])
    finding = queries.no_common_value()
    assert finding.verdict is Verdict.NOT_RUN
    assert "cvc5" in finding.summary
    assert "extra smt" in finding.summary
