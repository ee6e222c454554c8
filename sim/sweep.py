"""Running cells: in this thread, on all cores, on a part of them, or on anything with the `concurrent.futures` interface.

The result of a cell depends on the cell alone, so every way gives the same files. The driver writes them; workers only compute.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from altpg_verify.errors import BadInput
from sim.experiment import Cell
from sim.store import Store

Progress = Callable[[int, int, str], None]
"""Called with the number of cells done, the number to do and the name of the cell that was just finished."""

EXECUTORS = ("serial", "local")


@contextmanager
def executor_named(name: str | Executor | None) -> Iterator[Executor | None]:
    """`serial`: none; `local`: one thread a core (the kernels release the interpreter lock); an Executor is used as it is.

    Raises:
        BadInput: no such name.
    """
    if name is None or name == "serial":
        yield None
    elif name == "local":
        threads = ThreadPoolExecutor(os.cpu_count())
        try:
            yield threads
        finally:
            threads.shutdown(cancel_futures=True)
    elif isinstance(name, Executor):
        yield name
    else:
        raise BadInput(f"executor {name!r} is none of {', '.join(EXECUTORS)}")


def parse_shard(text: str) -> tuple[int, int]:
    """`i/n`, i counted from 0: every n-th cell from the i-th on.

    Raises:
        BadInput: anything else.
    """
    first, _, second = text.partition("/")
    if not (first.isdecimal() and second.isdecimal() and int(first) < int(second)):
        raise BadInput(f"--shard {text!r}: write i/n with 0 <= i < n, for example 0/4")
    return int(first), int(second)


def run(
    work: Sequence[Cell],
    out: Path,
    *,
    executor: Executor | None = None,
    shard: tuple[int, int] = (0, 1),
    progress: Progress = lambda done, total, name: None,
) -> None:
    """Run the cells that `out` doesn't have yet, and store each as soon as it is there."""
    stores = open_stores(work, out)
    mine = [cell for number, cell in enumerate(work) if number % shard[1] == shard[0]]
    todo = [cell for cell in mine if not stores[cell.experiment].has(cell)]
    done = len(mine) - len(todo)
    progress(done, len(mine), "")
    for cell, arrays in _computed(todo, executor):
        stores[cell.experiment].write(cell, arrays)
        done += 1
        progress(done, len(mine), cell.words)


def open_stores(work: Sequence[Cell], out: Path) -> dict[str, Store]:
    """The store of each experiment that occurs in the work."""
    from sim.experiments import experiment_named
    from sim.jit import stamp

    grouped: dict[str, list[Cell]] = {}
    for cell in work:
        grouped.setdefault(cell.experiment, []).append(cell)
    return {name: Store(out, cells, stamp(experiment_named(name).family)) for name, cells in grouped.items()}


def _computed(todo: Sequence[Cell], executor: Executor | None) -> Iterator[tuple[Cell, Mapping[str, np.ndarray]]]:
    if executor is None:
        for cell in todo:
            yield cell, compute(cell)
        return
    futures = {executor.submit(compute, cell): cell for cell in todo}
    try:
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    finally:
        for future in futures:
            future.cancel()


def compute(cell: Cell) -> Mapping[str, np.ndarray]:
    """The arrays of one cell; a pure function of the cell."""
    from sim.experiments import experiment_named

    return experiment_named(cell.experiment).run(cell.experiment, cell.setting, cell.root)
