"""Section 5 and appendices B.1 and C: every claim is derived, sums with indicators are what they
say, and wrong formulas are refused.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import IndexedBase, Symbol

from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.entropy_escort.escort import NORMALIZER, Z, escort_proof, p, power, slope
from altpg_verify.theory.function_approximation.linear_policy import APART, SAME, x
from altpg_verify.theory.mdps.mdp_estimators import (
    ADVANTAGE,
    LIKELIHOOD,
    OF_A,
    SLOPE,
    eps,
    m,
    policy_slope,
    preference_slope,
    q,
    score,
    v,
)
from altpg_verify.theory.mdps.occupancy import gamma, occupancy, onward, source, start
from altpg_verify.theory.mdps.surrogates import (
    advantage,
    alternate_mean,
    centred,
    kept,
    old,
    ratio,
    surrogate_proof,
)
from altpg_verify.theory.proving.calculus import SOFTMAX
from altpg_verify.theory.proving.certificates import Given
from altpg_verify.theory.proving.expression_trees import tree
from altpg_verify.theory.proving.indicators import delta_a, delta_c, indicating
from altpg_verify.theory.proving.notation import SIMPLEX, a, c, d, i, j, pi, total
from altpg_verify.theory.proving.proof import Proof
from altpg_verify.verdicts import Verdict
from tests.theory.proofs import DERIVATIONS
from tests.theory.rationals import INDICES, World

DERIVED = ("5 ", "B.1", "C.")


def test_every_claim_that_owes_a_derivation_has_one():
    served = {claim for function in DERIVATIONS.values() for claim in function.__evidence__[0]}  # type: ignore[attr-defined]
    owed = {
        claim.id
        for claim in CLAIMS
        if "derivation" in claim.required_evidence and claim.section.startswith(DERIVED)
    }
    assert owed
    assert owed - served == set()


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("at_c", [c, a], ids=["apart", "same"])
def test_indicators_pick_their_actions(k, at_c):
    """A split sum equals the loop over the actions with the indicators put in."""
    body = (delta_a[i] + 2) * (delta_c[i] * q[i] - pi[i]) * (q[d] + delta_a[i] * delta_c[i] * q[a])
    world = World(k, seed=k)
    split = world.value(tree(total(body, i), indicating({delta_a: a, delta_c: at_c})))
    looped = Fraction(0)
    for action in range(k):
        for letter, at in ((delta_a, a), (delta_c, at_c)):
            world.symbols[f"{letter.label}[{action}]"] = Fraction(INDICES[str(at)] == action)
        looped += world.value(tree(body), {"i": action})
    assert split == looped


def test_indicators_inside_an_inner_sum():
    """The inner sum is split by itself, the outer one by its own letter."""
    inner = total(pi[m] * delta_a[m] * q[m], m)
    proof = Proof("nested", "every k", where=OF_A)
    proof.equal("both pick a", total(delta_a[i] * inner * q[i], i), pi[a] * q[a] ** 2)
    assert proof.judge().verdict is Verdict.PROVED


def refused(proof: Proof, left, right, **rest) -> bool:
    """Whether the line left = right isn't accepted."""
    return (
        Proof("wrong", "nowhere", proof.signs, proof.where)
        .equal("wrong", left, right, **rest)
        .judge()
        .verdict
        is Verdict.INCONCLUSIVE
    )


IN_THETA = Proof("", "", where={**SOFTMAX, **OF_A})
IN_W = Proof("", "", where=SLOPE)
IN_STATE = total(policy_slope[i] * q[i], i)
WRONG = {
    "likelihood without the normaliser": (IN_THETA, LIKELIHOOD, pi[a] * q[a], []),
    "likelihood with the sign of the mean flipped": (
        IN_THETA,
        LIKELIHOOD,
        pi[a] * q[a] + pi[a] * total(pi[c] * q[c]),
        [],
    ),
    "likelihood with an index swapped": (
        IN_THETA,
        LIKELIHOOD,
        total((delta_a[c] - pi[a]) * pi[a] * q[c]),
        [],
    ),
    "alternate with no value subtracted": (
        IN_W,
        IN_STATE,
        total(pi[i] * preference_slope[i] * q[i], i),
        [SIMPLEX],
    ),
    "alternate with any baseline": (
        IN_W,
        IN_STATE,
        total(pi[i] * preference_slope[i] * (q[i] - v), i),
        [SIMPLEX],
    ),
    "regular without weights": (
        IN_W,
        IN_STATE,
        total(score(i) * (q[i] - v), i),
        [SIMPLEX, ADVANTAGE],
    ),
    "surrogate centred under the old policy": (
        surrogate_proof(""),
        total(policy_slope[i] * kept[i], i),
        total(pi[i] * preference_slope[i] * (kept[i] - total(old[m] * kept[m], m)), i),
        [SIMPLEX],
    ),
    "surrogate without the ratio": (
        surrogate_proof(""),
        total(policy_slope[i] * kept[i], i),
        centred(kept, old[i]),
        [SIMPLEX],
    ),
    "surrogate with the ratio squared": (
        surrogate_proof(""),
        alternate_mean(advantage),
        centred(advantage, old[i] * ratio[i] ** 2),
        [SIMPLEX],
    ),
    "linear slope of another action": (
        Proof("", "", where=APART),
        total(delta_c[i] * x * pi[a] * (delta_a[i] - pi[i]), i),
        -x * pi[a] ** 2,
        [],
    ),
    "linear slope of the same action": (
        Proof("", "", where=SAME),
        total(delta_c[i] * x * pi[a] * (delta_a[i] - pi[i]), i),
        x * pi[a],
        [],
    ),
    "escort without p": (
        escort_proof("", ""),
        (pi[a] - eps * slope[c] * pi[a] / Z) * (Z + eps * p * slope[c]),
        power[a],
        [NORMALIZER, eps**2],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_formula_is_refused(name):
    proof, left, right, given = WRONG[name]
    assert refused(proof, left, right, given=given)


def test_undiscounted_occupancy_is_refused():
    """The sum over the occupancy needs the discount in both systems."""
    value = IndexedBase("V")
    swapped = total(IndexedBase("z")[j] * value[j], j) - total(occupancy[j] * onward[j], j)
    bellman = Given(value[j] - source[j] - gamma * onward[j], each=j, weight=occupancy[j])
    flow = Given(occupancy[j] - start[j] - IndexedBase("z")[j], each=j, weight=value[j])
    left, right = total(start[i] * value[i], i), total(occupancy[i] * source[i], i)
    assert refused(Proof("", ""), left, right, given=[bellman, flow, swapped])


def test_escort_rate_needs_the_norm():
    """Z isn't bounded by the largest power alone."""
    ceiling = Symbol("B")
    room = Given(ceiling - power[i] - IndexedBase("y")[i], each=i)
    proof = Proof("", "", escort_proof("", "").signs)
    proof.at_least(
        "one power's bound for all of them",
        ceiling,
        Z,
        total(IndexedBase("y")[i], i),
        given=[room, NORMALIZER],
    )
    assert proof.judge().verdict is Verdict.INCONCLUSIVE
