"""Results on disk: one file a cell, whole or not at all, and refused if it isn't what it says.

    <folder>/<experiment>-<digest>/manifest.json     what the cells are: settings, root seed, code, written first
    <folder>/<experiment>-<digest>/<cell>.npz        the arrays of one cell, with its key and their SHA-256 inside

The digest covers everything in the manifest, so results of other settings, seeds or code never mix. A cell is done when its
file exists; any kill loses at most the cells under way.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.files import write_whole
from sim.experiment import Cell

SCHEMA = 1
_STALE = 3600.0
_OWN = ("key", "sha256")


class Store:
    """The results of one experiment in one folder.

    Raises:
        BadInput: the folder can't be written, or holds a manifest that was altered.
    """

    def __init__(self, folder: Path, cells: Sequence[Cell], code: int) -> None:
        if not cells:
            raise ValueError("a store needs at least one cell")
        self.cells = {_name(cell): cell for cell in cells}
        manifest = {"schema": SCHEMA, "code": code, "cells": [cell.key() for cell in cells]}
        text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.folder = folder / f"{cells[0].experiment}-{digest}"
        path = self.folder / "manifest.json"
        if not path.exists():
            write_whole(path, text.encode(), "--out")
        elif _read(path) != text.encode():
            raise BadInput(f"{str(path)!r} was altered after it was written; delete the folder {str(self.folder)!r} to have it made again")
        self._clear()

    def _clear(self) -> None:
        """Remove what killed writers left, but not what another process is writing right now."""
        for path in self.folder.glob(".*"):
            try:
                if time.time() - path.stat().st_mtime > _STALE:
                    path.unlink()
            except OSError:
                pass

    def has(self, cell: Cell) -> bool:
        return self._path(cell).exists()

    def write(self, cell: Cell, arrays: Mapping[str, np.ndarray]) -> None:
        """Store a cell whole or not at all."""
        if set(arrays) & set(_OWN):
            raise ValueError(f"{', '.join(_OWN)} are the store's own names")
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, key=np.array(_key(cell)), sha256=np.array(_digest(_key(cell), arrays)), **dict(arrays))
        write_whole(self._path(cell), buffer.getvalue(), "--out")

    def read(self, cell: Cell) -> dict[str, np.ndarray]:
        """The arrays of a cell.

        Raises:
            BadInput: there is no such file, or it is torn, altered or another cell's.
        """
        path = self._path(cell)
        if not path.exists():
            raise BadInput(f"{cell.words} has not been run yet; run it with: python -m sim run {cell.experiment}")
        try:
            with np.load(io.BytesIO(_read(path)), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            key, digest = str(arrays.pop("key")), str(arrays.pop("sha256"))
        except BadInput:
            raise
        except Exception as error:
            raise BadInput(f"results file {str(path)!r} is damaged ({type(error).__name__}); delete it to have it made again") from error
        if key != _key(cell):
            raise BadInput(f"results file {str(path)!r} belongs to another cell; delete it to have it made again")
        if digest != _digest(key, arrays):
            raise BadInput(f"results file {str(path)!r} was altered after it was written; delete it to have it made again")
        return arrays

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{_name(cell)}.npz"


def _key(cell: Cell) -> str:
    return json.dumps(cell.key(), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _name(cell: Cell) -> str:
    return hashlib.sha256(_key(cell).encode()).hexdigest()[:16]


def _digest(key: str, arrays: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(key.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"can't read {str(path)!r} ({error.strerror})") from error
