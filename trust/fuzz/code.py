"""What in the sources could run something that it read: found by reading them, not by trying."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from trust.checkout import ROOT, python_files

FOLDERS = (ROOT / "altpg_verify", ROOT / "trust")
RUNS_WHAT_IT_READS = {
    *("pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml"),
    *("jsonpickle", "pandas"),
}
"""Modules whose readers can run what a file says."""
CALLS = {"eval", "exec", "compile", "__import__"}

GENERATES = {
    "altpg_verify/sim/compiled.py": (
        "the one line that names the arguments of a user's estimator, to compile it"
    ),
    "altpg_verify/sim/online/vectors.py": "the project's own vector functions, unrolled",
    "altpg_verify/audit/workers.py": (
        "the update of this very process, on its way to the workers of a Dask cluster"
    ),
    "altpg_verify/stale_sources.py": (
        "the user's own modules, compiled and unmarshalled to be compared with what was loaded"
    ),
    "altpg_verify/audit/sourced.py": (
        "the user's own function with one edit in its source, to audit what the edit would mend"
    ),
    "altpg_verify/untrusted/condition_syntax.py": (
        "the user's own function with observers at its conditions, which run as it runs"
    ),
    "trust/hostile/forged_findings.py": (
        "a hostile program of the red team's own: a finding that was pickled on the way"
    ),
    "trust/hostile/tricks_values.py": "a hostile program of the red team's own",
    "trust/hostile/tricks_unseen.py": "the same: functions with builtins of their own",
    "trust/hostile/tricks_registries.py": "the same: functions for numba",
    "trust/hostile/tricks_settings.py": "the same: code that says it stands elsewhere",
    "trust/hostile/tricks_fields.py": "the same: fields by name, and what a pickler remembers",
    "trust/hostile/edited.py": "the same: results that were edited in a pickle of its own",
    "trust/fuzz/damage.py": "makes the pickles that must not be read",
}
"""Files that may, and what they do; none of them reads a file of data."""


def risky(folders: Sequence[Path] = FOLDERS) -> Iterator[str]:
    """Every place outside of `GENERATES` that could run what it reads, as `file:line: what`."""
    for folder in folders:
        for path in python_files(folder):
            name = path.relative_to(folder.parent).as_posix()
            if name not in GENERATES and not name.startswith("trust/mutation/"):
                yield from (
                    f"{name}:{line}: {what}"
                    for line, what in _in(ast.parse(path.read_text(encoding="utf-8")))
                )


def _in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names]
            )
            yield from (
                (node.lineno, f"imports {name}")
                for name in names
                if name.split(".")[0] in RUNS_WHAT_IT_READS
            )
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            allowed = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            if called in CALLS:
                yield node.lineno, f"calls {called}"
            elif (
                called.endswith(("np.load", "numpy.load", "read_array"))
                and allowed.get("allow_pickle") != "False"
            ):
                yield node.lineno, f"calls {called} without allow_pickle=False"
            elif called.endswith("torch.load"):
                yield node.lineno, f"calls {called}"
