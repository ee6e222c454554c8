"""What would mend an update that isn't what it is meant to be: small edits of its source, each
audited as a program of its own.

An edit is shown only if the edited program is unbiased at every policy of a whole audit, and on
every other space that could be tried. Nothing is ever applied. What an edit *means* is for the
reader to judge: leaving out a penalty makes a loss right for the value alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from altpg_verify.audit.causes import few_replays
from altpg_verify.audit.confirmation import Elsewhere
from altpg_verify.audit.edit_kinds import SCALING, said
from altpg_verify.audit.edited_programs import NEARLY, Edited, Programs
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.mend import Mend
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadEstimator, BadInput

MOST_EDITS = 300
"""So many edits are tried, alone or together; a number of edits, since what is found within some
seconds is another thing on another machine.
"""

MOST_RUNS = 20_000
"""So often a step is replayed in all."""

NEAREST = 3
"""So many edited programs that come near are edited again."""

MOST = 2
"""So many mends are shown."""

MOST_DRAWS = 2_000
"""Spaces with more draws are not searched."""

CHEAP = 100
"""On spaces with at most so many draws a search takes seconds, and `check` makes one unasked."""

MOST_TOGETHER = 2
"""So many edits are tried together."""

MOST_HALVES = 6
"""So many edits that leave a wrong scale are looked at again."""


@dataclass(frozen=True)
class Searched:
    """What a search has found.

    Args:
        mends: edits that make an update unbiased, the smallest first.
        tried: how many programs were run.
        stopped: there were more to try.
    """

    mends: tuple[Mend, ...] = ()
    tried: int = 0
    stopped: bool = False

    @property
    def none(self) -> str:
        """What is said where nothing mends it; empty where something does, or nothing was tried."""
        if self.mends or self.tried < 1:
            return ""
        if self.tried == 1:
            return "none: the one edit that was tried doesn't make it right"
        return (
            f"none: of {self.tried} edits that were tried, alone or together, none makes it right"
        )


def mends(
    update: Update,
    target: Objective,
    audited: Callable[[Update], Audit],
    seconds: float | None = None,
) -> Searched:
    """Edits that make an update unbiased; none if there is nothing to edit.

    Args:
        update: what isn't what it is meant to be.
        target: the objective it is meant to ascend.
        audited: the whole audit of an update.
        seconds: after so long nothing else is tried; if it isn't given, after `MOST_EDITS`.
    """
    until = None if seconds is None else time.monotonic() + seconds
    search = _Search(update, target, audited, until)
    found = tuple(search.found()) if search.possible else ()
    return Searched(found, search.tried, search.stopped)


def cheap(update: Update) -> bool:
    """Whether a search is a matter of seconds: few draws, and nothing that is compiled or made anew
    for every edit.
    """
    if update.replay is not None:
        return not update.replay.building
    return update.origin != "jax loss" and not update.random and update.space.draws_count <= CHEAP


class _Search:
    def __init__(
        self,
        update: Update,
        target: Objective,
        audited: Callable[[Update], Audit],
        until: float | None,
    ) -> None:
        self.update, self.target, self.audited, self.until = update, target, audited, until
        self.programs = Programs(update, target)
        self.most = MOST_EDITS
        self.tried = -1
        self.stopped = False

    @property
    def possible(self) -> bool:
        """There is a source, something to learn, and few enough draws."""
        update = self.update
        if (
            not self.programs.source
            or update.rewritten is None
            or update.random
            or update.space.draws_count > MOST_DRAWS
        ):
            return False
        if update.replay is not None:
            if not few_replays(update):
                return False
            self.most = min(MOST_EDITS, MOST_RUNS // max(1, update.replay.enumeration.count))
        possible = self.programs.possible
        self.tried = 0
        return possible

    def found(self) -> Iterator[Mend]:
        """Mends as they are found: of one edit, and if there is none, of two."""
        halves: list[Edited] = []
        shown: list[tuple[str, ...]] = []
        all_tried: list[Edited] = []
        declared = [each for each in self.programs.declared() if self._counted(each)]
        # what somebody wrote is edited before it is exchanged for what we have
        ways: list[Iterable[Edited]] = [declared, self._edited(self.programs.whole)]
        for tried in chain(*(reversed(ways) if self.programs.estimator else ways)):
            all_tried.append(tried)
            mend = self._mend(tried, shown)
            if mend is not None:
                yield mend
            elif (
                tried.factor is not None
                and tried.factor > 0
                and abs(tried.factor - 1) > NEARLY
                and not any(tried is each for each in declared[1:])
            ):
                halves.append(tried)
            if len(shown) == MOST:
                return
        if shown:
            return
        # an estimator's bias may hide that of the loss: with another one every edit is tried again
        for half, kinds in (
            *((each, SCALING) for each in halves[:MOST_HALVES]),
            *((each, ()) for each in declared[:1]),
        ):
            for tried in self._edited(half, kinds):
                all_tried.append(tried)
                mend = self._mend(tried, shown)
                if mend is not None:
                    yield mend
                    return
        yield from self._further(all_tried, shown)

    def _further(self, all_tried: list[Edited], shown: list[tuple[str, ...]]) -> Iterator[Mend]:
        """Of the programs that come nearest every edit, one time after another."""
        for depth in range(2, MOST_TOGETHER + 1):
            nearest: dict[tuple[float, ...], Edited] = {}
            for tried in sorted(all_tried, key=lambda each: each.apart):
                # what is right here and was refuted elsewhere was looked at, and isn't edited further
                refuted = tried.factor is not None and abs(tried.factor - 1) <= NEARLY
                nearer = tried.apart < self.programs.whole.apart and not refuted
                if nearer and len(tried.edits) == depth - 1:
                    # several edits may do the same
                    nearest.setdefault(tried.mark, tried)
            for near in [*nearest.values()][:NEAREST]:
                for tried in self._edited(near):
                    all_tried.append(tried)
                    mend = self._mend(tried, shown)
                    # among so many one may pass for want of other spaces on which it runs
                    if mend is not None and not mend.reservation:
                        yield mend
                        return

    def _edited(self, before: Edited, kinds: tuple[str, ...] = ()) -> Iterator[Edited]:
        for made in self.programs.edited(before, kinds):
            if not self._counted(made):
                return
            yield made

    def _counted(self, _: Edited) -> bool:
        """Whether there was room for one more."""
        if self.tried >= self.most or (self.until is not None and time.monotonic() > self.until):
            self.stopped = True
            return False
        self.tried += 1
        return True

    def _mend(self, tried: Edited, shown: list[tuple[str, ...]]) -> Mend | None:
        kinds = tuple(edit.kind for edit in tried.edits)
        if tried.factor is None or abs(tried.factor - 1) > NEARLY or kinds in shown:
            return None
        try:
            found = self.audited(tried.update)
            elsewhere = Elsewhere(tried.update, sizes=True).confirms(
                [(1.0, self.target)], exactly=True
            )
        except (BadInput, BadEstimator):
            return None
        if found.kind is not Kind.UNBIASED or elsewhere.refuted:
            return None
        shown.append(kinds)
        lines = [
            f"{os.path.basename(file)}:{edit.line}" if file else ""
            for file, edit in zip(tried.files, tried.edits, strict=True)
        ]
        return Mend(
            tuple(map(str, tried.edits)),
            tuple(lines),
            str(found.strength),
            elsewhere.reservation,
            elsewhere.said,
            tuple(float(entry) for entry in found.expected),
            said(tried.edits),
        )
