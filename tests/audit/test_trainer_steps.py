"""Whole steps of torch trainers: optimisers, minibatches and epochs on an environment, beside the
same enumerated by hand.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, trainer
from altpg_verify.audit.expected_update import moments
from altpg_verify.errors import BadInput

torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")

from tests.audit.ppo_step import AFTER, LIMIT, REWARDS, SLIPS, Ppo, two_states  # noqa: E402

PAYS = [1.0, 0.5, 0.0]
SPACE = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])


def reinforce(
    *, optimiser="SGD", steps=1, pays=PAYS, policy=torch.distributions.Categorical, **settings
):
    """A step that follows V on three arms, its logits and their optimiser."""
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    descent = getattr(torch.optim, optimiser)([logits], **{"lr": 0.1, **settings})

    def step():
        for _ in range(steps):
            drawn = policy(logits=logits)
            action = drawn.sample()
            descent.zero_grad()
            (-drawn.log_prob(action) * pays[action]).backward()
            descent.step()

    return step, logits


def audited(step, logits, **options):
    return audit(
        trainer(step, parameters={"theta": logits}, space=SPACE, **options),
        places=2,
        differentiate=False,
    )


# --- optimisers
# --------------------------------------------------------------------------------------------------


def test_plain_gradient_descent_is_read_as_it_is():
    step, logits = reinforce(lr=1e-6)
    found = audited(step, logits)
    assert str(found.kind) == "unbiased"
    assert found.largest_deviation < 1e-14
    assert logits.detach().tolist() == [0, 0, 0]
    assert logits.grad is None


@pytest.mark.slow
def test_adam_is_refused_with_what_to_write_and_then_read():
    step, logits = reinforce(optimiser="Adam")
    with pytest.raises(
        BadInput,
        match="steps with Adam, whose steps are no multiples of the gradient; write stepsize=0",
    ):
        audited(step, logits)
    assert str(audited(step, logits, stepsize=0).kind) == "unbiased"
    assert str(audited(step, logits, stepsize=0.5).kind) == "unbiased"


def test_momentum_a_closure_and_a_schedule_at_zero_are_refused():
    with pytest.raises(BadInput, match="steps with SGD and momentum"):
        audited(*reinforce(momentum=0.9))
    with pytest.raises(BadInput, match="steps with a stepsize of 0"):
        audited(*reinforce(lr=0.0))
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    descent = torch.optim.SGD([logits], lr=0.1)
    with pytest.raises(BadInput, match="hands SGD a closure"):
        audited(lambda: descent.step(lambda: logits.sum()), logits)


@pytest.mark.slow
def test_weight_decay_is_part_of_what_is_done():
    found = audited(*reinforce(weight_decay=0.5))
    theta = np.log([1 / 6, 1 / 3, 1 / 2])
    np.testing.assert_allclose(np.subtract(found.expected, found.gradient), -0.5 * theta, rtol=1e-9)


@pytest.mark.slow
def test_two_steps_of_a_call_add_up():
    step, logits = reinforce(steps=2)
    stood = audited(step, logits, stepsize=0)
    assert (str(stood.kind), stood.draws) == ("scaled", 9)
    assert float(stood.scale.factors[""]) == pytest.approx(2)
    # with steps of a size the second is taken elsewhere: by hand, over both actions
    theta = np.log([1 / 6, 1 / 3, 1 / 2])

    def gradient(at, action):
        pi = np.exp(at) / np.exp(at).sum()
        return pi[action], PAYS[action] * (np.eye(3)[action] - pi)

    by_hand = 0
    for first, second in itertools.product(range(3), repeat=2):
        chance, one = gradient(theta, first)
        other, two = gradient(theta + 0.1 * one, second)
        by_hand = by_hand + chance * other * (one + two)
    made = trainer(step, parameters={"theta": logits}, space=SPACE)
    np.testing.assert_allclose(moments(made).mean, by_hand, rtol=1e-9)


@pytest.mark.slow
def test_other_distributions_and_dropout_within_torch():
    class Gumbel(torch.distributions.Categorical):
        def sample(self, shape=()):
            return (self.logits + torch.distributions.Gumbel(0.0, 1.0).sample((3,))).argmax(-1)

    with pytest.raises(
        BadInput, match=r"draws by torch.(rand|uniform), whose outcomes can't be enumerated"
    ):
        audited(*reinforce(policy=Gumbel))
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    descent = torch.optim.SGD([logits], lr=0.1)

    def dropping():
        descent.zero_grad()
        kept = torch.nn.functional.dropout(logits.softmax(-1), 0.25)
        (-(kept * torch.tensor(PAYS)).sum()).backward()
        descent.step()

    found = audited(dropping, logits)
    assert (str(found.kind), found.draws) == ("unbiased", 8)


@pytest.mark.slow
def test_float32_parameters_are_refused_and_made_wide_by_build():
    def build():
        model = torch.nn.Linear(1, 3, bias=False)
        descent = torch.optim.SGD(model.parameters(), lr=0.1)

        def step():
            drawn = torch.distributions.Categorical(logits=model(torch.ones(1)))
            action = drawn.sample()
            descent.zero_grad()
            (-drawn.log_prob(action) * torch.tensor(PAYS, dtype=torch.float32)[action]).backward()
            descent.step()

        return step, {"theta": model.weight[:, 0]}

    step, parameters = build()
    with pytest.raises(BadInput, match="'theta' is float32"):
        trainer(step, parameters=parameters, space=SPACE)
    found = audit(trainer(build=build, space=SPACE))
    assert str(found.kind) == "unbiased", found
    assert "meant float64" in str(found)


def test_casts_within_a_backward_pass_are_wide_as_well():
    class Narrow(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):
            return value.clone()

        @staticmethod
        def backward(ctx, gradient):
            return gradient.float().to(gradient.dtype)

    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    narrow = torch.optim.SGD([logits], lr=0.1)

    def narrowed():
        narrow.zero_grad()
        (Narrow.apply(logits) * torch.tensor([0.1, 0.2, 0.3])).sum().backward()
        narrow.step()

    made = trainer(narrowed, parameters={"theta": logits}, space=SPACE)
    np.testing.assert_allclose(moments(made).mean, [-0.1, -0.2, -0.3], rtol=1e-15)


# --- an iteration of PPO
# --------------------------------------------------------------------------------------------


def of_ppo(at_limit=AFTER, *, stepsize=0, **settings):
    ppo = Ppo(**settings)
    limit = at_limit if isinstance(at_limit, str) else list(at_limit)
    return trainer(
        ppo.step, parameters=ppo.parameters, space=two_states(limit), stepsize=stepsize, name="PPO"
    )


@pytest.mark.slow
def test_ppo_is_twice_the_gradient_for_two_epochs_and_keeps_a_count_that_makes_no_difference():
    found = audit(of_ppo())
    assert (str(found.kind), found.draws) == ("scaled", 64)
    assert float(found.scale.factors[""]) == pytest.approx(2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        ({"sign": -1.0}, "reversed", "∇V times -2"),
        (
            {"bootstraps": False, "minibatches": 1, "epochs": 1},
            "biased",
            "time limits are taken for ends: if nothing came after them it would be right",
        ),
        # of two advantages normalising leaves which is the larger; on this space that adds up to a
        # gradient, of something else
        (
            {"normalises": True, "minibatches": 1, "epochs": 1},
            "other objective",
            "on this space only",
        ),
    ],
)
def test_faults_planted_in_ppo(settings, kind, message):
    found = audit(of_ppo(**settings))
    assert str(found.kind) == kind, found
    assert message in str(found)


@pytest.mark.parametrize("normalises", [False, True])
def test_ppo_with_steps_of_a_size_beside_its_branches_enumerated_by_hand(normalises):
    """Actions, slips and orders of minibatches in loops; the gradient of the clipped surrogate and
    of the critic's error by hand.
    """
    stepsize, clip, minibatches = 0.3, 0.1, 1 if normalises else 2
    ppo = Ppo(normalises=normalises, minibatches=minibatches, stepsize=stepsize, clip=clip)
    made = trainer(ppo.step, parameters=ppo.parameters, space=two_states(list(AFTER)))
    start = made.space.parameters["theta"]

    def policy(theta):
        return np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True)

    orders = list(itertools.permutations(range(LIMIT)))
    total = np.zeros((2, 2))
    for actions in itertools.product((0, 1), repeat=LIMIT):
        for slips in itertools.product((False, True), repeat=LIMIT):
            states = [0]
            for action, slip in zip(actions, slips, strict=True):
                states.append(1 - action if slip else action)
            old = [policy(start)[s, a] for s, a in zip(states[:-1], actions, strict=True)]
            chance = np.prod(old) * np.prod([SLIPS if slip else 1 - SLIPS for slip in slips])
            rewards = [REWARDS[s][a] for s, a in zip(states[:-1], actions, strict=True)]
            advantages = [
                AFTER[states[-1]] + sum(rewards[t:]) - AFTER[states[t]] for t in range(LIMIT)
            ]
            for first, second in itertools.product(orders, repeat=2):
                # a shuffle goes on from the order before
                theta = start.copy()
                for order in (first, tuple(first[i] for i in second)):
                    for batch in np.split(np.array(order), minibatches):
                        scale = np.array([advantages[t] for t in batch])
                        if normalises:
                            scale = (scale - scale.mean()) / (scale.std(ddof=1) + 1e-8)
                        ascent = np.zeros((2, 2))
                        for t, advantage in zip(batch, scale, strict=True):
                            pi = policy(theta)[states[t]]
                            ratio = pi[actions[t]] / old[t]
                            if (advantage > 0 and ratio > 1 + clip) or (
                                advantage < 0 and ratio < 1 - clip
                            ):
                                continue
                            ascent[states[t]] += (
                                advantage * ratio * (np.eye(2)[actions[t]] - pi) / len(batch)
                            )
                        theta = theta + stepsize * ascent
                total += chance / len(orders) ** 2 * (theta - start) / stepsize
    np.testing.assert_allclose(moments(made).mean.reshape(2, 2), total, rtol=1e-9, atol=1e-12)
