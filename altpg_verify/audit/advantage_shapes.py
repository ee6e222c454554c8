"""Whether a trainer's loss takes one advantage for each row or one for each token.

Trainers hand over either, (rows,) in TRL and (rows, T) in verl, under the same name; the wrong one
is often broadcast without an error. The loss is tried on a batch of other numbers of rows and
columns, where it is either refused or lets some array grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from altpg_verify.audit.token_rows import ROW_NAMES

ROWS_SAID = "advantages are one for each row, as the loss takes them"
"""What a verdict says where they are."""


def tried_batch(given: Mapping[str, Any], arrays: Any) -> dict[str, Any]:
    """A draw's rows and columns repeated, such that there aren't as many of one as of the other."""
    rows, width = given["tokens"].shape
    times = next(each for each in (2, 3) if each * rows != 2 * width)
    found = dict(given)
    for name in ROW_NAMES:
        along = (times,) if found[name].ndim == 1 else (times, 2)
        found[name] = arrays.tile(found[name], along)
    found["final_values"] = arrays.tile(found["final_values"].reshape(-1), (times,))
    return found


def takes_rows(loss: Callable[[Any], Any], rows: int, columns: int, arrays: Any) -> bool:
    """Whether a loss of the advantages alone means one for each of the rows.

    It does if only these can be handed over, or if those of each token make some array larger, as
    `advantages.unsqueeze(1)` does of what has columns already.
    """
    each_row = 1.0 + arrays.floats(arrays.arange(rows))
    of_rows = _largest(loss, each_row, arrays)
    of_tokens = _largest(loss, arrays.spread(each_row[:, None], (rows, columns)), arrays)
    return of_rows is not None and (of_tokens is None or of_rows < of_tokens)


def _largest(loss: Callable[[Any], Any], advantages: Any, arrays: Any) -> int | None:
    """The size of the largest array on the way; None where the loss can't be run on them."""
    try:
        if arrays.name == "jax":
            return max(_sizes(arrays.jax.make_jaxpr(loss)(advantages).jaxpr), default=0)
        with _watching(arrays.module) as sizes:
            loss(advantages)
        return max(sizes, default=0)
    except Exception:
        # somebody's loss may say in any way that the shape isn't its own
        return None


def _watching(torch: Any) -> Any:
    class Watching(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        """Notes the sizes of what torch makes."""

        def __enter__(self) -> list[int]:
            super().__enter__()
            self.sizes: list[int] = []
            return self.sizes

        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            found = function(*args, **(kwargs or {}))
            if isinstance(found, torch.Tensor):
                self.sizes.append(found.numel())
            return found

    return Watching()


def _sizes(program: Any) -> Iterator[int]:
    """Of all arrays of a JAX program, those of the programs inside it too."""
    for line in program.eqns:
        for made in line.outvars:
            yield int(made.aval.size)
        for inner in line.params.values():
            if hasattr(inner, "jaxpr"):
                yield from _sizes(inner.jaxpr)
