"""Gumbel noise that a torch loss draws itself, answered with the draw's own: `torch.nn.functional.gumbel_softmax`, and what is made of
exponential or uniform numbers, -log(E) and -log(-log(U))."""

from __future__ import annotations

from typing import Any

from altpg_verify.errors import BadEstimator


def drawing(torch: Any, gumbels: Any, beside: tuple[str, ...], who: str) -> Any:
    """A mode under which exponential and uniform numbers are those of the draw's Gumbel noise.

    Args:
        torch: the module.
        gumbels: the draw's G.
        beside: what the loss asks of the draw that belongs to the same noise.
        who: how messages call the loss.

    Raises:
        BadEstimator: in the loss, where it draws other numbers than the draw has noise, or asks for what belongs to it as well.

    Attributes:
        cuts: never: this noise carries no parameters.
    """

    class Drawing(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.used = self.cuts = False

        def answer(self, shape: Any) -> Any:
            shape = tuple(int(size) for size in shape)
            if beside:
                raise BadEstimator(
                    f"{who} draws Gumbel noise and asks for {', '.join(map(repr, beside))} as well, which belong to one draw; "
                    "draw nothing, or ask for nothing that is drawn"
                )
            if self.used:
                raise BadEstimator(f"{who} draws Gumbel noise twice, and a draw has one number for each category; draw once")
            count = 1
            for size in shape:
                count *= size
            if count != gumbels.numel():
                raise BadEstimator(
                    f"{who} draws noise of shape {shape}, and that of a draw has shape {tuple(gumbels.shape)}; "
                    "draw one number for each category of each member of the batch"
                )
            self.used = True
            return gumbels.reshape(shape)

        def softmax(self, logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
            """What `gumbel_softmax` is documented to give."""
            soft = ((logits + self.answer(logits.shape)) / tau).softmax(dim)
            if not hard:
                return soft
            one_hot = torch.zeros_like(soft).scatter(dim, soft.argmax(dim, keepdim=True), 1.0)
            return one_hot - soft.detach() + soft

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            if func is torch.nn.functional.gumbel_softmax:
                return self.softmax(*args, **kwargs)
            if func is torch.Tensor.exponential_ and not args[1:] and not kwargs:
                return torch.exp(-self.answer(args[0].shape))
            if func in (torch.rand, torch.rand_like):
                size = args[0].shape if func is torch.rand_like else kwargs.get("size", args)
                size = size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
                return torch.exp(-torch.exp(-self.answer(size)))
            return func(*args, **kwargs)

    return Drawing()
