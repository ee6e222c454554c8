"""The figures: every group of modules in a session of its own, two at a time, in a copy of the
repository.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trust.figures import Figure, Outcome, Say
from trust.mutation.core import GROUPS, SAMPLED, Group, copy_to
from trust.mutation.mutants import Mutant, mutants
from trust.mutation.survivors import explained, stale
from trust.mutation.swap import read

OF_EACH = 8
"""Mutants of each module in the sample: those whose ids have the smallest hashes."""
AT_ONCE = 2
SHARE = 0.9
_NAMED = 20
"""Mutants and tests of each sort that are named on the screen."""


def all_mutants(root: Path, modules: Sequence[str]) -> dict[str, list[Mutant]]:
    """The mutants of each module."""
    return {path: mutants(path, read(root, path)) for path in modules}


def drawn(found: Mapping[str, Sequence[Mutant]], of_each: int) -> list[str]:
    """Ids of some mutants of each module, decided by their hashes and by nothing else: an edit
    elsewhere doesn't change the sample.

    Args:
        found: the mutants of each module.
        of_each: how many of each module.
    """
    return [
        one.id
        for path in found
        for one in sorted(
            found[path], key=lambda mutant: hashlib.sha256(mutant.id.encode()).hexdigest()
        )[:of_each]
    ]


def run(sample: bool, say: Say) -> Outcome:
    """All groups in full, or a sample of those whose tests are fast."""
    if importlib.util.find_spec("coverage") is None:
        missing = Figure("tried", 0, "mutants tried", at_least=1)
        return Outcome(
            (missing,),
            (
                (
                    "nothing was tried: which test reaches which line is told by coverage; pip"
                    " install coverage"
                ),
            ),
        )
    with tempfile.TemporaryDirectory(prefix="altpg-mutation-") as folder:
        copy = Path(folder) / "copy"
        copy.mkdir()
        copy_to(copy)
        groups = {name: group for name, group in GROUPS.items() if not sample or name in SAMPLED}
        found = {name: all_mutants(copy, group.modules) for name, group in GROUPS.items()}
        chosen = {name: drawn(found[name], OF_EACH) if sample else None for name in groups}
        results = sessions(copy, groups, chosen, say)
    there = [one.id for modules in found.values() for every in modules.values() for one in every]
    wanted = sum(len(ids) for ids in chosen.values() if ids is not None) if sample else len(there)
    return outcome(there, results, explained(), wanted=wanted)


def sessions(
    copy: Path, groups: Mapping[str, Group], chosen: Mapping[str, list[str] | None], say: Say
) -> list[dict[str, Any]]:
    """What the sessions of the groups wrote, all together; two run at a time.

    Args:
        copy: of the repository, in which they run.
        groups: modules and their tests, by name.
        chosen: for each group the ids to try, None for all.
        say: is told of each session that has ended.
    """
    waiting, files = list(groups), dict[str, Path]()
    running: dict[str, subprocess.Popen[bytes]] = {}
    entries: list[dict[str, Any]] = []
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            name = waiting.pop(0)
            files[name] = copy.parent / f"{name}.jsonl"
            running[name] = started(
                copy, groups[name], chosen[name], files[name], files[name].with_suffix(".task")
            )
        for name, process in list(running.items()):
            if process.poll() is None:
                continue
            del running[name]
            lines = (
                files[name].read_text(encoding="utf-8").splitlines() if files[name].exists() else []
            )
            own = [json.loads(line) for line in lines]
            if process.returncode or not own:
                own.append({"broken": [f"{name}: the session ended with {process.returncode}"]})
            entries += own
            say(f"{name}: {sum('outcome' in entry for entry in own)} mutants tried")
        time.sleep(0.1)
    return entries


def started(
    copy: Path, group: Group, ids: list[str] | None, results: Path, task: Path
) -> subprocess.Popen[bytes]:
    """A session of the group, which writes what it finds to `results` line by line.

    Args:
        copy: of the repository, in which it runs.
        group: modules and their tests.
        ids: the mutants to try; None for all.
        results: a file, JSON by line.
        task: a file to tell it what to do.
    """
    task.write_text(
        json.dumps({"modules": group.modules, "tests": group.tests, "ids": ids, "jobs": 1}),
        encoding="utf-8",
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "COVERAGE_CORE": "ctrace",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "trust.mutation.session", str(task), str(results)]
    return subprocess.Popen(
        command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def outcome(
    there: Sequence[str],
    entries: Sequence[Mapping[str, Any]],
    reasons: Mapping[str, str],
    *,
    wanted: int,
) -> Outcome:
    """The figures from what the sessions wrote.

    Args:
        there: ids of all mutants of the core.
        entries: one for each mutant tried, and one for each session.
        reasons: the kept explanations.
        wanted: how many were to be tried.
    """
    broken = [test for entry in entries for test in entry.get("broken", ())]
    tried = {entry["id"]: entry for entry in entries if "outcome" in entry}
    noticed = [mutant for mutant, entry in tried.items() if entry["outcome"] != "survived"]
    late = [mutant for mutant, entry in tried.items() if entry["outcome"] == "timeout"]
    alive = [mutant for mutant, entry in tried.items() if entry["outcome"] == "survived"]
    unexplained = [mutant for mutant in alive if mutant not in reasons]
    useless = stale(reasons, there, noticed)
    counted = len(tried) - sum(mutant in reasons for mutant in alive)
    figures = (
        Figure("tried", len(tried), f"mutants tried, of {len(there)}", at_least=wanted),
        Figure(
            "noticed",
            len(noticed) / len(tried) if tried else 0.0,
            "of them noticed by a test, as a share",
            at_least=SHARE,
        ),
        Figure(
            "noticed or explained",
            len(noticed) / counted if counted else 0.0,
            "noticed, as a share of those that aren't explained",
        ),
        Figure("unexplained", len(unexplained), "survivors without an explanation", at_most=0),
        Figure(
            "useless explanations",
            len(useless),
            "explanations of mutants that are noticed, or that there aren't",
            at_most=0,
        ),
        Figure("broken", len(broken), "tests that fail on the original", at_most=0),
        Figure("out of time", len(late), "noticed by the time they took, not by a test"),
    )
    details = {
        "modules": _by_module(tried, reasons),
        "survivors": [
            {"mutant": mutant, "why": reasons.get(mutant, "not explained")} for mutant in alive
        ],
        "useless explanations": useless,
        "broken": broken,
    }
    # a sample keeps no details: what is to be looked at stands in its log
    notes = [f"no test notices {mutant}" for mutant in unexplained[:_NAMED]]
    notes += [f"to be taken out of survivors.json: {mutant}" for mutant in useless[:_NAMED]]
    notes += [f"fails on the original: {test}" for test in broken[:_NAMED]]
    return Outcome(figures, tuple(notes), details)


def _by_module(
    tried: Mapping[str, Mapping[str, Any]], reasons: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = {}
    for mutant, entry in tried.items():
        row = table.setdefault(
            mutant.split("::")[0], {"tried": 0, "noticed": 0, "out of time": 0, "explained": 0}
        )
        row["tried"] += 1
        row["noticed"] += entry["outcome"] != "survived"
        row["out of time"] += entry["outcome"] == "timeout"
        row["explained"] += entry["outcome"] == "survived" and mutant in reasons
    for row in table.values():
        row["share"] = round(row["noticed"] / row["tried"], 4)
    return table
