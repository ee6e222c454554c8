"""Switches of the whole process that change how numpy, torch and JAX compute: whoever turned one in a
check, it is as it was afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

_NOT_KNOWN = object()


class Switch(NamedTuple):
    """How a switch is read and set.

    Args:
        read: gives how it stands.
        put: sets it to what `read` gave.
        fresh: how it stands in a library that was just imported; left out if that isn't always
            the same.
    """

    read: Callable[[], Any]
    put: Callable[[Any], object]
    fresh: Any = _NOT_KNOWN


class Switches:
    """How they stood when this was made; of torch that is imported later, as it comes."""

    def __init__(self) -> None:
        self._had_torch = _torch() is not None
        self._kept = [(each, each.read()) for each in _switches()]
        self._modes = [(name, size, size()) for name, size in _stacks()]

    def put_back(self) -> str:
        """What computes otherwise for everybody and was left on, in words; empty if nothing was.
        All of it is as it was.
        """
        left = ""
        if not self._had_torch and _torch() is not None:
            came = [(each, each.fresh) for each in _of_torch() if each.fresh is not _NOT_KNOWN]
            # its device first, as it stands first there
            self._kept = [*came, *self._kept]
            self._modes = [(name, size, 0) for name, size in _stacks()]
        # a default device is a mode that has its own way out; then modes, through which what reads
        # a switch would go
        _put_back(self._kept[:1])
        for name, size, before in self._modes:
            while size() > before:
                left = name
                _POPS[name]()
        _put_back(self._kept)
        return left


def _put_back(kept: list[tuple[Switch, Any]]) -> None:
    for switch, value in kept:
        if switch.read() != value:
            switch.put(value)


def _torch() -> Any:
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "utils") else None


def _of_torch() -> Iterator[Switch]:
    torch = _torch()
    if torch is not None:
        yield Switch(
            lambda: getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None),
            lambda kept: torch.set_default_device(None if kept is None else kept.device),
            None,
        )
        yield Switch(torch.get_default_dtype, torch.set_default_dtype, torch.float32)
        yield Switch(torch.is_grad_enabled, torch._C._set_grad_enabled, True)
        yield Switch(
            lambda: (
                torch.are_deterministic_algorithms_enabled(),
                torch.is_deterministic_algorithms_warn_only_enabled(),
            ),
            # what is public for this loads torch's compiler
            lambda kept: torch._C._set_deterministic_algorithms(kept[0], warn_only=kept[1]),
            (False, False),
        )
        yield Switch(
            torch.is_anomaly_enabled, lambda kept: torch.autograd.set_detect_anomaly(kept), False
        )
        yield Switch(
            torch.get_float32_matmul_precision, torch.set_float32_matmul_precision, "highest"
        )
        yield Switch(
            lambda: torch.is_autocast_enabled("cpu"),
            lambda kept: torch.set_autocast_enabled("cpu", kept),
            False,
        )
        yield Switch(torch.get_num_threads, torch.set_num_threads)


def _switches() -> Iterator[Switch]:
    yield from _of_torch()
    if numpy := sys.modules.get("numpy"):
        yield Switch(numpy.geterr, lambda kept: numpy.seterr(**kept))
    jax = sys.modules.get("jax")
    if jax is not None and hasattr(jax, "config"):
        yield Switch(lambda: dict(jax.config.values), _configure)


def _configure(kept: dict[str, Any]) -> None:
    jax = sys.modules["jax"]
    for name, value in dict(jax.config.values).items():
        if name in kept and kept[name] != value:
            # what JAX forbids to set once it runs can't have been set
            with suppress(Exception):
                jax.config.update(name, kept[name])


def _stacks() -> Iterator[tuple[str, Callable[[], int]]]:
    """What stands between a call and what it computes: how much of it there is."""
    torch = _torch()
    if torch is not None:
        yield "a mode of torch", torch._C._len_torch_dispatch_stack
        yield "a mode of torch's functions", torch._C._len_torch_function_stack
        yield "hooks of torch's saved tensors", _hooked


def _hooked() -> int:
    top = getattr(sys.modules["torch"]._C._autograd, "_top_saved_tensors_default_hooks", None)
    return int(top is not None and top(False) is not None)


_POPS: dict[str, Callable[[], object]] = {
    "a mode of torch": lambda: sys.modules["torch"]._C._pop_torch_dispatch_stack(None),
    "a mode of torch's functions": lambda: sys.modules["torch"]._C._pop_torch_function_stack(),
    "hooks of torch's saved tensors": lambda: sys.modules[
        "torch"
    ]._C._autograd._pop_saved_tensors_default_hooks(),
}
