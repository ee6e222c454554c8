"""How long a step takes beside what one would use instead: all contenders take turns in one
process, in CPU time.

Four states of learning are timed, since processors guess branches and cost depends on how well they
guess:

    spread    the policy is near uniform (fixed optimistic baseline): every draw is a surprise
    settled   one action has all but e^-50 of the weight (baseline near its reward); the mean over
              several such actions
    learning  an ordinary stepsize and a fixed optimistic baseline, from a uniform policy on: every
              step changes probabilities by a tenth and more; everybody starts anew each round, for
              at most 1000 steps an action, or raw sums would underflow
    rising    as settled, but with an ordinary stepsize and a baseline 0.1 below its reward: the
              preference of one action goes up by 0.01 a step; everybody starts anew each round, for
              at most 60 000 steps, or raw sums would overflow
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from altpg_verify.estimators import Estimator, alternate, regular
from altpg_verify.sim.large import softmax_peers, tree_peers
from altpg_verify.sim.large.blocks import offsets
from altpg_verify.sim.large.envelopes import layout
from altpg_verify.sim.large.log_bandit import LogBandit
from altpg_verify.sim.large.peers import LINEAR, LOGARITHMIC, Peer, Problem

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
ROUNDS = 5
PLACES = (0.07, 0.31, 0.52, 0.74, 0.95)
"""Where the settled action stands, as a share of all actions; the times are means over these."""

SLICE = 0.01
"""Seconds of CPU that a contender runs before the next one has its turn; at least one step."""

SPREAD, SETTLED, LEARNING, RISING = "spread", "settled", "learning", "rising"
REGIMES = (SPREAD, SETTLED, LEARNING, RISING)


@dataclass(frozen=True)
class Goal:
    """What `value` of a timing is to be, at k actions or at any number: either at least or at most
    a bound.

    Args:
        text: what is compared, in words.
        k: the number of actions it is about; None for any.
        at_least, at_most: the bounds of the value.
    """

    text: str
    k: int | None
    value: Callable[[Timing], float]
    at_least: float = 0.0
    at_most: float = float("inf")

    def line(self, timing: Timing) -> str:
        """The verdict on one timing.

        In the words of the table: size, regime, what is compared, its bound, its value, and whether
        it is met.
        """
        value = self.value(timing)
        verdict = "met" if self.at_least <= value <= self.at_most else "NOT MET"
        bound = f"at least {self.at_least:g}" if self.at_least else f"at most {self.at_most:g}"
        return f"{timing.k:>12,} {timing.regime:<11}{self.text}, {bound}: {value:,.2f}  {verdict}"


def ours(estimator: Estimator, agents: list[LogBandit]) -> Peer:
    """`LogBandit` in the form of a peer; the agent that runs is put into the list.

    Counts of its steps are read off that list afterwards.
    """

    def start(problem: Problem) -> None:
        agents[:] = [
            LogBandit(estimator, problem.q, alpha=problem.alpha, b=problem.b, theta=problem.theta)
        ]

    def run(count: int) -> None:
        agents[0].run(count)

    return Peer("LogBandit", estimator, LOGARITHMIC, start, run, lambda: agents[0].tree.preferences)


_AGENT: list[LogBandit] = []
OURS = ours(alternate, _AGENT)
FENWICK = tree_peers.fenwick_tree(alternate)


def contenders() -> list[Peer]:
    """Everything that is timed, the agent of this package first.

    O(k) methods are there twice, with alternate and with regular.
    """
    linear = (
        softmax_peers.softmax_search,
        softmax_peers.plain_softmax_search,
        softmax_peers.alias_table,
        softmax_peers.gumbel_max,
        softmax_peers.numpy_search,
    )
    return [
        OURS,
        FENWICK,
        tree_peers.paper_tree(alternate),
        *(make(estimator) for make in linear for estimator in (alternate, regular)),
    ]


def problem(k: int, regime: str, place: float = 0.5) -> Problem:
    """A bandit with rewards uniform on [1, 3] in one of the states of learning.

    Args:
        k: how many actions; it seeds the rewards, too.
        regime: one of `REGIMES`.
        place: where the settled action stands, as a share of k.
    """
    # the same rewards at every call, and other ones for another k
    q = np.random.Generator(np.random.SFC64(k)).uniform(1.0, 3.0, k)
    theta = np.zeros(k)
    if regime in (SPREAD, LEARNING):
        return Problem(q, theta, 1e-5 if regime == SPREAD else 0.1, 4.0)
    settled = int(place * k)
    # e⁵⁰ is 5 · 10²¹, so nearly all of the probability, at any k that is timed
    theta[settled] = 50.0
    return Problem(
        q, theta, *((1e-5, q[settled] - 0.01) if regime == SETTLED else (0.1, q[settled] - 0.1))
    )


def most_steps(k: int, regime: str) -> int:
    """How many steps peers with raw sums can make in a state of learning before these under- or
    overflow; 0 for any number.
    """
    return {LEARNING: 1000 * k, RISING: 60_000}.get(regime, 0)


@dataclass(frozen=True)
class Timing:
    """Nanoseconds of CPU a step at k actions in one state of learning: the smallest of the rounds
    (mean over places).

    `counts`: what `LogBandit` counted, for a step on envelopes: proposals, batches of them, walks
    through the rows, envelopes changed, filings of all actions.

    Args:
        k: how many actions.
        regime: the state of learning, a word of the table.
        nanoseconds: of CPU time a step, for each peer.
    """

    k: int
    regime: str
    nanoseconds: dict[Peer, float]
    counts: dict[str, float]

    @property
    def rows(self) -> float:
        """Rows of eight sums that a step of `LogBandit` on envelopes looks at in order to sample.

        For each walk one a level, and two at the top; for each batch one a level, where the stretch
        of the action tried first starts.
        """
        # a walk sees each level once, and a batch sees those above the action tried first
        levels = layout(self.k).size - 1
        return (levels + 1) * self.counts["walks"] + levels * self.counts["batches"]

    def ratio(self, peer: Peer) -> float:
        """Time of a peer over ours."""
        return self.nanoseconds[peer] / self.nanoseconds[OURS]

    def fastest(self, estimator: Estimator) -> Peer:
        """The fastest peer that looks at all actions, with that estimator."""
        peers = [
            peer for peer in self.nanoseconds if peer.cost == LINEAR and peer.estimator is estimator
        ]
        return min(peers, key=self.nanoseconds.__getitem__)

    def ahead(self, *estimators: Estimator) -> float:
        """Time of the fastest peer of cost O(k) for any of these over ours.

        Below 1 a peer is faster.
        """
        return min(self.ratio(self.fastest(estimator)) for estimator in estimators)


BEST = "times as fast as the best O(k) step of regular"
GOALS = (
    Goal(BEST, 1_000, lambda timing: timing.ahead(regular), 100),
    Goal(BEST, 10**6, lambda timing: timing.ahead(regular), 2000),
    Goal(
        "times as fast as the fastest peer of O(k)",
        10,
        lambda timing: timing.ahead(alternate, regular),
        1,
    ),
    Goal(
        "of the time of a plain Fenwick tree",
        None,
        lambda timing: 1 / timing.ratio(FENWICK),
        at_most=1.35,
    ),
    Goal(
        "rows of sums a step, over ⌈log₂(k + 1)⌉",
        None,
        lambda timing: timing.rows / timing.k.bit_length(),
        at_most=1,
    ),
)
"""Fixed before the agent was written; whether they are met is up to the machine."""


def timings(sizes: Sequence[int], rounds: int) -> Iterator[Timing]:
    """Time all contenders at each size and in each regime: one round of everybody after the other.

    Args:
        sizes: numbers of actions.
        rounds: of which the smallest time counts.
    """
    # compiled once; each size starts them anew
    peers = contenders()
    for k in sizes:
        for regime in REGIMES:
            places = PLACES if regime in (SETTLED, RISING) else (0.5,)
            sums, counts = dict.fromkeys(peers, 0.0), dict[str, int]()
            for place in places:
                task = problem(k, regime, place)
                for peer, nanoseconds in _timed(peers, task, rounds, most_steps(k, regime)).items():
                    sums[peer] += nanoseconds / len(places)
                counts = _AGENT[0].counts
            steps = counts.pop("steps")
            yield Timing(k, regime, sums, {name: count / steps for name, count in counts.items()})


def _timed(peers: Sequence[Peer], task: Problem, rounds: int, most: int) -> dict[Peer, float]:
    """Nanoseconds of each; if `most` is given, everybody starts anew each round and makes no more
    steps than that.
    """
    counts = {}
    for peer in peers:
        peer.start(task)
        counts[peer] = _steps(peer)
        if most:
            counts[peer] = min(counts[peer], most)
    # the smallest time of the rounds: whatever else the machine does only adds
    best = dict.fromkeys(peers, float("inf"))
    for _ in range(rounds):
        for peer, count in counts.items():
            if most:
                peer.start(task)
                peer.run(1)
            begin = time.thread_time_ns()
            peer.run(count)
            best[peer] = min(best[peer], (time.thread_time_ns() - begin) / count)
    return best


def _steps(peer: Peer) -> int:
    """How many steps fill a slice; finding out compiles the peer and warms up the caches."""
    count = 1
    peer.run(1)
    while True:
        seconds = float("inf")
        # twice, since what the machine does besides can take longer than a slice
        for _ in range(2):
            begin = time.thread_time()
            peer.run(count)
            seconds = min(seconds, time.thread_time() - begin)
        # long enough to scale up to a slice from
        if seconds > SLICE / 4:
            return max(1, round(count * SLICE / seconds))
        count *= 4


def report(sizes: Sequence[int] = SIZES, rounds: int = ROUNDS) -> Iterator[str]:
    """The lines of the table, as they become known: times, ratios to ours, and the goals.

    Args:
        sizes: numbers of actions.
        rounds: of which the smallest time counts.
    """
    done: list[Timing] = []
    load = os.getloadavg()[0]
    for timing in timings(sizes, rounds):
        done.append(timing)
        if timing.regime == SPREAD:
            levels, bound = offsets(timing.k).size - 1, timing.k.bit_length()
            yield (
                f"{timing.k:,} actions: a walk of the tree visits {levels} blocks of eight, at most"
                f" ⌈log₂(k + 1)⌉ = {bound}"
            )
        counted = ", ".join(f"{count:.3g} {name}" for name, count in timing.counts.items())
        yield (
            f"  {timing.regime}; a step of LogBandit on envelopes looks at {timing.rows:.2f} rows"
            f" of eight sums ({counted})"
        )
        for peer, nanoseconds in timing.nanoseconds.items():
            yield f"    {peer.name:<40}{nanoseconds:>16,.1f} ns{timing.ratio(peer):>12,.2f} x"
    yield ""
    yield (
        f"{'time of a step over ours':<24}{'fastest O(k), regular estimator':>42}{'fastest O(k), alternate':>42}{'ours / Fenwick':>17}"
    )
    for timing in done:
        cells = ""
        for estimator in (regular, alternate):
            peer = timing.fastest(estimator)
            cells += f"{peer.method:>30}{timing.ratio(peer):>10,.1f} x"
        yield f"{timing.k:>12,} {timing.regime:<11}{cells}{1 / timing.ratio(FENWICK):>15.2f}"
    yield ""
    yield from (
        goal.line(timing) for goal in GOALS for timing in done if goal.k in (None, timing.k)
    )
    yield (
        f"smallest of {rounds} interleaved rounds, CPU time of one thread; load average {load:.1f}"
        f" at the start, {os.getloadavg()[0]:.1f} at the end, on {os.cpu_count()} cores"
    )
