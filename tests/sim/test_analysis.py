"""The statistics: right on data that are known, wrong as seldom as stated, and able to say no."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import measured
from altpg_verify.verdicts import Verdict

GENERATOR = np.random.Generator(np.random.SFC64(3))


def sample(mean, spread=1.0, runs=400):
    return measured("sample", [GENERATOR.normal(mean, spread, runs)])


def test_mean_and_error_of_groups():
    groups = [np.array([1.0, 2.0, 3.0]), np.array([5.0, 7.0])]
    item = measured("groups", groups, (0.0, 10.0))
    assert item.mean == pytest.approx((2 + 6) / 2)
    assert item.standard_error == pytest.approx(math.sqrt(1 / 3 + 2 / 2) / 2)
    assert item.runs == 5
    assert item.low == pytest.approx(math.hypot(item.standard_error, 4 / 5))
    assert item.high == pytest.approx(math.hypot(item.standard_error, 6 / 5))


def test_runs_that_all_agree_are_not_certain():
    item = measured("all at 1", [np.ones(20)], (1.0, 3.0))
    assert item.standard_error == 0
    assert analysis.all_within("within 0.05", [item], 1.0, 0.05, "").verdict is Verdict.INCONCLUSIVE
    many = measured("all at 1", [np.ones(2000)], (1.0, 3.0))
    assert analysis.all_within("within 0.05", [many], 1.0, 0.05, "").verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("mean", "runs", "verdict"),
    [
        (0.0, 40_000, Verdict.SUPPORTED),
        (0.2, 40_000, Verdict.REFUTED),
        (-0.2, 40_000, Verdict.REFUTED),
        (0.1, 100, Verdict.INCONCLUSIVE),
    ],
)
def test_within(mean, runs, verdict):
    items = [sample(0.0, 0.1), sample(mean, 1.0, runs)]
    assert analysis.all_within("within 0.1", items, 0.0, 0.1, "").verdict is verdict


def test_one_bad_item_among_good_ones_decides():
    good = [sample(1.0, 0.1) for _ in range(20)]
    assert analysis.all_above("above", good, 0.5, "").verdict is Verdict.SUPPORTED
    assert (
        analysis.all_above("above", [*good, sample(0.4, 0.1)], 0.5, "").verdict is Verdict.REFUTED
    )
    assert (
        analysis.all_separated("apart", good, [sample(0.0, 0.1)], 0.5, "").verdict
        is Verdict.SUPPORTED
    )
    assert (
        analysis.all_separated("apart", good, [sample(0.7, 0.1)], 0.5, "").verdict
        is Verdict.REFUTED
    )


def test_equal():
    right = [(sample(mean), float(mean)) for mean in range(10)]
    assert analysis.all_equal("equal", right, 0.5, "").verdict is Verdict.SUPPORTED
    assert (
        analysis.all_equal("equal", [*right, (sample(0.5), 0.0)], 0.5, "").verdict
        is Verdict.REFUTED
    )
    assert (
        analysis.all_equal("equal", [*right, (sample(0.0, 1.0, 20), 0.0)], 0.5, "").verdict
        is Verdict.INCONCLUSIVE
    )


@pytest.mark.thorough
def test_false_alarms_are_as_rare_as_stated():
    trials, alarms = 2000, 0
    for _ in range(trials):
        items = [(measured("", [GENERATOR.normal(0.0, 1.0, 60)]), 0.0) for _ in range(5)]
        alarms += analysis.all_equal("equal", items, math.inf, "").verdict is Verdict.REFUTED
    # 60 runs have slightly heavier tails than the normal distribution
    assert alarms / trials < 2 * analysis.ERROR_RATE


def test_shares():
    def runs(share, count):
        return np.arange(count) < share * count

    assert (
        analysis.share_above("share", [("", runs(0.99, 1000))], 0.95, "").verdict
        is Verdict.SUPPORTED
    )
    assert (
        analysis.share_above("share", [("", runs(0.90, 1000))], 0.95, "").verdict is Verdict.REFUTED
    )
    assert (
        analysis.share_above("share", [("", runs(1.0, 20))], 0.95, "").verdict
        is Verdict.INCONCLUSIVE
    )


def test_a_single_run_without_chance_has_no_error():
    mean, error = analysis.mean_and_error(np.array([[2.0], [3.0]]))
    assert mean.tolist() == [2.0, 3.0]
    assert error.tolist() == [0.0, 0.0]


def test_readings_that_differ_decide_nothing():
    up, down = (
        measured("", [np.array([level - 0.1, level, level + 0.1] * 20)]) for level in (1.0, -1.0)
    )
    holds, fails = (analysis.all_above("it is above 0", [item], 0.0, "here") for item in (up, down))
    assert analysis.agreed({"one": holds, "other": holds}) is holds
    assert analysis.agreed({"one": fails, "other": fails}).verdict is Verdict.REFUTED
    apart = analysis.agreed({"one": holds, "other": fails})
    assert apart.verdict is Verdict.INCONCLUSIVE
    assert "by one SUPPORTED: it is above 0" in apart.summary
    assert "by other REFUTED: tested: it is above 0; found: -1" in apart.summary


def test_what_fails_in_part_says_in_how_much():
    items = [
        measured(name, [np.array([level - 0.1, level + 0.1] * 20)])
        for name, level in (("one", 1.0), ("two", 2.0), ("three", -1.0))
    ]
    assert (
        "(three, 40 runs); 2 of 3 comparisons lie on the claimed side"
        in analysis.all_above("they are above 0", items, 0.0, "").summary
    )


def test_what_is_not_supported_says_what_was_tested_and_found():
    low, unsure = (
        measured("x", [np.array([-1.1, -0.9] * 20)]),
        measured("x", [np.array([-1.0, 1.1] * 5)]),
    )
    assert analysis.all_above("it is above 0", [low], 0.0, "").summary.startswith(
        "tested: it is above 0; found: -1 ± "
    )
    assert analysis.all_above("it is above 0", [unsure], 0.0, "").summary.startswith(
        "tested: it is above 0; found: 0.05 ± "
    )
    assert analysis.all_above("it is above 0", [unsure], 0.0, "").reported.count("tested: ") == 1
    assert (
        "; so: undecided, not significant at 1 %"
        in analysis.all_above("it is above 0", [unsure], 0.0, "").reported
    )
    fixed = analysis.all_above("it is above 0", [measured("x", [np.zeros(3)])], 0.0, "")
    assert (
        fixed.reported
        == "tested: it is above 0; found: 0 (x, the same in every run); so: undecided, exactly on"
        " the bound, on neither side of it"
    )


def test_small_stepsizes_are_written_as_powers():
    assert [captions.small(value) for value in (2.0**-17, 2.0**-7, 1 / 64, 0.5, 0.05, 2.0)] == [
        "2⁻¹⁷",
        "2⁻⁷",
        "0.015625",
        "0.5",
        "0.05",
        "2",
    ]


def test_the_runs_of_a_figure_are_those_of_its_records():
    def records(*runs):
        return [SimpleNamespace(setting={"runs": number}) for number in runs]

    assert captions.runs_each(records(150, 150)) == "150 runs each, as in the paper"
    assert (
        captions.runs_each(records(75, 1))
        == "75 runs each, the paper has 150, and one of the expected gradient, which draws nothing"
    )
    assert captions.runs_each(records(50, 75)) == "50 to 75 runs each, the paper has 150"
    with pytest.raises(ValueError, match="records"):
        captions.runs_each(records(1))
