"""Somebody's update as a program that is run on blocks of draws: all at once where that gives the
same, else one draw after the other.

The mode of execution is chosen on the first block: the batched answer is compared with single
calls, on draws whose update isn't zero among them. A loss that can't be batched (it branches on
data, makes Python numbers of tensors) is run in single mode, and the verdict says why.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.answers import REAL
from altpg_verify.audit.draw_names import ALIASES
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.progress import step
from altpg_verify.audit.stacked import NotStackable
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.calling import interrupted
from altpg_verify.untrusted.purity import Purity
from altpg_verify.untrusted.type_queries import type_query

if TYPE_CHECKING:
    from altpg_verify.audit.merging import Order
    from altpg_verify.audit.moments import Seen
    from altpg_verify.audit.passes import Pass, Spec
    from altpg_verify.audit.updates import Update

FEWEST = 6
"""Below so many draws a batch saves nothing."""

SAMPLED = 8
"""Draws on which the batched answer is compared with single calls."""

DERIVED = 4
"""The same for an update whose original was compared already, and is only run otherwise."""

ROUNDING = 1e-12
"""How far a batched answer may be from a single one, as a share of the largest entry: rounding
differs, formulas don't.
"""

Batch = Callable[["Points", Draws], Mapping[str, Any]]
"""(parameters, draws) -> the ascent direction for each group, with a leading axis of draws."""


class NotBatched(Exception):
    """The update can't be run on many draws at once; the message says why."""


_HASTY: ContextVar[bool] = ContextVar("hasty", default=False)


@contextmanager
def hastily() -> Iterator[None]:
    """Within the block updates are run on many draws at once without being compared with one draw
    at a time, and aren't probed: a first look, of which nothing is said.
    """
    token = _HASTY.set(True)
    try:
        yield
    finally:
        _HASTY.reset(token)


def hasty() -> bool:
    """Whether this is only a first look."""
    return _HASTY.get()


@dataclass(frozen=True, eq=False)
class Points:
    """The parameters of a block of draws: of one policy, or of a stack of which each draw names its
    own.

    Args:
        points: one set of parameters for each policy.
        policy: (B,) which of them each draw is at; None if all are at the only one.
    """

    points: Sequence[Parameters]
    policy: np.ndarray | None = None

    def of(self, number: int) -> Parameters:
        """The parameters of one draw."""
        return self.points[0 if self.policy is None else int(self.policy[number])]

    def array(self, name: str) -> np.ndarray:
        """One group: as it is for one policy, with a leading axis of draws for several."""
        if self.policy is None:
            return np.asarray(self.points[0][name], dtype=float)
        return np.stack([np.asarray(point[name], dtype=float) for point in self.points])[
            self.policy
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """The groups."""
        return tuple(self.points[0])


@dataclass(frozen=True, eq=False)
class Asked:
    """A block of the first pass.

    Args:
        passes, spec: which draws it consists of.
        digest: the bits of the updates.
        mode: how it was run.
        rows: draws whose updates show most, of the first block.
    """

    passes: Pass
    spec: Spec
    digest: bytes
    mode: str
    rows: tuple[int, ...]


def arguments_of(
    names: Sequence[str], points: Points, draws: Draws
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a function asks for by name: with a leading axis of draws, and the same for all of
    them.
    """
    stacked: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    for name in names:
        group = ALIASES.get(name, name)
        if name in points.names or (group in points.names and name not in draws.space.constants):
            value, shared = (
                points.array(name if name in points.names else group),
                points.policy is None,
            )
        else:
            value, shared = draws.array(name), draws.shared(name)
        (plain if shared else stacked)[name] = value
    return stacked, plain


@dataclass
class Program:
    """An update and the mode in which it is run.

    Args:
        update: what is run.
        established: gives the order of its draws, by running it (`merging.order_of`, which needs
            programs and therefore can't be imported here).

    Attributes:
        mode: "batched" or "single"; empty before the first block.
        why: why it isn't batched, as in "branches on the numbers of a draw".
        calls: how often it was called, for one draw or for a block.
        alone: what its telling draws gave one by one, with the digest of the block they are of.
        sampled: on how many draws the batched answer is compared with single calls.
        seen: what was found while the order of the draws was established; None if that took no
            evaluation of them all.
    """

    update: Update
    established: Callable[[Program], Order]
    mode: str = ""
    why: str = ""
    calls: int = field(default=0)
    alone: tuple[bytes, np.ndarray] = (b"", np.empty((0, 0)))
    sampled: int = SAMPLED
    seen: Seen | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: what was noted of this one, such as its open files,
        can't, and is noted there anew.
        """
        here = ("guard", "first_pass", "order", "seen")
        return {name: value for name, value in vars(self).items() if name not in here}

    @cached_property
    def guard(self) -> Purity:
        """What the update could see before it was first called."""
        # what a declared choice hands over may be an object that counts, or a generator
        handed = [each for outcomes in self.update.choices.values() for each, _ in outcomes]
        return Purity(self.update.function, f"update {self.update.name!r}", also=handed)

    @cached_property
    def telling(self) -> str:
        """What in it could tell many draws at once, or symbols, from one draw; then it is run on
        one draw at a time only.
        """
        return type_query(self.update.function)

    @cached_property
    def first_pass(self) -> list[Asked]:
        """The blocks of the first pass and what they gave."""
        return []

    @cached_property
    def order(self) -> Order:
        """The draws it is to be run on, and whether multisets stand for sequences."""
        return self.established(self)

    def vectors(self, draws: Draws, points: Points, layout: Layout) -> np.ndarray:
        """(B, n) the update on every draw, flattened; ascent directions.

        Raises:
            BadEstimator: it raised, or returned the wrong shapes or numbers that aren't finite.
        """
        # what the update can see is noted before it is first called
        _ = self.guard
        # by the block alone, so that the same block is run in the same mode whenever it is asked
        if self.telling and not self.mode:
            self.mode, self.why = "single", self.telling
        if self.update.batch is None or self.mode == "single" or len(draws) < FEWEST:
            return self.singly(draws, points, layout, range(len(draws)))
        try:
            found = self._together(draws, points, layout)
        except NotBatched as reason:
            self.mode, self.why = "single", str(reason).removeprefix("it ")
            # what it may have stored of a batch is nothing that it would have seen
            self.guard.memory.restore()
            return self.singly(draws, points, layout, range(len(draws)))
        if hasty():
            return found
        if not self.mode and not self._agrees(found, draws, points, layout):
            self.mode, self.why = "single", "gives other numbers on many draws at once than on one"
            self.guard.memory.restore()
            return self.singly(draws, points, layout, range(len(draws)))
        self.mode = "batched"
        return found

    def remember(self, passes: Pass, spec: Spec, vectors: np.ndarray) -> None:
        """Keep what the first pass gave, for `purity` and `guarding` to ask again."""
        # where draws are many, those of one policy are asked again
        if not spec.policy and (not self.first_pass or self.first_pass[0].passes is passes):
            # single draws are asked again of the first block only
            rows = () if self.first_pass else tuple(telling_rows(vectors))
            self.first_pass.append(Asked(passes, spec, digest(vectors), self.mode, rows))

    def _together(self, draws: Draws, points: Points, layout: Layout) -> np.ndarray:
        assert self.update.batch is not None
        self.calls += 1
        try:
            with np.errstate(all="ignore"):
                found = self.update.batch(points, draws)
        except (BadInput, NotBatched):
            raise
        except BaseException as error:
            if interrupted(error):
                raise
            # on one draw it says what it does, and on which
            raise NotBatched(f"raises {type(error).__name__} on many draws at once") from error
        parts = []
        for name, shape in zip(layout.groups, layout.shapes, strict=True):
            size = int(np.prod(shape))
            if name not in found:
                parts.append(np.zeros((len(draws), size)))
                continue
            array = _an_array(found[name])
            if array.shape != (len(draws), *shape):
                raise NotBatched(
                    f"returns shape {array.shape} for {len(draws)} draws of shape {shape}"
                )
            # the update may fill the same array at its next call
            parts.append(np.array(array.reshape(len(draws), size), dtype=float))
        vectors = np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]
        finite = np.isfinite(vectors)
        if not finite.all():
            bad = np.flatnonzero(~finite.all(axis=1))
            # alone it says what is wrong, and on which draw; if it says nothing, the batch is what
            # is wrong
            self.singly(draws, points, layout, bad[:1].tolist())
            raise NotBatched("returns numbers that aren't finite on many draws at once")
        return vectors

    def singly(
        self, draws: Draws, points: Points, layout: Layout, rows: Sequence[int]
    ) -> np.ndarray:
        """(rows, n) the same for some draws, one call each.

        Raises:
            BadEstimator: as for `vectors`.
        """
        self.calls += len(rows)
        answers = []
        for i in rows:
            answers.append(self.update.at(points.of(i), draws.row(i)))
            # a block of many single calls may outlast a budget
            step(0)
        try:
            return np.stack([layout.flat(answer) for answer in answers]).astype(float)
        except (TypeError, OverflowError) as error:
            raise BadEstimator(
                f"update {self.update.name!r} returned numbers that are none in float64 ({error});"
                " return real numbers of ordinary size"
            ) from error

    def _agrees(self, found: np.ndarray, draws: Draws, points: Points, layout: Layout) -> bool:
        rows = telling_rows(found, self.sampled)
        try:
            with self.update.seldom():
                alone = self.singly(draws, points, layout, rows)
        except NotStackable:
            # it stored what it was given, and met it again
            return False
        self.alone = digest(found), alone
        if self.update.origin in ("function", "formula"):
            return bool(np.array_equal(alone, found[rows]))
        sizes = np.maximum(
            np.abs(alone).max(axis=1, initial=0.0), np.abs(found[rows]).max(axis=1, initial=0.0)
        )
        return bool(
            (np.abs(alone - found[rows]).max(axis=1, initial=0.0) <= ROUNDING * sizes).all()
        )


def _an_array(found: Any) -> np.ndarray:
    try:
        array = np.asarray(found)
    except Exception as error:
        raise NotBatched(f"returns no array ({type(error).__name__})") from error
    # alone, an answer of other kinds is looked at entry by entry, and refused by name
    if array.dtype.kind not in REAL:
        raise NotBatched(f"returns entries of type {array.dtype}")
    return array


def digest(vectors: np.ndarray) -> bytes:
    """The bits of some updates, in short."""
    return hashlib.blake2b(np.ascontiguousarray(vectors).tobytes(), digest_size=16).digest()


def telling_rows(vectors: np.ndarray, count: int = SAMPLED) -> list[int]:
    """Draws that show most: the largest updates, others spread evenly among those that aren't zero,
    and one that is.
    """
    sizes = np.abs(vectors).max(axis=1, initial=0.0)
    moving, still = np.flatnonzero(sizes > 0), np.flatnonzero(sizes == 0)
    rows = [int(i) for i in moving[np.argsort(-sizes[moving], kind="stable")][: count // 4]]
    rows += (
        [int(moving[i]) for i in np.linspace(0, len(moving) - 1, count // 2).astype(int)]
        if len(moving)
        else []
    )
    rows += [int(i) for i in still[: max(1, count // 4)]] + ([int(still[-1])] if len(still) else [])
    return list(dict.fromkeys([*rows, 0, len(vectors) - 1]))
