"""The formula of a factor, and the size from which on a curl counts."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.expected_update import Curl
from altpg_verify.audit.kinds import Kind


def test_a_formula_without_a_value_leaves_the_others():
    """No group of one is mixed, so that 1/P(mixed group) has no value."""

    def times_value(rewards, scores, value):
        return value * (rewards[:, None] * scores).mean(axis=0)

    found = audit(from_function(times_value, space=bandit([1, 3, 2]).group(1)), differentiate=False)
    assert (found.kind, found.scale.formula) == (Kind.SCALED, "V")


@pytest.mark.parametrize("size", [1e-11, 5e-9, 2e-8, 1e-3])
@pytest.mark.parametrize("error", [0.0, 1e-10, 1e-6])
def test_a_curl_is_shown_exactly_where_it_decides(size, error):
    twist = Curl(size, size, error, np.ones((2, 2)))
    assert twist.conservative == (twist.shown == (0.0, 0.0))
