"""Estimators of the tests: some act on each action by itself, some mix actions, some break their
contract.
"""

import math

import numpy as np

from altpg_verify.estimators import estimator


@estimator
def mixing(pi, e, r, b):
    """Regular, with the norm of the policy in it: every component depends on all of pi."""
    return (r - b) * (e - np.sum(pi * pi) * pi)


@estimator
def with_everything(theta, pi, e, r, b, q, v, h):
    """Each component by itself, of all arguments."""
    return (r - b) * e - 0.1 * theta * pi + 0.05 * h + 0.01 * q * v


@estimator
def clipped(e, r, b):
    """A comparison: sympy can't run it, numba can."""
    if r > b:
        return 1.0 * e
    return -1.0 * e


@estimator
def scaled_by_count(e, r, b):
    """Each component by itself, but another function for every k."""
    return (r - b) * (e - 1 / len(e))


@estimator
def vector_only(e, r, b):
    """Each component by itself, but written with an index that a number doesn't have."""
    return (r - b) * e[:]


@estimator
def explosive(theta, e, r, b):
    """Doubles the preferences again and again, until they are infinite."""
    return 100 * theta + (r - b) * e


@estimator
def too_long(pi, e, r, b):
    return np.concatenate((e, pi))


@estimator
def not_a_number(e, r, b):
    return e * np.nan


@estimator
def imaginary(e, r, b):
    return e * 1j


@estimator
def raising(e, r, b):
    raise KeyError("lost")


@estimator
def beyond_numba(pi, e, r, b):
    return e * float(str(1.0))


@estimator
def one_number(r, b):
    return math.copysign(1.0, r - b)
