"""The neural kernel against the same agent as a PyTorch user would write it: nn.Linear, a loss,
autograd, torch.optim.Adam.
"""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra torch is not installed")

from altpg_verify.estimators import alternate, regular  # noqa: E402
from altpg_verify.sim.online.neural import WEIGHTS, NeuralAgent, simulate  # noqa: E402
from tests.online.neural_reference import Agent  # noqa: E402

ROUNDING, FAULT = 1e-9, 1e-6
STEPS, RUNS = 400, 2


class TorchAgent(Agent):
    """The numpy agent's task and random numbers, but networks, losses and optimisers are
    PyTorch's.
    """

    def __init__(self, estimator, setting, run, *, betas=(0.9, 0.999)):
        super().__init__(estimator, setting, run, steps=STEPS)
        self.networks = [torch_network(network) for network in (self.actor, self.critic)]
        stepsizes = (setting.alpha, setting.beta)
        self.optimisers = [
            torch.optim.Adam(net.parameters(), lr, betas)
            for net, lr in zip(self.networks, stepsizes, strict=True)
        ]

    def step(self):
        actor, critic = self.networks
        state = torch.tensor([self.task.x, self.task.y], dtype=torch.float64)
        theta = actor(state)
        log_pi = torch.log_softmax(theta, 0)
        action = int((self.actions.random() >= np.cumsum(log_pi.exp().detach().numpy())[:-1]).sum())
        reward, there, over = self.task.step(action)
        with torch.no_grad():
            after = critic(torch.tensor([self.task.x, self.task.y], dtype=torch.float64))[0]
            entropy = torch.distributions.Categorical(logits=theta).entropy()
            target = reward + self.setting.tau * entropy + (0.0 if there else after)
        value = critic(state)[0]
        error = target - value
        direction = theta[action] if self.estimator is alternate else log_pi[action]
        entropy = torch.distributions.Categorical(logits=theta).entropy()
        losses = (-error.detach() * direction - self.setting.tau * entropy, 0.5 * error**2)
        for optimiser, loss in zip(self.optimisers, losses, strict=True):
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        self.t += 1
        if over:
            self.episodes.append(self.t)
            self.task.start(*(2 * self.starts.random(2) - 1))

    def flat(self):
        linear = [
            layer
            for network in self.networks
            for layer in network
            if isinstance(layer, torch.nn.Linear)
        ]
        return (
            torch.cat(
                [torch.cat([layer.weight, layer.bias[:, None]], 1).ravel() for layer in linear]
            )
            .detach()
            .numpy()
        )


def torch_network(network):
    """A PyTorch network with the weights of a numpy one."""
    layers = []
    for weight, bias in zip(network.weights[::2], network.weights[1::2], strict=True):
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0], dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(weight))
            linear.bias.copy_(torch.from_numpy(bias))
        layers += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def deviation(est, setting, **options):
    """The largest difference |w - w'| / (1 + |w'|) between the weights of the two, after several
    numbers of steps; episodes must end.
    """
    agents = [TorchAgent(est, setting, run, **options) for run in range(RUNS)]
    largest = 0.0
    for checked in (1, 2, 3, 10, 50, 150, 300, STEPS):
        weights = np.empty((1, RUNS, WEIGHTS))
        simulate(
            est,
            [setting],
            root=3,
            experiment="test",
            runs=RUNS,
            steps=checked,
            bin=checked,
            last=max(1, checked // 2),
            weights=weights,
        )
        for run, agent in enumerate(agents):
            while agent.t < checked:
                agent.step()
            exact = agent.flat()
            largest = max(
                largest, float((np.abs(weights[0, run] - exact) / (1.0 + np.abs(exact))).max())
            )
    assert all(agent.episodes for agent in agents)
    return largest


@pytest.mark.parametrize("est", [regular, alternate], ids=lambda est: est.name)
@pytest.mark.parametrize("tau", [0.0, 0.25])
def test_the_kernel_is_what_pytorch_does(est, tau):
    assert (
        deviation(
            est,
            NeuralAgent(2.0**-8, 2.0**-8, theta=(0.5, *(0.0,) * 8), critic=1.0, tau=tau, cut=120),
        )
        < ROUNDING
    )


def test_a_planted_fault_is_seen():
    assert deviation(regular, NeuralAgent(2.0**-8, 2.0**-8, cut=120), betas=(0.9, 0.998)) > FAULT


def test_the_weights_start_in_the_range_of_pytorch():
    weights = np.empty((1, 200, WEIGHTS))
    simulate(
        regular,
        [NeuralAgent(0.0, 0.0)],
        root=3,
        experiment="test",
        runs=200,
        steps=1,
        bin=1,
        last=1,
        weights=weights,
    )
    for place, inputs in (
        (slice(0, 30), 2),
        (slice(30, 140), 10),
        (slice(239, 269), 2),
        (slice(269, 379), 10),
    ):
        drawn = torch.nn.Linear(inputs, 20_000).weight.detach().numpy()
        assert weights[0, :, place].max() == pytest.approx(drawn.max(), rel=0.01)
        assert weights[0, :, place].min() == pytest.approx(drawn.min(), rel=0.01)
    assert not weights[0, :, 140:239].any()
