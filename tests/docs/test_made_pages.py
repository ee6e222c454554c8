"""The pages that are made while the site is built say what the code says, and formulas are typeset
or refused.
"""

from __future__ import annotations

import html
import json
import re

import pytest

from altpg_verify.audit.draw_names import ALIASES, DRAWN, GIVEN
from altpg_verify.ledger_building import build
from altpg_verify.report.html.mathml import UntranslatableError
from altpg_verify.report.provenance import made
from altpg_verify.theory.claims import CLAIMS
from tests.docs.executor import hook
from tests.docs.pages import ROOT, every_page
from tests.report.sample import CLAIMS as SAMPLE
from tests.report.sample import FUNCTIONS

NAMES, CLAIMS_PAGE, FORMULAS = hook("names_page"), hook("claims_page"), hook("formulas")


@pytest.fixture(scope="module")
def names():
    return NAMES.page()


@pytest.mark.parametrize("name", [*DRAWN, *GIVEN])
def test_every_name_has_its_words_and_a_shape_somewhere(names, name):
    words, shapes = re.findall(rf"^\| `{name}` \| (.*) \|$", names, flags=re.MULTILINE)[:2]
    assert words.replace("\\|", "|") == {**DRAWN, **GIVEN}[name]
    assert len(shapes.split(" | ")) == len(NAMES.spaces())
    assert re.search(r"number|\(\d", shapes), (
        f"{name} is on no space of the page; add one that has it to docs/hooks/names_page.py"
    )


def test_other_names_are_told(names):
    assert all(f"`{other}` for `{name}`" in names for other, name in ALIASES.items())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("column", "name", "shape"),
    [
        ("one step", "reward", "number"),
        ("one step", "rewards", "(1,)"),
        pytest.param("batch of 5", "rewards", "(5,)", marks=pytest.mark.slow),
        ("batch of 5", "reward", ""),
        pytest.param("4 for each of 2 prompts", "logprobs", "(2, 4)", marks=pytest.mark.slow),
        ("one episode", "lengths", "number"),
        pytest.param("batch of 5 episodes", "mask", "(5, 2)", marks=pytest.mark.slow),
        pytest.param("batch of 5 episodes", "scores", "(5, 2, 2, 3)", marks=pytest.mark.slow),
        pytest.param("group of 4", "pi", "(2, 3)", marks=pytest.mark.slow),
    ],
)
def test_shapes_are_those_that_an_update_sees(column, name, shape):
    from altpg_verify.audit import audit, from_function

    space = NAMES.spaces()[column]
    assert NAMES.shape(space, name) == shape
    if shape:
        seen = set()

        def look(theta, **given):
            seen.add(str(given[name].shape) if getattr(given[name], "shape", ()) else "number")
            return 0 * theta

        namespace = {"look": look}
        exec(f"def asking(theta, {name}): return look(theta, {name}={name})", namespace)
        asking = from_function(namespace["asking"], space=space)
        audit(asking)
        assert seen == {shape}


# --- claims


@pytest.fixture(scope="module")
def synthetic():
    return build(SAMPLE, FUNCTIONS)


@pytest.fixture(scope="module")
def claims():
    return CLAIMS_PAGE.page()


def test_every_claim_is_there_with_its_statement_typeset(claims):
    assert re.findall(r'^<div class="claim" id="([^"]+)"', claims, flags=re.MULTILINE) == [
        claim.id for claim in CLAIMS
    ]
    assert "$" not in claims
    assert claims.count("<math") > len(CLAIMS)


def test_links_between_claims_lead_somewhere(claims):
    assert set(re.findall(r'href="#([\w-]+)"', claims)) <= {claim.id for claim in CLAIMS}


def test_verdicts_are_of_this_code_or_left_out(tmp_path, monkeypatch, synthetic):
    file = tmp_path / "ledger.json"
    monkeypatch.setattr(CLAIMS_PAGE, "LEDGER", file)
    assert CLAIMS_PAGE.verdicts() == {}
    settings = made(profile="quick", max_examples=200, seed=0)
    file.write_text(synthetic.as_json({**settings, "code": "0" * 64}), encoding="utf-8")
    assert CLAIMS_PAGE.verdicts() == {}
    assert "verdicts are left out" in CLAIMS_PAGE.origin({})
    file.write_text(synthetic.as_json(settings), encoding="utf-8")
    found = CLAIMS_PAGE.verdicts()
    assert set(found) == {claim.id for claim in SAMPLE}


def test_a_refuted_claim_shows_its_counterexample_and_what_is_true_instead(synthetic):
    stored = {claim["id"]: claim for claim in json.loads(synthetic.as_json())["claims"]}
    refuted = [entry for entry in synthetic.entries if str(entry.verdict) == "REFUTED"]
    assert refuted
    for entry in refuted:
        block = CLAIMS_PAGE.block(entry.claim, stored[entry.claim.id])
        assert '<span class="verdict refuted">REFUTED</span>' in block
        assert "Counterexample: " in block
        shown = html.unescape(re.sub(r"<[^>]*>", "", block))
        assert all(value in shown for value in entry.best.finding.instance.values())
        assert all(f'href="#{other}"' in block for other in entry.corrections)


# --- formulas


def test_a_formula_becomes_mathml_and_the_rest_stays():
    page = FORMULAS.typeset("before\n\n```formula\npi^* (a)\n```\n\n```python\nx = 1\n```\n")
    assert "<math" in page
    assert 'alttext="π*(a)"' in page
    assert page.startswith("before\n")
    assert page.endswith("```python\nx = 1\n```\n")


def test_a_formula_that_is_not_understood_stops_the_build():
    with pytest.raises(UntranslatableError):
        FORMULAS.typeset("```formula\nnosuchname(x)\n```")


def test_every_formula_of_the_pages_is_understood():
    shown = [FORMULAS.typeset((ROOT / page).read_text(encoding="utf-8")) for page in every_page()]
    assert sum(page.count("<math") for page in shown) > 2
