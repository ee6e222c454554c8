"""Draws of numpy and of Python's `random`, enumerated: choice, integers, permutations and
comparisons with a uniform number.

Generators are objects of C, whose methods can't be replaced: while a program runs, those that lie
about are exchanged for ones that ask the branch (`exchanged`), and new ones are made so.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import CellType
from typing import Any

import numpy as np

from altpg_verify.audit.draw_tree import Branch
from altpg_verify.audit.uniform_number import UniformNumber
from altpg_verify.untrusted.standing_in import standing_in
from altpg_verify.untrusted.state import content_of


class Draws:
    """The draws that can be enumerated, in numpy's terms.

    Args:
        branch: decides.
        of: how messages call the generator: "numpy.random", "rng".
    """

    def __init__(self, branch: Branch, of: str) -> None:
        self._branch, self._of = branch, of

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        """As `numpy.random.Generator.choice`."""
        outcomes = np.arange(a) if isinstance(a, int | np.integer) else np.asarray(a)
        chances = np.ones(outcomes.shape[axis]) if p is None else np.asarray(p, dtype=float)
        count = 1 if size is None else int(np.prod(size))
        found = self._branch.several(chances, count, again=replace, what=f"{self._of}.choice")
        if size is None:
            return outcomes.take(found[0], axis=axis)
        shape = (size,) if isinstance(size, int | np.integer) else tuple(size)
        return outcomes.take(np.array(found, dtype=int).reshape(shape), axis=axis)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        """As `numpy.random.Generator.integers`, for bounds that are numbers."""
        begin, end = (0, int(low)) if high is None else (int(low), int(high))
        ways = end - begin + (1 if endpoint else 0)
        found = [
            begin + self._branch.choose(np.ones(ways), f"{self._of}.integers")
            for _ in range(1 if size is None else int(np.prod(size)))
        ]
        return (
            np.dtype(dtype).type(found[0])
            if size is None
            else np.array(found, dtype=dtype).reshape(size)
        )

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """One uniform number, that may be compared and nothing else."""
        if size is not None or out is not None:
            self._branch.refuse(
                f"draws several numbers at once by {self._of}.random, which can't be enumerated;"
                " draw them one by one"
            )
        return UniformNumber(self._branch, f"{self._of}.random")

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:
        """The same, from 0 to 1."""
        if (low, high) != (0.0, 1.0):
            self._branch.refuse(
                f"draws by {self._of}.uniform from {low} to {high}, which can't be enumerated;"
                " compare random() with probabilities"
            )
        return self.random(size)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """As `numpy.random.Generator.permutation`."""
        values = np.arange(x) if isinstance(x, int | np.integer) else np.asarray(x)
        return values.take(
            self._branch.order(values.shape[axis], f"{self._of}.permutation"), axis=axis
        )

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """As `numpy.random.Generator.shuffle`: in place."""
        if isinstance(x, np.ndarray):
            x[...] = x.take(self._branch.order(x.shape[axis], f"{self._of}.shuffle"), axis=axis)
        else:
            x[:] = [x[i] for i in self._branch.order(len(x), f"{self._of}.shuffle")]

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """As `numpy.random.Generator.binomial`, for one number of trials with one probability."""
        found = [
            sum(
                self._branch.choose([1 - float(p), float(p)], f"{self._of}.binomial")
                for _ in range(int(n))
            )
            for _ in range(1 if size is None else int(np.prod(size)))
        ]
        return found[0] if size is None else np.array(found).reshape(size)


NUMBERS = ("random", "random_sample", "ranf", "sample", "rand", "uniform")
"""Draws of numbers, that may initialise something; while a trainer is made they are as they
were.
"""

KNOWN = ("choice", "integers", "random", "uniform", "permutation", "shuffle", "binomial")


class EnumeratedGenerator(np.random.Generator):
    """A generator of numpy's, that asks a branch while one is run and draws as ever when none is.

    Attributes:
        branch: whom it asks.
        strict: whether draws that can't be enumerated are refused.
    """

    branch: Branch | None = None
    strict: bool = True

    def __getattribute__(self, name: str) -> Any:
        branch = EnumeratedGenerator.branch
        if branch is None or name.startswith("_") or name in ("bit_generator", "branch", "strict"):
            return super().__getattribute__(name)
        if name in KNOWN and (EnumeratedGenerator.strict or name not in NUMBERS):
            return getattr(Draws(branch, "numpy.random.Generator"), name)
        if not EnumeratedGenerator.strict:
            return super().__getattribute__(name)
        return partial(_refused, branch, f"numpy.random.Generator.{name}")


class EnumeratedState(np.random.RandomState):
    """The same for numpy's older generators."""

    def __getattribute__(self, name: str) -> Any:
        branch = EnumeratedGenerator.branch
        if branch is None or name.startswith("_") or name in ("get_state", "set_state"):
            return super().__getattribute__(name)
        functions = numpy_functions(branch, "numpy.random.RandomState")
        if name in functions and (
            EnumeratedGenerator.strict
            or (name not in NUMBERS and not isinstance(functions[name], partial))
        ):
            return functions[name]
        return super().__getattribute__(name)


def _refused(branch: Branch, what: str, *others: Any, **options: Any) -> None:
    branch.refuse(
        f"draws by {what}, whose outcomes can't be enumerated; draw by choice or integers, or"
        " compare random() with probabilities"
    )


def fresh(seed: Any = None) -> EnumeratedGenerator:
    """In place of `numpy.random.default_rng`."""
    if isinstance(seed, np.random.Generator):
        return EnumeratedGenerator(seed.bit_generator)
    return EnumeratedGenerator(
        seed
        if isinstance(seed, np.random.BitGenerator)
        else np.random.PCG64(0 if seed is None else seed)
    )


_LEGACY = {
    "choice": "choice", "random": "random", "random_sample": "random", "ranf": "random", "sample": "random",
    "uniform": "uniform", "permutation": "permutation", "shuffle": "shuffle", "binomial": "binomial",
}  # fmt: skip
_LEGACY_OTHERS = (
    *("normal", "randn", "standard_normal", "exponential", "gamma", "beta", "dirichlet"),
    *("poisson", "geometric", "laplace", "gumbel"),
    *("multinomial", "multivariate_normal", "logistic", "bytes"),
)


def numpy_functions(branch: Branch, of: str = "numpy.random") -> dict[str, Callable[..., Any]]:
    """What stands in for the functions of `numpy.random` while a branch is run; `of` is how
    messages call it.
    """
    draws = Draws(branch, of)

    def rand(*shape: int) -> Any:
        return draws.random(shape or None)

    def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        return draws.integers(low, high, size, dtype)

    found: dict[str, Callable[..., Any]] = {
        name: getattr(draws, method) for name, method in _LEGACY.items()
    }
    found |= {name: partial(_refused, branch, f"{of}.{name}") for name in _LEGACY_OTHERS}
    return found | {"rand": rand, "randint": randint, "seed": _nothing}


_CLASSES = {"Generator": EnumeratedGenerator, "RandomState": EnumeratedState, "default_rng": fresh}


def python_functions(branch: Branch) -> dict[str, Callable[..., Any]]:
    """What stands in for the functions of `random` while a branch is run."""

    def uniform() -> Any:
        return UniformNumber(branch, "random.random")

    def choice(seq: Any) -> Any:
        return seq[branch.choose(np.ones(len(seq)), "random.choice")]

    def choices(
        population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> Any:
        if cum_weights is not None:
            weights = np.diff(np.concatenate([[0.0], np.asarray(cum_weights, dtype=float)]))
        chances = np.ones(len(population)) if weights is None else np.asarray(weights, dtype=float)
        return [
            population[i] for i in branch.several(chances, k, again=True, what="random.choices")
        ]

    def sample(population: Any, k: int, *, counts: Any = None) -> Any:
        if counts is not None:
            branch.refuse(
                "draws by random.sample with counts, which isn't enumerated; repeat what is drawn"
                " instead"
            )
        return [
            population[i]
            for i in branch.several(np.ones(len(population)), k, again=False, what="random.sample")
        ]

    def shuffle(x: Any) -> None:
        x[:] = [x[i] for i in branch.order(len(x), "random.shuffle")]

    def randrange(start: int, stop: int | None = None, step: int = 1) -> int:
        ways = range(start) if stop is None else range(start, stop, step)
        return ways[branch.choose(np.ones(len(ways)), "random.randrange")]

    def randint(a: int, b: int) -> int:
        return randrange(a, b + 1)

    known: dict[str, Callable[..., Any]] = {
        "random": uniform, "choice": choice, "choices": choices, "sample": sample, "shuffle": shuffle, "randrange": randrange,
        "randint": randint, "seed": _nothing,
    }  # fmt: skip
    others = (
        *("gauss", "normalvariate", "expovariate", "uniform", "betavariate", "triangular"),
        *("gammavariate", "getrandbits", "randbytes"),
    )
    return known | {name: partial(_refused, branch, f"random.{name}") for name in others}


def _nothing(*others: Any, **options: Any) -> None:
    """A seed decides nothing where every outcome is enumerated."""


@contextmanager
def enumerated(branch: Branch, *, strict: bool = True) -> Iterator[None]:
    """Numpy's and Python's draws are the branch's.

    Args:
        branch: decides how they come out.
        strict: whether other draws are refused, and seeds left alone; if not, they are as they
            were.
    """
    standing: list[tuple[Any, str, Any]] = [
        (np.random, name, function) for name, function in numpy_functions(branch).items()
    ]
    standing += [(random, name, function) for name, function in python_functions(branch).items()]
    if not strict:
        standing = [
            each
            for each in standing
            if not isinstance(each[2], partial) and each[1] not in (*NUMBERS, "seed")
        ]
    standing += [(np.random, name, made) for name, made in _CLASSES.items()]
    if seeding := sys.modules.get("gymnasium.utils.seeding"):
        standing += [
            (seeding, name, EnumeratedGenerator)
            for name in ("RNG", "RandomNumberGenerator")
            if hasattr(seeding, name)
        ]
    outer = EnumeratedGenerator.branch, EnumeratedGenerator.strict
    with standing_in(standing):
        try:
            EnumeratedGenerator.branch, EnumeratedGenerator.strict = branch, strict
            yield
        finally:
            EnumeratedGenerator.branch, EnumeratedGenerator.strict = outer


@contextmanager
def exchanged() -> Iterator[None]:
    """Every generator of numpy's that some object, dict, list or closure holds is exchanged for one
    that can be enumerated.
    """
    changed: list[tuple[Any, Any, Any]] = []
    owns = _lying_about()
    others = [_enumerable(own) for own in owns]
    try:
        # one walk over all objects, however many generators lie about; no comprehension here: its
        # closure would be one of the holders
        for holder in gc.get_referrers(*owns) if owns else ():
            if holder is not owns:
                for own, other in zip(owns, others, strict=True):
                    for key in _replace(holder, own, other):
                        changed.append((holder, key, own))
        yield
    finally:
        for holder, key, own in changed:
            _put(holder, key, own)


def _lying_about() -> list[Any]:
    kinds, shared = (np.random.Generator, np.random.RandomState), np.random.mtrand._rand  # type: ignore[attr-defined]
    return [each for each in gc.get_objects() if type(each) in kinds and each is not shared]


def _enumerable(own: Any) -> Any:
    return (
        EnumeratedGenerator(own.bit_generator)
        if isinstance(own, np.random.Generator)
        else EnumeratedState(own._bit_generator)
    )


def _replace(holder: Any, own: Any, other: Any) -> list[Any]:
    """Exchange it in one holder; under which keys it was."""
    keys: list[Any] = []
    places: Any = ()
    if isinstance(holder, CellType):
        places = [(None, content_of(holder))]
    elif isinstance(holder, list):
        places = enumerate(holder)
    elif isinstance(holder, dict):
        places = list(holder.items())
    elif isinstance(getattr(holder, "__dict__", None), dict):
        places = list(vars(holder).items())
    for key, value in places:
        if value is own:
            keys.append(key)
    for key in keys:
        _put(holder, key, other)
    return keys


def _put(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, CellType):
        holder.cell_contents = value
    elif isinstance(holder, dict | list):
        holder[key] = value
    else:
        vars(holder)[key] = value
