"""A number drawn uniformly from [0, 1) of which only comparisons are known: each splits the
interval in which it lies.

rng.random() < 0.1          # true with probability 1/10, and later comparisons know it
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altpg_verify.audit.draw_tree import Branch


class UniformNumber:
    """A uniform number that is drawn no further than it is compared.

    Args:
        branch: decides.
        what: what drew it, for messages.

    Anything but a comparison with a number, or with an array of numbers, is refused.
    """

    # numpy then leaves comparisons to this class
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, branch: Branch, what: str) -> None:
        self._branch, self._what = branch, what
        self._low, self._high = 0.0, 1.0

    def _below(self, bound: Any) -> Any:
        if isinstance(bound, UniformNumber) or (
            not isinstance(bound, int | float | np.number | np.ndarray | np.bool_)
            and not hasattr(bound, "detach")
        ):
            self._refuse("is compared with what is no number")
        values = np.asarray(bound.detach().cpu().numpy() if hasattr(bound, "detach") else bound)
        if values.ndim == 0:
            return self._split(float(values))
        return np.array([self._split(float(each)) for each in values.flat]).reshape(values.shape)

    def _split(self, bound: float) -> bool:
        if bound <= self._low or bound >= self._high:
            return bound >= self._high
        below = self._branch.choose([bound - self._low, self._high - bound], self._what) == 0
        self._low, self._high = (self._low, bound) if below else (bound, self._high)
        return below

    # it equals any one number with probability 0
    def __lt__(self, other: Any) -> Any:
        return self._below(other)

    def __le__(self, other: Any) -> Any:
        return self._below(other)

    def __gt__(self, other: Any) -> Any:
        return np.logical_not(self._below(other)) if np.ndim(other) else not self._below(other)

    def __ge__(self, other: Any) -> Any:
        return self.__gt__(other)

    def _refuse(self, why: str) -> Any:
        self._branch.refuse(
            f"draws by {self._what} a number that {why}, so that its outcomes can't be enumerated;"
            " compare it with probabilities only, or draw by choice(...)"
        )

    def _elsewhere(self, *others: Any, **options: Any) -> Any:
        self._refuse("is used otherwise than in a comparison")

    __eq__ = __ne__ = _elsewhere  # type: ignore[assignment]
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        __floordiv__
    ) = __mod__ = _elsewhere
    __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = __round__ = __bool__ = __float__ = (
        __int__
    ) = __index__ = __array__ = _elsewhere
    __str__ = __repr__ = __format__ = _elsewhere  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse("is used otherwise than in a comparison")
