"""Sampled audits: their error rates are what they say, and a small sample is no pass."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.__main__ import main
from altpg_verify.audit import audit, from_function
from altpg_verify.audit.fixtures import stop_or_go, three_arms, two_prompts
from altpg_verify.audit.kept_draws import drawn
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.sampled_draws import sampled_indices
from altpg_verify.audit.sampling import draws_needed
from altpg_verify.errors import BadInput
from altpg_verify.verdicts import Verdict
from tests.audit.test_sampled_bounds import UPDATE
from tests.shares import share

NOISY = from_function(
    lambda reward, score, rng: reward * score + 0.1 * rng.normal(size=3),
    space=three_arms(),
    name="noisy",
)


def test_a_right_update_is_supported_and_never_called_exact():
    found = audit(NOISY, samples=4000)
    assert found.kind is Kind.UNBIASED
    assert found.verdict is Verdict.SUPPORTED
    assert "no bias seen" in found.sentence
    assert "error rate 0.001, shared by 5 directions" in found.evidence
    assert "at this policy" in found.sentence


def test_a_wrong_one_is_refuted():
    found = audit(
        from_function(lambda reward, score, rng: 2 * reward * score, space=three_arms()),
        samples=4000,
    )
    assert found.kind is Kind.SCALED
    assert found.verdict is Verdict.REFUTED
    assert not found.ok


def test_too_small_a_sample_is_not_a_pass():
    found = audit(NOISY, samples=1000, worth_finding=1e-4)
    assert found.kind is Kind.UNDECIDED
    assert found.verdict is Verdict.INCONCLUSIVE
    assert not found.ok


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_stated():
    # at a stated rate of 0.2, 60 audits of a right update: more than 24 alarms have probability
    # below 1e-4
    right = from_function(lambda reward, score: reward * score, space=three_arms())
    alarms = sum(
        audit(right, samples=1000, false_alarm_rate=0.2, seed=seed).verdict is Verdict.REFUTED
        for seed in range(60)
    )
    assert alarms <= 24


def test_the_draws_needed_see_the_bias():
    bias = 0.05
    tilted = from_function(
        lambda reward, score, rng: reward * score + np.array([bias, -bias, 0.0]), space=three_arms()
    )
    needed = draws_needed(tilted, worth_finding=bias)
    assert 1000 <= needed < 20_000
    assert audit(tilted, samples=needed).kind is Kind.BIASED


@pytest.mark.parametrize(
    "space",
    [three_arms().batch(3), two_prompts().group(2), two_prompts().group(2, every_start=True)],
    ids=str,
)
def test_sampled_draws_have_the_enumerated_mean(space):
    def mean_score(rewards, scores):
        lead = rewards.ndim
        return (rewards.reshape(*rewards.shape, *[1] * (scores.ndim - lead)) * scores).mean(
            axis=tuple(range(lead))
        )

    assert audit(from_function(mean_score, space=space)).kind is Kind.UNBIASED
    assert audit(from_function(mean_score, space=space), samples=3000).kind is Kind.UNBIASED


def test_trajectories_can_be_sampled():
    found = audit(
        from_function(
            lambda rewards, scores: rewards.sum() * scores.sum(axis=0), space=stop_or_go()
        ),
        samples=3000,
    )
    assert found.kind is Kind.UNBIASED


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 10}, "at least 1000"),
        ({"samples": True}, "samples must be a whole number"),
        ({"samples": 10**9}, "more than the 50,000,000 episodes"),
        ({"samples": 2000, "false_alarm_rate": 2}, "between 0"),
        ({"samples": 2000, "false_alarm_rate": float("nan")}, "not finite"),
        ({"samples": 2000, "worth_finding": 0}, "worth_finding must be positive"),
        ({"samples": 2000, "seed": -1}, "seed must be a whole number of at least 0"),
        ({"samples": 2000, "bounds": (1, 0)}, "bounds must be"),
        ({"samples": 2000, "bounds": (0, "x")}, "bounds: 'x' is no number"),
        ({"samples": 2000, "bounds": (-0.01, 0.01)}, "outside of bounds"),
    ],
)
def test_unusable_rates(options, message):
    with pytest.raises(BadInput, match=message):
        audit(NOISY, **options)


def by_state(space, factors):
    """Each prompt's gradient times a factor of its own."""
    return from_function(
        lambda reward, score, states: np.array(factors)[states[0]] * reward * score, space=space
    )


PLANTED = {
    "half": (lambda reward, score: reward * score / 2, three_arms(), Kind.SCALED),
    "reversed": (lambda reward, score: -reward * score, three_arms(), Kind.REVERSED),
    "zero": (lambda score: 0 * score, three_arms(), Kind.ZERO),
    "zero in the mean": (lambda score: score, three_arms(), Kind.ZERO),
    "another field": (lambda reward, e, pi: reward * (e - pi[::-1]), three_arms(), Kind.BIASED),
    "across": (
        lambda reward, score: reward * score + np.array([0.2, -0.4, 0.2]),
        three_arms(),
        Kind.BIASED,
    ),
    "shifted logits": (lambda reward, score: reward * score + 5, three_arms(), Kind.UNBIASED),
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize(
    "bounds", [None, pytest.param((-6, 6), marks=pytest.mark.slow)], ids=["normal limit", "bounds"]
)
def test_kinds_are_told_apart(name, bounds):
    function, space, kind = PLANTED[name]
    found = audit(
        from_function(function, space=space), samples=16_000, bounds=bounds, false_alarm_rate=0.01
    )
    assert found.kind is kind
    assert found.verdict is (Verdict.SUPPORTED if kind is Kind.UNBIASED else Verdict.REFUTED)
    assert ("normal limit" in found.evidence) is (bounds is None)


def test_the_factor_has_an_interval_at_the_stated_rate():
    found = audit(
        from_function(lambda reward, score: reward * score / 2, space=three_arms()), samples=20_000
    )
    low, high = found.scale.intervals[""]
    assert low < 0.5 < high
    assert high - low < 0.1
    assert "times c in [0.4" in found.sentence
    assert "error rate 0.001" in found.evidence
    assert found.as_dict()["scale"]["intervals"][""] == [low, high]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("factors", "kind"),
    share([((2, 3), Kind.SCALED), ((-1, -2), Kind.REVERSED), ((2, -1), Kind.BIASED)], 3),
)
def test_prompts_may_have_factors_of_their_own(factors, kind):
    space = two_prompts("1/2", "1/4")
    found = audit(by_state(space, factors), samples=20_000)
    assert found.kind is kind
    if kind is not Kind.BIASED:
        assert [
            low < factor < high
            for factor, (low, high) in zip(factors, found.scale.intervals.values(), strict=True)
        ] == [True, True]
    else:
        assert any("prompt 0 c in [1." in note for note in found.notes)


def test_states_of_an_episode_are_looked_at_one_by_one():
    def each_its_own(rewards, scores, states):
        return sum((1 + states[t]) * rewards[t:].sum() * score for t, score in enumerate(scores))

    found = audit(from_function(each_its_own, space=stop_or_go()), samples=15_000)
    assert found.kind is Kind.BIASED
    (note,) = found.notes
    assert "state 0: c in [0." in note
    assert "state 1: c in [1." in note


def test_a_sample_that_fits_the_gradient_and_zero_is_no_pass():
    drowned = from_function(
        lambda reward, score, rng: reward * score + 50 * rng.normal(size=3), space=three_arms()
    )
    found = audit(drowned, samples=2000)
    assert (found.kind, found.verdict) == (Kind.UNDECIDED, Verdict.INCONCLUSIVE)
    assert "both 0 and the gradient fit the sample" in found.sentence


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bounds=-3,3"], "give --samples N as well"),
        (["--samples", "2000", "--bounds=3"], "bounds must be (low, high)"),
        (["--samples", "2000", "--bounds=3,-3"], "bounds must be (low, high)"),
        (["--samples", "2000", "--bounds=low,high"], "bounds: 'low'"),
        (["--samples", "2000", "--bounds=nan,1"], "bounds: 'nan'"),
        (["--samples", "2000", "--bounds=-inf,inf"], "bounds: '-inf'"),
        (["--samples", "2000", "--bounds="], "bounds"),
        (["--samples", "2000", "--bounds=-1,1"], "outside of bounds=(-1, 1)"),
        (["--samples", "2000", "--worth-finding", "-1"], "worth_finding must be positive"),
        (
            ["--samples", "2000", "--false-alarm-rate", "2"],
            "false_alarm_rate must lie between 0 and 1/2",
        ),
    ],
)
def test_options_that_cannot_be_used(tmp_path, capsys, options, message):
    file = tmp_path / "mine.py"
    file.write_text(UPDATE, encoding="utf-8")
    assert main(["check", str(file), *options]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_declared_choices_are_drawn_with_their_chances():
    doubled = from_function(
        lambda reward, score, times: times * reward * score,
        space=three_arms(),
        choices={"times": [(0, "3/4"), (4, "1/4")]},
    )
    assert audit(doubled, samples=20_000).kind is Kind.UNBIASED
    with pytest.raises(BadInput, match="choices 'times': the chances add up to 3/4"):
        from_function(
            lambda reward, score, times: times * reward * score,
            space=three_arms(),
            choices={"times": [(0, "1/2"), (4, "1/4")]},
        )


@pytest.mark.parametrize(
    "space",
    [three_arms().batch(2), two_prompts().group(2), two_prompts().group(2, every_start=True)],
    ids=str,
)
def test_draws_come_with_their_probabilities(space):
    tables = Tables.at(space, space.parameters)
    indices = sampled_indices(space, tables, np.random.default_rng(3), 20_000)
    counts = Counter(map(tuple, indices.tolist()))
    for probability, draw in drawn(tables):
        share = counts[draw.indices] / 20_000
        assert abs(share - probability) < 5 * np.sqrt(probability / 20_000) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("bounds", [None, (-3, 3)], ids=["normal limit", "bounds"])
@pytest.mark.parametrize("factor", [1, Fraction(1, 2), -1, 0])
def test_what_is_said_is_false_no_more_often_than_stated(factor, bounds):
    """The factor is out of its interval, or the update called something that it isn't, at a stated
    rate of 1/5.
    """
    from scipy.stats import binom

    rate, repetitions = 0.2, 150
    times = float(factor)
    planted = from_function(lambda reward, score: times * reward * score, space=three_arms())
    false = 0
    for seed in range(repetitions):
        found = audit(planted, samples=1000, false_alarm_rate=rate, seed=seed, bounds=bounds)
        if found.scale is not None:
            low, high = found.scale.intervals[""]
            false += not low <= times <= high
        else:
            # half the gradient may be called undecided, or, with little data, no bias seen; never
            # biased across it
            false += found.kind is Kind.BIASED and not any(
                "may be parallel" in note for note in found.notes
            )
            false += found.kind is Kind.UNBIASED and times in (-1, 0)
    assert false <= binom.isf(1e-4, repetitions, rate)


@pytest.mark.slow
def test_a_bias_worth_finding_is_passed_no_more_often_than_stated():
    from scipy.stats import binom

    bias, rate, repetitions = 0.05, 0.2, 150
    tilted = from_function(
        lambda reward, score: reward * score + np.array([bias, -bias, 0.0]), space=three_arms()
    )
    passed = sum(
        audit(tilted, samples=1000, false_alarm_rate=rate, worth_finding=bias, seed=seed).verdict
        is Verdict.SUPPORTED
        for seed in range(repetitions)
    )
    assert passed <= binom.isf(1e-4, repetitions, rate)
