"""kill -9 at moments that a seed draws: of drivers, of worker processes, and of whatever writes a
file.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from altpg_verify.files import write_whole
from altpg_verify.sim import sweep
from altpg_verify.sim.executors import Workers, processes
from trust.checkout import started
from trust.faults import work
from trust.faults.tally import Tally, command, resumed


def kill_drivers(number: int, seed: int, tally: Tally) -> None:
    """Kill so many drivers, each going on where the last one was killed; now and then one ends
    before, and a new folder is begun.
    """
    draw = random.Random(seed)
    killed = 0
    while killed < number:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for _ in range(draw.randint(2, 4)):
                if killed == number or not _killed(folder, draw, tally):
                    break
                killed += 1
                tally.look(folder, "a driver was killed")
            tally.count("leftovers", len(list(folder.rglob(".*"))))
            resumed(tally, folder, "drivers were killed")


def _killed(folder: Path, draw: random.Random, tally: Tally) -> bool:
    """Start a driver and kill it; False if it was done before."""
    way, cells, after = (
        draw.choice(("slow disk", "slow disk", "slowly")),
        draw.randint(0, 5),
        draw.uniform(0.0, 0.12),
    )
    with started(command(folder, "serial", way), stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        # it tells when the sweep begins, and after each cell
        for _ in range(1 + cells):
            driver.stdout.readline()
        time.sleep(after)
        driver.send_signal(signal.SIGKILL)
    if driver.returncode != -signal.SIGKILL:
        return False
    tally.count("kills")
    return True


def kill_workers(number: int, seed: int, tally: Tally) -> None:
    """Kill so many worker processes of sweeps that go on all the same."""
    draw = random.Random(seed)
    left = number
    while left > 0:
        moments = sorted(draw.sample(range(1, len(work.WORK) - 3), min(left, 3)))
        left -= len(moments)
        with tempfile.TemporaryDirectory() as name:
            workers = Workers(
                lambda: processes(2),
                lambda: 3,
                _lost(),
                lambda executor: executor.shutdown(cancel_futures=True),
            )

            def kill(
                done: int,
                total: int,
                words: str,
                workers: Workers = workers,
                moments: list[int] = moments,
            ) -> None:
                pids = list(getattr(workers.executor, "_processes", None) or ())
                if moments and done >= moments[0] and pids:
                    moments.pop(0)
                    os.kill(draw.choice(pids), signal.SIGKILL)
                    tally.count("kills")

            try:
                aside = sweep.run(
                    work.WORK, Path(name), executor=workers, progress=kill, compute=work.slowly
                )
            finally:
                workers.renew()
            if aside:
                tally.count(
                    "differing",
                    1,
                    f"cells were set aside after their workers were killed once: {aside}",
                )
            else:
                tally.ended_well(Path(name), "workers were killed")


def _lost() -> tuple[type[BaseException], ...]:
    from concurrent.futures.process import BrokenProcessPool

    return (BrokenProcessPool,)


def kill_writers(number: int, seed: int, tally: Tally) -> None:
    """Kill so many processes that write files over and over; each file is one of the versions
    written, whole.
    """
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        for _ in range(number):
            with started(["-m", "trust.faults.kills", name], stdout=subprocess.PIPE) as writer:
                assert writer.stdout is not None
                writer.stdout.readline()
                time.sleep(draw.uniform(0.0, 0.1))
                writer.send_signal(signal.SIGKILL)
            tally.count("kills of writers")
            found = broken(Path(name))
            tally.count("torn", len(found), f"a writer was killed: {', '.join(found)}")


FILES = ("certificate.json", "trust.json", "report.html")
"""What the writers write: a certificate as `theory certify` does, a record as `python -m trust`
does, a page as a report does.
"""


def broken(folder: Path) -> list[str]:
    """The files that are no whole version."""
    from altpg_verify.errors import BadInput
    from altpg_verify.theory.proving.certificate_recheck import recheck_file
    from trust import record

    found = []
    try:
        if not recheck_file(folder / FILES[0]).holds:
            found.append(FILES[0])
        record.read(folder / FILES[1])
    except BadInput as error:
        found.append(str(error))
    page = (folder / FILES[2]).read_bytes()
    if len(page) != _LENGTH or len(set(page)) != 1:
        found.append(FILES[2])
    return found


_LENGTH = 300_000


def _write_on(folder: Path) -> None:
    """Write all files again and again, until killed."""
    from altpg_verify.theory.attraction.three_arms import ExponentialSign
    from altpg_verify.theory.proving.certificate_store import content, save
    from trust import record

    one = ExponentialSign({"terms": [["1", "1"]], "relation": ">"})
    for number in itertools.count():
        save(folder / FILES[0], content("a sign" * 5000, "", [one] * (1 + number % 2)))
        record.keep(
            folder / FILES[1], {"name": "faults", "details": "x" * (1 + number % 2) * 100_000}, []
        )
        write_whole(folder / FILES[2], b"ab"[number % 2 : number % 2 + 1] * _LENGTH, "--out")
        if not number:
            print("written once", flush=True)


if __name__ == "__main__":
    _write_on(Path(sys.argv[1]))
