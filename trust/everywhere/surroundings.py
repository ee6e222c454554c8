"""Time zone, locale, hash seed, folder, a home that can't be written: the process of a setting,
made so.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

from trust.everywhere.matrix import Surroundings
from trust.everywhere.packages import NotHad

PACKAGE = "altpg_verify"
UNWANTED = (".*_cache", ".git", ".hypothesis", ".venv", "__pycache__", "results", "site", "dist")
SHARED = ("PATH", "LANG", "TMPDIR", "SSL_CERT_FILE", "SYSTEMROOT", "LD_LIBRARY_PATH")
WRITABLE = 97
"""The exit code of the launcher when the home can be written after all."""

LAUNCHER = f"""
import ctypes, os, sys
if os.geteuid() == 0:
    # the superuser ignores modes, unless it gives that up: PR_CAPBSET_DROP of CAP_DAC_OVERRIDE
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)
probe = ("import os, sys\\n"
    "try: open(os.path.join(os.environ['HOME'], 'probe'), 'w').close()\\n"
    "except OSError: os.execv(sys.argv[1], sys.argv[1:])\\n"
    "sys.exit({WRITABLE})")
os.execv(sys.executable, [sys.executable, "-c", probe, *sys.argv[1:]])
"""


def variables(wanted: Surroundings, folder: Path) -> dict[str, str]:
    """The environment variables of a setting, and few others.

    Args:
        folder: for a home, and for a locale that has to be made.

    Raises:
        NotHad: the locale isn't here and can't be made.
    """
    home = folder / "home"
    home.mkdir(exist_ok=True)
    made = {name: os.environ[name] for name in SHARED if name in os.environ} | wanted.variables
    made |= {"HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    language = wanted.variables.get("LC_ALL", "C")
    if language not in ("C", "POSIX"):
        made |= _locale(language, folder)
    return made


def _locale(language: str, folder: Path) -> dict[str, str]:
    """Make the locale: it is seldom installed, and its sources often are."""
    if shutil.which("localedef") is None:
        raise NotHad(f"the locale {language}: there is no localedef")
    name, _, encoding = language.partition(".")
    done = subprocess.run(
        ["localedef", "-i", name, "-f", encoding, str(folder / language)],
        capture_output=True,
        text=True,
        check=False,
    )
    if not (folder / language).is_dir():
        raise NotHad(
            f"the locale {language}:"
            f" {(done.stderr or 'localedef made nothing').strip().splitlines()[-1]}"
        )
    return {"LOCPATH": str(folder)}


def launcher(python: Path, wanted: Surroundings) -> list[str]:
    """How a process of the setting starts: the interpreter, after permissions were given up where
    they have to be.
    """
    return [str(python), "-c", LAUNCHER, str(python)] if wanted.sealed else [str(python)]


@contextlib.contextmanager
def laid_out(source: Path, wanted: Surroundings, folder: Path) -> Iterator[Path]:
    """A copy of the source archive for one setting, in the folder's name that it asks for; sealed
    if so wanted, and gone afterwards.
    """
    place = folder / wanted.folder
    shutil.copytree(source, place, symlinks=True, ignore=shutil.ignore_patterns(*UNWANTED))
    if wanted.installed:
        # what is imported is then the wheel's
        shutil.rmtree(place / PACKAGE)
    closed = (
        [folder / "home", place, *(path for path in place.rglob("*") if path.is_dir())]
        if wanted.sealed
        else []
    )
    try:
        for path in closed:
            path.chmod(stat.S_IRUSR | stat.S_IXUSR)
        yield place
    finally:
        for path in closed:
            path.chmod(stat.S_IRWXU)
        shutil.rmtree(place)
