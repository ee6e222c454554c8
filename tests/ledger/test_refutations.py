"""The exact instances: what is false as printed is refuted, its correction isn't, and the verdict
follows the formula.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from altpg_verify.judging import Finding, Verdict
from altpg_verify.ledger_building import build, collect
from altpg_verify.sealing import looked_at
from altpg_verify.theory.attraction import cases as divergence
from altpg_verify.theory.chain import cases as chain
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, exp_bounds
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.fixed_points import cases as fixed_points
from altpg_verify.theory.fixed_points import cases_no_gradient as no_gradient
from altpg_verify.theory.mdps import cases_surrogates as surrogates
from altpg_verify.theory.saturation import cases_worked_examples as worked_examples
from tests.ledger.exact_cases import MODULES, STATED
from tests.shares import share, share_of_each

STATEMENTS: dict[str, Statement] = {
    claim: statement for module in STATED for claim, statement in module.STATEMENTS.items()
}
HOME = {claim: module.__name__ for module in STATED for claim in module.STATEMENTS}
"""The file that each is stated in."""
IDS = {claim.id: claim for claim in CLAIMS}
CORRECTION = {claim.corrects: claim.id for claim in CLAIMS if claim.corrects}
FINDINGS: dict[str, Finding] = {}


def finding(claim: str) -> Finding:
    if claim not in FINDINGS:
        FINDINGS[claim] = STATEMENTS[claim].judged()
    return FINDINGS[claim]


def test_no_claim_is_served_twice_and_every_one_is_known():
    assert len(STATEMENTS) == sum(len(module.STATEMENTS) for module in STATED)
    assert set(STATEMENTS) <= set(IDS)


def test_every_statement_is_collected_as_evidence():
    served = {claim for function in collect(MODULES) for claim in function.__evidence__[0]}
    assert served == set(STATEMENTS)


@pytest.mark.parametrize("claim", CORRECTION)
def test_what_has_a_correction_is_refuted_by_an_exact_instance(claim):
    assert claim in STATEMENTS, "a correction needs a refutation"
    found = finding(claim)
    assert found.verdict is Verdict.REFUTED
    assert found.instance["left"]
    assert set(found.instance) > {"left", "right"}


@pytest.mark.parametrize(
    "claim",
    share_of_each(sorted(set(STATEMENTS) - set(CORRECTION)), lambda claim: HOME[claim], most=2),
)
def test_everything_else_survives_its_cases(claim):
    found = finding(claim)
    assert found.verdict is Verdict.HOLDS, found.instance
    assert found.numbers["cases"] >= 1


@pytest.mark.parametrize(
    "claim", share([claim for claim, other in CORRECTION.items() if other in STATEMENTS], 2)
)
def test_the_refutation_follows_the_printed_formula(claim):
    """With the corrected formula on the same cases, or the missing assumption on the cases, nothing
    is refuted.
    """
    printed, corrected = STATEMENTS[claim], STATEMENTS[CORRECTION[claim]]
    other_formula = replace(corrected, cases=printed.cases)
    assumed = replace(printed, cases=corrected.cases)
    verdicts = {
        name: swapped(statement)
        for name, statement in (("formula", other_formula), ("assumption", assumed))
    }
    assert Verdict.HOLDS in verdicts.values(), verdicts


def swapped(statement: Statement) -> Verdict | None:
    try:
        return statement.judged().verdict
    except (AttributeError, ValueError, IndexError):
        return None  # the other's cases are of another kind


def test_a_statement_without_cases_is_not_called_true():
    assert (
        Statement(lambda m: 0, lambda m: 0, [], "nothing").judged().verdict is Verdict.INCONCLUSIVE
    )


def test_floats_are_no_evidence():
    with pytest.raises(TypeError):
        Statement(lambda m: 0.5, lambda m: 0.5, [None], "one").judged()


@pytest.mark.thorough
def test_the_ledger_takes_its_verdicts_from_the_instances():
    ledger = build(CLAIMS, collect([fixed_points, no_gradient, worked_examples]))
    stated = {**fixed_points.STATEMENTS, **no_gradient.STATEMENTS, **worked_examples.STATEMENTS}
    with looked_at(ledger):
        assert ledger.consistent
        for printed, corrected in CORRECTION.items():
            if printed in stated:
                assert ledger[printed].verdict is Verdict.REFUTED
                assert ledger[printed].corrections == (corrected,)


@pytest.mark.parametrize(
    ("claim", "instance"),
    [
        (
            "gradient-bandit-componentwise",
            {"pi": "(1/2, 1/2)", "r": "(0, 1)", "left": "(-1/4, 1/4)", "right": "(0, 1/4)"},
        ),
        (
            "lemma-case-3-zero-at-pi-star",
            {
                "pi": "(1/3, 2/3)",
                "r": "(0, 1)",
                "b": "2",
                "left": "(-2/3, -2/3)",
                "right": "(0, 0)",
            },
        ),
        ("pi-star-quoted", {"r": "(0, 1)", "b": "2", "left": "(1/3, 2/3)", "right": "(3/4, 3/2)"}),
    ],
)
def test_instances_are_small_enough_to_check_by_hand(claim, instance):
    assert dict(finding(claim).instance) == instance


def test_known_values_of_the_chain():
    printed = chain.Chain(chain.lemma_policy(Fraction(4)))
    assert round(float(printed.v[chain.START]), 6) == 0.279447
    assert printed.gradient == printed.regular
    assert round(float(chain.Chain(Vec(1, 1, 1, 1, 1)).v[chain.START]), 12) == 0.81


def test_the_clipping_is_met_from_both_sides_and_for_both_signs():
    met = {
        (case.h(s, a) > 0, case.ratio(s, a) > 1 + case.epsilon, case.ratio(s, a) < 1 - case.epsilon)
        for case in surrogates._CASES
        for s, a in case.pairs()
        if case.h(s, a) != 0
    }
    assert met == {
        (sign, *side)
        for sign in (True, False)
        for side in ((True, False), (False, True), (False, False))
    }


def test_known_values_of_the_figure():
    figure = divergence._FIGURE
    assert round(float(divergence.stepsize_bound(figure)), 4) == 2.7055
    assert (
        divergence.Step(figure, Fraction(46, 10)).mean_exp(
            divergence.Step(figure, Fraction(46, 10)).harmonic
        )
        < 1
    )
    assert (
        divergence.Step(figure, Fraction(48, 10)).mean_exp(
            divergence.Step(figure, Fraction(48, 10)).harmonic
        )
        > 1
    )


@pytest.mark.parametrize(
    "x", [Fraction(0), Fraction(1), Fraction(-1, 3), Fraction(7, 2), Fraction(-20)]
)
def test_rational_bounds_enclose_the_exponential(x):
    import math

    low, high = exp_bounds(x)
    assert low <= high <= low * (1 + Fraction(1, 10**15)) + Fraction(1, 10**20)
    assert float(low) * (1 - 1e-14) <= math.exp(x) <= float(high) * (1 + 1e-14)


def test_an_enclosure_that_decides_nothing_is_an_error_and_no_verdict():
    step = divergence.Step(divergence._FIGURE, Fraction(1))

    def bisect() -> None:
        low, high = Fraction(-10), Fraction(10)
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if step.mean_exp(middle) > 1 else (low, middle)

    with pytest.raises(ArithmeticError, match="contains one"):
        bisect()


@pytest.mark.parametrize(
    ("p", "r", "sigma", "b"),
    [
        ((1, 0), (2, -3), (1, 0), 0),
        ((0.5, 0.25, 0.25), (0, 1, 5), (0, 2, 1), 3),
        ((1,), (4,), (7,), 4),
    ],
)
def test_a_variance_is_the_covariance_with_itself(p, r, sigma, b):
    bandit = Bandit(Vec(*map(Fraction, p)), Vec(*r), Vec(*sigma), Fraction(b), Vec(*(0 for _ in p)))
    asked = []

    def update(e, x):
        asked.append((e, x))
        return (x - bandit.b) * (e - bandit.p)

    variance = bandit.var(update)
    assert len(asked) == len(bandit.draws) == 2 * len(p)
    mean = sum((w * update(e, x) for w, e, x in bandit.draws), Vec(*(0 for _ in p)))
    square = sum(
        (w * (update(e, x) * update(e, x)) for w, e, x in bandit.draws), Vec(*(0 for _ in p))
    )
    assert variance == square - mean * mean == bandit.cov(update, update)
