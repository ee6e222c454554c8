"""The compiled entry points of `SamplingTree`: loops over the blocks, compiled once and kept on
disk.

Every kernel returns the stamp of the sources and so has it in its closure. Numba's disk cache looks
at closures: machine code from other sources is never taken up again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from altpg_verify.sim import jit
from altpg_verify.sim.jit import compile_kernel, compiled_once
from altpg_verify.sim.large.blocks import build, descend, row_sum, scan, settle
from altpg_verify.sim.large.champions import play_again, play_all
from altpg_verify.sim.large.exponential import exponent_of, power_of_two, split_exp
from altpg_verify.sim.large.values import build_worth
from altpg_verify.sim.portable_math import log

AT_ONCE = 16
"""How many walks of `select_many` go down side by side, so that they wait for memory together."""

WHOLE, NUMBER = types.int64, types.float64
NUMBERS, INDICES = types.Array(NUMBER, 1, "C"), types.Array(WHOLE, 1, "C")
TREE = (NUMBERS, NUMBERS, types.Array(types.int32, 1, "C"), types.Array(types.uint64, 1, "C"))
"""theta, weight, exponent, offset: see `altpg_verify.sim.large.blocks`."""

CHAMPIONS = (INDICES, NUMBERS)
"""winner, best: see `altpg_verify.sim.large.champions`."""

_SOURCES = (
    "exponential.py", "memory.py", "rows.py", "blocks.py", "champions.py", "values.py", "kernels.py", "stepping.py", "envelopes.py",
    "envelope_stepping.py",
)  # fmt: skip
_0, _3 = np.uint64(0), np.uint64(3)
_LN2 = 0.6931471805599453


@functools.cache
def stamp() -> int:
    """A 62-bit fingerprint of all sources that decide what these kernels do.

    It covers the sources of the tabular agents, too, whose streams and functions these kernels use.
    """
    sources = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in _SOURCES)
    return jit.fingerprint([str(jit.stamp()), *sources])


@compiled_once
def kernels() -> Any:
    """build, select, select_many, update, update_many, champions, weigh, policy, log_policy,
    log_normalizer.

    All work on `TREE`: (theta, weight, exponent, offset). Keys are shares of the total in [0, 1).
    `select_many` and `policy` write into their last argument; each returns the stamp of the
    sources.
    """
    seal = stamp()

    def grow(theta, weight, exponent, offset):
        build(theta, weight, exponent, offset)
        return seal

    def select_many(theta, weight, exponent, offset, keys, actions):
        total, top, levels = row_sum(weight, _0), exponent[_0], np.uint64(offset.size - 1)
        # scratch for one group of walks
        x, unit, at = np.empty(AT_ONCE), np.empty(AT_ONCE, np.int32), np.empty(AT_ONCE, np.uint64)
        for begin in range(0, keys.size, AT_ONCE):
            count = min(AT_ONCE, keys.size - begin)
            for j in range(count):
                x[j], unit[j], at[j] = keys[begin + j] * total, top, _0
            # all walks go down one level together: sixteen cache misses are waited for at once
            for level in range(levels):
                for j in range(count):
                    block = offset[level] + at[j]
                    if exponent[block] != unit[j]:
                        # a block's weights are in its own unit, a power of two: the key is carried
                        # over without rounding
                        x[j] *= power_of_two(np.int64(unit[j]) - np.int64(exponent[block]))
                        unit[j] = exponent[block]
                    i, x[j] = scan(weight, block << _3, x[j])
                    at[j] = (at[j] << _3) + i
            for j in range(count):
                # after the last level the place is the action itself
                actions[begin + j] = at[j]
        return seal

    def select(theta, weight, exponent, offset, key, found):
        found[0] = descend(weight, exponent, offset, key * row_sum(weight, _0))
        return seal

    def update(theta, weight, exponent, offset, winner, best, action, preference):
        theta[action] = preference
        settle(theta, weight, exponent, offset, action)
        if winner.size > 0:
            play_again(theta, winner, best, offset, action)
        return seal

    def update_many(theta, weight, exponent, offset, winner, best, actions, preferences):
        # rebuilding costs about as much as mending the sums of a sixteenth of all actions
        if actions.size * 16 > theta.size:
            for i in range(actions.size):
                theta[actions[i]] = preferences[i]
            build(theta, weight, exponent, offset)
            if winner.size > 0:
                play_all(theta, winner, best, offset)
        else:
            for i in range(actions.size):
                theta[actions[i]] = preferences[i]
                settle(theta, weight, exponent, offset, actions[i])
                if winner.size > 0:
                    play_again(theta, winner, best, offset, actions[i])
        return seal

    def champions(theta, winner, best, offset):
        play_all(theta, winner, best, offset)
        return seal

    def weigh(q, weight, worth, exponent, offset):
        build_worth(q, weight, worth, exponent, offset)
        return seal

    def policy(theta, weight, exponent, offset, actions, out):
        total = row_sum(weight, _0)
        # the total is brought near 1 first, so that neither quotient nor power leaves the range of
        # float64
        shift = exponent_of(total)
        total *= power_of_two(-shift)
        unit = exponent[_0] + shift
        for i in range(out.size):
            # an empty list of actions stands for all
            mantissa, n = split_exp(theta[actions[i] if actions.size else i])
            out[i] = mantissa / total * power_of_two(n - unit)
        return seal

    def log_policy(theta, weight, exponent, offset, actions, out):
        total = row_sum(weight, _0)
        shift = exponent_of(total)
        total *= power_of_two(-shift)
        unit = exponent[_0] + shift
        for i in range(out.size):
            mantissa, n = split_exp(theta[actions[i] if actions.size else i])
            # in parts, so that probabilities below the smallest float have a logarithm too
            out[i] = log(mantissa / total) + (n - unit) * _LN2
        return seal

    def log_normalizer(theta, weight, exponent, offset, found):
        found[0] = log(row_sum(weight, _0)) + exponent[_0] * _LN2
        return seal

    signatures: dict[Any, Any] = {
        grow: TREE,
        select_many: (*TREE, NUMBERS, INDICES),
        select: (*TREE, NUMBER, INDICES),
        update: (*TREE, *CHAMPIONS, WHOLE, NUMBER),
        update_many: (*TREE, *CHAMPIONS, INDICES, NUMBERS),
        champions: (TREE[0], *CHAMPIONS, TREE[3]),
        weigh: (NUMBERS, TREE[1], NUMBERS, *TREE[2:]),
        policy: (*TREE, INDICES, NUMBERS),
        log_policy: (*TREE, INDICES, NUMBERS),
        log_normalizer: (*TREE, NUMBERS),
    }
    return _Kernels(
        {
            function.__name__: functools.partial(
                compile_kernel, function, types.int64(*arguments), keep=True
            )
            for function, arguments in signatures.items()
        }
    )


class _Kernels:
    """Each kernel as an attribute, compiled when it is first asked for: few programs use all."""

    def __init__(self, makers: dict[str, Callable[[], Any]]) -> None:
        self._makers = makers

    def __getattr__(self, name: str) -> Any:
        with jit.LOCK:
            kernel = vars(self).get(name)
            if kernel is None:
                if name not in vars(self).get("_makers", {}):
                    raise AttributeError(name)
                kernel = self._makers[name]()
                setattr(self, name, kernel)
            return kernel
