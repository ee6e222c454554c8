"""Reading and writing files: whole or not at all, no more than expected, and every failure in one
sentence.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput

LARGEST = 256_000_000
"""Bytes; no file that the package reads is larger, so larger ones are not read."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def write_whole(path: Path, content: bytes, argument: str, *, inside: Path | None = None) -> None:
    """Write beside the file, flush to disk, then rename over it: a reader sees the old content or
    the new, never a part.

    A device or a pipe, such as /dev/null or /dev/stdout, is written to and not replaced.

    Args:
        inside: a folder that the file must end up in, wherever symbolic links and `..` on the way
            to it lead; it holds ordinary files only.

    Raises:
        BadInput: the folder can't be written, or is elsewhere; the message names the argument that
            gave the path.
    """
    if inside is None and _is_special(path):
        _write_through(path, content, argument)
        return
    try:
        if inside is not None and not path.parent.resolve().is_relative_to(inside.resolve()):
            raise BadInput(
                f"{argument}: {str(path)!r} leads out of {str(inside)!r}, and nothing is written"
                " there; remove the link"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}."[:200])
    except BadInput:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise BadInput(
            f"{argument}: can't write {str(path)!r} ({why(error)}); choose a folder you may"
            " write to"
        ) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            # without it a crash may leave the new name with none of the content
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner can read
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except (OSError, ValueError) as error:
        Path(temporary).unlink(missing_ok=True)
        raise BadInput(
            f"{argument}: can't write {str(path)!r} ({why(error)}); choose a place you may write to"
        ) from error
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    try:
        return path.parent.resolve() == Path("/dev") or (
            path.exists() and not path.is_file() and not path.is_dir()
        )
    except (OSError, ValueError, RuntimeError):
        return False


def _write_through(path: Path, content: bytes, argument: str) -> None:
    try:
        with open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as file:
            file.write(content)
    except (OSError, ValueError) as error:
        raise BadInput(
            f"{argument}: can't write {str(path)!r} ({why(error)}); choose a place you may write to"
        ) from error


def read_whole(path: Path, what: str = "", *, largest: int = LARGEST) -> bytes:
    """The content of a regular file.

    Args:
        what: said before the path, such as "--ledger: ".

    Raises:
        BadInput: it can't be read, is a folder, a pipe or a device, which might never end, or is
            larger than `largest` bytes.
    """
    try:
        # a pipe nobody writes to would block already here
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise BadInput(f"{what}{str(path)!r} is no ordinary file; give one")
            # one byte more than allowed tells a file that is too large from one that just fits
            content = file.read(largest + 1)
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        raise BadInput(f"{what}can't read {str(path)!r} ({why(error)}); check the path") from error
    if len(content) > largest:
        raise BadInput(
            f"{what}{str(path)!r} is larger than {largest // 1_000_000} MB, which no such file is;"
            " check the path"
        )
    return content


def read_json(
    path: Path, what: str = "", mend: str = "write it again", *, largest: int = LARGEST
) -> Any:
    """What a JSON file holds.

    Args:
        mend: what to do if it holds no JSON.

    Raises:
        BadInput: as `read_whole`; or this is no JSON, nests too deep to be read, or holds half a
            character.
    """
    content = read_whole(path, what, largest=largest)
    try:
        found = json.loads(content.decode("utf-8"))
        if _SURROGATE.search(content):
            # half a character can be escaped in JSON, and written nowhere
            json.dumps(found, ensure_ascii=False).encode("utf-8")
        return found
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise BadInput(
            f"{what}{str(path)!r} is no JSON, or was cut short ({reason}); {mend}"
        ) from error


def exists(path: Path) -> bool:
    """Whether there is something at the path; False for what can't be a path, such as a name that
    is too long.
    """
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def why(error: Exception) -> str:
    """What went wrong with a file, without its name."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
