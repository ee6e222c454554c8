"""The wheel and the source archive as they would be released, and environments made for them."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from altpg_verify.errors import BadInput
from trust.checkout import ROOT
from trust.everywhere.matrix import Environment
from trust.record import KEPT

FOLDER = "ALTPG_VERIFY_ENVIRONMENTS"
"""The variable that names a folder in which environments are kept from one run to the next."""

FOR_TESTS = ("pikepdf", "pytest-xdist")
"""What tests use of the extra dev."""


class NotHad(BadInput):
    """Something that a setting needs can't be had here; the message says what."""


@dataclass(frozen=True)
class Built:
    """What a release consists of: the wheel, and the unpacked source archive."""

    wheel: Path
    source: Path

    @property
    def code(self) -> str:
        """Which code this is: the version of the project, and a digest of the archive's files but
        the one in which results are kept.
        """
        names = sorted(
            path.relative_to(self.source).as_posix()
            for path in self.source.rglob("*")
            if path.is_file()
        )
        digest = hashlib.sha256()
        for name in names:
            if name != KEPT.relative_to(ROOT).as_posix():
                digest.update(
                    f"{name}\0{hashlib.sha256((self.source / name).read_bytes()).hexdigest()}\n".encode()
                )
        return f"{self.wheel.name.split('-')[1]}, files {digest.hexdigest()[:16]}"


def build(folder: Path) -> Built:
    """Build the source archive from this checkout and the wheel from the archive.

    Raises:
        BadInput: it can't be built; the message ends with the reason.
    """
    done = _run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    if done.returncode:
        raise BadInput(f"the packages can't be built ({_last(done)}); install the extra dev")
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    return Built(wheel, source)


def requirements(dependencies: str) -> list[str]:
    """What pip is asked for, beside the wheel: the declared dependencies, and what runs the tests.

    Args:
        dependencies: `pinned`, `newest` or `oldest`.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(line for line in project["optional-dependencies"]["dev"] if line.startswith(FOR_TESTS)),
    ]
    if dependencies == "oldest":
        return [oldest(line) for line in declared]
    return [*declared, *(["-c", str(ROOT / "constraints.txt")] if dependencies == "pinned" else [])]


def oldest(requirement: str) -> str:
    """The lowest version that a declared requirement allows: `a>=1.2` and `a==1.2.*` give `a==1.2`.

    Raises:
        BadInput: it allows any.
    """
    found = re.fullmatch(r"([A-Za-z0-9_-]+)(?:>=|==)(\d+(?:\.\d+)*)(?:\.\*)?", requirement)
    if not found:
        raise BadInput(f"pyproject.toml: {requirement!r} has no lower bound; write name>=version")
    return f"{found[1]}=={found[2]}"


def environment(wanted: Environment, interpreter: str, wheel: Path, folder: Path) -> Path:
    """The interpreter of a virtual environment with the wheel and the dependencies; one that was
    kept is used again.

    Args:
        folder: for temporary environments, unless the variable `FOLDER` names another.

    Raises:
        NotHad: the index doesn't have the packages.
        BadInput: they can't be installed together.
    """
    asked = requirements(wanted.dependencies)
    made_of = "\n".join(
        [
            *asked,
            (
                (ROOT / "constraints.txt").read_text(encoding="utf-8")
                if wanted.dependencies == "pinned"
                else ""
            ),
        ]
    )
    place = (
        Path(os.environ.get(FOLDER) or folder)
        / f"{wanted.name}-{hashlib.sha256(made_of.encode()).hexdigest()[:8]}"
    )
    python, ready = place / "bin" / "python", place / "ready"
    if not ready.exists():
        for command in (
            [interpreter, "-m", "venv", "--clear", str(place)],
            [*_pip(python), *asked],
        ):
            _must(command, wanted)
        ready.touch()
    _must([*_pip(python), "--no-deps", "--force-reinstall", str(wheel)], wanted)
    # the wheel's own metadata has to agree with what was installed
    _must([str(python), "-m", "pip", "check"], wanted)
    return python


def _pip(python: Path) -> list[str]:
    return [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
    ]


def _must(command: list[str], wanted: Environment) -> None:
    done = _run(*command)
    if done.returncode == 0:
        return
    if re.search(
        r"No matching distribution|ConnectionError|NewConnectionError|ReadTimeout",
        done.stdout + done.stderr,
    ):
        raise NotHad(f"{wanted.name}: {_last(done)}")
    raise BadInput(f"{wanted.name} can't be set up: {_last(done)}")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    variables = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME")
    }
    return subprocess.run(command, capture_output=True, text=True, check=False, env=variables)


def _last(done: subprocess.CompletedProcess[str]) -> str:
    lines = [
        line
        for line in (done.stdout + done.stderr).splitlines()
        if line.strip() and not line.startswith("WARNING")
    ]
    return lines[-1].strip() if lines else f"exit code {done.returncode}"
