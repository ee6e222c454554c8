"""The tests and the commands of one setting, and what they gave."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from trust.everywhere import digests, ordering
from trust.everywhere.matrix import Surroundings
from trust.everywhere.packages import NotHad
from trust.everywhere.surroundings import WRITABLE, laid_out, launcher, variables

COMMANDS = (
    ("-m", "altpg_verify", "laws"),
    ("-O", "-m", "altpg_verify", "check", "altpg_verify.estimators", "--only", "unbiased"),
    ("-m", "altpg_verify.sim", "list"),
)
"""Each has to end with 0; with -O there are no asserts."""

REPORT = "tests.xml"
"""What pytest says of the tests of a setting, in its folder."""

_PATIENCE = 3600.0
_NO_TESTS = 5


@dataclass
class Tried:
    """What a setting gave.

    Attributes:
        tests, skipped: how many tests ran, and how many of them were skipped.
        reasons: why they were skipped -> how many.
        failures: names of tests that failed, and commands that didn't end well with their last
            line.
        digests: of what has to be the same everywhere.
        seconds: from beginning to end.
    """

    tests: int = 0
    skipped: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "seconds": round(self.seconds, 1)}


def files(source: Path) -> list[str]:
    """The test files of an unpacked source archive, sorted by name."""
    return sorted(
        path.relative_to(source).as_posix() for path in (source / "tests").rglob("test_*.py")
    )


def share(names: Sequence[str], part: int, parts: int) -> list[str]:
    """One of disjoint shares that together are all names; which, is decided by a digest of the
    name, not by its neighbours.
    """
    return [
        name for name in names if int(hashlib.sha256(name.encode()).hexdigest(), 16) % parts == part
    ]


def tried(
    python: Path,
    source: Path,
    wanted: Surroundings,
    chosen: Sequence[str],
    folder: Path,
    made: Sequence[str] = (),
) -> Tried:
    """Run the commands, the digests and these test files.

    Args:
        python: the interpreter of the environment.
        source: the unpacked source archive.
        chosen: test files, relative to it.
        folder: an empty one for this setting.
        made: digests to make; all if empty.

    Raises:
        NotHad: the surroundings can't be made here.
    """
    begin = time.perf_counter()
    found = Tried()
    surroundings = variables(wanted, folder)
    start = launcher(python, wanted)
    with laid_out(source, wanted, folder) as place:
        for command in COMMANDS:
            _run([*start, *command], place, surroundings, found)
        told = _run(
            [*start, digests.__file__, *made], place, surroundings | _path(wanted, place), found
        )
        found.digests = json.loads(told.stdout) if told is not None else {}
        if chosen:
            _test(start, place, surroundings, wanted, chosen, folder, found)
    found.seconds = time.perf_counter() - begin
    return found


def _path(wanted: Surroundings, place: Path) -> dict[str, str]:
    # a script by path doesn't look into the folder it is started from
    return {} if wanted.installed else {"PYTHONPATH": str(place)}


def _run(
    command: list[str], place: Path, surroundings: dict[str, str], found: Tried
) -> subprocess.CompletedProcess[str] | None:
    done = _process(command, place, surroundings)
    if done.returncode == 0:
        return done
    last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no word"]
    found.failures.append(
        f"{' '.join(Path(word).name for word in command if chr(10) not in word)}: exit code"
        f" {done.returncode}, {last[0]}"
    )
    return None


def _process(
    command: list[str], place: Path, surroundings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    try:
        done = subprocess.run(
            command,
            cwd=place,
            env=surroundings,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"no end after {_PATIENCE:.0f} s")
    if done.returncode == WRITABLE:
        raise NotHad("a home that can't be written: this user may write everywhere")
    return done


def _test(
    start: list[str],
    place: Path,
    surroundings: dict[str, str],
    wanted: Surroundings,
    chosen: Sequence[str],
    folder: Path,
    found: Tried,
) -> None:
    report = folder / REPORT
    plugin = Path(ordering.__file__)
    added = {"PYTHONPATH": str(plugin.parent)} | (
        {} if wanted.order is None else {"ALTPG_VERIFY_ORDER": str(wanted.order)}
    )
    spread = ["-n", str(wanted.workers), "--dist", "load"] if wanted.workers else []
    command = [
        *start,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        "-p",
        plugin.stem,
        f"--junitxml={report}",
        *spread,
    ]
    # a file that can't be collected is an error, and the others run nevertheless
    done = _process(
        [*command, "--continue-on-collection-errors", *chosen], place, surroundings | added
    )
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        cases = []
    failed = [
        case for case in cases if case.find("failure") is not None or case.find("error") is not None
    ]
    found.tests += len(cases)
    skips = [skip for case in cases if (skip := case.find("skipped")) is not None]
    found.skipped += len(skips)
    found.reasons = dict(sorted(Counter(map(_reason, skips)).items()))
    found.failures += sorted({f"{case.get('classname')}::{case.get('name')}" for case in failed})
    if done.returncode not in (0, _NO_TESTS) and not failed:
        last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["no word"]
        found.failures.append(f"pytest: exit code {done.returncode}, {last[0]}")


def _reason(skip: ElementTree.Element) -> str:
    # of a file that is skipped as a whole, the report has the reason in a tuple with its place
    of_a_file = re.search(r"Skipped: (.*)['\"]\)$", skip.text or "", re.DOTALL)
    return of_a_file[1] if of_a_file else skip.get("message", "")
