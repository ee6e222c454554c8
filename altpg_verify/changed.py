"""Check those of the named files that define estimators or updates, for commit hooks and pull
requests.

    python -m altpg_verify.changed FILE... [-- OPTIONS OF CHECK]

A file that makes nothing that can be checked is passed over without being run. Exit code: that of
`check`; 0 if nothing is to be checked.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the user's folder first, where a random.py or sympy.py would stand in for the
    # real one
    sys.path.append(sys.path.pop(0))

import ast
from collections.abc import Sequence
from pathlib import Path

_MAKERS = {
    "estimator",
    "update",
    "loss",
    "from_torch",
    "from_jax",
    "from_function",
    "from_estimator",
}
"""What makes something that can be checked, imported from this package."""


def to_check(files: Sequence[str]) -> list[str]:
    """Those of the files that import a maker of estimators or updates; one that can't be read as
    Python is left for `check` to refuse.
    """
    return [
        file
        for file in files
        if file.endswith(".py") and Path(file).is_file() and _makes(Path(file))
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Files first, then, after `--`, options of `check`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    cut = words.index("--") if "--" in words else len(words)
    files, options = to_check(words[:cut]), words[cut + 1 :]
    if not files:
        print("altpg-verify: no file defines an estimator or an update")
        return 0
    from altpg_verify.__main__ import command

    return command(["check", *files, *options], is_process=arguments is None)


def _makes(path: Path) -> bool:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        # checked if it may be meant: the check then says where it can't be read
        return b"altpg_verify" in path.read_bytes()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "altpg_verify":
            if _MAKERS & {alias.name for alias in node.names}:
                return True
        elif isinstance(node, ast.Import) and any(
            alias.name.split(".")[0] == "altpg_verify" for alias in node.names
        ):
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
