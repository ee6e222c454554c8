"""How kernels are compiled: once per process, and kept on disk wherever a folder can be written."""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
import threading
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

LOCK = threading.RLock()
"""Held while anything is compiled, so that no two threads compile the same thing."""

_COMMON = ("portable_math.py", "streams.py", "compiled.py")
SOURCES = {
    "tabular": (*_COMMON, "bandit.py", "chain.py"),
    "linear": (
        *_COMMON,
        *(
            f"online/{name}.py"
            for name in (
                "lanes",
                "tiles",
                "mountain_car",
                "acrobot",
                "policies",
                "inlined",
                "estimate",
                "tile_weights",
                "vectors",
                "loop",
                "linear",
                "outcome",
            )
        ),
    ),
    "neural": (
        *_COMMON,
        *(
            f"online/{name}.py"
            for name in (
                "neural",
                "neural_kernel",
                "neural_rows",
                "neural_estimate",
                "neural_networks",
                "neural_record",
                "neural_lanes",
                "adam",
                "inlined",
                "dot_reacher",
            )
        ),
    ),
}
"""Families of agents, and the files that decide the bits of their results."""


@functools.cache
def stamp(family: str = "tabular") -> int:
    """A 62-bit fingerprint of all sources that decide the bits of the results of a family of
    agents.

    Kernels return it, and stored results carry it: neither a kernel kept on disk nor an old result
    can outlive its source. Comments, docstrings and layout don't count, nor calls of `refusals`,
    nor where the package lies that imports name: see `fingerprint`.

    Args:
        family: a key of `SOURCES`.
    """
    return fingerprint(
        (Path(__file__).parent / name).read_text(encoding="utf-8") for name in SOURCES[family]
    )


def fingerprint(sources: Iterable[str]) -> int:
    """62 bits of the SHA-256 of what the sources, one after the other, say to Python: their syntax
    trees without docstrings.

    Sources are separated, so their order and their borders count. The number has 62 bits, so that
    it fits a signed 64-bit integer, which a kernel can return.

    Raises:
        SyntaxError: one of them isn't Python.
    """
    digest = hashlib.sha256()
    for source in sources:
        digest.update(_plain(ast.parse(source)).encode() + b"\n")
    # two bits off, for kernels return it as a signed int64
    return int.from_bytes(digest.digest()[:8], "little") >> 2


def _plain(node: Any) -> str:
    """A syntax tree in one line, the same in every version of Python: fields that are empty or None
    aren't written.
    """
    if isinstance(node, list):
        return f"[{' '.join(map(_plain, node))}]"
    # the type as well: 1 and True, or 1 and 1.0, are other programs
    if not isinstance(node, ast.AST):
        return f"{type(node).__name__} {node!r}"
    fields = dict(ast.iter_fields(node))
    if isinstance(node, ast.ImportFrom):
        fields["module"] = _inside(node)
        # `refusals` decides no bit, so its import mustn't either
        fields["names"] = [alias for alias in node.names if not _names_refusals(node, alias)]
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        # a string that stands alone does nothing, be it a docstring or the words below a constant
        fields["body"] = _sorted_imports(
            [each for each in node.body if not (_is_text(each) or _only_refuses(each))]
        )
    parts = (
        f"{name}={_plain(value)}"
        for name, value in fields.items()
        if not (value is None and name != "value") and value != []
    )
    return f"{type(node).__name__}({' '.join(parts)})"


def _inside(node: ast.ImportFrom) -> str | None:
    """The module that is imported from, as it was named when this package was imported as `sim`:
    results are kept from then.
    """
    module = node.module or ""
    return (
        module.removeprefix("altpg_verify.")
        if f"{module}.".startswith("altpg_verify.sim.")
        else node.module
    )


def _sorted_imports(body: list[ast.stmt]) -> list[ast.stmt]:
    """Imports from this project that stand next to each other, sorted by module: their order
    changes nothing if no name is bound twice.
    """
    made: list[ast.stmt] = []
    for ours, group in itertools.groupby(body, _from_this_project):
        run = list(group)
        names = [
            alias.asname or alias.name
            for each in run
            if isinstance(each, ast.ImportFrom)
            for alias in each.names
        ]
        made += sorted(run, key=_module) if ours and len(set(names)) == len(names) else run
    return made


def _from_this_project(node: ast.stmt) -> bool:
    return _module(node).split(".")[0] in ("altpg_verify", "sim")


def _module(node: ast.stmt) -> str:
    return (_inside(node) or "") if isinstance(node, ast.ImportFrom) else ""


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _only_refuses(node: ast.stmt) -> bool:
    """A call of `refusals` with what is at hand, or its import: it raises or does nothing, so it
    decides no bit.
    """
    if isinstance(node, ast.ImportFrom):
        return all(_names_refusals(node, alias) for alias in node.names)
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    owner = call.func.value
    plain = all(
        isinstance(each, ast.Name | ast.Attribute | ast.Constant | ast.expr_context)
        for arg in call.args
        for each in ast.walk(arg)
    )
    return isinstance(owner, ast.Name) and owner.id == "refusals" and plain and not call.keywords


def _names_refusals(node: ast.ImportFrom, alias: ast.alias) -> bool:
    return node.module == "altpg_verify.sim" and alias.name == "refusals" and alias.asname is None


def compiled_once(build: Callable[[], Any]) -> Callable[[], Any]:
    """A function that makes the result of `build` once per process and hands it out ever after.

    For kernels that are compiled when first asked for. It holds `LOCK` meanwhile, so of several
    threads that ask at the same time one compiles and the others wait.
    """
    made: list[Any] = []

    @functools.wraps(build)
    def get() -> Any:
        with LOCK:
            # asked under the lock: two threads may have come at once
            if not made:
                made.append(build())
        return made[0]

    return get


def compile_kernel(function: Callable[..., Any], signature: Any, *, keep: bool) -> Any:
    """Compile for one signature, without the interpreter lock and with IEEE division.

    `error_model="numpy"` makes x / 0 an infinity or NaN, as IEEE 754 has it, where numba's default
    would raise and put a branch into every loop.

    Args:
        keep: also store the machine code on disk; where no folder can be written it is compiled in
            every process.
    """
    import numba
    from numba.core.errors import NumbaExperimentalFeatureWarning

    with LOCK, warnings.catch_warnings():
        # kernels get the estimator as a first-class function, which numba calls experimental; the
        # tests hold it to account
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        if keep:
            # names of machine code must differ where the constants do: two with one name, kept by
            # two processes, would be taken for one
            # the constants of the closure, the fingerprint of the sources among them
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            variant = hashlib.sha256(repr(cells).encode()).hexdigest()[:12]
            function.__name__, function.__qualname__ = (
                f"{function.__name__}_{variant}",
                f"{function.__qualname__}_{variant}",
            )
            try:
                return numba.njit(signature, nogil=True, error_model="numpy", cache=True)(function)
            # numba finds no folder to write to, as in a read-only installation
            except (RuntimeError, OSError):
                pass
        return numba.njit(signature, nogil=True, error_model="numpy")(function)
