"""Run both solvers on a query, each in a process that is killed when its time is up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from altpg_verify.certificate_kinds import certificate_kind

NAMES = ("z3", "cvc5")
SECONDS = 20.0
"""What a query may take; those in this folder need less than one."""
FOLDER = Path(__file__).parent


_HEARD: dict[tuple[str, str], str] = {}
"""What a solver answered to a text in this process, if it was "unsat"."""


@certificate_kind
@dataclass(frozen=True)
class Agreement:
    """What each solver said of one query.

    Args:
        query: its name.
        text: the query itself, as SMT-LIB.
        answers: (solver, answer) pairs, for readers; `recheck` believes none of them.
    """

    query: str
    text: str
    answers: tuple[tuple[str, str], ...]

    def recheck(self) -> bool:
        """Both solvers find the text unsatisfiable; one that hasn't answered it in this process is
        asked again.
        """
        return all(_unsatisfiable(name, self.text) for name in NAMES)

    def __str__(self) -> str:
        return f"{self.query} ({', '.join(f'{name}: {answer}' for name, answer in self.answers)})"


def missing() -> list[str]:
    """The solvers whose Python package isn't installed; with one missing, nothing is proved here,
    as a claim takes both.
    """
    return [name for name in NAMES if find_spec(name) is None]


def ask(queries: Sequence[Path], seconds: float = SECONDS) -> list[Agreement]:
    """Both solvers on each query, two at a time.

    Each pair of query and solver runs in a process of its own, so that a solver that hangs or
    exhausts its memory harms no other.

    Args:
        queries: paths of SMT-LIB files that are unsatisfiable if their claim is true.
        seconds: of wall-clock time for each pair.
    Returns:
        One `Agreement` a query, in their order, whatever the solvers said.
    """
    pairs = [(query, name) for query in queries for name in NAMES]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda pair: answer(pair[1], pair[0], seconds), pairs))
    found = iter(answers)
    return [
        Agreement(
            query.stem,
            query.read_text(encoding="utf-8"),
            tuple((name, next(found)) for name in NAMES),
        )
        for query in queries
    ]


def _unsatisfiable(name: str, text: str) -> bool:
    if (name, text) not in _HEARD and find_spec(name) is not None:
        with TemporaryDirectory() as folder:
            query = Path(folder) / "again.smt2"
            query.write_text(text, encoding="utf-8")
            answer(name, query)
    return _HEARD.get((name, text)) == "unsat"


def answer(name: str, query: Path, seconds: float = SECONDS) -> str:
    """What one solver says of one query: sat, unsat or unknown; "no answer in ... s" if it had to
    be stopped, or the last line of what went wrong.

    The solver is a Python package that runs in a process of its own, as neither z3 nor cvc5 keeps
    to a limit of time in every tactic. Only a plain "unsat" is remembered for `Agreement.recheck`.
    """
    text = query.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "altpg_verify.theory.smt.solve", name, str(query)]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd=FOLDER.parents[2],
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds:g} s"
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    if done.returncode == 0 and lines == ["unsat"]:
        _HEARD[name, text] = "unsat"
    return lines[-1] if lines else f"stopped with code {done.returncode}"
