"""What a trainer's batch computes with, in torch and in JAX: the few operations whose names differ,
under one name.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput

FRAMEWORKS = ("torch", "jax")
"""What a trainer's loss may be written in."""


class TorchArrays:
    """torch.

    Attributes:
        name: "torch".
        module: `torch`.
    """

    name = "torch"

    def __init__(self) -> None:
        import torch

        self.module = torch

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def floats(self, values: Any) -> Any:
        """In float64."""
        return self.module.as_tensor(values).double()

    def spread(self, values: Any, shape: tuple[int, ...]) -> Any:
        """Repeated along new or short axes."""
        return values.expand(shape)

    def held(self, values: Any) -> Any:
        """Without a gradient."""
        return values.detach()

    def without_gradient(self) -> Any:
        """A context in which nothing is differentiated."""
        return self.module.no_grad()

    def is_array(self, values: Any) -> bool:
        """Whether it is a tensor."""
        return isinstance(values, self.module.Tensor)


class JaxArrays:
    """JAX.

    Attributes:
        name: "jax".
        jax, module: `jax` and `jax.numpy`.
    """

    name = "jax"

    def __init__(self) -> None:
        try:
            import jax
        except ModuleNotFoundError as error:
            raise BadInput(
                "framework: 'jax' isn't installed: pip install 'altpg-verify[jax]'"
            ) from error
        self.jax, self.module = jax, jax.numpy

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def floats(self, values: Any) -> Any:
        """In float64."""
        return self.module.asarray(values, dtype=np.float64)

    def spread(self, values: Any, shape: tuple[int, ...]) -> Any:
        """Repeated along new or short axes."""
        return self.module.broadcast_to(values, shape)

    def held(self, values: Any) -> Any:
        """Without a gradient."""
        return self.jax.lax.stop_gradient(values)

    def without_gradient(self) -> Any:
        """Nothing: what comes out is held."""
        return contextlib.nullcontext()

    def is_array(self, values: Any) -> bool:
        """Whether it is an array, traced or not."""
        return isinstance(values, self.jax.Array)


def arrays_of(framework: str) -> TorchArrays | JaxArrays:
    """The operations of a framework.

    Raises:
        BadInput: it isn't installed.
    """
    return JaxArrays() if framework == "jax" else TorchArrays()
