"""Every derivation of the package and every certificate in it."""

from __future__ import annotations

from functools import cache
from typing import Any

from altpg_verify import theory
from altpg_verify.ledger_building import collect
from altpg_verify.theory.proving.certificates import IdentityCertificate
from altpg_verify.theory.proving.proof import Proof
from tests.shares import share_of_each


def named(function: object) -> str:
    return f"{function.__module__.removeprefix('altpg_verify.theory.')}.{function.__name__}"  # type: ignore[attr-defined]


DERIVATIONS = {
    named(function): function for function in collect([theory]) if hasattr(function, "proof")
}
"""The evidence functions that write a proof."""
SHARE = share_of_each(
    DERIVATIONS, lambda name: (DERIVATIONS[name].__module__, DERIVATIONS[name].__evidence__[1])
)
"""Their names as a test's parameters: of every file one of each kind; all of them are derived by
reports, and where slow tests run.
"""


@cache
def proof(name: str) -> Proof:
    """Derived when a test first asks for it: collecting the tests derives nothing."""
    return DERIVATIONS[name].proof()  # type: ignore[attr-defined, no-any-return]


def identities(name: str) -> dict[str, dict[str, Any]]:
    """The data of the identities of one derivation."""
    certificates = enumerate(proof(name).certificates)
    return {
        f"{name}-{number}": one.data
        for number, one in certificates
        if isinstance(one, IdentityCertificate)
    }
