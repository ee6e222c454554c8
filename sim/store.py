"""Results on disk: one file a cell, whole or not at all, and refused if it isn't what it says.

    <folder>/<experiment>-<digest>/manifest.json     what the cells are: settings, root seed, code,
                 written first
    <folder>/<experiment>-<digest>/<cell>.npz        the arrays of one cell, with its key and their
                 SHA-256 inside
    <folder>/<experiment>-<digest>/log.jsonl         what each cell took, and where: see
                 `altpg_verify.sim.log`
    <folder>/<experiment>-<digest>/<cell>.aside      why a cell is not tried again

The digest covers everything in the manifest, so results of other settings, seeds or code never mix.
A cell is done when its file exists; any kill loses at most the cells under way. The arrays are the
same everywhere; the log is not.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput, Missing
from altpg_verify.files import exists, read_whole, write_whole
from altpg_verify.sim.experiment import Cell

SCHEMA = 1
_STALE = 3600.0
_OWN = ("key", "sha256")


class Store:
    """The results of one experiment in one folder.

    Args:
        code: `altpg_verify.sim.jit.stamp` of the experiment's family.
        read_only: take what is there, make nothing.
        how: what the command that makes the results needs after their name.
        cells: file name -> cell, all that belong to the experiment.
        folder: where its files are: named for the experiment and a digest of the manifest.

    Raises:
        BadInput: the folder can't be written, or holds a manifest that was altered.
        Missing: read only, and the folder doesn't hold these results; the message says so if it has
            those of other code.
    """

    def __init__(
        self,
        folder: Path,
        cells: Sequence[Cell],
        code: int,
        *,
        read_only: bool = False,
        how: str = "",
    ) -> None:
        if not cells:
            raise ValueError("a store needs at least one cell")
        self.cells = {name_of(cell): cell for cell in cells}
        self.code, self._how, self._out = code, how, folder
        # names the folder: other settings or other code have another one
        manifest = {"schema": SCHEMA, "code": code, "cells": [cell.key() for cell in cells]}
        text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.folder = folder / f"{cells[0].experiment}-{digest}"
        path = self.folder / "manifest.json"
        if exists(path):
            # the name says what it must contain
            if read_whole(path) != text.encode():
                raise BadInput(
                    f"{str(path)!r} was altered after it was written; delete the folder"
                    f" {str(self.folder)!r} to have it made again"
                )
        elif read_only:
            raise Missing(
                f"{_others(folder, cells[0].experiment, manifest)};"
                f" {self._command(cells[0].experiment)}"
            )
        else:
            write_whole(path, text.encode(), "--out", inside=folder)
        if not read_only:
            self._clear()

    def _command(self, experiment: str) -> str:
        return (
            "run it with:"
            f" {' '.join(f'python -m altpg_verify.sim run {experiment} {self._how}'.split())}"
        )

    def _clear(self) -> None:
        """Remove what killed writers left, but not what another process is writing right now."""
        for path in self.folder.glob(".*"):
            try:
                # an hour: no writer takes that long between making a file and renaming it
                if time.time() - path.stat().st_mtime > _STALE:
                    path.unlink()
            except OSError:
                pass

    def has(self, cell: Cell) -> bool:
        """Whether the cell's file is there; `read` decides whether it is sound.

        An altered file counts as there: it is to be refused by a reader, not silently made again.
        """
        return exists(self._path(cell))

    def write(self, cell: Cell, arrays: Mapping[str, np.ndarray]) -> None:
        """Store a cell whole or not at all.

        Args:
            arrays: of numbers or truth values, by name.

        Raises:
            BadInput: the folder can't be written.
            ValueError: an array has one of the store's own names, or holds Python objects.
        """
        if set(arrays) & set(_OWN):
            raise ValueError(f"{', '.join(_OWN)} are the store's own names")
        # numpy can refuse them by itself since 2.1; an older one would take the option for one more
        # array
        if any(np.asarray(array).dtype.hasobject for array in arrays.values()):
            raise ValueError("arrays of Python objects are not stored")
        # in memory first, so that the file appears whole, by one rename
        buffer = io.BytesIO()
        members: dict[str, Any] = {
            "key": np.array(_key(cell)),
            "sha256": np.array(_digest(_key(cell), arrays)),
            **arrays,
        }
        np.savez(buffer, **members)
        write_whole(self._path(cell), buffer.getvalue(), "--out", inside=self._out)

    def set_aside(self, cell: Cell, why: str) -> None:
        """Remember that a cell is not to be tried again, and why.

        Args:
            why: one line, which the file shows below the cell's setting.
        """
        write_whole(
            self._aside(cell),
            f"{cell.words}\n{why}\n".encode(errors="backslashreplace"),
            "--out",
            inside=self._out,
        )

    def is_aside(self, cell: Cell) -> bool:
        """Whether the cell is not to be tried again."""
        return exists(self._aside(cell))

    def try_again(self, cell: Cell) -> None:
        """A cell that was set aside is one to run like the others."""
        self._aside(cell).unlink(missing_ok=True)

    def read(self, cell: Cell) -> dict[str, np.ndarray]:
        """The arrays of a cell.

        Raises:
            Missing: there is no such file.
            BadInput: it is torn, altered or another cell's.
        """
        path = self._path(cell)
        if not self.has(cell) and self.is_aside(cell):
            raise Missing(
                f"{cell.words} was set aside, as it killed its worker twice;"
                f" {self._command(f'{cell.experiment} --retry')}"
            )
        if not self.has(cell):
            raise Missing(f"{cell.words} has not been run yet; {self._command(cell.experiment)}")
        try:
            arrays = _arrays(read_whole(path))
            # both were written with the arrays, by `write`
            key, digest = str(arrays.pop("key")), str(arrays.pop("sha256"))
            # bool, integers and floats only: a text or an object is none of our results
            if any(array.dtype.kind not in "biuf" for array in arrays.values()):
                raise ValueError("what is no number")
        except BadInput:
            raise
        except Exception as error:
            raise BadInput(
                f"results file {str(path)!r} is damaged ({type(error).__name__}); delete it to have"
                " it made again"
            ) from error
        # a file that was renamed, say
        if key != _key(cell):
            raise BadInput(
                f"results file {str(path)!r} belongs to another cell; delete it to have it made"
                " again"
            )
        if digest != _digest(key, arrays):
            raise BadInput(
                f"results file {str(path)!r} was altered after it was written; delete it to have it"
                " made again"
            )
        return arrays

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{name_of(cell)}.npz"

    def _aside(self, cell: Cell) -> Path:
        return self.folder / f"{name_of(cell)}.aside"


def _arrays(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of a file that `Store.write` can have written.

    Raises:
        ValueError: the file says that it holds more than it does: members that are compressed or
            overlap, headers of other shapes.
    """
    if not content.startswith(b"PK\x03\x04"):
        raise ValueError("something before the first member")
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members = file.infolist()
        # before anything is unpacked: a small file could hold gigabytes
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise ValueError("compressed")
        if sum(member.file_size for member in members) > len(content):
            raise ValueError("members that overlap")
        return {
            member.filename.removesuffix(".npy"): _array(file.read(member)) for member in members
        }


def _array(content: bytes) -> np.ndarray:
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, dtype = read(stream)
    # before numpy makes room for them
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise ValueError("a header that doesn't fit")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def name_of(cell: Cell) -> str:
    """What the cell's files are called: 16 hexadecimal digits that stand for its experiment,
    setting and root seed.

    64 bits of the SHA-256 of its key as canonical JSON; the code isn't in it, but in the folder's
    name.
    """
    return hashlib.sha256(_key(cell).encode()).hexdigest()[:16]


def _key(cell: Cell) -> str:
    return json.dumps(cell.key(), sort_keys=True, separators=(",", ":"), allow_nan=False)


def pattern(experiment: str) -> str:
    """Matches the names of the folders of an experiment's results, of whatever code and
    settings.

    A glob for `Path.glob`, as in `python -m altpg_verify.sim recheck`.
    """
    return f"{experiment}-{'[0-9a-f]' * 12}"


def _others(folder: Path, experiment: str, wanted: Mapping[str, Any]) -> str:
    """Why the results are not there: there are none, or only those of other code or other
    settings.
    """
    reasons: set[tuple[bool, int]] = set()
    for path in folder.glob(f"{pattern(experiment)}/manifest.json"):
        try:
            found = json.loads(read_whole(path))
            reasons.add((found["cells"] != wanted["cells"], int(found["code"])))
        except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
            continue
    if not reasons:
        return f"there are no stored results of {experiment}"
    other_settings, code = min(reasons)
    if other_settings:
        return f"the stored results of {experiment} have other settings"
    return (
        f"the stored results of {experiment} were made by other code (stamp {code}; this is"
        f" {wanted['code']})"
    )


def _digest(key: str, arrays: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(key.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        # name, type and shape too: the same bytes could be read as other arrays
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
