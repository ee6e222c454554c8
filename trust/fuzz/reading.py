"""Damaged files in front of the commands that read them."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hypothesis import given

from trust.fuzz import damage
from trust.fuzz.draws import drawn
from trust.fuzz.kinds import Kind, kinds
from trust.fuzz.watch import Ran, Tally, World, crashed, ran, standing_in

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def tried(
    kind: Kind, world: World, done: str, content: bytes | None, tally: Tally, commands: int = 1
) -> None:
    """Let commands read the file as it lies there. Args: done: what was done to it; content: None
    if it is no ordinary file.
    """
    for command in kind.commands[:commands]:
        found = ran(command)
        tally.tried[kind.name] += 1
        tally.refused[kind.name] += found.code != 0
        for fault, what in _faults(kind, found, content):
            tally.fault(fault, kind.name, f"{done}: {what}")
    for fault, what in world.faults(kind.damaged, content):
        tally.fault(fault, kind.name, f"{done}: {what}")


def _faults(kind: Kind, found: Ran, content: bytes | None) -> Iterable[tuple[str, str]]:
    if wrong := crashed(found):
        yield "crashes", wrong
        return
    if found.code == 0:
        if kind.content is not None and not _says_the_same(kind, content):
            yield "trusted", "it was read as if it were good"
        return
    # a folder of results may be refused as a whole, or be taken for that of another version
    if (
        Path(kind.damaged).name not in found.said + found.complaint
        and Path(kind.damaged).parts[0] not in found.said + found.complaint
    ):
        yield "nameless", (found.said + found.complaint)[:300]


def _says_the_same(kind: Kind, content: bytes | None) -> bool:
    """Whether damaged content says what the good content says; sealed content speaks for itself."""
    assert kind.content is not None
    if content is None:
        return True
    try:
        return bool(kind.content(content) == kind.content(kind.good))
    except Exception:
        return False


def read_damaged(kind: Kind, *, examples: int, cuts: int, tally: Tally, commands: int = 3) -> None:
    """All damages of a kind.

    Args:
        examples: how many Hypothesis draws; cuts: at how many lengths the file is cut short, evenly
            spaced.
        commands: how many of the kind's commands read what was sealed.
    """
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder).resolve(), dict(kind.files))
        with standing_in(world.inside):
            # a good certificate in the place of another is a good one
            fellows = [
                (other.name, other.good)
                for other in kinds()
                if other.name.split()[0] == kind.name.split()[0]
            ]
            sealed = itertools.chain(
                damage.versions(kind),
                damage.forged(kind, world.flag),
                damage.replaced(kind, fellows),
            )
            plain = itertools.chain(
                damage.cut(kind, max(1, len(kind.good) // cuts)),
                damage.replaced(kind, _others(kind, world.flag)),
            )
            for done, content in plain:
                world.put(kind.damaged, content)
                tried(kind, world, done, content, tally)
            for done, content in sealed:
                _sealed(kind, world, done, content, tally, commands)
            _drawn(kind, world, examples, tally)
            where = world.inside / kind.damaged
            where.unlink()
            for done, put in damage.not_files(where, world.outside):
                put()
                tried(kind, world, done, None, tally, 2 if done != "a link to nowhere" else 1)
                (
                    where.rmdir()
                    if where.is_dir() and not where.is_symlink()
                    else where.unlink(missing_ok=True)
                )


def _drawn(kind: Kind, world: World, examples: int, tally: Tally) -> None:
    @drawn(examples)
    @given(damage.strategies(kind))
    def draw(made: damage.Damage) -> None:
        done, content = made
        # what was edited place by place was sealed too, so that it may be good
        if done.split()[0] in ("set", "drop", "double", "add"):
            _sealed(kind, world, done, content, tally, 1)
        else:
            world.put(kind.damaged, content)
            tried(kind, world, done, content, tally)

    draw()


def _sealed(
    kind: Kind, world: World, done: str, content: bytes, tally: Tally, commands: int
) -> None:
    """Content under a right digest may be taken; it must do no harm and crash nothing, also where
    results are computed again.
    """
    world.put(kind.damaged, content)
    for command in kind.commands[:commands]:
        found = ran(command)
        tally.tried[kind.name] += 1
        tally.refused[kind.name] += found.code != 0
        if wrong := crashed(found):
            tally.fault("crashes", kind.name, f"{done}: {wrong}")
    for fault, what in world.faults(kind.damaged, content):
        tally.fault(fault, kind.name, f"{done}: {what}")


def _others(kind: Kind, flag: Path) -> list[tuple[str, bytes]]:
    """Contents of other kinds, and of none."""
    made = [
        (other.name, other.good)
        for other in kinds()
        if other.name.split()[0] != kind.name.split()[0]
    ]
    made += [
        ("nothing", b""),
        ("a line", b"\n"),
        ("a picture", PNG),
        ("zeros", bytes(5000)),
        ("a pickle", damage.pickled(flag)),
    ]
    made += [
        ("UTF-16", kind.good[:4000].decode("latin-1").encode("utf-16")),
        ("a mark first", b"\xef\xbb\xbf" + kind.good),
    ]
    made += [
        ("a number", b"7"),
        ("a list", b"[]"),
        ("an object", b"{}"),
        ("a string", b'"x"'),
        ("null", b"null"),
        ("infinity", b"Infinity"),
    ]
    return made
