"""What a refusal says, as the tests of what can't be used ask for it."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator

THETA = {"theta": np.log([1 / 6, 1 / 3, 1 / 2])}

DRAW = {"actions": np.array([0, 1, 1]), "rewards": np.array([1.0, 0.5, 0.0])}


def sentence(run, kind=BadEstimator) -> str:
    """The message, which must be one line, and short."""
    with pytest.raises(kind) as caught:
        run()
    reported = str(caught.value)
    assert "\n" not in reported
    assert len(reported) < 330
    return reported


def log_pi(theta, actions):
    return theta.log_softmax(-1)[actions]
