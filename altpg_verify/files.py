"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from altpg_verify.errors import BadInput


def write_whole(path: Path, content: bytes, argument: str) -> None:
    """Write beside the file, flush to disk, then rename over it: a reader sees the old content or the new, never a part.

    Raises:
        BadInput: the folder can't be written; the message names the argument that gave the path.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadInput(f"{argument}: can't write {str(path)!r} ({error.strerror}); choose a folder you may write to") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise BadInput(f"{argument}: can't write {str(path)!r} ({error.strerror}); choose a place you may write to") from error
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
