"""Spaces are probability spaces, in floats and in exact numbers alike, and draws have the
documented shapes.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import bandit, contexts, mdp, with_policy
from altpg_verify.audit.draw_names import DRAWN, GIVEN
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.fixtures import (
    stop_or_go,
    survival,
    three_arms,
    time_limit,
    two_decisions,
    two_prompts,
    two_tokens,
)
from altpg_verify.audit.kept_draws import drawn
from altpg_verify.audit.objectives import value
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.errors import BadInput

GRID = mdp(
    [[["1/2", "1/2", 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, 1]]],
    [[0, 1], [2, "1/2"], [0, 0]],
    [1, 0, 0],
    horizon=3,
    discount="1/2",
    ends=[2],
)
SPACES = [
    three_arms(),
    three_arms().batch(3),
    three_arms().batch(3, exchangeable=True),
    bandit([[(0, "1/2"), (2, "1/2")], 1], pi=["1/4", "3/4"]).batch(2),
    two_prompts().group(2),
    two_prompts().group(2, every_start=True),
    stop_or_go(),
    stop_or_go().batch(2),
    two_decisions(),
    survival(),
    two_tokens().batch(2),
    time_limit(),
    GRID,
    GRID.batch(2, exchangeable=True),
]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_probabilities_add_to_one(space):
    merged = space.exchangeable
    assert (
        sum(
            probability
            for probability, _ in drawn(
                Tables.exact(space, space.weights), enumeration=Enumeration(space, merged)
            )
        )
        == 1
    )
    floats = [
        probability
        for probability, _ in drawn(
            Tables.at(space, space.parameters), enumeration=Enumeration(space, merged)
        )
    ]
    assert sum(floats) == pytest.approx(1, abs=1e-14)
    assert len(floats) == space.draws_count


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_exact_and_float_values_agree(space):
    exact, floats = Tables.exact(space, space.weights), Tables.at(space, space.parameters)
    assert isinstance(exact.value, Fraction)
    assert float(exact.value) == pytest.approx(floats.value)
    assert np.array(exact.q, dtype=float) == pytest.approx(floats.q)
    found = value.exact_gradient(space, ("theta",), space.weights)
    assert np.array(found, dtype=float) == pytest.approx(
        value.gradient(space, ("theta",)), abs=1e-14
    )


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_the_gradient_of_the_value_is_its_slope(space):
    gradient, step = value.gradient(space, ("theta",)), 1e-6
    theta = space.parameters["theta"]
    for i in range(theta.size):
        up, down = theta.copy(), theta.copy()
        up.flat[i] += step
        down.flat[i] -= step
        assert (value.value(space, {"theta": up}) - value.value(space, {"theta": down})) / (
            2 * step
        ) == pytest.approx(gradient[i], abs=1e-8)


def test_values_of_states():
    tables = Tables.exact(stop_or_go(), stop_or_go().weights)
    assert list(tables.values) == [Fraction(7, 20), Fraction(1, 2)]
    assert tables.q.tolist() == [[Fraction(1, 5), Fraction(1, 2)], [0, 1]]


@pytest.mark.parametrize(
    ("space", "shape"),
    [
        (three_arms(), (1,)),
        (three_arms().batch(4), (4,)),
        (two_decisions(), (2,)),
        (two_decisions().batch(3), (3, 2)),
        (two_prompts().group(4), (4,)),
        (two_prompts().group(4, every_start=True), (2, 4)),
    ],
    ids=str,
)
def test_shapes(space, shape):
    _, draw = next(iter(drawn(Tables.at(space, space.parameters))))
    for name in ("actions", "rewards", "states", "mask", "logprobs", "old_logprobs"):
        assert np.shape(draw[name]) == shape, name
    assert draw["scores"].shape == (*shape, *space.parameters["theta"].shape)


def test_padding_is_zero():
    space = stop_or_go().batch(2)
    for _, draw in drawn(Tables.at(space, space.parameters)):
        empty = draw["mask"] == 0
        assert not draw["logprobs"][empty].any()
        assert not draw["rewards"][empty].any()
        assert not draw["scores"][empty].any()
        assert draw["lengths"].tolist() == draw["mask"].sum(axis=1).tolist()


def test_every_documented_name_is_there():
    space = three_arms().against(["1/2", "1/4", "1/4"]).sampled_by(["1/3", "1/3", "1/3"])
    _, draw = next(iter(drawn(Tables.at(space, space.parameters))))
    for name in (*DRAWN, *GIVEN):
        assert draw[name] is not None
    with pytest.raises(BadInput, match="'banana' is not part of a draw"):
        draw["banana"]


def test_scores_are_the_slopes_of_log_probabilities():
    for space in (
        two_tokens(),
        two_prompts(),
        with_policy(three_arms(), lambda p: np.outer([1, 2], p["w"])[:1], w=[0.1, 0.2, -0.3]),
    ):
        (group,) = space.policy.shapes
        scores, theta = space.policy.scores(space.parameters)[group], space.parameters[group]
        for i in range(theta.size):
            up, down = theta.copy(), theta.copy()
            up.flat[i] += 1e-6
            down.flat[i] -= 1e-6
            slope = (
                np.log(space.policy.table({group: up})) - np.log(space.policy.table({group: down}))
            ) / 2e-6
            assert scores.reshape(*slope.shape, -1)[..., i] == pytest.approx(slope, abs=1e-8)


def test_illegal_actions_are_never_taken():
    space = contexts([[1, 0, 5]], pi=[["1/2", "1/2", 1]], legal=[[True, True, False]])
    assert space.policy.table(space.parameters).tolist() == [[0.5, 0.5, 0.0]]
    assert all(draw["action"] != 2 for _, draw in drawn(Tables.at(space, space.parameters)))


def test_an_off_policy_space_samples_the_behaviour():
    space = three_arms().sampled_by(["1/2", "1/4", "1/4"])
    assert [probability for probability, _ in drawn(Tables.at(space, space.parameters))] == [
        0.5,
        0.25,
        0.25,
    ]


def test_a_function_policy_has_no_exact_numbers():
    space = with_policy(three_arms(), lambda p: p["theta"][None, :], theta=[0.0, 0.0, 0.0])
    with pytest.raises(NotExact):
        Tables.exact(space, [1, 1, 1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: three_arms().batch(0), "batch size must be a whole number of at least 1"),
        (lambda: bandit([1, "x"]), "rewards: 'x' is no number"),
        (lambda: bandit([1, 0], pi=["1/2", "-1/2"]), "pi: '-1/2' is not positive"),
        (lambda: bandit([1, 0], pi=["1/2"]), "pi must be 1 rows of 2 probabilities"),
        (lambda: contexts([[1, 0], [1]]), "prompt 1 has 1 actions"),
        (lambda: contexts([[1, 0]], legal=[[False, False]]), "no legal action"),
        (
            lambda: Enumeration(three_arms().batch(16)).parts,
            "43,046,721 draws, more than the 20,000,000",
        ),
        (lambda: Tables.at(three_arms(), three_arms().parameters).ref, "no reference policy"),
        (
            lambda: list(
                drawn(Tables.at(three_arms().keeping(lambda draw: False), three_arms().parameters))
            ),
            "keeps none of its draws",
        ),
    ],
)
def test_unusable_spaces_say_what_to_change(make, message):
    with pytest.raises(BadInput, match=message):
        make()
