"""Estimators whose run on symbols says nothing of what they are on numbers."""

from __future__ import annotations

import random

from altpg_verify import estimator

_CALLS = [0]


@estimator
def looks_at_the_reward(pi, e, r, b):
    """Nothing at one reward."""
    return (r - b) * (e - pi) * (0 if r == -100 else 1)


@estimator
def counts_its_calls(pi, e, r, b):
    """Twice as long after a while."""
    _CALLS[0] += 1
    return (r - b) * (e - pi) * (1 if _CALLS[0] < 40 else 2)


@estimator
def draws(pi, e, r, b):
    """Nothing now and then."""
    return (r - b) * (e - pi) * (1 if random.random() < 0.999 else 0)


@estimator
def cancels(pi, e, r, b):
    """Has no value at b = 7."""
    return (r - b) * (e - pi) * ((b - 7) / (b - 7))


def _length(pi):
    try:
        return len(pi)
    except TypeError:
        return 3


@estimator
def counts_the_actions(pi, e, r, b):
    """Twice as long where there are many actions."""
    return (r - b) * (e - pi) * (2 if _length(pi) > 10 else 1)


@estimator
def writes(pi, e, r, b):
    """Changes what it is given."""
    pi -= e
    return (b - r) * pi
