"""What a torch loss draws itself, answered with the draw's own noise: once, in the noise's shape,
and by nobody who asks for it as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from altpg_verify.errors import BadEstimator


@dataclass(frozen=True)
class Words:
    """How messages speak of a noise.

    Args:
        drawn: what is drawn. held: what a draw has of it.
        once: how many numbers that is. mend: what to draw instead.
    """

    drawn: str
    held: str
    once: str
    mend: str


def answering(torch: Any, noise: Any, beside: tuple[str, ...], who: str, words: Words) -> type:
    """The base of a mode under which something that is drawn is the draw's noise.

    Args:
        torch: the module.
        noise: the draw's.
        beside: what the loss asks of the draw that belongs to the same noise.
        who: how messages call the loss.

    Raises:
        BadEstimator: in the loss, where it draws other numbers than the draw has noise, or asks for
            what belongs to it as well.

    Attributes:
        used: it drew.
        cuts: it drew without gradients where these would tell of parameters.
    """

    class Answering(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.used = self.cuts = False

        def answer(self, shape: Any) -> Any:
            shape = tuple(int(size) for size in shape)
            if beside:
                raise BadEstimator(
                    f"{who} draws {words.drawn} and asks for {', '.join(map(repr, beside))} as"
                    " well, which belong to one draw; draw nothing, or ask for nothing that is"
                    " drawn"
                )
            if self.used:
                raise BadEstimator(
                    f"{who} draws {words.drawn} twice, and a draw has {words.once}; draw once"
                )
            if math.prod(shape) != noise.numel():
                raise BadEstimator(
                    f"{who} draws {words.drawn} of shape {shape}, and {words.held} has shape"
                    f" {tuple(noise.shape)}; {words.mend}"
                )
            self.used = True
            return noise.reshape(shape)

        def filled(self, tensor: Any, values: Any) -> Any:
            """A tensor that is drawn in place holds the numbers, too: its later readers see
            them.
            """
            return tensor.copy_(values)

    return Answering


def asked_shape(size: Any) -> Any:
    """The shape in the arguments of `torch.randn(2, 3)` or `torch.rand((2, 3))`."""
    return size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
