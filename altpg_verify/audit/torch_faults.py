"""What only torch can notice about a loss: the numbers it computes in, where a path to the
parameters is cut, what an error means.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from altpg_verify.audit import loss_validation
from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.calling import name_of

_CUTS = ("detach", "numpy", "item", "tolist", "__float__", "__array__")


def watcher(torch: Any) -> Any:
    """A mode that notes the dtypes a loss computes in, whether digits are lost on the way, and
    where a path is cut.
    """

    class Watcher(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.dtypes: set[Any] = set()
            self.cuts: list[str] = []
            self.narrows = self.loses = False

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = func(*args, **(kwargs or {}))
            for entry in result if isinstance(result, tuple | list) else (result,):
                if isinstance(entry, torch.Tensor):
                    self.dtypes.add(entry.dtype)
            given = args[0] if args and isinstance(args[0], torch.Tensor) else None
            if given is not None and given.requires_grad and getattr(func, "__name__", "") in _CUTS:
                self.cuts.append(func.__name__)
            if (
                given is not None
                and given.dtype is torch.float64
                and isinstance(result, torch.Tensor)
                and result.dtype is torch.float32
            ):
                self.narrows = True
                # a mask survives the cast, a reward of 1/5 and anything a gradient flows through
                # don't
                self.loses = (
                    self.loses
                    or given.requires_grad
                    or not torch.equal(result.detach().double(), given.detach())
                )
            return result

    return Watcher()


def is_number(torch: Any, result: Any) -> bool:
    """Whether a loss is a real number that depends on nothing."""
    if not isinstance(result, torch.Tensor):
        return isinstance(result, int | float) and not isinstance(result, bool)
    return (
        not result.requires_grad
        and result.numel() == 1
        and not result.dtype.is_complex
        and result.dtype is not torch.bool
    )


def check_result(torch: Any, result: Any, seen: Any, data: Mapping[str, Any], who: str) -> None:
    """Raises BadEstimator unless the loss is one real float64 number with a path to the parameters.

    Args:
        seen: the watcher the loss ran under, or None.
        data: what it was given besides parameters.
    """
    if result is None:
        raise BadEstimator(
            f"{who} returns None; end it with `return loss`, and leave out backward() and the"
            " optimiser"
        )
    if not isinstance(result, torch.Tensor):
        kind = type(result).__name__
        raise BadEstimator(
            f"{who} returns a {kind}, which has no path to the parameters; return the tensor"
            f" itself{_cut(seen)}"
        )
    if result.numel() != 1:
        shape = tuple(result.shape)
        raise BadEstimator(
            f"{who} returns a tensor of shape {shape}; reduce it to one number with .mean() or"
            " .sum(), as you train with"
        )
    dtypes = {result.dtype, *(seen.dtypes if seen else ())}
    if any(dtype.is_complex for dtype in dtypes):
        raise BadEstimator(
            f"{who} computes with complex numbers; give a real loss, such as its .real or .abs()"
        )
    halves = dtypes & {torch.float16, torch.bfloat16}
    if halves:
        kind = str(min(halves, key=str)).removeprefix("torch.")
        raise BadEstimator(
            f"{who} computes in {kind}, too coarse to check; take out .half(), .to({kind}) or"
            " autocast (float64 goes in)"
        )
    if result.dtype is torch.float32 or (seen and seen.loses):
        raise BadEstimator(in_float32(who))
    if not result.requires_grad:
        raise BadEstimator(
            f"{who} has no path to the parameters, so its gradient doesn't exist{_cut(seen)};"
            f" {_mend(data)}"
        )


def in_float32(who: str) -> str:
    """The sentence for a loss that loses digits."""
    return (
        f"{who} computes in float32, so that rounding would look like bias; take out .float()"
        " (float64 goes in)"
    )


def narrowing(torch: Any) -> Any:
    """A mode that only notes, as a tensor, whether a cast of float64 to float32 lost digits; it
    works on batched tensors, too.
    """

    class Narrowing(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.lost = torch.zeros((), dtype=torch.bool)

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = func(*args, **(kwargs or {}))
            given = args[0] if args and isinstance(args[0], torch.Tensor) else None
            if (
                given is not None
                and given.dtype is torch.float64
                and isinstance(result, torch.Tensor)
                and result.dtype is torch.float32
            ):
                self.lost = self.lost | (result.detach().double() != given.detach()).any()
            return result

    return Narrowing()


def holding(torch: Any, modules: Mapping[str, Any], call: Any) -> Any:
    """A module that holds others, so that their parameters can be given from outside, and hands
    them to a function.
    """

    class Holding(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.held = torch.nn.ModuleDict(modules)

        def forward(self) -> Any:
            return call(**dict(self.held.items()))

    return Holding()


def not_batched(error: Exception) -> str:
    """Why a loss can't be run on many draws at once, in a few words."""
    message = loss_validation.one_line(error)
    if "data-dependent control flow" in message or "Boolean value" in message:
        return "branches on the numbers of a draw"
    if ".item()" in message or "local_scalar_dense" in message:
        return "makes a Python number of a tensor"
    if "randomness" in message:
        return "draws random numbers"
    if "in-place" in message or "inplace" in message:
        return "changes a tensor in place"
    return f"raises {type(error).__name__} on many draws at once"


def explained(error: Exception, who: str, given: str) -> BadEstimator:
    """What an exception raised within a loss means, and what to change; `given` says the shapes it
    was given.
    """
    message = str(error)
    if "CUDA" in message or "NVIDIA driver" in message:
        return BadEstimator(
            f"{who} asks for CUDA, which isn't here; let it follow its inputs' device:"
            " x.to(theta.device)"
        )
    if "leaf Variable" in message and "in-place" in message:
        return BadEstimator(
            f"{who} changes its parameters in place; return the loss only, and leave the step to"
            " the optimiser"
        )
    if "modified by an inplace operation" in message:
        return BadEstimator(
            f"{who} changes in place a tensor that its gradient needs; write x = x + y in place of"
            " x += y"
        )
    if "Can't call numpy()" in message:
        return BadEstimator(
            f"{who} goes through numpy, which cuts the path to the parameters; use the torch"
            " function instead"
        )
    if "backward through the graph a second time" in message:
        return BadEstimator(
            f"{who} calls backward() itself; return the loss and leave that to the check"
        )
    return BadEstimator(
        f"{who} raised {name_of(error)} for {given}: {loss_validation.one_line(error)}"
    )


def _cut(seen: Any) -> str:
    """` (cut by .item())`, if it was seen where."""
    return f" (cut by .{seen.cuts[0]}())" if seen and seen.cuts else ""


def _mend(data: Mapping[str, Any]) -> str:
    """How to give a loss its path back."""
    given = [name for name in data if name in ("logprobs", "pi", "score", "scores")]
    if given:
        return (
            f"{given[0]!r} is given as numbers: compute it from the parameters, such as"
            " theta.log_softmax(-1)"
        )
    return "keep them in torch, undetached"


@contextlib.contextmanager
def unvalidated(torch: Any) -> Iterator[None]:
    """Torch's distributions don't look at their arguments: they can't where many draws are run at
    once; on one draw they do.
    """
    distribution = torch.distributions.Distribution
    before = distribution._validate_args
    distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        distribution.set_default_validate_args(before)
