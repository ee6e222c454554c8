"""What can't be used is answered by one sentence that says what to change."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from tests.audit.refusals import DRAW, THETA, sentence


def wrappers():
    found = []
    for library, module, name in (
        ("torch", "torch_loss", "TorchLoss"),
        ("jax", "jax_loss", "JaxLoss"),
    ):
        try:
            __import__(library)
        except ImportError:
            continue
        found.append(getattr(__import__(f"altpg_verify.audit.{module}", fromlist=[name]), name))
    return found or [None]


@pytest.mark.parametrize("wrapper", wrappers())
@pytest.mark.parametrize(
    ("params", "draw", "parts"),
    [
        ({"theta": np.zeros(3, int)}, DRAW, ("'theta' holds int64", "give floats")),
        ({"theta": np.zeros(3, complex)}, DRAW, ("is complex", "real parameters")),
        ({"theta": np.array([0, np.inf, 0])}, DRAW, ("not finite", "mask")),
        ({"theta": ["a", "b"]}, DRAW, ("'theta' has dtype", "array of floats")),
        ({}, DRAW, ("give the parameters as a mapping",)),
        (
            THETA,
            {**DRAW, "rewards": [[1.0], [1.0, 2.0]]},
            ("'rewards' is no array of numbers", "pad"),
        ),
        (THETA, {**DRAW, "rewards": np.zeros(3, complex)}, ("'rewards' is complex",)),
        (THETA, {**DRAW, "rewards": [None, object(), 1]}, ("'rewards' holds objects",)),
        (THETA, [0, 1], ("give the draw as a mapping",)),
    ],
)
def test_what_is_given_must_be_numbers(wrapper, params, draw, parts):
    if wrapper is None:
        pytest.skip("neither torch nor jax is installed")
    reported = sentence(
        lambda: wrapper(lambda theta, actions, rewards: theta.sum())(params, draw), BadInput
    )
    assert all(part in reported for part in parts), reported


def test_a_group_declared_as_trained_must_get_a_gradient():
    pytest.importorskip("torch")
    from altpg_verify.audit.torch_loss import TorchLoss

    def frozen_critic(theta, v, rewards):
        return theta.sum() * (rewards.mean() - v.detach())

    def unused_critic(theta, v, rewards):
        return theta.sum() * rewards.mean()

    params = {**THETA, "v": np.zeros(())}
    for loss in (frozen_critic, unused_critic):
        reported = sentence(lambda loss=loss: TorchLoss(loss, trained=("theta", "v"))(params, DRAW))
        assert "'v' is declared as trained but gets no gradient" in reported
    assert "the groups are theta, v" in sentence(
        lambda: TorchLoss(unused_critic, trained=("w",))(params, DRAW), BadInput
    )


@pytest.mark.thorough
def test_a_group_of_a_jax_loss_declared_as_trained_must_not_be_stopped():
    jax = pytest.importorskip("jax")
    from altpg_verify.audit.jax_loss import JaxLoss

    def frozen_critic(theta, v, rewards):
        return theta.sum() * (rewards.mean() - jax.lax.stop_gradient(v))

    params = {**THETA, "v": np.zeros(())}
    reported = sentence(lambda: JaxLoss(frozen_critic, trained=("v",))(params, DRAW))
    assert "'v' is declared as trained but its gradient is 0 for any input" in reported
    # zero here because of the numbers, not because it's stopped
    JaxLoss(frozen_critic, trained=("theta",))(params, {**DRAW, "rewards": np.zeros(3)})


def test_a_module_needs_all_its_parameters_in_their_shapes():
    torch = pytest.importorskip("torch")
    from altpg_verify.audit.torch_loss import TorchLoss

    def loss(policy, actions, rewards):
        return policy(torch.ones(1)).sum() * rewards.mean()

    wrapped = TorchLoss(loss, modules={"policy": torch.nn.Linear(1, 3)})
    assert "'policy.weight' isn't given" in sentence(lambda: wrapped(THETA, DRAW), BadInput)
    shaped = {"policy.weight": np.zeros((2, 1)), "policy.bias": np.zeros(3)}
    assert "has shape (2, 1), but the module's is (3, 1)" in sentence(
        lambda: wrapped(shaped, DRAW), BadInput
    )
    assert "give nn.Module objects" in sentence(
        lambda: TorchLoss(loss, modules={"policy": 3}), BadInput
    )


def test_no_function_at_all():
    pytest.importorskip("torch")
    from altpg_verify.audit.torch_loss import TorchLoss

    assert "is a int, not a function" in sentence(lambda: TorchLoss(3))


@pytest.mark.parametrize(
    ("library", "module", "name"),
    [("torch", "torch_loss", "TorchLoss"), ("jax", "jax_loss", "JaxLoss")],
)
def test_a_library_that_is_not_installed_names_its_extra(monkeypatch, library, module, name):
    monkeypatch.setitem(sys.modules, library, None)
    wrapper = getattr(__import__(f"altpg_verify.audit.{module}", fromlist=[name]), name)
    reported = sentence(lambda: wrapper(lambda theta: theta.sum()), BadInput)
    assert f"pip install 'altpg-verify[{library}]'" in reported


def test_the_command_line_says_it_in_one_line_and_exits_with_2(tmp_path, capsys):
    pytest.importorskip("torch")
    from altpg_verify.__main__ import main

    file = tmp_path / "mine.py"
    file.write_text(
        "from altpg_verify.audit import loss\n"
        "from altpg_verify.audit.fixtures import three_arms\n\n"
        "@loss(space=three_arms().batch(2))\n"
        "def vector(theta, actions, rewards):\n"
        "    return -theta.log_softmax(-1)[actions] * rewards\n"
    )
    assert main(["check", f"{file}:vector"]) == 2
    reported = capsys.readouterr().err
    assert reported.count("\n") == 1
    assert "reduce it to one number" in reported
