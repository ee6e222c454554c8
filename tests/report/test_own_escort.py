"""An escort policy's flow on the simplex: the softmax update that moves the policy the same way, or
a sentence why there is none.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import estimator
from altpg_verify.cases import Case
from altpg_verify.estimators import escort_regular
from altpg_verify.exact import expected_update
from altpg_verify.parameterisations import escort, softmax
from altpg_verify.report.own.build import SCALE_MATTERS, why_no_flow
from altpg_verify.report.own.escort_flow import as_softmax, preferences
from altpg_verify.report.own.interactive import interactive
from altpg_verify.report.own.simplex_figures import ends, noiseless
from altpg_verify.report.own.target import Subject
from altpg_verify.report.simplex import moved

POLICY = np.array([0.2, 0.3, 0.5])


@estimator
def by_reward(e, r, b):
    """The alternate formula, used for the preferences of an escort policy."""
    return (r - b) * e


@estimator
def pulled(theta, pi, e, r, b):
    """Pulls the preferences to 1, so that their scale matters."""
    return (r - b) * (e - pi) / theta - (theta - 1)


@estimator
def undefined(e, r, pi):
    """No number where the policy is uniform."""
    return r * e / (pi[0] - pi[1])


@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize(
    "one", [by_reward, "regular", pulled], ids=["by_reward", "regular", "pulled"]
)
def test_the_policy_moves_as_it_does(one, p):
    one = escort_regular(p) if one == "regular" else one
    theta, step = preferences(POLICY, p).astype(float), 1e-6
    rewards = noiseless(POLICY, 4).rewards
    update = np.array(
        [
            float(entry)
            for entry in expected_update(one, Case(tuple(theta), rewards, 4.0, escort(p)))
        ]
    )
    after = np.array([float(entry) for entry in escort(p).policy(theta + step * update)])
    as_logits = np.array(
        [
            float(entry)
            for entry in expected_update(as_softmax(one, escort(p)), noiseless(POLICY, 4))
        ]
    )
    assert np.abs(after - POLICY).max() > 1e-7
    assert np.allclose(
        moved(POLICY, as_logits, step) - POLICY, after - POLICY, rtol=1e-4, atol=1e-11
    )


def test_a_softmax_policy_needs_no_change():
    assert as_softmax(by_reward, softmax) is by_reward


def test_an_attractor_of_an_escort_policy_is_found_exactly():
    found = ends(Subject("x:y", by_reward, escort(2)).flows())
    (point,) = found["by_reward", 4]
    assert (point.kind, point.exact) == ("attractor", True)
    assert point.pi == (Fraction(4, 49), Fraction(9, 49), Fraction(36, 49))


def test_its_own_likelihood_ratio_estimator_stands_beside_it_and_ends_at_the_best_action():
    flows = Subject("x:y", by_reward, escort(3)).flows()
    assert list(flows) == ["escort_regular(3)", "by_reward"]
    assert [point.pi for point in ends(flows)["escort_regular(3)", 4]] == [(0, 0, 1)]
    assert list(Subject("x:y", escort_regular(3), escort(3)).flows()) == ["escort_regular(3)"]


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (by_reward, ""),
        (escort_regular(2), ""),
        (pulled, SCALE_MATTERS),
        (undefined, "isn't defined everywhere"),
    ],
)
def test_where_the_policy_does_not_say_where_it_goes_nothing_is_drawn(one, why):
    reported = why_no_flow(Subject("x:y", one, escort(2)))
    assert why in reported
    assert bool(reported) is bool(why)


@pytest.mark.thorough
def test_its_interactive_simplex_has_no_single_draws():
    about = Subject("x:y", by_reward, escort(2))
    found = interactive(about.flows(), about.label, escort=True)
    assert all(code.startswith("{") for code in found.formulas.values())
    assert "escort policy" in found.note
    assert "sampled actions" not in found.section()
