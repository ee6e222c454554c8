"""Normal numbers that a torch loss draws itself, answered with the draw's own noise: `Normal(...).rsample()` is then a known action.

Intercepted are `torch.randn`, `randn_like`, `Tensor.normal_` and `torch.normal`, and with them `rsample` and `sample` of torch's normal
distributions and of what is made of these, such as a `TransformedDistribution`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from altpg_verify.errors import BadEstimator


@contextlib.contextmanager
def carrying() -> Iterator[None]:
    """A context in which `sample` of torch's distributions is `rsample`."""
    from torch.distributions import Independent, MultivariateNormal, Normal, TransformedDistribution

    kinds: tuple[Any, ...] = (Normal, MultivariateNormal, Independent, TransformedDistribution)
    kept = [(kind, kind.__dict__.get("sample")) for kind in kinds]

    def reparameterised(self: Any, sample_shape: Any = ()) -> Any:
        return self.rsample(sample_shape)

    try:
        for kind in kinds:
            kind.sample = reparameterised
        yield
    finally:
        for kind, own in kept:
            if own is None:
                del kind.sample
            else:
                kind.sample = own


def drawing(torch: Any, noise: Any, beside: tuple[str, ...], who: str) -> Any:
    """A mode under which normal numbers are the draw's noise.

    Args:
        torch: the module.
        noise: the draw's ε; None if there is none, and nothing is intercepted.
        beside: what the loss asks of the draw that belongs to the same noise.
        who: how messages call the loss.

    Raises:
        BadEstimator: in the loss, where it draws other numbers than the draw has noise, or asks for what belongs to it as well.

    Attributes:
        cuts: it drew without gradients, as `sample` does.
    """
    like = (torch.randn_like, torch.Tensor.normal_)

    class Drawing(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.used = self.cuts = False

        def answer(self, shape: Any) -> Any:
            shape = tuple(int(size) for size in shape)
            if beside:
                raise BadEstimator(
                    f"{who} draws normal numbers and asks for {', '.join(map(repr, beside))} as well, which belong to one draw; "
                    "draw nothing, or ask for nothing that is drawn"
                )
            if self.used:
                raise BadEstimator(f"{who} draws normal numbers twice, and a draw has one noise for each action; draw once")
            count = 1
            for size in shape:
                count *= size
            if count != noise.numel():
                raise BadEstimator(
                    f"{who} draws normal numbers of shape {shape}, and the noise of a draw has shape {tuple(noise.shape)}; "
                    "draw one action for each member of the batch"
                )
            self.used = True
            self.cuts = self.cuts or not torch.is_grad_enabled()
            return noise.reshape(shape)

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            if func is torch.randn:
                size = kwargs.get("size", args)
                return self.answer(size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size)
            if func in like:
                found = self.answer(args[0].shape)
                if func is torch.randn_like:
                    return found
                mean, std = (*args[1:], kwargs.get("mean", 0.0), kwargs.get("std", 1.0))[:2]
                return mean + std * found
            if func is torch.normal:
                mean, std = (*args, *(kwargs[name] for name in ("mean", "std") if name in kwargs))[:2]
                shape = kwargs.get("size") or torch.broadcast_shapes(
                    *(each.shape for each in (mean, std) if isinstance(each, torch.Tensor))
                )
                found = self.answer(shape)
                return (mean + std * found).detach()
            return func(*args, **kwargs)

    return Drawing()
