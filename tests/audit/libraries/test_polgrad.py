"""The registry's surrogates and aggregations beside those of the package `polgrad`, on polgrad's
own random batches.

What multiplies the score of each token here is minus the derivative of polgrad's loss in the
token's log-probability.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from altpg_verify.audit.references.algorithms import ALGORITHMS
from altpg_verify.audit.references.recipes import Recipe

torch = pytest.importorskip("torch")
pytest.importorskip("polgrad")

from polgrad import registry  # noqa: E402
from polgrad.losses import policy_loss  # noqa: E402
from polgrad.testing import random_batches  # noqa: E402

NAMES = (
    "ppo",
    "grpo",
    "dr_grpo",
    "dapo",
    "gspo",
    "gspo_token",
    "cispo",
    "rloo",
    "reinforce_pp",
    "grpo_tis",
)

BUDGET = 12

GAPS = {"gspo": 0.01, "gspo_token": 0.01, "grpo_tis": 3.0}
"""How far their policies are apart, in log-probabilities: about the clip, beyond the cap."""


def ours(name: str, batch: dict, theirs) -> np.ndarray:
    """(sequences, tokens) what multiplies the scores, with polgrad's advantages."""
    recipe = ALGORITHMS[name].formula
    assert isinstance(recipe, Recipe)
    mask = batch["response_mask"].numpy().astype(float)[None, None]
    draws = SimpleNamespace(
        shape=mask.shape,
        mask=mask,
        lengths=mask.sum(axis=-1, keepdims=True),
        number=lambda given: BUDGET if given == "L" else given,
        **{
            ours: batch[theirs].numpy()[None, None] * mask
            for ours, theirs in streams_of(name).items()
        },
    )
    advantages = batch["advantages"].numpy()[None, None, :, None] * mask
    weights = recipe.aggregation.formula.at(draws, **recipe.aggregation.given(draws))
    found = (
        recipe.surrogate.formula.at(draws, advantages, weights, **recipe.surrogate.given(draws))
        * mask
    )
    if theirs.kl is not None:
        (penalised,) = [each for each in ALGORITHMS[name].divergences if each == "k3 in the loss"]
        from altpg_verify.audit.references.surrogates import DIVERGENCES

        found = found - theirs.kl.coef * weights * DIVERGENCES[penalised].at(draws) * mask
    return found[0, 0]


STREAMS = {"logprobs": "logprobs", "old": "old_logprobs", "ref": "ref_logprobs"}


def streams_of(name: str) -> dict[str, str]:
    """Ours by theirs: with a weight between two engines what is sampled is the rollout's."""
    if name == "grpo_tis":
        return {**STREAMS, "old": "rollout_logprobs", "start": "old_logprobs"}
    return STREAMS


def test_all_of_theirs_are_here():
    assert set(NAMES) == set(registry.ALGORITHMS)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_slopes_as_polgrad(name):
    theirs = registry.get(name).loss
    theirs = replace(theirs, norm_len=BUDGET) if name == "dr_grpo" else theirs
    seen, capped = 0.0, 0
    for batch in random_batches(20, ((4, 8), (2, 12)), seed=1, max_gap=GAPS.get(name, 0.6)):
        logprobs = batch["logprobs"].clone().requires_grad_()
        streams = {
            key: batch[key]
            for key in ("old_logprobs", "advantages", "response_mask", "ref_logprobs")
        }
        if theirs.is_correction is not None:
            streams["rollout_logprobs"] = batch["rollout_logprobs"]
            far = (batch["old_logprobs"] - batch["rollout_logprobs"])[batch["response_mask"]]
            capped += int((far.exp() > theirs.is_correction.cap).sum())
        loss = policy_loss(theirs, logprobs=logprobs, **streams).loss
        (slope,) = torch.autograd.grad(loss, logprobs)
        np.testing.assert_allclose(
            ours(name, batch, theirs), -slope.numpy(), rtol=1e-12, atol=1e-15
        )
        seen = max(seen, float(slope.abs().max()))
    assert seen > 0
    assert (capped > 0) is (theirs.is_correction is not None)
