"""Draws on which functions are called all at once, and what the tests ask of them."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit.stacked import NotStackable, agrees, call_stacked

COUNT = 23
RNG = np.random.default_rng(20)
DRAWS = {
    "x": RNG.normal(size=(COUNT, 8)),
    "y": RNG.normal(size=(COUNT, 8)),
    "m": RNG.normal(size=(COUNT, 8, 4)),
    "w": RNG.normal(size=(COUNT, 4)),
    "sq": RNG.normal(size=(COUNT, 4, 4)),
    "mask": (RNG.random((COUNT, 8)) < 0.6).astype(float),
    "i": RNG.integers(0, 4, (COUNT, 8)),
    "a": RNG.integers(0, 4, COUNT),
    "r": RNG.normal(size=COUNT),
}
PLAIN = {
    "pi": np.array([0.1, 0.2, 0.3, 0.4]),
    "table": RNG.normal(size=(4, 4)),
    "value": 0.3,
    "k": 4,
}


def asked(function):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return {n: DRAWS[n] for n in names if n in DRAWS}, {n: PLAIN[n] for n in names if n in PLAIN}


def stacked_answer(function):
    return call_stacked(function, *asked(function), COUNT)


def same_as_each_draw(function) -> bool:
    return agrees(function, *asked(function), COUNT, range(COUNT))


def refused(function) -> str:
    with pytest.raises(NotStackable) as caught:
        stacked_answer(function)
    return str(caught.value)
