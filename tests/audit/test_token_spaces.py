"""Sequences of tokens as spaces: prompts, masks, turns, padding, policies, and decoding that isn't
what is scored.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, loss, tokens, update
from altpg_verify.audit.kept_draws import drawn
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.errors import BadInput

pytest.importorskip("torch")


def ones(row):
    return row.count(1)


def written(space):
    return {tuple(episode.actions): episode.rewards for episode in space.episodes}


def test_every_sequence_that_ends_with_eos_or_at_the_limit_is_there():
    space = tokens(vocabulary=2, length=3, eos=0, reward=ones)
    assert set(written(space)) == {(0,), (1, 0), (1, 1, 0), (1, 1, 1)}
    assert written(space)[1, 1, 0] == (0, 0, 2)
    assert len(tokens(vocabulary=3, length=2, reward=ones).episodes) == 9


def test_rewards_may_be_one_for_each_token_or_random_or_look_at_the_prompt():
    each = tokens(length=2, reward=lambda row: [Fraction(1, 2), row[1]])
    assert written(each)[1, 1] == (Fraction(1, 2), 1)
    random = tokens(length=1, reward=lambda row: [(1, "1/3"), (0, "2/3")])
    assert sorted(float(episode.chance) for episode in random.episodes) == pytest.approx(
        [1 / 3, 1 / 3, 2 / 3, 2 / 3]
    )
    asked = tokens(
        length=1,
        prompts=((0,), (1,)),
        weights=("1/4", "3/4"),
        reward=lambda prompt, row: int(prompt == row),
    )
    assert float(Tables.at(asked, asked.parameters).value) == 0.5
    assert [float(asked.start_weight(start)) for start in asked.starts] == [0.25, 0.75]


def one_draw(space, number=0):
    return [draw for _, draw in drawn(Tables.at(space, space.parameters))][number]


def test_tokens_of_other_turns_stand_in_the_row_and_are_not_the_policys():
    space = tokens(length=2, eos=0, turns=lambda row: (1, 1) if row == (0,) else (), reward=len)
    draw = next(
        draw
        for _, draw in drawn(Tables.at(space, space.parameters))
        if draw["actions"].tolist() == [0, 1]
    )
    assert draw["tokens"].tolist() == [[0, 1, 1, 1]]
    assert draw["response_mask"].tolist() == [[1, 0, 0, 1]]
    assert draw["token_rewards"].tolist() == [[0, 0, 0, 4]]
    # each token of the row is read in a state of its own
    assert len(set(draw["token_states"][0].tolist())) == 4


def test_a_tool_that_answers_at_random_is_part_of_the_environment():
    space = tokens(
        length=2,
        turns=lambda row: [((0,), "1/4"), ((1,), "3/4")] if len(row) == 1 else (),
        reward=lambda row: row[1] == row[2],
    )
    assert float(Tables.at(space, space.parameters).value) == 0.5
    assert len(space.episodes) == 8


@pytest.mark.parametrize(("side", "mask"), [("right", [1, 0, 0]), ("left", [0, 0, 1])])
def test_shorter_rows_are_padded_on_either_side(side, mask):
    space = tokens(length=3, eos=0, reward=ones, padding=side)
    draw = next(
        draw
        for _, draw in drawn(Tables.at(space, space.parameters))
        if draw["actions"].tolist() == [0]
    )
    assert draw["response_mask"].tolist() == [mask] == draw["attention_mask"].tolist()
    assert draw["position_ids"][0].tolist() == [0, 0, 0]


def test_a_prompt_may_stand_in_the_row():
    draw = one_draw(tokens(length=1, prompts=((1, 0),), reward=ones, prompt_in_row=True))
    assert draw["tokens"].tolist() == [[1, 0, draw["actions"][0]]]
    assert draw["response_mask"].tolist() == [[0, 0, 1]]
    assert draw["attention_mask"].tolist() == [[1, 1, 1]]
    assert draw["position_ids"].tolist() == [[0, 1, 2]]


def reinforce(scores, rewards):
    return (
        (rewards.sum(axis=-1)[:, None] * scores.sum(axis=1).reshape(len(scores), -1))
        .mean(axis=0)
        .reshape(scores.shape[2:])
    )


def network(parameters, contexts):
    features = np.array([[1.0, len(context), sum(context)] for context in contexts])
    return np.tanh(features @ parameters["w"].reshape(3, 2)) @ parameters["out"]


@pytest.mark.parametrize("policy", ["prefix", "position", "shared"])
def test_reinforce_is_unbiased_under_every_table(policy):
    space = tokens(
        length=2, eos=0, reward=lambda row: len(row) + 3 * row[-1], policy=policy, pi=("1/3", "2/3")
    )
    assert audit(update(space=space.batch(2))(reinforce)).kind is Kind.UNBIASED


def test_reinforce_is_unbiased_under_a_network():
    given = {"w": [0.1, 0.2, -0.3, 0.4, 0.5, -0.6], "out": np.array([[0.3, -0.2], [0.1, 0.4]])}
    space = tokens(length=2, eos=0, reward=ones, policy=network, parameters=given)

    @loss(space=space.batch(2))
    def policy_gradient(logprobs, rewards):
        return -(logprobs.sum(-1) * rewards.sum(-1)).mean()

    assert audit(policy_gradient).kind is Kind.UNBIASED


@pytest.mark.parametrize(
    "policy",
    [
        lambda row: np.zeros(2),
        lambda prompt, row, w: np.zeros(2),
        lambda parameters, contexts, *, temperature: np.zeros((3, 2)),
    ],
)
def test_a_network_that_is_called_otherwise_is_told_how_it_is_called(policy):
    with pytest.raises(BadInput, match=r"called once, policy\(parameters, contexts\)"):
        tokens(length=2, eos=0, reward=ones, policy=policy, parameters={"w": [0.0]})


def test_a_gradient_that_leaks_into_the_padding_shows():
    space = tokens(length=2, eos=0, reward=lambda row: 1 + row.count(1)).batch(2)

    @loss(space=space)
    def masked(theta, tokens, token_states, token_rewards, response_mask):
        found = theta.log_softmax(-1)[token_states, tokens]
        return -(token_rewards.sum(-1, keepdim=True) * found * response_mask).sum(-1).mean()

    @loss(space=space)
    def unmasked(theta, tokens, token_states, token_rewards):
        found = theta.log_softmax(-1)[token_states, tokens]
        return -(token_rewards.sum(-1, keepdim=True) * found).sum(-1).mean()

    assert audit(masked).kind is Kind.UNBIASED
    found = audit(unmasked)
    assert not found.ok
    assert any("moves where its own gradient is 0" in note for note in found.notes)


def test_legal_tokens_depend_on_what_was_written():
    space = tokens(
        vocabulary=3, length=2, legal=lambda context: [True, True, len(context) == 1], reward=ones
    )
    assert len(space.episodes) == 6
    assert audit(update(space=space.batch(2))(reinforce)).kind is Kind.UNBIASED


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"temperature": 0.5}, [9 / 14, 4 / 14, 1 / 14]),
        ({"top_k": 2}, [3 / 5, 2 / 5, 0]),
        ({"top_p": 0.75}, [3 / 5, 2 / 5, 0]),
        ({"top_k": 1, "epsilon": 0.3}, [0.8, 0.1, 0.1]),
    ],
)
def test_decoding_by_hand(settings, expected):
    space = tokens(vocabulary=3, length=1, reward=ones, pi=("1/2", "1/3", "1/6")).decoded(
        **settings
    )
    np.testing.assert_allclose(Tables.at(space, space.parameters).mu[0], expected, atol=1e-12)


def test_a_sampler_that_is_hotter_than_what_is_scored_is_biased_and_ratios_mend_it():
    space = tokens(length=2, eos=0, reward=ones, pi=("1/3", "2/3")).decoded(temperature=2.0)

    @loss(space=space)
    def plain(logprobs, rewards):
        return -(logprobs.sum() * rewards.sum())

    @loss(space=space)
    def weighted(logprobs, old_logprobs, rewards):
        return -((logprobs - old_logprobs).sum().exp() * rewards.sum())

    assert not audit(plain).ok
    assert audit(weighted).kind is Kind.UNBIASED


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"eos": 2}, "eos: there is no token 2"),
        ({"vocabulary": 1}, "vocabulary"),
        ({"reward": 3}, "reward must be a function"),
        ({"reward": lambda row: [1, 2, 3]}, "3 numbers for 2 of the policy's tokens"),
        ({"prompts": ()}, "prompts: there is none"),
        ({"padding": "middle"}, "padding: 'middle' is not known"),
        ({"policy": "tree"}, "policy: 'tree' is not known; choose from prefix, position, shared"),
        ({"policy": network}, "comes with parameters"),
        ({"turns": lambda row: (5,)}, "turns: there is no token 5"),
        ({"legal": lambda context: [False, False]}, "one at least true"),
        ({"length": 20, "vocabulary": 9}, "sequences"),
        ({"pi": (1,)}, "pi has 1 probabilities for 2 tokens"),
        ({"weights": (1, 0)}, "weights"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence(settings, sentence):
    with pytest.raises(BadInput, match=sentence):
        tokens(**{"reward": ones, **settings})


@pytest.mark.parametrize(
    "settings", [{"temperature": 0}, {"top_k": 0}, {"top_p": 0}, {"epsilon": 2}]
)
def test_decoding_out_of_range_is_refused(settings):
    with pytest.raises(BadInput):
        tokens(reward=ones).decoded(**settings)
