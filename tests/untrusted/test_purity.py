"""A function is pure if everything it answered comes out the same elsewhere in time and chance;
what isn't is refused by name.
"""

from __future__ import annotations

import random
import time
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.purity import Purity, _alike, _spread, bits, is_zero
from tests.untrusted.establishing import DRAWS, establish
from tests.untrusted.test_impure_programs import cached_square, own_random, slotted, table

slotted.n = 0


def test_the_clock():
    with pytest.raises(
        BadEstimator, match=r"update 'mine' reads the clock: it calls time.time; take the time out"
    ):
        establish(lambda r, b: (r - b) * (1 if time.time() > 1e9 else 2))


def seeds_itself(r, b):
    np.random.seed(5)
    return (r - b) * np.random.random()


def fresh_but_seeded(r, b):
    return (r - b) * np.random.default_rng(7).random() + random.Random(1).random()


def remembered(r, b):
    if (r, b) not in table:
        table[r, b] = r * r - b
    return table[r, b]


rate = Fraction(1, 2)


def lazily(r, b):
    global rate
    rate = rate or Fraction(1, 2)
    return rate * (r - b)


PURE = {
    "a formula": lambda r, b: r - b,
    "arrays": lambda r, b: np.array([float(r), b]) * 0.1,
    "arrays of Fractions": lambda r, b: np.array([r, b, r / 3], dtype=object),
    "not a number": lambda r, b: np.array([float("nan"), float(b)]),
    "a mapping": lambda r, b: {"theta": np.ones(3) * float(r), "phi": b},
    "a generator of its own that it seeds": fresh_but_seeded,
    "the global generator, seeded in each call": seeds_itself,
    "functools.lru_cache": lambda r, b: cached_square(r) - b,
    "a table kept by hand": remembered,
    "a lazy constant": lazily,
}


@pytest.mark.parametrize("kind", PURE)
def test_what_is_pure_passes(kind):
    evidence = establish(PURE[kind])
    assert evidence.compared == evidence.of == len(DRAWS)
    assert "the same to the last bit" in str(evidence)


def test_generators_are_left_as_they_were():
    random.seed(5)
    np.random.seed(5)
    before = random.getstate(), np.random.get_state()[1].tobytes()
    establish(lambda r, b: r - b)
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == before


def test_zeros_are_no_evidence():
    assert establish(lambda r, b: 0 * r).nonzero == 0
    assert establish(lambda r, b: r * 1).nonzero == len(DRAWS) - 5


def test_of_many_draws_each_kind_is_asked_and_zeros_last():
    draws = [(Fraction(i % 2), 0) for i in range(9000)] + [(Fraction(1), 5)]
    asked = []

    def formula(r, b):
        asked.append(b)
        return r + b

    guard = Purity(lambda r, b: r + b, "update 'mine'")
    evidence = guard.establish(
        lambda i: formula(*draws[i]),
        [r + b for r, b in draws],
        strata=[b for _, b in draws],
        limit=100,
    )
    assert 5 in asked
    assert evidence.compared == 100
    assert evidence.nonzero >= 50


def test_declared_seeds_make_randomness_harmless():
    def seeded(r, b):
        random.seed(0)
        return (r - b) * random.random()

    establish(seeded, seeded=True)


@pytest.mark.parametrize(
    ("one", "other"), [(0.0, -0.0), (1, 1.0), (np.float32(1), np.float64(1)), ([1, 2], [1, 3])]
)
def test_bits_tell_apart(one, other):
    assert bits(one) != bits(other)
    assert bits(one) == bits(one)


class Incomparable:
    def __eq__(self, other):
        raise ValueError

    __hash__ = None


def test_zero_in_all_its_forms():
    assert all(
        is_zero(each)
        for each in (
            0,
            0.0,
            Fraction(0),
            np.zeros(3),
            {"a": [0, np.array([Fraction(0)], dtype=object)]},
        )
    )
    assert not any(is_zero(each) for each in (1, np.array([0, 1e-300]), {"a": [0, 1]}, "0"))
    assert not is_zero(Incomparable())


def test_torch_generators_are_seen():
    torch = pytest.importorskip("torch")
    own = torch.Generator().manual_seed(1)
    for drawing in (
        lambda r, b: torch.rand(1) * float(r),
        lambda r, b: torch.rand(1, generator=own) * float(r),
    ):
        with pytest.raises(BadEstimator, match="draws random numbers"):
            establish(drawing)
    establish(lambda r, b: torch.ones(2) * float(r))


def test_an_address_taken_without_id_is_another_beside_objects_that_are_kept():
    def by_address(i):
        return i + object().__hash__() % 1009

    guard = Purity(by_address, "it")
    with pytest.raises(BadEstimator, match=r"the same to the last bit|gave another answer"):
        guard.establish(by_address, [by_address(i) for i in range(50)])


@pytest.mark.parametrize("odd_one", [0, 1, 7, len(DRAWS) - 1])
def test_each_answer_is_compared_with_its_own_first_one(odd_one):
    answers = [r - b for r, b in DRAWS]
    answers[odd_one] += 1
    with pytest.raises(BadEstimator, match="one draw, asked again, gave another answer"):
        Purity(lambda r, b: r - b, "it").establish(lambda i: DRAWS[i][0] - DRAWS[i][1], answers)


def test_a_generator_is_seen_to_move_though_few_draws_move_it_and_no_answer_shows_it():
    def formula(r, b):
        if (r, b) == DRAWS[1]:
            own_random.random()
        return r - b

    with pytest.raises(BadEstimator, match=r"draws random numbers: its calls move the generator"):
        establish(formula)


def answering(*reported):
    """`establish` of answers that come by a hidden way: the answers of `reported`, one after the
    other and then the last again and again.
    """
    calls = iter(reported)
    last = [None]

    def run(i):
        last[0] = next(calls, last[0])
        return last[0]() if callable(last[0]) else last[0]

    return lambda: Purity(lambda r, b: r, "it").establish(run, [1])


@pytest.mark.parametrize(
    ("reported", "said"),
    [
        # the same from the same start, so it's what went before
        ([2], r"^it remembers earlier calls: one draw"),
        # a visible generator decides
        ([2, 3, 3, 4], r"^it draws random numbers: one draw"),
        # nothing that can be seen decides: many answers, or two by turns
        (
            [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
            r"^it draws random numbers or remembers earlier calls: one draw",
        ),
        ([2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3], r"^it remembers earlier calls: one draw"),
        # the same from the same start, though afterwards it never is
        ([2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11], r"^it remembers earlier calls: one draw"),
    ],
)
def test_why_an_answer_is_another_one(reported, said):
    with pytest.raises(BadEstimator, match=said):
        answering(*reported)()


def test_an_answer_that_becomes_a_refusal_is_another_answer():
    def refuses():
        raise BadInput("no such thing")

    with pytest.raises(BadEstimator, match=r"gave another answer \(no such thing\)"):
        answering(refuses)()


def test_what_was_asked_is_said():
    assert (
        str(establish(lambda r, b: r * 1))
        == "pure: all 65 answers asked again, 60 of them not zero, the same to the last bit"
    )
    assert str(establish(lambda r, b: r * 1, limit=10)).startswith(
        "pure: 10 of 65 answers asked again"
    )


@pytest.mark.parametrize(
    ("most", "chosen"),
    [
        (4, [0, 3, 6, 9]),
        (2, [0, 9]),
        (1, [0]),
        (0, []),
        (10, list(range(10))),
        (11, list(range(10))),
    ],
)
def test_a_share_is_spread_from_the_first_to_the_last(most, chosen):
    assert _spread(range(10), most) == chosen


def test_bits_and_zeros_of_tables_objects_and_tensors():
    torch = pytest.importorskip("torch")
    objects = [np.array([Fraction(1), Fraction(n)], dtype=object) for n in (0, 1)]
    tensors = [torch.tensor([1.0, n], requires_grad=True) for n in (0.0, 1.0)]
    for one, other in (
        ({"a": 1.0}, {"a": 2.0}),
        ({"a": 1.0}, {"b": 1.0}),
        objects,
        tensors,
        ("a", "b"),
        (1.5, 2.5),
    ):
        assert bits(one) != bits(other)
        assert bits(one) == bits(one)
    assert not any(
        map(
            is_zero,
            (
                *objects,
                *tensors,
                {"a": 1, "b": 0},
                {"a": 0, "b": 1},
                object(),
                [0, 1],
                np.array([[0.0, 1.0]]),
            ),
        )
    )
    assert all(
        map(
            is_zero, (0 * objects[0], 0 * tensors[0], np.array([[0.0]]), np.float64(0), Fraction(0))
        )
    )


def test_two_refusals_are_alike_if_they_say_the_same():
    def equal(one, other):
        return one == other

    assert _alike(equal, "raised: x", "raised: x")
    assert not _alike(equal, "raised: x", "raised: y")
    assert not _alike(lambda one, other: True, "raised: x", 1)
    assert not _alike(lambda one, other: True, 1, "raised: x")
    assert _alike(equal, 1, 1)
