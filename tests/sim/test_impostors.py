"""No empirical claim's criterion is met by an agent that ignores the statement, unless the statement isn't about that.

Planted are an agent that never learns (from a uniform start: the uniform policy), and each of the two estimators in the place of the
other. They go through the experiments and the criteria as they are. Where one of them meets a criterion, the sentence doesn't exclude
it, and the tables below say why; they hold just those.
"""

from __future__ import annotations

import warnings

import pytest

import altpg_verify.sim.experiments
from altpg_verify import estimators
from altpg_verify.errors import Missing
from altpg_verify.ledger import collect
from altpg_verify.sim.experiments import EXPERIMENTS, work_for
from altpg_verify.sim.results import NotHeld, Results
from altpg_verify.sim.sweep import run
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.verdicts import Verdict
from tests.sim.impostors import Disguised, Idle, exchanged, never_learning

FAILURE = "it says that an agent doesn't learn, and this one doesn't"
BASELINE = "it is about the baseline, which learns whatever the policy does"
STAYS = "it says that a policy stays at its corner"
NEITHER = "it is said of all estimators, or of a task, and both estimators are among them"
NOT_DENIED = "it is said of one estimator and doesn't deny it of the other"

NEVER = {
    "alternate-pessimistic-converges-to-corner-value": STAYS,
    "pessimistic-saturated-reward-one": STAYS,
    "bandit-saturated-others-fail": FAILURE,
    "no-noise-saturated-none-learns": FAILURE,
    "four-action-unsolved-after-300": FAILURE,
    "bandit-zero-baseline-poor": FAILURE,
    "learned-baseline-bias-disappears": BASELINE,
    "realistic-regular-value-diverges": FAILURE,
}
OTHER = {
    "regular-learns-good-not-optimal": NOT_DENIED,
    "gradient-noise-escapes-saturation": NEITHER,
    "gradient-noise-hurts-uniform": NEITHER,
    "bandit-competitive-uniform": "it says that both do about as well",
    "no-noise-uniform-similar": NEITHER,
    "no-noise-saturated-none-learns": NEITHER,
    "uniform-start-all-good": NEITHER,
    "uniform-start-similar-at-any-noise": NEITHER,
    "small-stepsizes-all-similar": NEITHER,
    "bandit-zero-baseline-poor": NOT_DENIED,
    "learned-baseline-reaches-optimum": NOT_DENIED,
    "chain-no-noise-alternate-drops": NOT_DENIED,
    "chain-gradient-noise-little-help": "it says that noise helps little, and it helps alternate little, too",
    "timeouts-decrease": "it is measured with the expected gradient",
    "returns-fall-below-minus-200": NEITHER,
    "critic-above-minus-200": NEITHER,
    "thousand-steps-enough": NEITHER,
    "linear-saturation-worsens-both": NEITHER,
    "negative-start-hurts-alternate": NOT_DENIED,
    "neural-large-stepsizes-fail": NEITHER,
    "four-action-unsolved-after-300": NEITHER,
    "four-action-optimism-no-help": NOT_DENIED,
    "optimism-can-hurt": NOT_DENIED,
    "entropy-helps-alternate-slightly": NOT_DENIED,
    "escort-best-better-on-acrobot": "it compares escort with alternate, and escort is better than regular, too",
    "escort-sensitive-to-power": "it is about escort policies alone",
    "escort-handles-nonstationarity": "it is about escort policies alone",
}

EMPIRICAL = {claim.id for claim in CLAIMS if claim.kind == "empirical" and not claim.extension}
FUNCTIONS = [function for function in collect([altpg_verify.sim.experiments]) if EMPIRICAL & set(function.__evidence__[0])]
ONLINE = [function for function in FUNCTIONS if function.__module__.rpartition(".")[2].startswith(("linear", "neural"))]
FOUR_ACTIONS = [function for function in FUNCTIONS if function.__module__.endswith("chain_four_actions")]
"""Tabular, and kept at the paper's scale."""
TABULAR = [function for function in FUNCTIONS if function not in (*ONLINE, *FOUR_ACTIONS)]
STORED = [cell for experiment in EXPERIMENTS if experiment.stored for cell in experiment.work("paper")]


class Kept(Results):
    """The kept results, and the settings of those that were kept."""

    def settings(self, experiment, **criteria):
        cells = self._home(experiment).cells
        return [cell.setting for cell in cells if all(cell.setting.get(name) == value for name, value in criteria.items())]


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
            found |= EMPIRICAL & set(function.__evidence__[0])
    return found


def test_online_agents_that_never_learn_meet_no_criterion(tmp_path):
    idle = Idle(Kept("quick", [], tmp_path, stored=STORED))
    assert met(ONLINE, idle) == NEVER.keys() & about(ONLINE)
    assert len(ONLINE) > 50


def test_an_online_estimator_in_the_place_of_the_other_meets_no_criterion(tmp_path):
    kept = Results("quick", [], tmp_path, stored=STORED, kept=altpg_verify.sim.experiments.paper_scale(tmp_path))
    judged = [*ONLINE, *FOUR_ACTIONS]
    assert met(judged, Disguised(kept)) == OTHER.keys() & about(judged)


@pytest.mark.slow
@pytest.mark.parametrize(("planted", "exempt"), [(never_learning, NEVER), (exchanged, OTHER)], ids=["never", "other"])
def test_tabular_impostors_meet_no_criterion(planted, exempt, monkeypatch, tmp_path):
    for name, one in planted().items():
        monkeypatch.setattr(estimators, name, one)
    work = [cell for experiment in EXPERIMENTS if not experiment.stored for cell in experiment.work("quick")]
    with warnings.catch_warnings():
        # times of escape from a corner that nothing leaves are infinite
        warnings.simplefilter("ignore", RuntimeWarning)
        run(work, tmp_path)
        assert met(TABULAR, Results("quick", work, tmp_path)) == exempt.keys() & about(TABULAR)


@pytest.mark.slow
def test_agents_that_never_learn_meet_no_criterion_on_the_chain_of_four_actions(monkeypatch, tmp_path):
    for name, one in never_learning().items():
        monkeypatch.setattr(estimators, name, one)
    work = work_for("quick", "chain_messed_sensitivity")
    run(work, tmp_path)
    assert met(FOUR_ACTIONS, Results("quick", work, tmp_path)) == NEVER.keys() & about(FOUR_ACTIONS)


def test_exemptions_are_of_claims_that_exist():
    assert (NEVER.keys() | OTHER.keys()) <= EMPIRICAL
