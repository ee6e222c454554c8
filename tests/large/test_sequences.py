"""What the loop on envelopes does in its first steps, against an enumeration of all sequences of
actions.

Nothing of the envelopes is used to judge them: the probability of a sequence is a product of
softmaxes. Eight proposals are made ahead at once, so that preferences rise and fall, and actions
are filed, while proposals are waiting.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from altpg_verify.estimators import alternate
from altpg_verify.sim.large import LogBandit, envelope_stepping
from altpg_verify.sim.large.envelope_stepping import AHEAD, DONE
from altpg_verify.sim.large.envelopes import NEXT_DRAWN, PATIENCE, headroom, scale
from tests.large.test_goodness_of_fit import FALSE_ALARM, p_values
from tests.large.test_loop_faults import FAULTS, faulty_loop
from tests.shares import share

RUNS, STEPS = 20_000, 4

SETTINGS: dict[str, dict[str, Any]] = {
    "rise and fall": {"rewards": [1.0, 2.0, 3.0], "alpha": 1.0, "b": 2.0},
    "fall, then rise": {
        "rewards": [1.0, 2.0, 3.0],
        "alpha": 1.5,
        "b": 5.0,
        "beta": 0.8,
        "baseline": "learned",
    },
    "all filed": {"rewards": [1.0, 1.2, 1.4], "alpha": 4.0, "b": 4.0},
    "one is likely": {
        "rewards": [1.0, 2.0, 3.0],
        "alpha": 0.08,
        "b": 2.5,
        "theta": [0.3, 0.0, 1.5],
    },
}

SEEN_IN = {
    "an action that rose is filed two steps later": "rise and fall",
    "an action's own depth stays what it was": "fall, then rise",
    "proposals are kept after a rise": "fall, then rise",
    "proposals are kept after all were filed": "all filed",
    "the action tried first is looked for where others are": "one is likely",
}
"""Only a weight a twentieth too low is not seen in so few runs: tests/large/test_loop_faults.py."""


def counted(setting: str, loop: Any, fault: int = 0) -> np.ndarray:
    """How often each sequence of actions came, the last action changing first."""
    bandit = LogBandit(alternate, **SETTINGS[setting])
    theta, files, k = bandit.tree.owned(), bandit._files, len(bandit.tree)
    start, whole = theta.copy(), files.arrays[5]
    journal, last, counts = (
        np.empty(STEPS, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros(k**STEPS),
    )
    whole[PATIENCE] = 0
    for _ in range(RUNS):
        theta[:] = start
        envelope_stepping.filing()(theta, *files.arrays)
        whole[NEXT_DRAWN] = AHEAD
        numbers = np.array([SETTINGS[setting]["b"], 0.0, 0.0, 0.0, fault])
        loop(
            bandit._taken, theta, *files.arrays, bandit._rewards, *bandit._settings,
            *bandit._states, *bandit._draws[1:], STEPS, numbers, last, journal,
        )  # fmt: skip
        assert (last[0], last[2]) == (STEPS, DONE)
        counts[np.ravel_multi_index(journal, (k,) * STEPS)] += 1
    return counts


def enumerated(rewards, alpha, b, beta=0.0, baseline="fixed", theta=None) -> np.ndarray:
    """The probability of each sequence of actions, in the same order."""
    found = []
    for sequence in product(range(len(rewards)), repeat=STEPS):
        preferences, base, probability = np.array(theta or np.zeros(len(rewards))), b, 1.0
        for action in sequence:
            probability *= np.exp(preferences[action]) / np.exp(preferences).sum()
            preferences[action] += alpha * (rewards[action] - base)
            base = beta * rewards[action] + (1.0 - beta) * base if baseline == "learned" else base
        found.append(probability)
    return np.array(found)


@pytest.mark.parametrize("setting", share(SETTINGS, 4))
def test_sequences_of_actions_come_as_often_as_enumerated(setting):
    probability = enumerated(**SETTINGS[setting])
    assert probability.sum() == pytest.approx(1.0, abs=1e-12)
    counts = counted(setting, envelope_stepping.envelope_steps(1, True))
    # two tests share the error rate
    assert min(p_values(counts, probability)) > FALSE_ALARM / 2


@pytest.mark.slow
@pytest.mark.parametrize("fault", SEEN_IN)
def test_planted_faults_are_seen(fault):
    counts = counted(SEEN_IN[fault], faulty_loop(), list(FAULTS).index(fault) + 1)
    assert max(p_values(counts, enumerated(**SETTINGS[SEEN_IN[fault]]))) < FALSE_ALARM / 2


@pytest.mark.slow
def test_weights_below_one_have_their_chance():
    """One action falls to a weight of 2¹⁶, all others have about 0.6 and don't move: rounding them
    to 1 would double their share.
    """
    from scipy import stats

    k, least = 4000, 2.0**-0.7
    octaves = scale(k) - headroom(k)
    theta, rewards = np.full(k, np.log(least) - octaves * np.log(2.0)), np.full(k, 20.0)
    theta[0], rewards[0] = 0.0, 20.0 - (octaves - 16) * np.log(2.0)
    bandit, others, falls = LogBandit(alternate, rewards, alpha=1.0, b=20.0, theta=theta), 0, 0
    bandit._files.arrays[5][PATIENCE] = 0
    for _ in range(RUNS):
        bandit.tree.owned()[:] = theta
        bandit._files.current, bandit._noted = False, 0
        bandit.run(2)
        if bandit._journal[0] == 0:
            falls, others = falls + 1, others + int(bandit._journal[1] != 0)
    share = (k - 1) * least / ((k - 1) * least + 2.0**16)
    assert falls > 0.99 * RUNS
    assert stats.binomtest(others, falls, share).pvalue > FALSE_ALARM
