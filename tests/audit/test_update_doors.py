"""An update through the doors people use: a decorated test, a notebook."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from altpg_verify import parametrize_with_checks, regular
from altpg_verify.audit import audit, compare
from altpg_verify.audit.findings import AuditError
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import from_estimator, from_function, update
from altpg_verify.audit.jax_updates import from_jax
from altpg_verify.audit.torch_updates import from_torch
from altpg_verify.errors import BadInput


@update(space=three_arms())
def plain(score, reward):
    return reward * score


@update(space=three_arms())
def backwards(score, reward):
    return -reward * score


@update(space=three_arms(), intended={"reversed": "it minimises"})
def meant(score, reward):
    return -reward * score


def marks(estimators):
    return parametrize_with_checks(estimators).mark.args[1]


@parametrize_with_checks([plain, meant])
def test_an_update_is_checked_like_an_estimator(estimator, check):
    assert check(estimator).ok


def test_ids_name_the_update_and_what_is_checked():
    ids = [each.id for each in marks([plain, regular, meant])]
    assert ids[0] == "plain-follows_target"
    assert ids[-1] == "meant-follows_target"
    assert "regular-unbiased" in ids


def test_a_wrong_update_fails_with_the_whole_audit():
    update, check = marks([backwards])[0].values
    with pytest.raises(AuditError, match="reversed") as caught:
        check(update)
    assert caught.value.audit.expected == tuple(-entry for entry in caught.value.audit.gradient)


def test_a_mark_that_does_not_come_true_fails():
    update, check = marks([plain.on(three_arms(), intended={"reversed": "why"})])[0].values
    with pytest.raises(AuditError):
        check(update)


def test_a_function_that_was_not_wrapped_says_how():
    with pytest.raises(BadInput, match="@update"):
        marks([lambda score: score])


def test_audits_and_comparisons_are_tables_in_a_notebook():
    found = audit(backwards)._repr_html_()
    both = compare(backwards, plain, ends=False)._repr_html_()
    for shown in (found, both):
        ElementTree.fromstring(f"<div>{shown}</div>")
    assert both.count("<table>") == 2
    assert "reversed" in found


@pytest.mark.parametrize("wrap", [from_function, from_torch, from_jax])
@pytest.mark.parametrize("word", ["origin", "summary", "rewritten", "freeze", "samples"])
def test_only_what_may_be_declared_is_taken(wrap, word):
    with pytest.raises(TypeError, match=rf"{wrap.__name__}\(\) got an unexpected.*'{word}'"):
        wrap(lambda rewards: rewards, space=three_arms(), **{word: ()})


def test_a_formula_takes_no_other_word():
    with pytest.raises(TypeError, match=r"from_estimator\(\) got an unexpected"):
        from_estimator(regular, space=three_arms(), exact=False)


def test_what_is_declared_of_a_formula_stays_with_it():
    made = from_estimator(regular, space=three_arms().having(b=0), name="own", frozen=["v"])
    assert (made.name, made.frozen, made.summary) == ("own", ("v",), regular.summary)
