"""What an update, an objective or a `keep` answered is a number, or is refused in one sentence."""

from __future__ import annotations

import datetime
import fractions
import itertools
import random
from decimal import Decimal

import numpy as np
import pytest
import sympy

from altpg_verify.audit import Objective, audit, bandit, from_function
from altpg_verify.audit.answers import real_numbers
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator, BadInput

ARMS = bandit([1, 0])


def refused(ask) -> str:
    with pytest.raises(BadInput) as caught:
        ask()
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


NO_NUMBERS = {
    "ragged": [[1], [2, 3]],
    "texts": ["1", "2"],
    "bytes": [b"1", b"2"],
    "texts among objects": np.array(["1", "2"], dtype=object),
    "lists among objects": np.array([1, [2]], dtype=object),
    "dates": np.array(["2020-01-01"] * 2, dtype="datetime64[D]"),
    "durations": np.array([1, 2], dtype="timedelta64[D]"),
    "durations of Python": [datetime.timedelta(1)] * 2,
    "records": np.zeros(2, dtype=[("a", "f8")]),
    "raw bytes": np.zeros(2, dtype="V4"),
    "functions": [len, len],
    "letters": [sympy.Symbol("x")] * 2,
    "an imaginary unit": [sympy.I, sympy.Integer(1)],
    "an infinite number": [sympy.oo, sympy.Integer(1)],
    "no number": [sympy.nan] * 2,
    "no decimal": [Decimal("nan")] * 2,
    "complex objects": np.array([1j, 1], dtype=object),
    "nan among objects": np.array([np.nan, 1], dtype=object),
    "intervals": [sympy.Interval(0, 1)] * 2,
    "beyond float64": [10**400, 0],
    "nothing": None,
    "a set": {1, 2},
    "a generator": (each for each in (1, 2)),
}


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("answer", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_an_answer_that_is_no_number_is_refused(answer, batch):
    sentence = refused(
        lambda: audit(
            from_function(lambda rewards: answer, space=ARMS.batch(batch), name="mine"),
            differentiate=False,
        )
    )
    assert sentence.startswith("update 'mine' returned ")


@pytest.mark.parametrize(
    "half",
    [0.5, np.float32(0.5), fractions.Fraction(1, 2), Decimal("0.5"), sympy.Rational(1, 2)],
    ids=lambda half: type(half).__name__,
)
def test_a_number_of_any_kind_is_one(half):
    def towards(each):
        def mine(reward, score):
            return [each, -each] if score[0] > 0 else [-each, each]

        return audit(from_function(mine, space=ARMS, name="mine"), differentiate=False)

    assert np.allclose(towards(half).expected, towards(0.5).expected)
    assert towards(half).kind is towards(0.5).kind


def own(at, **options) -> Objective:
    return Objective("mine", "M", at, **options)


def followed(target) -> Kind:
    return audit(
        from_function(lambda reward, score: reward * score, space=ARMS, target=target),
        differentiate=False,
    ).kind


count = itertools.count()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (own(lambda at, held: "V"), "returned a str"),
        (own(lambda at, held: None), "returned a NoneType"),
        (own(lambda at, held: at.table[0]), "returned a ndarray"),
        (own(lambda at, held: at.value > 0), "returned a bool"),
        (own(lambda at, held: float("nan")), "returned nan"),
        (own(lambda at, held: sympy.Symbol("x")), "returned a Symbol"),
        (own(lambda at, held: 1 / 0), "raised ZeroDivisionError"),
        (own(lambda at, held: at.value + 1e-9 * next(count)), "remembers earlier calls"),
        (own(lambda at, held: at.value * (1 + (random.random() < 1e-4))), "draws random numbers"),
        (own(lambda at, held: at.value, fits=lambda space: "always"), "`fits` must return"),
        (own(lambda at, held: at.value, fits=lambda space: 1 / 0), "raised ZeroDivisionError"),
        (own(lambda at, held: np.sum(at.table[..., 0]), stacks=True), "gives other numbers"),
        (
            own(lambda at, held: at.table[..., :1] if at.table.ndim > 2 else at.value, stacks=True),
            "must return one number for each policy",
        ),
    ],
)
def test_an_objective_that_is_no_function_of_the_policy_is_refused(target, said):
    assert said in refused(lambda: followed(target))


def test_an_objective_of_ones_own_is_followed_stacked_or_not():
    for stacks in (False, True):
        right = own(lambda at, held: at.table[..., 0, 0] * 1, stacks=stacks)
        assert followed(right) is Kind.UNBIASED


def test_a_keep_by_chance_however_small_is_refused():
    update = from_function(
        lambda rewards, scores: (rewards[:, None] * scores).mean(axis=0),
        space=ARMS.batch(2).keeping(lambda draw: random.random() > 1e-6),
    )
    assert "draws random numbers" in refused(lambda: audit(update, differentiate=False))


@pytest.mark.parametrize(
    ("answer", "fine"),
    [
        (lambda draw: [], False),
        (lambda draw: lambda: False, False),
        (lambda draw: "no", False),
        (lambda draw: None, False),
        (lambda draw: float("nan"), False),
        (lambda draw: True, True),
        (lambda draw: np.bool_(True), True),
        (lambda draw: np.array(1), True),
    ],
)
def test_a_keep_answers_yes_or_no(answer, fine):
    update = from_function(
        lambda rewards, scores: (rewards[:, None] * scores).mean(axis=0),
        space=ARMS.batch(2).keeping(answer),
    )
    if fine:
        assert audit(update, differentiate=False).kind is Kind.UNBIASED
    else:
        assert "return True or False" in refused(lambda: audit(update, differentiate=False))


class _OwnMasked(np.ma.MaskedArray):
    pass


class _Posing:
    """Says that it is a masked array."""

    __class__ = np.ma.MaskedArray


@pytest.mark.parametrize(
    "value",
    [
        np.ma.array([1.0, 2.0], mask=[False, True]),
        np.ma.array([1.0, 2.0]),
        np.ma.array([1.0, 2.0]).view(_OwnMasked),
        np.ma.masked,
        _Posing(),
    ],
    ids=["masked", "of no mask", "of a class of one's own", "one number", "by its word"],
)
def test_a_masked_array_is_refused_of_whatever_class(value):
    with pytest.raises(BadEstimator, match="a masked array"):
        real_numbers(value, (2,), "update 'mine' returned", "theta", lambda: "on a draw")


def test_another_subclass_of_arrays_is_an_array():
    value = np.array([1.0, 2.0]).view(np.recarray)
    found = real_numbers(value, (2,), "update 'mine' returned", "theta", lambda: "on a draw")
    assert found.tolist() == [1.0, 2.0]
