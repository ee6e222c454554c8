"""The peers of the bench do the same job: a benchmark against something that samples wrongly would
be worth nothing.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.estimators import alternate, regular
from altpg_verify.sim.large import bench, softmax_peers, tree_peers
from altpg_verify.sim.large.peers import LINEAR, LOGARITHMIC, Problem
from tests.large.test_goodness_of_fit import FALSE_ALARM, p_values

K, STEPS = 21, 60_000
START = np.round(np.random.default_rng(4).normal(size=K) * 64) / 64
TINY = 2.0**-40
ALTERNATE = {
    "ours": lambda estimator: bench.ours(estimator, []),
    "fenwick": tree_peers.fenwick_tree,
    "paper": tree_peers.paper_tree,
    "softmax": softmax_peers.softmax_search,
    "alias": softmax_peers.alias_table,
    "gumbel": softmax_peers.gumbel_max,
    "plain softmax": softmax_peers.plain_softmax_search,
}
"""The last three share a loop and differ in the sampler."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ALTERNATE)
def test_a_peer_samples_the_policy(name):
    """With a stepsize of 2⁻⁴⁰ the policy stays what it is, and the preferences count the draws."""
    peer = ALTERNATE[name](alternate)
    peer.start(Problem(np.zeros(K), START, TINY, -1.0))
    peer.run(STEPS)
    counts = np.rint((peer.theta() - START) / TINY)
    assert counts.sum() == STEPS
    weight = np.exp(START)
    # two tests and as many peers share the error rate
    assert min(p_values(counts, weight / weight.sum())) > FALSE_ALARM / 2 / len(ALTERNATE)


def test_numpy_samples_the_policy():
    peer = softmax_peers.numpy_search(alternate)
    peer.start(Problem(np.zeros(K), START, TINY, -1.0))
    peer.run(STEPS // 10)
    weight = np.exp(START)
    assert (
        min(p_values(np.rint((peer.theta() - START) / TINY), weight / weight.sum()))
        > FALSE_ALARM / 2
    )


@pytest.mark.thorough
@pytest.mark.parametrize("make", [softmax_peers.softmax_search, softmax_peers.numpy_search])
def test_with_the_regular_estimator_all_preferences_move(make):
    peer = make(regular)
    peer.start(Problem(np.linspace(1.0, 3.0, K), START, 0.1, 2.5))
    peer.run(1)
    moved = peer.theta() - START
    assert (moved != 0.0).all()
    assert moved.sum() == pytest.approx(0.0, abs=1e-14)
    action = int(np.abs(moved).argmax()) if (moved > 0).sum() != 1 else int(moved.argmax())
    pi = np.exp(START) / np.exp(START).sum()
    r = np.linspace(1.0, 3.0, K)
    assert any(
        np.allclose(moved, 0.1 * (r[a] - 2.5) * ((np.arange(K) == a) - pi), rtol=1e-12)
        for a in {action, *range(K)}
    )


def test_a_tree_is_no_peer_for_the_regular_estimator():
    with pytest.raises(BadInput, match="touches_taken_action_only"):
        tree_peers.fenwick_tree(regular)


def test_contenders_are_those_that_were_asked_for():
    peers = bench.contenders()
    assert peers[0] is bench.OURS
    assert {peer.cost for peer in peers} == {LINEAR, LOGARITHMIC}
    assert len({peer.name for peer in peers}) == len(peers) == 13
    words = " ".join(peer.name for peer in peers)
    assert all(
        method in words for method in ("alias", "softmax", "Gumbel", "numpy", "Fenwick", "paper")
    )
