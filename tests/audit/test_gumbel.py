"""Categories drawn by Gumbel noise: relaxed and straight-through estimators, with their bias as a
number.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.audit import audit, gumbel, update
from altpg_verify.audit.continuous import finer
from altpg_verify.audit.expected_update import expected, moments
from altpg_verify.audit.gumbel_categories import of_the_mean, relaxed_value
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import entropy, value
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.verdicts import Verdict


def square(x):
    return (x[..., 0] + x[..., 1] / 2) ** 2


def linear(x):
    return x[..., 0] + x[..., 1] / 2


PAIR = gumbel(square, pi=["1/4", "3/4"], temperature=0.5)
THREE = gumbel(square, pi=["1/6", "1/3", "1/2"], temperature=0.5)


def slope_of_square(x):
    return 2 * (x[..., :1] + x[..., 1:2] / 2) * np.array([1, 0.5, 0])[: x.shape[-1]]


def through_softmax(y, slope, temperature=1.0):
    """The gradient in the logits of softmax(logits / temperature) = y."""
    return y * (slope - (y * slope).sum(axis=-1, keepdims=True)) / temperature


def straight_through(one_hot, probs):
    return through_softmax(probs, slope_of_square(one_hot)).mean(axis=0)


def relaxed(relaxed, temperature):
    return through_softmax(relaxed, slope_of_square(relaxed), temperature).mean(axis=0)


def straight_through_gumbel(one_hot, relaxed, temperature):
    return through_softmax(relaxed, slope_of_square(one_hot), temperature).mean(axis=0)


def reinmax(one_hot, probs):
    half = (one_hot + probs) / 2
    slope = slope_of_square(one_hot)
    return (2 * through_softmax(half, slope) - through_softmax(probs, slope) / 2).mean(axis=0)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "space", [PAIR, pytest.param(THREE, marks=pytest.mark.slow)], ids=["two", "three"]
)
def test_the_score_function_is_unbiased(space):
    made = update(space=space)(lambda rewards, scores: (rewards[:, None] * scores).mean(axis=0))
    found = audit(made, differentiate=False)
    assert found.kind is Kind.UNBIASED
    assert found.strength is Verdict.HOLDS


@pytest.mark.thorough
def test_straight_through_is_biased_by_a_number():
    # at e_a the slope is 2 (u·e_a) u, and 2 (u·e_a) has the mean 2 (1/4 + 3/8): 15/128, where the
    # gradient of V is 9/64
    found = audit(update(space=PAIR)(straight_through))
    assert found.expected[0] == pytest.approx(15 / 128, abs=1e-14)
    assert found.gradient[0] == pytest.approx(9 / 64, abs=1e-14)
    assert found.kind is Kind.SCALED


@pytest.mark.thorough
def test_reinmax_is_exact_for_rewards_of_degree_two():
    assert audit(update(space=PAIR)(reinmax), differentiate=False).kind is Kind.UNBIASED
    assert np.allclose(
        expected(update(space=THREE)(reinmax)), value.gradient(THREE, ("theta",)), atol=1e-13
    )


def test_straight_through_is_exact_for_a_reward_of_degree_one():
    space = gumbel(linear, pi=["1/6", "1/3", "1/2"])
    made = update(space=space)(
        lambda one_hot, probs: through_softmax(probs, 0 * one_hot + [1, 0.5, 0]).mean(axis=0)
    )
    assert np.allclose(expected(made), value.gradient(space, ("theta",)), atol=1e-14)


@pytest.mark.thorough
def test_the_relaxation_follows_the_relaxed_value():
    assert audit(update(space=PAIR)(relaxed)).follows == "E[r(y)]"
    assert np.allclose(
        expected(update(space=THREE)(relaxed)),
        relaxed_value.gradient(THREE, ("theta",)),
        atol=1e-10,
    )


@pytest.mark.parametrize("temperature", [0.2, 1.0, 3.0])
def test_the_straight_through_gumbel_estimator_converges(temperature):
    space = gumbel(square, pi=["1/4", "3/4"], temperature=temperature)
    made = update(space=space)(straight_through_gumbel)
    assert np.allclose(expected(made), moments(made.on(finer(space))).mean, rtol=0, atol=1e-11)


@pytest.mark.thorough
def test_nodes_are_gumbel_noise():
    # by brute force: many draws of G, arg-max and softmax together
    generator = np.random.default_rng(0)
    theta = THREE.parameters["theta"]
    noise = generator.gumbel(size=(400_000, 3))
    y = np.exp((theta + noise) / 0.5)
    y /= y.sum(axis=1, keepdims=True)
    hard = np.eye(3)[(theta + noise).argmax(axis=1)]
    by_sampling = (hard[:, :, None] * y[:, None, :] ** 2).mean(axis=0)

    for a in range(3):
        for j in range(3):
            made = update(space=THREE)(
                lambda one_hot, relaxed, a=a, j=j: (
                    one_hot[0, a] * relaxed[0, j] ** 2 * np.array([1.0, 0, 0])
                )
            )
            assert expected(made)[0] == pytest.approx(by_sampling[a, j], abs=4e-3)


def test_the_arg_max_of_the_nodes_is_their_category():
    theta = THREE.parameters["theta"]
    made = update(space=THREE)(lambda gumbels, theta: np.eye(3)[(theta + gumbels[0]).argmax()])
    # equal to rounding where a ratio is e^-33, and nowhere else
    assert np.allclose(expected(made), np.exp(theta), atol=1e-12)


def test_a_loss_that_feels_the_shift_of_the_noise_is_inconclusive():
    made = update(space=PAIR)(lambda gumbels, relaxed: gumbels[0, 0] * relaxed[0])
    assert audit(made, differentiate=False).verdict is Verdict.INCONCLUSIVE
    # also where a constant shift has the mean 0
    made = update(space=PAIR)(lambda gumbels, relaxed, scores: gumbels[0, 0] * scores[0])
    assert audit(made, differentiate=False).verdict is Verdict.INCONCLUSIVE


def test_derivatives_of_objectives_are_those_of_their_values():
    for space in (PAIR, THREE):
        for objective in (value, entropy, of_the_mean, relaxed_value):
            theta, slope = space.parameters["theta"], objective.gradient(space, ("theta",))
            for i in range(len(theta)):
                step = 1e-5 * np.eye(len(theta))[i]
                ahead, behind = (
                    objective.value(space, {"theta": theta + side * step}) for side in (1, -1)
                )
                assert slope[i] == pytest.approx((ahead - behind) / 2e-5, abs=1e-8)
    assert entropy.value(PAIR) == pytest.approx(-(math.log(0.25) / 4 + 3 * math.log(0.75) / 4))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "gumbel needs pi"),
        ({"pi": ["1/4"] * 4}, "4 categories"),
        ({"pi": [1, 0]}, "has a 0"),
        ({"pi": ["1/2", "1/4"]}, "pi"),
        ({"theta": [0.0, float("nan")]}, "theta"),
        ({"pi": ["1/2", "1/2"], "temperature": 0}, "temperature: 0 is not between"),
        ({"pi": ["1/2", "1/2"], "nodes": 1}, "nodes"),
    ],
)
def test_what_is_no_space_is_refused_in_one_sentence(options, message):
    with pytest.raises(BadInput) as refused:
        gumbel(lambda x: x[0] * x[1], **options)
    assert message in str(refused.value)


def test_a_reward_that_is_no_polynomial_is_refused():
    with pytest.raises(BadInput, match="isn't a polynomial"):
        gumbel(lambda x: np.exp(x[0]), pi=["1/2", "1/2"])


# --- torch
# --------------------------------------------------------------------------------------------------


def test_torchs_own_gumbel_softmax_gets_the_noise():
    torch = pytest.importorskip("torch")
    from altpg_verify.audit import loss

    def soft(theta, reward_function, temperature):
        return -reward_function(
            torch.nn.functional.gumbel_softmax(theta.unsqueeze(0), tau=float(temperature))
        ).mean()

    def hard(theta, reward_function):
        return -reward_function(
            torch.nn.functional.gumbel_softmax(theta.unsqueeze(0), tau=0.5, hard=True)
        ).mean()

    def by_uniform(theta, reward_function):
        noise = -torch.log(-torch.log(torch.rand(2)))
        return -reward_function(torch.softmax((theta + noise) / 0.5, -1)).mean()

    def by_exponential(theta, reward_function):
        noise = -torch.empty_like(theta).exponential_().log()
        return -reward_function(torch.softmax((theta + noise) / 0.5, -1)).mean()

    def filled_before(theta, reward_function):
        noise = torch.full((2,), 7.0, dtype=torch.float64)
        noise.exponential_()
        return -reward_function(torch.softmax((theta - noise.log()) / 0.5, -1)).mean()

    relaxed_update = expected(update(space=PAIR)(relaxed))
    for made in (by_uniform, by_exponential, filled_before):
        assert np.allclose(expected(loss(space=PAIR)(made)), relaxed_update, atol=1e-11)
    hard_update = expected(update(space=PAIR)(straight_through_gumbel))
    assert np.allclose(expected(loss(space=PAIR)(hard)), hard_update, atol=1e-12)
    with pytest.raises((BadInput, BadEstimator), match="draws Gumbel noise twice"):
        expected(loss(space=PAIR)(lambda theta: -(theta * torch.rand(2) * torch.rand(2)).sum()))
    with pytest.raises((BadInput, BadEstimator), match="'rewards' as well"):
        expected(loss(space=PAIR)(lambda theta, rewards: -(theta * torch.rand(2) * rewards).sum()))
    # a temperature is a constant: a tensor for torch
    assert np.allclose(
        expected(
            loss(space=PAIR)(lambda theta, reward_function: soft(theta, reward_function, 0.5))
        ),
        relaxed_update,
    )
