"""A numpy function with its safety epsilons at another size: small literals that are added to a
divisor, and nothing else, are scaled.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from altpg_verify.audit.torch_epsilons import is_epsilon

DIVISOR = {np.divide: 1, np.reciprocal: 0, np.log: 0}
CARRIES = frozenset({np.sqrt, np.multiply, np.square, np.add, np.maximum, np.absolute})

_SCALE: ContextVar[tuple[float, set[float]] | None] = ContextVar("scale", default=None)


@contextmanager
def scaled_epsilons(scale: float, seen: set[float]) -> Iterator[None]:
    """Within it arguments that pass `watched` divide by y + scale · ε where y + ε is written;
    `seen` gets those epsilons.
    """
    token = _SCALE.set((scale, seen))
    try:
        yield
    finally:
        _SCALE.reset(token)


def watched(value: Any) -> Any:
    """An array under the rule of `scaled_epsilons`; everything else, and outside of it, as it
    is.
    """
    asked = (
        _SCALE.get() is not None
        and isinstance(value, np.ndarray | np.floating)
        and np.asarray(value).dtype.kind in "iuf"
    )
    return np.asarray(value).view(Watched) if asked else value


class Watched(np.ndarray):
    """An array that remembers what it would be with epsilons of another size.

    Attributes:
        other: the same with other epsilons, a plain array; None where nothing changes.
        epsilons: those that were added.
    """

    other: np.ndarray | None = None
    epsilons: frozenset[float] = frozenset()

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        state = _SCALE.get()
        plain = [np.asarray(each) if isinstance(each, Watched) else each for each in inputs]
        others = [_other(each, one) for each, one in zip(inputs, plain, strict=True)]
        epsilons: frozenset[float] = frozenset().union(
            *(each.epsilons for each in inputs if isinstance(each, Watched))
        )
        place = DIVISOR.get(ufunc) if method == "__call__" else None
        if (
            place is not None
            and isinstance(inputs[place], Watched)
            and inputs[place].epsilons
            and state is not None
        ):
            plain[place] = others[place]
            state[1].update(inputs[place].epsilons)
        targets = (
            None
            if out is None
            else tuple(np.asarray(each) if isinstance(each, Watched) else each for each in out)
        )
        result = getattr(ufunc, method)(
            *plain, **options, **({} if targets is None else {"out": targets})
        )
        if out is not None:
            # what is written into is another array afterwards
            for each in out:
                if isinstance(each, Watched):
                    each.other, each.epsilons = None, frozenset()
            return out[0] if len(out) == 1 else out
        if not isinstance(result, np.ndarray | np.generic):
            return result
        made = np.asarray(result).view(Watched)
        if (
            method == "__call__"
            and ufunc is np.add
            and state is not None
            and any(map(is_epsilon, inputs))
        ):
            made.other = np.add(
                *(
                    state[0] * each if is_epsilon(each) else other
                    for each, other in zip(inputs, others, strict=True)
                )
            )
            made.epsilons = epsilons | frozenset(each for each in inputs if is_epsilon(each))
        elif method == "__call__" and epsilons and ufunc in CARRIES:
            made.other, made.epsilons = ufunc(*others, **options), epsilons
        return made

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if self.other is not None:
            made = np.asarray(found).view(Watched)
            made.other, made.epsilons = self.other[key], self.epsilons
            return made
        return found


def _other(value: Any, plain: Any) -> Any:
    return value.other if isinstance(value, Watched) and value.other is not None else plain
