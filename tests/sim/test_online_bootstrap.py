"""Bootstrap errors of shares and means over runs."""

import numpy as np
import pytest

from altpg_verify.sim import bootstrap
from altpg_verify.sim.experiments.online_measures import joined


def test_shares_and_their_errors():
    generator = np.random.Generator(np.random.SFC64(5))
    means = np.where(np.arange(60) < 24, -100.0, -200.0).reshape(10, 6)
    sharp = bootstrap.bootstrapped(
        "",
        lambda m: bootstrap.share_near_best(m, 0, 50.0),
        [means[..., None] + generator.normal(0, 1, (10, 6, 50))],
        step=1 / 60,
    )
    assert sharp.mean == 0.4
    assert sharp.standard_error == 0.0
    assert sharp.low == pytest.approx(1 / 120)
    # pairs that lie on the edge: their share moves
    edge = np.where(np.arange(60) < 24, -150.0, -200.0).reshape(10, 6)
    edge[0, 0] = -100.0
    blurred = bootstrap.bootstrapped(
        "",
        lambda m: bootstrap.share_near_best(m, 0, 50.0),
        [edge[..., None] + generator.normal(0, 30, (10, 6, 50))],
    )
    assert 0.02 < blurred.standard_error < 0.2


def test_the_bootstrap_error_of_a_mean_is_its_standard_error():
    values = np.random.Generator(np.random.SFC64(8)).normal(0.0, 3.0, (1, 400))
    item = bootstrap.bootstrapped("", lambda means: float(means[0][0]), [values])
    assert item.standard_error == pytest.approx(3.0 / 20, rel=0.15)


def test_joined_means():
    items = [
        bootstrap.bootstrapped("", lambda means: float(means[0]), [np.arange(4.0) + shift])
        for shift in (0.0, 10.0)
    ]
    both = joined("", items)
    assert both.mean == pytest.approx(6.5)
    assert both.standard_error == pytest.approx(
        np.hypot(items[0].standard_error, items[1].standard_error) / 2
    )
