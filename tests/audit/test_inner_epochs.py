"""Losses that are taken several times on the same draw, beside the same by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, trainer_loss
from altpg_verify.audit.expected_update import moments
from altpg_verify.errors import BadInput

torch = pytest.importorskip("torch")

PAYS = np.array([1.0, 0.5, 0.0])
PI = np.array([1 / 6, 1 / 3, 1 / 2])
SPACE = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"]).batch(2)


def clipped(log_probs, old_log_probs, advantages, clip=0.1):
    ratio = (log_probs - old_log_probs).exp()
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def looped(epochs, stepsize, clip=0.1):
    """E[(θ_K - θ_0) / α] over both rewards of a batch: the ratio's gradient where it isn't
    clipped.
    """
    total = np.zeros(3)
    for actions in itertools.product(range(3), repeat=2):
        theta = start = np.log(PI)
        for _ in range(epochs):
            pi = np.exp(theta) / np.exp(theta).sum()
            step = np.zeros(3)
            for action in actions:
                ratio, advantage = pi[action] / PI[action], PAYS[action] - PI @ PAYS
                if not (advantage > 0 and ratio > 1 + clip) and not (
                    advantage < 0 and ratio < 1 - clip
                ):
                    step += advantage * ratio * (np.eye(3)[action] - pi) / 2
            theta = theta + stepsize * step
        total += np.prod([PI[action] for action in actions]) * (theta - start) / stepsize
    return total


@pytest.mark.parametrize(("epochs", "stepsize"), [(2, 0.5), (4, 0.3)])
def test_the_old_policy_is_that_of_the_first_epoch(epochs, stepsize):
    made = trainer_loss(clipped, space=SPACE, advantages="exact", epochs=epochs, stepsize=stepsize)
    np.testing.assert_allclose(moments(made).mean, looped(epochs, stepsize), rtol=1e-9, atol=1e-12)
    assert not np.allclose(moments(made).mean, epochs * looped(1, 1.0), rtol=1e-3)


def test_without_a_step_the_gradient_comes_so_many_times():
    made = trainer_loss(clipped, space=SPACE, advantages="exact", epochs=3, stepsize=0)
    np.testing.assert_allclose(moments(made).mean, 3 * PI * (PAYS - PI @ PAYS), rtol=1e-9)
    assert "3 epochs with stepsize 0 on each draw" in made.said()[0]


@pytest.mark.slow
def test_a_reversed_sign_is_seen_through_several_epochs():
    def turned(log_probs, old_log_probs, advantages):
        return -clipped(log_probs, old_log_probs, advantages)

    found = audit(
        trainer_loss(turned, space=SPACE, advantages="exact", epochs=2, stepsize=0),
        places=2,
        differentiate=False,
    )
    assert str(found.kind) == "reversed"
    assert float(found.scale.factors[""]) == pytest.approx(-2)


def test_several_epochs_need_their_stepsize():
    with pytest.raises(BadInput, match="stepsize: 2 epochs need the size of their steps"):
        trainer_loss(clipped, space=SPACE, advantages="exact", epochs=2)
