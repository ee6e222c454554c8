"""Linear actor-critics: what their evidence judges, and that planted faults turn the verdicts."""

import numpy as np
import pytest

import altpg_verify.sim.experiments
from altpg_verify.errors import Missing
from altpg_verify.ledger_building import collect
from altpg_verify.sim.experiments import linear_coders as coders
from altpg_verify.sim.experiments import linear_entropy_claims as entropy
from altpg_verify.sim.experiments import linear_escort_claims as escort
from altpg_verify.sim.experiments import linear_nonstationary_claims as nonstationary
from altpg_verify.sim.experiments import linear_realistic, online_panel
from altpg_verify.sim.experiments import linear_realistic_claims as realistic
from altpg_verify.sim.experiments import linear_saturated_claims as saturated
from altpg_verify.sim.experiments.linear_panel import CLAMPED, panel, run
from altpg_verify.sim.results import Record, Results
from altpg_verify.verdicts import Verdict
from tests.shares import share
from tests.sim.linear_worlds import World, by, estimators, flat, near

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
