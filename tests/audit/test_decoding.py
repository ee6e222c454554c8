"""How actions are drawn and how they are scored: temperature, top-p and masks, alike on both sides
or on one only.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, update, with_policy
from altpg_verify.audit.kinds import Kind

LOGITS = np.log([0.5, 0.3, 0.2])
ARMS = bandit([0, "1/2", 1], pi=["1/2", "3/10", "1/5"])
TEMPERATURE, TOP_P = 2.0, 0.75


def softmax(logits):
    weight = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weight / weight.sum(axis=-1, keepdims=True)


def heated(parameters):
    return parameters["theta"][None, :] / TEMPERATURE


def nucleus(parameters):
    """Softmax over the smallest set of likeliest actions with probability `TOP_P`; the others can't
    be drawn.
    """
    logits = parameters["theta"][None, :]
    pi = softmax(logits)[0]
    order = np.argsort(-pi, kind="stable")
    kept = order[: int(np.searchsorted(np.cumsum(pi[order]), TOP_P - 1e-12)) + 1]
    cut = np.full_like(logits, -np.inf)
    cut[0, kept] = logits[0, kept]
    return cut


def judged(space):
    @update(space=space)
    def reinforce(rewards, scores):
        return (rewards[:, None] * scores).mean(axis=0)

    return audit(reinforce)


def test_a_temperature_on_both_sides_is_unbiased_for_its_own_policy():
    assert judged(with_policy(ARMS, heated, theta=LOGITS)).kind is Kind.UNBIASED


def test_a_temperature_on_the_sampling_side_alone_is_biased_by_hand_computed_numbers():
    found = judged(ARMS.sampled_by(lambda parameters: softmax(heated(parameters))))
    mu, pi, r = softmax(LOGITS / TEMPERATURE), softmax(LOGITS), np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(found.expected, mu * r - (mu @ r) * pi, atol=1e-9)
    assert found.kind in (Kind.BIASED, Kind.NOT_A_GRADIENT)


@pytest.mark.parametrize(
    "logits", [LOGITS, np.log([0.25, 0.15, 0.6])], ids=["two kept", "two others kept"]
)
def test_top_p_on_both_sides_is_unbiased_and_never_moves_what_was_cut(logits):
    found = judged(with_policy(ARMS, nucleus, theta=logits))
    assert found.kind is Kind.UNBIASED
    assert found.expected[int(np.argmin(logits))] == 0


def test_top_p_on_the_sampling_side_alone_never_tries_what_was_cut():
    found = judged(ARMS.sampled_by(lambda parameters: softmax(nucleus(parameters))))
    mu, pi, r = np.array([0.625, 0.375, 0.0]), softmax(LOGITS), np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(found.expected, mu * r - (mu @ r) * pi, atol=1e-9)
    assert found.expected[2] < 0 < found.gradient[2]
    assert not found.ok
