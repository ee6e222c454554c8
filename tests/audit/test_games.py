"""Several agents: joint actions are enumerated, centralised and counterfactual critics are exact,
shared logits sum their scores.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, game, update
from altpg_verify.audit.expected_update import moments
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import value
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.verdicts import Verdict
from tests.audit.gallery import same, updates

SPACE = game([[3, 0, 1], ["1/2", 1, -2]], pi=[["1/3", "2/3"], ["1/4", "1/2", "1/4"]])
SHARED = game([[3, 0], ["1/2", 1]], pi=["1/3", "2/3"], shared=True)


def joint(team_rewards, scores):
    return team_rewards * scores.sum(axis=0)


def counterfactual(central_q, counterfactual_q, pi, scores):
    baseline = (pi * counterfactual_q).sum(axis=-1)
    return ((central_q - baseline)[:, None, None] * scores).sum(axis=0)


def own_action(central_q, pi, actions, scores):
    taken = pi[np.arange(2), actions] * central_q
    return ((central_q - taken)[:, None, None] * scores).sum(axis=0)


def independent(agent_q, actions, scores, value):
    return ((agent_q[np.arange(2), actions] - value)[:, None, None] * scores).sum(axis=0)


@pytest.mark.parametrize(
    "made", [joint, counterfactual, independent], ids=lambda made: made.__name__
)
def test_team_reward_counterfactual_baseline_and_independent_critics_are_proved(made):
    found = audit(update(space=SPACE)(made))
    assert found.kind is Kind.UNBIASED
    assert found.strength is Verdict.PROVED
    # V = Σ π₀(a) π₁(b) r(a, b)
    assert found.gradient[:2] == (Fraction(7, 36), Fraction(-7, 36))


def test_the_counterfactual_baseline_has_less_variance_than_the_team_reward():
    noisy, quiet = (moments(update(space=SPACE)(made)).trace for made in (joint, counterfactual))
    assert quiet < noisy


def test_a_baseline_of_the_own_action_is_named():
    found = audit(update(space=SPACE)(own_action))
    assert found.kind is Kind.NOT_A_GRADIENT
    assert found.causes == (
        (
            "where every joint action pays the same it still moves agents 0 and 1: what is"
            " subtracted depends on the agent's own action"
        ),
    )
    assert any(
        "agent 0: 5/7 times its own gradient; agent 1: not parallel" in note for note in found.notes
    )


def test_a_baseline_of_the_own_action_of_one_agent_names_that_one():
    def one(central_q, pi, actions, scores):
        taken = np.array([0, pi[1, actions[1]]]) * central_q
        return ((central_q - taken)[:, None, None] * scores).sum(axis=0)

    assert "still moves agent 1:" in audit(update(space=SPACE)(one)).causes[0]


@pytest.mark.parametrize("space", [SPACE, SHARED], ids=["separate", "shared"])
def test_a_mean_over_agents_is_one_over_their_number(space):
    found = audit(
        update(space=space)(lambda team_rewards, scores: team_rewards * scores.mean(axis=0))
    )
    assert found.kind is Kind.SCALED
    assert str(found.scale) == "1/2 = 1/agents"


def test_shared_logits_sum_the_scores_of_all_agents():
    assert audit(update(space=SHARED)(joint)).strength is Verdict.PROVED
    lazy = audit(
        update(space=game([[3, 0, 1]] * 3, pi=["1/3", "1/3", "1/3"], shared=True))(
            lambda team_rewards, scores: team_rewards * scores[0]
        )
    )
    assert lazy.kind is not Kind.UNBIASED


@pytest.mark.thorough
def test_what_agents_are_shown_is_what_the_payoffs_say():
    @update(space=SPACE.batch(2))
    def shown(
        actions,
        actions_0,
        actions_1,
        team_rewards,
        central_q,
        counterfactual_q,
        agent_q,
        pi,
        scores,
    ):
        payoffs = np.array([[3, 0, 1], [0.5, 1, -2]])
        for row in range(2):
            a, b = actions[row]
            assert (actions_0[row], actions_1[row]) == (a, b)
            assert team_rewards[row] == central_q[row] == payoffs[a, b]
            assert np.array_equal(counterfactual_q[row], [[*payoffs[:, b], 0], payoffs[a]])
        assert np.allclose(agent_q, [[*(payoffs @ pi[1]), 0], pi[0, :2] @ payoffs])
        return 0 * scores[0, 0]

    assert audit(shown).kind is Kind.ZERO


def test_random_payoffs_are_averaged_by_the_critic_only():
    space = game([[[(0, "1/2"), (4, "1/2")], 0], [1, 1]])
    assert value.value(space) == pytest.approx((2 + 0 + 1 + 1) / 4)
    assert audit(update(space=space)(counterfactual)).strength is Verdict.PROVED
    noisy, quiet = (moments(update(space=space)(made)).trace for made in (joint, counterfactual))
    assert quiet < noisy


def test_three_agents():
    space = game([[[1, 0], [0, 0]], [[0, 0], [0, 2]]], agents=3)
    assert audit(update(space=space)(counterfactual)).kind is Kind.UNBIASED
    third = audit(
        update(space=space)(lambda team_rewards, scores: team_rewards * scores.mean(axis=0))
    )
    assert third.scale.factors[""] == Fraction(1, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([[1, 0], [0]],), "agent 1 has 2 actions beside some joint actions and 1 beside others"),
        (([],), "agent 0 has no actions"),
        ((3,), "payoffs"),
        (([[1, "nan"], [0, 0]],), "rewards"),
        (([[1, 0], [0, 1]], {"pi": [["1/2", "1/2"], ["1/2", "1/4"]]}), "pi of state 1"),
        (([[1, 0, 2], [0, 1, 2]], {"shared": True}), "the agents have 2, 3 actions"),
        (([[1, 0], [0, 1]], {"agents": 0}), "agents"),
        (([[[0] * 200] * 200] * 2, {"agents": 3}), "joint actions"),
    ],
)
def test_what_is_no_game_is_refused_in_one_sentence(given, message):
    payoffs, *options = given
    with pytest.raises(BadInput) as refused:
        game(payoffs, **(options[0] if options else {}))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_names_of_games_are_not_there_elsewhere():
    from altpg_verify.audit import bandit

    with pytest.raises(BadEstimator, match="counterfactual_q"):
        update(space=bandit([1, 0]))(lambda counterfactual_q: counterfactual_q)


@pytest.mark.thorough
def test_p66_a_loss_with_the_own_term_alone():
    case = updates("p106_own_action_baseline", "torch")
    assert "the agent's own action" in audit(case.own_action_only).causes[0]
    assert audit(case.counterfactual).kind is Kind.UNBIASED
    assert audit(case.independent).kind is Kind.UNBIASED
    assert same(
        audit(case.mean_over_agents).expected,
        *(each / 2 for each in audit(case.mean_over_agents).gradient),
        within=1e-8,
    )
