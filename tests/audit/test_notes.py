"""What is said besides the verdict is true of the case at hand; each sentence has an input here
that an earlier one was false for.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, compare, contexts, decisions, from_function
from altpg_verify.audit.fixtures import stop_or_go, three_arms, two_arms
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import beyond_rounding, say_interval
from altpg_verify.audit.policies import sigmoid_policy

SPACE = three_arms()


def found(function, space=SPACE, **options):
    return audit(from_function(function, space=space, **options))


def with_words(audited, words):
    return [note for note in audited.notes if words in note]


def test_a_ratio_is_spoken_of_only_as_far_as_it_was_seen():
    """The loss's own ratio is 3; what was seen is that the draw's two log-probabilities agree."""
    tripled = found(
        lambda rewards, score, logprobs, old_logprobs: (
            np.exp(logprobs - old_logprobs + np.log(3))[0] * rewards[0] * score
        )
    )
    (note,) = with_words(tripled, "sampled from itself")
    assert "old_logprobs are the logprobs in every draw" in note
    assert "ratio is 1" not in str(tripled)
    assert not with_words(found(lambda reward, score: reward * score), "sampled from itself")


def test_a_scale_that_is_one_only_up_to_shifts_says_so():
    doubled = found(lambda reward, score: 2 * reward * score + 1)
    assert doubled.kind is Kind.SCALED
    assert (
        "∇V times 2, up to shifts of the logits that leave the policy unchanged" in doubled.sentence
    )
    assert with_words(doubled, "shifts all logits of a state together")
    exactly = found(lambda reward, score: 2 * reward * score)
    assert exactly.sentence.endswith("∇V times 2")
    assert not with_words(exactly, "shifts all logits")


def test_nothing_and_the_gradient_itself_are_up_to_shifts_too():
    assert "is 0, up to shifts of the logits" in found(lambda score: 0 * score + 1).sentence
    assert (
        "∇V, up to shifts of the logits" in found(lambda reward, score: reward * score + 1).sentence
    )
    assert found(lambda reward, score: reward * score).sentence.endswith("∇V")


def test_a_field_that_turns_elsewhere_only_says_where():
    """Where the audit stands a constant is added, which is a gradient; where the first arm is
    unlikely, a rotation.
    """

    def piecewise(reward, score, pi):
        turning = np.array([pi[1], -pi[0], 0.0]) if pi[0] < 0.1 else np.array([0.1, -0.1, 0.0])
        return reward * score + turning

    turned = found(piecewise)
    assert turned.kind is Kind.NOT_A_GRADIENT
    assert turned.curl[1] == 0
    assert (
        turned.sentence
        == "biased for the value V, and not a gradient field: its curl shows at another policy"
    )
    (note,) = with_words(turned, "its curl shows at another policy: ")
    assert "at π = (0." in note


def test_a_right_direction_that_turns_round_near_a_corner_is_no_right_direction():
    """Right at all policies near the point of the audit, reversed where the first arm is nearly
    certain.
    """
    turning = found(lambda reward, score, pi: (0.93 - pi[0]) * reward * score, two_arms())
    assert turning.kind not in (Kind.UNBIASED, Kind.SCALED, Kind.REVERSED)
    steady = found(lambda reward, score, pi: (1 + pi[0]) * reward * score, two_arms())
    assert steady.kind is Kind.SCALED
    assert not with_words(steady, "not everywhere")


def test_a_state_in_which_nothing_is_learned_and_nothing_done_is_left_out():
    """Three states in a row, the last of which pays the same whatever is done."""
    two = stop_or_go()
    episodes = []
    for episode in two.episodes:
        for last in (0, 1):
            episodes.append(
                type(episode)(
                    episode.chance,
                    (*episode.states, 2),
                    (*episode.actions, last),
                    (*episode.rewards, 0),
                )
            )
    space = decisions(episodes, sigmoid_policy(3), ("1/2", "1/3", "1/4"), name="with an idle state")

    def unequal(rewards, scores, states):
        return sum(
            (1 + states[t]) * rewards[t:].sum() * score * (states[t] < 2)
            for t, score in enumerate(scores)
        )

    (note,) = with_words(found(unequal, space), "state 0")
    assert note == "state 0: 1 times its own gradient; state 1: 2 times its own gradient"


def test_a_baseline_that_does_nothing_is_told_from_one_that_does_little():
    """Scaled by 1e-12 the change is small beside 1, and not beside the update."""
    biased = found(lambda reward, e, b: 1e-12 * (reward - b) * e, SPACE.having(b=0))
    assert with_words(biased, "a baseline larger by 1 changes it")
    right = found(lambda reward, score, b: 1e-12 * (reward - b) * score, SPACE.having(b=0))
    assert with_words(right, "doesn't change the expected update at this policy")


def test_a_shift_that_cant_be_run_is_no_fault():
    """log(2 - r) exists for the rewards there are, and not for those with 1 added."""

    def logarithm(reward, score):
        return np.log(np.float64(1.5) - reward) * score if reward < 1.5 else np.full(3, np.nan)

    assert found(logarithm).kind is not Kind.UNBIASED


def test_rounding_is_no_variance():
    constant = found(lambda theta: np.array([0.1, 0.2, -0.3]))
    (text,) = [text for name, text in constant.rows() if name == "variance"]
    assert text.startswith("0 in total")
    assert beyond_rounding(7.7e-34, [0.3, 0.1]) == 0.0
    assert beyond_rounding(7.7e-34, [1e-20]) == 7.7e-34


def test_ends_are_those_of_the_flow():
    (end,) = audit(
        from_function(lambda reward, score: reward * score, space=two_arms()), ends=True
    ).ends
    assert end.startswith("the flow of the expected update from π = (1/2, 1/2) ends at π = (1, 0)")
    assert "runs of single draws may end elsewhere" in end


def test_a_comparison_says_what_is_the_same_where():
    plain = from_function(lambda reward, score: reward * score, space=SPACE)
    elsewhere = from_function(
        lambda reward, score, pi: (2 if pi[0] > 0.4 else 1) * reward * score, space=SPACE
    )
    said = compare(plain, elsewhere, ends=False)
    assert not said.changes
    assert not said.after.ok
    assert said.sentence.startswith(
        "the same expected update at this policy, but not at others: unbiased before"
    )
    undecided = from_function(
        lambda reward, score: reward * score, space=bandit([10**15, 10**15 + 1], pi=["1/2", "1/2"])
    )
    both = compare(undecided, undecided, ends=False)
    assert (
        Kind.UNDECIDED not in (both.before.kind, both.after.kind) or "not decided" in both.sentence
    )


def test_tiny_updates_are_compared_by_their_own_size():
    def tiny(times):
        return from_function(lambda reward, score: times * 1e-15 * reward * score, space=SPACE)

    assert compare(tiny(1), tiny(2), ends=False).changes


def test_prompts_are_named_where_only_one_is_wrong():
    space = contexts([[1, 0], [1, 0]], pi=[["1/2", "1/2"], ["1/4", "3/4"]])
    wrong = found(lambda reward, score, states: (1 + states[0]) * reward * score, space)
    assert "for prompt 1" in wrong.sentence


def test_intervals_are_rounded_outwards():
    for low, high in [
        (0.4812, 0.5177),
        (-1e-3, 1e-3),
        (0.0, 0.0),
        (123456.7, 123458.1),
        (1e-15, 2e-15),
    ]:
        text = say_interval((low, high))
        below, above = map(float, text.strip("[]").split(", "))
        assert below <= low
        assert high <= above


@pytest.mark.parametrize(
    ("function", "pulls"),
    [
        # an advantage of the action that overshoots, a reward read upside down for one arm, and
        # a bonus that outweighs the reward without turning it round
        (lambda actions, rewards, scores: (rewards - 3 * (actions == 0))[:, None] * scores, True),
        (lambda actions, rewards, scores: (rewards - 2 * rewards**2)[:, None] * scores, True),
        (lambda actions, rewards, scores: (rewards + (actions == 1))[:, None] * scores, False),
    ],
)
def test_a_pull_is_said_with_its_cosine(function, pulls):
    found = audit(
        from_function(
            lambda actions, rewards, scores: function(actions, rewards, scores).sum(axis=0),
            space=three_arms().batch(2),
        ),
        mend=False,
    )
    left, right = np.array(found.expected, dtype=float), np.array(found.gradient, dtype=float)
    expected = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
    assert found.cosine == pytest.approx(expected)
    assert (expected < 0) == pulls
    said = dict(found.rows()).get("pull", "")
    way = "reversed at this policy" if pulls else "with the target"
    assert said == f"{way}: the cosine of left and right is {expected:.2g}"
    assert found.as_dict()["cosine"] == found.cosine


def test_what_is_zero_or_unbiased_pulls_nowhere_else():
    zero = from_function(lambda rewards, scores: 0 * scores[0], space=three_arms())
    right = from_function(lambda rewards, scores: rewards[0] * scores[0], space=three_arms())
    assert audit(zero, mend=False).cosine is None
    assert audit(right, mend=False).cosine == pytest.approx(1)
    assert not {"pull"} & {name for each in (zero, right) for name, _ in audit(each).rows()}


@pytest.mark.parametrize(
    ("updates", "said"),
    [
        # means of (2, -3, 1) / 6, (1, 1, 0) / 3, (1, -2, 1) / 3 and (0, 0, 1) / 3 against (1, 0, -1)
        ([(1, -2, 1), (0, 0.5, -0.5), (0, 0, 0)], "with the target: 0.19"),
        ([(0, 1, 0), (1, 0, 0), (0, 0, 0)], "with the target: 0.5"),
        ([(0, 0, 0), (0, 0, 0), (1, -2, 1)], "neither with the target nor against it: 0"),
        ([(0, 0, 0), (0, 0, 1), (0, 0, 0)], "reversed at this policy: -0.71"),
    ],
)
def test_whichever_way_a_bias_pulls(updates, said):
    table = np.array(updates, dtype=float)
    found = audit(
        from_function(lambda action, score: table[action], space=bandit([1, "1/2", 0])), mend=False
    )
    assert str(found.kind) == "not a gradient"
    pull = dict(found.rows())["pull"]
    assert pull == said.replace(": ", ": the cosine of left and right is ")


def test_a_pull_that_hardly_turns_is_no_cosine_of_1():
    found = audit(
        from_function(
            lambda rewards, scores: (rewards[0] + rewards[0] ** 2 / 1000) * scores[0],
            space=three_arms(),
        ),
        mend=False,
    )
    assert str(found.kind) == "other objective"
    assert 0.999 < found.cosine < 1
    assert float(dict(found.rows())["pull"].split()[-1]) < 1


def test_sampled_means_pull_as_sampled():
    found = audit(
        from_function(
            lambda actions, rewards, scores: (rewards + (actions == 1))[0] * scores[0],
            space=bandit([1, 0]),
        ),
        samples=2000,
        mend=False,
    )
    assert found.sampled
    assert found.as_dict()["cosine"] == found.cosine
    assert not any("with the target" in text for _, text in found.rows())
