"""Files that would fill the memory or never end: each is read in a process of its own that has
little memory, and the clock runs.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trust.checkout import started
from trust.fuzz.kinds import Kind, kind_named, npz
from trust.fuzz.watch import Ran, Tally, World, crashed, ran, standing_in

MEMORY = 1_500_000_000
"""Bytes of address space that a process may add to what it has once everything is loaded."""
KINDS = (
    "certificate (identity)",
    "certificate (instance)",
    "certificate (sign)",
    "certificate (cover)",
    "ledger.json",
    "audits.json",
    "trust.json",
    "cell",
)
MEGABYTES = 512.0
"""The most that a bomb may take at its peak."""
SECONDS = 10.0
"""CPU time in which a bomb must be refused."""
PATIENCE = 60
"""After which a process that reads one is stopped."""


@dataclass(frozen=True)
class Defused:
    """What a bomb cost: seconds of CPU time and megabytes at the peak above what there was
    before.
    """

    seconds: float
    megabytes: float


def exhausting_inputs(kind: Kind) -> Iterator[tuple[str, bytes]]:
    """The bombs that fit a kind of file."""
    if kind.form == "npz":
        yield from _arrays(kind)
        return
    for depth in (500, 900, 2_000, 100_000):
        yield f"{depth} brackets", b"[" * depth + b"]" * depth
        yield f"{depth} objects", b'{"a":' * depth + b"1" + b"}" * depth
    yield "a number of a million digits", b"9" * 1_000_000
    yield (
        "1e400 and -1e400",
        b'{"schema": 1e400, "claims": [-1e400], "parts": 1e400, "rows": 1e400}',
    )
    yield "a line of ten million characters", b'"' + b"x" * 10_000_000 + b'"'
    yield (
        "half a million keys",
        b"{" + b",".join(b'"%d":0' % number for number in range(500_000)) + b"}",
    )
    if kind.name.startswith("certificate"):
        yield from _formulas(kind)


def _arrays(kind: Kind) -> Iterator[tuple[str, bytes]]:
    with np.load(io.BytesIO(kind.good), allow_pickle=False) as file:
        members = {f"{name}.npy": _npy(file[name]) for name in file.files}
    # one that is just like what is on the disk, but says it is a thousand million numbers
    for shape in ((10**9,), (10**15,), (10**6, 10**6), (2**63,), (-1,), (10**400,)):
        yield (
            f"the shape {str(shape)[:30]}",
            npz({**members, "failed.npy": _header(shape) + bytes(64)}),
        )
    yield "a type of 2^31 bytes", npz({**members, "failed.npy": _header((1,), "|V2147483647")})
    yield "a header of 60,000 brackets", npz({**members, "failed.npy": _npy_header(b"(" * 60_000)})
    yield (
        "a zip bomb of 2 GB",
        npz({**members, "failed.npy": _Zeros(2_000_000_000)}, zipfile.ZIP_DEFLATED),
    )
    yield "100,000 members", npz({**members, **{f"{number}.npy": b"" for number in range(100_000)}})


class _Zeros(bytes):
    """Marks a member of so many zeros."""

    def __new__(cls, length: int) -> _Zeros:
        return super().__new__(cls, length)


def _npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _header(shape: tuple[int, ...], kind: str = "<f8") -> bytes:
    return _npy_header(
        f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    )


def _npy_header(text: bytes) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def _formulas(kind: Kind) -> Iterator[tuple[str, bytes]]:
    whole = json.loads(kind.good)
    data, *_ = (entry["data"] for entry in whole["certificates"])
    letters: Any = ["+", *(f"{letter}" for letter in "abcdefgh")]
    deep: Any = "b"
    for _ in range(300):
        deep = ["+", deep, 1]
    slopes: Any = ["^", ["+", *(f"x[{letter}]" for letter in "abcdefgh")], 9]
    for _ in range(40):
        slopes = ["D", "x[b]", slopes]
    for words, tree in {
        "(a+...+h)^128": ["^", letters, 128],
        "((a+...+h)^128)^128": ["^", ["^", letters, 128], 128],
        "2^(128^6)": ["^", ["^", ["^", ["^", ["^", ["^", 2, 128], 128], 128], 128], 128], 128],
        "a product of 40 sums": ["*", *(["+", f"a{number}", f"b{number}"] for number in range(40))],
        "a sum of 40 fractions": [
            "+",
            *(["^", ["+", f"a{number}", "k"], -1] for number in range(40)),
        ],
        "b^(10^9)": ["^", "b", 10**9],
        "1/(b^(10^9))": ["^", "b", -(10**9)],
        "100,000 factors": ["*", *(f"a{number}" for number in range(100_000))],
        "300 sums in each other": deep,
        "the 40th derivative of (x_a+...+x_h)^9": slopes,
        "the derivative of 40 fractions": [
            "D",
            "x[b]",
            ["*", *(["^", ["+", f"a{number}", "x[b]"], -1] for number in range(40))],
        ],
        "integers of 4,000 digits": ["*", *([10**4000 - 1] * 200)],
    }.items():
        for field in ("left", "formula"):
            if field in data:
                yield words, _sealed(kind, whole, {**data, field: tree})
    if "weights" in data:
        yield (
            "100,000 actions",
            _sealed(
                kind, whole, {**data, "weights": ["1"] * 100_000, "rewards": [["1"]] * 100_000}
            ),
        )
        yield (
            "100,000 outcomes",
            _sealed(kind, whole, {**data, "rewards": [["1"] * 100_000] * len(data["rewards"])}),
        )
    if "terms" in data:
        yield "e^(10^9)", _sealed(kind, whole, {**data, "terms": [["1", "1000000000"]]})
        yield (
            "100,000 exponentials",
            _sealed(kind, whole, {**data, "terms": [["1", "1/3"]] * 100_000}),
        )
    if "tree" in data:
        yield "a tree of a million cuts", _sealed(kind, whole, {**data, "tree": "01" * 1_000_000})
        yield "a stepsize of 40 digits", _sealed(kind, whole, {**data, "alpha": "9" * 40})


def _sealed(kind: Kind, whole: dict[str, Any], data: dict[str, Any]) -> bytes:
    from altpg_verify.theory.proving.certificate_statements import statement

    entry = dict(whole["certificates"][0], data=data)
    with contextlib.suppress(Exception):
        entry["statement"] = statement(entry["kind"], data)
    assert kind.seal is not None
    return json.dumps(kind.seal({**whole, "certificates": [entry]})).encode()


def defuse(names: list[str], tally: Tally) -> Defused:
    """Read every bomb of the kinds named; the costs of the worst."""
    worst = Defused(0.0, 0.0)
    for name in names:
        done = started(
            ["-m", "trust.fuzz.resource_exhaustion", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = _lines(done)
        for line in out.splitlines():
            found = json.loads(line)
            tally.tried[f"bombs in {name}"] += 1
            tally.refused[f"bombs in {name}"] += found["code"] != 0
            if found["wrong"]:
                tally.fault("crashes", f"bombs in {name}", f"{found['bomb']}: {found['wrong']}")
            worst = Defused(
                max(worst.seconds, found["seconds"]), max(worst.megabytes, found["megabytes"])
            )
        if done.returncode:
            tally.fault(
                "crashes",
                f"bombs in {name}",
                f"the process ended with {done.returncode}: {err[-300:]}",
            )
            worst = Defused(max(worst.seconds, PATIENCE), worst.megabytes)
    return worst


def _lines(process: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return process.communicate(timeout=PATIENCE * 5)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()


def _read_all(name: str) -> None:
    """In a process of its own: read each bomb with little memory, and print what that cost."""
    import resource
    import time

    kind = kind_named(name)
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder).resolve(), dict(kind.files))
        with standing_in(world.inside):
            ran(kind.commands[0])
            size = (
                int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
                if Path("/proc").is_dir()
                else 0
            )
            # made by a child, so that what they take to make isn't counted
            child = os.fork()
            if not child:
                _keep(kind, world.folder)
                os._exit(0)
            os.waitpid(child, 0)
            names = json.loads((world.folder / "names").read_bytes())
            resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, resource.RLIM_INFINITY))
            for number, words in enumerate(names):
                os.replace(world.folder / f"bomb-{number}", world.inside / kind.damaged)
                before, begin = _peak_from_now_on(), time.process_time()
                found: Ran = ran(kind.commands[0])
                seconds, peak = time.process_time() - begin, _peak() - before
                line = {
                    "bomb": words,
                    "code": found.code,
                    "wrong": crashed(found),
                    "seconds": seconds,
                    "megabytes": peak / 1024,
                }
                print(json.dumps(line), flush=True)


def _peak_from_now_on() -> int:
    """Forget the peak until now, which a process inherits from the one that started it; what is in
    use, in kibibytes.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> int:
    """The most memory in use, in kibibytes: since it was last forgotten where the system can do
    that, else ever.
    """
    import resource

    status = Path("/proc/self/status")
    found = (
        re.search(r"^VmHWM:\s*(\d+) kB", status.read_text(), re.MULTILINE)
        if status.exists()
        else None
    )
    return int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _keep(kind: Kind, folder: Path) -> None:
    """The bombs, each in a file, and their names."""
    names = []
    for number, (words, content) in enumerate(exhausting_inputs(kind)):
        (folder / f"bomb-{number}").write_bytes(content)
        names.append(words)
    (folder / "names").write_bytes(json.dumps(names).encode())


if __name__ == "__main__":
    _read_all(sys.argv[1])
