"""Coq itself, where it is installed: the sources compile on the axioms of the real numbers, and
faulty ones don't.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from altpg_verify.theory.coq.evidence import (
    FOLDER,
    REAL_NUMBERS,
    check,
    covered,
    installed,
    objections,
    stored_transcript,
)
from altpg_verify.theory.coq.theorems import THEOREMS

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not installed(), reason="Coq is not installed")]

SMALLER = "b theta)) < KL (pi_star r b) (softmax theta).\nProof.\n  intros positive"
FAULTS = {
    "pessimistic: the sign of the divergence": (
        "Pessimistic.v",
        "b theta)) > KL (pi_star",
        "b theta)) < KL (pi_star",
    ),
    "optimistic: the sign of the divergence": ("Optimistic.v", SMALLER, SMALLER.replace("<", ">")),
    "optimistic: twice the stepsize": (
        "Optimistic.v",
        "alpha <= ∑ a, / (b - r a) -> ~",
        "alpha <= 2 * (∑ a, / (b - r a)) -> ~",
    ),
    "lemma: the sign of pi*": (
        "FixedPoints.v",
        "fun a => / (r a - b) * /",
        "fun a => - / (r a - b) * /",
    ),
    "lemma: the sum without its inverse": (
        "FixedPoints.v",
        "fun a => / (r a - b) * / (∑",
        "fun a => / (r a - b) * (∑",
    ),
    "KL step: the sign of the harmonic term": (
        "Divergence.v",
        "- / (∑ c, / zeta alpha r b c).",
        "+ / (∑ c, / zeta alpha r b c).",
    ),
    "basin: another action's corner": (
        "Basins.v",
        "-> forall c, Un_cv",
        "-> forall c d, d <> a -> Un_cv",
    ),
    "mean of the alternate estimator: the sign of b": (
        "Estimators.v",
        "pi a * (r a - b) - eta a",
        "pi a * (r a + b) - eta a",
    ),
    "gradient: doubled": (
        "Gradient.v",
        "partial (J r) theta a (softmax theta a * (r a",
        "partial (J r) theta a (2 * softmax theta a * (r a",
    ),
    "corner: noise in the regular estimator": (
        "Variance.v",
        "regular pi b A R a) = 0.",
        "regular pi b A R a) = sigma2 c.",
    ),
    "telescoping: the sign of the movement": (
        "StationaryMean.v",
        "theta_0 (start T w) a) / alpha.",
        "theta_0 (start T w) a) / - alpha.",
    ),
    "invariant: the sign of the ratio": (
        "LearnedBaseline.v",
        "- alpha / beta * b_t =",
        "+ alpha / beta * b_t =",
    ),
}
"""A fault for each kind of statement: the file, the text that is changed, and the text in its
place.
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The sources compiled once, and where."""
    place = tmp_path_factory.mktemp("compiled")
    return check(work=place), place


def test_every_file_compiles(compiled):
    run, _ = compiled
    assert run.failure == ""
    assert set(run.statements) == covered()


def test_all_files_as_one_say_what_they_say_one_by_one(compiled):
    assert check() == compiled[0]


def test_the_theorems_rest_on_the_axioms_of_the_real_numbers(compiled):
    assert set(compiled[0].axioms) == REAL_NUMBERS


def test_no_theorem_that_serves_a_claim_meets_an_objection(compiled):
    assert [
        objections(theorem, compiled[0])
        for theorems in THEOREMS.values()
        for theorem in theorems
        if objections(theorem, compiled[0])
    ] == []


def test_the_stored_transcript_says_what_coq_says(compiled):
    stored, again = (
        text.split("\n\n\n") for text in (stored_transcript(), compiled[0].transcript())
    )
    if stored[0] != again[0]:
        pytest.skip(f"the transcript is by another version: {stored[0].splitlines()[0]}")
    # the third part is coqchk's, which isn't run here
    assert stored[:2] + stored[3:] == again[:2] + again[3:]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_statement_is_refused(fault, compiled, tmp_path):
    name, right, wrong = FAULTS[fault]
    for path in compiled[1].glob("*.vo"):
        (tmp_path / path.name).symlink_to(path)
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (tmp_path / f"{name}o").unlink()
    (tmp_path / name).write_text(text.replace(right, wrong), encoding="utf-8")
    done = subprocess.run(
        ["coqc", "-q", "-Q", ".", "AltPG", name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "Error" in done.stderr


def project(folder: Path, statement: str) -> Path:
    """A small project: the sums, one statement, and the axioms it rests on."""
    shutil.copy(FOLDER / "FiniteSums.v", folder)
    (folder / "Small.v").write_text(
        f"From AltPG Require Export FiniteSums.\n{statement}\n", encoding="utf-8"
    )
    last = (
        "From AltPG Require Import Small.\nCheck @small.\nDefinition main_theorems :=\n "
        " (@small).\n\nPrint Assumptions main_theorems.\n"
    )
    (folder / "Assumptions.v").write_text(last, encoding="utf-8")
    (folder / "_CoqProject").write_text(
        "-Q . AltPG\nFiniteSums.v\nSmall.v\nAssumptions.v\n", encoding="utf-8"
    )
    return folder


def test_a_sound_project_is_accepted_and_left_as_it_was(tmp_path):
    folder = project(tmp_path, "Theorem small : 0 < 1. Proof. lra. Qed.")
    before = sorted(folder.iterdir())
    assert objections("small", check(folder), folder) == []
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("statement", "objection"),
    [
        ("Theorem small : 1 < 0. Proof. lra. Qed.", "coqc refuses Small.v"),
        ("Theorem small : 1 < 0. Admitted.", "contains 'Admitted'"),
        (
            "Hypothesis no : 1 < 0. Theorem small : 1 < 0. Proof. exact no. Qed.",
            "the theorems assume",
        ),
    ],
    ids=["false", "admitted", "hypothesis"],
)
def test_an_unsound_project_is_refused(statement, objection, tmp_path):
    folder = project(tmp_path, statement)
    assert any(objection in one for one in objections("small", check(folder), folder))


@pytest.mark.slow
def test_coqchk_accepts_the_compiled_files():
    run = check(coqchk=True)
    assert run.failure == ""
    assert run.summary
    assert objections("optimistic_attracts", run) == []
    if stored_transcript().startswith(f"Coq {run.version}\n"):
        assert run.transcript() == stored_transcript()
