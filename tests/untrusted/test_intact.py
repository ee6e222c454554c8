"""Somebody's code that replaces what the check works with gets no verdict, and leaves nothing
behind.
"""

from __future__ import annotations

import fractions
import math

import numpy as np
import pytest

from altpg_verify import check_estimator, checks, estimator
from altpg_verify import law_engine as engine
from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.objectives import OBJECTIVES
from altpg_verify.errors import BadEstimator
from altpg_verify.judging import RELATIONS
from altpg_verify.laws import LAWS
from altpg_verify.untrusted import intact as intact_module
from altpg_verify.untrusted.intact import intact
from altpg_verify.verdicts import Verdict


@pytest.fixture(autouse=True)
def _looked_at_anew(monkeypatch):
    """What was settled is worked out in each test, as in a new process."""
    monkeypatch.setattr(intact_module, "_SETTLED", type(intact_module._SETTLED)())


class Elsewhere:
    pass


REPLACEMENTS = [
    (math, "sin", "math.sin"),
    (np, "unique", "numpy.unique"),
    (np.linalg, "norm", "numpy.linalg.norm"),
    (fractions.Fraction, "__add__", "fractions.Fraction.__add__"),
    (engine, "TOLERANCE", "altpg_verify.law_engine.TOLERANCE"),
    (engine.LawEngine, "_fails", "altpg_verify.law_engine.LawEngine._fails"),
]


@pytest.mark.parametrize(
    ("owner", "name", "told"), REPLACEMENTS, ids=[told for *_, told in REPLACEMENTS]
)
def test_what_is_replaced_is_named_and_put_back(owner, name, told):
    own = vars(owner)[name]
    with (
        pytest.raises(
            BadEstimator, match=f"^it replaces {told}, which the check itself works with"
        ),
        intact("it"),
    ):
        setattr(owner, name, None)
    assert vars(owner)[name] is own


def test_what_is_deleted_is_put_back():
    own = engine.TOLERANCE
    with pytest.raises(BadEstimator, match="TOLERANCE"), intact("it"):
        del engine.TOLERANCE
    assert own == engine.TOLERANCE


def test_what_is_added_to_a_class_is_taken_away():
    with pytest.raises(BadEstimator, match=r"LawEngine\.__eq_again__"), intact("it"):
        engine.LawEngine.__eq_again__ = None
    assert not hasattr(engine.LawEngine, "__eq_again__")


def test_an_entry_of_a_table_is_put_back_and_a_new_one_may_come():
    own = dict(RELATIONS)
    with pytest.raises(BadEstimator, match="RELATIONS"), intact("it"):
        RELATIONS["="] = None
    assert own == RELATIONS
    with intact("it"):
        RELATIONS["new"] = None
    del RELATIONS["new"]


def test_a_module_may_get_new_names_and_others_may_change():
    with intact("it"):
        engine.new_name = 1
        Elsewhere.anything = 1
    del engine.new_name


def test_an_error_of_a_check_that_was_tampered_with_is_no_error_of_the_check():
    def tampered():
        math.cos = None
        raise ZeroDivisionError

    with pytest.raises(BadEstimator, match=r"math\.cos"), intact("it"):
        tampered()
    with pytest.raises(ZeroDivisionError), intact("it"):
        raise ZeroDivisionError


def test_an_interruption_stays_one():
    own = math.cos

    def interrupted():
        math.cos = None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), intact("it"):
        interrupted()
    assert math.cos is own


def test_checks_and_audits_are_guarded():
    @estimator
    def lenient(pi, e, r, b):
        engine.TOLERANCE = 1e300
        return 2.0 * (r - b) * (e - pi)

    def replacing(reward, score):
        engine.TOLERANCE = 1e300
        return reward * score

    with pytest.raises(
        BadEstimator, match=r"estimator 'lenient' replaces altpg_verify\.law_engine\.TOLERANCE"
    ):
        check_estimator(lenient, on_fail="return")
    update = from_function(replacing, space=bandit([0, 1]))
    for options in ({}, {"samples": 1000}):
        with pytest.raises(
            BadEstimator, match=r"update 'replacing' replaces altpg_verify\.law_engine\.TOLERANCE"
        ):
            audit(update, **options)


def with_its_code(function):
    def edit():
        function.__code__ = (lambda *arguments, **named: True).__code__

    return edit


def with_its_default(function):
    def edit():
        function.__defaults__ = (1,)

    return edit


def with_attribute(value, name):
    return lambda: object.__setattr__(value, name, lambda *arguments: ([0], [0]))


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (with_its_code(engine.LawEngine._fails), r"altpg_verify\.law_engine\.LawEngine\._fails"),
        (with_its_default(checks.check_estimator), r"altpg_verify\S*\.check_estimator"),
        (with_attribute(LAWS[0], "sides"), r"altpg_verify\S*\.LAWS"),
        (with_attribute(OBJECTIVES["value"], "gradient"), r"altpg_verify\S*\.(OBJECTIVES|value)"),
        (with_attribute(Verdict.REFUTED, "_value_"), r"altpg_verify\.verdicts\.Verdict\.\w+"),
    ],
)
def test_what_is_edited_in_place_is_named_and_put_back(edit, told):
    kept = (
        engine.LawEngine._fails.__code__,
        checks.check_estimator.__defaults__,
        LAWS[0].sides,
        Verdict.REFUTED.value,
    )
    with (
        pytest.raises(
            BadEstimator, match=f"^it replaces {told}, which the check itself works with"
        ),
        intact("it"),
    ):
        edit()
    assert kept == (
        engine.LawEngine._fails.__code__,
        checks.check_estimator.__defaults__,
        LAWS[0].sides,
        Verdict.REFUTED.value,
    )
    assert "gradient" not in vars(OBJECTIVES["value"])


def test_what_an_object_works_out_once_may_come_to_it():
    audit(
        from_function(lambda reward, score: reward * score, space=bandit([1, 2])),
        differentiate=False,
    )
    with intact("it"):
        audit(
            from_function(lambda reward, score: reward * score, space=bandit([1, 2])),
            differentiate=False,
        )
