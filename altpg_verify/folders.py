"""Where this project's own code lies: the package, and the two folders of a checkout that are
linked into it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_HOME = Path(__file__).resolve().parent


@cache
def own(*names: str) -> tuple[Path, ...]:
    """The package's folder, and those of its subpackages with these names that lie outside it: in a
    checkout, `theory` and `sim`.

    Installed, there are none outside: a folder beside the package, which could be anybody's, is
    never taken for ours.
    """
    return (_HOME, *(folder for name in names if (folder := _linked(name)) is not None))


def _linked(name: str) -> Path | None:
    link = _HOME / name
    if link.is_symlink():
        return link.resolve()
    # where git has no symbolic links it writes their text into a file
    return _HOME.parent / name if link.is_file() else None
