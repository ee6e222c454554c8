"""Where cells are computed: in this thread, in threads, in processes, on a Dask cluster, or on
anything with the executor interface.

Everything that computes is a `concurrent.futures.Executor`; `Workers` adds what a sweep needs to
outlive one: how many cells to have under way, which exceptions say that a worker was lost, and how
to get a fresh executor in the place of a broken one.

This module stays free of numpy, so that worker processes can be told to use one thread before it is
loaded.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from altpg_verify.errors import BadInput

EXECUTORS = ("serial", "local", "processes", "tcp://HOST:PORT")
"""This thread; one thread a core (kernels release the interpreter lock); one process a core; the
Dask scheduler at that address.
"""

_ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_CONNECT = 20.0


class Workers:
    """A supply of executors.

    `dask`, threads and processes differ in how they lose a worker and in how many cells they want;
    a sweep sees none of that.

    Args:
        start: makes an executor, when one is first needed and after one broke.
        size: how many cells to have under way at a time, so that no worker waits and few cells are
            suspect when one dies.
        lost: exceptions of a future which say that its worker, and not its cell, failed.
        stop: ends an executor for good.
        executor: the one in use; None before the first cell and after `renew`.
    """

    def __init__(
        self,
        start: Callable[[], Executor],
        size: Callable[[], float],
        lost: tuple[type[BaseException], ...] = (),
        stop: Callable[[Executor], None] = lambda executor: None,
    ) -> None:
        self._start, self.size, self.lost, self._stop = start, size, lost, stop
        self.executor: Executor | None = None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run `function(*arguments)` on the executor, which is started if there is none."""
        if self.executor is None:
            self.executor = self._start()
        return self.executor.submit(function, *arguments)

    def renew(self) -> None:
        """Let go of the executor; the next cell gets a fresh one."""
        if self.executor is not None:
            executor, self.executor = self.executor, None
            self._stop(executor)


@contextmanager
def executor_named(name: str | Executor | None) -> Iterator[Workers | None]:
    """The workers of a name, one of `EXECUTORS`; none for serial; an Executor is used as it is.

    Raises:
        BadInput: no such name, no scheduler there, or the extra `cluster` is not installed.
    """
    if name is None or name == "serial":
        yield None
        return
    workers = _workers(name)
    try:
        yield workers
    finally:
        workers.renew()


def given(executor: Executor) -> Workers:
    """An executor that somebody else started, and ends.

    Cells are all submitted at once, and no exception counts as a lost worker.
    """
    return Workers(lambda: executor, lambda: float("inf"))


def _workers(name: str | Executor) -> Workers:
    cores = os.cpu_count() or 1
    if isinstance(name, Executor):
        return given(name)
    if name == "local":
        # one more than there are cores, so that the next cell is ready when one ends
        return Workers(lambda: ThreadPoolExecutor(cores), lambda: cores + 1, stop=_shut_down)
    if name == "processes":
        return Workers(
            lambda: processes(cores), lambda: cores + 1, (BrokenProcessPool,), _shut_down
        )
    if name.startswith(("tcp://", "tls://")):
        return dask(name)
    raise BadInput(f"executor {name!r} is none of {', '.join(EXECUTORS)}")


def _shut_down(executor: Executor) -> None:
    executor.shutdown(cancel_futures=True)


def processes(number: int) -> ProcessPoolExecutor:
    """Processes that are started afresh, not forked, use one thread each, and end when the driver
    is killed.
    """
    import multiprocessing

    # spawned: each imports the package itself, which takes a second or two
    return ProcessPoolExecutor(
        # a forked process would share the locks of threads that were running
        number,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare,
    )


def _prepare() -> None:
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    # Ctrl-C reaches the processes too; the driver is the one to speak of it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_the_driver, name="driver watch", daemon=True).start()


def _end_with_the_driver() -> None:
    """A driver that is killed can't tell its processes; without this they would wait for work for
    ever.
    """
    from multiprocessing import connection, parent_process

    driver = parent_process()
    if driver is not None:
        # returns when the driver is gone, however it went
        connection.wait([driver.sentinel])
        # without cleaning up: nothing of this process is worth keeping, and cleaning up may wait
        os._exit(1)


def dask(address: str) -> Workers:
    """The workers of a Dask scheduler; they must have this package, in the same version.

    Args:
        address: tcp://HOST:PORT or tls://HOST:PORT of the scheduler; it has 20 seconds to answer.

    Raises:
        BadInput: nothing answers at the address, or Dask is not installed.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        message = (
            f"--executor {address} needs Dask ({error.name}); install the extra: pip install"
            " 'altpg-verify[cluster]'"
        )
        raise BadInput(message) from error

    clients: dict[Executor, Any] = {}

    def start() -> Executor:
        try:
            # not the default client: the user may have one
            client = Client(address, timeout=_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BadInput(
                f"--executor {address}: no Dask scheduler answers there ({error}); start one with:"
                " dask scheduler"
            ) from error
        executor = client.get_executor()
        clients[executor] = client
        return executor

    def stop(executor: Executor) -> None:
        executor.shutdown(wait=False)
        clients.pop(executor).close()

    def size() -> float:
        # one more for each thread hides the way to the scheduler and back; workers that join later
        # are seen
        return 2 * max(1, sum(sum(client.nthreads().values()) for client in clients.values()))

    return Workers(start, size, (KilledWorker, CancelledError), stop)
