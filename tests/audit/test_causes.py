"""The cause of a bias is said where taking it away makes the update right, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, contexts, from_function, mdp, tokens, update
from altpg_verify.audit.kinds import Kind

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])


def mine(function, space):
    return audit(from_function(function, space=space), differentiate=False)


def reinforce(reward, score):
    return reward * score


def test_the_sampled_policy_is_not_the_scored_one():
    (said,) = mine(reinforce, ARMS.sampled_by(["1/2", "1/2", 0])).causes
    assert (
        said
        == "the policy that is sampled isn't the one that is scored: sampled from that one it is"
        " unbiased; never sampled: action 2 in state 0"
    )


def test_what_is_wrong_on_its_own_policy_too_has_another_cause():
    assert not mine(lambda reward, score, e: reward * e, ARMS.sampled_by(["1/2", "1/2", 0])).causes


def test_a_time_limit_is_taken_for_an_end():
    space = mdp(
        [[[1, 0], [0, 1]], [[0, 1], [0, 1]]],
        [[1, 2], [0, 0]],
        [1, 0],
        ends=[1],
        horizon=2,
        discount="1/2",
        at_limit="value",
    )

    def without(rewards, scores, discount):
        tails = [discount**t * reward for t, reward in enumerate(rewards)]
        return sum(sum(tails[t:]) * score for t, score in enumerate(scores))

    (said,) = mine(without, space).causes
    assert said.startswith("time limits are taken for ends")


ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))


def entangled(log_probs, sequence_rewards):
    weights = log_probs.sum(-1).exp()
    return -(weights * log_probs.sum(-1) * sequence_rewards / weights.detach()).mean()


def own_count(log_probs, returns, response_mask):
    count = response_mask.sum()
    return -(log_probs * returns * response_mask).sum() / count


def plainly_wrong(log_probs, returns, response_mask):
    return -(log_probs.exp() * returns * response_mask).sum()


def trainers(loss, space):
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss

    return audit(trainer_loss(loss, space=space), differentiate=False)


def test_the_line_that_carries_an_unwanted_gradient():
    (said,) = trainers(entangled, ROWS).causes
    assert said.startswith("an unwanted gradient through 'weights' in test_causes.py:")
    assert said.endswith("(weights = log_probs.sum(-1).exp()): with that detached it is unbiased")


def test_a_denominator_that_is_random():
    (said,) = trainers(own_count, ROWS.batch(2)).causes
    assert said.startswith("what is divided by changes from draw to draw, in test_causes.py:")
    assert said.endswith("with a constant there it follows the target, times 2")


def test_what_no_single_change_makes_right_has_no_cause():
    assert trainers(plainly_wrong, ROWS).causes == ()


@pytest.mark.thorough
def test_what_was_cut_in_search_of_a_cause_is_not_said_of_the_loss():
    """A loss remembers where its path was cut; the second audit of the same object says what the
    first said.
    """
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss

    update = trainer_loss(own_count, space=ROWS.batch(2))
    first, second = (audit(update, differentiate=False) for _ in range(2))
    assert first.run == second.run


@pytest.mark.parametrize("loss", [entangled, own_count, plainly_wrong])
@pytest.mark.parametrize("change", ["detached", "constant"])
def test_a_changed_line_is_changed_alike_on_many_draws_at_once(loss, change):
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss
    from altpg_verify.audit.causes import _changed
    from altpg_verify.audit.expected_update import moments_at

    update = trainer_loss(loss, space=ROWS.batch(3))
    seen = {}
    noted = _changed(update, None, seen)
    before = moments_at(noted, [ROWS.parameters])[0].mean
    for site in [each for each in seen if each.change == change]:
        changed = _changed(update, site, {})
        after = moments_at(changed, [ROWS.parameters])[0].mean
        assert changed.program.mode == "batched"
        assert (after != before).any() or change == "constant"


def greedy(reward, pi):
    """The score of the most probable action, whichever was sampled."""
    return reward * (np.eye(len(pi))[pi.argmax()] - pi)


def test_the_arg_max_is_scored():
    assert mine(greedy, ARMS).causes == (
        "the arg-max is scored: on all 6 draws looked at it moves along the score of the most"
        " probable action, on 4 of them along none that was sampled",
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda reward, score, pi: greedy(reward, pi) + reward * score,
        lambda reward, score: 2 * reward**2 * score,
        lambda reward, e: reward * e,
        # of two actions both have the same score, up to a factor
        lambda reward, pi: reward * (pi.argmax() == 0) * np.array([1, -1, 0]),
    ],
)
def test_what_goes_along_what_was_sampled_too_scores_no_arg_max(function):
    assert not any("arg-max" in said for said in mine(function, ARMS).causes)


def test_of_two_actions_it_can_t_be_told_which_is_scored():
    assert not mine(greedy, bandit([1, 0], pi=["1/3", "2/3"])).causes


@pytest.mark.parametrize("weights", [["1/4", "3/4"], ["1/2", "1/2"]])
@pytest.mark.parametrize("every_start", [True, False])
def test_prompts_that_are_all_in_a_draw_count_the_same(weights, every_start):
    space = contexts(
        [[1, 0, 2], [1, "1/2", 0]],
        pi=[["1/2", "1/3", "1/6"], ["1/3", "1/3", "1/3"]],
        weights=weights,
    ).group(2, every_start=every_start)

    @update(space=space)
    def leave_one_out(rewards, scores):
        advantages = rewards - rewards[..., ::-1]
        axes = tuple(range(advantages.ndim))
        return (advantages[..., None, None] * scores).mean(axis=axes)

    found = audit(leave_one_out)
    if every_start and weights[0] != weights[1]:
        assert found.causes == (
            "every draw has as many rows of each prompt, whose chances are 1/4, 3/4: were they"
            " equal, it is unbiased",
        )
    else:
        assert found.kind is Kind.UNBIASED


def test_what_is_wrong_with_equal_chances_too_has_another_cause():
    space = contexts([[1, 0], [1, "1/2"]], weights=["1/4", "3/4"]).group(2, every_start=True)

    @update(space=space)
    def squared(rewards, scores):
        return ((rewards**2)[..., None, None] * scores).mean(axis=(0, 1))

    assert not any("rows of each prompt" in cause for cause in audit(squared).causes)
