"""What no agent can be run with is refused in one sentence, before anything runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from altpg_verify import alternate
from altpg_verify.errors import BadInput
from altpg_verify.sim import bandit, chain
from altpg_verify.sim.bandit import Bandit
from altpg_verify.sim.chain import Chain

BANDIT = Bandit((1.0, 2.0), 1.0, (0.0, 0.0), 0.5, 0.1, "learned", 0.0)
CHAIN = Chain((0.0, 0.0), 0.5, 0.1, "learned", 0.0)
NAN, INF = float("nan"), float("inf")

BOTH = [
    ({"alpha": -1.0}, "alpha is -1.0; give a number of at least 0 and at most 1e+100"),
    ({"alpha": 1e300}, "alpha is 1e+300; give a number of at least 0 and at most 1e+100"),
    ({"alpha": NAN}, "alpha is nan; give a finite number"),
    ({"alpha": "much"}, "alpha is 'much'; give a finite number"),
    ({"alpha": True}, "alpha is True; give a finite number"),
    ({"alpha": None}, "alpha is None; give a finite number"),
    ({"beta": -5.0}, "beta is -5.0; give a number of at least 0"),
    ({"beta": INF}, "beta is inf; give a finite number"),
    ({"sigma": -1.0}, "sigma is -1.0; give a number of at least 0"),
    ({"sigma": NAN}, "sigma is nan; give a finite number"),
    ({"gradient_noise": -0.5}, "gradient_noise is -0.5; give a number of at least 0"),
    ({"b": NAN}, "b is nan; give a finite number"),
    ({"b": -1e200}, "b is -1e+200; give a number of at most 1e+100"),
    ({"theta": (0.0, INF)}, "theta[1] is inf; give a finite number"),
    ({"theta": (0.0, 1e150)}, "theta[1] is 1e+150; give a number"),
    ({"baseline": "guessed"}, "baseline 'guessed' is none of fixed, learned, true"),
]
FAULTS = [(one, change, words) for one in (BANDIT, CHAIN) for change, words in BOTH]
FAULTS += [
    (BANDIT, {"rewards": (1.0, NAN)}, "rewards[1] is nan"),
    (BANDIT, {"rewards": (1.0, "2")}, "rewards[1] is '2'"),
]
FAULTS += [
    (CHAIN, {"gamma": gamma}, "give a discount above 0 and at most 1")
    for gamma in (0.0, -0.5, 1.5, NAN)
]
FAULTS += [(CHAIN, {"cut": cut}, "cut is ") for cut in (0, -1, 2.5, True)]


@pytest.mark.parametrize(("agent", "change", "words"), FAULTS)
def test_a_setting_that_cannot_be_run(agent, change, words):
    with pytest.raises(BadInput) as caught:
        replace(agent, **change)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("simulate", "agent", "length"),
    [(bandit.simulate, BANDIT, "steps"), (chain.simulate, CHAIN, "episodes")],
)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"runs": 0}, "runs is 0; give a whole number of at least 1"),
        ({"runs": 2.0}, "runs is 2.0; give a whole number"),
        ({"length": 0}, "is 0; give a whole number of at least 1"),
        ({"length": NAN}, "is nan; give a whole number"),
        ({"last": 0}, "last is 0; give a whole number of at least 1"),
        ({"last": 11}, "can't be averaged over the last 11"),
        ({"bins": -1}, "bins is -1; give a whole number of at least 0"),
        ({"bins": 3}, "split into 3 equal bins"),
    ],
)
def test_sizes_that_cannot_be_run(simulate, agent, length, change, words):
    sizes = {"runs": 2, "length": 10, "last": 5, "bins": 0, **change}
    sizes[length] = sizes.pop("length")
    with pytest.raises(BadInput) as caught:
        simulate(alternate, [agent], root=0, experiment="none", **sizes)
    assert words in str(caught.value)


def test_the_agents_above_run():
    (outcome,) = bandit.simulate(
        alternate, [BANDIT], root=0, experiment="none", runs=2, steps=10, last=5
    )
    assert not outcome.failed.any()
    # stepsizes of zero and much noise are settings like others
    replace(BANDIT, alpha=0.0, sigma=1e6)
    replace(CHAIN, gamma=1.0, cut=1)
