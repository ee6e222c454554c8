"""Runs the blocks of one page in order, in a folder of their own, and compares what they print with
what the page shows.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.docs.pages import ROOT, Block

LONGEST = 240
"""Seconds that a command in a process of its own may take."""


class Differs(AssertionError):
    """A block doesn't do what the page shows."""


def hook(name: str) -> ModuleType:
    """One of the site's own modules, which are in no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "hooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMMANDS = hook("command_lines")
"""Catches the real parsers."""


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in the folder; what was imported from it is forgotten afterwards."""
    before, path = Path.cwd(), sys.path.copy()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        _forget(folder)


def _forget(place: Path) -> None:
    importlib.invalidate_caches()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(place)):
            del sys.modules[name]


class Page:
    """The state of a page while its blocks run: the folder and the names defined so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__page__"}

    def run(self, block: Block) -> None:
        """Do what the block says.

        Raises:
            Differs: it prints something else, or exits with another code, than the page says.
        """
        if block.file:
            self._write(block)
        elif block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)
        elif block.language == "pycon":
            self._prompt(block)
        for command, shown in block.commands:
            if block.options_only:
                read_options(command)
            else:
                self._command(block, command, shown)

    def _write(self, block: Block) -> None:
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        _forget(path)
        path.write_text(block.text, encoding="utf-8")

    def _prompt(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, self.names, f"line {block.line}", None, 0
        )
        said = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        if runner.run(test, out=said.write, clear_globs=False).failed:
            raise Differs(said.getvalue())
        self.names |= test.globs

    def _command(self, block: Block, command: str, shown: str) -> None:
        status, printed = perform(command, self.folder)
        if status != block.status:
            raise Differs(
                f"line {block.line}: {command} exits with {status}, not {block.status}:\n{printed}"
            )
        if shown and not agrees(shown, printed):
            raise Differs(
                f"line {block.line}: {command} prints\n{printed}\nand the page shows\n{shown}"
            )


def perform(command: str, folder: Path) -> tuple[int, str]:
    """Exit code and standard output; commands of this project run in this process, which spares
    them the imports.
    """
    words = shlex.split(command)
    if words[:2] == ["python", "-m"] and words[2] in COMMANDS.MODULES:
        main = importlib.import_module(COMMANDS.MODULES[words[2]]).main
        with (
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(io.StringIO()) as err,
        ):
            status = main(words[3:])
        return status, out.getvalue() or err.getvalue()
    if words[0] == "pytest":
        words = ["python", "-m", "pytest", "-p", "no:cacheprovider", *words[1:]]
    if words[0] != "python":
        raise Differs(
            f"{command}: say how to check it; nothing but python and pytest is run from a page"
        )
    # where CI is set, pytest doesn't shorten its lines, as it does for a reader
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "BUILD_NUMBER")}
    environment = {**kept, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=LONGEST,
        check=False,
    )
    return done.returncode, done.stdout or done.stderr


def agrees(shown: str, printed: str) -> bool:
    """Whether it is the same but for times and rounding errors; a line `...` stands for any
    lines.
    """
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n"
        for line in _steady(shown)
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in _steady(printed))) is not None


def _steady(text: str) -> list[str]:
    text = re.sub(r"\b\d+\.\d+ ?s\b", "TIME", text)
    text = re.sub(r"largest deviation \S+", "largest deviation ROUNDING", text)
    text = re.sub(r"\bsha256:[0-9a-f]{12}\b", "sha256:DIGEST", text)
    return [line.rstrip() for line in text.strip().splitlines()]


def read_options(command: str | Sequence[str], *, unfinished: bool = False) -> None:
    """Hold a command that isn't run against what would read it.

    Args:
        unfinished: in a sentence a command may be named without its arguments.

    Raises:
        Differs: an unknown command, option, extra or path.
    """
    words = shlex.split(command) if isinstance(command, str) else list(command)
    tool = words[0].removeprefix(".venv/bin/")
    if tool in ("python", "python3") and words[1] == "-m":
        _read_module(words[2], words[3:], unfinished)
    elif tool == "pip":
        _read_install(words)
    elif tool == "pytest":
        _read_module("pytest", words[1:])
    elif tool in ("ruff", "mypy", "mkdocs", "apt-get", "coqc", "git", ".", "cd"):
        return
    elif not (ROOT / tool).is_file():
        raise Differs(
            f"{' '.join(words)}: {tool} is neither a known command nor a file of the repository"
        )


def _read_module(name: str, words: Sequence[str], unfinished: bool = False) -> None:
    if name in COMMANDS.MODULES:
        with contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                COMMANDS.parser_of(name).parse_args(words)
            except SystemExit as stop:
                bare = (
                    unfinished
                    and not any(word.startswith("-") for word in words)
                    and "are required" in said.getvalue()
                )
                if stop.code and not bare:
                    raise Differs(
                        f"python -m {name} {' '.join(words)}: {said.getvalue()}"
                    ) from None
    elif name == "pytest":
        for word in words:
            if word.startswith("tests/") and not (ROOT / word.split("::")[0]).exists():
                raise Differs(f"pytest {' '.join(words)}: there is no {word}")
    elif importlib.util.find_spec(name) is None:
        raise Differs(f"python -m {name}: there is no such module")


def _read_install(words: Sequence[str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for word in words:
        for extra in re.findall(r"\[([\w,-]+)\]", word):
            if unknown := set(extra.split(",")) - set(extras):
                raise Differs(f"{' '.join(words)}: there is no extra {', '.join(unknown)}")
    if "-c" in words and not (ROOT / words[words.index("-c") + 1]).is_file():
        raise Differs(f"{' '.join(words)}: there is no such file of constraints")
