"""What was seen at a place of somebody's function where something is decided."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from altpg_verify.untrusted.condition_syntax import Site

SAME = 1e-9
"""Relative difference up to which two numbers are one that was rounded; of less than 8 bytes
`SAME_SINGLE`.
"""
SAME_SINGLE = 1e-5

LARGEST_LIST = 100
"""Entries of a list that are read."""


TRUTH = ("was never true", "was never false")
STEPS = "gave the same number in every draw"


class Varied:
    """Whether a number differed from draw to draw by more than rounding.

    Args:
        exactly: rounding is a difference, too.

    Attributes:
        varies: it did.
    """

    def __init__(self, *, exactly: bool = False) -> None:
        self.varies = False
        self._low, self._high = math.inf, -math.inf
        self._exactly, self._same = exactly, 0.0 if exactly else SAME
        self._first: Any = None

    def add(self, value: Any) -> None:
        """One more value: a number, an array of them, or something that is only compared."""
        if self.varies:
            return
        found = numbers(value)
        if found is None:
            if isinstance(value, str | bytes):
                self._first = value if self._first is None else self._first
                self.varies = value != self._first
            return
        found = found[np.isfinite(found)]
        if not found.size:
            return
        if found.dtype.itemsize < 8 and not self._exactly:
            self._same = SAME_SINGLE
        self._low = min(self._low, float(found.min()))
        self._high = max(self._high, float(found.max()))
        size = max(-self._low, self._high)
        self.varies = self._high - self._low > self._same * size


class _Between:
    """Whether two numbers vary apart from each other."""

    def __init__(self) -> None:
        self._one, self._other, self._apart = Varied(), Varied(), Varied()

    def add(self, one: np.ndarray, other: np.ndarray, apart: np.ndarray) -> None:
        """What both are in one draw, and their difference."""
        for varied, value in ((self._one, one), (self._other, other), (self._apart, apart)):
            varied.add(value)

    @property
    def varies(self) -> bool:
        """The difference does; or one of them alone, of which a difference from something much
        larger is rounded off.
        """
        return self._apart.varies or self._one.varies is not self._other.varies


@dataclass
class Where:
    """Where the calls are made that are watched.

    Args:
        place: the number of the policy; None where it isn't said.
    """

    place: int | None = None


class Condition:
    """What was seen of one site.

    Args:
        site: where it stands.
        where: at which policy it is asked.

    Attributes:
        of_truths: whether what it asks of holds truth values.
        of_counts: whether what it asks of is whole numbers.
        varied: whether what it asks of varied from draw to draw.
        ways: each way it can go, in words, and whether it went that way.
    """

    def __init__(self, site: Site, where: Where) -> None:
        self.site, self._where = site, where
        self._values: dict[int, set[int]] = defaultdict(set)
        # truth values say nothing of the numbers that they came of; whole numbers are mostly how
        # many tokens or actions there are
        self.of_truths = False
        self.of_counts = True
        self.varied, self._beside, self._answers = Varied(), Varied(), Varied(exactly=True)
        self._between: dict[int, _Between] = defaultdict(_Between)
        self.ways: dict[str, bool] = {}

    @property
    def open(self) -> bool:
        """It asks something whose answer was always the same."""
        return bool(self.ways) and not all(self.ways.values())

    @property
    def of_draws_alone(self) -> bool:
        """What it asks of was the same at every policy, draw by draw: whoever has seen all draws
        has seen all of it. At some policies fewer draws can happen than at others.
        """
        if len(self._values) < 2:
            return False
        most = max(self._values.values(), key=len)
        return all(each <= most for each in self._values.values())

    def asks_of(self, value: Any, *beside: Any) -> None:
        """Keep whether it varies from draw to draw; and whether it, and what decides with it,
        varies from policy to policy.
        """
        self.varied.add(value)
        self._kept(*(each for each in map(numbers, (value, *beside)) if each is not None))

    def _kept(self, *found: np.ndarray) -> None:
        self.of_truths = self.of_truths or any(each.dtype == bool for each in found)
        self.of_counts = self.of_counts and all((each == np.rint(each)).all() for each in found)
        self._kept_by_policy(*found)

    def asks_between(self, one: np.ndarray, other: np.ndarray, number: int = 0) -> None:
        """As `asks_of`, of two numbers that are compared, the `number`-th such pair of the site:
        whether they vary apart from each other.
        """
        with np.errstate(all="ignore"):
            apart = np.subtract(one, other, dtype=float)
        self._between[number].add(one, other, apart)
        self._kept(apart)
        self._kept_by_policy(one, other)

    def _kept_by_policy(self, *found: np.ndarray) -> None:
        if self._where.place is not None:
            parts = tuple((each.shape, each.tobytes()) for each in found)
            self._values[self._where.place].add(hash(parts))

    @property
    def joins(self) -> bool:
        """It gives truth values, which may be made of others."""
        return TRUTH[0] in self.ways

    def note(self, words: Sequence[str], answers: Iterable[bool]) -> None:
        """Which of its ways were met by one call."""
        for word, answer in zip(words, answers, strict=True):
            self.ways[word] = self.ways.get(word, False) or bool(answer)

    def truth(self, answer: Any, operands: Iterable[Any]) -> None:
        """The answer of something that gives truth values."""
        found = numbers(answer)
        if found is None or found.dtype != bool or not found.size:
            return
        self.note(TRUTH, (bool(found.any()), not found.all()))
        for operand in operands:
            self.asks_of(operand)

    @property
    def telling(self) -> bool:
        """What it asks of wasn't the same in every draw."""
        between = any(each.varies for each in self._between.values())
        return (self.varied.varies or between) and not self._beside.varies

    def steps(self, answer: Any, operand: Any, beside: Any = None) -> None:
        """What was made of a number may have lost it: by whole steps, at the ends of what can be
        reached, beside something much larger.

        Args:
            answer: what was made of it.
            operand: the number.
            beside: what it was joined with; if that varies, nothing is said.
        """
        found = numbers(answer)
        if found is None or not found.size or numbers(operand) is None:
            return
        self._answers.add(found)
        self.note((STEPS,), (self._answers.varies,))
        self.asks_of(operand, beside)
        if beside is not None:
            self._beside.add(beside)

    def order(self, one: Any, other: Any, words: Sequence[str]) -> None:
        """Which of two numbers is the smaller one; ties are neither."""
        first, second = numbers(one), numbers(other)
        if first is None or second is None:
            return
        with np.errstate(all="ignore"):
            apart = np.subtract(first, second, dtype=float)
        size = np.maximum(np.abs(first), np.abs(second)).astype(float)
        kinds = [each.dtype.itemsize for each in (first, second) if each.dtype.kind == "f"]
        same = SAME_SINGLE if min(kinds, default=8) < 8 else SAME
        clear = np.abs(apart) > same * size
        self.note(words, (bool((clear & (apart < 0)).any()), bool((clear & (apart > 0)).any())))
        self.asks_between(first, second)


def numbers(value: Any) -> np.ndarray | None:
    """What a value holds, as an array of truth values, whole numbers or floats; None where it holds
    nothing of the kind, or nobody can read it.
    """
    try:
        found = _numbers(value)
    except Exception:
        return None
    if found is None:
        return None
    if found.dtype == object:
        try:
            # fractions, which are compared as floats are
            found = found.astype(float)
        except Exception:
            return None
    return found if found.dtype.kind in "biuf" else None


def _numbers(value: Any) -> np.ndarray | None:
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if isinstance(value, bool | int | float | np.generic | Number):
        return np.asarray(value)
    if isinstance(value, list | tuple):
        parts = [numbers(each) for each in value[:LARGEST_LIST]]
        if any(each is None or each.size != 1 for each in parts):
            return None
        return np.array([each.item() for each in parts if each is not None])
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        functorch = torch._C._functorch
        while functorch.is_functorch_wrapped_tensor(value):
            value = functorch.get_unwrapped(value)
        plain = value.detach()
        return plain.to(torch.float32).numpy() if plain.dtype == torch.bfloat16 else plain.numpy()
    # an object of somebody's own may answer for any attribute, and what asks it is seen
    if type(value).__module__.partition(".")[0] in ("jax", "jaxlib"):
        for _ in range(_DEEPEST):
            # numbers that carry derivatives, or stand for many
            inner = next(
                (getattr(value, each) for each in ("primal", "val") if hasattr(value, each)), None
            )
            if inner is None:
                break
            value = inner
        if hasattr(value, "dtype") and hasattr(value, "__array__"):
            return np.asarray(value)
    return None


_DEEPEST = 5
