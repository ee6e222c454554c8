"""Policies of three actions in all lanes, with their entropy H = -Σ π ln π and, for softmax, the gradient of τ H.

Softmax:  π = e^θ / Σ e^θ;  ∇_θ H = -π ∘ (ln π + H)  (paper, appendix C.4).
Escort:  π = |θ|^p / Σ |θ|^p  (paper, appendix C.5), powers by repeated products.
"""

from __future__ import annotations

import functools
from typing import Any

from numba import uint64

from sim.jit import compile_kernel, stamp
from sim.online.inlined import exp, log
from sim.online.lanes import BONUS, ENTROPY, POLICIES, POLICY, TAU, THETA


@functools.cache
def softmax(lanes: int) -> Any:
    """Softmax policies; shifted so that the largest preference is 0."""
    seal = stamp("linear")

    def policies(numbers, power):
        if seal == 0:
            return
        for i in range(lanes):
            x0, x1, x2 = numbers[uint64(i)], numbers[uint64(lanes + i)], numbers[uint64(2 * lanes + i)]
            largest = x0 if x0 > x1 else x1
            largest = largest if largest > x2 else x2
            x0, x1, x2 = x0 - largest, x1 - largest, x2 - largest
            w0, w1, w2 = exp(x0), exp(x1), exp(x2)
            total = w0 + w1 + w2
            scale, shift = 1.0 / total, log(total)
            p0, p1, p2 = w0 * scale, w1 * scale, w2 * scale
            x0, x1, x2 = x0 - shift, x1 - shift, x2 - shift
            entropy = -(p0 * x0 + p1 * x1 + p2 * x2)
            tau = numbers[uint64(TAU * lanes + i)]
            numbers[uint64(POLICY * lanes + i)] = p0
            numbers[uint64((POLICY + 1) * lanes + i)] = p1
            numbers[uint64((POLICY + 2) * lanes + i)] = p2
            numbers[uint64(ENTROPY * lanes + i)] = entropy
            numbers[uint64(BONUS * lanes + i)] = -tau * (p0 * (x0 + entropy))
            numbers[uint64((BONUS + 1) * lanes + i)] = -tau * (p1 * (x1 + entropy))
            numbers[uint64((BONUS + 2) * lanes + i)] = -tau * (p2 * (x2 + entropy))

    return compile_kernel(policies, POLICIES, keep=True)


@functools.cache
def escort(lanes: int) -> Any:
    """Escort policies of one power; the BONUS stays as it is, zero."""
    seal = stamp("linear")

    def policies(numbers, power):
        if seal == 0:
            return
        for k in range(3):
            for i in range(lanes):
                numbers[uint64((POLICY + k) * lanes + i)] = 1.0
        for _ in range(power):
            for k in range(3):
                for i in range(lanes):
                    numbers[uint64((POLICY + k) * lanes + i)] *= abs(numbers[uint64((THETA + k) * lanes + i)])
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
