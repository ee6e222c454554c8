"""Torch losses on normally distributed actions: what they draw themselves is the draw's noise, and
what cuts the gradient is named.
"""

from __future__ import annotations

import pytest

from altpg_verify.audit import audit, gaussian, loss
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import entropy, value
from altpg_verify.errors import BadEstimator

torch = pytest.importorskip("torch")
Normal = torch.distributions.Normal


def parabola(a):
    return 2 * a - a**2


PAIR = gaussian(parabola, mean=0.3, std=0.5).batch(2)
ONE = gaussian(parabola, mean=0.3, std=0.5)
SQUASHED = gaussian(parabola, mean=0.3, std=0.5, squash="tanh")


def by_scores(mean, log_std, actions, rewards):
    return -(Normal(mean, log_std.exp()).log_prob(actions) * rewards).mean()


def by_logprobs(mean, logprobs, rewards):
    return -(logprobs * rewards).mean()


def by_noise(mean, log_std, noise, reward_function):
    return -reward_function(mean + log_std.exp() * noise).mean()


def by_rsample(mean, log_std):
    return -parabola(Normal(mean, log_std.exp()).rsample((2,))).mean()


def by_one_rsample(mean, log_std):
    return -parabola(Normal(mean, log_std.exp()).rsample()).mean()


def by_randn(mean, log_std):
    return -parabola(mean + log_std.exp() * torch.randn(2)).mean()


def by_randn_like(mean, log_std):
    return -parabola(mean + log_std.exp() * torch.randn_like(torch.zeros(2))).mean()


@pytest.mark.parametrize(
    ("made", "space"),
    [
        (by_scores, PAIR),
        (by_logprobs, PAIR),
        (by_noise, PAIR),
        # what PyTorch's distributions draw runs draw by draw: seconds for a pair
        pytest.param(by_rsample, PAIR, marks=pytest.mark.thorough),
        (by_one_rsample, ONE),
        (by_randn, PAIR),
        (by_randn_like, PAIR),
    ],
    ids=lambda made: getattr(made, "__name__", ""),
)
def test_score_functions_and_reparameterised_losses_are_unbiased(made, space):
    found = audit(loss(space=space)(made), differentiate=False)
    assert found.kind is Kind.UNBIASED, str(found)
    assert found.expected == pytest.approx((1.4, -0.5), abs=1e-14)


def test_a_transformed_distribution_draws_the_noise_too():
    @loss(space=SQUASHED, target=value + 0.1 * entropy)
    def actor(mean, log_std):
        policy = torch.distributions.TransformedDistribution(
            Normal(mean, log_std.exp()),
            [torch.distributions.transforms.TanhTransform(cache_size=1)],
        )
        action = policy.rsample()
        return (0.1 * policy.log_prob(action) - parabola(action)).mean()

    assert audit(actor, differentiate=False).kind is Kind.UNBIASED


def test_sample_in_place_of_rsample_learns_nothing_and_is_named():
    @loss(space=ONE)
    def drawn(mean, log_std):
        return -parabola(Normal(mean, log_std.exp()).sample()).mean()

    found = audit(drawn)
    assert found.kind is Kind.ZERO
    assert found.causes == (
        (
            "the action is drawn by sample(), through which no gradient goes: with rsample() it is"
            " unbiased"
        ),
    )


def test_sample_is_named_where_a_bonus_keeps_a_path():
    @loss(space=ONE, target=value + 0.1 * entropy)
    def drawn(mean, log_std):
        policy = Normal(mean, log_std.exp())
        return -(parabola(policy.sample()) + 0.1 * policy.entropy()).mean()

    found = audit(drawn)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "1/10·H"
    assert "with rsample() it is unbiased" in found.causes[0]


def test_a_detached_std_is_named():
    @loss(space=ONE)
    def detached(mean, log_std, actions, rewards):
        return -(Normal(mean, log_std.exp().detach()).log_prob(actions) * rewards).mean()

    assert "log_std is never moved" in audit(detached).causes[0]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda mean, log_std: -(mean + log_std.exp() * torch.randn(3)).mean(), "shape (3,)"),
        (
            lambda mean, log_std: -((mean + torch.randn(2)) * (log_std + torch.randn(2))).mean(),
            "twice",
        ),
        (
            lambda mean, log_std, rewards: -(rewards * (mean + torch.randn(2))).mean(),
            "'rewards' as well",
        ),
    ],
    ids=["shape", "twice", "beside"],
)
def test_other_draws_are_refused(made, message):
    with pytest.raises(BadEstimator) as refused:
        audit(loss(space=PAIR)(made))
    assert message in str(refused.value)


def test_other_randomness_is_refused_as_everywhere():
    with pytest.raises(BadEstimator, match="random"):
        audit(loss(space=PAIR)(lambda mean, noise: -(mean * torch.rand(2) + noise).mean()))


def test_torch_is_as_it_was():
    before = Normal.__dict__["sample"], torch.distributions.Distribution._validate_args
    audit(
        loss(space=ONE)(
            lambda mean, log_std: -parabola(Normal(mean, log_std.exp()).sample()).mean()
        )
    )
    assert (Normal.__dict__["sample"], torch.distributions.Distribution._validate_args) == before


def by_a_tensor_that_is_filled(mean, log_std):
    noise = torch.full((1,), 7.0, dtype=torch.float64)
    noise.normal_()
    return -parabola(mean + log_std.exp() * noise).mean()


def by_an_initialiser(mean, log_std):
    noise = torch.full((1,), 7.0, dtype=torch.float64)
    torch.nn.init.normal_(noise)
    return -parabola(mean + log_std.exp() * noise).mean()


def by_what_was_there_before(mean, log_std):
    noise = torch.full((1,), 7.0, dtype=torch.float64)
    before = noise.clone()
    noise.normal_()
    return -parabola(mean + log_std.exp() * before).mean()


def test_a_tensor_that_is_drawn_in_place_holds_the_noise():
    assert (
        audit(loss(space=ONE)(by_a_tensor_that_is_filled), differentiate=False).kind
        is Kind.UNBIASED
    )


def test_an_initialiser_whose_draws_are_not_the_noise_is_refused():
    with pytest.raises(BadEstimator, match="draws random numbers of its own"):
        audit(loss(space=ONE)(by_an_initialiser), differentiate=False)


def test_what_was_in_it_before_is_no_noise():
    assert (
        audit(loss(space=ONE)(by_what_was_there_before), differentiate=False).kind
        is not Kind.UNBIASED
    )
