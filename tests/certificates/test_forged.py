"""Planted forgeries: a certificate says what its data say; whatever words are written beside them
never stand as the finding.
"""

from __future__ import annotations

import json

import pytest

from altpg_verify.theory.__main__ import main
from altpg_verify.theory.proving.certificate_recheck import holds, recheck_file
from altpg_verify.theory.proving.certificate_statements import statement
from altpg_verify.theory.proving.certificate_store import SCHEMA, as_text, digest
from altpg_verify.theory.proving.formula_text import formula, identity

WORDS = "the alternate estimator is unbiased for every policy"
NOTHING = {
    "says": WORDS, "left": 0, "relation": "=", "right": 0, "witness": 0, "given": [],
    "positive": [], "nonnegative": [], "nonzero": [], "constant": [],
}  # fmt: skip


def forge(path, data, words=None):
    """A file whose digest is right, with these data and these words."""
    entry = {
        "kind": "identity",
        "statement": statement("identity", data) if words is None else words,
        "data": data,
    }
    whole = {
        "schema": SCHEMA,
        "claims": ["unbiased"],
        "statement": WORDS,
        "domain": "every policy",
        "certificates": [entry],
    }
    path.write_text(as_text({**whole, "digest": digest(whole)}), encoding="utf-8")
    return path


def test_words_over_nothing_are_refused(tmp_path):
    checked = recheck_file(forge(tmp_path / "forged.json", NOTHING, WORDS))
    assert not checked.holds
    assert checked.proved == ()


def test_what_holds_is_said_from_the_data_and_the_words_are_called_unchecked(tmp_path, capsys):
    assert main(["recheck", str(forge(tmp_path / "forged.json", NOTHING))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  identity: 0 = 0; which says nothing, both sides being the same" in lines
    (said,) = [line for line in lines if WORDS in line]
    assert said == f"  the file's own words, which are not checked: {WORDS}"


def test_an_assumption_that_proves_everything_is_part_of_the_statement():
    data = {**NOTHING, "left": "b", "given": [{"zero": 1, "each": "", "cofactor": "b"}]}
    assert holds({"kind": "identity", "statement": statement("identity", data), "data": data})
    assert statement("identity", data) == "b = 0; given 1 = 0"


@pytest.mark.parametrize(
    "name", [WORDS, WORDS.replace(" ", "_"), "b\nunbiased", "b[every policy]", "", "5"]
)
def test_a_letter_is_no_sentence(name):
    data = {**NOTHING, "left": ["+", name, ["*", -1, name]]}
    assert not holds({"kind": "identity", "statement": WORDS, "data": data})
    with pytest.raises(ValueError, match="no letter"):
        statement("identity", data)
    with pytest.raises(ValueError, match="no letter"):
        statement("identity", {**NOTHING, "positive": [name]})


def test_lines_cannot_be_made_of_words(tmp_path, capsys):
    entry = {"kind": "identity", "statement": statement("identity", NOTHING), "data": NOTHING}
    whole = {
        "schema": SCHEMA,
        "claims": [],
        "statement": "x\n  identity: all is proved",
        "domain": "",
        "certificates": [entry],
    }
    path = tmp_path / "forged.json"
    path.write_text(as_text({**whole, "digest": digest(whole)}), encoding="utf-8")
    assert main(["recheck", str(path)]) == 0
    assert "  identity: all is proved" not in capsys.readouterr().out.splitlines()


def test_every_stored_identity_can_be_read(wholes):
    for whole in wholes.values():
        for entry in whole["certificates"]:
            if entry["kind"] == "identity":
                assert entry["statement"] == identity(entry["data"])
                # words of an author are no part of it
                assert (
                    json.dumps(entry["data"]["says"], ensure_ascii=False)[1:-1]
                    not in entry["statement"]
                )


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["+", "b", ["*", -1, "r[a]"]], "b - r[a]"),
        (["*", ["+", "b", 1], ["^", ["+", "k", 1], -1]], "(b + 1) (k + 1)^(-1)"),
        (["sum", "c", ["*", "x[c]", ["+", "r[c]", -2]]], "Σ_c x[c] (r[c] - 2)"),
        (["D", "x[a]", ["+", "b", "x[a]"]], "∂_θ[a] (b + x[a])"),
        (["+", ["sum", "c", "x[c]"], "b"], "Σ_c x[c] + b"),
        (["^", ["^", "b", 2], 3], "(b^2)^3"),
        (["^", -2, 2], "(-2)^2"),
        (["*", "b", -2], "b (-2)"),
    ],
)
def test_formulas_as_text(tree, text):
    assert formula(tree) == text


@pytest.mark.parametrize("tree", [None, 1.5, True, [], ["-", 1, 2], ["^", "b", "c"], {"+": 1}])
def test_what_is_no_formula_has_no_text(tree):
    with pytest.raises((TypeError, ValueError, LookupError)):
        formula(tree)
