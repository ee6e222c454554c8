"""What a page of the documentation shows: its fenced blocks, what is said of how to check each, and
the commands in its sentences.

A comment before a block says what a test can't see: `<!-- check: slow -->`, `<!-- check: exit 1
-->`, `<!-- check: needs torch -->`, or `<!-- check: options: REASON -->` for what isn't run, but
whose options are read by the real parser.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
MADE_ELSEWHERE = {
    "docs/gallery.md": "made from the gallery's files and held against them by test_gallery_page.py"
}
"""Pages whose blocks another test runs."""

_FENCE = re.compile(
    r"^(?:<!-- check: (?P<say>.*?) -->\n\n?)?^```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_INLINE = re.compile(r"`((?:python -m|pytest) [^`]+)`")
_NAMED = re.compile(r"# ([\w/]+\.(?:py|json))\n")


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        language: as the fence says; python, pycon, console and sh are executed.
        slow: only with `-m slow`.
        status: the exit code that its commands should have.
        needs: a package without which it can't run; empty if none.
        options_only: why its commands aren't run; empty if they are.
    """

    language: str
    text: str
    line: int
    slow: bool = False
    status: int = 0
    needs: str = ""
    options_only: str = ""

    @property
    def file(self) -> str:
        """The file that the block is, if its first line names one."""
        named = _NAMED.match(self.text)
        return named.group(1) if named and self.language == "python" else ""

    @property
    def commands(self) -> list[tuple[str, str]]:
        """(command, output shown) of a console; each line of a script, with its parts."""
        if self.language == "sh":
            return [
                (part.strip(), "") for line in self.text.splitlines() for part in line.split("&&")
            ]
        if self.language != "console":
            return []
        parts = re.split(r"^\$ ", self.text, flags=re.MULTILINE)
        assert not parts[0], f"line {self.line}: a console begins with $, not with {parts[0]!r}"
        return [
            (command, output) for command, _, output in (part.partition("\n") for part in parts[1:])
        ]


def blocks(path: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    return [_block(found, text) for found in _FENCE.finditer(text)]


def _block(found: re.Match[str], text: str) -> Block:
    line = text.count("\n", 0, found.start()) + 1
    said: dict[str, str | int | bool] = {}
    words, _, reason = (found["say"] or "").partition("options: ")
    if reason:
        said["options_only"] = reason
    for word in filter(None, words.split("; ")):
        key, _, value = word.partition(" ")
        match key:
            case "slow":
                said["slow"] = True
            case "exit":
                said["status"] = int(value)
            case "needs":
                said["needs"] = value
            case _:
                raise ValueError(f"line {line}: {word!r} is no way to check a block")
    return Block(found["language"], found["text"], line, **said)  # type: ignore[arg-type]


def inline_commands(path: Path) -> Iterator[list[str]]:
    """The commands in the sentences of a page, as words."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    for found in _INLINE.finditer(text):
        yield shlex.split(found.group(1))


def every_page() -> list[str]:
    """The pages whose blocks are checked, as paths from the repository's root."""
    made = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    return ["README.md", "CONTRIBUTING.md", *(page for page in made if page not in MADE_ELSEWHERE)]
