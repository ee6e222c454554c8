"""No empirical claim's criterion is met by an agent that ignores the statement.

Planted are an agent that never learns, the uniform policy whatever the start, and each of the two
estimators in the place of the other. They go through the experiments and the criteria as they are.
The first two meet none. An estimator in the place of the other ignores only what a sentence says of
one of them against the other: it meets those of `UNSAID`, and no sentence of these compares the
two, or it says that they are alike.
"""

from __future__ import annotations

import warnings

import pytest

import altpg_verify.sim.experiments
from altpg_verify import estimators
from altpg_verify.errors import Missing
from altpg_verify.ledger_building import collect
from altpg_verify.sim import bandit, chain
from altpg_verify.sim.experiments import EXPERIMENTS, work_for
from altpg_verify.sim.results import NotHeld, Results
from altpg_verify.sim.sweep import run
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.verdicts import Verdict
from tests.sim.impostors import Disguised, Idle, Uniform, exchanged, from_uniform, never_learning

UNSAID = {
    "gradient-noise-escapes-saturation",
    "gradient-noise-hurts-uniform",
    "bandit-competitive-uniform",
    "no-noise-uniform-similar",
    "no-noise-saturated-none-learns",
    "uniform-start-all-good",
    "uniform-start-similar-at-any-noise",
    "small-stepsizes-all-similar",
    "bandit-zero-baseline-poor",
    "learned-baseline-reaches-optimum",
    "chain-no-noise-alternate-drops",
    "returns-fall-below-minus-200",
    "critic-above-minus-200",
    "thousand-steps-enough",
    "linear-saturation-worsens-both",
    "negative-start-hurts-alternate",
    "neural-large-stepsizes-fail",
    "four-action-unsolved-after-300",
    "four-action-optimism-no-help",
    "optimism-can-hurt",
    "entropy-helps-alternate-slightly",
    "escort-best-better-on-acrobot",
    "escort-sensitive-to-power",
    "escort-handles-nonstationarity",
}
"""Claims that the other estimator meets in the place of the one meant: their sentences don't tell
the two apart, which is checked.
"""
ALIKE = ("competitive", "similar")
"""Words by which a sentence that names both estimators says that they do about as well."""

EMPIRICAL = {
    claim.id: claim for claim in CLAIMS if claim.kind == "empirical" and not claim.extension
}
FUNCTIONS = [
    function
    for function in collect([altpg_verify.sim.experiments])
    if EMPIRICAL.keys() & set(function.__evidence__[0])
]
ONLINE = [
    function
    for function in FUNCTIONS
    if function.__module__.rpartition(".")[2].startswith(("linear", "neural"))
]
LINEAR = [function for function in ONLINE if "linear" in function.__module__]
FOUR_ACTIONS = [
    function for function in FUNCTIONS if function.__module__.endswith("chain_four_actions")
]
"""Tabular, and kept at the paper's scale."""
TABULAR = [function for function in FUNCTIONS if function not in (*ONLINE, *FOUR_ACTIONS)]
STORED = [
    cell for experiment in EXPERIMENTS if experiment.stored for cell in experiment.work("paper")
]


class Kept(Results):
    """The kept results, and the settings of those that were kept."""

    def settings(self, experiment, **criteria):
        cells = self._home(experiment).cells
        return [
            cell.setting
            for cell in cells
            if all(cell.setting.get(name) == value for name, value in criteria.items())
        ]


def about(functions):
    """The claims that they are evidence of."""
    return {claim for function in functions for claim in function.__evidence__[0]}


def met(functions, results):
    """The claims whose criterion the results meet."""
    found = set()
    for function in functions:
        try:
            finding = function(results=results)
        except (NotHeld, Missing):
            continue
        if finding.verdict in (Verdict.SUPPORTED, Verdict.HOLDS):
            found |= EMPIRICAL.keys() & set(function.__evidence__[0])
    return found


# all evidence about linear agents is read; by default the other estimator stands in their place,
# below
@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_linear_agents_that_never_learn_meet_no_criterion(part, tmp_path):
    assert met(LINEAR[part::4], Idle(Kept("quick", [], tmp_path, stored=STORED))) == set()
    assert len(LINEAR) > 40


@pytest.mark.slow
def test_neural_agents_that_never_learn_meet_no_criterion(tmp_path):
    neural = [function for function in ONLINE if function not in LINEAR]
    assert met(neural, Idle(Kept("quick", [], tmp_path, stored=STORED))) == set()
    assert len(neural) > 5


@pytest.mark.slow
def test_the_uniform_policy_meets_no_criterion_of_online_agents(tmp_path):
    assert met(ONLINE, Uniform(Kept("quick", [], tmp_path, stored=STORED))) == set()


@pytest.mark.thorough
def test_an_online_estimator_in_the_place_of_the_other_meets_no_criterion(tmp_path):
    kept = Results(
        "quick",
        [],
        tmp_path,
        stored=STORED,
        kept=altpg_verify.sim.experiments.paper_scale(tmp_path),
    )
    judged = [*ONLINE, *FOUR_ACTIONS]
    assert met(judged, Disguised(kept)) == UNSAID & about(judged)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("planted", "exempt"), [(never_learning, set()), (exchanged, UNSAID)], ids=["never", "other"]
)
def test_tabular_impostors_meet_no_criterion(planted, exempt, monkeypatch, tmp_path):
    for name, one in planted().items():
        monkeypatch.setattr(estimators, name, one)
    work = [
        cell
        for experiment in EXPERIMENTS
        if not experiment.stored
        for cell in experiment.work("quick")
    ]
    with warnings.catch_warnings():
        # times of escape from a corner that nothing leaves are infinite
        warnings.simplefilter("ignore", RuntimeWarning)
        run(work, tmp_path)
        assert met(TABULAR, Results("quick", work, tmp_path)) == exempt & about(TABULAR)


@pytest.mark.slow
def test_the_uniform_policy_meets_no_criterion_of_tabular_agents(monkeypatch, tmp_path):
    for name, one in never_learning().items():
        monkeypatch.setattr(estimators, name, one)
    for module in (bandit, chain):
        monkeypatch.setattr(module, "simulate", from_uniform(module.simulate))
    work = [
        cell
        for experiment in EXPERIMENTS
        if not experiment.stored
        for cell in experiment.work("quick")
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        run(work, tmp_path)
        assert met(TABULAR, Results("quick", work, tmp_path)) == set()


@pytest.mark.slow
def test_agents_that_never_learn_meet_no_criterion_on_the_chain_of_four_actions(
    monkeypatch, tmp_path
):
    for name, one in never_learning().items():
        monkeypatch.setattr(estimators, name, one)
    work = work_for("quick", "chain_messed_sensitivity")
    run(work, tmp_path)
    assert met(FOUR_ACTIONS, Results("quick", work, tmp_path)) == set()


def told_apart(claim):
    """Whether a sentence says something of one estimator against the other: it names both, and
    doesn't call them alike.
    """
    sentence = claim.statement.lower()
    return (
        "alternate" in sentence
        and "regular" in sentence
        and not any(word in sentence for word in ALIKE)
    )


@pytest.mark.parametrize("claim", sorted(UNSAID))
def test_what_the_other_estimator_meets_says_nothing_of_one_against_the_other(claim):
    assert not told_apart(EMPIRICAL[claim])


def test_many_sentences_tell_the_two_estimators_apart():
    assert sum(told_apart(claim) for claim in EMPIRICAL.values()) > 15
