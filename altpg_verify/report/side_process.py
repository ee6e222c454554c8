"""Simulations and drawings in a process of their own, beside the evidence: for a second core, and
its memory comes back.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altpg_verify.report import pictures
from altpg_verify.report.memory import collecting_seldom
from altpg_verify.report.safe_path import safe_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.sharedctypes import Synchronized

    from altpg_verify.report.progress import Progress
    from altpg_verify.sim.results import Results


@dataclass(frozen=True)
class Beside:
    """What the process gives.

    Args:
        results: the simulations, once all have run.
        drawn: the pieces of `pictures` that it has drawn, later; never where none are asked for.
        count: how many pieces are taken by anyone; None if all are left to it.
    """

    results: Future[Results] = field(default_factory=Future)
    drawn: Future[dict[pictures.Piece, Any]] = field(default_factory=Future)
    count: Synchronized[int] | None = None

    def everything(self) -> pictures.Drawn:
        """All that is drawn: whoever waits for it draws, too.

        Figures are taken one by one from a count that both processes share, so that none is drawn
        twice.
        """
        mine = {} if self.count is None else dict(pictures.taken(self.results.result(), self.count))
        return pictures.together({**self.drawn.result(), **mine})


def start(profile: str, out: Path, progress: Progress, *, figures: bool = True) -> Beside:
    """Start the process; a thread that doesn't keep the program alive waits for what it sends.

    Args:
        profile: of the simulations. out: the report's folder. figures: draw them, too.
    """
    context = multiprocessing.get_context("spawn")
    beside = Beside(count=context.Value("i", 0) if figures else None)
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=_work, args=(there, profile, out, beside.count), name="simulations", daemon=True
    )
    with safe_path():
        process.start()
    # the child alone holds that end now, so that its end is seen here, however it comes
    there.close()

    def follow() -> None:
        try:
            with progress.stage("simulations") as stage:
                _receive(here, "ran", stage.at)
                beside.results.set_result(_results(profile, out))
            if figures:
                with progress.stage("figures"):
                    beside.drawn.set_result(_receive(here, "drawn"))
        except BaseException as error:
            # whoever waits for either would wait for ever
            for waiting in (beside.results, beside.drawn):
                if not waiting.done():
                    waiting.set_exception(error)
        finally:
            process.join()

    threading.Thread(target=follow, name="simulations", daemon=True).start()
    return beside


def _results(profile: str, out: Path, **run: Any) -> Results:
    """Runs what isn't there, and gives access to all."""
    from altpg_verify.sim import experiments

    return experiments.run_all(
        profile, out / "simulations", kept=experiments.paper_scale(out), **run
    )


def _receive(connection: Connection, kind: str, at: Callable[..., None] | None = None) -> Any:
    """The next message of that kind; those about the progress are passed on.

    Raises:
        RuntimeError: the process ended without it. Else: what was raised there.
    """
    while True:
        try:
            sent, content = connection.recv()
        except EOFError:
            raise RuntimeError(
                "the process of the simulations was ended from outside, for want of memory perhaps;"
                " run it again"
            ) from None
        if sent == kind:
            return content
        if sent == "failed":
            raise content
        if at:
            at(*content)


def _work(connection: Connection, profile: str, out: Path, count: Synchronized[int]) -> None:
    """What the process does."""
    # Ctrl-C reaches it too; the first process ends it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with collecting_seldom():
            results = _results(
                profile, out, executor="local", progress=lambda *at: connection.send(("at", at))
            )
            connection.send(("ran", None))
            if count is not None:
                connection.send(("drawn", dict(pictures.taken(results, count))))
    except (BrokenPipeError, ConnectionResetError):
        # the first process is gone
        return
    except BaseException as error:
        _send_error(connection, error)


def _send_error(connection: Connection, error: BaseException) -> None:
    try:
        connection.send(("failed", error))
    except Exception:
        connection.send(("failed", RuntimeError(f"{type(error).__name__}: {error}")))
