"""What a formula's shape gives away is derived, not declared."""

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
