"""The engine decides from evidence alone: proved, refuted, skipped, open; marked or promised."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from altpg_verify import (
    LAWS,
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
from altpg_verify.case_parsing import parse_case
from altpg_verify.checks import EXAMPLES_AFTER_PROOF
from altpg_verify.comparing_sides import TOLERANCE
from altpg_verify.law_domains import ANYWHERE, Domain
from altpg_verify.law_engine import SAMPLED_CASES
from altpg_verify.laws import law_named
from altpg_verify.parameterisations import softmax
from altpg_verify.proving import PROOF_ACTIONS, Prover
from altpg_verify.strategies import cases
from tests.checkers.asking import CASE, ask, ask_mine, branches, law, rounded


def test_a_law_is_proved_and_then_tried_on_some_cases():
    got = ask(regular, "unbiased", max_examples=100)
    assert (got.verdict, got.evidence, got.examples) == (
        Verdict.PROVED,
        "k = 2, 3, 4; and 20 exact cases",
        EXAMPLES_AFTER_PROOF,
    )
    assert ask(regular, "unbiased", max_examples=7).evidence == "k = 2, 3, 4; and 7 exact cases"
    assert ask(regular, "unbiased", max_examples=30, thorough=True).examples == 30


def test_how_much_is_proved_and_tried_is_what_the_reports_say():
    assert (PROOF_ACTIONS, EXAMPLES_AFTER_PROOF, SAMPLED_CASES, TOLERANCE) == (
        (2, 3, 4),
        20,
        40,
        1e-9,
    )


@pytest.mark.thorough
def test_how_a_law_was_proved_otherwise():
    assert ask(regular, "shift_invariant").evidence.startswith(
        "k = 2, 3, 4, by construction: the formula doesn't see theta; and "
    )
    assert ask(regular, "ascends").evidence.startswith(
        "k = 2, 3, 4, follows from unbiased_at_value; and "
    )
    assert ask(estimator(lambda e, r: r * e), "baseline_invariant").evidence.startswith(
        "k = 2, 3, 4, by construction: the formula doesn't see b;"
    )
    assert ", by construction" not in ask(regular, "baseline_invariant").evidence


def test_what_branches_is_tried_and_never_proved():
    got = ask(branches, "unbiased")
    assert (got.verdict, got.evidence, got.examples) == (
        Verdict.HOLDS,
        "10 exact cases; not proved: the formula compares or branches on its numbers",
        10,
    )
    assert ask(branches, "ascends").verdict is Verdict.HOLDS


def test_sides_are_equally_long():
    for est in (regular, rounded):
        for case in (CASE, None):
            with pytest.raises(ValueError, match="zip"):
                ask_mine(lambda est, case: ([1, 2], [1]), est=est, case=case)


def test_a_proof_of_an_inequality_takes_the_law_that_implies_it():
    got = ask(regular, "ascends")
    assert got.verdict is Verdict.PROVED
    assert got.evidence.startswith("k = 2, 3, 4, follows from unbiased_at_value; and ")
    # where the equation fails, nothing follows from it
    assert ask(estimator(lambda r, e, b: (r - 2 * b) * e), "ascends").verdict is not Verdict.PROVED


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_what_a_user_says_to_follow_is_not_believed(relation):
    """Else a typed word would prove a law that fails where the search doesn't look."""

    def sides(est, case):
        low, high = [1], [2]
        return (low, high) if relation == "<=" else (high, low)

    for implying in ("unbiased", "zero_sum"):
        got = ask_mine(sides, relation, implied_by=implying)
        assert got.verdict is Verdict.HOLDS
        assert "follows" not in got.evidence


def test_a_law_of_the_same_name_does_not_stand_in_for_the_one_that_implies():
    twice = estimator(lambda r, e, pi, b: 2 * (r - b) * (e - pi))
    posing = replace(law_named("zero_sum"), name="unbiased_at_value")
    laws = (posing, *(law for law in LAWS if law.name != posing.name))
    report = check_estimator(
        twice, laws=laws, only=[posing.name, "ascends"], on_fail="return", max_examples=10
    )
    assert report[posing.name].verdict is Verdict.PROVED
    assert report["ascends"].verdict is Verdict.HOLDS


def test_why_a_users_law_holds_is_not_taken_from_the_user():
    got = ask_mine(lambda est, case: ([case.b], [case.b]), trivial=frozenset({"theta"}))
    assert got.verdict is Verdict.PROVED
    assert "by construction" not in got.evidence


class EqualToAll:
    """Sides that say they are those of every law."""

    def __call__(self, est, case):
        return [2], [1]

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(law_named("ascends").sides)


@pytest.mark.parametrize(
    "edits",
    [{"sides": lambda est, case: ([2], [1])}, {"sides": EqualToAll()}, {"domain": ANYWHERE}, {}],
    ids=["other sides", "sides equal to all", "a wider domain", "a copy"],
)
def test_a_law_that_looks_like_ascends_has_no_proof_of_its_kind(edits):
    """A copy, too: what it is equal to is what its own objects say."""
    posing = replace(law_named("ascends"), **edits)
    laws = tuple(posing if law.name == "ascends" else law for law in LAWS)
    report = check_estimator(
        regular, laws=laws, only=["ascends"], on_fail="return", max_examples=10
    )
    assert report["ascends"].verdict is Verdict.HOLDS
    assert "follows" not in report["ascends"].evidence


def test_laws_made_one_after_another_have_proofs_of_their_own():
    """Each may stand where the last stood in memory."""
    prover = Prover(regular, softmax, True)
    unbiased = law_named("unbiased")
    for _ in range(20):
        assert prover.proof(replace(unbiased))
        assert not prover.proof(replace(unbiased, sides=lambda est, case: ([case.b], [0])))


@pytest.mark.thorough
def test_a_proof_needs_every_number_of_actions_and_every_symbolic_case():
    def only(k):
        return lambda est, case: ([int(case.k == k)], [0])

    for k in PROOF_ACTIONS:
        # no case of the search has this many actions, so nothing refutes
        narrow = Domain("two", lambda p: cases(p, min_actions=5, max_actions=5), ANYWHERE.symbolic)
        assert ask_mine(only(k), domain=narrow).verdict is Verdict.HOLDS
        assert (
            ask_mine(
                only(5), domain=replace(narrow, strategy=lambda p: cases(p, max_actions=4))
            ).verdict
            is Verdict.PROVED
        )


def test_a_proof_against_a_counterexample_is_open():
    # symbolic cases are rational functions: a formula that asks what its numbers are can deceive
    # either side
    def two_faced(est, case):
        return [0 if type(case.b).__name__ == "RationalFunction" else case.b - case.b + 1], [0]

    got = ask_mine(two_faced)
    assert got.verdict is Verdict.INCONCLUSIVE
    assert got.reason.startswith(
        "proved for k = 2, 3, 4, yet pi=1/2,1/2; r=0,0; b=0 is a counterexample: does the formula"
        " branch"
    )
    assert (got.examples, got.counterexample) == (1, None)


# Hypothesis takes seconds to give up on a condition that nothing meets
@pytest.mark.slow
def test_a_search_without_cases_is_open():
    none = Domain("none", lambda parameterisation: cases().filter(lambda case: False))
    got = ask_mine(lambda est, case: ([1], [1]), domain=none)
    assert (got.verdict, got.reason) == (Verdict.INCONCLUSIVE, "the search produced no case")


def test_one_case_can_be_tried_alone():
    got = ask(alternate, "zero_sum", case=CASE)
    assert (got.verdict, got.examples, got.counterexample.left) == (Verdict.REFUTED, 1, "(-1, 0)")
    got = ask(regular, "unbiased", case=CASE)
    assert (got.verdict, got.examples, got.evidence) == (
        Verdict.HOLDS,
        1,
        "1 case: pi=1/2,1/2; r=0,1; b=1",
    )
    assert ask(rounded, "unbiased", case=CASE).verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("unbiased_at_value", ("pi=1/2,1/2; r=0,1; b=1/2",), ("pi=1/2,1/2; r=0,1; b=1",)),
        ("vanishes_at_corner", ("pi=0,1; r=0,1; b=1",), ("pi=1/2,1/2; r=0,1; b=1",)),
        (
            "optimistic_attracts",
            ("pi=1/2,1/2; r=0,1; b=2",),
            ("pi=1/2,1/2; r=0,1; b=1", "pi=1/2,1/2; r=0,1@1/2|3@1/2; b=5/2"),
        ),
        (
            "pessimistic_repels",
            ("pi=1/2,1/2; r=0,1; b=-1",),
            ("pi=1/2,1/2; r=0,1; b=0", "pi=1/2,1/2; r=2,1@1/2|3@1/2; b=3/2"),
        ),
        ("unbiased", ("pi=0,1; r=0,1; b=1", "pi=1/2,1/2; r=0,1; b=1"), ()),
    ],
)
def test_a_case_that_a_law_does_not_speak_of_is_skipped(name, inside, outside):
    for text in inside:
        assert ask(alternate, name, case=parse_case(text)).verdict in (
            Verdict.HOLDS,
            Verdict.REFUTED,
        )
    for text in outside:
        got = ask(alternate, name, case=parse_case(text))
        assert (got.verdict, got.reason) == (
            Verdict.SKIPPED,
            f"the case is none that the law speaks of: {law_named(name).domain.name}",
        )


def test_what_a_report_says_when_nothing_is_asked_for():
    report = check_estimator(branches, only=["unbiased"], facts=False)
    assert (report["unbiased"].examples, report.facts) == (100, ())
    always = ask_mine(lambda est, case: ([int(case.k < 9)], [0]))
    assert (always.verdict, always.examples) == (Verdict.REFUTED, 1)


@pytest.mark.thorough
def test_laws_for_softmax_alone_are_skipped_elsewhere():
    got = ask(regular, "zero_sum", parameterisation=escort(2))
    assert (got.verdict, got.reason) == (
        Verdict.SKIPPED,
        "stated for softmax policies, not for escort:2",
    )
    assert ask(regular, "unbiased_at_value", parameterisation=escort(2)).verdict is Verdict.REFUTED


def test_a_formula_need_not_be_defined_at_a_corner_but_inside():
    @estimator
    def divides(pi, e, r, b):
        return (r - b) * (e - pi) * pi / pi

    got = ask(divides, "vanishes_at_corner")
    assert got.verdict is Verdict.SKIPPED
    assert got.reason.startswith(
        "the formula isn't defined at a corner: estimator 'divides' raised ZeroDivisionError"
    )

    @estimator
    def breaks_at_one_half(pi, e, r, b):
        return (r - b) * e / (pi - Fraction(1, 2))

    got = ask(breaks_at_one_half, "unbiased", case=CASE)
    assert got.verdict is Verdict.REFUTED
    assert got.counterexample.left.startswith(
        "undefined: estimator 'breaks_at_one_half' raised ZeroDivisionError"
    )


@pytest.mark.thorough
def test_marks_and_promises():
    marked = estimator(expected_failures={"zero_sum": "by design"})(alternate.formula)
    got = ask(marked, "zero_sum")
    assert (got.expected_failure, got.ok) == ("by design", True)
    assert (got.required, ask(marked, "touches_taken_action_only").required) == (True, False)
    promised = estimator(promises=("quiet_at_corner",))(alternate.formula)
    got = ask(promised, "quiet_at_corner")
    assert (got.required, got.ok) == (True, False)
    for wrong in (
        estimator(promises=("quiet",))(alternate.formula),
        estimator(expected_failures={"quiet": "x"})(alternate.formula),
    ):
        with pytest.raises(BadInput, match="law 'quiet' is not known"):
            check_estimator(wrong, only=["zero_sum"])


@pytest.mark.thorough
def test_an_error_is_raised_unless_a_report_is_asked_for():
    with pytest.raises(EstimatorCheckError) as caught:
        check_estimator(
            estimator(alternate.formula),
            only=["zero_sum", "unbiased_at_value"],
            facts=False,
            max_examples=5,
        )
    assert [result.ok for result in caught.value.report] == [False, True]
    report = check_estimator(alternate, only=["zero_sum"], facts=False, max_examples=5)
    assert report.ok
    assert (report.estimator, report.description, report.policy) == (
        "alternate",
        alternate.summary,
        "softmax",
    )
    assert 0 < report.seconds < 60


def test_all_laws_run_in_their_order_unless_some_are_chosen():
    report = check_estimator(regular, facts=False, max_examples=1)
    assert [result.law for result in report] == [one.name for one in LAWS]
    chosen = check_estimator(regular, only=["zero_sum", "unbiased"], facts=False, max_examples=1)
    assert [result.law for result in chosen] == ["zero_sum", "unbiased"]
    assert chosen["unbiased"].examples == 1


@pytest.mark.thorough
def test_laws_have_names_of_their_own_unless_some_are_chosen():
    one, other = law(lambda est, case: ([1], [1])), law(lambda est, case: ([1], [2]))

    def verdicts(laws, **options):
        report = check_estimator(
            regular, laws=laws, facts=False, on_fail="return", max_examples=1, **options
        )
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


def test_bandit_is_a_case():
    assert bandit([0, 1], ["1/2", "1/2"], 1) == CASE
