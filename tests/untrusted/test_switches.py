"""Whoever turns a switch of numpy, torch or JAX in a check: it is as it was afterwards; what would
compute for everybody is refused.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.intact import intact
from altpg_verify.untrusted.switches import Switches


def test_errors_of_numpy():
    before = np.geterr()
    with intact("mine"):
        np.seterr(all="raise")
    assert np.geterr() == before


@pytest.mark.parametrize(
    ("read", "turn"),
    [
        ("get_default_dtype", lambda torch: torch.set_default_dtype(torch.float16)),
        ("is_grad_enabled", lambda torch: torch.set_grad_enabled(False)),
        ("is_anomaly_enabled", lambda torch: torch.autograd.set_detect_anomaly(True)),
        ("get_num_threads", lambda torch: torch.set_num_threads(torch.get_num_threads() + 1)),
        ("get_default_device", lambda torch: torch.set_default_device("meta")),
        (
            "get_float32_matmul_precision",
            lambda torch: torch.set_float32_matmul_precision("medium"),
        ),
        (
            "are_deterministic_algorithms_enabled",
            lambda torch: torch.use_deterministic_algorithms(True),
        ),
    ],
)
def test_switches_of_torch(read, turn):
    torch = pytest.importorskip("torch")
    before = getattr(torch, read)()
    with intact("mine"):
        turn(torch)
        assert getattr(torch, read)() != before
    assert getattr(torch, read)() == before


def test_a_mode_of_torch_that_is_left_on():
    torch = pytest.importorskip("torch")
    from torch.utils._python_dispatch import TorchDispatchMode

    def leaves():
        with intact("mine"):
            TorchDispatchMode().__enter__()

    with pytest.raises(BadEstimator, match="leaves a mode of torch on"):
        leaves()
    assert (torch.ones(2) + 1).tolist() == [2, 2]


def test_settings_of_jax():
    jax = pytest.importorskip("jax")
    before = dict(jax.config.values)
    with intact("mine"):
        jax.config.update("jax_debug_nans", True)
    assert dict(jax.config.values) == before


def test_autocast_and_what_is_only_warned_of():
    torch = pytest.importorskip("torch")
    with intact("mine"):
        torch.set_autocast_enabled("cpu", True)
        torch._C._set_deterministic_algorithms(True, warn_only=True)
    assert not torch.is_autocast_enabled("cpu")
    assert not torch.are_deterministic_algorithms_enabled()
    assert not torch.is_deterministic_algorithms_warn_only_enabled()


def test_hooks_of_saved_tensors_that_are_left_on():
    torch = pytest.importorskip("torch")

    def leaves():
        with intact("mine"):
            torch._C._autograd._push_saved_tensors_default_hooks(lambda x: x, lambda x: x)

    with pytest.raises(BadEstimator, match="leaves hooks of torch's saved tensors on"):
        leaves()
    with intact("mine"):
        pass


def test_a_switch_that_was_on_and_strict_is_so_again():
    torch = pytest.importorskip("torch")
    torch._C._set_deterministic_algorithms(True, warn_only=False)
    try:
        with intact("mine"):
            torch.use_deterministic_algorithms(False)
        assert torch.are_deterministic_algorithms_enabled()
        assert not torch.is_deterministic_algorithms_warn_only_enabled()
    finally:
        torch.use_deterministic_algorithms(False)


def test_nothing_left_on_is_no_word():
    assert Switches().put_back() == ""


def test_switches_of_a_torch_that_came_during_the_check(monkeypatch):
    torch = pytest.importorskip("torch")
    with monkeypatch.context() as before_its_import:
        before_its_import.delitem(sys.modules, "torch")
        switches = Switches()
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.autograd.set_detect_anomaly(True)
    assert switches.put_back() == ""
    assert torch.get_default_dtype() == torch.float32
    assert torch.ones(1).device.type == "cpu"
    assert not torch.is_anomaly_enabled()
