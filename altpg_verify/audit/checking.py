"""The door for tests: an audit that raises when the update isn't what it is meant to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack, cast

from altpg_verify.audit.diagnosis import audit
from altpg_verify.audit.findings import Audit, AuditError
from altpg_verify.audit.options import AuditOptions
from altpg_verify.audit.updates import Update


def check_update(update: Update, **options: Unpack[AuditOptions]) -> Audit:
    """Audit an update; options as for `audit`.

    Raises:
        AuditError: it isn't unbiased, nor of the kind it is marked as; the message is the whole
            audit.

    Examples:
        >>> from altpg_verify.audit import bandit, check_update, update
        >>> @update(space=bandit([1, 0]))
        ... def reinforce(r, score):
        ...     return r * score
        >>> str(check_update(reinforce).kind)
        'unbiased'
    """
    found = audit(update, **options)
    if not found.ok:
        raise AuditError(found)
    return found


@dataclass(frozen=True)
class AuditChecker:
    """What `parametrize_with_checks` hands to a test for an update: callable like the checkers of
    laws.

    Args:
        options: keyword arguments of `audit`, as (name, value) pairs.
    """

    options: tuple[tuple[str, Any], ...] = ()

    def __call__(self, update: Update) -> Audit:
        """Audit the update; raise `AuditError` if it isn't what it is meant to be."""
        return check_update(update, **cast(AuditOptions, dict(self.options)))

    def __repr__(self) -> str:
        return "follows_target"
