"""What an update may follow: each candidate is recognised from code that follows it, and one of
your own is written in a line.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from altpg_verify.audit import (
    audit,
    bandit,
    entropy,
    from_function,
    kl_to_reference,
    objective,
    tokens,
    update,
    value,
)
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import OBJECTIVES
from altpg_verify.errors import BadEstimator, BadInput

ARMS = bandit([1, "1/2", 0], pi=["1/2", "1/4", "1/4"])
ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: 1 + row.count(1))
OFF = ROWS.sampled_by([["1/3", "2/3"]] * ROWS.states)


def spaces():
    yield (
        ARMS.against(["1/2", "1/4", "1/4"])
        .sampled_by(["1/4", "1/4", "1/2"])
        .having(eps=0.2, k=3)
        .batch(2)
    )
    longer = stop_or_go(discount="1/2")
    yield (
        longer.against([["1/2", "1/2"]] * longer.states)
        .sampled_by([["1/3", "2/3"]] * longer.states)
        .having(eps=0.2)
        .group(2)
    )
    yield bandit([1, 0, 0]).group(2)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_gradients_are_derivatives(name):
    """Of every candidate, on every space where it makes sense, beside central differences of its
    value.
    """
    chosen = OBJECTIVES[name]
    numerical = replace(chosen, of_parameters=True)
    fits = [space for space in spaces() if chosen.fits(space)]
    for space in fits:
        for place in points(space, 2):
            np.testing.assert_allclose(
                chosen.gradient(space, ("theta",), place),
                numerical.gradient(space, ("theta",), place),
                rtol=1e-7,
                atol=1e-9,
            )


def follows(function, space, target="value"):
    return audit(from_function(function, space=space, target=target), differentiate=False).follows


def by_ratio(power):
    def ascent(logprobs, old_logprobs, rewards, scores):
        ratios = np.exp(logprobs - old_logprobs)
        return np.tensordot(ratios**power * np.cumsum(rewards[::-1])[::-1], scores, axes=1)

    return ascent


@pytest.mark.thorough
def test_surrogates_under_a_fixed_policy_are_named():
    assert follows(by_ratio(0), OFF) == "E_μ[Σ G log π]"
    assert follows(by_ratio(1), OFF) == "Σ d^μ Σ π Q^μ"
    assert follows(by_ratio(2), OFF) == "½E_μ[Σ ρ² G]"


def test_a_clip_is_named_by_the_constant_that_clips():
    def clipped(logprobs, old_logprobs, rewards, scores, eps):
        ratios = np.exp(logprobs - old_logprobs)
        gained = np.cumsum(rewards[::-1])[::-1]
        kept = np.where(gained > 0, ratios <= 1 + eps, ratios >= 1 - eps)
        return np.tensordot(kept * ratios * gained, scores, axes=1)

    assert follows(clipped, OFF.having(eps=0.2)) == "E_μ[Σ min(ρ G, clip(ρ) G)]"
    # without the constant it is the number in the code
    assert (
        follows(
            lambda logprobs, old_logprobs, rewards, scores: clipped(
                logprobs, old_logprobs, rewards, scores, 0.2
            ),
            OFF,
        )
        == "E_μ[Σ min(ρ G, clip(ρ, 0.8, 1.2) G)]"
    )


@pytest.mark.thorough
def test_functions_of_the_return_are_named():
    assert follows(lambda reward, score: reward**2 * score, ARMS) == "E[R²]"
    assert follows(lambda reward, score, value: reward * score / value, ARMS) == "log V"
    assert (
        follows(lambda reward, score, logprobs: reward * (-logprobs[0] - 1) * score, ARMS)
        == "-Σ r π log π"
    )
    paid = bandit([1, 0, 0], pi=["1/3", "1/3", "1/3"])
    assert (
        follows(lambda reward, score, value: 2 * value * reward * score, bandit([1, "1/2", 0]))
        == "V²"
    )
    # with rewards of 0 and 1 these are all right directions: one level can't tell them apart
    assert (
        audit(
            from_function(
                lambda reward, score, value: reward * score / np.sqrt(value * (1 - value)),
                space=paid,
            )
        ).kind
        is Kind.SCALED
    )


def test_the_best_of_k_is_named():
    def best_of_three(rewards, scores, k):
        # leave-one-out over all three of a group is what pays for the best of three
        best = rewards.max()
        others = np.array([np.delete(rewards, i).max() for i in range(k)])
        return (best - others) @ scores

    assert follows(best_of_three, ARMS.batch(3).having(k=3)) == "E[max of G]"


def test_a_third_term_beside_the_target_is_named():
    space = ARMS.against(["1/6", "1/3", "1/2"])

    def three(reward, score, logprobs, ref_logprobs):
        return (reward - 0.25 * (logprobs[0] - ref_logprobs[0]) - 0.5 * logprobs[0]) * score

    found = follows(three, space, value - 0.25 * kl_to_reference)
    assert found == "V - 1/4·KL(π‖ref) + 1/2·H"


@pytest.mark.thorough
def test_the_value_of_a_decoded_policy_is_named():
    hot = ROWS.decoded(temperature=2.0, epsilon=0.1)

    def through_the_sampler(mu, rewards, pi, states, actions):
        # μ = 0.9 softmax(θ/2) + 0.05: its own score
        out = np.zeros_like(pi)
        for state, action in zip(states, actions, strict=True):
            soft = (mu[state] - 0.05) / 0.9
            out[state] += (
                0.9
                * soft[action]
                * ((np.arange(len(soft)) == action) - soft)
                / 2
                / mu[state][action]
            )
        return rewards.sum() * out

    assert follows(through_the_sampler, hot) == "V(μ)"


@pytest.mark.thorough
def test_a_loss_under_a_fixed_policy_follows_its_own_mean():
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss

    def cubed(log_probs, old_log_probs, returns, response_mask):
        return -((log_probs - old_log_probs).exp() ** 3 * returns * response_mask).sum(-1).mean()

    def cubed_and_held(log_probs, old_log_probs, returns, response_mask):
        ratios = (log_probs - old_log_probs).exp()
        return -(ratios.detach() ** 2 * ratios * returns * response_mask).sum(-1).mean()

    whole = audit(trainer_loss(cubed, space=OFF))
    assert whole.by_construction
    assert (
        whole.sentence
        == "biased for the value V, and by construction the gradient of E_μ[-L], which is no"
        " objective that was recognised"
    )
    # what is detached isn't differentiated, and the loss's mean is then another function
    assert not audit(trainer_loss(cubed_and_held, space=OFF)).by_construction
    assert not audit(trainer_loss(cubed, space=ROWS)).by_construction


@objective
def cautious(pi):
    """The mean less the variance."""
    mean, square = pi[0] @ [1, 0.5, 0], pi[0] @ [1, 0.25, 0]
    return mean - (square - mean**2)


@objective(formula="E[R] - V[R]")
def by_episodes(probabilities, returns):
    mean = (probabilities * returns).sum()
    return mean - (probabilities * (returns - mean) ** 2).sum()


@objective
def on_floats(pi):
    return float(np.arctan(np.asarray(pi, dtype=float)[0, 0]))


GRADIENT = [13 / 64, 1 / 128, -27 / 128]


def test_an_objective_is_a_plain_function_of_the_policy():
    assert cautious.name == "The mean less the variance"
    np.testing.assert_allclose(cautious.gradient(ARMS, ("theta",)), GRADIENT, atol=1e-15)
    np.testing.assert_allclose(by_episodes.gradient(ARMS, ("theta",)), GRADIENT, atol=1e-15)
    # π(1 - π) / (1 + π²) with π = 1/2
    np.testing.assert_allclose(on_floats.gradient(ARMS, ("theta",))[0], 0.2, atol=1e-11)


def test_it_may_be_a_function_of_tensors():
    torch = pytest.importorskip("torch")

    @objective(framework="torch")
    def of_tensors(probabilities, returns):
        mean = torch.dot(probabilities, returns)
        return mean - torch.dot(probabilities, (returns - mean) ** 2)

    np.testing.assert_allclose(of_tensors.gradient(ARMS, ("theta",)), GRADIENT, atol=1e-15)


def test_sums_with_one_of_your_own_are_targets():
    @update(space=ARMS, target=on_floats + 0.5 * entropy)
    def right(pi, score, logprobs, e):
        return pi[0] * (e[0] - pi[0]) * 0 + (e[0] / (1 + pi[0] ** 2) - 0.5 * logprobs[0]) * score

    assert audit(right).kind is Kind.UNBIASED


@pytest.mark.parametrize(
    ("function", "error", "said"),
    [
        (lambda x: 1, BadEstimator, "asks neither for pi nor for probabilities"),
        (lambda pis: 1, BadEstimator, "did you mean 'pi'?"),
        (lambda *pi: 1, BadEstimator, "name each argument"),
        (lambda pi: pi, BadEstimator, "return one number"),
        (lambda pi, beta: beta, BadInput, "give the space .having(beta=...)"),
    ],
)
def test_what_is_no_objective_is_refused_in_a_sentence(function, error, said):
    with pytest.raises(
        error,
        match=said.replace(".", r"\.").replace("(", r"\(").replace(")", r"\)").replace("?", r"\?"),
    ):
        objective(function).value(ARMS)
