"""The engine decides from evidence alone: proved, refuted, skipped, open; marked or promised; on rationals or on floats."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import (
    LAWS,
    BadEstimator,
    BadInput,
    EstimatorCheckError,
    Verdict,
    alternate,
    bandit,
    check_estimator,
    escort,
    estimator,
    regular,
)
from altpg_verify.cases import parse_case
from altpg_verify.checks import EXAMPLES_AFTER_PROOF, PROOF_ACTIONS, ROUNDING, SAMPLED_CASES, SATURATED, TOLERANCE, is_exact
from altpg_verify.laws import ANYWHERE, Domain, Law, law_named
from altpg_verify.search import sample, search
from altpg_verify.strategies import cases

CASE = parse_case("pi=1/2,1/2; r=0,1; b=1")


def ask(est, name, **options):
    options = {"facts": False, "on_fail": "return", "max_examples": 10, **options}
    return check_estimator(est, only=[name], **options)[name]


def law(sides, relation="=", domain=ANYWHERE, **rest):
    return Law("mine", "mine", "mine", sides, domain, relation, **{"layout": "scalar", **rest})


def ask_mine(sides, relation="=", domain=ANYWHERE, est=regular, case=None, max_examples=10, **rest):
    return ask(est, "mine", laws=(*LAWS, law(sides, relation, domain, **rest)), case=case, max_examples=max_examples)


@estimator
def branches(pi, e, r, b):
    return (r - b) * (e - pi) if r > b else (b - r) * (pi - e)


@estimator
def rounded(pi, e, r, b):
    return (float(r) - float(b)) * (np.asarray(e, dtype=float) - np.asarray(pi, dtype=float))


def test_a_law_is_proved_and_then_tried_on_some_cases():
    got = ask(regular, "unbiased", max_examples=100)
    assert (got.verdict, got.evidence, got.examples) == (Verdict.PROVED, "k = 2, 3, 4; and 20 exact cases", EXAMPLES_AFTER_PROOF)
    assert ask(regular, "unbiased", max_examples=7).evidence == "k = 2, 3, 4; and 7 exact cases"
    assert ask(regular, "unbiased", max_examples=30, thorough=True).examples == 30


def test_how_much_is_proved_and_tried_is_what_the_reports_say():
    assert (PROOF_ACTIONS, EXAMPLES_AFTER_PROOF, SAMPLED_CASES, TOLERANCE) == ((2, 3, 4), 20, 40, 1e-9)


def test_how_a_law_was_proved_otherwise():
    assert ask(regular, "shift_invariant").evidence.startswith("k = 2, 3, 4, by construction: the formula doesn't see theta; and ")
    assert ask(regular, "ascends").evidence.startswith("k = 2, 3, 4, follows from unbiased_at_value; and ")
    assert ask(estimator(lambda e, r: r * e), "baseline_invariant").evidence.startswith(
        "k = 2, 3, 4, by construction: the formula doesn't see b;"
    )
    assert ", by construction" not in ask(regular, "baseline_invariant").evidence


def test_what_branches_is_tried_and_never_proved():
    got = ask(branches, "unbiased")
    assert (got.verdict, got.evidence, got.examples) == (Verdict.HOLDS, "10 exact cases", 10)
    assert ask(branches, "ascends").verdict is Verdict.HOLDS


def test_what_is_rounded_is_tried_in_float64():
    got = ask(rounded, "unbiased")
    assert (got.verdict, got.evidence) == (Verdict.HOLDS, "10 float64 cases")
    assert is_exact(regular)
    assert is_exact(branches)
    assert not is_exact(rounded)
    wrong = estimator(lambda pi, e, r, b: 1.001 * rounded(pi=pi, e=e, r=r, b=b))
    got = ask(wrong, "unbiased", max_examples=100)
    assert (got.verdict, got.gap, got.holds_when) == (Verdict.REFUTED, "", ())


def test_floats_agree_within_the_tolerance_and_not_beyond():
    def off_by(size):
        return ask_mine(lambda est, case: ([1.0 + size], [1.0]), est=rounded).verdict

    # relative to 1 + |left| + |right| = 3
    assert TOLERANCE == 1e-9
    assert (off_by(2.9e-9), off_by(-2.9e-9)) == (Verdict.HOLDS, Verdict.HOLDS)
    assert (off_by(3.1e-9), off_by(-3.1e-9)) == (Verdict.REFUTED, Verdict.REFUTED)
    # a million is compared in proportion, on both sides
    large = ask_mine(lambda est, case: ([1e6 + 1.9e-3], [1e6]), est=rounded).verdict
    larger = ask_mine(lambda est, case: ([1e6 + 2.1e-3], [1e6]), est=rounded).verdict
    assert (large, larger) == (Verdict.HOLDS, Verdict.REFUTED)
    # an inequality may be missed by as much
    assert ask_mine(lambda est, case: ([1.0 - 2e-9], [1.0]), ">=", est=rounded).verdict is Verdict.HOLDS
    assert ask_mine(lambda est, case: ([1.0 - 4e-9], [1.0]), ">=", est=rounded).verdict is Verdict.REFUTED
    assert ask_mine(lambda est, case: ([9.0], [1.0]), ">=", est=rounded).verdict is Verdict.HOLDS
    assert ask_mine(lambda est, case: ([9.0, 0.0], [1.0, 1.0]), ">=", est=rounded).verdict is Verdict.REFUTED


def test_sides_are_equally_long():
    for est in (regular, rounded):
        for case in (CASE, None):
            with pytest.raises(ValueError, match="zip"):
                ask_mine(lambda est, case: ([1, 2], [1]), est=est, case=case)


def test_exact_numbers_have_no_tolerance():
    tiny = Fraction(1, 10**30)
    assert ask_mine(lambda est, case: ([1 + tiny], [1])).verdict is Verdict.REFUTED
    assert ask_mine(lambda est, case: ([1], [1])).verdict is Verdict.PROVED
    assert ask_mine(lambda est, case: ([1 - tiny], [1]), ">=").verdict is Verdict.REFUTED
    assert ask_mine(lambda est, case: ([1, 2], [1, 3])).verdict is Verdict.REFUTED
    # exact and inexact numbers together are compared as floats; a truth value is no number
    assert ask_mine(lambda est, case: ([1.0 + 1e-10], [1])).verdict is Verdict.HOLDS
    assert ask_mine(lambda est, case: ([True], [1])).verdict is not Verdict.REFUTED


def test_a_law_on_floats_is_compared_to_the_last_bit():
    floats = replace(law_named("finite_when_saturated").domain, name="mine")
    assert ask_mine(lambda est, case: ([1.0 + 1e-12], [1.0]), domain=floats).verdict is Verdict.REFUTED
    got = ask_mine(lambda est, case: ([1.0], [1.0]), domain=floats)
    assert (got.verdict, got.evidence) == (Verdict.HOLDS, "10 float64 cases")


def test_a_proof_of_an_inequality_takes_a_law_that_implies_it():
    def below(est, case):
        return [1], [2]

    assert ask_mine(below, "<=", implied_by="unbiased").verdict is Verdict.HOLDS
    got = ask_mine(lambda est, case: ([2], [1]), ">=", implied_by="unbiased")
    assert got.evidence.startswith("k = 2, 3, 4, follows from unbiased; and ")
    assert ask_mine(lambda est, case: ([2], [1]), ">=").verdict is Verdict.HOLDS
    assert ask_mine(lambda est, case: ([2], [1]), ">=", implied_by="zero_sum", est=alternate).verdict is Verdict.HOLDS


def test_a_proof_needs_every_number_of_actions_and_every_symbolic_case():
    def only(k):
        return lambda est, case: ([int(case.k == k)], [0])

    for k in PROOF_ACTIONS:
        # no case of the search has this many actions, so nothing refutes
        narrow = Domain("two", lambda p: cases(p, min_actions=5, max_actions=5), ANYWHERE.symbolic)
        assert ask_mine(only(k), domain=narrow).verdict is Verdict.HOLDS
        assert ask_mine(only(5), domain=replace(narrow, strategy=lambda p: cases(p, max_actions=4))).verdict is Verdict.PROVED


def test_a_proof_against_a_counterexample_is_open():
    # symbolic cases are rational functions: a formula that asks what its numbers are can deceive either side
    def two_faced(est, case):
        return [0 if type(case.b).__name__ == "RationalFunction" else case.b - case.b + 1], [0]

    got = ask_mine(two_faced)
    assert got.verdict is Verdict.INCONCLUSIVE
    assert got.reason.startswith("proved for k = 2, 3, 4, yet pi=1/2,1/2; r=0,0; b=0 is a counterexample: does the formula branch")
    assert (got.examples, got.counterexample) == (1, None)


def test_a_search_without_cases_is_open():
    none = Domain("none", lambda parameterisation: cases().filter(lambda case: False))
    got = ask_mine(lambda est, case: ([1], [1]), domain=none)
    assert (got.verdict, got.reason) == (Verdict.INCONCLUSIVE, "the search produced no case")


def test_one_case_can_be_tried_alone():
    got = ask(alternate, "zero_sum", case=CASE)
    assert (got.verdict, got.examples, got.counterexample.left) == (Verdict.REFUTED, 1, "(-1, 0)")
    got = ask(regular, "unbiased", case=CASE)
    assert (got.verdict, got.examples, got.evidence) == (Verdict.HOLDS, 1, "1 case: pi=1/2,1/2; r=0,1; b=1")
    assert ask(rounded, "unbiased", case=CASE).verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("unbiased_at_value", ("pi=1/2,1/2; r=0,1; b=1/2",), ("pi=1/2,1/2; r=0,1; b=1",)),
        ("vanishes_at_corner", ("pi=0,1; r=0,1; b=1",), ("pi=1/2,1/2; r=0,1; b=1",)),
        ("optimistic_attracts", ("pi=1/2,1/2; r=0,1; b=2",), ("pi=1/2,1/2; r=0,1; b=1", "pi=1/2,1/2; r=0,1@1/2|3@1/2; b=5/2")),
        ("pessimistic_repels", ("pi=1/2,1/2; r=0,1; b=-1",), ("pi=1/2,1/2; r=0,1; b=0", "pi=1/2,1/2; r=2,1@1/2|3@1/2; b=3/2")),
        ("unbiased", ("pi=0,1; r=0,1; b=1", "pi=1/2,1/2; r=0,1; b=1"), ()),
    ],
)
def test_a_case_that_a_law_does_not_speak_of_is_skipped(name, inside, outside):
    for text in inside:
        assert ask(alternate, name, case=parse_case(text)).verdict in (Verdict.HOLDS, Verdict.REFUTED)
    for text in outside:
        got = ask(alternate, name, case=parse_case(text))
        assert (got.verdict, got.reason) == (Verdict.SKIPPED, f"the case is none that the law speaks of: {law_named(name).domain.name}")


@pytest.mark.parametrize(
    ("left", "relation", "case", "verdict"),
    [
        ([1 + 5e-10], "=", CASE, Verdict.HOLDS),
        ([1 + 5e-9], "=", CASE, Verdict.REFUTED),
        ([1 - 5e-9], ">=", CASE, Verdict.REFUTED),
        ([1 - 5e-10], ">=", CASE, Verdict.HOLDS),
        ([9.0], ">=", CASE, Verdict.HOLDS),
        ([9.0], ">", CASE, Verdict.HOLDS),
        ([1 + 5e-14], ">", CASE, Verdict.INCONCLUSIVE),
        ([1 - 5e-14], "<", CASE, Verdict.INCONCLUSIVE),
        ([0.5], ">", CASE, Verdict.REFUTED),
        ([float("inf")], "=", CASE, Verdict.INCONCLUSIVE),
        ([float("nan")], ">=", CASE, Verdict.INCONCLUSIVE),
        # what is to be compared may be lost beside numbers much larger, or have no square
        ([1.0], "=", parse_case("pi=1/2,1/2; r=1000000000000,1000000000001; b=0"), Verdict.INCONCLUSIVE),
        ([1.0], "=", parse_case("pi=1/2,1/2; r=0,1e-200; b=0"), Verdict.INCONCLUSIVE),
        ([1e30], "=", parse_case("pi=1/2,1/2; r=1000000000000,1000000000001; b=0"), Verdict.REFUTED),
    ],
)
def test_one_case_in_float64_is_decided_only_where_rounding_allows(left, relation, case, verdict):
    got = ask_mine(lambda est, case: (left, [1.0]), relation, est=rounded, case=case)
    assert (got.verdict, got.examples) == (verdict, 1)
    assert got.reason.startswith("float64 can't tell: ") is (verdict is Verdict.INCONCLUSIVE)


def test_a_deviation_as_small_as_rounding_counts_only_where_the_policy_is_not_saturated():
    def sides(est, case):
        return [5e-14], [0.0]

    assert ask_mine(sides, est=rounded, case=CASE).verdict is Verdict.HOLDS
    saturated = parse_case("pi=1/100000000000,99999999999/100000000000; r=0,1; b=1")
    assert ask_mine(sides, est=rounded, case=saturated).verdict is Verdict.INCONCLUSIVE
    assert ask_mine(lambda est, case: ([0.0], [0.0]), est=rounded, case=saturated).verdict is Verdict.HOLDS
    assert ask_mine(lambda est, case: ([], []), est=rounded, case=CASE).verdict is Verdict.HOLDS


def in_floats(left, right, relation="=", case=CASE):
    return ask_mine(
        lambda est, case: (left, right), relation, est=rounded, case=parse_case(case) if isinstance(case, str) else case
    ).verdict


@pytest.mark.parametrize(
    ("left", "right", "relation", "case", "verdict"),
    [
        # the tolerance is relative to the largest entry of either side, whatever its sign
        ([1e6, 1.0], [1e6, 1.0 + 5e-4], "=", CASE, Verdict.HOLDS),
        ([-1e6], [-1e6 - 5e-4], "=", CASE, Verdict.HOLDS),
        ([1e-6], [1e-6 + 1e-10], "=", "pi=1/2,1/2; r=0,1/1000; b=0", Verdict.REFUTED),
        ([1.0, 1e-9], [1.0, 0.0], "=", "pi=1/2,1/2; r=0,1e-100; b=0", Verdict.HOLDS),
        # the entry that is furthest off decides, and for a strict inequality the one that is nearest
        ([1.0 + 1e-10, 2.0], [1.0, 1.0], "=", CASE, Verdict.REFUTED),
        ([1.0 + 5e-14, 9.0], [1.0, 1.0], ">", CASE, Verdict.INCONCLUSIVE),
        # rounding is a share of the rewards, or of their squares
        ([5e-12], [0.0], "=", "pi=1/2,1/2; r=0,10; b=0", Verdict.INCONCLUSIVE),
        ([5e-11], [0.0], "=", "pi=1/2,1/2; r=0,10; b=0", Verdict.REFUTED),
        ([5e-17], [0.0], "=", "pi=1/2,1/2; r=0,1/1000; b=0", Verdict.INCONCLUSIVE),
        ([5e-20], [0.0], "=", "pi=1/2,1/2; r=0,1/1000; b=0", Verdict.HOLDS),
        ([ROUNDING], [0.0], "=", CASE, Verdict.HOLDS),
        ([ROUNDING], [0.0], ">", CASE, Verdict.INCONCLUSIVE),
        # rewards may hide each other, and 0 is a number beside them
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=0,1/2; b=0", Verdict.HOLDS),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=-1000000000000,-999999999999; b=0", Verdict.INCONCLUSIVE),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=0,1; b=1/1000000", Verdict.INCONCLUSIVE),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=1,10000; b=0", Verdict.HOLDS),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=1e-200,1e-200; b=1e-200", Verdict.INCONCLUSIVE),
        ([1.0], [1.0], "=", bandit([0, 1e-150], ["1/2", "1/2"], 0), Verdict.HOLDS),
        ([1.0], [0.0], "=", "pi=1/2,1/2; r=0,0; b=0", Verdict.REFUTED),
        # a policy at a corner, or one just likely enough, loses nothing
        ([5e-14], [0.0], "=", "pi=0,1; r=0,1; b=1", Verdict.HOLDS),
        ([5e-14], [0.0], "=", bandit([0, 1], [SATURATED, 1 - Fraction(SATURATED)], 1), Verdict.HOLDS),
    ],
)
def test_what_rounding_may_hide_in_one_case(left, right, relation, case, verdict):
    assert in_floats(left, right, relation, case) is verdict


def test_an_exact_formula_is_tried_exactly_in_one_case_too():
    assert ask_mine(lambda est, case: ([1 + Fraction(1, 10**30)], [1]), case=CASE).verdict is Verdict.REFUTED


def test_floats_of_either_sign_agree_up_to_the_tolerance_itself():
    def compared(left, right):
        return ask_mine(lambda est, case: ([left], [right]), est=rounded).verdict

    edge = 1e-9 * (1 + 1e-9)
    assert edge == TOLERANCE * (1 + edge)
    assert compared(edge, 0.0) is Verdict.HOLDS
    assert compared(-1e6 - 1.9e-3, -1e6) is Verdict.HOLDS
    assert compared(-1e6 - 2.1e-3, -1e6) is Verdict.REFUTED


def test_a_formula_is_exact_if_every_entry_is_and_is_asked_with_three_actions():
    seen = set()

    @estimator
    def partly(pi, e, r, b):
        seen.add(len(pi))
        return [r - b, *(0.5 for _ in pi[1:])]

    assert not is_exact(partly)

    @estimator
    def exactly(pi, e, r, b):
        seen.add(len(pi))
        return (r - b) * (e - pi)

    assert is_exact(exactly)
    assert seen == {3}


def test_what_a_report_says_when_nothing_is_asked_for():
    report = check_estimator(branches, only=["unbiased"], facts=False)
    assert (report["unbiased"].examples, report.facts) == (100, ())
    always = ask_mine(lambda est, case: ([int(case.k < 9)], [0]))
    assert (always.verdict, always.examples) == (Verdict.REFUTED, 1)


def test_a_refutation_shows_both_sides_its_gap_and_when_the_law_holds():
    got = ask(
        estimator(
            alternate.formula,
        ),
        "unbiased",
        origin="here:it",
    )
    found = got.counterexample
    assert (found.case, found.left, found.right) == ("π = (1/2, 1/2)   r = (0, 0)   b = 1", "(-1/2, -1/2)", "(0, 0)")
    assert found.replay == 'python -m altpg_verify check here:it --only unbiased --case "pi=1/2,1/2; r=0,0; b=1"'
    assert (got.gap, got.holds_when) == ("(v - b) π   [proved for k = 2, 3, 4]", ("b = v (40 exact cases)",))
    assert ask(estimator(name="it")(alternate.formula), "unbiased").counterexample.replay.startswith(
        "python -m altpg_verify check altpg_verify.estimators:it --only"
    )


def test_under_another_policy_the_replay_says_which():
    got = ask(regular, "unbiased", parameterisation=escort(2), origin="here:it")
    assert ' --only unbiased --policy escort:2 --case "theta=' in got.counterexample.replay
    again = ask(regular, "unbiased", parameterisation=escort(2), case=parse_case(got.counterexample.replay.split('"')[1], "escort:2"))
    assert again.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("formula", "name", "gap", "conditions"),
    [
        (lambda pi, e, r, b: r * (e - pi) + pi * 0, "baseline_invariant", None, None),
        (lambda pi, e, r, b: 2 * (r - b) * (e - pi), "unbiased", "-(v - q) π", ["every action pays the same"]),
        (lambda pi, e, r, b: (r - b) * (e - pi) + b * pi, "unbiased", "b π", ["b = 0"]),
        (lambda pi, e, r, b: (r - b) * (e - [Fraction(1, len(pi))] * len(pi)), "unbiased", None, ["b = v", "the policy is uniform"]),
        (lambda e, r, b: (r - b) * e, "quiet_at_corner", "σ² π", ["rewards have no noise"]),
    ],
)
def test_conditions_under_which_a_law_holds_after_all(formula, name, gap, conditions):
    got = ask(estimator(formula), name)
    if conditions is None:
        assert got.verdict is Verdict.PROVED
        return
    assert [condition.partition(" (")[0] for condition in got.holds_when] == conditions
    if gap:
        assert got.gap.startswith(f"{gap}   [proved for k = 2, 3, 4]")


def test_a_gap_that_is_no_rational_function_fits_but_is_not_proved():
    @estimator
    def forked(e, r, b):
        return (r - b) * e if b == b + 0 and r >= r else e

    assert ask(forked, "zero_sum").gap == "(R - b)   [fits 40 cases exactly]"


def test_a_gap_that_does_not_fit_every_case_is_not_shown():
    odd = sample(cases(), 40, 1)[20]

    @estimator
    def mostly(pi, e, r, b):
        return (r - b) * e + e * (b == odd.b and list(pi) == list(odd.pi))

    got = ask(mostly, "zero_sum")
    assert (got.verdict, got.gap) == (Verdict.REFUTED, "")


def test_laws_for_softmax_alone_are_skipped_elsewhere():
    got = ask(regular, "zero_sum", parameterisation=escort(2))
    assert (got.verdict, got.reason) == (Verdict.SKIPPED, "stated for softmax policies, not for escort:2")
    assert ask(regular, "unbiased_at_value", parameterisation=escort(2)).verdict is Verdict.REFUTED


def test_a_formula_need_not_be_defined_at_a_corner_but_inside():
    @estimator
    def divides(pi, e, r, b):
        return (r - b) * (e - pi) * pi / pi

    got = ask(divides, "vanishes_at_corner")
    assert got.verdict is Verdict.SKIPPED
    assert got.reason.startswith("the formula isn't defined at a corner: estimator 'divides' raised ZeroDivisionError")

    @estimator
    def breaks_at_one_half(pi, e, r, b):
        return (r - b) * e / (pi - Fraction(1, 2))

    with pytest.raises(BadEstimator, match="raised ZeroDivisionError"):
        ask(breaks_at_one_half, "unbiased", case=CASE)


def test_an_estimator_that_works_nowhere_says_what_floats_said():
    def only_arrays(pi, e, r, b):
        raise TypeError("exact" if isinstance(b, Fraction) else "floats")

    with pytest.raises(BadEstimator, match="raised TypeError: floats") as caught:
        is_exact(estimator(only_arrays))
    assert "raised TypeError: exact" in str(caught.value.__cause__)

    def needs_floats(pi, e, r, b):
        if isinstance(b, Fraction):
            raise TypeError("exact")
        return (r - b) * (e - pi)

    assert not is_exact(estimator(needs_floats))
    assert ask(estimator(needs_floats), "unbiased").evidence == "k = 2, 3, 4; and 10 float64 cases"


def test_marks_and_promises():
    marked = estimator(expected_failures={"zero_sum": "by design"})(alternate.formula)
    got = ask(marked, "zero_sum")
    assert (got.expected_failure, got.ok) == ("by design", True)
    assert (got.required, ask(marked, "touches_taken_action_only").required) == (True, False)
    promised = estimator(promises=("quiet_at_corner",))(alternate.formula)
    got = ask(promised, "quiet_at_corner")
    assert (got.required, got.ok) == (True, False)
    for wrong in (estimator(promises=("quiet",))(alternate.formula), estimator(expected_failures={"quiet": "x"})(alternate.formula)):
        with pytest.raises(BadInput, match="law 'quiet' is not known"):
            check_estimator(wrong, only=["zero_sum"])


def test_an_error_is_raised_unless_a_report_is_asked_for():
    with pytest.raises(EstimatorCheckError) as caught:
        check_estimator(estimator(alternate.formula), only=["zero_sum", "unbiased_at_value"], facts=False, max_examples=5)
    assert [result.ok for result in caught.value.report] == [False, True]
    report = check_estimator(alternate, only=["zero_sum"], facts=False, max_examples=5)
    assert report.ok
    assert (report.estimator, report.says, report.policy) == ("alternate", alternate.says, "softmax")
    assert 0 < report.seconds < 60


def test_all_laws_run_in_their_order_unless_some_are_chosen():
    report = check_estimator(regular, facts=False, max_examples=1)
    assert [result.law for result in report] == [one.name for one in LAWS]
    chosen = check_estimator(regular, only=["zero_sum", "unbiased"], facts=False, max_examples=1)
    assert [result.law for result in chosen] == ["zero_sum", "unbiased"]
    assert chosen["unbiased"].examples == 1


def test_laws_have_names_of_their_own_unless_some_are_chosen():
    one, other = law(lambda est, case: ([1], [1])), law(lambda est, case: ([1], [2]))

    def verdicts(laws, **options):
        report = check_estimator(regular, laws=laws, facts=False, on_fail="return", max_examples=1, **options)
        return [result.verdict for result in report]

    assert verdicts((one,)) == [Verdict.PROVED]
    assert verdicts((one, replace(other, name="another"))) == [Verdict.PROVED, Verdict.REFUTED]
    with pytest.raises(BadInput, match="two laws have the same name; give each its own"):
        verdicts((one, other))
    # the first of that name
    assert verdicts((one, other), only=["mine"]) == [Verdict.PROVED]


def test_facts_are_told_unless_one_case_is_tried():
    assert check_estimator(regular, only=["unbiased"], max_examples=1).facts
    assert not check_estimator(regular, only=["unbiased"], max_examples=1, case=CASE).facts
    assert not check_estimator(regular, only=["unbiased"], max_examples=1, facts=False).facts


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"on_fail": "explode"}, "on_fail is 'explode'; choose 'raise' or 'return'"),
        ({"max_examples": 0}, "max_examples is 0; give at least 1"),
        ({"only": ["fair"]}, "law 'fair' is not known"),
    ],
)
def test_unusable_options(options, words):
    with pytest.raises(BadInput) as caught:
        check_estimator(regular, **options)
    assert words in str(caught.value)
    with pytest.raises(BadInput, match="needs an estimator, not function"):
        check_estimator(regular.formula)


def test_another_seed_draws_other_cases():
    seen = {}
    for seed in (0, 0, 1):
        drawn = []
        ask_mine_seeded(drawn, seed)
        seen.setdefault(seed, []).append(drawn)
    assert seen[0][0] == seen[0][1] != seen[1][0]


def ask_mine_seeded(drawn, seed):
    def sides(est, case):
        if isinstance(case.b, Fraction):
            drawn.append(str(case))
        return [0], [0]

    ask(regular, "mine", laws=(*LAWS, law(sides)), seed=seed)


def test_long_sides_are_cut_and_floats_are_short():
    got = ask_mine(lambda est, case: ([Fraction(n) for n in range(13)], [0] * 13), case=CASE).counterexample
    assert got.left == "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 13 entries)"
    assert ask_mine(lambda est, case: ([Fraction(n) for n in range(12)], [0] * 12), case=CASE).counterexample.left == (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)"
    )
    assert ask_mine(lambda est, case: ([1], [0]), case=CASE).counterexample.left == "1"
    assert ask_mine(lambda est, case: ([1 / 3, 2], [0, 0]), case=CASE).counterexample.left == "(0.333333, 2)"


def test_the_counterexample_of_a_rounded_formula_is_shown_in_floats():
    got = ask(estimator(lambda pi, e, r, b: rounded(pi=pi, e=e, r=r, b=b) + 0.25), "zero_sum", case=CASE)
    assert (got.counterexample.left, got.counterexample.case) == ("(0.5, 0.5)", CASE.describe())


def test_a_search_counts_until_the_first_failure_and_finds_the_smallest():
    found, tried = search(cases(), lambda case: case.k > 2, 100, 0)
    assert str(found) == "pi=1/3,1/3,1/3; r=0,0,0; b=0"
    assert 0 <= tried < 100
    assert search(cases(), lambda case: False, 17, 0) == (None, 17)
    assert search(cases(), lambda case: True, 17, 0)[1] == 1
    drawn = sample(cases(), 17, 3)
    assert len(drawn) == 17
    assert drawn == sample(cases(), 17, 3)
    assert drawn != sample(cases(), 17, 4)


def test_a_search_runs_where_the_internals_of_hypothesis_have_moved(monkeypatch):
    def moved(name):
        raise ModuleNotFoundError(name)

    # Hypothesis itself still needs them, wherever they are
    monkeypatch.setattr("altpg_verify.search.import_module", moved)
    assert search(cases(), lambda case: False, 3, 0) == (None, 3)


def test_a_search_has_its_own_settings_whatever_the_users_are():
    import time

    from hypothesis import settings
    from hypothesis.database import InMemoryExampleDatabase

    kept, before = InMemoryExampleDatabase(), settings.get_current_profile_name()
    settings.register_profile("users", database=kept, deadline=1)
    settings.load_profile("users")

    try:
        found, _ = search(cases(), lambda case: case.k > 2, 100, 0)
        assert found.k == 3
        # each longer than the user's deadline
        assert search(cases(), lambda case: bool(time.sleep(0.005)), 3, 0) == (None, 3)
    finally:
        settings.load_profile(before)
    assert not kept.data


def test_a_search_gives_back_the_users_folder_of_hypothesis(tmp_path):
    from hypothesis import configuration

    before = vars(configuration).get("__hypothesis_home_directory")
    configuration.set_hypothesis_home_dir(tmp_path)
    try:
        search(cases(), lambda case: False, 1, 0)
        assert vars(configuration)["__hypothesis_home_directory"] == tmp_path
    finally:
        configuration.set_hypothesis_home_dir(before)
    assert list(tmp_path.iterdir()) == []


def test_a_search_leaves_hypothesis_and_the_folder_as_they_were(tmp_path, monkeypatch):
    from hypothesis import configuration
    from hypothesis.internal.conjecture import providers

    monkeypatch.chdir(tmp_path)
    home = vars(configuration).get("__hypothesis_home_directory")
    constants = vars(providers)["_get_local_constants"]
    cache = vars(providers)["CONSTANTS_CACHE"]
    inside = []

    def fails(case):
        inside.append(
            (
                vars(configuration).get("__hypothesis_home_directory"),
                vars(providers)["_get_local_constants"],
                vars(providers)["CONSTANTS_CACHE"],
            )
        )
        return False

    search(cases(), fails, 3, 0)
    assert vars(configuration).get("__hypothesis_home_directory") == home
    assert vars(providers)["_get_local_constants"] is constants
    assert vars(providers)["CONSTANTS_CACHE"] is cache
    place, ours, empty = inside[0]
    assert re.search("altpg-verify-", str(place))
    assert ours is not constants
    assert empty is not cache
    assert ours().set_for_type("integer") == ()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RuntimeError):
        search(cases(), lambda case: (_ for _ in ()).throw(RuntimeError("stop")), 3, 0)
    assert vars(providers)["_get_local_constants"] is constants
    assert vars(configuration).get("__hypothesis_home_directory") == home


def test_bandit_is_a_case():
    assert bandit([0, 1], ["1/2", "1/2"], 1) == CASE
