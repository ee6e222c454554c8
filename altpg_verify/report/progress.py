"""What the user sees while the report is built: bars in a terminal, plain lines elsewhere, nothing
when quiet.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TextIO


class Stage(Protocol):
    """One stage under way."""

    def at(self, done: int, total: int, name: str = "") -> None:
        """So many of so many steps are done; `name` is the one that was just finished, or is about
        to begin.

        Args:
            done, total: numbers of steps.
            name: of a step, for those who show it.
        """


class Progress(Protocol):
    """Opens stages; several may be open at once, in different threads."""

    def stage(self, name: str) -> AbstractContextManager[Stage]:
        """A stage, from its beginning to its end, as a context manager that gives what is told of
        its steps.
        """


class Silent:
    """Says nothing."""

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """A stage that nobody hears of."""
        yield self

    def at(self, done: int, total: int, name: str = "") -> None:
        """Counts nothing."""


class Lines:
    """One line when a stage begins, one when it ends: for logs, where nothing can be written over.

    Args:
        stream: where they go.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def _say(self, text: str) -> None:
        # stages of several threads may end at once
        with self._lock:
            print(text, file=self._stream, flush=True)

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """A line now and one when the stage is over, with seconds by the clock and steps if there
        are any.
        """
        self._say(f"{name} ...")
        begin = time.monotonic()
        count = _Count()
        yield count
        steps = f", {count.done} of {count.total} steps" if count.total else ""
        self._say(f"{name}: done ({time.monotonic() - begin:.1f} s{steps})")


class _Count:
    def __init__(self) -> None:
        self.done = self.total = 0

    def at(self, done: int, total: int, name: str = "") -> None:
        self.done, self.total = done, total


class Bars:
    """A bar with the time left for each stage, for terminals.

    Args:
        shown: a running `rich.progress.Progress`.
    """

    def __init__(self, shown: Any) -> None:
        self._shown = shown

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """A bar of its own, finished with the stage."""
        bar = _Bar(self._shown, self._shown.add_task(name, total=None, now=""))
        yield bar
        bar.finish()


class _Bar:
    def __init__(self, shown: Any, task: Any) -> None:
        self._shown, self._task = shown, task

    def at(self, done: int, total: int, name: str = "") -> None:
        self._shown.update(self._task, completed=done, total=total, now=name[:40])

    def finish(self) -> None:
        self._shown.update(self._task, total=1, completed=1, now="")


@contextmanager
def bars(console: Any) -> Iterator[Bars]:
    """Bars on a rich console: name, share, time taken and time left, and the step under way.

    Args:
        console: a `rich.console.Console`.
    """
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Shown

    columns = (
        *(
            TextColumn("{task.description:<12}"),
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f} %"),
        ),
        *(
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[now]}"),
        ),
    )
    with Shown(*columns, console=console) as shown:
        yield Bars(shown)


@contextmanager
def reporting(quiet: bool) -> Iterator[Progress]:
    """The progress that suits standard error: nothing, bars or lines.

    Args:
        quiet: nothing.
    """
    if quiet:
        yield Silent()
        return
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        with bars(console) as shown:
            yield shown
    else:
        yield Lines(sys.stderr)
