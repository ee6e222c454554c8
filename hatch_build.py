"""A wheel without `altpg_verify.sim` and `altpg_verify.theory` is never built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Links(BuildHookInterface):
    """Looks whether the two links into the package are links: where git has none, it writes small
    text files.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Stop, unless the folders are there or the build is an editable one, which needs none."""
        lost = [
            name
            for name in ("sim", "theory")
            if not (Path(self.root) / "altpg_verify" / name).is_dir()
        ]
        if lost and version != "editable":
            raise RuntimeError(
                f"altpg_verify/{lost[0]} isn't a folder: git wrote a text file for a symbolic link;"
                " run `git config core.symlinks true` and check out again"
            )
