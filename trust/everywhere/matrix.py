"""The settings, declared beforehand: first environments by themselves, then surroundings, each in
one of the environments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

PYTHONS = ("3.11", "3.12", "3.13")
"""The interpreters that pyproject.toml names."""


@dataclass(frozen=True)
class Environment:
    """An interpreter with dependencies.

    Attributes:
        python: such as "3.12".
        dependencies: `pinned` (constraints.txt), `newest` (what the index has today) or `oldest`
            (the lower bounds of pyproject.toml).
    """

    python: str
    dependencies: str

    @property
    def name(self) -> str:
        """For people and for folders."""
        return f"{self.python}-{self.dependencies}"


@dataclass(frozen=True)
class Surroundings:
    """What is around the tests and should not matter.

    Attributes:
        name: short and stable.
        variables: of the process.
        order: seed of a random order of files and of tests in a file; None for the usual one.
        workers: processes among which single tests are spread, not whole files; 0 for none.
        sealed: the home and the package's own folder can't be written.
        installed: only the wheel has the packages; else the unpacked source archive comes first, as
            in a checkout.
        folder: in which the tests lie.
    """

    name: str = "plain"
    variables: dict[str, str] = field(default_factory=dict)
    order: int | None = None
    workers: int = 0
    sealed: bool = False
    installed: bool = True
    folder: str = "tests"


@dataclass(frozen=True)
class Setting:
    """One cell of the matrix."""

    environment: Environment
    surroundings: Surroundings

    @property
    def name(self) -> str:
        """As given on the command line."""
        return f"{self.environment.name}-{self.surroundings.name}"


ENVIRONMENTS = (
    Environment("3.11", "oldest"),
    Environment("3.13", "newest"),
    *(Environment(python, "pinned") for python in PYTHONS),
)

SURROUNDINGS = (
    Surroundings("shuffled", order=1),
    Surroundings("shuffled-again", order=2, workers=2),
    Surroundings("sealed", {"PYTHONHASHSEED": "1"}, sealed=True, installed=False),
    Surroundings(
        "nepal-turkish", {"TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "4242"}
    ),
    Surroundings(
        "samoa-ascii",
        {"TZ": "Pacific/Apia", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        installed=False,
    ),
    Surroundings("odd-folder", folder="ein Ordner, größer als π"),
)


def settings(here: Sequence[str]) -> list[Setting]:
    """The settings that can be tried with these interpreters: surroundings go round the
    environments, so none depends on one interpreter.

    Args:
        here: interpreters that are here, of `PYTHONS`.
    """
    possible = [environment for environment in ENVIRONMENTS if environment.python in here]
    alone = [Setting(environment, Surroundings()) for environment in possible]
    around = [
        Setting(possible[(2 + i) % len(possible)], surroundings)
        for i, surroundings in enumerate(SURROUNDINGS)
        if possible
    ]
    return alone + around
