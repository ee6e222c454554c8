"""The real argument parsers of the commands, and their help as a page."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from importlib import import_module
from unittest import mock

MODULES = {
    "altpg_verify": "altpg_verify.__main__",
    "altpg_verify.report": "altpg_verify.report.__main__",
    "altpg_verify.theory": "altpg_verify.theory.__main__",
    "altpg_verify.sim": "altpg_verify.sim.__main__",
    "altpg_verify.sim.large": "altpg_verify.sim.large.__main__",
    "trust": "trust.__main__",
}
"""What follows `python -m` -> the module whose `main(arguments)` that runs."""


class _Reached(Exception):
    pass


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser that `python -m command` builds, caught when it is about to read the arguments."""
    caught: list[argparse.ArgumentParser] = []

    def read(self: argparse.ArgumentParser, *_: object) -> None:
        caught.append(self)
        raise _Reached

    with (
        mock.patch.object(argparse.ArgumentParser, "parse_args", read),
        contextlib.suppress(_Reached),
    ):
        import_module(MODULES[command]).main([])
    return caught[0]


def page() -> str:
    """Every command with its help, word for word."""
    parts = [
        "# Commands\n\nThe words are those of `--help`, taken from the parsers when this site was"
        " built. "
    ]
    parts.append("Exit codes: 0 as it should be, 1 not, 2 unusable input, told in one line.\n\n")
    parts.append(
        "On a terminal lines are wrapped to its width, verdicts are coloured, and what takes longer"
        " than a second says what it does. Into a pipe or a file goes one fact a line, without"
        " colour. `NO_COLOR=1` turns colour off, `FORCE_COLOR=1` on; `COLUMNS=80` wraps"
        " everywhere.\n"
    )
    for command in MODULES:
        for name, parser in with_subcommands(parser_of(command)):
            depth = "##" if name == f"python -m {command}" else "###"
            parts.append(f"\n{depth} `{name}`\n\n```text\n{_help(parser)}\n```\n")
    return "".join(parts)


def with_subcommands(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield parser.prog, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from with_subcommands(sub)


def _help(parser: argparse.ArgumentParser) -> str:
    # as wide on every terminal
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=80)
    return parser.format_help().strip()
