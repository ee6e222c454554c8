"""Losses as they stand in trainers: names, layouts, advantages, configuration, workers."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, bandit, game, tokens, trainer_loss  # noqa: E402
from altpg_verify.audit.advantages import ESTIMATORS  # noqa: E402
from altpg_verify.audit.kept_draws import drawn  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402
from altpg_verify.audit.policy_quantities import Tables  # noqa: E402
from altpg_verify.audit.trainer_names import MEANING, NAMES, PARTS  # noqa: E402
from altpg_verify.errors import BadEstimator, BadInput  # noqa: E402

ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))
PAIRS = ROWS.group(2)
AFTER_PROMPTS = tokens(
    vocabulary=2,
    length=2,
    eos=0,
    prompts=[[1]],
    prompt_in_row=True,
    reward=lambda prompt, row: row.count(1),
).group(2)


def by_length(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum() / 2


def by_tokens(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum() / response_mask.sum()


def clipped(old_log_prob, log_prob, advantages, eos_mask, cliprange):
    """The surrogate as verl has it, with its metrics."""
    ratio = torch.exp((log_prob - old_log_prob).float())
    losses = torch.maximum(
        -advantages * ratio, -advantages * torch.clamp(ratio, 1 - cliprange, 1 + cliprange)
    )
    return (losses * eos_mask).sum(-1).mean(), (ratio > 1 + cliprange).double().mean()


@pytest.mark.parametrize("estimator", ["return", "reinforce", "exact", "gae", "rloo"])
def test_estimators_that_are_unbiased(estimator):
    assert audit(trainer_loss(by_length, space=PAIRS, advantages=estimator)).kind is Kind.UNBIASED


def test_estimators_that_are_not():
    assert audit(trainer_loss(by_length, space=PAIRS, advantages="dr_grpo")).scale.factors == {
        "": 0.5
    }
    for estimator in ("grpo", "reinforce++"):
        assert (
            audit(trainer_loss(by_length, space=PAIRS, advantages=estimator)).kind
            is Kind.NOT_A_GRADIENT
        )
    assert set(ESTIMATORS) == {
        "return",
        "reinforce",
        "exact",
        "gae",
        "rloo",
        "dr_grpo",
        "grpo",
        "reinforce++",
    }


def test_a_loss_of_verls_shape_needs_no_wrapping():
    found = audit(trainer_loss(clipped, space=PAIRS, advantages="rloo", cliprange=0.2))
    assert found.kind is Kind.UNBIASED
    assert found.run == (
        "in float64 throughout: .float() meant float64",
        "of the 2 values that it returns, the first is the loss",
    )
    off_policy = audit(
        trainer_loss(
            clipped, space=PAIRS.decoded(temperature=3.0), advantages="rloo", cliprange=0.01
        )
    )
    assert off_policy.kind is not Kind.UNBIASED


def test_constants_of_the_space_are_the_configuration():
    assert (
        audit(trainer_loss(clipped, space=PAIRS.having(cliprange=0.2), advantages="rloo")).kind
        is Kind.UNBIASED
    )


def group_means(token_level_rewards, response_mask, index):
    scores = token_level_rewards.sum(-1)
    # as verl does it, by a dictionary over rows
    rows = {}
    for i in range(len(scores)):
        rows.setdefault(index[i], []).append(scores[i])
    centred = torch.stack(
        [score - torch.stack(rows[index[i]]).mean() for i, score in enumerate(scores)]
    )
    return centred[:, None] * response_mask, None


def test_advantages_may_be_the_trainers_own_function():
    assert audit(trainer_loss(by_length, space=PAIRS, advantages=group_means)).scale.factors == {
        "": 0.5
    }


def test_a_declared_critic_is_used_in_the_padding_too():
    def unmasked_bootstrap(token_rewards, values):
        following = torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], -1)
        return token_rewards + following - values

    critic = np.linspace(0.1, 0.4, ROWS.states)
    assert (
        audit(trainer_loss(by_length, space=PAIRS, advantages="gae", values=critic)).kind
        is Kind.UNBIASED
    )
    wrong = trainer_loss(by_length, space=PAIRS, advantages=unmasked_bootstrap, values=critic)
    assert audit(wrong).kind is not Kind.UNBIASED


def test_workers_that_divide_by_their_own_token_count():
    space = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: 1 + row.count(1)).batch(2)
    together = audit(trainer_loss(by_tokens, space=space, advantages="return"))
    apart = audit(trainer_loss(by_tokens, space=space, advantages="return", ranks=2))
    accumulated = audit(trainer_loss(by_tokens, space=space, advantages="return", micro_batches=2))
    assert together.expected != apart.expected
    assert apart.follows == "E[R / length]"
    assert accumulated.expected == pytest.approx(apart.expected)
    assert apart.run == ("rows shared by 2 workers",)


@pytest.mark.parametrize("layout", ["rows", "packed"])
def test_a_packed_row_is_the_same_batch(layout):
    assert (
        audit(trainer_loss(by_length, space=PAIRS, advantages="rloo", layout=layout)).kind
        is Kind.UNBIASED
    )


def test_packed_rows_have_positions_that_begin_again_and_sequences_that_are_numbered():
    seen = []

    def looking(log_probs, advantages, position_ids, sequence_ids, mask):
        seen.append((position_ids.tolist(), sequence_ids.tolist(), mask.tolist()))
        return by_length(log_probs, advantages, mask)

    made = trainer_loss(looking, space=PAIRS, advantages="rloo", layout="packed")
    for _, draw in drawn(Tables.at(made.space, made.space.parameters)):
        made.at(made.space.parameters, draw)
    assert ([[0, 0, 1, 2]], [[0, 1, 1, 2]], [[1, 1, 1, 0]]) in seen


@pytest.mark.parametrize("padding", ["left", "right"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_sequences_of_a_packed_row_can_be_counted_by_their_beginnings(padding, ranks):
    counts = set()

    def counting(log_probs, advantages, response_mask, position_ids):
        counts.add(int((position_ids == 0).sum()))
        return -(log_probs * advantages * response_mask).sum() / (position_ids == 0).sum()

    space = tokens(
        vocabulary=2,
        length=2,
        eos=0,
        prompts=[[0], [1, 1]],
        prompt_in_row=True,
        padding=padding,
        reward=lambda prompt, row: row.count(1) + prompt[0],
    ).group(2)
    made = trainer_loss(counting, space=space, advantages="rloo", layout="packed", ranks=ranks)
    for _, draw in drawn(Tables.at(space, space.parameters)):
        made.at(space.parameters, draw)
    assert counts == {2 // ranks}


def test_a_flat_layout_has_the_policys_tokens_only():
    def cleanrl(newlogprob, mb_advantages):
        return -(newlogprob * mb_advantages).sum() / 2

    assert (
        audit(trainer_loss(cleanrl, space=PAIRS, advantages="rloo", layout="flat")).kind
        is Kind.UNBIASED
    )
    one_step = bandit([0, "1/2", 1], pi=["1/6", "1/3", "1/2"]).batch(2)
    assert (
        audit(trainer_loss(cleanrl, space=one_step, advantages="exact", layout="flat")).kind
        is Kind.UNBIASED
    )


def test_logits_and_entropy_have_a_gradient_too():
    def from_logits(logits, tokens, advantages, loss_mask):
        taken = torch.gather(logits.log_softmax(-1), -1, tokens[..., None])[..., 0]
        return -(taken * advantages * loss_mask).sum() / 2

    assert audit(trainer_loss(from_logits, space=PAIRS, advantages="rloo")).kind is Kind.UNBIASED

    def entropy_alone(entropy):
        return -entropy.mean()

    found = audit(
        trainer_loss(
            entropy_alone,
            space=bandit([0, 0, 0], pi=["1/6", "1/3", "1/2"]).batch(1),
            target="entropy",
        )
    )
    assert found.kind is Kind.UNBIASED


def test_a_gradient_through_the_padding_is_seen():
    def unmasked(log_probs, advantages):
        return -(log_probs * advantages.sum(-1, keepdim=True)).sum() / 2

    assert audit(trainer_loss(unmasked, space=PAIRS, advantages="return")).kind is not Kind.UNBIASED


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_is_compiled_runs_as_it_was_written():
    @torch.compile
    def helper(values):
        return values * 1.0

    def loss(log_probs, adv, mask):
        return -(helper(log_probs) * adv * mask).sum() / 2

    assert audit(trainer_loss(loss, space=PAIRS, advantages="rloo")).kind is Kind.UNBIASED


def test_names_of_ones_own_and_choices_and_helpers_without_a_gradient():
    @torch.no_grad()
    def fixed(values):
        return values.exp()

    def loss(lp, adv, mask, keep):
        return -(lp * adv * mask * keep).sum() + 0 * fixed(lp).sum()

    made = trainer_loss(
        loss,
        space=PAIRS,
        advantages="rloo",
        names={"lp": "log_probs"},
        choices={"keep": [(1, "1/2"), (0, "1/2")]},
    )
    assert audit(made).kind is Kind.UNBIASED


def test_every_name_means_one_part_and_every_part_is_explained():
    assert set(PARTS) == set(MEANING) == set(NAMES.values())
    assert len(NAMES) == sum(1 + len(more) for more in PARTS.values())


def test_every_part_is_there():
    space = AFTER_PROMPTS
    space = space.against(space.policy.exact_table(space.weights))
    _, draw = next(iter(drawn(Tables.at(space, space.parameters))))
    for part in set(PARTS) - {"log_probs"}:
        given = []
        asking = eval(
            f"lambda log_probs, {part}: given.append({part}) or log_probs.sum()", {"given": given}
        )
        trainer_loss(asking, space=space, advantages="rloo").at(space.parameters, draw)
        assert given[0] is not None, part


@pytest.mark.parametrize(
    ("settings", "kind", "sentence"),
    [
        ({}, BadInput, "name an estimator, such as advantages='grpo'"),
        ({"advantages": "gpo"}, BadInput, "advantages: 'gpo' is not known"),
        ({"advantages": 3}, BadInput, "name of an estimator or a function"),
        ({"advantages": "rloo", "layout": "ragged"}, BadInput, "layout: 'ragged' is not known"),
        ({"advantages": "rloo", "ranks": 3}, BadInput, "2 rows can't be shared by 3 times 1"),
        ({"advantages": "rloo", "values": [1.0]}, BadInput, "values has shape"),
        ({"advantages": "rloo", "names": {"x": "y"}}, BadInput, "no part of a batch"),
        (
            {"advantages": lambda log_probs: log_probs.sum()},
            BadInput,
            "returned no tensor of shape",
        ),
    ],
)
def test_what_cannot_be_used_is_said(settings, kind, sentence):
    with pytest.raises(kind, match=sentence):
        audit(trainer_loss(by_length, space=PAIRS, **settings))


def test_what_the_loss_asks_for_in_vain_is_said():
    with pytest.raises(BadEstimator, match="asks for 'banana', which is no part of the batch"):
        trainer_loss(lambda log_probs, banana: log_probs.sum(), space=PAIRS)
    with pytest.raises(BadInput, match="reference policy"):
        trainer_loss(lambda log_probs, ref_log_prob: log_probs.sum(), space=PAIRS)
    with pytest.raises(BadEstimator, match="without any of loss"):
        audit(trainer_loss(lambda log_probs: {"x": log_probs.sum()}, space=PAIRS))


def test_a_loss_may_ask_for_the_parameters_beside_the_batch():
    space = tokens(
        vocabulary=2, length=2, eos=0, policy="shared", reward=lambda row: row.count(1)
    ).batch(2)

    def decayed(theta, log_probs, advantages, response_mask):
        return -(log_probs * advantages * response_mask).sum(-1).mean() + 0 * (theta**2).sum()

    def scored_again(theta, tokens, advantages, response_mask):
        log_probs = torch.log_softmax(theta, -1)[tokens.long()]
        return -(log_probs * advantages * response_mask).sum(-1).mean()

    assert [
        audit(trainer_loss(each, space=space, advantages="return")).kind
        for each in (decayed, scored_again)
    ] == [Kind.UNBIASED] * 2


@pytest.mark.parametrize("batch", [1, 2])
def test_a_loss_of_several_agents(batch):
    """COMA as PyMARL has it: a column for each agent."""

    def coma(logits, actions, counterfactual_q, mask):
        pi = torch.softmax(logits, -1)
        baseline = (pi * counterfactual_q).sum(-1).detach()
        taken = actions[..., None]
        advantages = counterfactual_q.gather(-1, taken)[..., 0] - baseline
        chosen = torch.log(pi.gather(-1, taken)[..., 0])
        return -(advantages.detach() * chosen * mask).sum() / mask.sum()

    space = game([[3, 0], ["1/2", 1]], pi=[["1/3", "2/3"], ["1/4", "3/4"]])
    found = audit(trainer_loss(coma, space=space if batch == 1 else space.batch(batch)))
    assert found.scale.formula == "1/agents"
