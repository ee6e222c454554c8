"""Safety epsilons and float32 rounding are said as what they are; a bias that merely is as small is
a bias.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.kinds import Kind
from altpg_verify.verdicts import Verdict

ARMS = bandit(["1/3", "1/7", 0])


def numpys(function, space=ARMS):
    return audit(from_function(function, space=space))


def divided(rewards, scores):
    return (rewards / (1 + 0 * rewards.mean() + 1e-8)) @ scores / len(rewards)


def by_std(rewards, scores):
    return (rewards - rewards.mean()) / (rewards.std() + 1e-8) @ scores / len(rewards)


def without_epsilon(rewards, scores):
    return (rewards - rewards.mean()) / (rewards.std() or 1) @ scores / len(rewards)


def test_an_epsilon_in_a_numpy_functions_divisor():
    found = numpys(divided, ARMS.batch(2))
    assert (found.kind, found.ok, found.verdict) == (Kind.UNBIASED, True, Verdict.HOLDS)
    assert found.sentence == "unbiased: the expected update is ∇V, up to 6e-10: an epsilon of 1e-08"
    # the numbers are those of the update as it was handed over
    assert 0 < max(abs(float(entry)) for entry in found.bias) < 1e-9


@pytest.mark.thorough
def test_a_factor_that_an_epsilon_hides():
    two = bandit([1, 0]).group(3)
    found, clean = numpys(by_std, two), numpys(without_epsilon, two)
    assert (found.kind, found.scale.formula) == (clean.kind, clean.scale.formula)
    assert "an epsilon of 1e-08" in found.sentence
    assert not clean.precision


def test_float32_in_a_numpy_function():
    found = numpys(lambda reward, score: np.float32(reward) * score)
    assert found.sentence == "unbiased: the expected update is ∇V, up to 2e-09: float32 rounding"
    assert np.float32(1) + np.float32(1e-9) == 1, "numpy is as before"


SMALL = {
    "a factor": lambda reward, score: reward * (1 + 1e-8) * score,
    "a factor in float32": lambda reward, score: np.float32(reward) * (1 + 1e-8) * score,
    "a reward of one arm": (
        lambda reward, score, action: (np.float32(reward) + 1e-7 * (action == 0)) * score
    ),
    "a bonus beside an epsilon": (
        lambda reward, score, logprobs: (
            (reward / (1 + 0 * reward + 1e-8) - 1e-8 * logprobs[0]) * score
        )
    ),
    "an entropy in the divisor": (
        lambda reward, score, logprobs: reward / (1 + 0 * reward - 1e-8 * logprobs[0]) * score
    ),
    "an epsilon in the numerator": (
        lambda reward, score: (reward + 1e-8) * reward / (reward + 1) * score
    ),
    "an epsilon in one arm's reward": (
        lambda reward, score, action: (reward + (1e-8 if action == 0 else 0)) * score
    ),
}


def by_a_string(rewards):
    return rewards.astype("float32")


@pytest.mark.parametrize(
    "function",
    [
        lambda reward, score: np.asarray(reward).astype("float32") * score,
        lambda reward, score: np.array([reward], dtype="f4")[0] * score,
        lambda reward, score: by_a_string(np.asarray(reward)) * score,
        lambda reward, score: sum(np.asarray(each, dtype="float32") for each in [reward]) * score,
    ],
)
def test_float32_named_by_a_string(function):
    found = numpys(function)
    assert found.sentence == "unbiased: the expected update is ∇V, up to 2e-09: float32 rounding"
    assert "float64" not in function.__code__.co_consts


def test_a_bias_beside_float32_named_by_a_string_stays():
    found = numpys(
        lambda reward, score, action: (
            (np.asarray(reward).astype("float32") + 1e-7 * (action == 0)) * score
        )
    )
    assert not found.ok


def test_a_string_that_is_no_type_changes_nothing_of_the_verdict():
    words = {"float32": 1.0, "float64": 1.0}
    assert numpys(lambda reward, score: words["float32"] * reward * score).ok


@pytest.mark.parametrize("name", SMALL)
def test_a_bias_that_merely_is_small_is_not_excused(name):
    found = numpys(SMALL[name])
    assert not found.ok
    assert found.kind is not Kind.UNBIASED


def test_a_factor_next_to_one_is_not_written_as_one():
    assert "times 1 + 1e-08" in numpys(SMALL["a factor"]).sentence


def test_an_epsilon_that_decides_is_no_rounding():
    """Divided by ε where the rest of the divisor is 0."""
    assert not numpys(
        lambda reward, score: 1e-8 * reward / (0 * reward + 1e-8) * score * 2
    ).precision
    assert not numpys(lambda reward, score: (reward + 1e-3) / (reward + 1e-8) * score).ok


def test_float32_that_swallows_a_difference_of_rewards_is_no_rounding():
    found = numpys(
        lambda reward, score: np.float32(reward) * score, bandit([10_000_000, "30000001/3"])
    )
    assert not found.ok
    assert not found.precision


@pytest.fixture
def pairs():
    pytest.importorskip("torch")
    from altpg_verify.audit import tokens

    return tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1) * 2 / 7).group(2)


def masked_mean(values, mask, axis=-1):
    return (values * mask).sum(axis) / (2 + 0 * mask.sum(axis) + 1e-8)


@pytest.mark.thorough
def test_an_epsilon_in_a_torch_helper(pairs):
    from altpg_verify.audit import trainer_loss

    def loss(log_probs, advantages, response_mask):
        return -2 * masked_mean(log_probs * advantages, response_mask).mean()

    found = audit(trainer_loss(loss, space=pairs, advantages="rloo"))
    assert (found.ok, found.precision.split(": ")[1]) == (True, "an epsilon of 1e-08")

    def rewarded(log_probs, advantages, response_mask, entropy):
        return loss(log_probs, advantages, response_mask) - 1e-8 * (entropy * response_mask).sum()

    assert not audit(trainer_loss(rewarded, space=pairs, advantages="rloo")).ok


@pytest.mark.thorough
def test_a_float32_buffer_beside_a_torch_loss():
    torch = pytest.importorskip("torch")
    from altpg_verify.audit import from_torch

    def loss(logprobs, rewards):
        buffer = np.zeros(rewards.shape, dtype=np.float32)
        buffer[:] = rewards
        return -(logprobs * torch.as_tensor(buffer, dtype=torch.float32)).mean()

    found = audit(from_torch(loss, space=ARMS), differentiate=False)
    assert (found.ok, found.precision.split(": ")[1]) == (True, "float32 rounding")

    def leaning(logprobs, rewards, actions):
        return loss(logprobs, rewards) - 1e-7 * (logprobs * (actions == 0)).mean()

    assert not audit(from_torch(leaning, space=ARMS), differentiate=False).ok


TORCH = [
    lambda x: x / (x.sum() + 1e-5),
    lambda x: 2.0 / (1e-5 + x),
    lambda x: x * (x.var() + 1e-5).rsqrt(),
    lambda x: x / (x.std() + 1e-5).unsqueeze(0),
    lambda x: x * (x + 1e-5) ** -1,
    lambda x: (x + 1e-5).log(),
    lambda x: x.div(x.sum().add(1e-5).sqrt()),
]
UNTOUCHED = [
    lambda x: x + 1e-5,
    lambda x: 1e-5 * x,
    lambda x: (x + 1e-5) / x.sum(),
    lambda x: x / (1 + 1e-5),
    lambda x: x / (1e-5 * x),
]


def test_what_counts_as_an_epsilon_in_torch():
    torch = pytest.importorskip("torch")
    from altpg_verify.audit.torch_epsilons import scaled_epsilons

    x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)
    for function in (*TORCH, *UNTOUCHED):
        seen: set[float] = set()
        with scaled_epsilons(torch, 1e4, seen):
            found = function(x)
        assert (seen == {1e-5}) is (not torch.equal(found, function(x))) is (function in TORCH)


def test_what_counts_as_an_epsilon_in_numpy():
    from altpg_verify.audit.numpy_epsilons import scaled_epsilons, watched

    x = np.array([1.0, 2.0, 4.0])
    ours = [
        lambda x: x / (x.std(ddof=1) + 1e-5),
        lambda x: x / np.sqrt(x.var() + 1e-5),
        lambda x: x[:, None] / (x + 1e-5)[:, None],
    ]
    for function in (*ours, *UNTOUCHED):
        seen: set[float] = set()
        with scaled_epsilons(1e4, seen):
            found = np.asarray(function(watched(x)))
        assert (seen == {1e-5}) is (not np.array_equal(found, function(x))) is (function in ours)
        assert type(watched(x)) is np.ndarray, "outside of the rule arrays are as they are"


def in_a_narrow_buffer(rewards, scores):
    buffer = np.zeros(len(rewards), dtype=np.float32)
    buffer[:] = rewards
    return buffer.astype(float) @ scores / len(rewards) / 2


def test_rounding_with_other_rewards_is_no_other_factor():
    """At the point itself nothing is rounded, so that the factor was said to be one of these
    rewards only.
    """
    found = numpys(in_a_narrow_buffer, bandit([1, "1/2", 0]).batch(2))
    assert found.scale.factors == {"": 0.5}
    assert found.scale.alone == ""


def single(torch):
    """Updates in numpy that compute with torch inside, in float32, each cast another way."""

    def by_a_name(reward, score):
        return torch.as_tensor(np.asarray(reward), dtype=torch.float).numpy() * score

    def by_a_method(reward, score):
        return torch.as_tensor(np.asarray(reward)).float().double().numpy() * score

    def by_default(reward, score):
        return torch.tensor(float(reward)).double().numpy() * score

    def by_to(reward, score):
        return torch.from_numpy(np.array(reward)).to(torch.float32).double().numpy() * score

    def differentiated(reward, action, theta):
        leaf = torch.tensor(theta, requires_grad=True)
        (torch.log_softmax(leaf.float(), -1)[action] * float(reward)).backward()
        return leaf.grad.numpy()

    def helped(reward, score):
        return by_a_method(reward, 1.0) * score

    return (by_a_name, by_a_method, by_default, by_to, differentiated, helped)


@pytest.mark.parametrize("number", range(6))
def test_torchs_float32_in_a_numpy_function(number):
    torch = pytest.importorskip("torch")
    found = numpys(single(torch)[number])
    assert (found.kind, found.ok, found.verdict) == (Kind.UNBIASED, True, Verdict.HOLDS)
    assert found.sentence.endswith(": float32 rounding")
    assert "numpy's and torch's float32 as float64" in found.evidence
    # the numbers are those of the update as it was handed over, and torch is as before
    assert 0 < max(abs(float(entry)) for entry in found.bias) < 1e-7
    assert torch.get_default_dtype() is torch.float32
    assert torch.ones(1).double().float().dtype is torch.float32


def test_an_objective_behind_torchs_float32_is_confirmed_elsewhere():
    """With other rewards it is rounded as well, which reads as another objective."""
    torch = pytest.importorskip("torch")

    def mean_of_steps(rewards, scores):
        to_go = torch.tensor(rewards[::-1].copy(), dtype=torch.float32).cumsum(0).flip(0)
        return (to_go[:, None] * torch.tensor(scores, dtype=torch.float32)).mean(0).double().numpy()

    found = numpys(mean_of_steps, stop_or_go("1/3"))
    assert found.follows == "E[R / length]"
    assert found.reservation == ""
    assert "other rewards" in found.elsewhere


def test_a_factor_behind_torchs_float32_is_explained():
    torch = pytest.importorskip("torch")

    def own_mean(rewards, scores):
        paid = torch.as_tensor(rewards, dtype=torch.float)
        return ((paid - paid.mean())[:, None] * torch.as_tensor(scores)).mean(0).numpy()

    found = numpys(own_mean, ARMS.group(2))
    assert (found.kind, str(found.scale)) == (Kind.SCALED, "1/2 = (G-1)/G")


@pytest.mark.parametrize("number", range(3))
def test_a_bias_beside_torchs_float32_stays(number):
    torch = pytest.importorskip("torch")
    cast = single(torch)[0]
    biased = [
        lambda reward, score, action: cast(reward, score) + 1e-7 * (action == 0) * score,
        lambda reward, score: cast(reward, score) * (1 + 1e-5 * reward),
        lambda reward, score, logprobs: cast(reward, score) - 1e-7 * logprobs[0] * score,
    ][number]
    assert not numpys(biased).ok


def test_where_float64_cant_be_run_it_is_judged_as_it_is():
    """The weights of a module are float32 whatever the casts mean."""
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(1, 1, bias=False, dtype=torch.float32)
    with torch.no_grad():
        layer.weight.fill_(1)

    def through_a_module(reward, score):
        return layer(torch.tensor([float(reward)], dtype=torch.float)).item() * score

    found = numpys(through_a_module)
    assert not found.ok
    assert not found.precision
    assert torch.get_default_dtype() is torch.float32
