"""Divergences that are compared at once: whoever agrees is left, and the others mostly aren't."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import bandit, update
from altpg_verify.audit.references import identifying
from altpg_verify.audit.references.comparison import CLOSE, LEVEL

SPACE = bandit([1, "1/2", 0], pi=["1/2", "1/4", "1/4"]).group(2).against(["1/3", "1/3", "1/3"])


@update(space=SPACE)
def k3_in_the_loss(rewards, logprobs, ref_logprobs, scores):
    far = np.exp(ref_logprobs - logprobs) - 1
    return ((rewards - rewards.mean() + 0.04 * far)[:, None] * scores).mean(0)


@update(space=SPACE)
def k1_in_the_reward(rewards, logprobs, ref_logprobs, scores):
    paid = rewards - 0.1 * (logprobs - ref_logprobs)
    return ((paid - paid.mean())[:, None] * scores).mean(0)


@update(space=SPACE)
def without_divergence(rewards, ref_logprobs, scores):
    return ((rewards - rewards.mean())[:, None] * scores).mean(0) + 0 * ref_logprobs.sum()


@update(space=SPACE)
def of_no_reference(rewards, logprobs, ref_logprobs, scores):
    return ((rewards**3 + 0.3 * (ref_logprobs - logprobs) ** 3)[:, None] * scores).mean(0)


@pytest.mark.parametrize(
    "judged", [k3_in_the_loss, k1_in_the_reward, without_divergence, of_no_reference]
)
def test_those_that_agree_are_the_same_as_one_by_one(judged):
    search = identifying._Search(judged)
    block = search.comparison.telling(search.own[0])[0]
    # a share of them, since one by one they take long
    some = [*search.candidates.plain[::40], *search._at_home]
    left = identifying.may_agree(
        some, block, CLOSE, LEVEL * block.largest, search.comparison.vectors
    )
    equal = {each for each in some if search.comparison.agrees(each, search.own)}
    assert equal == set(search._at_home)
    assert equal <= set(left)
    assert bool(equal) is (judged is not of_no_reference)


@pytest.mark.thorough
def test_most_divergences_are_left_out_before_they_are_run():
    search = identifying._Search(k3_in_the_loss)
    block = search.comparison.telling(search.own[0])[0]
    left = identifying.may_agree(
        search.candidates.plain, block, CLOSE, LEVEL, search.comparison.vectors
    )
    in_the_loss = [
        each for each in search.candidates.plain if each.divergence.name.endswith("in the loss")
    ]
    still = [each for each in left if each.divergence.name.endswith("in the loss")]
    assert 0 < len(still) < len(in_the_loss) / 20
    assert [each for each in search.candidates.plain if each in set(left)] == left
