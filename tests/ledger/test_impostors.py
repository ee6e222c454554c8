"""The criteria of the re-judged claims can fail: the other estimator, a wrong constant and an
innocent instance are told apart.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from unittest import mock

import pytest

from altpg_verify.judging import Verdict
from altpg_verify.theory.attraction import dynamics, remarks
from altpg_verify.theory.attraction.cases import Step
from altpg_verify.theory.chain import bellman as chain_numbers
from altpg_verify.theory.claims import cases_as_printed as as_printed
from altpg_verify.theory.claims.cases_as_printed import OneStep, _bandit
from altpg_verify.theory.entropy_escort import entropy, escort_escape, escort_same_policy
from altpg_verify.theory.entropy_escort.cases_escort import Escort
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, basis
from altpg_verify.theory.exact_cases.bandits import INTERIOR
from altpg_verify.theory.experiments.cases_numbers import Branch
from altpg_verify.theory.extensions import learned_baseline
from altpg_verify.theory.fixed_points import bias, consequences
from altpg_verify.theory.fixed_points import lemma as fixed_points
from altpg_verify.theory.function_approximation import related_work
from altpg_verify.theory.large_stepsizes import large_steps
from altpg_verify.theory.large_stepsizes.cases import Steps
from altpg_verify.theory.mdps import discounting
from altpg_verify.theory.mdps.cases_environment import TREE
from altpg_verify.theory.mdps.cases_surrogates import Surrogate
from altpg_verify.theory.proving import calculus
from altpg_verify.theory.proving.certificates import IdentityCertificate
from altpg_verify.theory.proving.notation import g_ALT, g_REG, ghat_ALT, ghat_REG
from altpg_verify.theory.sampling_tree.action_select import copied_lists
from altpg_verify.theory.sampling_tree.cases_costs import CountedList, _building
from altpg_verify.theory.saturation import variance, worked_examples
from altpg_verify.theory.visualisations import baseline_plots, simplex_plots
from tests.shares import share

OTHER = {ghat_ALT: ghat_REG, g_ALT: g_REG, ghat_REG: ghat_ALT, g_REG: g_ALT}
TOLD_APART = {
    "alternate-asymptotically-unbiased": bias.asymptotically_unbiased,
    "fixed-point-equations-linear": fixed_points.equations_are_linear,
    "baseline-signal-escapes": worked_examples.signal_escapes,
    "return-noise-without-reward-noise": chain_numbers.return_noise,
    "noisy-alternate-variance-nonzero-at-corners": variance.corner_alternate_positive,
    "regular-estimator-small-near-corners": variance.regular_small_at_saturation,
    "optimistic-attraction-stronger-near-corners": baseline_plots.attraction_stronger,
    "neurd-drops-policy-weight": related_work.neurd_update,
    "corner-spread-with-learned-baseline": learned_baseline.invariant,
}
"""Claims about one estimator, and a derivation that each rests on."""
REJUDGED = (
    *TOLD_APART.values(),
    bias.variance_of_a_batch,
    bias.bias_at_hand,
    chain_numbers.timeout_negligible,
    consequences.close_to_best_corner,
    discounting.capped,
    dynamics.flattens_corner,
    entropy.bonus_moves_optimum,
    escort_escape.escapes_fast,
    escort_escape.slower_from_same_policy,
    escort_same_policy.faster_from_same_policy,
    large_steps.never_lower,
    large_steps.optimum_at_infinity,
    learned_baseline.corner_spread,
    learned_baseline.spread_between_times,
    remarks.true_gradient_reaches_corner,
    simplex_plots.still_larger,
    baseline_plots.moves_off_center,
    baseline_plots.draws_flatten,
    copied_lists,
)


def near(far: Fraction, r: Vec, b: int = 0, sigma: int = 0) -> Bandit:
    """All but `far` on the first action, marked as the saturated one."""
    rest = far / (len(r) - 1)
    p = Vec(1 - far, *(rest for _ in r[1:]))
    return replace(_bandit(p, r, b, eta=basis(0, len(r))), sigma=Vec(*(sigma for _ in r)))


SMALL = Fraction(1, 100)
INNOCENT = {
    "saturated-agent-explores-nothing": near(Fraction(0), Vec(0, 0, 1)),
    "regular-estimator-small-at-saturation": near(SMALL, Vec(0, 1, 2)),
    "saturated-gradient-close-to-zero": near(SMALL, Vec(0, 1, 2)),
    "saturated-weights-not-updated": near(SMALL, Vec(0, 1, 2)),
    "alternate-variance-nonzero-at-corners": replace(near(Fraction(0), Vec(0, 1)), sigma=Vec(1, 1)),
    "alternate-variance-nonzero-near-boundary": near(SMALL, Vec(0, 1), sigma=1),
    "optimistic-draws-flatten": near(SMALL, Vec(1, 2, 3), b=4),
    "optimistic-attraction-stronger": near(SMALL, Vec(1, 2, 3), b=4),
    "ppo-gradient-with-condition": Surrogate(TREE, (Vec(1, 2), Vec(3, 1), Vec(2, 3))),
    "optimum-at-infinity": INTERIOR[0],
    "discount-caps-return": OneStep(Fraction(1)),
    "escort-escapes-fast": Escort(Vec(20, 1, 1), 1),
    "escort-better-convergence": Escort(Vec(1, 1, 1), 2),
    "optimistic-flattens-suboptimal-corner": Step(
        _bandit(Vec(Fraction(99, 100), SMALL), Vec(0, 1), 2), Fraction(1)
    ),
    "pessimistic-moves-off-center": Step(
        _bandit(Vec(Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)), Vec(1, 2, 3)), Fraction(1)
    ),
    "true-gradient-reaches-optimal-corner": _bandit(
        Vec(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)), Vec(1, 2, 3)
    ),
    "pi-star-close-to-optimal-corner": _bandit(Vec(Fraction(1, 2), Fraction(1, 2)), Vec(0, 10), 11),
    "large-steps-no-concern": Steps(
        _bandit(Vec(Fraction(1, 2), Fraction(1, 2)), Vec(0, 1)), Fraction(1), Fraction(48)
    ),
}
"""For each refuted sentence an instance of which it is true."""


@pytest.mark.parametrize("claim", share(TOLD_APART, 3))
def test_the_other_estimator_has_no_proof(claim):
    derivation = TOLD_APART[claim]
    assert derivation().verdict.is_for
    swapped = {letter: calculus.ESTIMATES[other] for letter, other in OTHER.items()}
    with (
        mock.patch.dict(calculus.ON_POLICY, swapped),
        mock.patch.dict(calculus.SOFTMAX, swapped),
        mock.patch.dict(calculus.ESTIMATES, swapped),
    ):
        try:
            verdict = derivation().verdict
        except ZeroDivisionError:
            verdict = Verdict.INCONCLUSIVE
    assert verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("derivation", share(REJUDGED, 3), ids=lambda function: function.__name__)
def test_a_wrong_constant_has_no_certificate(derivation):
    lines = [one for one in derivation.proof().certificates if isinstance(one, IdentityCertificate)]
    assert lines
    for line in lines:
        assert line.recheck() is True
        wrong = IdentityCertificate({**line.data, "right": ["+", 1, line.data["right"]]})
        assert wrong.recheck() is not True, f"{line} holds with one more on the right side"


@pytest.mark.parametrize("claim", INNOCENT)
def test_a_refuted_sentence_is_not_refuted_by_an_innocent_instance(claim):
    statement = as_printed.STATEMENTS[claim]
    assert statement.judged().verdict is Verdict.REFUTED
    assert replace(statement, cases=[INNOCENT[claim]]).judged().verdict is Verdict.HOLDS


def test_only_sentences_without_an_innocent_instance_have_none():
    assert set(as_printed.STATEMENTS) - set(INNOCENT) == {
        "no-noise-alternate-still-larger",
        "neurd-printed-as-policy-gradient",
    }


def test_a_corner_without_random_transitions_has_no_noise():
    assert Branch(Fraction(1, 2)).noise > 0
    assert Branch(Fraction(0)).noise == Branch(Fraction(1)).noise == 0


def test_ranges_of_indices_copy_nothing_and_copies_are_not_linear():
    assert _building(255, copies=False)["copied"] == 0
    per_action = [
        Fraction(_building(2**m - 1, copies=True)["copied"], 2**m - 1) for m in range(3, 9)
    ]
    assert all(after - before > 1 for before, after in pairwise(per_action))


def test_a_counted_list_counts():
    counts = {"read": 0, "copied": 0}
    numbers = CountedList([5, 6, 7, 8], counts, copies=True)
    assert [numbers[1], numbers[2:4][1], len(numbers[1:3])] == [6, 8, 2]
    assert counts == {"read": 2, "copied": 4}
