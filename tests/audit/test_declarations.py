"""What is declared of a space is checked when it is declared: one sentence for each unusable input,
never anything but `BadInput`.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from altpg_verify.audit import bandit, contexts, decisions, mdp, with_policy
from altpg_verify.audit.declarations import as_fraction, checked_chances, checked_choices, whole
from altpg_verify.audit.draw_counts import log10_count
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.fixtures import stop_or_go, three_arms, two_prompts
from altpg_verify.audit.policies import sigmoid_policy, softmax_policy
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

ONE_STATE = [[[1], [1]]]

UNUSABLE = {
    "no rewards": (lambda: bandit([]), "rewards: there are no actions"),
    "no list": (lambda: bandit(3), "rewards must be a list, not 3"),
    "text": (lambda: bandit("abc"), "rewards must be a list, not 'abc'"),
    "infinite": (lambda: bandit([1, float("inf")]), "rewards: inf is not finite"),
    "nan": (lambda: bandit([1, float("nan")]), "rewards: nan is not finite"),
    "float32 nan": (lambda: bandit([1, np.float32("nan")]), "rewards: nan is not finite"),
    "decimal nan": (
        lambda: bandit([1, Decimal("nan")]),
        r"rewards: Decimal\('NaN'\) is not finite",
    ),
    "decimal infinity": (lambda: bandit([1, Decimal("-inf")]), "is not finite"),
    "endless decimal": (
        lambda: bandit([1, Decimal("1e999999999")]),
        "beyond what float64 computes with",
    ),
    "endless text": (lambda: bandit([1, "1e999999999"]), "too large an exponent"),
    "large": (
        lambda: bandit([1, 10**400]),
        r"rewards: about 10\^400 is beyond what float64 computes with",
    ),
    "huge": (lambda: bandit([1, 10**5000]), r"rewards: about 10\^5000 is beyond"),
    "tiny": (lambda: bandit([1, "1e-350"]), "beyond what float64 computes with"),
    "symbol": (lambda: bandit([1, sympy.Symbol("x")]), "rewards: x is no number"),
    "complex": (lambda: bandit([1, 1j]), "rewards: 1j is no number"),
    "none": (lambda: bandit([1, None]), "rewards: None is no number"),
    "nested": (lambda: bandit([1, [[1, 2], 3]]), r"rewards: 3 is no \(value, chance\) pair"),
    "chances of 3/4": (
        lambda: bandit([[(1, "1/2"), (0, "1/4")], 0]),
        "rewards: the chances add up to 3/4, not to 1",
    ),
    "chances -1 and 2": (
        lambda: bandit([[(1, -1), (0, 2)], 0]),
        "rewards: a chance of -1 is not between 0 and 1",
    ),
    "a chance of 0": (lambda: bandit([[(1, 0), (0, 1)], 0]), "entry 0 has a chance of 0"),
    "pi too small": (
        lambda: bandit([1, 0], pi=["1e-400", 1]),
        "too large an exponent|beyond what float64",
    ),
    "pi with zero": (lambda: bandit([1, 0], pi=[0, 1]), "pi: 0 is not positive"),
    "negative pi": (lambda: bandit([1, 0], pi=["-1/2", "3/2"]), "pi: '-1/2' is not positive"),
    "pi of 3/4": (lambda: bandit([1, 0], pi=["1/2", "1/4"]), "pi: the chances add up to 3/4"),
    "pi and theta": (
        lambda: bandit([1, 0], pi=["1/2", "1/2"], theta=[0, 0]),
        "pi and theta are both given",
    ),
    "theta nan": (lambda: bandit([1, 0], theta=[0, float("nan")]), "theta: .* aren't finite"),
    "theta too long": (
        lambda: bandit([1, 0], theta=[0, 0, 0]),
        "theta has 3 entries for 2 actions",
    ),
    "discount 2": (lambda: bandit([1, 0], discount=2), "discount: γ = 2 is not between 0 and 1"),
    "batch of 0": (
        lambda: three_arms().batch(0),
        "batch size must be a whole number of at least 1, not 0",
    ),
    "batch of True": (lambda: three_arms().batch(True), "batch size must be a whole number"),
    "half a group": (
        lambda: two_prompts().group(2.5),
        "group size must be a whole number of at least 1, not 2.5",
    ),
    "behaviour of 3/4": (
        lambda: three_arms().sampled_by(["1/2", "1/8", "1/8"]),
        "behaviour, row 0: the chances add up to 3/4",
    ),
    "negative behaviour": (
        lambda: three_arms().sampled_by([-1, 1, 1]),
        "behaviour, row 0: a chance of -1 is not between",
    ),
    "narrow behaviour": (
        lambda: three_arms().sampled_by(["1/2", "1/2"]),
        "behaviour has 1 rows of 2 entries, and the policy 1 of 3",
    ),
    "returned behaviour": (
        lambda: three_arms().sampled_by(lambda p: [0.5, 0.5, 0.5]),
        "behaviour, row 0: .* no probabilities that add up to 1",
    ),
    "failing behaviour": (
        lambda: three_arms().sampled_by(lambda p: p["w"]),
        "behaviour raised KeyError",
    ),
    "illegal behaviour": (
        lambda: contexts([[1, 0, 5]], legal=[[True, True, False]]).sampled_by(
            ["1/4", "1/4", "1/2"]
        ),
        "behaviour takes action 2 in state 0, where it can't be taken",
    ),
    "reference of 2": (
        lambda: three_arms().against([1, "1/2", "1/2"]),
        "reference, row 0: the chances add up to 2",
    ),
    "reference of 0": (
        lambda: three_arms().against([1, 0, 0]),
        "reference never takes action 1 in state 0",
    ),
    "a batch beyond words": (
        lambda: three_arms().batch(10**400),
        r"batch size must be at most 1000000000000, not about 10\^400",
    ),
    "theta beyond": (lambda: bandit([1, 0], theta=[1e308, -1e308]), "entries beyond 10\\^100"),
    "no parameters": (
        lambda: Space("x", three_arms().episodes, three_arms().policy, {}),
        "the policy reads 'theta' of shape",
    ),
    "other parameters": (
        lambda: Space("x", three_arms().episodes, three_arms().policy, {"theta": np.zeros(2)}),
        "the parameters have shape",
    ),
    "keep": (lambda: three_arms().keeping(3), "keep must be a function of a draw"),
    "prompts": (
        lambda: contexts([[1, 0], [1, 0]], weights=["1/2", "1/4"]),
        "weights: the chances add up to 3/4",
    ),
    "legal": (lambda: contexts([[1, 0]], legal=[[True]]), "legal must be 1 rows of 2 truth values"),
    "transitions": (
        lambda: mdp([[["1/2"], [1]]], [[0, 1]], [1], horizon=2),
        "transitions of state 0, action 0: the chances add up to 1/2",
    ),
    "narrow transitions": (
        lambda: mdp([[[1]], [[1]]], [[0], [1]], [1, 0], horizon=2),
        "1 chances for 2 states",
    ),
    "start": (
        lambda: mdp(ONE_STATE, [[0, 1]], ["1/2"], horizon=2),
        "start: the chances add up to 1/2",
    ),
    "start at the end": (
        lambda: mdp([[[0, 1]], [[0, 1]]], [[0], [0]], [0, 1], ends=[1], horizon=2),
        "start: an episode can start in a state",
    ),
    "ends": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], ends=[4], horizon=2),
        "ends: there is no state 4",
    ),
    "horizon": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], horizon=0),
        "horizon must be a whole number of at least 1",
    ),
    "long horizon": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], horizon=10**9),
        "horizon: 1000000000 steps are more",
    ),
    "many episodes": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], horizon=9000),
        "has 137,438,953,472 episodes or more within 9000 steps",
    ),
    "limit": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], horizon=2, at_limit="bootstrap"),
        "at_limit: 'bootstrap' is not known",
    ),
    "limit too long": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], horizon=2, at_limit=[1, 2]),
        "at_limit has 2 entries for 1 states",
    ),
    "endless value": (
        lambda: mdp(ONE_STATE, [[0, 1]], [1], horizon=2, at_limit="value"),
        "the policy's value isn't finite",
    ),
    "probabilities": (
        lambda: decisions(stop_or_go().episodes, sigmoid_policy(2), [1, "1/2"]),
        "probabilities: 1 is not strictly between",
    ),
    "episodes add up": (
        lambda: decisions(stop_or_go().episodes[:2], sigmoid_policy(2), ["1/2", "1/2"]),
        "action 1 in state 1: no episode takes it",
    ),
    "an action twice": (
        lambda: Space(
            "twice",
            tuple(Episode(1, (0,), (a,), (0,)) for a in (0, 1, 1)),
            softmax_policy(1, 2),
            {"theta": np.zeros(2)},
        ),
        "don't add up to 1 for every policy",
    ),
    "unknown state": (
        lambda: Space(
            "x", (Episode(1, (3,), (0,), (0,)),), softmax_policy(1, 2), {"theta": np.zeros(2)}
        ),
        "in state 3",
    ),
    "no step": (lambda: Episode(Fraction(1), (), (), ()), "0 states, 0 actions and 0 rewards"),
    "a negative episode": (
        lambda: Episode(Fraction(-1), (0,), (0,), (0,)),
        "an episode has a chance of -1",
    ),
    "logits": (
        lambda: with_policy(three_arms(), lambda p: [[0.0, 0.0]], w=[0.0]),
        r"returned shape \(1, 2\), and the policy has \(1, 3\)",
    ),
    "failing logits": (
        lambda: with_policy(three_arms(), lambda p: p["v"], w=[0.0]),
        "logits raised KeyError",
    ),
    "moved": (
        lambda: three_arms().at(theta=[0.0, 0.0]),
        r"theta has shape \(2,\), and the policy reads \(3,\)",
    ),
    "far weights": (lambda: three_arms().at(weights=["1e-250", 1, "1e90"]), "below 10\\^-300"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_each_gets_one_sentence(kind):
    make, message = UNUSABLE[kind]
    with pytest.raises(BadInput, match=message) as caught:
        make()
    assert type(caught.value) is BadInput
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("space", "size"),
    [
        (three_arms().batch(9100), r"≈10\^4342"),
        (three_arms().batch(10**9), r"≈10\^477121255"),
        (three_arms().batch(10**9, exchangeable=True), r"≈10\^18"),
        (two_prompts().group(10**6), r"≈10\^301030"),
        (two_prompts().group(10**6, every_start=True), r"≈10\^602060"),
        (bandit([1, 0]).batch(2000, exchangeable=True), "2,001 draws"),
        (bandit([1]).batch(10**9), "1 draws of up to 1,000,000,000 steps"),
    ],
    ids=str,
)
def test_a_space_too_big_says_its_size_and_the_way_out(space, size):
    if space.draws_count == 2001:
        assert sum(part.count for part in Enumeration(space, merged=True).parts) == 2001
        return
    with pytest.raises(BadInput, match=size) as caught:
        _ = Enumeration(space, merged=space.exchangeable).parts
    assert "smaller" in str(caught.value)
    assert "samples=N" in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("exchangeable", [False, True])
def test_sizes_by_logarithms_are_those_that_are_counted(exchangeable):
    for size in (1, 2, 5, 9):
        for space in (
            three_arms().batch(size, exchangeable=exchangeable),
            two_prompts().group(size, exchangeable=exchangeable),
        ):
            assert 10 ** log10_count(space, exchangeable) == pytest.approx(space.draws_count)
            assert space.draws_count == sum(
                part.count for part in Enumeration(space, exchangeable).parts
            )


def test_numbers_are_what_was_written():
    assert [
        as_fraction("x", each)
        for each in (
            1,
            "1/3",
            0.5,
            Decimal("0.1"),
            np.float32(0.25),
            np.int8(3),
            sympy.Rational(2, 3),
        )
    ] == [1, Fraction(1, 3), Fraction(1, 2), Fraction(1, 10), Fraction(1, 4), 3, Fraction(2, 3)]
    assert checked_chances("x", [0.1] * 10) == (Fraction(1, 10),) * 10
    assert checked_chances("x", [1 / 3] * 3) == (Fraction(1, 3),) * 3
    assert sum(checked_chances("x", np.random.default_rng(0).dirichlet(np.ones(7)))) == 1
    assert (
        sum(checked_chances("x", np.random.default_rng(0).dirichlet(np.ones(7)).astype(np.float64)))
        == 1
    )
    assert whole("n", np.int64(4)) == 4


def test_choices_are_exact_or_refused():
    assert checked_choices({"coin": [(0, "1/2"), (1, 0.5)]}) == {
        "coin": ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    }
    assert checked_choices(None) == {}
    for choices, message in (
        ({"coin": [(0, "1/2"), (1, "1/4")]}, "choices 'coin': the chances add up to 3/4"),
        ({"coin": [(0, -1), (1, 2)]}, "choices 'coin': a chance of -1"),
        ({"coin": [(0, 0), (1, 1)]}, "choices 'coin': entry 0 has a chance of 0"),
        ({"coin": [(0, "one half"), (1, "1/2")]}, "choices 'coin': 'one half' is no number"),
        ({"coin": [0, 1]}, "choices 'coin': 0 is no "),
        ({"coin": []}, "choices 'coin': there are no chances"),
        ({3: [(0, 1)]}, "3 is no name of an argument"),
        ([0, 1], "choices must map names"),
    ):
        with pytest.raises(BadInput, match=message):
            checked_choices(choices)


class Hostile:
    """Says nothing of itself."""

    def __repr__(self):
        raise RuntimeError("no")


THING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.sampled_from(
        [
            10**400,
            -(10**400),
            sympy.Symbol("x"),
            b"1",
            np.float32("nan"),
            np.array(3),
            np.array([[1.0]]),
            {},
            {1: 2},
        ]
    ),
    st.builds(Hostile),
    st.floats(),
    st.decimals(),
    st.fractions(),
    st.text(max_size=5),
    st.sampled_from(["1/2", "1/3", "-1", "1e999999999", "1/0", "", "nan"]),
)
THINGS = st.one_of(THING, st.lists(THING, max_size=3), st.tuples(THING, THING))
ANYTHING = st.one_of(THINGS, st.lists(THINGS, max_size=3), st.tuples(THINGS, THINGS))
PLAUSIBLE = st.one_of(
    ANYTHING,
    st.lists(
        st.sampled_from([0, 1, "1/2", -1, 0.25, [(1, "1/2"), (0, "1/2")]]), min_size=1, max_size=3
    ),
)
DOORS = {
    "bandit": lambda a, b, c: bandit(a, pi=b, discount=c),
    "bandit at theta": lambda a, b, c: bandit(a, theta=b),
    "contexts": lambda a, b, c: contexts(a, pi=b, weights=c),
    "legal": lambda a, b, c: contexts([[1, 0], [0, 1]], legal=a, weights=b),
    "decisions": lambda a, b, c: decisions(a if c else stop_or_go().episodes, sigmoid_policy(2), b),
    "mdp": lambda a, b, c: mdp(a, b, c, horizon=2),
    "mdp with": lambda a, b, c: mdp(
        [[[1], [1]]],
        [[0, 1]],
        [1],
        horizon=a if isinstance(a, bool | float) else 2,
        at_limit=b,
        pi=c,
    ),
    "mdp ends": lambda a, b, c: mdp(
        [[["1/2", "1/2"]], [[0, 1]]], [[a], [1]], [1, 0], ends=b, horizon=2, discount=c
    ),
    "batch": lambda a, b, c: three_arms().batch(a),
    "group": lambda a, b, c: two_prompts().group(a, every_start=bool(b)),
    "sampled by": lambda a, b, c: three_arms().sampled_by(a),
    "against": lambda a, b, c: three_arms().against(a),
    "at": lambda a, b, c: three_arms().at(weights=a),
    "at theta": lambda a, b, c: three_arms().at(theta=a),
    "with policy": lambda a, b, c: with_policy(three_arms(), lambda p: a, w=[0.0]),
    "discounted": lambda a, b, c: three_arms().discounted(a),
    "episode": lambda a, b, c: Episode(1, a, b, c),
    "choices": lambda a, b, c: checked_choices({"x": a}),
}


@pytest.mark.parametrize("door", DOORS)
@given(a=PLAUSIBLE, b=PLAUSIBLE, c=PLAUSIBLE)
@settings(max_examples=20, deadline=None, derandomize=True, database=None)
def test_no_door_raises_anything_else(door, a, b, c):
    try:
        made = DOORS[door](a, b, c)
    except BadInput:
        return
    if isinstance(made, Space):
        assert np.isfinite(made.policy.table(made.parameters)).all()
