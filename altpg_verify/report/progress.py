"""What the user sees while the report is built: bars in a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Stage(Protocol):
    """One stage under way."""

    def total(self, steps: int) -> None:
        """How many steps there will be, once known."""

    def step(self, name: str = "") -> None:
        """One more step is done, or begun if it has a name."""


class Progress(Protocol):
    """Opens stages; several may be open at once, from different threads."""

    def stage(self, name: str, total: int | None = None) -> Any:
        """A context manager that gives a `Stage`."""


class Silent:
    """Says nothing."""

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Stage]:
        yield self

    def total(self, steps: int) -> None: ...

    def step(self, name: str = "") -> None: ...


class Lines:
    """One line when a stage begins, one when it ends."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def _say(self, text: str) -> None:
        with self._lock:
            print(text, file=self._stream or sys.stderr, flush=True)

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Stage]:
        self._say(f"{name} ...")
        begin = time.monotonic()
        count = _Count()
        yield count
        steps = f", {count.done} steps" if count.done else ""
        self._say(f"{name}: done ({time.monotonic() - begin:.1f} s{steps})")


class _Count:
    def __init__(self) -> None:
        self.done = 0

    def total(self, steps: int) -> None: ...

    def step(self, name: str = "") -> None:
        self.done += 1


class Bars:
    """A bar with the time left for each stage."""

    def __init__(self, console: Any) -> None:
        self._console = console
        self._shown: Any = None

    @contextmanager
    def running(self) -> Iterator[Bars]:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Shown

        columns = (
            TextColumn("{task.description:<12}"), BarColumn(bar_width=30), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[now]}"),
        )  # fmt: skip
        with Shown(*columns, console=self._console) as self._shown:
            yield self

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Stage]:
        task = self._shown.add_task(name, total=total, now="")
        bar = _Bar(self._shown, task)
        yield bar
        bar.finish()


class _Bar:
    def __init__(self, shown: Any, task: Any) -> None:
        self._shown, self._task = shown, task

    def total(self, steps: int) -> None:
        self._shown.update(self._task, total=steps)

    def step(self, name: str = "") -> None:
        self._shown.update(self._task, advance=1, now=name.rpartition(".")[2][:36])

    def finish(self) -> None:
        done = self._shown.tasks[self._task].completed
        self._shown.update(self._task, total=max(done, 1), completed=max(done, 1), now="")


@contextmanager
def reporting(quiet: bool) -> Iterator[Progress]:
    """The progress that suits standard error: nothing, bars or lines."""
    if quiet:
        yield Silent()
        return
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        with Bars(console).running() as bars:
            yield bars
    else:
        yield Lines()
