"""Edits that mend an update: each is audited as a program of its own, on other spaces too, and what
only looks like one isn't shown.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from altpg_verify.__main__ import main
from altpg_verify.audit import audit, kl_to_reference, value
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadInput
from tests.audit import mending_cases as cases
from tests.shares import share


def mends(update):
    return audit(update, differentiate=False, mend=True).mends


def edits(update):
    return [each for mend in mends(update) for each in mend.edits]


@pytest.mark.thorough
def test_a_mend_is_one_line_that_says_what_it_changes():
    first, *_ = mends(cases.UPDATES["own mean"])
    assert (
        first.sentence
        == "with `(rewards - baseline) * len(rewards) / (len(rewards) - 1)` for `rewards -"
        " baseline` (mending_cases.py:19) it is unbiased (PROVED); E[g] becomes (1/9, 1/18,"
        " -1/6)"
    )
    assert (
        first.elsewhere
        == "the same with other rewards (2 spaces) and other sizes of the batch (3 spaces)"
    )
    found = audit(cases.UPDATES["own mean"], differentiate=False, mend=True)
    assert f"mend      {first.sentence}" in str(found)
    assert found.as_dict()["mends"][0]["edits"][0]["where"] == "mending_cases.py:19"


@pytest.mark.thorough
def test_what_it_says_is_true_of_the_edited_program():
    """Two terms become one: the edit that is shown, made by hand, is unbiased."""
    from altpg_verify.audit import from_function

    update = cases.UPDATES["a term too many"]
    shown = edits(update)
    assert (
        "with `reward - 0.1 * logprobs[0]` for `reward - 0.1 * logprobs[0] + 0.3 * logprobs[0]`"
        in shown
    )

    def by_hand(reward, score, logprobs):
        return (reward - 0.1 * logprobs[0]) * score

    assert (
        audit(from_function(by_hand, space=update.space, target=update.target)).kind
        is Kind.UNBIASED
    )


def test_an_edit_of_a_helper_is_found_where_it_stands():
    mend, other = mends(cases.UPDATES["a helper"])
    assert mend.edits == ("with `x` for `x / 2`",)
    assert other.edits == ("with `reward` for `halved(reward)`",)


@pytest.mark.thorough
def test_what_is_right_with_these_rewards_only_is_no_mend():
    assert audit(cases.UPDATES["squared twice"].on(cases.COIN)).kind is not Kind.UNBIASED
    assert not mends(cases.UPDATES["squared twice"])


@pytest.mark.thorough
def test_what_is_right_at_the_policy_of_the_audit_only_is_no_mend():
    found = mends(cases.UPDATES["gradient of one policy"])
    assert not any(
        edit.startswith("with `GRADIENT_HERE` for") for mend in found for edit in mend.edits
    )
    assert [mend.edits for mend in found] == [
        (
            "with `reward * score / 7` for `reward * score / 7 + GRADIENT_HERE`",
            "with `reward * score` for `reward * score / 7`",
        )
    ]


@pytest.mark.thorough
def test_a_number_that_these_rewards_never_reach_hides_nothing():
    found = mends(cases.UPDATES["knows the largest"])
    assert ("with `reward` for `2 * reward`",) not in [mend.edits for mend in found]


@pytest.mark.thorough
def test_an_edit_of_a_trainers_own_advantages_is_found_where_it_stands():
    pytest.importorskip("torch")
    from tests.audit.mending_limits import HALVED, halved

    mend, other = mends(HALVED)
    assert mend.edits == ("with `sequence_rewards` for `sequence_rewards / 2`",)
    assert other.edits == ('with `advantages="reinforce"` for `advantages=halved`',)
    assert mend.where == (f"mending_limits.py:{halved.__code__.co_firstlineno + 1}",)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["RETURNS", "ONE_STEP"])
def test_what_a_time_limit_cut_off_is_put_where_nothing_was(name):
    pytest.importorskip("torch")
    from tests.audit import mending_limits

    first, *_ = mends(getattr(mending_limits, name))
    assert first.edits == ("with `final_values` for `0`",)


@pytest.mark.thorough
def test_an_array_of_zeros_is_nothing_too():
    """Also with a discount: where other lengths are tried, a limit cuts off at one time."""
    pytest.importorskip("torch")
    from tests.audit.mending_limits import ZEROS

    assert mends(ZEROS)[0].edits == ("with `final_values` for `torch.zeros(rewards.shape[0])`",)


def test_without_a_time_limit_there_is_nothing_to_put():
    pytest.importorskip("torch")
    from tests.audit.mending_limits import UNLIMITED

    assert not any("final_values" in edit for edit in edits(UNLIMITED))


@pytest.mark.slow
def test_a_jax_loss_is_mended():
    pytest.importorskip("jax")
    from tests.audit.mending_jax import baseline_with_a_gradient

    first, *_ = mends(baseline_with_a_gradient)
    assert first.edits == (
        "with `jax.lax.stop_gradient((jax.nn.softmax(logits) * jnp.array([1.0, 0.5, 0.0])).sum())`",
    )


def test_where_there_is_nothing_to_learn_nothing_is_mended():
    """Every program that does nothing would be right."""
    assert not mends(
        cases.UPDATES["nothing to learn"]
        .on(cases.SURE, target="-entropy")
        .on(cases.SURE, target="value")
    )


def test_a_loop_that_an_edit_might_never_end_is_left_alone():
    assert not mends(cases.UPDATES["until small"])


def test_defaults_are_kept():
    assert edits(cases.UPDATES["a default"]) == [
        "with `reward * score` for `reward * score * factor`"
    ]


def test_what_could_be_tried_on_one_space_only_says_so(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.confirmation.MOST_DRAWS", 0)
    mend, *_ = mends(cases.UPDATES["a helper"])
    assert "it is unbiased, on this space only (PROVED)" in mend.sentence


def test_a_function_without_a_file_has_no_mend():
    from altpg_verify.audit import from_function

    namespace: dict = {}
    exec("def triple(reward, score):\n    return 3 * reward * score", namespace)
    assert not mends(from_function(namespace["triple"], space=cases.ARMS))


def test_a_right_update_is_not_searched(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.diagnosis.mends", lambda *_: pytest.fail("searched"))
    from altpg_verify.audit import from_function

    audit(from_function(lambda reward, score: reward * score, space=cases.ARMS), mend=True)


def test_time_is_kept(monkeypatch):
    assert audit(cases.UPDATES["own mean"], differentiate=False, mend=0.0).mends == ()
    short = audit(cases.UPDATES["own mean"], differentiate=False, mend=1e-9)
    assert short.mends == ()
    assert short.notes[-1] == "not every edit that may mend it was tried within 1e-09 s"
    with pytest.raises(BadInput, match="mend must be a number of seconds"):
        audit(cases.UPDATES["own mean"], mend=-1)


@pytest.mark.thorough
def test_on_the_command_line_it_is_looked_for_where_that_is_quick(capsys):
    gallery = "tests.gallery.cases.p14_over_length:over_length"
    assert main(["check", gallery]) == 1
    assert "mend      with `scores.sum(axis=0) * rewards.sum()` for" in capsys.readouterr().out
    assert main(["check", "--no-mend", gallery]) == 1
    assert "mend  " not in capsys.readouterr().out


def trainers(loss, space, **options):
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss

    return edits(trainer_loss(loss, space=space, **options))


@pytest.mark.slow
def test_edits_of_losses_under_autodiff():
    assert trainers(cases.entangled, cases.ROWS)[0] == "with `chosen.exp().detach()`"
    assert trainers(cases.entangled_without_a_mask, cases.ROWS) == []
    assert (
        "with `(log_probs - ref_log_probs).detach() * log_probs` for `log_probs - ref_log_probs`"
        not in trainers(cases.k1, cases.NEAR, target=cases.PENALTY)
    )
    mean = trainers(cases.token_mean, cases.ROWS.batch(2))
    assert (
        mean[0] == "with `-(log_probs * returns * response_mask).sum(-1).mean()` for "
        "`-(log_probs * returns * response_mask).sum() / response_mask.sum()`"
    )
    assert trainers(cases.summed, cases.ROWS.batch(2))[0].startswith(
        "with `(log_probs * returns * response_mask).sum(-1).mean()`"
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("loss", "space", "target", "edit"),
    [
        (cases.not_minimised, cases.LATE, "value", "with `-((log_probs * response_mask).sum(-1) *"),
        (
            cases.without_a_ratio,
            cases.ELSEWHERE,
            "value",
            "with `((log_probs - old_log_probs) * response_mask).sum(-1).exp()`",
        ),
        (
            cases.k1_of_a_sequence,
            cases.LATE.against([["1/3", "2/3"]] * 3),
            value - 0.1 * kl_to_reference,
            "with `((log_probs - ref_log_probs) * response_mask).sum(-1).detach() *"
            " (log_probs * response_mask).sum(-1)`",
        ),
    ],
)
def test_edits_of_whole_sequences(loss, space, target, edit):
    assert trainers(loss, space, target=target)[0].startswith(edit)


GALLERY = {
    "p01_k1_kl_in_the_loss_torch:k1_in_the_loss": "(logprobs - ref_logprobs).detach() * logprobs",
    "p01_k1_kl_in_the_loss_torch:reward_with_k1_in_the_loss": (
        "(logprobs - ref_logprobs).detach() * logprobs"
    ),
    "p02_k3_kl_in_the_loss_torch:k3_in_the_loss": "log_ratio ** 2 / 2",
    "p08_own_mean:own_mean": "(rewards - rewards.mean()) * len(rewards) / (len(rewards) - 1)",
    "p09_leave_one_out_std:leave_one_out_std": "rewards - rest.mean(axis=1)",
    "p11_group_std:grpo_on_three_arms": "* rewards.shape[-1] / (rewards.shape[-1] - 1)",
    "p13_mixed_groups_only:mixed_groups_of_two_prompts": ("without `.keeping(mixed)`"),
    "p14_over_length:over_length": "scores.sum(axis=0) * rewards.sum()",
    "p16_missing_discount_torch:without_discount": (
        "discount ** torch.arange(len(logprobs)) * logprobs"
    ),
    "p17_whole_return_torch:fixed": "discount ** torch.arange(len(logprobs)) * logprobs",
    "p18_mean_logprob_torch:reward_on_the_way": (
        "-(logprobs * rewards_to_go(rewards, discount)).sum()"
    ),
    "p20_standardised_returns:centred_only": "returns",
    "p23_advantage_not_detached_torch:shared_trunk": ("trunk.detach()"),
    "p27_no_score_term_torch:no_score_term": ("(rewards.detach() * logprobs).mean()"),
    "p30_broadcast_torch:broadcast": "with `rewards` for `rewards.unsqueeze(-1)`",
    "p32_probabilities_as_logits_torch:scored_only": "probs=probabilities",
    "p33_clamped_probability_torch:clamped": "with `probabilities` for `torch.clamp",
    "p39_entropy_sign_torch:wrong_sign": "-(logprobs * rewards).mean() - BETA * entropy_of(logits)",
    "p41_probability_for_its_log_torch:probability_for_its_log": (
        "torch.log(probabilities.clamp(1e-12, 1.0))"
    ),
    "p43_straight_through_torch:square_critic": "",
    "p44_neurd_torch:neurd": ("(logits * h * pi.detach()).sum()"),
    "p45_action_baseline:uncorrected": "with `reward` for `reward - b[action]`",
    "p46_observation_resets_return_torch:reset_at_every_masked_token": "resets=False",
    "p47_local_denominator_torch:own_tokens": (
        "-(log_probs * advantages * response_mask).sum(-1).mean()"
    ),
    "p48_mask_missing_in_update_torch:scored_without_the_mask": (
        "with `logprobs` for `torch.log_softmax"
    ),
    "p49_summed_log_ratio_torch:summed_and_truncated": (
        "weight(log_probs, old_log_probs, response_mask, mean=False)"
    ),
    "p50_kl_without_gradient_torch:under_no_grad": "without `with torch.no_grad():`",
    "p51_value_of_padding_torch:padding_has_a_value": "* response_mask",
    "p52_padding_in_returns_torch:padding_pays": "* response_mask",
    "p60_vtrace_over_the_end_torch:shifted_over_ends": "cut=True",
    "p61_ratio_twice_torch:ratio_twice": "with `tis` for `tis * ratio`",
    "p62_log_ratios_of_padding_torch:unmasked_mean": (
        "(log_ratio * response_mask).sum(-1) / response_mask.sum(-1)"
    ),
    "p63_padding_in_the_average_torch:padding_is_scored": (
        "(logp * weights * mask).sum(-1).mean()"
    ),
    "p63_padding_in_the_average_torch:over_all_steps": "-(logp * weights).sum(-1).mean()",
    "p64_dual_clip_torch:vanilla": 'with `advantages="rloo"` for',
    "p65_sequence_ratio_torch:gspo_in_verl": 'with `advantages="rloo"` for',
    "p66_soft_gate_torch:sapo": 'with `advantages="rloo"` for',
    "p67_geometric_mean_torch:geo_mean": "",
    "p68_clipped_weight_torch:cispo_in_verl": 'with `advantages="rloo"` for',
    "p69_active_groups_torch:rows_that_pay": (
        "(scores - scores.mean()) * len(scores) / (len(scores) - 1)"
    ),
    "p71_whitened_returns_torch:whitened_returns": ('with `advantages="rloo"` for'),
    "p72_leave_one_out_torch:normalised_in_nemo_rl": (
        "with `advantages` for `advantages / (std + 1e-06)`"
    ),
    "p73_length_weighted_baseline_torch:opo": (
        "with `response_length` for `response_length * scores`"
    ),
    "p74_best_of_group_torch:over_the_deviation": (
        "with `advantage` for `advantage / (torch.std(rewards) + 1e-06)`"
    ),
    "p75_straight_through_k2_torch:of_two_tokens": (
        "((log_prob - ref_log_prob) * response_mask).sum(-1).detach()"
    ),
    "p76_weighted_k3_torch:without_weight": "(ref_log_probs - log_probs) ** 2 / 2",
    "p77_truncated_correction_torch:truncated": (
        "with `torch.exp(log_probs - rollout_log_probs)` for"
    ),
    "p78_masked_far_sequences_torch:everything_bad": "torch.exp(log_probs - old_log_probs)",
    "p79_three_averages_torch:grpo": 'with `advantages="rloo"` for',
    "p80_times_length_torch:without_length": "with `(log_ratio * mask).sum(-1)` for",
    "p81_two_sided_clip_torch:two_sided": 'with `advantages="rloo"` for',
    "p82_minibatch_advantages_torch:norm_adv": "without `mb_advantages =",
    "p83_limit_is_an_end_torch:truncated_is_done": "with `1.0` for `1.0 - next_done`",
    "p84_buffer_of_paths_torch:normalised": "",
    "p86_counterfactual_baseline_torch:coma": ".sum(-1).mean()` for",
    "p88_every_action_torch:rm_loss": ("with `advantages(pi, q)` for `torch.relu("),
    "p89_reference_registry_torch:grpo_in_polgrad": "",
    "p90_clip_in_logarithms_torch:standardised": 'with `advantages="rloo"` for',
    "p91_entropy_of_visited_states_torch:visits_held": ("(newlogprob * mask).sum(-1)"),
    "p92_deviation_of_the_batch_torch:scaled_by_batch": ("* same.sum(-1) / (same.sum(-1) - 1)"),
}
"""For every case that is wrong what its first mend must have in it; nothing where no small edit
mends it.
"""


@pytest.mark.thorough
@pytest.mark.parametrize("case", share(GALLERY, 12))
def test_the_gallery_is_mended_where_an_edit_does_it(case):
    module, name = case.split(":")
    if module.endswith("_torch"):
        pytest.importorskip("torch")
    update = getattr(import_module(f"tests.gallery.cases.{module}"), name)
    whole = audit(update, differentiate=False, mend=True)
    found = whole.mends
    assert bool(found) is bool(GALLERY[case])
    if found:
        assert any(GALLERY[case] in edit for edit in found[0].edits)
        assert whole.causes
    else:
        assert whole.unmended.startswith("none: of ")
