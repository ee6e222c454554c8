"""Extrapolated differences: near rounding where the function is smooth, and honest where it
isn't.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.differences import jacobian


def test_smooth_functions_to_twelve_digits():
    found, error = jacobian(
        lambda x: np.array([np.exp(x[0]) * np.sin(x[1]), 1 / (1 + np.exp(-x[0]))]),
        np.array([0.3, -0.7]),
    )
    s = 1 / (1 + np.exp(-0.3))
    exact = [[np.exp(0.3) * np.sin(-0.7), np.exp(0.3) * np.cos(-0.7)], [s * (1 - s), 0]]
    assert np.abs(found - exact).max() < 1e-12
    assert error < 1e-11


@pytest.mark.parametrize("at", [0.0, 0.004, 0.03])
def test_a_kink_at_the_point_or_beside_it_shows_in_the_error(at):
    _, error = jacobian(lambda x: np.abs(x), np.array([at]))
    assert error > 1e-3
