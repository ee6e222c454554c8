"""Ways to damage a file: what bad luck does (cut short, flipped, replaced), and what somebody does
who knows the format.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from trust.fuzz.kinds import Kind

Damage = tuple[str, bytes]
"""What was done, in words, and the content that resulted."""

HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    float("inf"),
    float("nan"),
    10**400,
    -(10**4000),
    "",
    "x" * 10_000,
    "\ud800",
    "\x00",
    "\x1b[2J",
    "../outside/written",
    "/",
    "__import__('pathlib').Path('../executed').touch()",
    "1e999999999",
    "1/0",
    [],
    {},
    [[]],
    [None, {"a": []}],
    {"schema": 1},
    {"__class__": "os.system"},
)
"""Values that any place of a JSON file is given."""


class Touch:
    """An object that makes the flag when it is unpickled."""

    def __init__(self, flag: Path) -> None:
        self.flag = flag

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (Path.touch, (self.flag,))


def pickled(flag: Path) -> bytes:
    """A pickle that makes the flag when it is read."""
    return pickle.dumps(Touch(flag))


def object_array(flag: Path) -> np.ndarray:
    """An array that makes the flag when it is read with allow_pickle=True."""
    array = np.empty(1, dtype=object)
    array[0] = Touch(flag)
    return array


def cut(kind: Kind, every: int) -> Iterator[Damage]:
    """Cut short after every so many bytes."""
    for length in range(0, len(kind.good), every):
        yield f"cut after {length} bytes", kind.good[:length]


def replaced(kind: Kind, others: list[tuple[str, bytes]]) -> Iterator[Damage]:
    """Files of other kinds in its place."""
    for name, content in others:
        if content != kind.good:
            yield f"replaced by {name}", content


def versions(kind: Kind) -> Iterator[Damage]:
    """The same file from an older or a newer version."""
    if kind.form != "json":
        return
    whole = json.loads(kind.good)
    for schema in (0, 2, 99, -1, "1", None, [1], 1.5, 10**400):
        yield f"schema {str(schema)[:9]}", _json(kind, {**whole, "schema": schema})
    if "schema" in whole:
        yield (
            "no schema",
            _json(kind, {name: value for name, value in whole.items() if name != "schema"}),
        )


def forged(kind: Kind, flag: Path) -> Iterator[Damage]:
    """Cells with other arrays under a digest that is right."""
    if kind.form != "npz":
        return
    with np.load(io.BytesIO(kind.good), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    own = ("key", "sha256")
    assert kind.seal is not None
    for name in (name for name in arrays if name not in own):
        values = arrays[name]
        others: dict[str, Any] = {
            "absent": None,
            "a number": np.array(1.0),
            "empty": np.zeros(0),
            "text": np.array(["a"]),
            "one axis less": values[0],
            "half of it": values[: len(values) // 2],
            "doubled": np.concatenate([values, values]),
            "pickled": object_array(flag),
        }
        for words, other in others.items():
            changed = {key: value for key, value in arrays.items() if key != name} | (
                {} if other is None else {name: other}
            )
            yield f"{name} {words}", kind.seal(changed)
    for name in ("../../../outside/written", "/tmp/written", "a/../../b", "x" * 300):
        yield f"an array named {name[:30]}", kind.seal({**arrays, name: np.zeros(1)})


def structured(kind: Kind) -> st.SearchStrategy[Damage]:
    """One to three places of a JSON file changed, and sealed again."""
    whole = json.loads(kind.good)
    places = list(_places(whole))
    edit = st.tuples(
        st.sampled_from(places),
        st.sampled_from(HOSTILE),
        st.sampled_from(("set", "drop", "double", "add")),
    )
    return st.lists(edit, min_size=1, max_size=3).map(lambda edits: edited(kind, whole, edits))


def edited(kind: Kind, whole: Any, edits: list[tuple[tuple[Any, ...], Any, str]]) -> Damage:
    """A JSON file with places changed, one after the other: (where, the value, how)."""
    made, words = copy.deepcopy(whole), []
    for path, value, how in edits:
        words.append(f"{how} {'/'.join(map(str, path))} {str(value)[:30]!r}")
        # a copy, or a later edit inside of it would change what is put elsewhere
        _edit(made, path, how, copy.deepcopy(value))
    return "; ".join(words), _json(kind, made)


def unlucky(kind: Kind) -> st.SearchStrategy[Damage]:
    """Bits flipped, parts lost, doubled, moved or overwritten."""
    good = kind.good
    position = st.integers(0, max(0, len(good) - 1))
    flip = st.lists(st.tuples(position, st.integers(0, 7)), min_size=1, max_size=3).map(
        lambda bits: ("bits flipped", _flipped(good, bits))
    )
    part = st.tuples(position, position).map(sorted)
    return st.one_of(
        flip,
        position.map(lambda at: (f"cut after {at} bytes", good[:at])),
        part.map(lambda ends: ("a part lost", good[: ends[0]] + good[ends[1] :])),
        part.map(lambda ends: ("a part doubled", good[: ends[1]] + good[ends[0] :])),
        st.tuples(position, st.binary(min_size=1, max_size=40)).map(
            lambda where: (
                "overwritten",
                good[: where[0]] + where[1] + good[where[0] + len(where[1]) :],
            )
        ),
        st.binary(max_size=200).map(lambda content: ("anything", content)),
    )


def strategies(kind: Kind) -> st.SearchStrategy[Damage]:
    """Damages of a kind, as Hypothesis draws them."""
    return st.one_of(unlucky(kind), structured(kind)) if kind.form == "json" else unlucky(kind)


def not_files(where: Path, outside: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Things in the place of a file that are none: (what, how to put it there)."""
    yield "a folder", where.mkdir
    yield "a link to a file outside", lambda: where.symlink_to(outside / "precious.txt")
    yield "a link to nowhere", lambda: where.symlink_to(outside / "absent")
    yield "a link to itself", lambda: where.symlink_to(where)
    if Path("/dev/zero").exists():
        yield "a link to an endless device", lambda: where.symlink_to("/dev/zero")
    if hasattr(os, "mkfifo"):
        yield "a pipe", lambda: os.mkfifo(where)


def _flipped(content: bytes, bits: list[tuple[int, int]]) -> bytes:
    made = bytearray(content)
    for at, bit in bits:
        if at < len(made):
            made[at] ^= 1 << bit
    return bytes(made)


def _places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key, value in (
        tree.items()
        if isinstance(tree, dict)
        else enumerate(tree)
        if isinstance(tree, list)
        else ()
    ):
        yield from _places(value, (*path, key))


def _edit(tree: Any, path: tuple[Any, ...], how: str, value: Any) -> None:
    """Change one place, if it is still there."""
    try:
        for key in path[:-1]:
            tree = tree[key]
        if not path:
            return
        if how == "set":
            tree[path[-1]] = value
        elif how == "drop":
            del tree[path[-1]]
        elif how == "double" and isinstance(tree, list):
            tree.append(copy.deepcopy(tree[path[-1]]))
        elif isinstance(tree, dict):
            tree[f"{path[-1]}-too"] = value
        else:
            tree.insert(0, value)
    except (LookupError, TypeError, AttributeError):
        pass


def _json(kind: Kind, whole: Any) -> bytes:
    """As JSON text, sealed if that can be done; half a surrogate is written as its escape."""
    if kind.seal is not None:
        with contextlib.suppress(TypeError, ValueError):
            whole = kind.seal(whole)
    return json.dumps(whole).encode()
