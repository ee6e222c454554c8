"""Which estimator a report is about, and what its files are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator, alternate, escort_regular, regular
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.report.own.escort_flow import as_softmax, power
from altpg_verify.targets import checked_at


@dataclass(frozen=True)
class Subject:
    """The estimator under report.

    Args:
        origin: "module:name", as replay commands need it.
        estimator: what is found there.
        policy: how preferences become π.
    """

    origin: str
    estimator: Estimator
    policy: Parameterisation

    @property
    def file(self) -> str:
        """The name of its files, without ending."""
        return file_name(self.estimator.name)

    @property
    def _peers(self) -> tuple[Estimator, ...]:
        return (
            (regular, alternate)
            if self.policy.normalised
            else (escort_regular(power(self.policy)),)
        )

    @property
    def label(self) -> str:
        """How tables and figures call it: never like one of those that it is put beside."""
        taken = any(
            self.estimator.name == other.name and self.estimator is not other
            for other in self._peers
        )
        return f"{self.estimator.name} (yours)" if taken else self.estimator.name

    def beside(self) -> dict[str, Estimator]:
        """By label: the regular and the alternate estimator, or the escort policy's own, and this
        one last unless it is one of them.
        """
        return {**{peer.name: peer for peer in self._peers}, self.label: self.estimator}

    def flows(self) -> dict[str, Estimator]:
        """By label: the updates of softmax logits that move the policy as these estimators move it,
        so that one picture of the simplex serves for escort policies, too.
        """
        return {label: as_softmax(one, self.policy) for label, one in self.beside().items()}


def file_name(name: str) -> str:
    """What files about an estimator or update of this name are called, without ending: letters,
    digits and a few signs, so that no name leads out of the folder.
    """
    return re.sub(r"[^\w.+()-]+", "-", name).strip(".-") or "estimator"


def chosen(target: str) -> tuple[str, Any]:
    """The one estimator or update of the audit that a target names, with "module:name" as replay
    commands need it.

    Raises:
        BadInput: no such module or name, or several of them.
    """
    found = checked_at(target)
    if len(found) != 1:
        raise BadInput(
            f"--estimator {target!r} has {len(found)} estimators; name one of them, as"
            f" {found[0][0]}"
        )
    return found[0]


def subject(target: str, policy: Parameterisation) -> Subject:
    """The one estimator a target names.

    Raises:
        BadInput: no such module or name, several estimators, or an update of the audit.
    """
    origin, estimator = chosen(target)
    if not isinstance(estimator, Estimator):
        raise BadInput(f"{target!r} is an update of the audit, not a formula")
    return Subject(origin, estimator, policy)
