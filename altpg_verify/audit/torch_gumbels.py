"""Gumbel noise that a torch loss draws itself, answered with the draw's own:
`torch.nn.functional.gumbel_softmax`, and what is made of exponential or uniform numbers, -log(E)
and -log(-log(U)).
"""

from __future__ import annotations

from typing import Any

from altpg_verify.audit.torch_noise import Words, answering, asked_shape

WORDS = Words(
    "Gumbel noise",
    "that of a draw",
    "one number for each category",
    "draw one number for each category of each member of the batch",
)


def drawing(torch: Any, gumbels: Any, beside: tuple[str, ...], who: str) -> Any:
    """A mode under which exponential and uniform numbers are those of the draw's Gumbel noise.
    Args: see `torch_noise.answering`.
    """

    class Drawing(answering(torch, gumbels, beside, who, WORDS)):  # type: ignore[misc]
        def softmax(
            self, logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
        ) -> Any:
            """What `gumbel_softmax` is documented to give."""
            soft = ((logits + self.answer(logits.shape)) / tau).softmax(dim)
            if not hard:
                return soft
            one_hot = torch.zeros_like(soft).scatter(dim, soft.argmax(dim, keepdim=True), 1.0)
            return one_hot - soft.detach() + soft

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if func is torch.nn.functional.gumbel_softmax:
                return self.softmax(*args, **kwargs)
            if func is torch.Tensor.exponential_ and not args[1:] and not kwargs:
                return self.filled(args[0], torch.exp(-self.answer(args[0].shape)))
            if func in (torch.rand, torch.rand_like):
                size = (
                    args[0].shape
                    if func is torch.rand_like
                    else asked_shape(kwargs.get("size", args))
                )
                return torch.exp(-torch.exp(-self.answer(size)))
            return func(*args, **kwargs)

    return Drawing()
