"""Normal numbers that a torch loss draws itself, answered with the draw's own noise:
`Normal(...).rsample()` is then a known action.

Intercepted are `torch.randn`, `randn_like`, `Tensor.normal_` and `torch.normal`, and with them
`rsample` and `sample` of torch's normal distributions and of what is made of these, such as a
`TransformedDistribution`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from altpg_verify.audit.torch_noise import Words, answering, asked_shape


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


WORDS = Words(
    "normal numbers",
    "the noise of a draw",
    "one noise for each action",
    "draw one action for each member of the batch",
)


def drawing(torch: Any, noise: Any, beside: tuple[str, ...], who: str) -> Any:
    """A mode under which normal numbers are the draw's noise. Args: see `torch_noise.answering`."""
    like = (torch.randn_like, torch.Tensor.normal_)

    class Drawing(answering(torch, noise, beside, who, WORDS)):  # type: ignore[misc]
        def answer(self, shape: Any) -> Any:
            # as `sample` does, in place of `rsample`
            self.cuts: bool = self.cuts or not torch.is_grad_enabled()
            return super().answer(shape)

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if func is torch.randn:
                return self.answer(asked_shape(kwargs.get("size", args)))
            if func in like:
                found = self.answer(args[0].shape)
                if func is torch.randn_like:
                    return found
                mean, std = (*args[1:], kwargs.get("mean", 0.0), kwargs.get("std", 1.0))[:2]
                return self.filled(args[0], mean + std * found)
            if func is torch.normal:
                mean, std = (*args, *(kwargs[name] for name in ("mean", "std") if name in kwargs))[
                    :2
                ]
                shape = kwargs.get("size") or torch.broadcast_shapes(
                    *(each.shape for each in (mean, std) if isinstance(each, torch.Tensor))
                )
                found = self.answer(shape)
                return (mean + std * found).detach()
            return func(*args, **kwargs)

    return Drawing()
