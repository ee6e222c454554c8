"""P45: an action-dependent baseline, without the term that corrects for it.

From arXiv 1802.10031, which re-reads public code of such baselines.
"""

from fractions import Fraction

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

B = (Fraction(1, 2), Fraction(1, 2), Fraction(-1, 4))
SPACE = three_arms().having(b=B)


@update(space=SPACE)
def uncorrected(reward, action, b, score):
    return (reward - b[action]) * score


@update(space=SPACE)
def corrected(reward, action, b, score, pi):
    """Plus Σ b(a) ∇π(a)."""
    b = np.array(b)
    return (reward - b[action]) * score + pi * (b - pi @ b)


perfect_baseline = uncorrected.on(three_arms().having(b=(Fraction(1), Fraction(1, 2), Fraction(0))))
