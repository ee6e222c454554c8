"""`LogBandit`: a gradient bandit with up to ten million actions and more, at O(log k) a step."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import ARGUMENTS, Estimator
from altpg_verify.sim import bandit, compiled, refusals, settings, streams
from altpg_verify.sim.jit import LOCK, compile_kernel
from altpg_verify.sim.large import envelope_stepping, stepping
from altpg_verify.sim.large.blocks import aligned_zeros, row_sum
from altpg_verify.sim.large.filing import Filing
from altpg_verify.sim.large.kernels import kernels
from altpg_verify.sim.large.sampling_tree import SamplingTree, numbers
from altpg_verify.structure import acts_by_action, touches_taken_action_only

_MODES = {
    bandit.FIXED: stepping.FIXED,
    bandit.LEARNED: stepping.LEARNED,
    bandit.TRUE: stepping.TRUE,
}


MOST_RUNS = 1_000_000
"""The number of a run is below: the states of all before it are made."""


@dataclass(frozen=True)
class Stretch:
    """Some steps of one run: how many, and the averages over them of the reward R and of its
    expectation r(A).

    Args:
        steps: how many were made.
        reward: the mean of R, noise included.
        expected_reward: the mean of r(A).
    """

    steps: int
    reward: float
    expected_reward: float


class LogBandit:
    """One run of the gradient bandit (paper, algorithm "Gradient Bandit") with very many actions.

    At every step  A ~ π = softmax(θ),  R = r(A) + σ ε,  θ(A) ← θ(A) + α ĝ_A,  and then, if b is
    learned,  b ← β R + (1 - β) b. ĝ is the estimator's own formula, compiled, in its component A.
    That this is all of it is derived before the first step, from the formula
    (`altpg_verify.structure`): other estimators are refused.

    An estimator that reads neither π(A) nor the policy's value draws by rejection under envelopes
    (`altpg_verify.sim.large.envelopes`); others, and runs whose actions would have to be filed anew
    all the time, walk a tree of floating-point sums. Both are exact, and O(log k). `tree` is the
    policy as a `SamplingTree`, up to date whenever it is used: after n steps that takes O(n log k),
    O(k) at most.

    Args:
        estimator: any estimator that touches the taken action only, and reads no other action's
            entries.
        rewards: (k,) expected reward of each action.
        alpha, beta: stepsizes of the policy and of the baseline (beta only matters when it is
            learned).
        baseline: "fixed", "learned" or "true"; b: its value at the start. The true one is r_π,
            exactly, at O(log k).
        sigma: standard deviation of the Gaussian reward noise.
        theta: (k,) preferences at the start; 0 if not given.
        root, experiment, run: name the random streams (see `altpg_verify.sim.streams`).

    Raises:
        BadInput: the estimator isn't one of these (the message says which law fails), or an
            argument can't be used.
        BadEstimator: the formula breaks its contract or can't be compiled.
    """

    def __init__(
        self,
        estimator: Estimator,
        rewards: Sequence[float] | np.ndarray,
        *,
        alpha: float,
        beta: float = 0.0,
        baseline: str = bandit.FIXED,
        b: float = 0.0,
        sigma: float = 0.0,
        theta: Sequence[float] | np.ndarray | None = None,
        root: int = 0,
        experiment: str = "log-bandit",
        run: int = 0,
    ) -> None:
        refusals.estimate(estimator)
        refusals.streams(root, experiment)
        settings.whole("run", run, least=0, most=MOST_RUNS)
        refusals.text("baseline", baseline)
        for name, number, least in (
            ("alpha", alpha, 0.0),
            ("beta", beta, 0.0),
            ("sigma", sigma, 0.0),
            ("b", b, -settings.LARGEST),
        ):
            settings.number(name, number, least=least)
        accept(estimator)
        self.estimator = estimator
        self._rewards = _finite(rewards, "rewards")
        self.tree = SamplingTree(np.zeros(self._rewards.size) if theta is None else theta)
        if len(self.tree) != self._rewards.size:
            raise BadInput(
                f"theta has {len(self.tree)} entries and rewards {self._rewards.size}; give one"
                " preference for each action"
            )
        if baseline not in _MODES:
            raise BadInput(f"baseline {baseline!r} is none of {', '.join(_MODES)}")
        self._settings = (float(sigma), float(alpha), float(beta), _MODES[baseline])
        # b, the two sums of rewards of a stretch, and a preference that was refused
        self._numbers = np.array([b, 0.0, 0.0, 0.0])
        self._valued = baseline == bandit.TRUE or bool({"v", "h"} & set(estimator.needs))
        self._worth = aligned_zeros(8 * self.tree.blocks if self._valued else 8)
        if self._valued:
            kernels().weigh(self._rewards, self.tree.arrays[1], self._worth, *self.tree.arrays[2:])
        self._taken, self._advantage = taken_component(estimator), is_advantage(estimator)
        words = [
            streams.entropy(root, experiment, estimator.name, purpose)
            for purpose in ("actions", "reward noise")
        ]
        # the states of all runs before are made as well: streams are counted from run 0
        self._states = [
            np.ascontiguousarray(state[:, run:]) for state in streams.states(words, run + 1)
        ]
        self._draws = (
            np.empty(streams.BLOCK),
            np.empty(streams.BLOCK),
            np.array([streams.BLOCK, streams.BLOCK]),
        )
        self._files = None if self._valued or "pi" in estimator.needs else Filing(len(self.tree))
        self._changes = self.tree.changes
        # which actions changed; with more than a sixteenth of them the tree is built anew anyway
        self._journal, self._noted = np.empty(len(self.tree) // 16, dtype=np.int64), 0

    @property
    def b(self) -> float:
        """The baseline as it is now, if it is fixed or learned."""
        return float(self._numbers[0])

    @property
    def value(self) -> float:
        """r_π of the policy as it is now: at hand with the true baseline, else in O(k)."""
        if self._valued:
            return float(
                row_sum(self._worth, np.uint64(0)) / row_sum(self.tree.arrays[1], np.uint64(0))
            )
        return float(self.tree.policy() @ self._rewards)

    def run(self, steps: int) -> Stretch:
        """The next steps; a run in two stretches is the same run.

        Raises:
            BadInput: steps isn't positive, or an update would make a preference NaN or larger than
                2³⁰; that step isn't made.
        """
        settings.whole("steps", steps)
        self._notice_changes()
        self._numbers[1:3] = 0.0
        done = 0
        while done < steps:
            made, refused = (
                self._on_envelopes(steps - done)
                if self._files and not self._files.paused
                else self._on_tree(steps - done)
            )
            done += made
            if refused is not None:
                raise BadInput(
                    f"after {done} steps the update would make the preference of action {refused}"
                    f" {self._numbers[3]}; preferences are finite numbers of absolute value up to"
                    " 2^30, so take a smaller alpha"
                )
        return Stretch(steps, float(self._numbers[1]) / steps, float(self._numbers[2]) / steps)

    @property
    def counts(self) -> dict[str, int]:
        """What was counted on envelopes so far (see `altpg_verify.sim.large.filing`); empty for
        estimators that need the tree.
        """
        return self._files.counts() if self._files else {}

    def _notice_changes(self) -> None:
        """The tree is the user's too: after `tree.update` the envelopes and the value's sums don't
        fit it any more.
        """
        if self._changes != self.tree.changes:
            self._changes = self.tree.changes
            if self._files:
                self._files.disturb()
            if self._valued:
                kernels().weigh(
                    self._rewards, self.tree.arrays[1], self._worth, *self.tree.arrays[2:]
                )

    def _on_tree(self, steps: int) -> tuple[int, int | None]:
        """Up to so many steps on the tree: how many were made, and the action whose update was
        refused.
        """
        if self._files:
            steps = min(steps, self._files.paused)
        last = np.zeros(2, dtype=np.int64)
        loop = (
            stepping.valued_steps
            if self._valued
            else stepping.advantage_steps
            if self._advantage
            else stepping.plain_steps
        )
        loop()(
            self._taken, *self.tree.arrays, *self.tree.champions, self._rewards, self._worth, *self._settings,
            *self._states, *self._draws, steps, self._numbers, last,
        )  # fmt: skip
        if self._files:
            self._files.rest(int(last[0]))
        return int(last[0]), None if last[0] == steps else int(last[1])

    def _on_envelopes(self, steps: int) -> tuple[int, int | None]:
        """The same on envelopes."""
        files = self._files
        assert files is not None
        theta = self.tree.owned()
        if not files.current:
            envelope_stepping.filing()(theta, *files.arrays)
        journal = (
            self._journal[self._noted : self._noted + steps]
            # no journal if the steps might not fit
            if self._noted + steps <= self._journal.size
            else self._journal[:0]
        )
        last = np.zeros(3, dtype=np.int64)
        envelope_stepping.envelope_steps(files.levels, self._advantage)(
            self._taken, theta, *files.arrays, self._rewards, *self._settings,
            *self._states, *self._draws[1:], steps, self._numbers, last, journal,
        )  # fmt: skip
        made, end = int(last[0]), int(last[2])
        files.ran(made, end == envelope_stepping.REFILE)
        self._noted = self._noted + made if journal.size else self._journal.size + 1
        self.tree.fall_behind(self._changed)
        return made, int(last[1]) if end == envelope_stepping.REFUSED else None

    def _changed(self) -> np.ndarray | None:
        """The actions since the tree was last up to date, or None if they are too many."""
        noted, self._noted = self._noted, 0
        return self._journal[:noted] if noted <= self._journal.size else None


def accept(estimator: Estimator) -> None:
    """Derive from the formula that a step needs, and moves, nothing but the taken action.

    Args:
        estimator: the formula is looked at on symbols; nothing is run.

    Raises:
        BadInput: it doesn't follow; the message names the law.
    """
    if not touches_taken_action_only(estimator):
        raise BadInput(
            f"estimator {estimator.name!r} fails touches_taken_action_only: it isn't derived that"
            " its formula is zero wherever e is zero, so an update may move every preference,"
            " which takes O(k); use altpg_verify.sim.bandit for it"
        )
    if not acts_by_action(estimator):
        raise BadInput(
            f"estimator {estimator.name!r} fails acts_by_action: the component of the taken action"
            " depends on the entries of others, so computing it may take O(k); use"
            " altpg_verify.sim.bandit for it"
        )


@functools.lru_cache(maxsize=256)
def taken_component(estimator: Estimator) -> Any:
    """The estimate in the taken action as a compiled function of numbers: theta(A), pi(A), r, b,
    q(A), v.

    Args:
        estimator: one that `accept` accepts.
    """
    from numba.core.errors import NumbaError

    compiled.lanes(estimator, 3)
    formula = compiled._whole(estimator)

    def taken(theta, pi, r, b, q, v):
        return formula(theta, pi, 1.0, r, b, q, v, q - v)

    with LOCK:
        try:
            return compile_kernel(taken, stepping.TAKEN, keep=False)
        except (NumbaError, TypeError) as error:
            raise BadEstimator(
                f"estimator {estimator.name!r} can't be compiled for one action; write it with + -"
                " * / and functions of numbers"
            ) from error


@functools.lru_cache(maxsize=256)
def is_advantage(estimator: Estimator) -> bool:
    """Whether the component of the taken action is R - b: derived on symbols, then compared to the
    bit on some numbers.

    The loop on envelopes has this one written out, since a call takes as long as a fifth of a step.
    """
    import sympy

    symbols: dict[str, Any] = {name: sympy.Symbol(name, real=True) for name in ARGUMENTS} | {
        "e": sympy.Integer(1)
    }
    try:
        # e = 1: the entry of the taken action
        component = estimator(**symbols)
    except Exception:
        return False
    if component != symbols["r"] - symbols["b"]:
        return False
    taken = taken_component(estimator)
    # over a hundred powers of ten, where R - b computed otherwise would round otherwise
    numbers = np.random.default_rng(0).normal(size=(100, 6)) * 10.0 ** np.arange(-50, 50)[:, None]
    return all(taken(*row) == row[2] - row[3] for row in numbers.tolist())


def _finite(values: Sequence[float] | np.ndarray, name: str) -> np.ndarray:
    array = numbers(values, name)
    refused = ~(np.abs(array) <= settings.LARGEST)
    if refused.any():
        i = int(refused.argmax())
        raise BadInput(
            f"{name}[{i}] is {array[i]}; give finite numbers of at most {settings.LARGEST:g}"
        )
    return array
