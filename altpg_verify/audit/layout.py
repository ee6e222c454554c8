"""How groups of parameters lie in one flat vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.audit.policies import Parameters


@dataclass(frozen=True)
class Layout:
    """How groups of parameters lie in one flat vector.

    Args:
        groups: their names, in the order of the vector.
        shapes: the shape of each.
    """

    groups: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, groups: Sequence[str], parameters: Parameters) -> Layout:
        """The layout of some groups, shaped as they are in `parameters`."""
        return cls(tuple(groups), tuple(np.shape(parameters[name]) for name in groups))

    @property
    def size(self) -> int:
        """n, how many numbers the vector has."""
        return sum(int(np.prod(shape)) for shape in self.shapes)

    def flat(self, values: Mapping[str, Any]) -> np.ndarray:
        """One vector of all groups, in order; a missing group is zero."""
        parts = [
            (
                np.asarray(values[name]).reshape(-1)
                if name in values
                else np.zeros(int(np.prod(shape)))
            )
            for name, shape in zip(self.groups, self.shapes, strict=True)
        ]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def split(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """The groups of a flat vector."""
        out, start = {}, 0
        for name, shape in zip(self.groups, self.shapes, strict=True):
            size = int(np.prod(shape))
            out[name] = np.asarray(flat[start : start + size]).reshape(shape)
            start += size
        return out
