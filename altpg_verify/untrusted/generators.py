"""Every random generator that a function can see: read, put back, and put into another state."""

from __future__ import annotations

import _random
import random
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from altpg_verify.untrusted.contents import exchange, is_a, made_of, own
from altpg_verify.untrusted.reaching import reachable

State = tuple[Any, ...]
"""The states of several generators, in order; compares with ==."""


@dataclass(frozen=True)
class Generator:
    """One generator.

    Args:
        name: how messages call it, such as `numpy.random`.
        read: its state, as something that compares with ==.
        write: puts such a state back.
        seed: puts it into the state that belongs to a number.
    """

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], None]
    seed: Callable[[int], Any]


@dataclass(frozen=True)
class Generators:
    """All generators that a function can see.

    Args:
        every: each of them once.
    """

    every: tuple[Generator, ...]

    def capture(self) -> State:
        """The state of each."""
        return tuple(each.read() for each in self.every)

    def restore(self, state: State) -> None:
        """Put all back to what `capture` gave."""
        for each, saved in zip(self.every, state, strict=True):
            each.write(saved)

    def reseed(self, number: int) -> None:
        """Put each into a state that belongs to the number; other numbers give other states."""
        for place, each in enumerate(self.every):
            each.seed(_mixed(number, place))

    def moved(self, before: State) -> tuple[str, ...]:
        """Names of those that aren't in the state they were in."""
        now = self.capture()
        return tuple(
            each.name for each, old, new in zip(self.every, before, now, strict=True) if old != new
        )


def _mixed(number: int, place: int) -> int:
    return (number * 2_654_435_761 + place * 40_503 + 12_345) % 2**32


def visible_generators(*roots: Any) -> Generators:
    """The global generators of Python, numpy and torch, as far as these are loaded, and all objects
    that the functions can see.

    Args:
        roots: functions, partials, bound methods, callable objects, estimators, updates.
    """
    found: dict[int, Generator] = {id(random): _python("random", random)}
    # the hidden instance behind the module is the same generator
    hidden = {id(getattr(random, "_inst", None))}
    if numpy := sys.modules.get("numpy"):
        state = numpy.random.mtrand._rand
        hidden.add(id(state))
        found[id(state)] = _random_state("numpy.random", state)
    if torch := _loaded("torch"):
        hidden.add(id(torch.default_generator))
        found[id(torch.default_generator)] = _torch("torch", torch.default_generator)
    for root in roots:
        for seen in reachable(root):
            if (
                id(seen.value) not in hidden
                and (made := _generator(seen.path, seen.value)) is not None
            ):
                found.setdefault(id(seen.value), made)
    return Generators(tuple(found.values()))


def _loaded(name: str) -> Any:
    module = sys.modules.get(name)
    # half imported, or a module of the user's with that name
    return module if module is not None and hasattr(module, "default_generator") else None


def _generator(path: str, value: Any) -> Generator | None:
    if is_a(value, _random.Random):
        return None if is_a(value, random.SystemRandom) else _own_python(path, value)
    if numpy := sys.modules.get("numpy"):
        if is_a(value, numpy.random.RandomState):
            return _random_state(path, value)
        if is_a(value, numpy.random.Generator):
            return _bits(path, own(value, "bit_generator"))
        if is_a(value, numpy.random.BitGenerator):
            return _bits(path, value)
    if (torch := _loaded("torch")) and is_a(value, torch.Generator):
        return _torch(path, value)
    return None


def _python(name: str, source: Any) -> Generator:
    return Generator(name, source.getstate, source.setstate, source.seed)


def _own_python(name: str, source: Any) -> Generator:
    """Of an object, whose class may have methods of its own of these names."""

    def write(state: Any) -> None:
        _random.Random.setstate(source, state[0])
        _keep(state[1])

    def seed(number: int) -> None:
        _random.Random.seed(source, number)
        _keep(None)

    def _keep(normal: Any) -> None:
        _attributes(source)["gauss_next"] = normal

    return Generator(
        name,
        lambda: (_random.Random.getstate(source), _attributes(source).get("gauss_next")),
        write,
        seed,
    )


def _attributes(source: Any) -> dict[str, Any]:
    """Where Python's own class keeps the second of a pair of normal numbers."""
    if not is_a(source, random.Random):
        return {}
    # as that class has it: the object's may have an answer of its own
    found: dict[str, Any] = random.Random.__dict__["__dict__"].__get__(source)
    return found


def _bits(name: str, source: Any) -> Generator:
    def write(state: Any) -> None:
        exchange(source, "state", _thawed(state))

    def seed(number: int) -> None:
        made: Any = made_of(type(source))
        # a class of somebody's own may answer for its state, which names the class
        state = {**made(number).state, "bit_generator": type(source).__name__}
        exchange(source, "state", state)

    return Generator(name, lambda: _frozen(own(source, "state")), write, seed)


def _random_state(name: str, source: Any) -> Generator:
    def seed(number: int) -> None:
        bits = type(source._bit_generator)(number)
        own(source, "set_state")({**bits.state, "has_gauss": 0, "gauss": 0.0})

    return Generator(
        name,
        lambda: _frozen(own(source, "get_state")(legacy=False)),
        lambda state: own(source, "set_state")(_thawed(state)),
        seed,
    )


def _torch(name: str, source: Any) -> Generator:
    def read() -> Any:
        return bytes(source.get_state().numpy())

    def write(state: Any) -> None:
        torch = sys.modules["torch"]
        source.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))

    return Generator(name, read, write, source.manual_seed)


def _frozen(value: Any) -> Any:
    """A state that compares with ==: arrays as their bytes."""
    if isinstance(value, dict):
        return tuple((key, _frozen(child)) for key, child in value.items())
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return ("array", str(value.dtype), value.tobytes())
    return value


def _thawed(value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 3 and value[0] == "array":
        import numpy

        return numpy.frombuffer(value[2], dtype=value[1]).copy()
    if isinstance(value, tuple):
        return {key: _thawed(child) for key, child in value}
    return value


def union(collections: Iterable[Generators]) -> Generators:
    """The generators of several collections as one."""
    return Generators(
        tuple(dict.fromkeys(each for collection in collections for each in collection.every))
    )
