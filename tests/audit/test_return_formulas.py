"""Returns and generalised advantages: one definition, held against sums written out, in numpy,
torch and JAX.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit.references.return_formulas import differences, discounted, generalised

REWARDS = np.array([[1.0, 9.0, 2.0, 3.0], [4.0, 5.0, 9.0, 9.0]])
VALUES = np.array([[0.5, 7.0, -1.0, 2.0], [1.0, 3.0, 7.0, 7.0]])
MASK = np.array([[1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
FINAL = np.array([10.0, 0.0])
GAMMA, LAM = 0.9, 0.5


def test_steps_outside_the_mask_hand_on_what_comes_after_them():
    found = discounted(REWARDS, MASK, GAMMA, FINAL, np)
    third = 3 + GAMMA * 10
    second = 2 + GAMMA * third
    np.testing.assert_allclose(
        found, [[1 + GAMMA * second, 0, second, third], [4 + GAMMA * 5, 5, 0, 0]]
    )


def test_the_value_at_the_limit_stands_after_the_last_step():
    found = differences(REWARDS, VALUES, MASK, GAMMA, FINAL, np)
    np.testing.assert_allclose(
        found,
        [
            [1 - GAMMA - 0.5, 0, 2 + 2 * GAMMA + 1, 3 + 10 * GAMMA - 2],
            [4 + 3 * GAMMA - 1, 5 - 3, 0, 0],
        ],
    )


def test_at_lambda_one_it_is_the_return_less_the_value():
    whole = generalised(REWARDS, VALUES, MASK, GAMMA, 1.0, FINAL, np)
    np.testing.assert_allclose(whole, (discounted(REWARDS, MASK, GAMMA, FINAL, np) - VALUES) * MASK)
    np.testing.assert_allclose(
        generalised(REWARDS, VALUES, MASK, GAMMA, 0.0, FINAL, np),
        differences(REWARDS, VALUES, MASK, GAMMA, FINAL, np),
    )


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
def test_every_library_gives_the_same(library):
    module = pytest.importorskip(library)
    given = [module.asarray(each) for each in (REWARDS, VALUES, MASK)]
    found = generalised(*given, GAMMA, LAM, module.asarray(FINAL), module)
    np.testing.assert_allclose(
        np.asarray(found), generalised(REWARDS, VALUES, MASK, GAMMA, LAM, FINAL, np), rtol=1e-6
    )
