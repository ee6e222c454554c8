"""Formulas that a hostile user writes, by the assumption of the engine that each one attacks, with
the only answers that are acceptable.
"""

from __future__ import annotations

import math
import random
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np

from altpg_verify import estimator


def regular(pi, e, r, b):
    return (r - b) * (e - pi)


# what never counts as proved, and is refuted by one of these laws: the numbers of a formula's own
# branches are found


def special_reward(pi, e, r, b):
    if r == -100:
        return 0 * e
    return regular(pi, e, r, b)


def special_reward_by_membership(pi, e, r, b):
    return (0 if r in (-100, 250) else 1) * regular(pi, e, r, b)


def special_reward_by_table(pi, e, r, b):
    return {-100: 0}.get(r, 1) * regular(pi, e, r, b)


def special_reward_in_words(pi, e, r, b):
    return (2 if str(r) == "-100" else 1) * regular(pi, e, r, b)


def special_reward_of_fractions(pi, e, r, b):
    return (2 if isinstance(r, Fraction) and r == -100 else 1) * regular(pi, e, r, b)


def counts_different_probabilities(pi, e, r, b):
    return (2 if len(set(pi)) == 1 else 1) * regular(pi, e, r, b)


def equal_probabilities(pi, e, r, b):
    return (2 if pi[0] == pi[1] else 1) * regular(pi, e, r, b)


def order_of_probabilities(pi, e, r, b):
    return (2 if list(pi) == sorted(pi) else 1) * regular(pi, e, r, b)


def clipped_advantage(pi, e, r, b):
    return max(-15, min(15, r - b)) * (e - pi)


def clipped_reward(pi, e, r, b):
    return (np.clip(r, -15, 15) - b) * (e - pi)


def nothing_when_sure(pi, e, r, b):
    return (0 if max(pi) > 0.95 else 1) * regular(pi, e, r, b)


def floor(pi, e, r, b):
    return (1 if min(pi) > Fraction(1, 50) else 0) * regular(pi, e, r, b)


def dead_zone(pi, e, r, b):
    return (0 if abs(r - b) < 1e-3 else 1) * regular(pi, e, r, b)


def rounds_rewards(pi, e, r, b):
    return regular(pi, e, Fraction(round(r * 1000), 1000), b)


def low_baseline(pi, e, r, b):
    return (0 if b < -6 else 1) * regular(pi, e, r, b)


def clamped_policy(pi, e, r, b):
    return (r - b) * (e - np.array([max(p, Fraction(1, 1000)) for p in pi], dtype=object))


def product_threshold(pi, e, r, b):
    return (0 if r * b > 1000 else 1) * regular(pi, e, r, b)


def near_a_number(pi, e, r, b):
    return (2 if np.isclose(float(r), 3.14159) else 1) * regular(pi, e, r, b)


def seven_actions(pi, e, r, b):
    return (0 if len(pi) == 7 else 1) * regular(pi, e, r, b)


def sixth_action(pi, e, r, b):
    return (0 if len(pi) > 5 and e[5] == 1 else 1) * regular(pi, e, r, b)


def undefined_at_seven(pi, e, r, b):
    return (b - 7) / (b - 7) * regular(pi, e, r, b)


def undefined_at_a_value(pi, e, r, b, q):
    return (b - q[0]) / (b - q[0]) * regular(pi, e, r, b)


def tiny(pi, e, r, b):
    return 1e-10 * (r - b) * e


def tinier_in_float64(pi, e, r, b):
    return 1e-20 * (float(r) - float(b)) * np.asarray(e, dtype=float)


def only_for_floats(pi, e, r, b):
    match r:
        case float():
            return (r - b) * e
        case _:
            return regular(pi, e, r, b)


def only_for_float_arrays(pi, e, r, b):
    return (r - b) * e if sum([r], start=np.zeros(1)).dtype == float else regular(pi, e, r, b)


REFUTED = [
    *(only_for_floats, only_for_float_arrays),
    *(
        special_reward,
        special_reward_by_membership,
        special_reward_by_table,
        special_reward_in_words,
        special_reward_of_fractions,
    ),
    *(
        counts_different_probabilities,
        equal_probabilities,
        order_of_probabilities,
        clipped_advantage,
        clipped_reward,
    ),
    *(
        nothing_when_sure,
        floor,
        dead_zone,
        rounds_rewards,
        low_baseline,
        clamped_policy,
        product_threshold,
        near_a_number,
    ),
    *(
        seven_actions,
        sixth_action,
        undefined_at_seven,
        undefined_at_a_value,
        tiny,
        tinier_in_float64,
    ),
]

# what no case reaches: it may hold, but the part that never ran is named, and nothing is proved


def swallows_the_refusal(pi, e, r, b):
    try:
        if r == Fraction(-12345, 7):
            return 0 * e
    except ArithmeticError:
        pass
    return regular(pi, e, r, b)


def other_way_on_symbols(pi, e, r, b):
    if not isinstance(r, Fraction):
        return regular(pi, e, r, b)
    return regular(pi, e, r, b) if r != Fraction(-12345, 7) else 0 * e


NAMED = [swallows_the_refusal, other_way_on_symbols]

# what isn't a function of its arguments, or can't be called: refused by name


def draws(pi, e, r, b):
    return regular(pi, e, r, b) * (1 if random.random() < 0.99 else 0)


_GENERATOR = np.random.default_rng(0)


def draws_from_its_own(pi, e, r, b):
    return regular(pi, e, r, b) + 0 * int(_GENERATOR.integers(5))


_CALLS = [0]


def changes_later(pi, e, r, b):
    _CALLS[0] += 1
    return regular(pi, e, r, b) * (1 if _CALLS[0] < 3000 else 2)


_MEAN = {"n": 0, "mean": 0}


def running_mean(pi, e, r, b):
    _MEAN["n"] += 1
    _MEAN["mean"] += (r - _MEAN["mean"]) / _MEAN["n"]
    return regular(pi, e, r, _MEAN["mean"])


def writes_policy(pi, e, r, b):
    pi -= e
    return -(r - b) * pi


def writes_one_hot(pi, e, r, b):
    e[0] = 0
    return regular(pi, e, r, b)


def exits(pi, e, r, b):
    sys.exit(0)


def recurses(pi, e, r, b):
    return recurses(pi, e, r, b)


def single_precision_nan(pi, e, r, b):
    return np.full(len(pi), np.float32("nan"))


def decimals(pi, e, r, b):
    return [Decimal(1)] * len(pi)


def nested_lists(pi, e, r, b):
    return [[1]] * len(pi)


def symbols(pi, e, r, b):
    import sympy

    return [sympy.Symbol("x")] * len(pi)


REFUSED = {
    draws: "draws random numbers",
    draws_from_its_own: "draws random numbers",
    changes_later: "remembers earlier calls",
    running_mean: "remembers earlier calls",
    writes_policy: "writes into pi",
    writes_one_hot: "writes into e",
    exits: "calls sys.exit",
    recurses: "recurses without end",
    single_precision_nan: "returned nan",
    decimals: "of type Decimal",
    nested_lists: "of type list",
    symbols: "of type Symbol",
}

# what needs logarithms, exponentials and angles: every law gets an answer, and none is a proof


def entropy_bonus(pi, e, r, b):
    return regular(pi, e, r, b) - Fraction(1, 100) * np.log(pi)


def exponential_rewards(pi, e, r, b):
    return (np.exp(r) - b) * (e - pi)


def logarithms_of_floats(pi, e, r, b):
    return [(math.log(1 + float(r) ** 2) - float(b)) * float(entry) for entry in e - pi]


def periodic_in_the_shift(theta, pi, e, r, b):
    return regular(pi, e, r, b) * (1 + np.sin(2 * np.pi * float(theta[0]) / np.log(2)))


TRANSCENDENTAL = [entropy_bonus, exponential_rewards, logarithms_of_floats, periodic_in_the_shift]


def made(function):
    """The function as an estimator."""
    return estimator(function)
