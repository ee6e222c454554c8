"""python -m trust.mutation GROUP: the mutants of one group by themselves, for whoever writes its
tests.

What is tried is kept in a file, line by line; called again with the same file, it goes on with the
mutants that aren't in it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.screen import say
from altpg_verify.terminal import ended
from trust.mutation.core import GROUPS, copy_to
from trust.mutation.measure import all_mutants, started
from trust.mutation.survivors import explained


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if the tests notice every mutant that isn't explained, 1 if not, 2 if the command can't be
    run.
    """
    parser = argparse.ArgumentParser(
        prog="python -m trust.mutation", description="Try the mutants of one group of modules."
    )
    parser.add_argument("group", metavar="GROUP", help=f"one of {', '.join(GROUPS)}")
    parser.add_argument(
        "--module",
        action="append",
        default=[],
        metavar="PATH",
        help="only mutants of this module; may be repeated",
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th mutant")
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="where to keep what was tried, to go on from there",
    )
    # --help ends the process, which `ended` would take for the judged code's own sys.exit
    options = parser.parse_args(arguments)
    return ended("trust.mutation", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    if options.group not in GROUPS:
        raise BadInput(f"GROUP: there is no group {options.group!r}; there are {', '.join(GROUPS)}")
    if unknown := set(options.module) - set(GROUPS[options.group].modules):
        raise BadInput(
            f"--module: {min(unknown)!r} isn't in the group; it has"
            f" {', '.join(GROUPS[options.group].modules)}"
        )
    if options.every < 1:
        raise BadInput(f"--every: {options.every} must be at least 1")
    with tempfile.TemporaryDirectory(prefix="altpg-mutation-") as folder:
        copy = Path(folder) / "copy"
        copy.mkdir()
        copy_to(copy)
        results = (options.results or Path(folder) / "results.jsonl").resolve()
        group = GROUPS[options.group]
        found = all_mutants(copy, options.module or group.modules)
        ids = [one.id for every in found.values() for one in every][:: options.every]
        waiting = [one for one in ids if one not in tried(results)]
        say(f"{len(waiting)} mutants to try, of {len(ids)}")
        process = started(copy, group, waiting, results, Path(folder) / "task.json")
        try:
            code = process.wait()
        finally:
            process.kill()
        done, entries = tried(results), _entries(results)
    broken = [test for entry in entries for test in entry.get("broken", ())]
    for test in broken:
        say(f"fails on the original: {test}")
    alive = [
        one for one in ids if one in done and done[one] == "survived" and one not in explained()
    ]
    for one in alive:
        say(f"no test notices {one}")
    missing = [one for one in ids if one not in done]
    say(f"{len(ids) - len(missing)} tried, {len(alive)} unexplained, {len(missing)} not tried")
    return 1 if alive or missing or broken or code else 0


def tried(results: Path) -> dict[str, str]:
    """Mutant's id -> outcome, of what is kept in the file."""
    return {entry["id"]: entry["outcome"] for entry in _entries(results) if "outcome" in entry}


def _entries(results: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
        if results.exists()
        else []
    )


if __name__ == "__main__":
    sys.exit(main())
