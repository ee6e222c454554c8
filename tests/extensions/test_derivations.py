"""Each extension is a claim with the evidence it requires; conjectures are called so; wrong forms
of the lines are refused.
"""

from __future__ import annotations

import pytest
from sympy import IndexedBase, symbols

import altpg_verify.sim.experiments
import altpg_verify.theory.extensions
from altpg_verify.ledger_building import collect
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.extensions.claims import (
    COST_OF_OPTIMISM,
    ESCAPE,
    LEARNED_BASELINE,
    MARKOV,
    UNIFORM_BIAS,
    VARIANCE_GAP,
)
from altpg_verify.theory.extensions.claims_dynamics import DYNAMICS
from altpg_verify.theory.extensions.cycles import average
from altpg_verify.theory.extensions.learned_baseline import AFTER, ONE, beta
from altpg_verify.theory.fixed_points.fixed_baseline import EITHER_SIDE, KAPPA, gap
from altpg_verify.theory.proving.calculus import ESTIMATES, ON_POLICY
from altpg_verify.theory.proving.certificates import Given, Signs, certify
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    R,
    alpha,
    b,
    c,
    ghat_ALT,
    j,
    k,
    kappa,
    pi,
    pi_star,
    r,
    sigma,
    total,
)
from altpg_verify.theory.proving.notation import a as action
from altpg_verify.verdicts import Verdict
from tests.shares import share

EXTENSIONS = (
    *LEARNED_BASELINE,
    *VARIANCE_GAP,
    *UNIFORM_BIAS,
    *COST_OF_OPTIMISM,
    *DYNAMICS,
    *ESCAPE,
    *MARKOV,
)
EVIDENCE = collect([altpg_verify.theory.extensions, altpg_verify.sim.experiments])
DERIVATIONS = [function for function in EVIDENCE if hasattr(function, "proof")]


def served(claim: str) -> set[str]:
    return {function.__evidence__[1] for function in EVIDENCE if claim in function.__evidence__[0]}


@pytest.mark.parametrize("claim", EXTENSIONS, ids=lambda claim: claim.id)
def test_each_has_what_it_owes(claim):
    assert claim in CLAIMS
    assert claim.extension
    assert set(claim.required_evidence) <= served(claim.id)


def test_conjectures_are_called_so_and_rest_on_simulation_alone():
    conjectures = [claim for claim in EXTENSIONS if claim.id.startswith("conjecture")]
    assert len(conjectures) == 2
    for claim in conjectures:
        assert claim.statement.startswith("Conjecture")
        assert served(claim.id) == {"simulation"}
    assert not any(
        "onjecture" in claim.statement for claim in EXTENSIONS if claim not in conjectures
    )


@pytest.mark.parametrize("function", DERIVATIONS, ids=lambda function: function.__name__)
def test_each_derivation_is_accepted(function):
    finding = function()
    assert finding.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert finding.numbers["certificates"] >= 1
    assert finding.domain


@pytest.mark.parametrize("function", share(DERIVATIONS, 4), ids=lambda function: function.__name__)
def test_one_spoiled_line_spoils_the_derivation(function):
    proof = function.proof()
    proof.certificates = list(proof.certificates)
    number = next(
        at
        for at, one in enumerate(proof.certificates)
        if hasattr(one, "data") and "right" in one.data
    )
    spoiled = proof.certificates[number]
    proof.certificates[number] = type(spoiled)(
        {**spoiled.data, "right": ["+", spoiled.data["right"], 1]}
    )
    assert proof.judge().verdict is Verdict.INCONCLUSIVE


K, v, w, room, noise, spread, rest = symbols("K v w room noise spread rest")
one, other, dist = symbols("u_1 u_2")[0], symbols("u_1 u_2")[1], IndexedBase("dist")
STAR = {**EITHER_SIDE, pi_star: lambda letter: kappa / (r[letter] - b)}
COMMON = [average[action] * (r[action] - b) - w, w - kappa]
RIGHT_AND_WRONG = {
    "mean of a cycle": lambda x: certify(
        average[action],
        "=",
        x * pi_star[action],
        summary="",
        given=COMMON,
        where=STAR,
        signs=Signs(nonzero=(gap, kappa)),
    ),
    "kappa of a mean": lambda x: certify(
        w,
        "=",
        x * kappa,
        summary="",
        given=[
            Given(average[j] * (r[j] - b) - w, each=j, weight=1 / (r[j] - b)),
            KAPPA,
            total(average[j], j) - 1,
        ],
        where=STAR,
        signs=Signs(nonzero=(gap, kappa)),
    ),
    "Cauchy-Schwarz for the stepsize": lambda x: certify(
        one**2 / dist[action] + other**2 / dist[c],
        ">=",
        x * (one - other) ** 2 / (dist[action] + dist[c]),
        summary="",
        witness=(dist[c] * one + dist[action] * other) ** 2
        / (dist[action] * dist[c] * (dist[action] + dist[c])),
        signs=Signs(positive=(dist,)),
    ),
    "second moment of a step": lambda x: certify(
        E(ghat_ALT[action] ** 2),
        "=",
        x * pi[action] * (sigma[action] ** 2 + (r[action] - b) ** 2),
        summary="",
        where=ON_POLICY,
    ),
    "linear noise": lambda x: certify(
        v,
        "=",
        x * alpha * noise / (K * w),
        summary="",
        given=[w - 2 + alpha * K, v - (1 - alpha * K) ** 2 * v - alpha**2 * noise],
        signs=Signs(positive=(alpha, K, w)),
    ),
    "learned baseline's invariant": lambda x: certify(
        total(alpha * ghat_ALT[c]) - x * alpha / beta * (AFTER - b),
        "=",
        0,
        summary="",
        given=[ONE],
        where=ESTIMATES,
        signs=Signs(positive=(alpha, beta)),
    ),
    "bound on the spread": lambda x: certify(
        alpha / 8 * noise,
        ">=",
        x * spread,
        summary="",
        witness=room / alpha,
        given=[room - alpha**2 / 8 * noise + alpha * spread],
        signs=Signs(positive=(alpha,), nonnegative=(room,)),
    ),
    "uniform policy's mass": lambda x: certify(
        total(1 / k), "=", x, summary="", signs=Signs(positive=(k,))
    ),
    "probabilities": lambda x: certify(total(pi[c]), "=", x, summary="", given=[SIMPLEX]),
}


@pytest.mark.parametrize("line", RIGHT_AND_WRONG)
def test_a_wrong_factor_is_refused(line):
    assert RIGHT_AND_WRONG[line](1).recheck()
    assert not RIGHT_AND_WRONG[line](2).recheck()


def test_no_random_walk_needs_the_same_reward_in_both_updates():
    stale = beta * (R + 1) + (1 - beta) * b
    drift = total(alpha * ghat_ALT[c]) - alpha / beta * (stale - b)
    assert not certify(
        drift, "=", 0, summary="", given=[ONE], where=ESTIMATES, signs=Signs(positive=(alpha, beta))
    ).recheck()
