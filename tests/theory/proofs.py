"""Every derivation of the package and every certificate in it."""

from __future__ import annotations

from altpg_verify import theory
from altpg_verify.ledger import collect
from altpg_verify.theory.proving.certificates import IdentityCertificate

DERIVATIONS = [function for function in collect([theory]) if hasattr(function, "proof")]
"""The evidence functions that write a proof."""


def named(function: object) -> str:
    return f"{function.__module__.removeprefix('altpg_verify.theory.')}.{function.__name__}"  # type: ignore[attr-defined]


PROOFS = {named(function): function.proof() for function in DERIVATIONS}  # type: ignore[attr-defined]
IDENTITIES = {
    f"{name}-{number}": certificate.data
    for name, proof in PROOFS.items()
    for number, certificate in enumerate(proof.certificates)
    if isinstance(certificate, IdentityCertificate)
}
