"""All audits of libraries as rows: printed as they come, and kept as JSON for the report."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from altpg_verify.audit.diagnosis import audit
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.errors import BadInput
from altpg_verify.verdicts import Verdict

MODULES = ("rlax_losses", "torchrl_losses", "sb3_steps", "trl_losses", "tianshou_steps")

ROUNDING = 1e-12
"""What is smaller is a rounding error."""

READ_ME = (
    "What losses of public libraries follow in expectation, by exact enumeration on spaces of a few"
    " outcomes. `says` is what the library or the paper it names states, `kind` and `sentence` are"
    " computed. A kind other than 'unbiased' is no report of a bug: many are choices which their"
    " authors describe (`design`), and a small bandit says nothing about how well they train."
)


@dataclass(frozen=True)
class Row:
    """One audit (`what`) and what came of it; `found` is None if nothing was run, and then `reason`
    says why.
    """

    what: LibraryAudit
    found: Audit | None = None
    reason: str = ""

    @property
    def kind(self) -> str:
        """The kind in words, or NOT RUN."""
        return str(Verdict.NOT_RUN) if self.found is None else str(self.found.kind)

    def __str__(self) -> str:
        lines = [
            f"{self.what.name} ({self.what.package} {self.what.installed or self.what.version})",
            f"  says      {self.what.summary}",
        ]
        lines.append(f"  setting   {self.what.setting}")
        if self.found is None:
            return "\n".join([*lines, f"  {Verdict.NOT_RUN}   {self.reason}"])
        lines.append(f"  verdict   {self.found.sentence}")
        rows = dict(self.found.rows())
        lines += [
            f"  {name:<10}{rows[name]}"
            for name in ("left", "right", "curl")
            if name in rows and self.kind != "unbiased"
        ]
        if self.what.design and self.kind != "unbiased":
            lines.append(f"  by design {self.what.design}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON; no clock."""
        what = self.what
        return {
            "name": what.name,
            "library": what.package,
            "written_for": what.version,
            "installed": what.installed,
            "calls": what.calls,
            "says": what.summary,
            "setting": what.setting,
            "design": what.design,
            "kind": self.kind,
            "sentence": "" if self.found is None else self.found.sentence,
            "reason": self.reason,
            "audit": None if self.found is None else self.found.as_dict(),
        }


def every_audit() -> list[LibraryAudit]:
    """All audits there are, in the table's order; no library is imported for that."""
    return [
        each
        for name in MODULES
        for each in import_module(f"altpg_verify.audit.libraries.{name}").AUDITS
    ]


def run(what: LibraryAudit) -> Row:
    """Run one audit; a library that is absent or broken makes a row that says so."""
    try:
        with warnings.catch_warnings():
            # the libraries' own warnings about their future are not ours to raise
            warnings.simplefilter("ignore")
            return Row(what, audit(what.built()))
    except BadInput as error:
        return Row(what, reason=str(error))


def rows(only: str = "") -> Iterator[Row]:
    """The rows whose name contains the text, one after another.

    Raises:
        BadInput: no name does.
    """
    everything = every_audit()
    chosen = [what for what in everything if only.lower() in what.name.lower()]
    if not chosen:
        raise BadInput(
            f"no audit is named like {only!r}; choose a part of one of"
            f" {', '.join(what.name for what in everything)}"
        )
    return map(run, chosen)


def summary(found: list[Row]) -> str:
    """One line: how many of each kind."""
    kinds = Counter(row.kind for row in found)
    return f"{len(found)} audits: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items())


def as_data(found: list[Row]) -> dict[str, Any]:
    """The whole table as plain data, fit for JSON."""
    return {"about": READ_ME, "summary": summary(found), "rows": [as_row(row) for row in found]}


def as_row(row: Row) -> dict[str, Any]:
    """One row of the table as it is written."""
    return _rounded(row.as_dict())


def _rounded(data: Any) -> Any:
    """Floats to ten digits, rounding errors as 0 and unsaid in words, so that the file doesn't
    depend on the machine.
    """
    if isinstance(data, dict):
        return {name: _rounded(entry) for name, entry in data.items()}
    if isinstance(data, list):
        return [_rounded(entry) for entry in data]
    if isinstance(data, str):
        return re.sub(r"; largest deviation \S+e-\d+$", "", data)
    if isinstance(data, float):
        return 0.0 if abs(data) < ROUNDING else float(f"{data:.10g}")
    return data
