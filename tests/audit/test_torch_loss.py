"""A torch loss becomes the ascent direction it stands for, and leaves no trace."""

from __future__ import annotations

import random

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit
from altpg_verify.audit.findings import Kind
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.losses import loss as loss_update
from altpg_verify.audit.programs import NotBatched
from altpg_verify.errors import BadEstimator

torch = pytest.importorskip("torch")

from altpg_verify.audit.torch_loss import TorchLoss  # noqa: E402
from altpg_verify.audit.torch_updates import from_torch  # noqa: E402

THETA = np.log([1 / 6, 1 / 3, 1 / 2])
PI = np.exp(THETA)
DRAW = {"actions": np.array([0, 1, 1]), "rewards": np.array([1.0, 0.5, 0.5])}


def reinforce(theta, actions, rewards):
    """Minus the mean of log π(a) r."""
    return -(theta.log_softmax(-1)[actions] * rewards).mean()


def by_hand(actions, rewards):
    return np.mean(
        [
            reward * (np.eye(3)[action] - PI)
            for action, reward in zip(actions, rewards, strict=True)
        ],
        axis=0,
    )


def test_a_loss_is_minimised_so_minus_its_gradient_is_what_is_added():
    found = TorchLoss(reinforce)({"theta": THETA}, DRAW)["theta"]
    np.testing.assert_allclose(found, by_hand(**DRAW), rtol=1e-14)
    assert found.dtype == np.float64


def test_logits_is_another_name_for_theta():
    def with_logits(logits, actions, rewards):
        return reinforce(logits, actions, rewards)

    np.testing.assert_array_equal(
        TorchLoss(with_logits)({"theta": THETA}, DRAW)["theta"],
        TorchLoss(reinforce)({"theta": THETA}, DRAW)["theta"],
    )


def test_an_update_on_the_draws_of_a_space():
    update = from_torch(reinforce, space=three_arms().batch(2))
    assert update.name == "reinforce"
    assert update.summary == "Minus the mean of log π(a) r."
    assert update.needs == ("theta", "actions", "rewards")
    assert update.origin == "torch loss"
    from altpg_verify.audit.kept_draws import drawn
    from altpg_verify.audit.policy_quantities import Tables

    tables = Tables.at(update.space, update.space.parameters)
    mean = sum(
        probability * update.at(update.space.parameters, draw)["theta"]
        for probability, draw in drawn(tables)
    )
    np.testing.assert_allclose(mean, [1 / 9, 1 / 18, -1 / 6], rtol=1e-12)


def test_the_decorator_makes_the_same():
    assert loss_update(space=three_arms().batch(2))(reinforce).origin == "torch loss"


def test_groups_have_each_their_own_direction():
    def actor_critic(theta, v, action, reward):
        advantage = reward - v
        return -theta.log_softmax(-1)[action] * advantage.detach() + 0.5 * advantage**2

    found = TorchLoss(actor_critic, trained=("theta", "v"))(
        {"theta": THETA, "v": 0.25}, {"action": 0, "reward": 1.0}
    )
    np.testing.assert_allclose(found["theta"], 0.75 * (np.eye(3)[0] - PI), rtol=1e-14)
    assert found["v"] == pytest.approx(0.75, rel=1e-14)
    assert found["v"].shape == ()


def test_a_group_that_is_left_alone_gets_zeros_unless_it_is_declared():
    found = TorchLoss(reinforce)({"theta": THETA, "critic": np.ones(2)}, DRAW)
    np.testing.assert_array_equal(found["critic"], np.zeros(2))


def test_a_module_is_a_loss_of_its_own_parameters_and_stays_as_it_is():
    class Loss(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(1, 3, bias=False)

        def forward(self, actions, rewards):
            logits = self.layer(torch.ones(1, dtype=self.layer.weight.dtype))
            return reinforce(logits, actions, rewards)

    module = Loss()
    before = module.layer.weight.detach().clone()
    wrapped = TorchLoss(module)
    assert {name: values.shape for name, values in wrapped.groups.items()} == {
        "layer.weight": (3, 1)
    }
    found = wrapped({"layer.weight": THETA[:, None]}, DRAW)["layer.weight"]
    np.testing.assert_allclose(found[:, 0], by_hand(**DRAW), rtol=1e-14)
    assert torch.equal(module.layer.weight, before)
    assert module.layer.weight.dtype is torch.float32


def test_a_module_may_be_an_argument():
    layer = torch.nn.Linear(1, 3, bias=False)

    def with_policy(policy, actions, rewards):
        return reinforce(policy(torch.ones(1)), actions, rewards)

    found = TorchLoss(with_policy, modules={"policy": layer})(
        {"policy.weight": THETA[:, None]}, DRAW
    )
    np.testing.assert_allclose(found["policy.weight"][:, 0], by_hand(**DRAW), rtol=1e-14)


def test_its_own_randomness_can_be_fixed():
    def noisy(theta, actions, rewards):
        return reinforce(theta, actions, rewards) + torch.randn(()) * theta.sum()

    wrapped = TorchLoss(noisy, seed=3)
    np.testing.assert_array_equal(
        wrapped({"theta": THETA}, DRAW)["theta"], wrapped({"theta": THETA}, DRAW)["theta"]
    )


def test_no_trace_is_left():
    def loud(theta, actions, rewards):
        torch.rand(3)
        np.random.rand()
        random.random()
        torch.set_grad_enabled(False)
        torch.set_grad_enabled(True)
        return reinforce(theta, actions, rewards)

    torch.manual_seed(1)
    np.random.seed(1)
    random.seed(1)
    states = torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate()
    with torch.no_grad():
        TorchLoss(loud)({"theta": THETA}, DRAW)
        assert not torch.is_grad_enabled()
    assert torch.get_default_dtype() is torch.float32
    assert torch.equal(torch.get_rng_state(), states[0])
    assert np.array_equal(np.random.get_state()[1], states[1])
    assert random.getstate() == states[2]


def test_casts_to_fewer_digits_mean_float64_and_are_named():
    def narrow(theta, actions, rewards):
        logps = theta.to(torch.bfloat16).log_softmax(-1)[actions].half()
        return -(
            logps
            * rewards.float()
            * torch.ones(3, dtype=torch.float32)
            * torch.as_tensor(np.ones(3, np.float32))
        ).mean()

    wrapped = TorchLoss(narrow)
    np.testing.assert_allclose(
        wrapped({"theta": THETA}, DRAW)["theta"], by_hand(**DRAW), rtol=1e-14
    )
    assert wrapped.casts == {"torch.bfloat16", ".half()", ".float()", "torch.float32"}


def test_the_loss_itself():
    assert TorchLoss(reinforce).value({"theta": THETA}, DRAW) == pytest.approx(
        -np.mean(np.log(PI[DRAW["actions"]]) * DRAW["rewards"])
    )


class _NarrowBackward(torch.autograd.Function):
    """A product whose backward is in float32."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(weight)
        return x * weight

    @staticmethod
    def backward(ctx, gradient):
        (weight,) = ctx.saved_tensors
        return (gradient.float() * weight.float()).double(), None


class _NarrowOnManyDraws(torch.autograd.Function):
    """The same in the form that runs on many draws at once."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, weight):
        return x * weight

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[1])

    backward = _NarrowBackward.backward


@pytest.mark.parametrize("product", [_NarrowBackward, _NarrowOnManyDraws])
def test_a_cast_in_a_backward_of_its_own_means_float64_too(product):
    space = bandit(["1/3", "1/7", 0], pi=["1/6", "1/3", "1/2"]).batch(2)
    update = from_torch(
        lambda logprobs, rewards: -product.apply(logprobs, rewards).mean(), space=space
    )
    found = audit(update, differentiate=False)
    assert found.kind is Kind.UNBIASED
    assert found.run == ("in float64 throughout: .float() meant float64",)


def flushing():
    torch.set_flush_denormal(False)
    return 0


@pytest.mark.parametrize(
    "count",
    [
        lambda: (torch.zeros(1, requires_grad=True) * 2).grad_fn._sequence_nr(),
        lambda: torch.zeros(1).data_ptr(),
        flushing,
    ],
    ids=["nodes that were made", "an address", "a mode of the processor"],
)
def test_what_torch_keeps_for_the_whole_process_is_outside(count):
    def loss(logprobs, rewards):
        return -(logprobs * rewards).mean() * (1 if count() >= 0 else 3)

    with pytest.raises(BadEstimator, match="looks at what isn't the same in every run"):
        audit(from_torch(loss, space=three_arms().batch(2)))


@pytest.mark.parametrize(
    "write",
    [
        lambda actions, rewards: rewards.add_(1.0),
        lambda actions, rewards: rewards.sub_(rewards.mean()),
        lambda actions, rewards: actions.zero_(),
    ],
    ids=["added", "centred", "whole numbers"],
)
def test_what_a_loss_writes_into_many_draws_stays_with_it(write):
    def writing(theta, actions, rewards):
        result = reinforce(theta, actions, rewards + 0)
        write(actions, rewards)
        return result

    draws = {each: np.stack([values] * 7) for each, values in DRAW.items()}
    before = {each: values.copy() for each, values in draws.items()}
    wrapped = TorchLoss(writing)
    wrapped._known = lambda *_: True  # no probe, which would refuse it on one draw
    with pytest.raises((BadEstimator, NotBatched), match="in place"):
        wrapped.together({"theta": THETA}, draws, set(draws), 7)
    for each, values in before.items():
        assert np.array_equal(draws[each], values)
