"""The experiments as wholes: each claim to be simulated has an experiment, each figure can be
drawn, and planted faults turn verdicts.
"""

import dataclasses
import json
import math
import subprocess
import sys

import numpy as np
import pytest

import altpg_verify.sim.experiments
from altpg_verify.errors import Missing
from altpg_verify.estimators import alternate, estimator
from altpg_verify.judging import Finding
from altpg_verify.ledger_building import collect
from altpg_verify.sim import sweep
from altpg_verify.sim.analysis import all_equal, all_within, measured
from altpg_verify.sim.bandit import Bandit, simulate
from altpg_verify.sim.chain import Chain
from altpg_verify.sim.chain import simulate as simulate_chain
from altpg_verify.sim.executors import executor_named
from altpg_verify.sim.experiment import PAPER_SCALE
from altpg_verify.sim.experiments import EXPERIMENTS, work_for
from altpg_verify.sim.experiments.bandit_fixed_baseline import (
    pi_star,
    settling_time,
    value_at_pi_star,
)
from altpg_verify.sim.experiments.bandit_stationary_mean import linear_noise_spread
from altpg_verify.sim.experiments.chain_fixed_points import (
    exact_point,
    immediate_reward_point,
    value,
)
from altpg_verify.sim.figures import FigureData
from altpg_verify.sim.results import Results
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.verdicts import Verdict

EVIDENCE = collect([altpg_verify.sim.experiments])


def short(setting):
    """The same cell with two runs, and with long runs cut to a part."""
    smaller = {**setting, "runs": min(2, setting["runs"])}
    if "fresh" in setting:
        smaller |= {"fresh": min(2, setting["fresh"])}
    if "burn_in" in setting:
        smaller |= {"burn_in": setting["burn_in"] // 20 * 2, "last": 300}
    if "choices" in setting or "variant" in setting:
        # the performance is over the last 5000 steps at most
        smaller |= {"steps": min(10_000, setting["steps"])}
    if setting.get("episodes", 0) > 300:
        smaller |= {"episodes": 400, "last": 200}
    if "side" in setting:
        smaller |= {"side": min(16, setting["side"])}
    return smaller


def kept_cells(experiment):
    """The cells of an experiment whose results at the paper's scale are in the repository; none if
    one of them isn't.
    """
    cells = experiment.work("paper") if experiment.stored else []
    try:
        store = sweep.open_store(cells, PAPER_SCALE, read_only=True) if cells else None
    except Missing:
        return []
    return cells if store and all(store.has(cell) for cell in cells) else []


class RunWhenAsked(Results):
    """An experiment's cells are run when somebody first asks for one of them."""

    def _store(self, experiment):
        home = self._home(experiment)
        if home.profile == "quick" and experiment not in self._stores:
            with executor_named("local") as executor:
                sweep.run(home.cells, home.out, executor=executor)
        return super()._store(experiment)


QUICK = sorted({function.__module__ for function in EVIDENCE})[::3]
"""Every third file of experiments by default; reports and the slow suite take them all."""


def in_quick(experiment):
    return any(value is experiment for name in QUICK for value in vars(sys.modules[name]).values())


def slow_unless(quick, given):
    return given if quick else pytest.param(given, marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """All experiments: those that are kept as they are, the others far too small to say anything,
    but whole.
    """
    folder = tmp_path_factory.mktemp("results")
    kept = [cell for experiment in EXPERIMENTS for cell in kept_cells(experiment)]
    known = {cell.experiment for cell in kept}
    work = [
        dataclasses.replace(cell, setting=short(cell.setting))
        for cell in work_for("quick")
        if cell.experiment not in known
    ]
    return RunWhenAsked("quick", work, folder, stored=kept)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "experiment",
    [each for each in EXPERIMENTS if each.stored],
    ids=lambda experiment: experiment.name,
)
def test_what_is_kept_has_the_arrays_of_a_run(experiment, results):
    cell = next(cell for cell in work_for("quick") if cell.experiment == experiment.name)
    arrays = experiment.run(experiment.name, short(cell.setting), cell.root)
    kept = results.select(experiment.name)[0].arrays
    assert {name: array.ndim for name, array in arrays.items()} == {
        name: array.ndim for name, array in kept.items()
    }


def test_every_claim_that_owes_a_simulation_has_one():
    served = {claim for function in EVIDENCE for claim in function.__evidence__[0]}
    owed = {claim.id for claim in CLAIMS if "simulation" in claim.required_evidence}
    assert owed <= served
    assert served <= {claim.id for claim in CLAIMS}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "function",
    [slow_unless(each.__module__ in QUICK, each) for each in EVIDENCE],
    ids=lambda function: function.__evidence__[0][0],
)
def test_every_piece_of_evidence_gives_a_finding(function, results):
    finding = function(results=results)
    assert isinstance(finding, Finding)
    assert finding.verdict in (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INCONCLUSIVE)
    assert finding.numbers["false_alarm_rate"] == 0.01
    json.dumps(dict(finding.numbers), allow_nan=False)


@pytest.mark.parametrize(
    "experiment",
    [slow_unless(in_quick(each), each) for each in EXPERIMENTS],
    ids=lambda experiment: experiment.name,
)
def test_every_figure_is_whole(experiment, results):
    figures = experiment.figures(results)
    # a variant of another experiment may have its numbers in a table, or in that one's figure
    assert figures or experiment.paper.startswith("beyond the paper")
    for figure in figures:
        assert isinstance(figure, FigureData)
        assert figure.caption.endswith(".")
        assert figure.alt.endswith(".")
        for panel in figure.panels:
            assert panel.series
            for series in panel.series:
                assert all(math.isfinite(y) for y in series.y)
                assert series.standard_error is None or all(
                    error >= 0 for error in series.standard_error
                )


def test_names_are_unique():
    names = [experiment.name for experiment in EXPERIMENTS]
    assert len(names) == len(set(names))


def test_the_two_numbers():
    assert value_at_pi_star(4.0) == pytest.approx(26 / 11, abs=1e-15)
    assert pi_star(4.0) == pytest.approx(np.array([2, 3, 6]) / 11, abs=1e-15)
    assert value(immediate_reward_point(4.0)) == pytest.approx(0.279447, abs=5e-7)
    assert value(exact_point(4.0)) == pytest.approx(0.297641, abs=5e-7)
    assert immediate_reward_point(4.0) == pytest.approx([0.5, 0.5, 0.5, 0.5, 4 / 7], abs=1e-15)


OPTIMIST = Bandit((1.0, 2.0, 3.0), 1.0, (0.0, 0.0, 0.0), 0.25, 0.0, "fixed", 4.0)


def stationary(est=alternate, **changes):
    """The finding about the mean of J after burn-in, for agents that may have a fault."""
    setting = dataclasses.replace(OPTIMIST, **changes)
    burn_in = math.ceil(settling_time(0.0, setting.alpha, 12.0))
    (outcome,) = simulate(
        est, [setting], root=4, experiment="test", runs=600, steps=burn_in + 2000, last=2000
    )
    return (
        all_equal("mean of J is 26/11", [(measured("", [outcome.mean]), 26 / 11)], 0.01, ""),
        outcome,
    )


@pytest.mark.parametrize("alpha", [0.125, 0.5, 2.0])
def test_the_stationary_mean_is_exact_at_every_stepsize(alpha):
    finding, outcome = stationary(alpha=alpha)
    assert finding.verdict is Verdict.SUPPORTED
    spread = math.sqrt(outcome.square.mean() - outcome.mean.mean() ** 2)
    assert spread > 0.15
    if alpha < 0.2:
        assert spread == pytest.approx(linear_noise_spread(alpha), rel=0.1)


@pytest.mark.thorough
def test_planted_faults_turn_the_stationary_mean():
    @estimator
    def leaning(pi, e, r, b):
        return (r - b) * (e - 0.05 * pi)

    for fault in ({"b": 4.1}, {"rewards": (1.0, 2.0, 3.02)}, {"est": leaning}):
        assert stationary(**fault)[0].verdict is Verdict.REFUTED


# depth: faults of the chain's agents are planted in test_chain.py as well
@pytest.mark.slow
def test_planted_faults_turn_the_chain():
    def reached(**changes):
        agent = dataclasses.replace(Chain((0.0, 0.0), 2.0**-6, 0.0, "fixed", 4.0), **changes)
        (outcome,) = simulate_chain(
            alternate, [agent], root=4, experiment="test", runs=1500, episodes=1400, last=800
        )
        return all_within(
            "near the exact point",
            [measured("", [outcome.mean])],
            value(exact_point(4.0)),
            0.003,
            "",
        ).verdict

    assert reached() is Verdict.SUPPORTED
    assert reached(b=5.0) is Verdict.REFUTED
    assert reached(gamma=0.88) is Verdict.REFUTED


@pytest.mark.thorough
def test_listing_needs_no_compiler():
    program = (
        "import sys, altpg_verify.sim.experiments; from altpg_verify.ledger_building import collect;"
        " collect([altpg_verify.sim.experiments]);print([name for name in ('numba', 'sympy',"
        " 'matplotlib', 'scipy') if name in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )
