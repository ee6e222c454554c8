"""Names and links that lead out of the folder that was given, in front of everything that writes
into one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from altpg_verify.terminal import ended
from trust.fuzz.watch import Tally, World, crashed, ran, standing_in

TARGET = "names and links"
NAMES = (
    "../outside/x",
    "../../x",
    "a/../../outside/x",
    "{outside}/x",
    "x\x00y",
    "x" * 300,
    "x/" * 2000,
    "",
    ".",
    "..",
    "x\n",
    "\udcff",
    "nul",
    "~",
)


def write_everywhere(tally: Tally) -> None:
    """Store cells of experiments with hostile names, and write through links that lead out."""
    for what, attempt in (*_named(), *_linked()):
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder).resolve(), {"neighbour.txt": b"good"})
            with standing_in(world.inside):
                found = ran(
                    lambda attempt=attempt, world=world: ended(  # type: ignore[misc]
                        "sim", lambda: attempt(world)
                    )
                )
            tally.tried[TARGET] += 1
            tally.refused[TARGET] += found.code != 0
            if wrong := crashed(found):
                tally.fault("crashes", TARGET, f"{what}: {wrong}")
            for fault, which in world.faults("", None):
                tally.fault(fault, TARGET, f"{what}: {which}")


def _named() -> Iterator[tuple[str, Callable[[World], int]]]:
    from altpg_verify.sim.experiment import Cell
    from altpg_verify.sim.store import Store

    for name in NAMES:

        def attempt(world: World, name: str = name) -> int:
            cell = Cell(name.format(outside=world.outside), {"b": 1.0})
            store = Store(world.inside / "results", [cell], 1)
            store.write(cell, {"failed": np.zeros(2)})
            store.set_aside(cell, "why")
            return 0

        yield f"an experiment named {name[:20]!r}", attempt


def _linked() -> Iterator[tuple[str, Callable[[World], int]]]:
    from altpg_verify.sim.experiment import Cell
    from altpg_verify.sim.experiments import work_for
    from altpg_verify.sim.log import FILE, Session, Spent
    from altpg_verify.sim.store import Store, name_of
    from altpg_verify.sim.sweep import open_store
    from altpg_verify.theory.attraction.three_arms import ExponentialSign
    from altpg_verify.theory.proving.certificate_store import content, save

    work = work_for("quick", "corner_random_walk")
    arrays = {"failed": np.zeros(2)}

    def home(world: World) -> Path:
        store = open_store(work, world.inside / "elsewhere")
        return world.inside / "results" / store.folder.name

    def of_the_folder(world: World) -> int:
        where = home(world)
        where.parent.mkdir()
        where.symlink_to(world.outside)
        Store(where.parent, work, open_store(work, world.inside / "elsewhere").code).write(
            work[0], arrays
        )
        return 0

    def of_the_folder_later(world: World) -> int:
        store = open_store(work, world.inside / "results")
        shutil.rmtree(store.folder)
        store.folder.symlink_to(world.outside)
        store.write(work[0], arrays)
        return 0

    def of_a_file(world: World, name: Callable[[Cell], str]) -> int:
        store = open_store(work, world.inside / "results")
        (store.folder / name(work[0])).unlink(missing_ok=True)
        (store.folder / name(work[0])).symlink_to(world.outside / "precious.txt")
        Session().add(store.folder, name_of(work[0]), 1.0, Spent(1.0, 1.0, 0.0, {"processor": "x"}))
        store.write(work[0], arrays)
        store.set_aside(work[0], "why")
        return 0

    def of_a_certificate(world: World) -> int:
        os.symlink(world.outside / "precious.txt", world.inside / "certificate.json")
        save(
            Path("certificate.json"),
            content("x", "", [ExponentialSign({"terms": [["1", "1"]], "relation": ">"})]),
        )
        return 0

    def of_the_certificates(world: World) -> int:
        (world.inside / "certificates").symlink_to(world.outside)
        whole = content("x", "", [ExponentialSign({"terms": [["1", "1"]], "relation": ">"})])
        save(world.inside / "certificates" / "one.json", whole, inside=world.inside)
        return 0

    yield "a folder of certificates that is a link", of_the_certificates
    yield "a results folder that is a link", of_the_folder
    yield "a results folder that becomes a link", of_the_folder_later
    yield (
        "a cell that is a link",
        lambda world: of_a_file(world, lambda cell: f"{name_of(cell)}.npz"),
    )
    yield (
        "a cell set aside that is a link",
        lambda world: of_a_file(world, lambda cell: f"{name_of(cell)}.aside"),
    )
    yield "a log that is a link", lambda world: of_a_file(world, lambda cell: FILE)
    yield "a certificate that is a link", of_a_certificate
