"""What a proof rests on: the symbolic run is the run on numbers, and what isn't is no proof, with
its reason.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from altpg_verify import alternate, estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.laws import LAWS, law_named
from altpg_verify.parameterisations import escort, softmax
from altpg_verify.proving import (
    POINTS,
    PROOF_ACTIONS,
    Proof,
    Prover,
    _agree,
    _point,
    other_on_plain,
    same_on_plain,
)
from altpg_verify.symbolic import MAX_MOMENT, generic


def proof(formula, law, *, exact=True, policy=softmax):
    return Prover(formula, policy, exact).proof(law_named(law, LAWS))


@pytest.mark.parametrize(
    "law", ["unbiased", "zero_sum", "baseline_invariant", "conservative", "translation_invariant"]
)
def test_the_regular_estimator_has_its_laws_proved(law):
    found = proof(regular, law)
    assert found.actions == PROOF_ACTIONS == (2, 3, 4)
    assert (found.conditions, found.why, found.roots) == ((), "", ())
    assert found


@estimator
def downhill(pi, e, r, b):
    return -(r - b) * (e - pi)


def test_an_inequality_is_proved_by_what_implies_it():
    assert proof(regular, "ascends").actions == PROOF_ACTIONS
    assert proof(alternate, "ascends").actions == PROOF_ACTIONS
    assert proof(downhill, "ascends") == Proof()


def test_sides_that_differ_have_no_proof_and_no_excuse():
    assert proof(alternate, "unbiased") == Proof()
    assert not Proof()
    assert Proof((2,))


@estimator
def compares(pi, e, r, b):
    return (r - b) * (e - pi) * (1 if r != 7 else 2)


@estimator
def converts(pi, e, r, b):
    return float(r - b) * (e - pi)


@estimator
def inspects_itself(pi, e, r, b):
    return (r - b) * (e - pi) * (2 if type(r).__name__ == "nobody" else 1)


@estimator
def logarithm(pi, e, r, b):
    return (r - b) * (e - pi) + 0 * np.log(pi)


@estimator
def divides(pi, e, r, b):
    return (r - b) * (e - pi) * (b - 7) / (b - 7)


@estimator
def divides_by_policy(pi, e, r, b):
    return (r - b) * (e - pi) * pi[0] / pi[0]


@estimator
def counts_floats(pi, e, r, b):
    return (r - b) * (e - pi) * (2 if isinstance(r, float) else 1)


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (compares, "the formula compares or branches on its numbers"),
        (converts, "the formula converts its numbers"),
        (
            inspects_itself,
            "the formula could tell what it is run on (`__name__` in inspects_itself)",
        ),
        (logarithm, "the formula is no rational function of its arguments"),
        (counts_floats, "the formula could tell what it is run on (`isinstance` in counts_floats)"),
    ],
    ids=lambda part: getattr(part, "name", ""),
)
def test_what_is_no_rational_function_is_said(formula, why):
    found = proof(formula, "unbiased")
    assert not found
    assert found.why == why


def test_denominators_that_may_vanish_stand_beside_the_proof():
    found = proof(divides, "unbiased")
    assert found.actions == PROOF_ACTIONS
    assert found.conditions == ("b ≠ 7",)
    assert found.roots == (7,)
    # a probability is never zero
    assert proof(divides_by_policy, "unbiased").conditions == ()


def test_a_proof_is_made_once():
    prover = Prover(regular, softmax, True)
    law = law_named("unbiased", LAWS)
    assert prover.proof(law) is prover.proof(law)


def test_a_budget_that_is_used_up_is_said(monkeypatch):
    monkeypatch.setattr("altpg_verify.proving.PROOF_BUDGET", 10)
    assert proof(regular, "unbiased").why == "the proof ran out of its budget"


def test_a_symbolic_run_that_is_another_is_no_proof(monkeypatch):
    prover = Prover(regular, softmax, True)
    monkeypatch.setattr("altpg_verify.proving._value", lambda entry, values: Fraction(1, 3))
    assert "aren't its values on numbers" in prover.proof(law_named("unbiased", LAWS)).why
    monkeypatch.undo()
    monkeypatch.setattr("altpg_verify.proving.same_on_plain", lambda *given: False)
    assert "aren't its values on plain floats" in proof(regular, "unbiased").why
    monkeypatch.undo()
    monkeypatch.setattr("altpg_verify.proving._point", lambda *given: _point(Random(1), 3, softmax))
    ways = iter(range(100))
    monkeypatch.setattr(Prover, "_instructions", lambda *given: next(ways))
    prover = Prover(regular, softmax, True)
    assert prover._compare(3) == "the formula goes another way on symbols than on numbers"


def test_where_it_has_no_value_it_cannot_be_compared():
    @estimator
    def nowhere(pi, e, r, b):
        return (r - b) * (e - pi) / (r - r + pi.sum() - 1)

    assert Prover(nowhere, softmax, True).proof(law_named("unbiased", LAWS)) == Proof()
    prover = Prover(regular, softmax, True)
    assert prover._unfaithful(3) == ""
    assert prover._faithful == {3: ""}


def test_a_dtype_tells_numbers_from_floats():
    looking = estimator(lambda pi, e, r, b: (r - b) * (e - pi) * (2 if pi.dtype == "int8" else 1))
    assert "`dtype`" in proof(looking, "unbiased").why


def test_points_without_a_value_are_passed_over_and_none_left_is_said(monkeypatch):
    drawn, prover = [], Prover(regular, softmax, True)

    def valueless(*given):
        drawn.append(1)
        raise ZeroDivisionError

    monkeypatch.setattr("altpg_verify.proving._value", valueless)
    assert (
        prover._compare(2) == "the formula has no value at the points where it was to be compared"
    )
    # four times the points that would do, of the first action
    assert len(drawn) == 4 * POINTS


def test_the_largest_estimate_at_a_point_is_no_larger_than_it_is():
    symbolic = generic(2, softmax)
    values = {
        "p1": Fraction(1, 4),
        "p2": Fraction(3, 4),
        "r1": Fraction(0),
        "r2": Fraction(0),
        "b": Fraction(0),
        "R": Fraction(1, 10),
    }
    assert Prover(regular, softmax, True)._largest(symbolic, values) == 0.075


def test_the_points_are_these():
    """Wide and of both signs: a point at which little can differ would show little."""
    points = [_point(Random(seed), 2, softmax)[0] for seed in range(200)]
    numbers = [case.b for case in points] + [
        reward for case in points for outcomes in case.rewards for reward, _ in outcomes
    ]
    assert {number > 0 for number in numbers} == {True, False}
    assert max(abs(number.numerator) for number in numbers) > 900
    assert max(number.denominator for number in numbers) > 90
    assert len(set(numbers)) > 900
    assert (
        hashlib.sha256("\n".join(map(str, points)).encode()).hexdigest()[:16] == "55e74f508a38b1e4"
    )


@pytest.mark.parametrize("policy", [softmax, escort(2)], ids=["softmax", "escort"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_random_points_are_cases_and_values_of_the_symbols(k, policy):
    case, values = _point(Random(k), k, policy)
    assert set(values) == {"b"} | {f"p{a + 1}" for a in range(k)} | {
        f"r{a + 1}" for a in range(k)
    } | {f"m{a + 1}_{n}" for a in range(k) for n in range(2, MAX_MOMENT + 1)}
    assert tuple(values[f"p{a + 1}"] for a in range(k)) == case.x
    assert sum(case.pi) == 1
    assert values["b"] == case.b
    for a, outcomes in enumerate(case.rewards):
        assert sum(chance for _, chance in outcomes) == 1
        assert values[f"r{a + 1}"] == case.q[a]
        assert values[f"m{a + 1}_2"] - values[f"r{a + 1}"] ** 2 == case.sigma2[a]
        assert len(outcomes) == 2
    assert str(_point(Random(k), k, policy)[0]) == str(case)


@pytest.mark.parametrize(
    ("found", "expected", "agree"),
    [
        (Fraction(1, 3), Fraction(1, 3), True),
        (Fraction(1, 3), Fraction(2, 3), False),
        (1 / 3, Fraction(1, 3), True),
        (1 / 3 + 1e-5, Fraction(1, 3), False),
        (np.float64(2.0), 2, True),
        (0.0, Fraction(0), True),
        (1e-200, Fraction(0), False),
        (1e-301, Fraction(0), True),
    ],
)
def test_numbers_agree(found, expected, agree):
    assert _agree(found, expected) is agree


CASE = parse_case("pi=1/4,3/4; r=2,1; b=1/2")


def test_plain_floats_are_asked_too():
    expected = [Fraction(9, 8), Fraction(-9, 8)]
    assert same_on_plain(regular, CASE, 0, Fraction(2), expected, 1.0)
    assert not same_on_plain(regular, CASE, 0, Fraction(2), [Fraction(9, 8), Fraction(9, 8)], 1.0)
    # rounding is a share of the largest, and another length is another answer
    near = [Fraction(9, 8) + Fraction(1, 10**8), Fraction(-9, 8)]
    assert same_on_plain(regular, CASE, 0, Fraction(2), near, 1.0)
    assert not same_on_plain(regular, CASE, 0, Fraction(2), near, 1e-3)
    assert not same_on_plain(regular, CASE, 0, Fraction(2), expected[:1], 1.0)


def test_what_cannot_be_run_on_plain_floats_is_not_held_against_it():
    @estimator
    def fractions_only(pi, e, r, b):
        return [Fraction(r.numerator, r.denominator) * entry for entry in e - pi]

    assert same_on_plain(fractions_only, CASE, 0, Fraction(2), [Fraction(0), Fraction(0)], 1.0)
    assert not other_on_plain(fractions_only, softmax)


def test_another_answer_to_plain_floats_is_noticed():
    assert other_on_plain(counts_floats, softmax)
    assert not other_on_plain(regular, softmax)
    assert not other_on_plain(alternate, escort(2))

    @estimator
    def never(pi, e, r, b):
        raise ValueError("no")

    assert not other_on_plain(never, softmax)
