"""Estimators to certify, and some that can't be."""

from __future__ import annotations

import numpy as np

from altpg_verify import estimator


@estimator
def halved(pi, e, r, b):
    """Right direction, half the length."""
    return 0.5 * (r - b) * (e - pi)


@estimator
def damped(pi, e, r, b):
    """Its fixed points aren't rational."""
    return (r - b) * e * (1 + pi) - 0.3 * pi * pi * pi


@estimator
def squared(e, r, b):
    """Depends on the variance of the reward."""
    return (r - b) ** 2 * e


@estimator
def summed(pi, e, r, b):
    """The sum over a policy is one, but not if it is taken of one entry."""
    return (r - b) * (e - np.sum(pi) * pi)


@estimator
def branching(e, r, b):
    """Compares."""
    return e * r if r > b else e * b


@estimator
def preferences(theta, e):
    """No rational function of e^θ."""
    return theta * e


@estimator
def cubic(e, r):
    """Needs the third moment."""
    return r**3 * e


not_an_estimator = 3
