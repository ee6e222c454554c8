"""Several processes, or a Dask cluster, for updates that can't be run on many draws at once.

    with working(4):           # processes, forked: whatever the update is made of is there already
        audit(update)
    with working("tcp://scheduler:8786"):
        audit(update)          # the update travels by cloudpickle

Results come back in order and are added up in order, so that numbers don't depend on how many
processes there are.
"""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.passes import Pass, Spec

WORTH_IT = 2_000
"""Draws below which starting processes costs more than it saves."""

PIECE = 256
"""Draws of one task."""

Result = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Weights, policies and updates of a block."""

_EXECUTOR: ContextVar[int | Executor | None] = ContextVar("executor", default=None)
_PASSES: list[Pass] = []


@contextmanager
def working(jobs: int | str | Executor | None) -> Iterator[None]:
    """Updates that are run draw by draw are spread over processes within the block.

    Args:
        jobs: how many processes; the address of a Dask scheduler; an executor; None or 1 for this
            process alone.

    Raises:
        BadInput: it is none of these, or Dask isn't installed or has no scheduler there.
    """
    with ExitStack() as opened:
        token = _EXECUTOR.set(_made(jobs, opened))
        try:
            yield
        finally:
            _EXECUTOR.reset(token)


def spreading() -> bool:
    """Whether there are other processes to spread work over."""
    return _EXECUTOR.get() is not None


def _made(jobs: int | str | Executor | None, opened: ExitStack) -> int | Executor | None:
    """What work is handed to; a connection that is made here is closed with `opened`."""
    if jobs is None or isinstance(jobs, Executor):
        return jobs
    if isinstance(jobs, str) and not jobs.isdecimal():
        try:
            from distributed import Client
        except ImportError as error:
            raise BadInput(
                f"jobs: {jobs!r} is the address of a Dask scheduler, and Dask isn't installed: pip"
                " install 'altpg-verify[cluster]'"
            ) from error
        opened.enter_context(_own_generator())
        try:
            # the default client of this process, if it has one, stays what it is
            client = Client(jobs, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise BadInput(
                f"jobs: there is no Dask scheduler at {jobs!r}; start one with `dask scheduler`, or"
                " give a number of processes"
            ) from error
        # left open, it would look for its scheduler long after that is gone
        opened.callback(client.close)
        return client.get_executor()
    number = int(jobs)
    if isinstance(jobs, bool) or number < 1:
        raise BadInput(
            "jobs must be a number of processes of at least 1, or the address of a Dask scheduler,"
            f" not {jobs!r}"
        )
    return number if number > 1 else None


@contextmanager
def _own_generator() -> Iterator[None]:
    """Dask estimates the size of a message by random samples of it, in a thread of its own: by a
    generator of its own, too, lest the update be blamed for moving Python's.
    """
    sizeof: Any = importlib.import_module("dask.sizeof")
    before, sizeof.random = sizeof.random, random.Random(0)
    try:
        yield
    finally:
        sizeof.random = before


def spread(passes: Pass, specs: Sequence[Spec]) -> Iterator[tuple[Spec, Result | None]]:
    """What each block gives, in order; None for a block without a draw.

    The first block is evaluated here: it shows whether the update can be run on many draws at once,
    and then nothing is spread.

    Raises:
        BadInput: a worker process died.
    """
    executor = _EXECUTOR.get()
    here = iter(specs)
    for spec in here:
        yield spec, passes.evaluated(spec)
        if executor is not None and passes.program.mode != "batched":
            break
    rest = list(here)
    if not rest:
        return
    if (
        executor is None
        or sum(spec.stop - spec.start for spec in rest) < WORTH_IT
        or passes.program.update.origin == "jax loss"
    ):
        for spec in rest:
            yield spec, passes.evaluated(spec)
        return
    if isinstance(executor, Executor):
        yield from zip(rest, executor.map(_sent, [_packed(passes)] * len(rest), rest), strict=True)
        return
    # imports that take as long as a small audit, and that few need
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    _PASSES.append(passes)
    pool = ProcessPoolExecutor(executor, mp_context=multiprocessing.get_context("fork"))
    try:
        with warnings.catch_warnings():
            # forked workers only compute; the threads that a framework keeps ready aren't used in
            # them
            warnings.simplefilter("ignore")
            found = pool.map(_forked, [len(_PASSES) - 1] * len(rest), rest)
        yield from zip(rest, found, strict=True)
    except BrokenProcessPool as error:
        raise BadInput(
            "jobs: a worker process died, perhaps for want of memory; give fewer processes"
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        _PASSES.pop()


def _forked(number: int, spec: Spec) -> Result | None:
    return _PASSES[number].evaluated(spec)


def _packed(passes: Pass) -> bytes:
    import cloudpickle

    # what was made of the last draws is made there again
    passes.__dict__.pop("_made", None)
    packed: bytes = cloudpickle.dumps(passes)
    return packed


def _sent(packed: bytes, spec: Spec) -> Result | None:
    import cloudpickle

    passes: Any = _KNOWN.get(packed)
    if passes is None:
        _KNOWN.clear()
        passes = _KNOWN[packed] = cloudpickle.loads(packed)
    found: Result | None = passes.evaluated(spec)
    return found


_KNOWN: dict[bytes, Any] = {}
