"""The interactive simplex of one's own estimator: its formula where that runs on symbols as on
numbers, else a grid of expected updates.
"""

from __future__ import annotations

import json

import pytest

from altpg_verify import estimator
from altpg_verify.estimators import alternate, regular
from altpg_verify.exact import expected_update
from altpg_verify.report.own.interactive import formula_or_nothing, interactive, updates_on_a_grid
from altpg_verify.report.own.simplex_figures import noiseless
from altpg_verify.report.simplex import grid
from tests.report import own_estimators


@estimator
def another_on_symbols(pi, e, r, b):
    """The regular estimator to numbers, the alternate one to symbols."""
    return (r - b) * (e - (0 if hasattr(b, "free_symbols") else pi))


@estimator
def raising(pi, r, b):
    """Defined at no policy."""
    raise ValueError("no")


def test_a_formula_moves_the_simplex_itself():
    found = interactive({"regular": regular, "mixing": own_estimators.mixing}, "mixing")
    assert all(code.startswith("(pi, e, r, b") for code in found.formulas.values())
    assert found.note == ""


@pytest.mark.parametrize(
    "one", [own_estimators.clipped, another_on_symbols], ids=lambda one: one.name
)
def test_what_symbols_do_not_show_is_precomputed_and_that_is_said(one):
    assert formula_or_nothing(one) == ""
    found = interactive({"alternate": alternate, "mine": one}, "mine")
    assert json.loads(found.formulas["mine"])["rewards"] == [1, 2, 3]
    assert "mine doesn't run on symbols" in found.section()
    assert (
        "mine doesn't run on symbols"
        not in interactive({"alternate": alternate}, "alternate").section()
    )


def test_the_grid_has_the_enumerated_updates():
    table = json.loads(updates_on_a_grid(regular, divisions=4).javascript())
    policies = grid(4)
    for one in table["grids"]:
        assert len(one["updates"]) == len(policies) == 15
        for policy, found in zip(policies, one["updates"], strict=True):
            assert found == pytest.approx(
                [float(entry) for entry in expected_update(regular, noiseless(policy, one["b"]))],
                abs=1e-5,
            )


def test_rounding_is_no_update():
    one, *_ = json.loads(updates_on_a_grid(own_estimators.clipped, divisions=4).javascript())[
        "grids"
    ]
    assert one["b"] == -4
    assert all(entry == 0 for each in one["updates"] for entry in each)


def test_an_update_that_is_not_defined_has_no_simplex():
    assert interactive({"regular": regular, "raising": raising}, "raising") is None
