"""Policies of three actions in all lanes, with their entropy H = -Σ π ln π and, for softmax, the
gradient of τ H.

Softmax:  π = e^θ / Σ e^θ;  ∇_θ H = -π ∘ (ln π + H)  (paper, appendix C.4).
Escort:  π = |θ|^p / Σ |θ|^p  (paper, appendix C.5), powers by repeated products.
"""

from __future__ import annotations

import functools
from typing import Any

from numba import uint64

from altpg_verify.sim.jit import compile_kernel, stamp
from altpg_verify.sim.online import vectors
from altpg_verify.sim.online.inlined import log
from altpg_verify.sim.online.lanes import BONUS, ENTROPY, POLICIES, POLICY, TAU, THETA
from altpg_verify.sim.online.vectors import load, store, where


@functools.cache
def softmax(lanes: int) -> Any:
    """Softmax policies; shifted so that the largest preference is 0.

    Reads THETA and TAU, writes POLICY, ENTROPY (nats) and BONUS = τ ∇_θ H = -τ π ∘ (ln π + H); its
    signature is `altpg_verify.sim.online.lanes.POLICIES`, whose power it ignores.
    """
    seal = stamp("linear")

    def policies(numbers, power):
        if seal == 0:
            return
        x0, x1, x2 = (
            load(numbers, THETA, lanes),
            load(numbers, THETA + 1, lanes),
            load(numbers, THETA + 2, lanes),
        )
        # two exponentials are enough: the third is that of 0, or of the NaN that comes of an
        # infinite preference
        # sorted by two comparisons, without branches
        first = x0 > x1
        high, low = where(first, x0, x1), where(first, x1, x0)
        second = high > x2
        largest, other = where(second, high, x2), where(second, x2, high)
        # 1, or NaN if the largest preference is infinite: the run must be seen to fail
        one, w_other, w_low = (
            1.0 + (largest - largest),
            vectors.exp(other - largest),
            vectors.exp(low - largest),
        )
        w_high, w2 = where(second, one, w_other), where(second, w_other, one)
        w0, w1 = where(first, w_high, w_low), where(first, w_low, w_high)
        x0, x1, x2 = x0 - largest, x1 - largest, x2 - largest
        total = w0 + w1 + w2
        scale, shift = 1.0 / total, vectors.log(total)
        p0, p1, p2 = w0 * scale, w1 * scale, w2 * scale
        store(numbers, POLICY, lanes, p0)
        store(numbers, POLICY + 1, lanes, p1)
        store(numbers, POLICY + 2, lanes, p2)
        # log π, from here on
        x0, x1, x2 = x0 - shift, x1 - shift, x2 - shift
        # in nats
        entropy = -(p0 * x0 + p1 * x1 + p2 * x2)
        # τ ∂H/∂θ_a = -τ π_a (log π_a + H)
        rate = -load(numbers, TAU, lanes)
        store(numbers, ENTROPY, lanes, entropy)
        store(numbers, BONUS, lanes, rate * (p0 * (x0 + entropy)))
        store(numbers, BONUS + 1, lanes, rate * (p1 * (x1 + entropy)))
        store(numbers, BONUS + 2, lanes, rate * (p2 * (x2 + entropy)))

    return compile_kernel(policies, POLICIES, keep=True)


@functools.cache
def escort(lanes: int) -> Any:
    """Escort policies of one power; the BONUS stays as it is, zero.

    Reads THETA, writes POLICY = |θ|^p / Σ |θ|^p and ENTROPY (nats); p is a whole number of at least
    1.
    """
    seal = stamp("linear")

    def policies(numbers, power):
        if seal == 0:
            return
        for k in range(3):
            for i in range(lanes):
                numbers[uint64((POLICY + k) * lanes + i)] = 1.0
        # whole powers by products: the same bits on every machine
        for _ in range(power):
            for k in range(3):
                for i in range(lanes):
                    numbers[uint64((POLICY + k) * lanes + i)] *= abs(
                        numbers[uint64((THETA + k) * lanes + i)]
                    )
        for i in range(lanes):
            w0, w1 = numbers[uint64(POLICY * lanes + i)], numbers[uint64((POLICY + 1) * lanes + i)]
            w2 = numbers[uint64((POLICY + 2) * lanes + i)]
            scale = 1.0 / (w0 + w1 + w2)
            p0, p1, p2 = w0 * scale, w1 * scale, w2 * scale
            numbers[uint64(POLICY * lanes + i)] = p0
            numbers[uint64((POLICY + 1) * lanes + i)] = p1
            numbers[uint64((POLICY + 2) * lanes + i)] = p2
            # the logarithm of 0 comes out as a finite number here
            numbers[uint64(ENTROPY * lanes + i)] = -(p0 * log(p0) + p1 * log(p1) + p2 * log(p2))

    return compile_kernel(policies, POLICIES, keep=True)
