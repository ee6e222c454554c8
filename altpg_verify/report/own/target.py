"""Which estimator a report is about, and what its files are called."""

from __future__ import annotations

import re
from dataclasses import dataclass

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator, alternate, regular
from altpg_verify.parameterisations import Parameterisation
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
        return re.sub(r"[^\w.+()-]+", "-", self.estimator.name).strip(".-") or "estimator"

    @property
    def label(self) -> str:
        """How tables and figures call it: never like one of the two that it is put beside."""
        taken = any(self.estimator.name == other.name and self.estimator is not other for other in (regular, alternate))
        return f"{self.estimator.name} (yours)" if taken else self.estimator.name

    def beside(self) -> dict[str, Estimator]:
        """By label: the regular and the alternate estimator, and this one last unless it is one of them."""
        return {"regular": regular, "alternate": alternate, self.label: self.estimator}


def subject(target: str, policy: Parameterisation) -> Subject:
    """The one estimator a target names.

    Raises:
        BadInput: no such module or name, several estimators, or an update of the audit, for which there is no report.
    """
    found = checked_at(target)
    if len(found) != 1:
        raise BadInput(f"--estimator {target!r} has {len(found)} estimators; name one of them, as {found[0][0]}")
    ((origin, estimator),) = found
    if not isinstance(estimator, Estimator):
        raise BadInput(
            f"--estimator {target!r} is an update of the audit, not a formula; see it with python -m altpg_verify check {target}"
        )
    return Subject(origin, estimator, policy)
