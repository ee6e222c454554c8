"""Running cells: those that a folder doesn't have yet, all of them or a shard, on any workers.

The result of a cell depends on the cell alone, so every way gives the same files. The driver writes
them; workers only compute.

When a worker dies, the cells that were under way are suspect, and each is tried again alone. One
that loses a worker again is set aside: told at the end, and not tried by later runs unless they are
asked to. Everything else goes on. An exception of a cell itself ends the sweep.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.sim.executors import Workers, given
from altpg_verify.sim.experiment import Cell
from altpg_verify.sim.log import Session, Spent, load, machine
from altpg_verify.sim.store import Store, name_of
from altpg_verify.sim.throughput import Throughput

Progress = Callable[[int, int, str], None]
"""Called with the number of cells done, the number to do and the name of the cell that was just
finished.
"""

ASIDE = "its worker died twice while it ran, once with no other cell under way"
_BARREN = 5


@dataclass(frozen=True)
class Computed:
    """What a worker gives back: the arrays of a cell, the stamp of the code that made them, and
    what that took.

    Args:
        arrays: name -> array.
        code: `altpg_verify.sim.jit.stamp` of the worker's sources.
        spent: seconds, load and machine.
    """

    arrays: Mapping[str, np.ndarray]
    code: int
    spent: Spent


def parse_shard(text: str) -> tuple[int, int]:
    """`i/n`, i counted from 0: every n-th cell from the i-th on.

    Examples:
        >>> parse_shard("0/4")
        (0, 4)

    Raises:
        BadInput: anything else.
    """
    first, _, second = text.partition("/")
    if not (
        first.isdecimal()
        and second.isdecimal()
        # numbers that Python would take long to read are no shards
        and len(first + second) < 20
        and int(first) < int(second)
    ):
        raise BadInput(f"--shard {text!r}: write i/n with 0 <= i < n, for example 0/4")
    return int(first), int(second)


def timed(cell: Cell) -> Computed:
    """The arrays of one cell, a pure function of the cell, and what it took.

    Times are those of this thread; compiled kernels release the interpreter lock, so threads side
    by side are timed apart.
    """
    from altpg_verify.sim.jit import stamp

    experiment = cell.run_by
    cpu, wall = time.thread_time(), time.perf_counter()
    arrays = experiment.run(cell.experiment, cell.setting, cell.root)
    spent = Spent(time.thread_time() - cpu, time.perf_counter() - wall, load(), machine())
    return Computed(arrays, stamp(experiment.family), spent)


def run(
    work: Sequence[Cell],
    out: Path,
    *,
    executor: Workers | Executor | None = None,
    shard: tuple[int, int] = (0, 1),
    progress: Progress = lambda done, total, name: None,
    retry: bool = False,
    throughput: Throughput | None = None,
    compute: Callable[[Cell], Computed] = timed,
) -> list[Cell]:
    """Run the cells that `out` doesn't have yet, the longest first, and store each as soon as it is
    there.

    Args:
        work: cells of any experiments.
        out: the folder of all stores.
        executor: where cells are computed; in this process by default.
        shard: (i, n) of n drivers this one is number i and takes every n-th cell.
        progress: is told how many cells are done, of how many, and which was the last.
        retry: try again what was set aside.
        throughput: is told how long the cells take.
        compute: what a worker does with a cell.

    Returns:
        The cells that were set aside, now or before.

    Raises:
        BadInput: `out` can't be written, a worker has other sources, ran out of memory, or workers
            keep dying.
    """
    throughput = throughput or Throughput()
    # opened before anything runs: a folder that can't be written to is found at once
    stores = {name: open_store(cells, out) for name, cells in by_experiment(work).items()}
    # by number, not by what is missing: every driver counts alike, whenever it starts
    mine = [cell for number, cell in enumerate(work) if number % shard[1] == shard[0]]
    missing = [cell for cell in mine if not stores[cell.experiment].has(cell)]
    if retry:
        for cell in missing:
            stores[cell.experiment].try_again(cell)
    aside = [cell for cell in missing if stores[cell.experiment].is_aside(cell)]
    todo = sorted(
        # the longest first, or one that starts last keeps a single worker busy at the end
        (cell for cell in missing if cell not in aside),
        key=throughput.expected,
        reverse=True,
    )
    done = len(mine) - len(missing)
    session = Session()
    throughput.begin(todo)
    progress(done, len(mine), "")
    # an executor of the user's own is used, and left running
    workers = given(executor) if isinstance(executor, Executor) else executor
    for cell, computed in _with_memory(_computed(todo, workers, compute)):
        store = stores[cell.experiment]
        if computed is None:
            store.set_aside(cell, ASIDE)
            aside.append(cell)
            continue
        # checked before it is stored: a cluster may have another version installed
        if computed.code != store.code:
            raise BadInput(
                f"a worker has other sources of sim (stamp {computed.code}, here {store.code});"
                " install the same version"
            )
        session.add(store.folder, name_of(cell), cell.steps, computed.spent)
        store.write(cell, computed.arrays)
        done += 1
        throughput.add(cell, computed.spent)
        progress(done, len(mine), cell.words)
    return aside


def _with_memory(
    computed: Iterator[tuple[Cell, Computed | None]],
) -> Iterator[tuple[Cell, Computed | None]]:
    """The same; a worker whose memory ran out says what to do."""
    try:
        yield from computed
    except MemoryError as error:
        message = (
            "a worker ran out of memory; what was finished is kept: run the same command with more"
            " memory, or with --executor serial"
        )
        raise BadInput(message) from error


def by_experiment(work: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each experiment that occurs in the work."""
    grouped: dict[str, list[Cell]] = {}
    for cell in work:
        grouped.setdefault(cell.experiment, []).append(cell)
    return grouped


def open_store(
    cells: Sequence[Cell], out: Path, *, read_only: bool = False, how: str = ""
) -> Store:
    """The store of the cells of one experiment; see `Store`.

    Args:
        cells: all cells of the experiment, for the folder's name covers each of them.
        how: what the command that makes the results needs after their name, for messages.
    """
    from altpg_verify.sim.jit import stamp

    return Store(out, cells, stamp(cells[0].run_by.family), read_only=read_only, how=how)


def _computed(
    todo: Sequence[Cell], workers: Workers | None, compute: Callable[[Cell], Computed]
) -> Iterator[tuple[Cell, Computed | None]]:
    """Cells as they get ready, in any order; without a result if the cell is to be set aside."""
    if workers is None:
        for cell in todo:
            yield cell, compute(cell)
        return
    waiting, suspects = deque(todo), deque[Cell]()
    flying: dict[Future[Computed], Cell] = {}
    alone: Cell | None = None
    broken, barren = False, 0
    try:
        while waiting or suspects or flying:
            # a fresh worker before each suspect, as the last one may have harmed the other's
            # process
            if (broken or suspects) and not flying:
                workers.renew()
                broken = False
            if suspects:
                # nothing new starts until all that was under way has ended, well or not; then the
                # suspects go one by one, each with a fresh worker, so that a death is that cell's
                if not flying:
                    alone = suspects.popleft()
                    # one at a time: if the worker dies now, this cell did it
                    flying[workers.submit(compute, alone)] = alone
            elif alone is None:
                _fill(flying, waiting, workers, compute)
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                cell = flying.pop(future)
                try:
                    result = future.result()
                except workers.lost as error:
                    broken = True
                    if cell is not alone:
                        suspects.append(cell)
                        continue
                    alone, barren = None, barren + 1
                    yield cell, None
                    # no cell is to blame any more: the machine, or the installation, is
                    if barren == _BARREN:
                        message = (
                            f"{_BARREN} workers in a row died before they finished a cell; see why"
                            " with: --executor serial"
                        )
                        raise BadInput(message) from error
                    continue
                # any cell that ends shows that workers can live
                alone, barren = None, 0
                yield cell, result
    finally:
        for future in flying:
            future.cancel()


def _fill(
    flying: dict[Future[Computed], Cell],
    waiting: deque[Cell],
    workers: Workers,
    compute: Callable[[Cell], Computed],
) -> None:
    """Start cells until enough are under way."""
    while waiting and len(flying) < workers.size():
        try:
            future = workers.submit(compute, waiting[0])
        except workers.lost:
            # the executor broke before this cell was with a worker: it is no suspect, those under
            # way are
            if flying:
                return
            workers.renew()
            continue
        flying[future] = waiting.popleft()
