"""The part of `python -m trust`: a share of the tests in each setting, and the same results in all
of them.

Each setting runs another share of the test files, `trial.share`, chosen by a digest of the file's
name; over all settings that is one in `THIN` of them. The whole suite in one setting is `python -m
trust.everywhere SETTING`; what that gave is kept, with date and code. A sample makes no
environments: it runs the commands and compares the results in the interpreter and the checkout that
it is started in.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from trust import record
from trust.everywhere import interpreters
from trust.everywhere.matrix import (
    ENVIRONMENTS,
    PYTHONS,
    SURROUNDINGS,
    Environment,
    Setting,
    Surroundings,
    settings,
)
from trust.everywhere.packages import ROOT, NotHad, build, environment
from trust.everywhere.trial import Tried, files, share, tried
from trust.figures import Figure, Outcome, Part, Say

NAME = "everywhere"
THIN = 3
"""The time that a part may take is enough for one test file in so many."""

TESTS = 2000
"""Fewer tests than this, over all settings, would be no trial."""

SAMPLED = ("formulas", "figure")
"""What a sample compares: what needs nothing compiled."""

Attempt = Callable[[], Tried]


def run(sample: bool, say: Say) -> Outcome:
    """Try the settings."""
    with tempfile.TemporaryDirectory() as folder:
        return _sample(Path(folder), say) if sample else _full(Path(folder), say)


def _sample(folder: Path, say: Say) -> Outcome:
    here = Environment(f"{sys.version_info.major}.{sys.version_info.minor}", "here")
    around = [Surroundings(), *(each for each in SURROUNDINGS if each.variables)]
    attempts: dict[str, Attempt] = {}
    for wanted in around:
        name = Setting(here, wanted).name
        place = folder / name
        place.mkdir()
        attempts[name] = _attempt(Path(sys.executable), ROOT, wanted, (), place, SAMPLED)
    done, missing = together(attempts, say)
    return outcome(done, missing, declared=len(around))


def _full(folder: Path, say: Say) -> Outcome:
    commands = {python: found for python in PYTHONS if (found := interpreters.find(python))}
    chosen = settings(list(commands))
    if not chosen:
        raise BadInput(
            f"none of Python {', '.join(PYTHONS)} is on the path with what makes environments"
        )
    begin = time.perf_counter()
    built = build(folder)
    say(f"built {built.wheel.name}")
    wanted = list(dict.fromkeys(setting.environment for setting in chosen))
    pythons, missing, broken = environments(wanted, commands, built.wheel, folder, say)
    prepared = time.perf_counter() - begin
    attempts: dict[str, Attempt] = {}
    names = files(built.source)
    for number, setting in enumerate(chosen):
        if setting.environment in pythons:
            place = folder / setting.name
            place.mkdir()
            part = share(names, number, THIN * len(chosen))
            attempts[setting.name] = _attempt(
                pythons[setting.environment], built.source, setting.surroundings, part, place
            )
    done, unavailable = together(attempts, say)
    for setting in chosen:
        if setting.environment in broken:
            done[setting.name] = Tried(failures=[broken[setting.environment]])
    missing = [*absent(list(commands)), *missing, *unavailable]
    details = {"preparation_seconds": round(prepared, 1), "whole": kept_whole()}
    return outcome(done, missing, declared=len(chosen), at_least_tests=TESTS, details=details)


def _attempt(
    python: Path,
    source: Path,
    wanted: Surroundings,
    chosen: Sequence[str],
    folder: Path,
    made: Sequence[str] = (),
) -> Attempt:
    return lambda: tried(python, source, wanted, chosen, folder, made)


def environments(
    wanted: Sequence[Environment], commands: Mapping[str, str], wheel: Path, folder: Path, say: Say
) -> tuple[dict[Environment, Path], list[str], dict[Environment, str]]:
    """Make them, two at a time.

    Returns:
        The interpreters; sentences on environments that can't be had; environments whose packages
        don't go together, and why.
    """
    made: dict[Environment, Path] = {}
    missing: list[str] = []
    broken: dict[Environment, str] = {}

    def make(each: Environment) -> None:
        try:
            made[each] = environment(each, commands[each.python], wheel, folder)
            say(f"environment {each.name}")
        except NotHad as error:
            missing.append(f"not tried: {error}")
        except BadInput as error:
            broken[each] = str(error)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(make, wanted))
    return made, missing, broken


def together(attempts: Mapping[str, Attempt], say: Say) -> tuple[dict[str, Tried], list[str]]:
    """Try settings, two at a time; what each gave, and sentences on those that can't be had."""
    missing: list[str] = []

    def attempt(name: str) -> Tried | None:
        try:
            found = attempts[name]()
        except NotHad as error:
            missing.append(f"not tried: {name}, as it needs {error}")
            return None
        say(f"{name}: {found.tests} tests, {len(found.failures)} failures, {found.seconds:.0f} s")
        return found

    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(attempts, pool.map(attempt, attempts), strict=True))
    return {name: found for name, found in results.items() if found is not None}, missing


def absent(here: Sequence[str]) -> list[str]:
    """A sentence for each declared interpreter that isn't here."""
    return [
        f"not tried: Python {python}, which isn't on this machine"
        for python in PYTHONS
        if python not in here
    ]


def differing(done: Mapping[str, Tried]) -> list[str]:
    """Results that are not the same everywhere, with the settings that differ from the first that
    has them.
    """
    first: dict[str, str] = {}
    found = []
    for setting, each in done.items():
        for name, digest in each.digests.items():
            if first.setdefault(name, digest) != digest:
                found.append(f"{name} in {setting}")
    return found


def outcome(
    done: Mapping[str, Tried],
    missing: Sequence[str],
    *,
    declared: int,
    at_least_tests: int = 0,
    details: Mapping[str, Any] | None = None,
) -> Outcome:
    """The figures.

    Args:
        declared: settings that the matrix has for the interpreters that are here.
    """
    failures = [f"{name}: {failure}" for name, each in done.items() for failure in each.failures]
    differ = differing(done)
    tests = sum(each.tests for each in done.values())
    figures = [
        Figure(
            "settings",
            len(done),
            "settings tried: interpreters, dependencies, surroundings",
            at_least=declared,
        ),
        Figure("failures", len(failures), "failures of tests and commands in them", at_most=0),
        Figure(
            "differing",
            len(differ),
            "results that differ between settings and should not",
            at_most=0,
        ),
    ]
    if at_least_tests:
        figures.append(
            Figure("tests", tests, "tests that ran, over all settings", at_least=at_least_tests)
        )
        figures.append(
            Figure(
                "skipped",
                sum(each.skipped for each in done.values()),
                "of them skipped, for reasons told in the details",
            )
        )
    notes = [*missing, *failures, *(f"differs: {name}" for name in differ)]
    return Outcome(
        tuple(figures),
        tuple(notes),
        {**(details or {}), "settings": {name: each.as_dict() for name, each in done.items()}},
    )


def kept_whole() -> dict[str, Any]:
    """What whole suites gave when they were last run, by setting."""
    entry = record.of_part(record.read(record.KEPT), NAME)
    whole: dict[str, Any] = entry["details"].get("whole", {}) if entry else {}
    return whole


PART = Part(
    NAME,
    f"the tests from the built packages in {len(ENVIRONMENTS)} environments and {len(SURROUNDINGS)}"
    " surroundings",
    run,
)
