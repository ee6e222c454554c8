"""`SamplingTree` as its user sees it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.sim.large import SamplingTree


def softmax(theta: np.ndarray) -> np.ndarray:
    weight = np.exp(theta - theta.max())
    return weight / weight.sum()


@pytest.mark.parametrize("k", [1, 2, 7, 8, 9, 63, 64, 65, 513, 5000])
def test_policy_samples_and_greedy_action(k):
    generator = np.random.default_rng(k)
    theta = generator.normal(size=k) * 3
    tree = SamplingTree(theta)
    pi = softmax(theta)
    assert len(tree) == k
    assert np.allclose(tree.policy(), pi, rtol=1e-13, atol=0)
    assert np.allclose(tree.log_probabilities(), np.log(pi), rtol=1e-12, atol=1e-14)
    assert tree.log_normalizer() == pytest.approx(math.log(np.exp(theta).sum()), rel=1e-14)
    assert tree.greedy() == theta.argmax()
    keys = generator.random(2000)
    assert (
        tree.select_many(keys) == np.minimum(pi.cumsum().searchsorted(keys, side="right"), k - 1)
    ).all()
    assert tree.sample(np.random.default_rng(1)) == tree.sample_many(1, np.random.default_rng(1))[0]


def test_updates_one_at_a_time_and_many_at_once_are_the_same():
    generator = np.random.default_rng(2)
    theta = generator.normal(size=400)
    one, many, fresh = SamplingTree(theta), SamplingTree(theta), theta.copy()
    for count in (1, 5, 300):
        actions, values = generator.integers(400, size=count), generator.normal(size=count) * 4
        for action, value in zip(actions, values, strict=True):
            one.update(action, value)
            fresh[action] = value
        many.update_many(actions, values)
        assert (one.preferences == fresh).all()
        assert (many.preferences == fresh).all()
        assert (one.policy() == many.policy()).all()
        assert (one.policy() == SamplingTree(fresh).policy()).all()


def test_of_an_action_given_twice_the_later_preference_stays():
    tree = SamplingTree(np.zeros(100))
    tree.update_many([3, 5, 3], [1.0, 2.0, -1.0])
    assert (tree.preferences[3], tree.preferences[5]) == (-1.0, 2.0)
    tree.update_many([], [])


@pytest.mark.parametrize("asked", ["before", "between"])
def test_the_greedy_action_is_kept_up_to_date(asked):
    generator = np.random.default_rng(8)
    theta = np.zeros(200)
    tree = SamplingTree(theta)
    if asked == "before":
        assert tree.greedy() == 0
    for t in range(600):
        action, value = int(generator.integers(200)), float(generator.integers(-3, 4))
        theta[action] = value
        if t % 50:
            tree.update(action, value)
        else:
            tree.update_many([action] * 20, [value] * 20)
        if asked == "before" or t > 300:
            assert tree.greedy() == theta.argmax()


def test_preferences_are_copied_and_can_only_be_changed_through_the_tree():
    theta = np.zeros(5)
    tree = SamplingTree(theta)
    theta[0] = 7.0
    assert tree.preferences[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        tree.preferences[0] = 1.0


def test_parts_of_the_policy():
    theta = np.array([0.0, 1.0, 2.0, -800.0])
    tree = SamplingTree(theta)
    assert (tree.policy([2, 0]) == tree.policy()[[2, 0]]).all()
    assert (tree.log_probabilities([3, 3]) == tree.log_probabilities()[3]).all()
    assert tree.policy()[3] == 0.0
    assert tree.log_probabilities()[3] == pytest.approx(
        -800.0 - math.log(sum(math.exp(t) for t in theta)), rel=1e-15
    )
    assert tree.policy([]).size == 0


def test_lists_integers_and_strided_arrays_are_fine():
    assert SamplingTree([0, 0, 0]).policy().tolist() == pytest.approx([1 / 3] * 3)
    assert len(SamplingTree(np.zeros((10, 2))[:, 0])) == 10
    assert (
        SamplingTree(np.zeros(3, dtype=np.float32)).sample_many(0, np.random.default_rng(0)).size
        == 0
    )


BAD = {
    "preferences[1] is nan": lambda tree: SamplingTree([0.0, math.nan]),
    "preferences[0] is inf": lambda tree: SamplingTree([math.inf]),
    "preferences[2] is -inf": lambda tree: SamplingTree([0.0, 0.0, -math.inf]),
    "preferences[0] is 10000000000.0": lambda tree: SamplingTree([1e10]),
    "preferences is empty": lambda tree: SamplingTree([]),
    "preferences has shape (2, 2)": lambda tree: SamplingTree(np.zeros((2, 2))),
    "preferences is not a vector of real numbers": lambda tree: SamplingTree(["a", "b"]),
    "preferences is not a vector of real numbers ": lambda tree: SamplingTree([1j]),
    "preferences is not a vector of real numbers  ": lambda tree: SamplingTree([[1.0], [1.0, 2.0]]),
    "preference is nan": lambda tree: tree.update(0, math.nan),
    "preference is -inf": lambda tree: tree.update(0, -math.inf),
    "action is 3": lambda tree: tree.update(3, 0.0),
    "action is -1": lambda tree: tree.update(-1, 0.0),
    "preferences[1] is nan ": lambda tree: tree.update_many([0, 1], [0.0, math.nan]),
    "actions[1] is 3": lambda tree: tree.update_many([0, 3], [0.0, 0.0]),
    "actions has 2 entries and preferences 1": lambda tree: tree.update_many([0, 1], [0.0]),
    "actions has shape (1,) and type float64": lambda tree: tree.update_many([0.5], [0.0]),
    "actions[0] is -1": lambda tree: tree.policy([-1]),
    "key is 1.0": lambda tree: tree.select(1.0),
    "key is nan": lambda tree: tree.select(math.nan),
    "keys[1] is -0.5": lambda tree: tree.select_many([0.5, -0.5]),
    "keys[0] is nan": lambda tree: tree.select_many([math.nan]),
    "count is -1": lambda tree: tree.sample_many(-1, np.random.default_rng(0)),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named_in_one_sentence_and_changes_nothing(message):
    tree = SamplingTree([0.0, 1.0, 2.0])
    before = tree.policy()
    with pytest.raises(BadInput) as caught:
        BAD[message](tree)
    assert str(caught.value).startswith(message.strip())
    assert "\n" not in str(caught.value)
    assert (tree.policy() == before).all()
    assert tree.preferences.tolist() == [0.0, 1.0, 2.0]


def test_ten_million_actions():
    tree = SamplingTree(np.zeros(10_000_000))
    assert tree.levels == 8
    tree.update(7_654_321, 20.0)
    share = math.exp(20.0) / (math.exp(20.0) + 9_999_999)
    assert tree.policy([7_654_321])[0] == pytest.approx(share, rel=1e-13)
    drawn = tree.sample_many(10_000, np.random.default_rng(0))
    assert abs((drawn == 7_654_321).mean() - share) < 6 * math.sqrt(share * (1 - share) / 10_000)
