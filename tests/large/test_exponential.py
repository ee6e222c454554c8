"""e^θ in two parts, against exact values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp, mpf

from altpg_verify.sim.large.exponential import LIMIT, exponent_of, power_of_two, split_exp


def worst(values) -> float:
    """The largest relative error of the mantissa, in units of 2⁻⁵³."""
    with mp.workdps(60):
        errors = []
        for theta in values:
            mantissa, n = split_exp(theta)
            assert 0.7 <= mantissa <= 1.42
            errors.append(abs(mp.ldexp(mpf(mantissa), int(n)) / mp.exp(mpf(theta)) - 1) * 2**53)
        return float(max(errors))


@pytest.mark.parametrize("scale", [1e-12, 1.0, 700.0, 1e5, LIMIT])
def test_relative_error_is_at_most_two_units(scale):
    generator = np.random.default_rng(3)
    assert worst([float(theta) for theta in generator.uniform(-scale, scale, 400)]) <= 2.0


def test_edges():
    assert (
        worst(
            [0.0, -0.0, LIMIT, -LIMIT, math.log(2), 0.5 * math.log(2), -0.5 * math.log(2), 5e-324]
        )
        <= 2.0
    )


def test_a_wrong_last_part_of_ln2_would_be_seen():
    theta = 1e5
    mantissa, n = split_exp(theta)
    with mp.workdps(60):
        assert (
            abs(mp.ldexp(mpf(mantissa) * (1 + mpf(2) ** -48), int(n)) / mp.exp(mpf(theta)) - 1)
            * 2**53
            > 2.0
        )


def test_powers_of_two():
    assert [power_of_two(n) for n in (-1022, -1, 0, 1, 1023)] == [
        2.0**n for n in (-1022, -1, 0, 1, 1023)
    ]
    assert [power_of_two(n) for n in (-1023, -(2**31))] == [0.0, 0.0]
    assert [power_of_two(n) for n in (1024, 2**31)] == [math.inf, math.inf]
    assert [exponent_of(x) for x in (1.0, 1.9, 2.0, 2.0**-300, 3.0)] == [0, 0, 1, -300, 1]
