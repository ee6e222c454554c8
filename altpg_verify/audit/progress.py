"""What is done, how much is left, and when to stop: one clock for all passes of an audit.

    with watching(total, budget=60.0, report=print_line):
        ...            # passes call `step`

Without a clock `step` does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

QUIET = 1.0
"""Seconds before anything is said."""

OFTEN = 0.5
"""Seconds between two lines."""


class OutOfTime(Exception):
    """The budget is spent; the message says how much was covered."""


@dataclass
class Clock:
    """One audit's clock.

    Args:
        what: what is counted, e.g. "my_loss".
        total: evaluations that are planned, as far as is known.
        budget: seconds after which to stop; None for never.
        report: is handed a line now and then; None to say nothing.

    Attributes:
        done: evaluations so far.
        begin: when it was started, as `time.perf_counter` has it.
        said: seconds after the beginning at which something was reported last.
    """

    what: str = ""
    total: int = 0
    budget: float | None = None
    report: Callable[[str], None] | None = None
    done: int = 0
    begin: float = field(default_factory=time.perf_counter)
    said: float = 0.0

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self.begin

    def step(self, count: int) -> None:
        """So many evaluations more.

        Raises:
            OutOfTime: the budget is spent.
        """
        self.done += count
        spent = self.seconds
        if self.budget is not None and spent > self.budget:
            raise OutOfTime(f"stopped after {spent:.3g} s, at {self.share}")
        if self.report is not None and spent > QUIET and spent - self.said > OFTEN:
            self.said = spent
            self.report(f"{self.what}: {self.share}, {self.left(spent)}")

    @property
    def share(self) -> str:
        """How much is done, in words."""
        of = f" of about {self.total:,}" if self.total > self.done else ""
        return f"{self.done:,}{of} evaluations" if self.done != 1 or of else "1 evaluation"

    def left(self, spent: float) -> str:
        """How long it will take, in words."""
        if self.total <= self.done or not self.done:
            return f"{spent:.0f} s so far"
        return (
            f"about {spent / self.done * (self.total - self.done):.0f} s left; a smaller batch or"
            " group makes it shorter"
        )


_CLOCK: ContextVar[Clock | None] = ContextVar("clock", default=None)


@contextmanager
def watching(clock: Clock) -> Iterator[Clock]:
    """All passes within the block are counted by this clock; an inner clock gives way to an outer
    one.
    """
    if _CLOCK.get() is not None:
        yield clock
        return
    token = _CLOCK.set(clock)
    try:
        yield clock
    finally:
        _CLOCK.reset(token)


def step(count: int) -> None:
    """So many evaluations more, if there is a clock."""
    clock = _CLOCK.get()
    if clock is not None:
        clock.step(count)


def ahead(count: int) -> None:
    """So many evaluations are ahead at least, planned or not, if there is a clock."""
    clock = _CLOCK.get()
    if clock is not None:
        clock.total = max(clock.total, clock.done + count)


def plan(count: int) -> None:
    """So many evaluations are ahead, if there is a clock."""
    clock = _CLOCK.get()
    if clock is not None:
        clock.total = clock.done + count
