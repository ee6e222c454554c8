"""Losses of torch and JAX with a fault are refused in one sentence that says what to change."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from tests.audit.refusals import DRAW, THETA, log_pi, sentence


class Torch:
    """Losses with one fault each, and a part of what must be said."""

    @staticmethod
    def faults():
        torch = pytest.importorskip("torch")
        calls = []

        def wrong_shapes(theta, actions, rewards):
            return -(log_pi(theta, actions) * rewards[:2]).mean()

        def detached(theta, actions, rewards):
            return -(log_pi(theta, actions).detach() * rewards).mean()

        def through_item(theta, actions, rewards):
            return -log_pi(theta, actions).mean().item() * rewards.mean()

        def through_numpy(theta, actions, rewards):
            return -(log_pi(theta, actions).numpy() * rewards.numpy()).mean()

        def through_detached_numpy(theta, actions, rewards):
            return -(log_pi(theta, actions).detach().numpy() * rewards.numpy()).mean()

        def writes_argument(theta, actions, rewards):
            rewards -= rewards.mean()
            return -(log_pi(theta, actions) * rewards).mean()

        def writes_graph(theta, actions, rewards):
            probabilities = theta.exp()
            answer = (probabilities * probabilities).sum()
            probabilities += 1
            return answer

        def writes_parameters(theta, actions, rewards):
            theta += 1
            return theta.sum()

        def steps(theta, actions, rewards):
            answer = -(log_pi(theta, actions) * rewards).mean()
            theta.data += 0.1
            return answer

        def random(theta, actions, rewards):
            return -(log_pi(theta, actions) * (rewards + torch.randn(3))).mean()

        def numpy_random(theta, actions, rewards):
            return -(log_pi(theta, actions) * (rewards + np.random.rand())).mean()

        def stateful(theta, actions, rewards):
            calls.append(float(rewards.mean()))
            return -(log_pi(theta, actions) * rewards).mean() * len(calls)

        def vector(theta, actions, rewards):
            return -log_pi(theta, actions) * rewards

        def on_cuda(theta, actions, rewards):
            return -(log_pi(theta.cuda(), actions.cuda()) * rewards.cuda()).mean()

        def nan(theta, actions, rewards):
            return -(log_pi(theta, actions) * (rewards - 5).log()).mean()

        def inf(theta, actions, rewards):
            return -(log_pi(theta, actions) / rewards).mean()

        def nan_gradient(theta, actions, rewards):
            return torch.where(rewards > 2, theta.sum() / 0.0, log_pi(theta, actions)).mean()

        def nothing(theta, actions, rewards):
            (log_pi(theta, actions) * rewards).mean()

        def backward(theta, actions, rewards):
            answer = -(log_pi(theta, actions) * rewards).mean()
            answer.backward()
            return answer

        def unknown(theta, actions, returns):
            return -(log_pi(theta, actions) * returns).mean()

        def anything(theta, **draw):
            return theta.sum()

        def no_parameters(actions, rewards):
            return rewards.mean()

        def a_number(theta, actions, rewards):
            return 3.0

        def complex_numbers(theta, actions, rewards):
            return torch.fft.fft(theta).abs().sum()

        def given_numbers(theta, logprobs, rewards):
            return -(logprobs * rewards).mean()

        return {
            wrong_shapes: (
                "raised RuntimeError for theta (3,), actions (3,), rewards (3,)",
                "size of tensor",
            ),
            detached: ("no path to the parameters", "cut by .detach()"),
            through_item: ("no path to the parameters", "cut by .item()"),
            through_numpy: ("goes through numpy", "use the torch function"),
            through_detached_numpy: ("returns a float", "cut by .detach()"),
            writes_argument: ("changes its argument 'rewards' in place", "work on a copy"),
            writes_graph: ("changes in place", "x = x + y"),
            writes_parameters: (
                "changes its parameters in place",
                "leave the step to the optimiser",
            ),
            steps: ("changes its parameters 'theta'", "leave the step to the optimiser"),
            random: ("draws random numbers of its own", "seed=0"),
            numpy_random: ("draws random numbers of its own", "seed=0"),
            stateful: ("keeps state from call to call", "as an argument"),
            vector: ("shape (3,)", ".mean() or .sum()"),
            nan: ("is nan at", "actions = [0, 1, 1]"),
            inf: ("is ", "keep it finite"),
            nan_gradient: ("gradient of 'theta' is not finite", "mask before"),
            nothing: ("returns None", "return loss"),
            backward: ("calls backward()", "return the loss"),
            unknown: ("asks for 'returns'", "choose from theta, actions, rewards"),
            anything: ("takes *draw", "name each argument"),
            no_parameters: ("asks for no parameters", "let it take theta"),
            a_number: ("returns a float", "return the tensor"),
            complex_numbers: ("complex numbers", ".real or .abs()"),
            given_numbers: ("'logprobs' is given as numbers", "compute it from the parameters"),
            **(
                {}
                if torch.cuda.is_available()
                else {on_cuda: ("asks for CUDA", "x.to(theta.device)")}
            ),
        }


class Jax:
    """The same for JAX."""

    names = (
        *("wrong_shapes", "through_numpy", "a_number", "nothing", "vector", "leaks"),
        *("leaks_between", "stateful", "random", "half", "single", "single_data", "brain", "nan"),
        *("whole", "writes", "complex_numbers", "a_complex_number", "unknown", "to_float"),
    )

    @staticmethod
    def faults():
        jax = pytest.importorskip("jax")
        jnp = jax.numpy
        kept, earlier = [], []
        calls = []

        def log_pi(theta, actions):
            return jax.nn.log_softmax(theta)[actions]

        def wrong_shapes(theta, actions, rewards):
            return -jnp.mean(log_pi(theta, actions) * rewards[:2])

        def through_numpy(theta, actions, rewards):
            return -jnp.mean(np.log(theta) * rewards)

        def a_number(theta, actions, rewards):
            return 3.0

        def nothing(theta, actions, rewards):
            jnp.mean(log_pi(theta, actions) * rewards)

        def vector(theta, actions, rewards):
            return -log_pi(theta, actions) * rewards

        def leaks(theta, actions, rewards):
            kept.append(log_pi(theta, actions))
            return -jnp.mean(kept[-1] * rewards)

        def leaks_between(theta, actions, rewards):
            earlier.append(theta * 2 if float(rewards.sum()) > 0 else theta)
            return -jnp.mean(log_pi(earlier[0], actions) * rewards)

        def stateful(theta, actions, rewards):
            calls.append(1)
            return -jnp.mean(log_pi(theta, actions) * rewards) * len(calls)

        def random(theta, actions, rewards):
            return -jnp.mean(log_pi(theta, actions) * (rewards + np.random.rand()))

        def half(theta, actions, rewards):
            return -jnp.mean(log_pi(theta.astype(jnp.float16), actions))

        def single(theta, actions, rewards):
            return -jnp.mean(log_pi(theta.astype(jnp.float32), actions) * rewards)

        def single_data(theta, actions, rewards):
            return -jnp.mean(
                log_pi(theta, actions)
                * (jnp.round(rewards) - jnp.mean(rewards)).astype(jnp.float32)
            )

        def brain(theta, actions, rewards):
            return -jnp.mean(
                log_pi(theta.astype(jnp.bfloat16), actions).astype(jnp.float64) * rewards
            )

        def nan(theta, actions, rewards):
            return -jnp.mean(log_pi(theta, actions) * jnp.log(rewards - 5))

        def whole(theta, actions, rewards):
            return jnp.argmax(theta)

        def writes(theta, actions, rewards):
            rewards[0] = 0.0
            return -jnp.mean(log_pi(theta, actions) * rewards)

        def complex_numbers(theta, actions, rewards):
            return jnp.abs(jnp.fft.fft(theta)).sum()

        def a_complex_number(theta, actions, rewards):
            return jnp.fft.fft(theta).sum()

        def unknown(theta, advantages):
            return theta.sum()

        def to_float(theta, actions, rewards):
            return jnp.mean(rewards) * float(
                jax.jit(lambda values: values if values[0] > 0 else 2 * values)(theta)[0]
            )

        return {
            wrong_shapes: ("raised TypeError for theta (3,)", "incompatible shapes"),
            through_numpy: ("goes through numpy", "use jnp"),
            a_number: ("returns a float", "return the JAX array"),
            nothing: ("returns None", "return loss"),
            vector: ("shape (3,)", ".mean() or .sum()"),
            leaks: ("stores a traced value outside itself", "leave it out"),
            leaks_between: ("keeps a traced value from an earlier call", "store nothing outside"),
            stateful: ("keeps state from call to call", "as an argument"),
            random: ("draws random numbers of its own", "seed=0"),
            half: ("float16", "take out .astype"),
            single: ("float32", "take out .astype"),
            single_data: ("float32", "take out .astype"),
            brain: ("bfloat16", "take out .astype"),
            nan: ("is nan at", "keep it finite"),
            whole: ("returns int64", "return a float"),
            writes: ("in place", "x.at[i].set(y)"),
            complex_numbers: ("complex numbers", "jnp.abs"),
            a_complex_number: ("complex numbers", "jnp.abs"),
            unknown: ("asks for 'advantages'", "choose from theta, actions, rewards"),
            to_float: ("branches on a traced value", "jnp.where"),
        }


def test_faults_of_a_torch_loss():
    pytest.importorskip("torch")
    from altpg_verify.audit.torch_loss import TorchLoss

    draw = {**DRAW, "logprobs": np.zeros(3)}
    for fault, parts in Torch.faults().items():
        reported = sentence(lambda fault=fault: TorchLoss(fault)(THETA, draw))
        assert f"torch loss {fault.__name__!r}" in reported
        assert all(part in reported for part in parts), reported


@functools.cache
def jax_faults():
    return {fault.__name__: (fault, parts) for fault, parts in Jax.faults().items()}


@pytest.mark.thorough
@pytest.mark.parametrize("name", Jax.names)
def test_faults_of_a_jax_loss(name):
    pytest.importorskip("jax")
    from altpg_verify.audit.jax_loss import JaxLoss

    assert set(Jax.names) == set(jax_faults())
    fault, parts = jax_faults()[name]
    reported = sentence(lambda: JaxLoss(fault)(THETA, DRAW))
    assert f"JAX loss {name!r}" in reported
    assert all(part in reported for part in parts), reported
