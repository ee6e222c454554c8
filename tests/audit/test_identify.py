"""Which published algorithm an update equals; and that "equals" isn't said of one that differs
somewhere only.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, identify, loss, update
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.references.algorithms import ALGORITHMS
from altpg_verify.audit.references.identification import Likeness
from altpg_verify.errors import BadEstimator, BadInput
from tests.audit.gallery import updates
from tests.audit.ragged import ragged

GROUPS = ragged(2, 2)


def standardised(rewards, eps=1e-4):
    """Advantages of a group, and 0 where all rewards are equal."""
    returns = rewards.sum(axis=-1)
    return (returns - returns.mean()) / (returns.std(ddof=1) + eps)


def clipped(advantages, ratio, low, high):
    """What min(ρ A, clip(ρ) A) leaves of ρ A."""
    out = ((advantages > 0) & (ratio > 1 + high)) | ((advantages < 0) & (ratio < 1 - low))
    return np.where(out, 0.0, ratio * advantages)


def along(weights, scores):
    """Σ weights · ∇ log π."""
    return (weights[..., None] * scores).sum(axis=(0, 1))


def grpo(rewards, logprobs, old_logprobs, mask, scores):
    advantages = standardised(rewards)[:, None]
    kept = clipped(advantages, np.exp(logprobs - old_logprobs), 0.2, 0.2)
    return along(kept * mask / mask.sum(axis=-1, keepdims=True) / len(mask), scores)


def dapo(rewards, logprobs, old_logprobs, mask, scores):
    advantages = standardised(rewards)[:, None]
    return along(
        clipped(advantages, np.exp(logprobs - old_logprobs), 0.2, 0.28) * mask / mask.sum(), scores
    )


def gspo(rewards, logprobs, old_logprobs, mask, scores):
    length = mask.sum(axis=-1)
    ratio = np.exp(((logprobs - old_logprobs) * mask).sum(axis=-1) / length)
    kept = clipped(standardised(rewards), ratio, 3e-4, 4e-4)
    return along((kept / length / len(mask))[:, None] * mask, scores)


def rloo(rewards, mask, scores):
    returns = rewards.sum(axis=-1)
    advantages = returns - (returns.sum() - returns) / (len(returns) - 1)
    return along(advantages[:, None] * mask / len(mask), scores)


def named(function, space=GROUPS, **options):
    return identify(update(space=space)(function), **options)


SLOW = [
    pytest.param(*each, marks=pytest.mark.slow)
    for each in ((dapo, "DAPO"), (gspo, "GSPO = GSPO-token"))
]


@pytest.mark.parametrize(("function", "name"), [(grpo, "GRPO"), (rloo, "RLOO"), *SLOW])
def test_it_is_named_by_its_update_on_every_draw(function, name):
    found = named(function)
    assert found.likeness is Likeness.EQUAL
    assert [each.split(" (")[0] for each in found.names] == [name]
    assert "groups of 2" in found.space
    assert "sampled from the policy itself" in found.evidence


@pytest.mark.thorough
def test_the_numbers_of_the_source_are_in_the_name():
    (name,) = named(dapo).names
    assert "clip(ρ, 1 - 0.2, 1 + 0.28)" in name
    assert "std(R) + 0.0001" in name


@pytest.mark.thorough
def test_what_agrees_only_where_all_ratios_are_one_is_said_apart():
    found = named(grpo)
    assert {"GSPO", "SAPO", "GMPO"} <= set(found.own)
    assert not {"GSPO", "SAPO", "GMPO"} & {
        name for each in found.names for name in each.split(" (")[0].split(" = ")
    }


def beyond_the_clip(rewards, logprobs, old_logprobs, mask, scores):
    """DAPO, but for ratios above 3."""
    far = np.exp(logprobs - old_logprobs) > 3
    return dapo(rewards, logprobs, old_logprobs, np.where(far, 0 * mask, mask) + 1e-300, scores)


def unclipped_below(rewards, logprobs, old_logprobs, mask, scores):
    """DAPO without the lower clip."""
    advantages = standardised(rewards)[:, None]
    return along(
        clipped(advantages, np.exp(logprobs - old_logprobs), 1.0, 0.28) * mask / mask.sum(), scores
    )


def doubled_where_all_differ(rewards, logprobs, old_logprobs, mask, scores):
    """DAPO, doubled for groups whose returns all differ."""
    returns = rewards.sum(axis=-1)
    return dapo(rewards, logprobs, old_logprobs, mask, scores) * (
        2 if len(set(returns.tolist())) == len(returns) else 1
    )


def other_near_a_corner(rewards, logprobs, old_logprobs, mask, scores, pi):
    """DAPO, but where some action has a probability above 0.97."""
    return dapo(rewards, logprobs, old_logprobs, mask, scores) * (0 if pi.max() > 0.97 else 1)


def for_large_rewards(rewards, logprobs, old_logprobs, mask, scores):
    """DAPO, with rewards cut off at 5."""
    return dapo(np.minimum(rewards, 5), logprobs, old_logprobs, mask, scores)


def for_four(rewards, logprobs, old_logprobs, mask, scores):
    """DAPO, and a fault in groups of three."""
    return dapo(rewards, logprobs, old_logprobs, mask, scores) * (3 if len(rewards) == 3 else 1)


DEEPER = (unclipped_below, beyond_the_clip, other_near_a_corner, for_large_rewards, for_four)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "planted",
    [doubled_where_all_differ, *[pytest.param(each, marks=pytest.mark.slow) for each in DEEPER]],
)
def test_what_differs_somewhere_only_is_not_called_equal(planted):
    found = named(planted, conforms_to="dapo")
    assert not found.ok
    assert not any("DAPO" in each for each in found.names) or found.likeness is Likeness.MULTIPLE
    assert found.difference is not None
    assert found.difference.share < 1
    assert found.sentence == "doesn't conform to DAPO"


@pytest.mark.slow
def test_a_number_of_its_own_where_the_constant_was_meant():
    def ignores_it(rewards, logprobs, old_logprobs, mask, scores, clip):
        return dapo(rewards, logprobs, old_logprobs, mask, scores)

    def reads_it(rewards, logprobs, old_logprobs, mask, scores, clip):
        advantages = standardised(rewards)[:, None]
        return along(
            clipped(advantages, np.exp(logprobs - old_logprobs), clip, clip) * mask / mask.sum(),
            scores,
        )

    space = GROUPS.having(clip=0.2)
    assert "1 - clip, 1 + clip" in named(reads_it, space).names[0]
    assert "1 - 0.2, 1 + 0.28" in named(ignores_it, space).names[0]


@pytest.mark.thorough
def test_the_first_draw_on_which_it_differs_is_shown():
    found = named(grpo, conforms_to="dapo")
    assert not found.ok
    assert found.difference.where == "the space as it is"
    assert "differs" in str(found)
    assert "actions" in str(found.difference)
    # the first draw in which lengths and returns differ
    assert not np.allclose(found.difference.update, found.difference.reference)


@pytest.mark.thorough
def test_a_space_that_cannot_tell_establishes_nothing():
    def one_step(rewards, logprobs, old_logprobs, scores):
        returns = rewards
        advantages = (returns - returns.mean()) / (returns.std(ddof=1) + 1e-4)
        return (
            clipped(advantages, np.exp(logprobs - old_logprobs), 0.2, 0.2)[:, None] * scores
        ).mean(axis=0)

    found = named(one_step, bandit([1, "1/2", 0]).group(2), conforms_to="grpo")
    assert not found.ok
    assert "can't tell" in found.sentence
    assert any("DAPO" in name for name in found.names)
    assert any("GRPO" in name for name in found.names)
    assert any("one step" in each for each in found.blind)


@pytest.mark.thorough
def test_a_multiple_is_called_one_with_its_factor():
    def three_tenths(rewards, mask, scores):
        return rloo(rewards, mask, scores) * 0.3

    found = named(three_tenths)
    assert found.likeness is Likeness.MULTIPLE
    assert found.factor == "3/10"
    assert found.names[0].startswith("RLOO")


@pytest.mark.slow
def test_a_sum_without_a_name_is_said_to_be_a_multiple_of_one_that_has_one():
    def summed(rewards, mask, scores):
        return rloo(rewards, mask, scores) * len(mask)

    found = named(summed)
    assert found.likeness is Likeness.EQUAL
    assert not found.names
    assert "sum over all tokens" in found.formulas[0]
    assert found.times.startswith("2 = G times RLOO")


@pytest.mark.thorough
def test_an_epsilon_is_called_what_it_is():
    def nearly(rewards, mask, scores):
        return rloo(rewards, mask, scores) * (1 + mask.sum() * 1e-8)

    found = named(nearly, conforms_to="rloo")
    assert not found.ok
    assert "an epsilon, or float32" in str(found)
    assert found.likeness is Likeness.NEARLY
    assert named(nearly).sentence.startswith("is, up to an epsilon or float32, RLOO")


def test_where_no_reference_fits_the_space_that_is_said():
    found = identify(updates("p18_mean_logprob", "numpy").reward_on_the_way)
    assert found.sentence == "equals none of the references, none of which fits the space"


@pytest.mark.slow
def test_a_composition_without_a_name_is_spelt_out():
    def odd(rewards, mask, scores):
        return along(standardised(rewards)[:, None] * mask, scores)

    found = named(odd)
    assert not found.names
    assert any(
        "(std(R) + 0.0001)" in each and "sum over all tokens" in each for each in found.formulas
    )


@pytest.mark.slow
def test_lines_that_never_ran_are_said():
    def with_a_door(rewards, mask, scores):
        if len(mask) == 11:
            return 5 * rloo(rewards, mask, scores)
        return rloo(rewards, mask, scores)

    found = named(with_a_door)
    assert found.partial
    assert "as far as it ran" in found.sentence


@pytest.mark.thorough
def test_an_impure_update_is_refused():
    seen = []

    def remembers(rewards, mask, scores):
        seen.append(1)
        return rloo(rewards, mask, scores) * (1 + len(seen) % 2)

    with pytest.raises(BadEstimator):
        named(remembers)


@pytest.mark.slow
def test_a_declared_algorithm_is_the_test_in_an_audit():
    right = audit(update(space=GROUPS, conforms_to="dapo")(dapo))
    assert right.kind is not Kind.UNBIASED
    assert right.ok
    wrong = audit(update(space=GROUPS, conforms_to="dapo")(grpo))
    assert not wrong.ok
    assert "doesn't conform to DAPO" in str(wrong)
    assert "differs" in str(wrong)


def test_an_unknown_name_is_refused():
    with pytest.raises(BadInput, match="grpo"):
        named(rloo, conforms_to="grpoo")


@pytest.mark.slow
def test_torch_losses_are_named():
    torch = pytest.importorskip("torch")

    @loss(space=GROUPS)
    def as_in_a_trainer(logprobs, old_logprobs, rewards, mask):
        returns = rewards.sum(-1)
        advantages = ((returns - returns.mean()) / (returns.std() + 1e-4))[:, None]
        ratio = torch.exp(logprobs - old_logprobs)
        per_token = -torch.min(ratio * advantages, torch.clamp(ratio, 0.8, 1.2) * advantages)
        return ((per_token * mask).sum(-1) / mask.sum(-1)).mean()

    assert [each.split(" (")[0] for each in identify(as_in_a_trainer).names] == ["GRPO"]


@pytest.mark.parametrize("key", sorted(set(ALGORITHMS) - {"neurd", "sampled_neurd"}))
def test_every_algorithm_has_a_formula_and_a_source(key):
    algorithm = ALGORITHMS[key]
    assert algorithm.source
    assert str(algorithm.formula)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "name", "called"),
    [
        ("p08_own_mean", "no_baseline", "REINFORCE"),
        ("p08_own_mean", "leave_one_out", "RLOO"),
        ("p14_over_length", "over_length", ""),
        ("p44_neurd", "neurd", "NeuRD"),
        ("p44_neurd", "sampled_neurd", "sampled NeuRD"),
        ("p27_no_score_term", "no_score_term", ""),
    ],
)
def test_cases_of_the_gallery_are_named(case, name, called):
    found = identify(getattr(updates(case, "numpy"), name))
    assert found.likeness is Likeness.EQUAL
    assert [each.split(" (")[0] for each in found.names] == ([called] if called else [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "name"), [("p45_action_baseline", "uncorrected"), ("p44_neurd", "centred_over_all")]
)
def test_cases_of_the_gallery_that_are_no_algorithm_are_called_none(case, name):
    assert identify(getattr(updates(case, "numpy"), name)).likeness is Likeness.NONE
