"""Holes that the red team found in the batched mode, and that stay mended."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.errors import BadEstimator

SPACE = bandit([-1, "1/2", 2, 3, 5, 7, 8])


def ends(reward, score):
    sys.exit(0)


def interrupts(reward, score):
    raise KeyboardInterrupt


def turns(reward, score):
    return reward * score * (1 + 1j)


def turns_objects(reward, score):
    return np.array([complex(1, 1)] * 7, dtype=object)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (ends, r"calls sys\.exit"),
        (interrupts, "raised KeyboardInterrupt by itself"),
        (turns, "returned complex numbers"),
        (turns_objects, "returned complex numbers"),
    ],
)
def test_one_sentence_on_many_draws_at_once(function, said):
    with pytest.raises(BadEstimator, match=said) as caught:
        audit(from_function(function, space=SPACE))
    assert "\n" not in str(caught.value)
