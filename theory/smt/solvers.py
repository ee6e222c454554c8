"""Run both solvers on a query, each in a process that is killed when its time is up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from altpg_verify.judging import certificate_kind

NAMES = ("z3", "cvc5")
SECONDS = 20.0
"""What a query may take; those in this folder need less than one."""
FOLDER = Path(__file__).parent


@certificate_kind
@dataclass(frozen=True)
class Agreement:
    """What each solver said of one query.

    Args:
        query: the name of the SMT-LIB file.
        answers: (solver, answer) pairs.
    """

    query: str
    answers: tuple[tuple[str, str], ...]

    def recheck(self) -> bool:
        """Both solvers answered, and both found the negation unsatisfiable."""
        return dict(self.answers) == dict.fromkeys(NAMES, "unsat")

    def __str__(self) -> str:
        return f"{self.query} ({', '.join(f'{name}: {answer}' for name, answer in self.answers)})"


def missing() -> list[str]:
    """The solvers that aren't installed."""
    return [name for name in NAMES if find_spec(name) is None]


def ask(queries: Sequence[Path], seconds: float = SECONDS) -> list[Agreement]:
    """Both solvers on each query, two at a time."""
    pairs = [(query, name) for query in queries for name in NAMES]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda pair: answer(pair[1], pair[0], seconds), pairs))
    found = iter(answers)
    return [Agreement(query.stem, tuple((name, next(found)) for name in NAMES)) for query in queries]


def answer(name: str, query: Path, seconds: float = SECONDS) -> str:
    """sat, unsat or unknown; "no answer in ... s" if it had to be stopped, or what went wrong."""
    command = [sys.executable, "-m", "altpg_verify.theory.smt.solve", name, str(query)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=FOLDER.parents[2], check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds:g} s"
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return lines[-1] if lines else f"stopped with code {done.returncode}"
