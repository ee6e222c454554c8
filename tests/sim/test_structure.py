"""What a formula's shape gives away is derived, not declared."""

from contextlib import suppress

import numpy as np
import pytest

from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.structure import acts_by_action, touches_taken_action_only
from tests.sim import examples


@pytest.mark.parametrize(
    ("est", "by_action", "taken_only"),
    [
        (regular, True, False),
        (alternate, True, True),
        (expected_gradient, True, False),
        (examples.mixing, False, False),
        (examples.with_everything, True, False),
        (examples.clipped, False, False),
        (examples.scaled_by_count, False, False),
        (examples.vector_only, True, True),
        (examples.raising, False, False),
        (examples.too_long, False, False),
        (examples.one_number, False, False),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_derived(est, by_action, taken_only):
    assert acts_by_action(est) is by_action
    assert touches_taken_action_only(est) is taken_only


def test_a_component_that_sees_its_neighbour_is_not_by_action():
    @estimator
    def shifted(e, pi, r):
        return r * e * pi[::-1]

    assert not acts_by_action(shifted)
    assert touches_taken_action_only(shifted)


def test_a_component_with_a_place_of_its_own_is_not_by_action():
    @estimator
    def favours_the_first(e, r, b):
        g = (r - b) * e
        return g + 0 * g[0] - g * [a == 0 for a in range(len(g))]

    assert not acts_by_action(favours_the_first)


def test_zero_by_algebra_counts_as_zero():
    @estimator
    def hidden(pi, e, r, b):
        return (r - b) * ((e + pi) * (e + pi) - pi * pi - 2 * e * pi)

    assert touches_taken_action_only(hidden)
    assert acts_by_action(hidden)


def test_what_is_not_zero_is_not_taken_for_zero():
    @estimator
    def one_elsewhere(e, r, b):
        return (r - b) * e + (1 - e)

    assert not touches_taken_action_only(one_elsewhere)


def test_what_is_zero_only_after_cancelling_counts_as_zero():
    @estimator
    def fractions(pi, e, r, b):
        return (r - b) * (e + pi / (1 + pi) + 1 / (1 + pi) - 1)

    assert touches_taken_action_only(fractions)


@pytest.mark.parametrize("special", [2, 3, 4])
def test_two_three_and_four_actions_are_all_looked_at(special):
    @estimator
    def otherwise(pi, e, r, b):
        return (r - b) * (e + pi if len(pi) == special else e)

    assert not acts_by_action(otherwise)
    assert not touches_taken_action_only(otherwise)


COUNTS = {
    "np.size": np.size,
    "len": len,
    "asarray": lambda pi: np.asarray(pi).size,
    "shape": lambda pi: pi.shape[0],
    "ones": lambda pi: np.ones_like(pi).sum(),
    "iteration": lambda pi: sum(1 for _ in pi),
    "slice": lambda pi: len(pi[:]),
    "list": lambda pi: len([*pi]),
}


@pytest.mark.parametrize("count", COUNTS.values(), ids=COUNTS)
def test_a_formula_that_counts_the_actions_may_be_another_one_for_more_of_them(count):
    @estimator
    def twice_as_long_for_many(pi, e, r, b):
        return (r - b) * (e - pi) * (2 if count(pi) > 10 else 1)

    assert not acts_by_action(twice_as_long_for_many)


def length_or_three(pi):
    try:
        return len(pi)
    except TypeError:
        return 3


def under_suppress(pi):
    with suppress(Exception):
        return len(pi)
    return 3


TELLS = {
    "except": length_or_three,
    "suppress": under_suppress,
    "getattr": lambda pi: getattr(pi, "size", 3),
    "isinstance": lambda pi: pi.size if isinstance(pi, np.ndarray) else 3,
    "hasattr": lambda pi: pi.size if hasattr(pi, "size") else 3,
    "dir": lambda pi: pi.size if "size" in dir(pi) else 3,
    "comparison": lambda pi: np.count_nonzero(pi * 0 == 0),
}


@pytest.mark.parametrize("count", TELLS.values(), ids=TELLS)
def test_a_formula_that_could_tell_symbols_from_numbers_is_nothing_by_its_shape(count):
    @estimator
    def twice_as_long_for_many(pi, e, r, b):
        return (r - b) * e * (2 if count(pi) > 10 else 1)

    assert not acts_by_action(twice_as_long_for_many)
    assert not touches_taken_action_only(twice_as_long_for_many)


@pytest.mark.parametrize(
    "met",
    [
        lambda r: r == 5,
        lambda r: r in (5, 7),
        lambda r: r != r + 1,
        lambda r: bool(r),
        lambda r: round(r) == r,
    ],
)
def test_a_branch_at_a_number_is_not_taken_for_the_formula(met):
    @estimator
    def all_actions_at_one_reward(pi, e, r, b):
        return (r - b) * e + (pi if met(r) else 0 * pi)

    assert not acts_by_action(all_actions_at_one_reward)
    assert not touches_taken_action_only(all_actions_at_one_reward)


def test_arithmetic_by_numpy_acts_by_action():
    @estimator
    def written_out(pi, e, r, b):
        return (
            np.multiply(np.subtract(r, b), e)
            - np.float64(2) * np.square(-pi) / np.int64(3)
            + abs(pi) ** 2
        )

    assert acts_by_action(written_out)


def test_arguments_are_real_numbers():
    @estimator
    def squares_of_sizes(pi, e, r, b):
        return (r - b) * e + abs(pi) ** 2 - pi**2 + (abs(r - b) ** 2 - (r - b) ** 2) * pi

    assert touches_taken_action_only(squares_of_sizes)

    @estimator
    def of_scalars(pi, e, r, b):
        return (r - b) * e + (abs(r) ** 2 - r**2) * pi

    assert touches_taken_action_only(of_scalars)


def test_numbers_are_compared_as_they_are_and_not_as_floats():
    @estimator
    def almost_alike(e):
        return [2**53 + 1, *[2.0**53] * (len(e) - 1)]

    assert not acts_by_action(almost_alike)
