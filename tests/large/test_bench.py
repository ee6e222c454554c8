"""The bench: what it prints, and its bad input."""

from __future__ import annotations

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


# one contender of the table is timed for real, and compiled for it
@pytest.mark.slow
def test_the_table_names_everything_that_was_timed(monkeypatch):
    fenwick = idle("Fenwick tree", alternate, LOGARITHMIC)
    few = [bench.OURS, fenwick, idle("search", alternate, LINEAR), idle("numpy", regular, LINEAR)]
    monkeypatch.setattr(bench, "FENWICK", fenwick)
    monkeypatch.setattr(bench, "contenders", lambda: few)
    monkeypatch.setattr(bench, "SLICE", 0.0005)
    lines = list(bench.report([10], rounds=1))
    text = "\n".join(lines)
    assert (
        lines[0]
        == "10 actions: a walk of the tree visits 2 blocks of eight, at most ⌈log₂(k + 1)⌉ = 4"
    )
    assert all(text.count(peer.name) == len(bench.REGIMES) for peer in few)
    assert all(regime in text for regime in bench.REGIMES)
    assert text.count("of the time of a plain Fenwick tree, at most 1.35: ") == len(bench.REGIMES)
    assert all(
        line.endswith(("  met", "  NOT MET")) for line in lines[-1 - 3 * len(bench.REGIMES) : -1]
    )
    assert "load average" in lines[-1]


@pytest.mark.parametrize(
    "arguments", [["--sizes", "1"], ["--sizes", "ten"], ["--sizes", "10,1e12"], ["--rounds", "0"]]
)
def test_bad_input_is_one_line(arguments, capsys):
    assert main(["bench", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"altpg_verify.sim.large: {arguments[0]} ")
    assert error.count("\n") == 1


@pytest.mark.slow
def test_all_contenders_are_timed_for_real():
    """How fast they are is what `python -m altpg_verify.sim.large bench` is for."""
    peers = [
        bench.OURS,
        bench.FENWICK,
        *(softmax_peers.softmax_search(estimator) for estimator in (alternate, regular)),
    ]
    peers += [
        softmax_peers.plain_softmax_search(regular),
        softmax_peers.alias_table(alternate),
        tree_peers.paper_tree(alternate),
    ]
    bench_contenders, bench.contenders = bench.contenders, lambda: peers
    try:
        timings = list(bench.timings([10], rounds=1))
    finally:
        bench.contenders = bench_contenders
    assert [timing.regime for timing in timings] == list(bench.REGIMES)
    assert all(timing.nanoseconds[peer] > 0 for timing in timings for peer in peers)
