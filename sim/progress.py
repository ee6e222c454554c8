"""What a sweep shows while it runs: on a terminal a bar with rate and time left, elsewhere a line a
cell.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from altpg_verify.sim.sweep import Progress
from altpg_verify.sim.throughput import Throughput


@contextmanager
def shown(
    throughput: Throughput, stream: TextIO | None = None, *, terminal: bool | None = None
) -> Iterator[Progress]:
    """A progress for `altpg_verify.sim.sweep.run` that tells how many cells are done and what the
    throughput knows.

    Args:
        stream: standard error, if not given.
        terminal: whether the stream is one; asked of the stream, if not given.
    """
    stream = stream or sys.stderr
    if not (stream.isatty() if terminal is None else terminal):

        def line(done: int, total: int, name: str) -> None:
            print(f"{done}/{total} {name.partition(' ')[0]}", file=stream, flush=True)

        yield line
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            left = throughput.left
            rate = f"{throughput.rate / 1e6:.1f} M steps/s" if throughput.rate else ""
            return Text(f"{rate}  {duration(left)} left" if left is not None else rate)

    cells = TextColumn("{task.fields[done]}/{task.fields[total_cells]} cells")
    columns = (
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f} %"),
        cells,
        TimeElapsedColumn(),
        Speed(),
    )
    with Progress(
        *columns,
        TextColumn("[dim]{task.fields[now]}"),
        console=Console(file=stream, force_terminal=True),
    ) as bars:
        task = bars.add_task("", total=1.0, done=0, total_cells=0, now="")

        def update(done: int, total: int, name: str) -> None:
            bars.update(
                task,
                completed=throughput.done,
                done=done,
                total_cells=total,
                now=name.partition(" ")[0][:40],
            )

        yield update


def duration(seconds: float) -> str:
    """Hours, minutes and seconds as a reader says them: 45 s, 3:20 min, 1:05 h.

    Examples:
        >>> duration(45.2), duration(200), duration(3900)
        ('45 s', '3:20 min', '1:05 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"
