"""Coverage-guided fuzzing of the readers with atheris, one process a kind of file, with a fixed
seed and number of runs.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from trust.checkout import started
from trust.fuzz.watch import Tally, World, crashed, ran, standing_in

TARGETS = (
    "certificate (identity)",
    "certificate (instance)",
    "ledger.json",
    "audits.json",
    "trust.json",
    "cell",
    "manifest.json",
    "log.jsonl",
)
INSTRUMENTED = ("altpg_verify",)
STARTING = 600
"""Seconds by the clock that instrumenting may take on a machine that is busy; an input that hangs
is ended by libFuzzer itself.
"""


def installed() -> bool:
    """Whether atheris is there."""
    return importlib.util.find_spec("atheris") is not None


def start(target: str, runs: int, seconds: int) -> subprocess.Popen[str]:
    """Begin to fuzz one kind of file. Args: runs: inputs to try; seconds: after which it ends even
    so.
    """
    return started(
        ["-m", "trust.fuzz.guided", target, str(runs), str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def finish(target: str, process: subprocess.Popen[str], seconds: int, tally: Tally) -> None:
    """Wait for its end, and count."""
    try:
        said, _ = process.communicate(timeout=seconds + STARTING)
    except subprocess.TimeoutExpired:
        process.kill()
        said = process.communicate()[0] + "\nit was stopped"
    done = re.search(r"Done (\d+) runs", said)
    tally.tried[f"{target}, guided"] += int(done[1]) if done else 0
    if not done or process.returncode:
        tail = [line for line in said.splitlines() if line.strip()][-12:]
        tally.fault(
            "crashes", f"{target}, guided", f"exit code {process.returncode}: {' | '.join(tail)}"
        )


@contextlib.contextmanager
def beside(targets: Sequence[str], runs: int, seconds: int, tally: Tally) -> Iterator[None]:
    """Fuzz the targets one after the other, on a core of their own, while something else is
    done.
    """

    def one_by_one() -> None:
        for target in targets:
            finish(target, start(target, runs, seconds), seconds, found)

    found = Tally()
    thread = threading.Thread(target=one_by_one, name="guided fuzzing")
    thread.start()
    try:
        yield
    finally:
        thread.join()
        tally.add(found)


class FoundError(Exception):
    """Something that must not happen happened."""


def _fuzz(target: str, runs: int, seconds: int) -> None:
    import atheris

    from altpg_verify.sim.jit import SOURCES

    # what is instrumented can't be compiled
    kernels = {
        f"altpg_verify.sim.{name.removesuffix('.py').replace('/', '.')}"
        for names in SOURCES.values()
        for name in names
    }
    with atheris.instrument_imports(
        include=list(INSTRUMENTED), exclude=sorted({"altpg_verify.estimators", *kernels})
    ):
        from trust.fuzz.kinds import kind_named

        kind = kind_named(target)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        world = World(Path(folder).resolve(), dict(kind.files))
        corpus = Path(folder).resolve() / "inside" / "corpus"
        corpus.mkdir()
        (corpus / "good").write_bytes(kind.good)
        stack.enter_context(standing_in(world.inside))

        def one(data: bytes) -> None:
            content = _sealed(kind, data)
            world.put(kind.damaged, content)
            found = ran(kind.commands[0])
            if wrong := crashed(found):
                raise FoundError(wrong)
            for fault, what in world.faults(kind.damaged, content):
                raise FoundError(f"{fault}: {what}")

        options = [
            f"-runs={runs}",
            f"-max_total_time={seconds}",
            "-seed=1",
            "-rss_limit_mb=4096",
            "-timeout=30",
        ]
        options += [
            f"-max_len={2 * len(kind.good)}",
            f"-artifact_prefix={folder}/inside/corpus/",
            "-verbosity=1",
            "-print_final_stats=0",
        ]
        atheris.Setup([sys.argv[0], *options, str(corpus)], one)
        atheris.Fuzz()


def _sealed(kind, data: bytes) -> bytes:  # type: ignore[no-untyped-def]
    """With a right digest where the data are JSON, or else nothing would get past it."""
    if kind.seal is None or kind.form != "json":
        return data
    try:
        return json.dumps(kind.seal(json.loads(data))).encode()
    except (ValueError, TypeError, RecursionError):
        return data


if __name__ == "__main__":
    _fuzz(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
