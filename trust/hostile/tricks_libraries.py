"""Counts in settings and modules of libraries, functions of theirs that are replaced or edited, and
conditions that are no branches.
"""

from __future__ import annotations

import functools
import importlib
import operator
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, REFUSED, WRONG, Trick
from trust.hostile.tricks_hidden import counted, counting
from trust.hostile.tricks_settings import in_setting
from trust.hostile.tricks_state import Made

REMEMBERED = WRONG | REFUSED | {"INCONCLUSIVE"}
"""A count is to be found as such, and not only because what it leads to was never seen."""

LOW, HIGH = 0.2345678, 0.2345681
"""A band that no policy of a search is in by chance."""


def of(name: str) -> Any:
    """A module or what stands in it, by its dotted name; imported when a trick is made."""
    module, _, attribute = name.partition(":")
    found = importlib.import_module(module)
    return operator.attrgetter(attribute)(found) if attribute else found


def setting(
    library: str, get: Callable[[], int], put: Callable[[int], object]
) -> Callable[[], Trick]:
    """A count in a setting of a library; in a list that nobody names where it isn't installed."""

    def make() -> Trick:
        if find_spec(library) is None:
            return without()
        importlib.import_module(library)
        return counting(in_setting(get, put)())

    return make


def without() -> Trick:
    """A count that is found, in place of one in a library that isn't there."""
    kept: list[int] = []

    def count() -> float:
        kept.append(0)
        return len(kept)

    return counting(count)


def at_a_module(name: str) -> Callable[[], Callable[[], float]]:
    """A count in a list that stands in a module within a library."""

    def ready() -> Callable[[], float]:
        of(name).kept_there = [0]
        return {"numpy.linalg": _in_linalg, "numpy.random": _in_random}[name]

    return ready


def _in_linalg() -> float:
    np.linalg.kept_there[0] += 1  # type: ignore[attr-defined]
    return float(np.linalg.kept_there[0])  # type: ignore[attr-defined]


def _in_random() -> float:
    np.random.kept_there[0] += 1  # type: ignore[attr-defined]
    return float(np.random.kept_there[0])  # type: ignore[attr-defined]


def replaced(library: str, name: str) -> Callable[[], Trick]:
    """A function of a library that is replaced by one that wraps it."""

    def make() -> Trick:
        if find_spec(library) is None:
            return without()
        path, _, attribute = name.rpartition(".")
        owner = of(path)
        kept = getattr(owner, attribute)

        @functools.wraps(kept)
        def another(*arguments: Any, **named: Any) -> Any:
            return kept(*arguments, **named)

        def trick(r: Any, x: Any) -> Any:
            setattr(owner, attribute, another)
            return 1

        return trick

    return make


def edited(library: str, name: str) -> Callable[[], Trick]:
    """A function of a library whose code is replaced by the same code."""

    def make() -> Trick:
        if find_spec(library) is None:
            return without()
        path, _, attribute = name.rpartition(".")
        found = getattr(of(path), attribute)
        function = getattr(found, "__wrapped__", found)

        def trick(r: Any, x: Any) -> Any:
            function.__code__ = function.__code__.replace(co_name="another")
            return 1

        return trick

    return make


def always(trick: Trick) -> Callable[[], Trick]:
    """A trick that has no state."""
    return lambda: trick


def half_filled(r: Any, x: Any) -> Any:
    """The largest entry of an array of which one entry wasn't filled."""
    made = np.empty(4)
    made[:3] = -1e300
    return 1 + np.tanh(made.max() * 0 + (made[3] > 5))


def first(x: Any) -> Any:
    """The first entry of an argument, whatever shape it has."""
    return x.reshape(-1)[0]


TRICKS: dict[str, list[Made]] = {
    "settings of libraries": [
        (
            "runs that torch profiles",
            setting(
                "torch",
                lambda: of("torch")._C._jit_get_num_profiled_runs(),
                lambda n: of("torch")._C._jit_set_num_profiled_runs(n),
            ),
            REMEMBERED,
        ),
        (
            "torch's order of attention",
            setting(
                "torch",
                lambda: of("torch")._C._get_sdp_priority_order()[0],
                lambda n: of("torch")._C._set_sdp_priority_order([n % 5, 2, 0, 3, 4]),
            ),
            REMEMBERED,
        ),
        (
            "the width of what torch prints",
            setting(
                "torch",
                lambda: of("torch")._tensor_str.PRINT_OPTS.linewidth,
                lambda n: of("torch").set_printoptions(linewidth=n),
            ),
            REMEMBERED,
        ),
        (
            "what torch fuses",
            setting(
                "torch",
                lambda: of("torch").jit.set_fusion_strategy([("STATIC", 1)])[0][1],
                lambda n: of("torch").jit.set_fusion_strategy([("STATIC", n)]),
            ),
            REMEMBERED,
        ),
        (
            "what JAX warns of",
            setting(
                "jax",
                lambda: of("jax").config.jax_captured_constants_warn_bytes,
                lambda n: of("jax").config.update("jax_captured_constants_warn_bytes", n),
            ),
            REMEMBERED,
        ),
    ],
    "modules within libraries": [
        ("linear algebra", counted(at_a_module("numpy.linalg")), REMEMBERED),
        ("random numbers", counted(at_a_module("numpy.random")), REMEMBERED),
    ],
    "functions of libraries": [
        ("a gradient", replaced("torch", "torch.func.grad"), REMEMBERED),
        ("a sum", replaced("torch", "torch:Tensor.sum"), REMEMBERED),
        ("a seed", replaced("torch", "torch.manual_seed"), REMEMBERED),
        ("where", replaced("jax", "jax.numpy.where"), REMEMBERED),
        ("a draw", replaced("numpy", "numpy.random.rand"), REMEMBERED),
        ("the code of softmax", edited("torch", "torch.nn.functional.softmax"), REMEMBERED),
        ("the code of a norm", edited("numpy", "numpy.linalg.norm"), REMEMBERED),
        ("the code of a context", edited("numpy", "contextlib.contextmanager"), REMEMBERED),
    ],
    "memory nobody filled": [
        ("an entry", always(lambda r, x: 1 + 2 * (np.empty(3)[1] > 5)), REMEMBERED),
        ("a sum", always(lambda r, x: 1 + np.tanh(np.empty_like(np.ones(3)).sum())), REMEMBERED),
        ("half of it", always(half_filled), REMEMBERED),
    ],
    "conditions without a branch": [
        ("a product", always(lambda r, x: 1 + (first(x) > LOW) * (first(x) < HIGH)), NEVER_PASSED),
        ("a join", always(lambda r, x: 1 + ((first(x) > LOW) & (first(x) < HIGH))), NEVER_PASSED),
        ("limits", always(lambda r, x: 1 + max(0, HIGH - LOW - abs(first(x) - LOW))), NEVER_PASSED),
        ("by operator", always(lambda r, x: 1 + operator.gt(first(x), 1e9)), NEVER_PASSED),
        ("by method", always(lambda r, x: 1 + (first(x) * 1e-9).__gt__(1.0)), NEVER_PASSED),
        ("a whole number", always(lambda r, x: 1 + (first(x) + 1000) // 1e9), NEVER_PASSED),
    ],
}
