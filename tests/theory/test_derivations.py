"""The derivations as evidence: which claims they serve, what the reader is shown, and that no
certificate means no verdict.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
import sympy

from altpg_verify.ledger import EVIDENCE
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.proving.proof import Proof
from altpg_verify.verdicts import Verdict
from tests.theory.proofs import DERIVATIONS, SHARE, proof

KNOWN = {claim.id for claim in CLAIMS}


@pytest.mark.parametrize("name", SHARE)
def test_serves_known_claims_and_is_accepted(name):
    claims, kind = DERIVATIONS[name].__evidence__
    assert set(claims) <= KNOWN
    assert kind in EVIDENCE
    finding = proof(name).judge()
    assert finding.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert finding.summary
    assert finding.domain
    assert finding.numbers["certificates"] == len(proof(name).certificates) > 0


def test_evidence_is_the_proof_as_it_is_judged():
    name = min(DERIVATIONS)
    assert DERIVATIONS[name]() == proof(name).judge()


@pytest.mark.parametrize("name", SHARE)
def test_steps_can_be_read(name):
    assert proof(name).steps
    for step in proof(name).steps:
        assert step.text
        assert step.formula is None or isinstance(step.formula, sympy.Basic)
        if isinstance(step.formula, sympy.core.relational.Relational):
            assert step.formula.lhs != step.formula.rhs


def test_every_claim_that_owes_a_derivation_has_one():
    served = {claim for function in DERIVATIONS.values() for claim in function.__evidence__[0]}
    owed = {
        claim.id for claim in CLAIMS if {"derivation", "certificate"} & set(claim.required_evidence)
    }
    assert owed - served == set()


def test_no_refuted_statement_is_derived():
    """A claim that has a correction is false as printed."""
    refuted = {claim.corrects for claim in CLAIMS if claim.corrects}
    served = {claim for function in DERIVATIONS.values() for claim in function.__evidence__[0]}
    assert served & refuted == set()


def test_a_false_line_makes_the_whole_inconclusive():
    from altpg_verify.theory.proving.notation import a, pi, total

    lines = Proof("two lines, one of them false", "nowhere")
    lines.equal("true", pi[a] + pi[a], 2 * pi[a])
    assert lines.judge().verdict is Verdict.PROVED
    lines.equal("false", total(pi[a], a), 1)
    assert lines.judge().verdict is Verdict.INCONCLUSIVE


def test_without_certificates_nothing_is_proved():
    assert (
        Proof("words", "nowhere").note("because I say so").judge().verdict is Verdict.INCONCLUSIVE
    )


def test_importing_the_package_is_light():
    code = (
        "import sys; from altpg_verify import theory; print([name for name in ('sympy', 'flint',"
        " 'numba', 'numpy') if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == "[]"
