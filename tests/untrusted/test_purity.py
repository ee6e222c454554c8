"""A function is pure if everything it answered comes out the same elsewhere in time and chance;
what isn't is refused by name.
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import secrets
import time
import uuid
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.purity import Purity, PurityEvidence, _alike, _spread, bits, is_zero
from altpg_verify.untrusted.state import Snapshot
from altpg_verify.untrusted.tensors import ESCAPED

DRAWS = [(Fraction(r, 7), b) for r in range(-6, 7) for b in range(5)]


def establish(function, draws=DRAWS, **options) -> PurityEvidence:
    guard = Purity(function, "update 'mine'")
    answers = [function(*draw) for draw in draws]
    return guard.establish(lambda i: function(*draws[i]), answers, **options)


calls = 0
history: list[Fraction] = []
running = {"mean": Fraction(0)}
table: dict = {}
own_random = random.Random(3)
own_generator = np.random.default_rng(3)
own_state = np.random.RandomState(3)
counter = itertools.count()
sums = np.zeros(2)
seen: set = set()
rate = Fraction(1, 2)
switch = False


class Box:
    total = 0


class Slotted:
    __slots__ = ("n",)


slotted = Slotted()
slotted.n = 0


def after_3000_calls(r, b):
    global calls
    calls += 1
    return r - b if calls <= 3000 else b - r


def appends(r, b):
    history.append(r)
    return (r - b) * (1 if len(history) < 3000 else 2)


def running_mean(r, b):
    running["mean"] += (r - running["mean"]) / 100
    return r - running["mean"]


def seen_before(r, b):
    seen.add(len(seen))
    return (r - b) * (1 if len(seen) < 9999 else 2)


def mutable_default(r, b, kept=[0]):  # noqa: B006 - this is what is tried
    kept[0] += 1
    return (r - b) * (1 if kept[0] < 9999 else 2)


def function_attribute(r, b):
    function_attribute.n = getattr(function_attribute, "n", 0) + 1
    return (r - b) * (1 if function_attribute.n < 9999 else 2)


def turns_a_switch(r, b):
    global switch
    switch = not switch
    return (r - b) * (1 if switch in (True, False) else 2)


def class_attribute(r, b):
    Box.total += 1
    return (r - b) * (1 if Box.total < 9999 else 2)


def slot(r, b):
    slotted.n += 1
    return (r - b) * (1 if slotted.n < 9999 else 2)


def counts(r, b):
    return (r - b) * (1 if next(counter) < 9999 else 2)


def adds_up(r, b):
    sums[0] += 1
    return (r - b) * (1 if sums[0] < 9999 else 2)


def on_a_library(r, b):
    np.hidden_counter = getattr(np, "hidden_counter", 0) + 1
    return (r - b) * (1 if np.hidden_counter < 9999 else 2)


def by_a_helper(r, b):
    return running_mean(r, b)


def some_draws_only(r, b):
    global calls
    if r == Fraction(5, 7):
        calls += 1
    return (r - b) * (1 if calls < 9999 else 2)


@functools.lru_cache
def cached_square(x):
    return x * x


def hits(r, b):
    return (cached_square(r) - b) * (1 if cached_square.cache_info().hits < 99_999 else 2)


def closure():
    n = 0

    def formula(r, b):
        nonlocal n
        n += 1
        return (r - b) * (1 if n < 9999 else 2)

    return formula


class Object:
    def __init__(self):
        self.n = 0

    def formula(self, r, b):
        self.n += 1
        return (r - b) * (1 if self.n < 9999 else 2)


def yielding():
    n = 0
    while True:
        n += 1
        yield n


ticks = yielding()


def from_a_generator(r, b):
    return (r - b) * (1 if next(ticks) < 9999 else 2)


REMEMBERING = {
    "a counter that changes after 3,000 calls": after_3000_calls,
    "a list that grows": appends,
    "a running mean": running_mean,
    "a set that grows": seen_before,
    "a mutable default": mutable_default,
    "an attribute of the function": function_attribute,
    "an attribute of a class": class_attribute,
    "a switch that is turned": turns_a_switch,
    "a slot": slot,
    "itertools.count": counts,
    "an array": adds_up,
    "an attribute of numpy": on_a_library,
    "in a helper": by_a_helper,
    "a counter of rare draws": some_draws_only,
    "hits of a cache": hits,
    "a closure": closure(),
    "a bound method": Object().formula,
    "a partial of one": functools.partial(mutable_default, kept=[0]),
    "a generator object": from_a_generator,
}


@pytest.mark.parametrize("kind", REMEMBERING)
def test_what_keeps_state_is_refused_before_it_matters(kind):
    with pytest.raises(
        BadEstimator,
        match=r"update 'mine' remembers earlier calls: .* take what it keeps as an argument",
    ):
        establish(REMEMBERING[kind])


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (after_3000_calls, "module variable 'calls' changes"),
        (running_mean, r"module variable 'running'\['mean'\] changes"),
    ],
)
def test_the_variable_is_named(function, named):
    with pytest.raises(BadEstimator, match=named):
        establish(function)


def test_state_in_a_file_is_found_where_it_makes_a_difference(tmp_path):
    file = tmp_path / "count"

    def counting(r, b):
        n = len(file.read_bytes()) if file.exists() else 0
        file.write_bytes(b"x" * (n + 1))
        return (r - b) * n

    with pytest.raises(
        BadEstimator, match=r"looks at what isn't the same in every run: it calls posix\.stat"
    ):
        establish(counting)


RANDOM = {
    "random": lambda r, b: (r - b) * (1 if random.random() < 0.99 else 0),
    "numpy.random": lambda r, b: (r - b) * (1 if np.random.random() < 0.99 else 0),
    "random.Random of the module": lambda r, b: (r - b) * (1 if own_random.random() < 0.99 else 0),
    "numpy Generator": lambda r, b: (r - b) * (1 if own_generator.random() < 0.99 else 0),
    "numpy RandomState": lambda r, b: (r - b) * (1 if own_state.random_sample() < 0.99 else 0),
    "os.urandom": lambda r, b: (r - b) * (1 if os.urandom(1) < b"\xff" else 0),
    "secrets": lambda r, b: (r - b) * (1 if secrets.randbelow(1000) else 0),
    "uuid": lambda r, b: (r - b) * (1 if uuid.uuid4().int % 1000 else 0),
    "SystemRandom": lambda r, b: (r - b) * (1 if random.SystemRandom().random() < 0.99 else 0),
    "a fresh default_rng": (
        lambda r, b: (r - b) * (1 if np.random.default_rng().random() < 0.99 else 0)
    ),
    "a fresh Random": lambda r, b: (r - b) * (1 if random.Random().random() < 0.99 else 0),
    "a bound method": functools.partial(
        lambda draw, r, b: (r - b) * (1 if draw() < 0.99 else 0), own_random.random
    ),
    "on rare draws": (
        lambda r, b: (r - b) * (random.random() if r == Fraction(5, 7) and b == 3 else 1)
    ),
    "in a cache": lambda r, b: (r - b) * cached_noise(r),
    "in a table": lambda r, b: (r - b) * table.setdefault(r, np.random.random()),
}


@functools.lru_cache
def cached_noise(r):
    return random.random()


@pytest.mark.parametrize("kind", RANDOM)
def test_what_draws_random_numbers_is_refused(kind):
    with pytest.raises(
        BadEstimator, match=r"update 'mine' draws random numbers: .* declare them as `choices`"
    ):
        establish(RANDOM[kind])


def test_a_state_that_is_read_and_not_moved_is_chance_too():
    with pytest.raises(BadEstimator, match=r"update 'mine' draws random numbers"):
        establish(lambda r, b: (r - b) * random.getstate()[1][5])


def test_what_was_kept_of_many_draws_excuses_nothing_else():
    guard = Purity(lambda r, b: r, "it")
    names = {"a": ESCAPED, "n": 1}, {"a": 2, "n": 2}, {"a": 2, "n": 2}
    taken = iter([Snapshot(tokens) for tokens in names])
    guard.memory.snapshot = lambda: next(taken)
    with pytest.raises(BadEstimator, match=r"remembers earlier calls: (a|n) changes"):
        guard.establish(lambda i: 1, [1])


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
