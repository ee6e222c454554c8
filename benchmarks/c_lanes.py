"""The same loops in C: built on demand with the machine's own compiler, into a temporary folder."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.sim import streams
from altpg_verify.sim.large.blocks import aligned_zeros
from benchmarks.tasks import TILINGS

SOURCES = Path(__file__).with_name("c")
FLAGS = (
    "-O3",
    "-march=native",
    *(("-mprefer-vector-width=512",) if platform.machine() in ("x86_64", "AMD64") else ()),
    # without the first alone, square roots cost the neural loop a factor of 4 or 5; the others let
    # branches become masks
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-signed-zeros",
    "-ffp-contract=fast",
)


class CannotBuild(Exception):
    """The loops in C can't be built here; the message says why."""


def compiler() -> str | None:
    """The C compiler of this machine: $CC, gcc or cc; None if there is none."""
    for name in (os.environ.get("CC"), "gcc", "cc"):
        if name and shutil.which(name):
            return name
    return None


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="altpg-benchmarks-")


@functools.cache
def compiled(source: str, lanes: int) -> ctypes.CDLL:
    """benchmarks/c/`source`.c for `lanes` runs in lock step.

    Raises:
        CannotBuild: there is no compiler, or it doesn't take the source.
    """
    chosen = compiler()
    if chosen is None:
        raise CannotBuild("no C compiler found (set CC)")
    target = Path(_folder().name) / f"{source}{lanes}.so"
    command = [
        chosen,
        *FLAGS,
        "-shared",
        "-fPIC",
        f"-DLANES={lanes}",
        str(SOURCES / f"{source}.c"),
        "-o",
        str(target),
        "-lm",
    ]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode:
        raise CannotBuild(f"{chosen} failed: {built.stderr.strip()[:200]}")
    return ctypes.CDLL(str(target))


@dataclass(frozen=True)
class Measured:
    """What n runs did: mean return of the episodes that ended in the last steps (n,), mean entropy
    of the policy (n,).
    """

    returns: np.ndarray
    entropy: np.ndarray


def linear(
    source: str,
    estimator: str,
    *,
    alpha: float,
    beta: float,
    runs: int,
    steps: int,
    last: int,
    lanes: int = 16,
) -> Measured:
    """The linear actor-critic on "mountain_car" or "acrobot"; `runs` is a multiple of `lanes`."""
    dimensions = {"mountain_car": 2, "acrobot": 6}[source]
    code = compiled(source, lanes)
    rows = code.row_count()
    generator = np.random.Generator(np.random.SFC64([7, dimensions]))
    groups = []
    for actions, resets in _streams(source, runs, lanes):
        offsets = generator.random((TILINGS, dimensions, lanes))
        weights = aligned_zeros(lanes * rows * 4)
        groups.append(
            _call(
                code,
                estimator,
                (alpha, beta),
                (actions, resets, offsets, weights),
                steps,
                last,
                lanes,
            )
        )
    return _joined(groups)


def neural(
    estimator: str, *, alpha: float, beta: float, runs: int, steps: int, last: int, lanes: int = 16
) -> Measured:
    """The neural actor-critic on DotReacher, with Adam; `runs` is a multiple of `lanes`."""
    code = compiled("dot_reacher", lanes)
    generator = np.random.Generator(np.random.SFC64(7))
    size = code.parameter_count()
    groups = []
    for actions, resets in _streams("dot_reacher", runs, lanes):
        parameters = aligned_zeros(3 * size * lanes)
        uniform = np.ascontiguousarray(generator.uniform(-1.0, 1.0, (size, lanes)))
        groups.append(
            _call(
                code,
                estimator,
                (alpha, beta),
                (actions, resets, uniform, parameters),
                steps,
                last,
                lanes,
            )
        )
    return _joined(groups)


def _streams(name: str, runs: int, lanes: int) -> list[tuple[np.ndarray, np.ndarray]]:
    if runs % lanes:
        raise ValueError(f"{runs} runs don't fill groups of {lanes}")
    words = [streams.entropy(0, "benchmark", name, purpose) for purpose in ("actions", "resets")]
    both = streams.states(words, runs)
    return [
        (
            np.ascontiguousarray(both[0, :, i : i + lanes]),
            np.ascontiguousarray(both[1, :, i : i + lanes]),
        )
        for i in range(0, runs, lanes)
    ]


def _call(
    code: ctypes.CDLL,
    estimator: str,
    rates: tuple[float, float],
    arrays: tuple[np.ndarray, ...],
    steps: int,
    last: int,
    lanes: int,
) -> np.ndarray:
    out = np.zeros((3, lanes))
    function: Any = getattr(code, f"run_{estimator}")
    function.restype = None
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    outputs = [ctypes.c_void_p(line.ctypes.data) for line in out]
    function(
        *map(ctypes.c_double, rates),
        *pointers,
        ctypes.c_int64(steps),
        ctypes.c_int64(last),
        *outputs,
    )
    return out


def _joined(groups: list[np.ndarray]) -> Measured:
    total, episodes, entropy = np.concatenate(groups, axis=1)
    with np.errstate(invalid="ignore"):
        return Measured(np.where(episodes > 0, total / np.maximum(episodes, 1), np.nan), entropy)
