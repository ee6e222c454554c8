"""Faults: a sweep that is killed, starved, shut out or crossed ends right when it goes on, or says
what is missing; no file is torn.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from trust.figures import Figure, Outcome, Part, Say

SAYS = {
    "torn": "torn files",
    "differing": "resumed results that differ from undisturbed ones in a bit",
    "silent": "faults without a message",
}
"""What must never happen, by name."""


def run(sample: bool, say: Say) -> Outcome:
    """Two threads, each with faults of its own, so that two cores are busy."""
    from altpg_verify.sim import sweep
    from trust.faults import drivers, kills, places
    from trust.faults.tally import Tally
    from trust.faults.work import WORK, digest

    with tempfile.TemporaryDirectory() as name:
        sweep.run(WORK, Path(name))
        tally = Tally(digest(Path(name)))
    few = [
        lambda: places.failing_writes(tally),
        lambda: kills.kill_writers(3 if sample else 20, 1, tally),
        lambda: places.full_disk(tally),
        lambda: places.read_only(tally),
        lambda: places.limited_files(tally),
        lambda: drivers.two_at_once(tally),
        lambda: drivers.clock_backwards(tally),
        lambda: drivers.out_of_memory(tally, ("serial",) if sample else ("serial", "processes")),
        *(
            []
            if sample
            else [lambda: drivers.lost_scheduler(tally), lambda: kills.kill_workers(9, 2, tally)]
        ),
    ]
    many = [lambda: kills.kill_drivers(4 if sample else 41, 3, tally)]
    beside = _Beside(many)
    for number, fault in enumerate(few):
        say(f"fault {number + 1} of {len(few)}, and {tally.counts['kills']} kills")
        fault()
    beside.join()
    if sample:
        tally.note("the sample kills no workers and loses no scheduler")
    counts = tally.counts
    figures = (
        Figure(
            "kills",
            counts["kills"],
            "kills of drivers and workers at random moments",
            at_least=4 if sample else 50,
        ),
        Figure(
            "writers",
            counts["kills of writers"],
            "kills of processes that write other files",
            at_least=3 if sample else 20,
        ),
        Figure("faults", counts["faults"], "other faults", at_least=20),
        Figure(
            "compared",
            counts["compared"],
            "sweeps that were ended after faults, and compared",
            at_least=5 if sample else 15,
        ),
        *(Figure(name, counts[name], summary, at_most=0) for name, summary in SAYS.items()),
        Figure(
            "leftovers",
            counts["leftovers"],
            "temporary files that killed drivers left, which no reader takes for results",
        ),
    )
    return Outcome(figures, tuple(tally.notes), {"examples": tally.examples})


class _Beside(threading.Thread):
    """Calls in a thread; what they raise is raised by `join`."""

    def __init__(self, calls: list[Callable[[], None]]) -> None:
        super().__init__(name="kills")
        self.calls = calls
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            for call in self.calls:
                call()
        except BaseException as error:
            self.error = error

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        if self.error:
            raise self.error


PART = Part("faults", "kills, full disks, lost schedulers and other faults", run)
