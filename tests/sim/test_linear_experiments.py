"""Linear actor-critics: what a cell keeps, what its evidence judges, and that planted faults turn
the verdicts.
"""

import numpy as np
import pytest

import altpg_verify.sim.experiments
from altpg_verify.errors import Missing
from altpg_verify.ledger_building import collect
from altpg_verify.sim import bootstrap
from altpg_verify.sim.experiment import Pick, spot
from altpg_verify.sim.experiments import linear_coders as coders
from altpg_verify.sim.experiments import linear_entropy_claims as entropy
from altpg_verify.sim.experiments import linear_escort_claims as escort
from altpg_verify.sim.experiments import (
    linear_nonstationary,
    linear_realistic,
    online_panel,
    work_for,
)
from altpg_verify.sim.experiments import linear_nonstationary_claims as nonstationary
from altpg_verify.sim.experiments import linear_realistic_claims as realistic
from altpg_verify.sim.experiments import linear_saturated_claims as saturated
from altpg_verify.sim.experiments.linear_panel import ALPHAS, BETAS, CLAMPED, panel, run
from altpg_verify.sim.experiments.online_measures import (
    at_best_betas,
    change,
    curve,
    fresh,
    gain,
    joined,
)
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.online.outcome import Outcome
from altpg_verify.sim.results import Record, Results
from altpg_verify.verdicts import Verdict
from tests.shares import share

SETTING = {
    "estimator": "alternate", "alphas": [0.25, 0.5], "betas": [0.1, 1.0], "runs": 6, "steps": 20_000, "last": 5000,
    "choices": ["half", "final"], "fresh": 4,
}  # fmt: skip


def pretended(levels, calls):
    """A `simulate` whose agents, here numbers, do what `levels` says: (half, final) of each, plus a
    hundredth for each run.
    """

    def simulate(estimator, settings, *, root, experiment, runs, steps, bin, last):
        calls.append((estimator.name, list(settings), experiment, runs, bin))
        outcomes = []
        for agent in settings:
            half, final = levels[agent]
            small, bins = np.arange(runs) / 100, steps // bin
            ramp = np.tile(np.arange(bins, dtype=float), (runs, 1))
            outcomes.append(
                Outcome(
                    ramp,
                    small + final,
                    small + half,
                    small,
                    ramp / 10,
                    -ramp,
                    np.arange(runs),
                    np.ones(runs, int),
                    small > 0.045,
                )
            )
        return outcomes

    return simulate


@pytest.fixture
def swept():
    calls = []
    levels = [(-400.0, -300.0), (-100.0, -900.0), (-200.0, -150.0), (-100.0, -500.0)]
    return online_panel.sweep(pretended(levels, calls), range(4), "name", SETTING, 1), calls


def test_the_best_are_chosen_as_the_paper_does_and_run_again(swept):
    arrays, calls = swept
    # best at half-time: the second and the fourth agent, of which the first counts; best at the
    # end: the third
    assert arrays["chosen"].tolist() == [[0, 1], [1, 0]]
    assert [(agents, experiment, runs, bin) for _, agents, experiment, runs, bin in calls] == [
        ([0, 1, 2, 3], "name", 6, 5000),
        ([1], "name, fresh, best by half", 4, 1000),
        ([2], "name, fresh, best by final", 4, 1000),
    ]
    assert arrays["final"].shape == (2, 2, 6)
    assert arrays["final"][1, 0].tolist() == pytest.approx([-150.0 + run / 100 for run in range(6)])
    assert arrays["fresh_final"].mean(axis=1) == pytest.approx([-899.985, -149.985], abs=1e-4)
    assert arrays["failed"].sum() == 4
    assert all(array.dtype != np.float64 for array in arrays.values())


def test_moments_and_curves(swept):
    arrays, _ = swept
    # of 20 bins numbered from 0: the second, 5 to 9, 10 to 14, 15 to 19
    assert arrays["at_returns"][:, :, 0].tolist() == [[1.0, 7.0, 12.0, 17.0]] * 2
    record = Record(SETTING, arrays)
    assert change("", record, "half", "start_value", (-1000.0, 0.0)).mean == -5.0
    assert gain("", record, "half", (-1000.0, 0.0)).mean == pytest.approx(-800.0, abs=1e-3)
    assert curve("", record, "final", "returns").x[:2] == (500.0, 1500.0)
    item = fresh("", record, "final", (-1000.0, 0.0))
    assert item.mean == pytest.approx(-149.985, abs=1e-4)
    assert "α = 1/2, β = 0.1; -150 on the 6 runs it was chosen on" in item.words
    halves = online_panel.coarser(np.arange(400.0)[None])
    assert halves.shape == (1, 100)
    assert halves[0, :2].tolist() == [1.5, 5.5]


def test_too_large_numbers_are_kept_as_the_largest():
    kept = online_panel._small(np.array([-1e300, 1.0]))
    assert np.isfinite(kept).all()
    assert kept[1] == 1.0


def test_costs_and_samples():
    cell = work_for("paper", linear_nonstationary.NAME)[0]
    cost = online_panel.cost(cell.setting)
    assert cost == (60 * 50 + 2 * linear_nonstationary.FRESH) * 200_000
    sampled = online_panel.sample(cell.setting, 0.02)
    assert online_panel.cost(sampled) == pytest.approx(0.02 * cost, rel=0.1)


def tiny(task, estimator, **more):
    sizes = {"alphas": [0.5, 4.0], "betas": [0.5, 1.0], "runs": 5, "fresh": 0} | more
    return panel(task, estimator, 10_000, switch="actions", **sizes)


@pytest.mark.slow
def test_a_spot_has_the_bits_of_the_whole_cell():
    setting = tiny("MountainCar", "alternate")
    whole = run("spot", setting, 7)
    alone = spot(run, online_panel.KEPT, "spot", setting, 7, Pick(1, 0, (1, 4)))
    assert set(alone) == {"final", "half", "whole", "first_goal", "failed"}
    for name, values in alone.items():
        assert values.tolist() == whole[name][1, 0, [1, 4]].tolist()


def test_every_agent_has_streams_of_its_own():
    one, other = (run("own", tiny("MountainCar", "alternate", runs=3), root) for root in (7, 8))
    assert not np.array_equal(one["first_goal"], other["first_goal"])
    assert len(set(one["first_goal"].ravel().tolist())) > 6


class World:
    """Made-up results, each run with a spread of 5 about what `level` says of its agent.

    `level` gets task, estimator, tau, power, preference, critic, beta and place (of alpha in the
    grid, 0 to 1), and returns the return at the end, or those at half-time and at the end.
    `moments` gets the estimator and returns the means over the moments of a curve; returns are by
    default as at half-time before it, -950 right after it, and as at the end there.
    """

    def __init__(self, level, spread=5.0, **moments):
        self.level, self.spread, self.moments = level, spread, moments
        self.generator = np.random.Generator(np.random.SFC64(6))

    def __contains__(self, experiment):
        return True

    def one(
        self,
        experiment,
        *,
        task="RealisticMountainCar",
        estimator="escort",
        policy="",
        theta=(0, 0, 0),
        critic=0.0,
        tau=0.0,
    ):
        alphas = linear_realistic.ALPHAS if experiment.startswith(linear_realistic.NAME) else ALPHAS
        power = int(policy.partition(":")[2] or 0)
        about = {
            "task": task,
            "estimator": estimator,
            "tau": tau,
            "power": power,
            "preference": theta[1],
            "critic": critic,
        }
        places = np.linspace(0.0, 1.0, len(alphas))
        grid = np.array(
            [
                [_pair(self.level(**about, beta=beta, place=place)) for beta in BETAS]
                for place in places
            ]
        )
        arrays = {name: self.noisy(grid[..., k], 50) for k, name in enumerate(CHOICES)}
        arrays |= {
            "whole": arrays["final"],
            "first_goal": np.where(arrays["final"] > -500.0, 900, -1),
        }
        arrays["chosen"] = np.array([online_panel.best(arrays[name]) for name in CHOICES])
        at_chosen = grid[tuple(arrays["chosen"].T)]
        arrays |= {
            f"fresh_{name}": self.noisy(at_chosen[:, k], 900) for k, name in enumerate(CHOICES)
        }
        arrays["fresh_whole"] = arrays["fresh_final"]
        moments = [(-1000.0, half, -950.0, final) for half, final in at_chosen]
        arrays["at_returns"] = np.stack([self.noisy(np.array(means), 900) for means in moments])
        for name, means in self.moments.items():
            arrays[f"at_{name}"] = np.stack(
                [self.noisy(np.array(means(estimator)), 900, 1e-4 if name == "entropy" else 1.0)]
                * 2
            )
        setting = {
            "task": task,
            "estimator": estimator,
            "tau": tau,
            "policy": policy,
            "critic": critic,
            "choices": list(CHOICES),
        }
        sizes = {
            "alphas": alphas,
            "betas": BETAS,
            "runs": 50,
            "fresh": 900,
            "steps": 200_000,
            "last": 5000,
        }
        return Record({**setting, **sizes}, arrays)

    def noisy(self, means, runs, scale=1.0):
        return means[..., None] + self.generator.normal(
            0.0, scale * self.spread, (*means.shape, runs)
        )


def _pair(level):
    return level if isinstance(level, tuple) else (level, level)


def estimators(alternate, regular):
    """A world in which the two estimators come to these returns, whatever else."""
    return lambda *, estimator, **_: alternate if estimator == "alternate" else regular


SWAPPED = [
    (nonstationary.alternate_superior, -160.0, (-160.0, -500.0)),
    (nonstationary.alternate_recovers, -160.0, (-160.0, -700.0)),
    (nonstationary.regular_does_not_recover, -160.0, (-160.0, -700.0)),
    (nonstationary.less_sensitive, -160.0, -300.0),
    (entropy.worse_than_alternate, -160.0, -300.0),
    (entropy.not_worse, -160.0, -300.0),
    (entropy.beats_widely, -160.0, -300.0),
    (saturated.alternate_faster, -160.0, -300.0),
    (saturated.superior_for_almost_all, -160.0, -300.0),
    (saturated.escapes, -160.0, -900.0),
    (saturated.regular_better_at_pessimism, -300.0, -160.0),
    (realistic.alternate_superior, -160.0, -700.0),
    (realistic.alternate_solves, -160.0, -700.0),
    (realistic.wide_range, -160.0, -700.0),
    (realistic.still_good, -160.0, -700.0),
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("function", "alternate", "regular"),
    share(SWAPPED, 4),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_swapped_estimators_turn_the_verdict(function, alternate, regular):
    assert function(results=World(estimators(alternate, regular))).verdict is Verdict.SUPPORTED
    assert function(results=World(estimators(regular, alternate))).verdict is Verdict.REFUTED


def flat(value):
    return lambda **_: value


def by(name, values, other=-400.0):
    """A world in which one part of the setting decides."""
    return lambda **about: values.get(about[name], other)


def near(width):
    """How fast the return falls away from the best stepsize in the middle, by estimator, bonus and
    power.
    """
    return lambda **about: -150.0 - width(**about) * abs(about["place"] - 0.5)


TURNED = [
    (nonstationary.thousand_steps_enough, flat(-150.0), flat(-900.0)),
    (
        nonstationary.acrobot_difference_smaller,
        lambda *, task, estimator, **_: (
            -150.0 - (estimator == "regular") * (300.0 if task == "MountainCar" else 100.0)
        ),
        lambda *, task, estimator, **_: (
            -150.0 - (estimator == "regular") * (100.0 if task == "MountainCar" else 300.0)
        ),
    ),
    (
        nonstationary.less_sensitive,
        near(lambda *, estimator, **_: 100.0 if estimator == "alternate" else 900.0),
        near(lambda *, estimator, **_: 100.0 if estimator == "regular" else 900.0),
    ),
    (
        entropy.no_help_to_regular,
        flat((-150.0, -800.0)),
        by("tau", {0.0: (-150.0, -800.0)}, -150.0),
    ),
    (entropy.improves_regular, by("tau", {0.0: -900.0}), flat(-400.0)),
    (entropy.helps_alternate, by("tau", {0.1: -350.0}), by("tau", {0.1: -500.0})),
    (entropy.helps_alternate, by("tau", {0.1: -350.0}), by("tau", {0.1: -150.0})),
    (entropy.large_tau_hurts, by("tau", {0.7: -500.0, 0.9: -500.0}), by("tau", {0.9: -300.0})),
    (
        entropy.helps_sensitivity,
        near(lambda *, tau, **_: 100.0 if tau else 800.0),
        near(lambda *, tau, **_: 800.0 if tau else 100.0),
    ),
    (
        escort.handles,
        by("power", {2: (-150.0, -200.0)}, -900.0),
        by("power", {2: (-100.0, -800.0)}, (-200.0, -850.0)),
    ),
    (
        escort.better_on_mountaincar,
        by("power", {2: -350.0}),
        by("power", {2: (-100.0, -800.0)}, (-200.0, -300.0)),
    ),
    (escort.better_on_mountaincar, by("power", {2: -350.0}), by("power", {2: -200.0})),
    (
        escort.worse_on_acrobot,
        by("power", {2: (-100.0, -800.0)}, (-200.0, -300.0)),
        by("power", {2: -200.0}),
    ),
    (escort.best_better_on_acrobot, by("power", {2: -200.0}), by("power", {0: -200.0})),
    (escort.does_not_recover, flat((-150.0, -600.0)), flat((-150.0, -150.0))),
    (entropy.does_not_recover_with_bonus, flat((-150.0, -700.0)), flat((-150.0, -150.0))),
    (saturated.good_throughout, flat(-120.0), lambda *, place, **_: -120.0 - 300.0 * place),
    (escort.sensitive_to_power, by("power", {1: -900.0}), flat(-400.0)),
    (
        escort.good_at_two_and_three,
        by("power", {}, -150.0),
        near(lambda *, power, **_: 800.0 if power == 3 else 10.0),
    ),
    (
        escort.worse_at_one_and_ten,
        by("power", {2: -200.0, 3: -200.0}),
        by("power", {2: -200.0, 3: -200.0, 10: -210.0}),
    ),
    (saturated.both_learn, flat(-150.0), estimators(-150.0, -300.0)),
    (saturated.pessimism_hurts, by("critic", {-500.0: -700.0}), by("critic", {-500.0: -300.0})),
    (
        saturated.regular_less_affected,
        lambda *, estimator, critic, **_: (
            -300.0 + critic / (5.0 if estimator == "alternate" else 50.0)
        ),
        lambda *, estimator, critic, **_: (
            -300.0 + critic / (5.0 if estimator == "regular" else 50.0)
        ),
    ),
    (
        saturated.saturation_worsens,
        by("preference", {100.0: -700.0}),
        by("preference", {100.0: -300.0}),
    ),
    (
        saturated.poorer_at_small_critic_steps,
        lambda *, estimator, beta, **_: (
            -700.0 if beta < 0.5 and estimator == "alternate" else -400.0
        ),
        lambda *, estimator, beta, **_: -700.0 if beta < 0.5 and estimator == "regular" else -400.0,
    ),
    (realistic.high_optimism_worse, by("critic", {500.0: -700.0}), by("critic", {-500.0: -700.0})),
]


@pytest.mark.parametrize(
    ("function", "good", "bad"), share(TURNED, 4), ids=lambda value: getattr(value, "__name__", "")
)
def test_another_world_turns_the_verdict(function, good, bad):
    assert function(results=World(good)).verdict is Verdict.SUPPORTED
    assert function(results=World(bad)).verdict is Verdict.REFUTED


def rising(*, place, **_):
    """The largest stepsize is the best."""
    return -200.0 + 40.0 * place


MOMENTS = [
    (
        nonstationary.critic_about_200,
        "start_value",
        (0.0, -180.0, -300.0, -300.0),
        (0.0, -300.0, -180.0, -180.0),
    ),
    (
        nonstationary.critic_above_200,
        "start_value",
        (0.0, -180.0, -300.0, -300.0),
        (0.0, -220.0, -180.0, -180.0),
    ),
    (
        nonstationary.returns_fall,
        "returns",
        (-1000.0, -150.0, -900.0, -150.0),
        (-1000.0, -900.0, -150.0, -900.0),
    ),
]


@pytest.mark.parametrize(
    ("function", "name", "good", "bad"), MOMENTS, ids=lambda value: getattr(value, "__name__", "")
)
def test_the_moments_that_count_turn_the_verdict(function, name, good, bad):
    assert (
        function(results=World(rising, **{name: lambda estimator: good})).verdict
        is Verdict.SUPPORTED
    )
    assert (
        function(results=World(rising, **{name: lambda estimator: bad})).verdict is Verdict.REFUTED
    )


DIVERGING = (0.0, -2000.0, 0.0, -3000.0)


@pytest.mark.parametrize(
    ("regular", "alternate", "verdict"),
    [
        (DIVERGING, (0.0, -200.0, -200.0, -200.0), Verdict.SUPPORTED),
        (DIVERGING, DIVERGING, Verdict.REFUTED),
        ((0.0, -500.0, -3000.0, -900.0), (0.0, -200.0, -200.0, -200.0), Verdict.REFUTED),
        ((0.0, -3000.0, -3000.0, -2000.0), (0.0, -200.0, -200.0, -200.0), Verdict.REFUTED),
    ],
)
def test_values_diverge_only_if_those_of_the_other_estimator_do_not(regular, alternate, verdict):
    world = World(
        rising, start_value=lambda estimator: regular if estimator == "regular" else alternate
    )
    assert realistic.value_diverges(results=world).verdict is verdict


@pytest.mark.parametrize(
    ("level", "entropy_second", "return_second", "verdict"),
    [
        (-700.0, 0.001, -700.0, Verdict.SUPPORTED),
        (-700.0, 0.5, -700.0, Verdict.REFUTED),
        (-700.0, 0.001, -900.0, Verdict.REFUTED),
        (-150.0, 0.001, -150.0, Verdict.REFUTED),
    ],
    ids=["saturated and flat", "not saturated", "not flat", "not sub-optimal"],
)
def test_regular_is_flat_saturated_and_sub_optimal(level, entropy_second, return_second, verdict):
    def judged(rise):
        curves = {
            "entropy": lambda estimator: (entropy_second, 0.5, 0.5, 0.5),
            "returns": lambda estimator: (return_second,) * 4,
        }
        return realistic.regular_flat(
            results=World(lambda *, place, **_: level + rise * place, **curves)
        ).verdict

    assert judged(5.0) is verdict
    # best by a small stepsize: no saturated policy
    assert judged(-5.0) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("good", "failed", "verdict"),
    [
        (0.35, 0.65, Verdict.SUPPORTED),
        (0.0, 0.6, Verdict.REFUTED),
        (0.4, 0.4, Verdict.REFUTED),
        (0.06, 0.94, Verdict.REFUTED),
    ],
    ids=["as it is said", "none is good", "not most fail", "another mean"],
)
def test_runs_of_regular_split(good, failed, verdict):
    class Split(World):
        def one(self, experiment, **criteria):
            found = super().one(experiment, **criteria)
            runs = np.linspace(0.0, 1.0, 900, endpoint=False)
            found["fresh_final"][:] = np.where(
                runs < good, -130.0, np.where(runs < 1.0 - failed, -250.0, -1000.0)
            )
            return found

    assert realistic.runs_split(results=Split(flat(-700.0))).verdict is verdict


def test_where_mean_and_typical_run_differ_nothing_is_decided():
    class Outliers(World):
        def one(self, experiment, **criteria):
            found = super().one(experiment, **criteria)
            found["at_start_value"][..., :60] = -100_000.0
            return found

    values = {"start_value": lambda estimator: (0.0, -180.0, -180.0, -180.0)}
    assert (
        nonstationary.critic_about_200(results=World(rising, **values)).verdict is Verdict.SUPPORTED
    )
    assert (
        nonstationary.critic_about_200(results=Outliers(rising, **values)).verdict
        is Verdict.INCONCLUSIVE
    )


@pytest.mark.parametrize(
    ("jumping", "verdict"), [("alternate", Verdict.SUPPORTED), ("regular", Verdict.REFUTED), ("both", Verdict.REFUTED)]
)  # fmt: skip
def test_entropy_jumps(jumping, verdict):
    def means(estimator):
        return (1.0, 0.2, 0.4 if jumping in (estimator, "both") else 0.1, 0.1)

    assert (
        nonstationary.entropy_jumps(results=World(flat(-200.0), entropy=means)).verdict is verdict
    )


FUNCTIONS = [
    function
    for function in collect([altpg_verify.sim.experiments])
    if function.__module__.rpartition(".")[2].startswith("linear_")
]


class Coders(World):
    """A world in which the tile coder alone decides."""

    def __init__(self, wrapping, clamped):
        constant = {name: lambda estimator: (0.2,) * 4 for name in ("start_value", "entropy")}
        super().__init__(flat(wrapping), **constant)
        self.by_coder = {False: flat(wrapping), True: flat(clamped)}

    def one(self, experiment, **criteria):
        self.level = self.by_coder[experiment.endswith(CLAMPED)]
        return super().one(experiment, **criteria)


def test_a_difference_between_tile_coders_is_seen():
    assert coders.coder_decides(results=Coders(-700.0, -250.0)).verdict is Verdict.SUPPORTED
    assert coders.coder_decides(results=Coders(-250.0, -700.0)).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_verdicts_by_tile_coder_stand_side_by_side():
    found = {
        claim: pair
        for claim, *pair in coders.verdicts(Coders(-700.0, -150.0))
        if claim == "alternate-escapes-preference-100"
    }
    assert found == {"alternate-escapes-preference-100": ["REFUTED", "SUPPORTED"]}


def test_each_piece_of_evidence_is_turned_here():
    alone = {
        nonstationary.entropy_jumps,
        coders.coder_decides,
        realistic.regular_flat,
        realistic.runs_split,
        realistic.value_diverges,
    }
    turned = {function for function, *_ in (*SWAPPED, *TURNED, *MOMENTS)} | alone
    assert turned == set(FUNCTIONS)


@pytest.mark.parametrize(
    "function", share(FUNCTIONS, 5), ids=lambda function: function.__evidence__[0][0]
)
def test_agents_that_are_all_alike_support_no_difference(function):
    finding = function(
        results=World(
            flat(-450.0),
            spread=30.0,
            **{name: lambda estimator: (0.2,) * 4 for name in online_panel.CURVES},
        )
    )
    levels = {
        entropy.not_worse,
        nonstationary.critic_above_200,
        nonstationary.thousand_steps_enough,
    }
    assert (finding.verdict is Verdict.SUPPORTED) == (function in levels)


def test_without_stored_results_nothing_is_said(tmp_path):
    work = [
        cell
        for experiment in altpg_verify.sim.experiments.EXPERIMENTS
        if experiment.stored
        for cell in experiment.work("paper")
    ]
    results = Results("quick", [], tmp_path, stored=work, kept=tmp_path)
    for function in FUNCTIONS:
        with pytest.raises(Missing, match=r"python -m altpg_verify\.sim run"):
            function(results=results)


class Real:
    """Real runs of a few agents, under the name of the estimator that was asked for or of the other
    one.
    """

    def __init__(self, swapped):
        self.swapped = swapped

    def one(self, experiment, *, estimator, critic):
        name = (
            {"alternate": "regular", "regular": "alternate"}[estimator]
            if self.swapped
            else estimator
        )
        setting = panel(
            linear_realistic.TASK,
            name,
            50_000,
            critic=critic,
            alphas=[16.0],
            betas=[1.0],
            runs=16,
            fresh=48,
        )
        return Record(setting, run(experiment, setting, 1))


@pytest.mark.thorough
def test_swapped_estimators_turn_the_verdict_of_real_runs():
    assert realistic.alternate_superior(results=Real(False)).verdict is Verdict.SUPPORTED
    assert realistic.alternate_superior(results=Real(True)).verdict is Verdict.REFUTED


def test_shares_and_their_errors():
    generator = np.random.Generator(np.random.SFC64(5))
    means = np.where(np.arange(60) < 24, -100.0, -200.0).reshape(10, 6)
    sharp = bootstrap.bootstrapped(
        "",
        lambda m: bootstrap.share_near_best(m, 0, 50.0),
        [means[..., None] + generator.normal(0, 1, (10, 6, 50))],
        step=1 / 60,
    )
    assert sharp.mean == 0.4
    assert sharp.standard_error == 0.0
    assert sharp.low == pytest.approx(1 / 120)
    # pairs that lie on the edge: their share moves
    edge = np.where(np.arange(60) < 24, -150.0, -200.0).reshape(10, 6)
    edge[0, 0] = -100.0
    blurred = bootstrap.bootstrapped(
        "",
        lambda m: bootstrap.share_near_best(m, 0, 50.0),
        [edge[..., None] + generator.normal(0, 30, (10, 6, 50))],
    )
    assert 0.02 < blurred.standard_error < 0.2


def test_the_bootstrap_error_of_a_mean_is_its_standard_error():
    values = np.random.Generator(np.random.SFC64(8)).normal(0.0, 3.0, (1, 400))
    item = bootstrap.bootstrapped("", lambda means: float(means[0][0]), [values])
    assert item.standard_error == pytest.approx(3.0 / 20, rel=0.15)


def test_betas_are_chosen_on_runs_that_are_not_reported():
    values = np.zeros((1, 2, 4))
    values[0, 0] = [1.0, 1.0, 5.0, 6.0]
    values[0, 1] = [0.0, 0.0, 90.0, 90.0]
    assert at_best_betas(values).tolist() == [[0.0, 0.0, 5.0, 6.0]]


def test_joined_means():
    items = [
        bootstrap.bootstrapped("", lambda means: float(means[0]), [np.arange(4.0) + shift])
        for shift in (0.0, 10.0)
    ]
    both = joined("", items)
    assert both.mean == pytest.approx(6.5)
    assert both.standard_error == pytest.approx(
        np.hypot(items[0].standard_error, items[1].standard_error) / 2
    )
