"""Faults planted in the compiled loop on envelopes, all in one copy of it: are they seen?

`found` looks, after each step, at what makes draws exact: each envelope is above its weight, each
sum is right, and no proposal is kept that was made under an envelope below a present weight. It
sees in hundreds of steps what draws show in tens of thousands, or never.
"""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

import numpy as np
import pytest
from mpmath import mp

from altpg_verify.estimators import alternate
from altpg_verify.sim.jit import compile_kernel
from altpg_verify.sim.large import LogBandit, envelope_stepping
from altpg_verify.sim.large.envelopes import DRAWN, PROPOSALS, SCALE, SEEN
from tests.large.exact import exponentials
from tests.large.test_envelope_runs import p_of, places
from tests.large.test_envelopes import faults, widths
from tests.large.test_goodness_of_fit import FALSE_ALARM

pytestmark = pytest.mark.slow

FAULTS = {
    "an action that rose is filed two steps later": (
        "np.int64(g) <= h < np.int64(g) + FAR",
        "0 < h < np.int64(g) + FAR",
    ),
    "an action tried first is filed lower than it must be": ("h - SPARE", "h + SPARE"),
    "an action's own depth stays what it was": (
        "packed(g, np.uint64(h))",
        "packed(g, own_depth(word32))",
    ),
    "proposals are kept after a rise": ("_0, _0, _1", "seen, drawn, next_drawn"),
    "proposals are kept after all were filed": (
        "_0, _0, _1, _0, _0",
        "seen, drawn, next_drawn, _0, _0",
    ),
    "the action tried first is looked for where others are": (
        "start(hot, sums, first, levels)",
        "_0",
    ),
}
"""What the loop says, and what is put in its place."""

IN_DRAWS = "the action tried first is looked for where others are"
STEPS = 300

SETTINGS = {
    "noisy": {"alpha": 1.0, "b": 3.0, "sigma": 1.0},
    "settled": {"alpha": 0.02, "b": 2.0, "sigma": 1.0, "theta": [0.0, 0.0, 2.5, 0.0]},
    "often filed": {"alpha": 2.0, "b": 4.0, "sigma": 0.5},
}


def agent(setting: str) -> LogBandit:
    return LogBandit(alternate, np.full(4, 2.0), **SETTINGS[setting])


@functools.cache
def faulty_loop() -> Any:
    """`envelope_steps(1, True)` with all faults in it; the last of its `numbers` says which one
    acts, 0 for none.
    """
    source = inspect.getsource(inspect.unwrap(envelope_stepping._envelope_steps)).replace(
        "@functools.cache\n", ""
    )
    for number, (right, wrong) in enumerate(FAULTS.values(), 1):
        source, count = re.subn(
            re.escape(right) + "(?!,)", f"(({wrong}) if fault == {number} else ({right}))", source
        )
        assert count == 1, f"the loop says {right!r} {count} times"
    begin = "b, rewards, expected = numbers[0], numbers[1], numbers[2]\n"
    assert source.count(begin) == 1
    names = vars(envelope_stepping) | {
        "compile_kernel": lambda function, signature, keep: compile_kernel(
            function, signature, keep=False
        )
    }
    exec(source.replace(begin, f"fault = numbers[4]; {begin}"), names)
    return names["_envelope_steps"](1, True)


@pytest.fixture
def with_fault(monkeypatch):
    """Makes agents whose loop has one of the faults, or none."""

    def make(fault: str | None, setting: str) -> LogBandit:
        monkeypatch.setattr(
            envelope_stepping, "envelope_steps", lambda levels, advantage: faulty_loop()
        )
        bandit = agent(setting)
        bandit._numbers = np.append(bandit._numbers, [None, *FAULTS].index(fault))
        return bandit

    return make


def found(bandit: LogBandit) -> set[str]:
    """What is wrong with the envelopes after any of the steps, and whether proposals are left that
    should have been given up.
    """
    files, kinds, before = bandit._files, set(), []
    whole = files.arrays[5]
    for _ in range(STEPS):
        now, proposals = widths(files), whole[PROPOSALS]
        bandit.run(1)
        # no preference changes between a step's last proposals and its update
        before = now if whole[PROPOSALS] > proposals else before
        if files.current:
            kinds |= {fault.split(" of ")[0] for fault in faults(bandit.tree.preferences, files)}
        if files.current and whole[SEEN] < whole[DRAWN]:
            weights = exponentials(np.r_[bandit.tree.preferences, files.arrays[-1][0]])[:-1]
            if any(
                mp.ldexp(weight, int(whole[SCALE])) > width
                for weight, width in zip(weights, before, strict=True)
            ):
                kinds.add("proposals")
    return kinds


@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_is_found_without_a_fault(setting, with_fault):
    plain = agent(setting)
    assert found(plain) == set()
    assert plain.counts["steps"] > STEPS / 4, "the tree has few of the steps"
    without = with_fault(None, setting)
    without.run(STEPS)
    assert (plain.tree.preferences == without.tree.preferences).all()
    assert plain.counts == without.counts


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != IN_DRAWS])
def test_planted_faults_are_found(fault, with_fault):
    assert any(found(with_fault(fault, setting)) for setting in SETTINGS)


@pytest.mark.parametrize("fault", [None, IN_DRAWS])
def test_a_wrong_place_is_seen_in_the_draws(fault, with_fault):
    assert (min(p_of(places(with_fault(fault, "settled"), 4000))) < FALSE_ALARM / 2) == (
        fault is not None
    )
