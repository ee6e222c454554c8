"""The bench: what it prints, and its bad input; the slow one holds the speed to what is promised."""

from __future__ import annotations

import os

import numpy as np
import pytest

from altpg_verify.estimators import alternate, regular
from altpg_verify.sim.large import bench, softmax_peers, tree_peers
from altpg_verify.sim.large.__main__ import main
from altpg_verify.sim.large.peers import LINEAR, LOGARITHMIC, Peer


def idle(name, estimator, cost):
    """A contender that only counts, and so has nothing to compile."""

    def run(count):
        for _ in range(count):
            pass

    return Peer(name, estimator, cost, lambda problem: None, run, lambda: np.zeros(0))


def test_the_table_names_everything_that_was_timed(monkeypatch):
    fenwick = idle("Fenwick tree", alternate, LOGARITHMIC)
    few = [bench.OURS, fenwick, idle("search", alternate, LINEAR), idle("numpy", regular, LINEAR)]
    monkeypatch.setattr(bench, "FENWICK", fenwick)
    monkeypatch.setattr(bench, "contenders", lambda: few)
    monkeypatch.setattr(bench, "SLICE", 0.0005)
    lines = list(bench.report([10], rounds=1))
    text = "\n".join(lines)
    assert lines[0] == "10 actions: a walk of the tree visits 2 blocks of eight, at most ⌈log₂(k + 1)⌉ = 4"
    assert all(text.count(peer.name) == len(bench.REGIMES) for peer in few)
    assert all(regime in text for regime in bench.REGIMES)
    assert text.count("of the time of a plain Fenwick tree, at most 1.35: ") == len(bench.REGIMES)
    assert all(line.endswith(("  met", "  NOT MET")) for line in lines[-1 - 3 * len(bench.REGIMES) : -1])
    assert "load average" in lines[-1]


@pytest.mark.parametrize("arguments", [["--sizes", "1"], ["--sizes", "ten"], ["--sizes", "10,1e12"], ["--rounds", "0"]])
def test_bad_input_is_one_line(arguments, capsys):
    assert main(["bench", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"altpg_verify.sim.large: {arguments[0]} ")
    assert error.count("\n") == 1


@pytest.mark.slow
def test_speed():
    """Ratios of CPU time in one process, interleaved; the margins are for other load, which hits ratios less than times."""
    peers = [bench.OURS, bench.FENWICK, *(softmax_peers.softmax_search(estimator) for estimator in (alternate, regular))]
    peers += [softmax_peers.plain_softmax_search(regular), softmax_peers.alias_table(alternate), tree_peers.paper_tree(alternate)]
    if os.getloadavg()[0] > 2 * (os.cpu_count() or 1):
        pytest.skip(f"load average {os.getloadavg()[0]:.1f}: ratios would say more about others than about us")
    bench_contenders, bench.contenders = bench.contenders, lambda: peers
    try:
        timings = {(timing.k, timing.regime): timing for timing in bench.timings([10, 1000, 1_000_000], rounds=7)}
    finally:
        bench.contenders = bench_contenders
    for timing in timings.values():
        assert 1 / timing.ratio(bench.FENWICK) <= 1.35
        assert min(timing.ratio(peer) for peer in peers if peer.cost == "k") >= 1.0
    for regime in bench.REGIMES:
        assert timings[1_000_000, regime].ratio(timings[1_000_000, regime].fastest(regular)) >= 2000
        assert timings[1_000, regime].ratio(timings[1_000, regime].fastest(regular)) >= 100 / 1.25
