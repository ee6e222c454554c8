"""What was disturbed, and what came of it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from trust.checkout import ROOT, surroundings
from trust.faults.work import digest, torn

PATIENCE = 900.0


@dataclass
class Tally:
    """Counts; several threads add to them.

    Args:
        undisturbed: digest of the results that nothing disturbed.
    """

    undisturbed: str
    counts: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, name: str, number: int = 1, what: str = "") -> None:
        """Add to a count, with an example if there is something to tell."""
        with self.lock:
            self.counts[name] += number
            if number and what:
                self.examples.append(f"{name}: {what[:500]}")

    def note(self, words: str) -> None:
        """Something that was done otherwise or not at all, and why."""
        with self.lock:
            self.notes.append(words)

    def look(self, folder: Path, after: str) -> None:
        """Look for torn files."""
        found = torn(folder)
        self.count("torn", len(found), f"after {after}: {'; '.join(found)}")

    def ended_well(self, folder: Path, after: str) -> None:
        """The sweep is complete, and its files are those of an undisturbed one."""
        self.look(folder, after)
        self.count("compared")
        if digest(folder) != self.undisturbed:
            self.count("differing", 1, f"after {after}")

    def said_why(self, done: subprocess.CompletedProcess[str], expected: str, after: str) -> None:
        """A driver that could not end well ended with code 2 and one line that tells the reason."""
        self.count("faults")
        line = done.stderr.strip().splitlines()
        if done.returncode != 2 or len(line) != 1 or expected not in line[0]:
            self.count("silent", 1, f"{after}: code {done.returncode}, {done.stderr[-300:]!r}")


def command(folder: Path, executor: str = "serial", way: str = "at once") -> list[str]:
    """The arguments of an interpreter that runs a driver."""
    return ["-m", "trust.faults.work", str(folder), executor, way]


def driven(
    folder: Path, executor: str = "serial", way: str = "at once"
) -> subprocess.CompletedProcess[str]:
    """Run a driver to its end."""
    line = [sys.executable, *command(folder, executor, way)]
    return subprocess.run(
        line, cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=PATIENCE
    )


def resumed(tally: Tally, folder: Path, after: str) -> None:
    """Run an undisturbed driver over what is there; then everything must be right."""
    done = driven(folder)
    if done.returncode:
        tally.count(
            "differing", 1, f"resumed after {after}: code {done.returncode}, {done.stderr[-300:]!r}"
        )
        return
    tally.ended_well(folder, after)
