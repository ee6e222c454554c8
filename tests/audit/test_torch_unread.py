"""Metrics that a loss makes Python numbers of: they don't send it through the slow path, and a
number that is looked at does.
"""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, bandit, loss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402

SPACE = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"]).batch(3)
LAST: dict[str, object] = {}


def surrogate(logprobs, rewards):
    return -(logprobs * rewards).mean()


@loss(space=SPACE)
def logged(logprobs, rewards):
    metrics = {"mean": rewards.mean().item(), "first": [rewards[0].detach().item()]}
    return dict(metrics, loss=surrogate(logprobs, rewards))["loss"]


@loss(space=SPACE)
def used(logprobs, rewards):
    return surrogate(logprobs, rewards - rewards.mean().item())


@loss(space=SPACE)
def compared(logprobs, rewards):
    number = rewards.mean().item()
    return surrogate(logprobs, rewards) * (1 if isinstance(number, float) else 2)


@loss(space=SPACE)
def caught(logprobs, rewards):
    try:
        return surrogate(logprobs, rewards) * (1 if rewards.mean().item() < 2 else 0)
    except Exception:
        return 2 * surrogate(logprobs, rewards)


@loss(space=SPACE)
def kept(logprobs, rewards):
    LAST["mean"] = rewards.mean().item()
    return surrogate(logprobs, rewards)


def test_a_number_that_nobody_looks_at():
    assert audit(logged).kind is Kind.UNBIASED
    assert logged.program.mode == "batched"


@pytest.mark.parametrize(
    ("update", "kind"),
    [
        (used, Kind.SCALED),
        (compared, Kind.UNBIASED),
        (caught, Kind.UNBIASED),
        (kept, Kind.UNBIASED),
    ],
)
def test_a_number_that_is_looked_at_or_kept_is_one_of_one_draw(update, kind):
    assert audit(update).kind is kind
    assert update.program.mode == "single"
