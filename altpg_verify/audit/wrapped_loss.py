"""What a torch loss and a JAX loss have in common, once they are wrapped as ascent directions."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput


class WrappedLoss:
    """A loss of one draw, whose own use of random generators is noticed and undone.

    Attributes:
        who: how messages begin.
        trained: groups whose gradient must not be 0 whatever the numbers are.
        seed: fixes the loss's own use of generators, in place of refusing it.
        drew: some call so far has moved a random generator, and no seed is fixed.
    """

    who: str
    trained: tuple[str, ...]
    seed: int | None
    drew: bool = False
    _probing: bool = False

    @contextlib.contextmanager
    def _generators_kept(self, moved: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Python's and numpy's generators are afterwards as they were; whether one of them, or of
        the framework's own, moved is noted.
        """
        python = random.getstate()
        numpy_state: Any = np.random.get_state()
        self._probing = False
        try:
            yield
        finally:
            now: Any = np.random.get_state()
            same = (
                random.getstate() == python
                # the second entry is an array, which doesn't compare with ==
                and now[2:] == numpy_state[2:]
                and np.array_equal(now[1], numpy_state[1])
            )
            # a probe seeds the generators itself
            if self.seed is None and not self._probing:
                self.drew = self.drew or not same or moved()
            if not same:
                random.setstate(python)
                np.random.set_state(numpy_state)

    def _seed(self, seed: int | None) -> None:
        """Put the generators into the state that belongs to a number, or to the declared seed;
        leave them if none is given.
        """
        if seed is not None:
            seed = seed if self.seed is None else self.seed
            random.seed(seed)
            np.random.seed(seed)

    def _refuse_unusable(self, groups: Collection[str], draw: Any) -> None:
        """The groups have all that is declared as trained, and the draw is a mapping.

        Raises:
            BadInput: they haven't, or it isn't.
        """
        for name in self.trained:
            if name not in groups:
                raise BadInput(
                    f"{self.who}: {name!r} is declared as trained, but the groups are"
                    f" {', '.join(groups)}"
                )
        if not isinstance(draw, Mapping):
            raise BadInput(
                f"{self.who}: give the draw as a mapping from argument names to arrays, not"
                f" {type(draw).__name__}"
            )
