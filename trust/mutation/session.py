"""One pytest session in which every mutant meets the tests that reach it, each in a process forked
for it.

    python -m trust.mutation.session TASK RESULTS        in a copy of the repository, never in the
                 checkout

First the tests run once with coverage, on the original: that tells which tests reach which line,
how long each takes, and that all pass. Then, for each mutant, a child is forked that puts the
mutant's code in place and runs those tests, fastest first, until one fails. Code that runs at
import is imported anew in the child. A child that takes far more processor time than its tests need
is stopped, and counted as noticed.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

from trust.mutation.mutants import Mutant, mutants
from trust.mutation.swap import (
    PACKAGES,
    exchange,
    forget,
    import_anew,
    living_functions,
    module_name,
    read,
)

OPTIONS = (
    *("-q", "-s", "-m", "slow or not slow"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:unraisableexception"),
)
"""Of pytest: tests that the default suite leaves to the slow one notice mutants, too. What an
earlier test left to the collector fails whichever test it comes in, and isn't noticed by that one.
"""
AT_IMPORT = "import"
LONGEST = 40.0
"""Seconds of tests spent on one mutant at most; slower tests than that are left out, to the
mutant's advantage.
"""
LONGEST_UNTRACED = 10.0
"""The same for a mutant whose line no test was seen to reach."""
ALLOWED = 5.0
"""A child may take this many times what its tests take on the original."""
STARTING = 4
"""Seconds of processor time for starting and stopping, and for importing anew."""
UNNOTICED = "no test noticed"
"""What a child says last whose tests all passed."""
LARGEST = 6_000_000_000
"""Bytes of memory a child may use."""


@dataclass
class Measured:
    """What the run on the original told; times are those of the processor, which a busy machine
    doesn't change.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    setup: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    reached: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def cost(self, test: str) -> float:
        """Seconds of a test alone, with the fixtures of its file."""
        return self.seconds[test] + self.setup[test.split("::")[0]]

    def tests_for(self, mutant: Mutant) -> list[str]:
        """The tests that reach the mutant's line, fastest first; for code that runs at import, all:
        what it defines may matter to any.
        """
        here = (
            self.reached.get(mutant.path, {}).get(mutant.line, set())
            if mutant.scope
            else set(self.seconds)
        )
        longest = LONGEST
        if not here:
            # what a profiler calls is traced by nobody: any test that reaches the module may notice
            here = set().union(*self.reached.get(mutant.path, {}).values()) - {AT_IMPORT}
            longest = LONGEST_UNTRACED
        chosen, total = [], 0.0
        for test in sorted(
            (one for one in here if one in self.seconds), key=lambda one: (self.cost(one), one)
        ):
            total += self.cost(test)
            if total > longest:
                break
            chosen.append(test)
        return chosen


class Session:
    """The plugin: measures, then tries the mutants."""

    def __init__(
        self, root: Path, tracer: coverage.Coverage, task: dict[str, Any], results: Path
    ) -> None:
        self.root, self.tracer, self.task, self.results = root, tracer, task, results
        self.sources = {path: read(root, path) for path in task["modules"]}
        self.files = {path: str(root / path) for path in task["modules"]}
        self.measured, self.measuring = Measured(), True
        self.items: dict[str, pytest.Item] = {}
        self.functions: list[Any] = []

    def pytest_collection(self) -> None:
        _do_not_shrink()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Any:
        self._context(f"{item.nodeid.split('::')[0]}::")
        begin = time.process_time()
        try:
            return (yield)
        finally:
            file = item.nodeid.split("::")[0]
            self.measured.setup[file] = max(self.measured.setup[file], time.process_time() - begin)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        self._context(item.nodeid)
        begin = time.process_time()
        try:
            return (yield)
        finally:
            self.measured.seconds[item.nodeid] = time.process_time() - begin

    def _context(self, name: str) -> None:
        if self.measuring:
            self.tracer.switch_context(name)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self._measure(session.items)
        if self.measured.broken:
            self._write({"broken": self.measured.broken})
            return True
        wanted = None if self.task["ids"] is None else set(self.task["ids"])
        queue = [
            one
            for path, source in self.sources.items()
            for one in mutants(path, source)
            if wanted is None or one.id in wanted
        ]
        self._write({"mutants": len(queue), "tests": len(self.items)})
        self.functions = living_functions(self.files.values())
        self._try_all(queue)
        return True

    def _measure(self, items: list[pytest.Item]) -> None:
        mutated = [module_name(path) for path in self.files]
        for index, item in enumerate(items):
            forget(mutated)
            reports = runtestprotocol(
                item, log=False, nextitem=items[index + 1] if index + 1 < len(items) else None
            )
            if any(report.failed for report in reports):
                self.measured.broken.append(item.nodeid)
            if any(report.skipped for report in reports):
                self.measured.seconds.pop(item.nodeid, None)
        self.tracer.stop()
        self.measuring = False
        data = self.tracer.get_data()
        by_file: dict[str, list[str]] = defaultdict(list)
        for test in self.measured.seconds:
            by_file[test.split("::")[0]].append(test)
        for path, file in self.files.items():
            # coverage knows a file by its own place, also where it was imported through a link
            self.measured.reached[path] = {
                line: {
                    test
                    for context in contexts
                    for test in (by_file[context[:-2]] if context.endswith("::") else [context])
                }
                for line, contexts in data.contexts_by_lineno(os.path.realpath(file)).items()
            }

    def _try_all(self, queue: list[Mutant]) -> None:
        waiting = list(reversed(queue))
        running: dict[int, tuple[Mutant, int, float, float]] = {}
        while waiting or running:
            while waiting and len(running) < self.task["jobs"]:
                mutant = waiting.pop()
                tests = self.measured.tests_for(mutant)
                if not tests:
                    self._write(
                        {
                            "id": mutant.id,
                            "outcome": "survived",
                            "by": "",
                            "why": "no test reaches it",
                            "seconds": 0.0,
                        }
                    )
                    continue
                running.update([self._start(mutant, tests)])
            for process, (mutant, reading, begin, limit) in list(running.items()):
                ended, status, used = os.wait4(process, os.WNOHANG)
                late = time.monotonic() - begin > limit
                if not ended and not late:
                    continue
                if not ended:
                    os.kill(process, signal.SIGKILL)
                    _, status, used = os.wait4(process, 0)
                said = os.read(reading, 4096).decode()
                os.close(reading)
                code = os.waitstatus_to_exitcode(status)
                outcome = {0: "survived", 1: "killed"}.get(code, "timeout")
                if code == 0 and said != UNNOTICED:
                    # a mutant that ends the process hasn't come through the tests
                    outcome, said = "killed", said or "the process ended by itself"
                if code == 1 and not said:
                    # it ended before any test: nobody noticed anything
                    self._write({"broken": [f"{mutant.id}: its process ended before a test"]})
                    del running[process]
                    continue
                said = said.removeprefix(UNNOTICED)
                self._write(
                    {
                        "id": mutant.id,
                        "outcome": outcome,
                        "by": said,
                        "seconds": round(used.ru_utime + used.ru_stime, 2),
                    }
                )
                del running[process]
            time.sleep(0.003)

    def _start(
        self, mutant: Mutant, tests: list[str]
    ) -> tuple[int, tuple[Mutant, int, float, float]]:
        needed = STARTING + ALLOWED * sum(map(self.measured.cost, tests))
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            code = 1
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (int(needed) + 1, int(needed) + 2))
                resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
                quiet = os.open(os.devnull, os.O_WRONLY)
                os.dup2(quiet, 1)
                os.dup2(quiet, 2)
                noticed = self._noticed(mutant, tests)
                os.write(writing, (noticed or UNNOTICED).encode()[:4000])
                code = 1 if noticed else 0
            finally:
                os._exit(code)
        os.close(writing)
        return process, (mutant, reading, time.monotonic(), 300 + 20 * needed)

    def _noticed(self, mutant: Mutant, tests: list[str]) -> str | None:
        """In a child: the test that notices the mutant; None if none does."""
        source, file = self.sources[mutant.path], self.files[mutant.path]
        mutated = mutant.applied(source)
        if mutant.scope and exchange(source, mutated, file, self.functions):
            forget()
            chosen = [self.items[test] for test in tests]
            for item, following in zip(chosen, [*chosen[1:], None], strict=True):
                if any(
                    report.failed for report in runtestprotocol(item, log=False, nextitem=following)
                ):
                    return item.nodeid
            if AT_IMPORT not in self._contexts(mutant):
                return None
        try:
            import_anew(module_name(mutant.path), mutated, file)
        except Exception as error:
            return f"import: {type(error).__name__}"
        seen = _Seen()
        # whole functions: a mutant may rename the parameters of a test
        functions = list(dict.fromkeys(test.split("[")[0] for test in tests))
        # the package is imported, and brings a plugin; as an error the warning would end the session
        again = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
        ended = pytest.main(["-x", *OPTIONS, *again, *functions], plugins=[seen])
        return None if ended == pytest.ExitCode.OK else seen.failed or f"exit {int(ended)}"

    def _contexts(self, mutant: Mutant) -> set[str]:
        return self.measured.reached[mutant.path].get(mutant.line, set())

    def _write(self, entry: dict[str, Any]) -> None:
        with self.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


class _Seen:
    """Remembers which test failed."""

    failed = ""

    def pytest_collection(self) -> None:
        _do_not_shrink()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _do_not_shrink() -> None:
    """A mutant is noticed or not; how small its counterexample can be is of no interest here."""
    from hypothesis import Phase, settings

    settings.register_profile(
        "mutation", parent=settings.default, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutation")


def main(task_file: str, results: str) -> int:
    """Run the task: {"modules": [...], "tests": [...], "ids": [...] or null, "jobs": n}."""
    root = Path.cwd()
    task = json.loads(Path(task_file).read_text(encoding="utf-8"))
    tracer = coverage.Coverage(
        data_file=None,
        include=[os.path.realpath(root / path) for path in task["modules"]],
        config_file=False,
    )
    tracer.start()
    tracer.switch_context(AT_IMPORT)
    return pytest.main(
        [*OPTIONS, *task["tests"]], plugins=[Session(root, tracer, task, Path(results))]
    )


if __name__ == "__main__":
    os.environ.setdefault("COVERAGE_CORE", "ctrace")
    assert not any(name.split(".")[0] in PACKAGES for name in sys.modules), (
        "coverage starts before the project is imported"
    )
    sys.exit(main(*sys.argv[1:]))
