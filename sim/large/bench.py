"""How long a step takes beside what one would use instead: all contenders take turns in one process, in CPU time.

Two states of learning are timed, since processors guess branches and cost depends on how well they guess:

    spread    the policy is near uniform (fixed optimistic baseline): every draw is a surprise
    settled   one action has all but e^-50 of the weight (baseline near its reward); the mean over several such actions
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from altpg_verify.estimators import Estimator, alternate, regular
from sim.large import softmax_peers, tree_peers
from sim.large.blocks import offsets
from sim.large.log_bandit import LogBandit
from sim.large.peers import LINEAR, LOGARITHMIC, Peer, Problem

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
ROUNDS = 5
PLACES = (0.07, 0.31, 0.52, 0.74, 0.95)
"""Where the settled action stands, as a share of all actions; the times are means over these."""

SLICE = 0.01
"""Seconds of CPU that a contender runs before the next one has its turn; at least one step."""


def ours(estimator: Estimator) -> Peer:
    """`LogBandit` in the form of a peer."""
    agents: list[LogBandit] = []

    def start(problem: Problem) -> None:
        agents[:] = [LogBandit(estimator, problem.q, alpha=problem.alpha, b=problem.b, theta=problem.theta)]

    def run(count: int) -> None:
        agents[0].run(count)

    return Peer("SamplingTree", estimator, LOGARITHMIC, start, run, lambda: agents[0].tree.preferences)


OURS = ours(alternate)
FENWICK = tree_peers.fenwick_tree(alternate)


def contenders() -> list[Peer]:
    """Everything that is timed, the tree of this package first."""
    linear = (
        softmax_peers.softmax_search,
        softmax_peers.plain_softmax_search,
        softmax_peers.alias_table,
        softmax_peers.gumbel_max,
        softmax_peers.numpy_search,
    )
    return [OURS, FENWICK, tree_peers.paper_tree(alternate), *(make(estimator) for make in linear for estimator in (alternate, regular))]


def problem(k: int, regime: str, place: float = 0.5) -> Problem:
    """A bandit with rewards uniform on [1, 3] in one of the two states of learning."""
    q = np.random.Generator(np.random.SFC64(k)).uniform(1.0, 3.0, k)
    theta = np.zeros(k)
    if regime == "spread":
        return Problem(q, theta, 1e-5, 4.0)
    settled = int(place * k)
    theta[settled] = 50.0
    return Problem(q, theta, 1e-5, q[settled] - 0.01)


@dataclass(frozen=True)
class Timing:
    """Nanoseconds of CPU a step at k actions in one state of learning: the smallest of the rounds (mean over places)."""

    k: int
    regime: str
    nanoseconds: dict[Peer, float]

    def ratio(self, peer: Peer) -> float:
        """Time of a peer over ours."""
        return self.nanoseconds[peer] / self.nanoseconds[OURS]

    def fastest(self, estimator: Estimator) -> Peer:
        """The fastest peer that looks at all actions, with that estimator."""
        peers = [peer for peer in self.nanoseconds if peer.cost == LINEAR and peer.estimator is estimator]
        return min(peers, key=self.nanoseconds.__getitem__)


def timings(sizes: Sequence[int], rounds: int) -> Iterator[Timing]:
    """Time all contenders at each size; one round of everybody after the other."""
    peers = contenders()
    for k in sizes:
        for regime, places in (("spread", (0.5,)), ("settled", PLACES)):
            sums = dict.fromkeys(peers, 0.0)
            for place in places:
                for peer, nanoseconds in _timed(peers, problem(k, regime, place), rounds).items():
                    sums[peer] += nanoseconds / len(places)
            yield Timing(k, regime, sums)


def _timed(peers: Sequence[Peer], task: Problem, rounds: int) -> dict[Peer, float]:
    counts = {}
    for peer in peers:
        peer.start(task)
        counts[peer] = _steps(peer)
    best = dict.fromkeys(peers, float("inf"))
    for _ in range(rounds):
        for peer, count in counts.items():
            begin = time.thread_time_ns()
            peer.run(count)
            best[peer] = min(best[peer], (time.thread_time_ns() - begin) / count)
    return best


def _steps(peer: Peer) -> int:
    """How many steps fill a slice; finding out compiles the peer and warms up the caches."""
    count = 1
    peer.run(1)
    while True:
        begin = time.thread_time()
        peer.run(count)
        seconds = time.thread_time() - begin
        if seconds > SLICE / 4:
            return max(1, round(count * SLICE / seconds))
        count *= 4


def report(sizes: Sequence[int] = SIZES, rounds: int = ROUNDS) -> Iterator[str]:
    """The lines of the table, as they become known."""
    done: list[Timing] = []
    load = os.getloadavg()[0]
    for timing in timings(sizes, rounds):
        done.append(timing)
        if timing.regime == "spread":
            levels, bound = offsets(timing.k).size - 1, timing.k.bit_length()
            yield f"{timing.k:,} actions: a walk visits {levels} blocks of eight, at most ⌈log₂(k + 1)⌉ = {bound}"
        yield f"  {timing.regime}"
        for peer, nanoseconds in timing.nanoseconds.items():
            yield f"    {peer.name:<40}{nanoseconds:>16,.1f} ns{timing.ratio(peer):>12,.2f} x"
    yield ""
    yield f"{'time of a step over ours':<24}{'fastest O(k), regular estimator':>42}{'fastest O(k), alternate':>42}{'ours / Fenwick':>17}"
    for timing in done:
        cells = ""
        for estimator in (regular, alternate):
            peer = timing.fastest(estimator)
            cells += f"{peer.method:>30}{timing.ratio(peer):>10,.1f} x"
        yield f"{timing.k:>12,} {timing.regime:<11}{cells}{1 / timing.ratio(FENWICK):>15.2f}"
    yield (
        f"smallest of {rounds} interleaved rounds, CPU time of one thread; "
        f"load average {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end, on {os.cpu_count()} cores"
    )
