"""The ledger of claims: each claim written once, each verdict computed from evidence.

A `Claim` is a statement that could be false, with the place where it stands in the paper. It has no
verdict of its own. Evidence is a function decorated with `@evidence("claim-id", kind=...)` that
lives where the work is done and returns a `Finding` from one of the judges. `ledger_building`
runs the evidence and computes each verdict.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from altpg_verify.judging import Finding
from altpg_verify.sealing import sealed
from altpg_verify.verdicts import Verdict

KINDS = (
    *("identity", "inequality", "fixed point", "dynamics", "number", "example", "algorithm"),
    *("complexity", "empirical"),
)
"""What sort of statement a claim is."""

EVIDENCE = (
    "coq",
    "derivation",
    "certificate",
    "enumeration",
    "property test",
    "execution",
    "simulation",
)
"""Where evidence comes from, strongest first. A derivation covers every k; enumeration and property
tests are exact cases.
"""


@dataclass(frozen=True)
class Claim:
    """One statement of the paper, as printed.

    Args:
        id: its meaning in a few words, hyphenated; not a number.
        line: line of the paper's LaTeX source where it stands.
        section: number or letter and title of the section.
        statement: the statement as printed, Typst markup with `$...$` mathematics.
        kind: one of `KINDS`.
        label: the \\label of the source it carries, if any.
        given: what the paper assumes.
        required_evidence: kinds of evidence that are required for the claim to be settled.
        depends_on: ids of the claims it rests on.
        corrects: id of the printed claim that this one corrects; such a claim is ours, not the
            paper's.
        adds: the assumption or change that the correction makes, in words.
        extension: the claim goes beyond the paper.

    Examples:
        >>> from altpg_verify import Claim
        >>> Claim("half", 12, "1 Introduction", "the mean is $1/2$", "number").id
        'half'
    """

    id: str
    line: int
    section: str
    statement: str
    kind: str
    label: str = ""
    given: tuple[str, ...] = ()
    required_evidence: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    corrects: str = ""
    adds: str = ""
    extension: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"claim {self.id!r}: kind {self.kind!r} is none of {', '.join(KINDS)}")
        for kind in self.required_evidence:
            if kind not in EVIDENCE:
                raise ValueError(
                    f"claim {self.id!r} requires {kind!r}, which is none of {', '.join(EVIDENCE)}"
                )
        if bool(self.corrects) != bool(self.adds):
            raise ValueError(
                f"claim {self.id!r}: a correction names both the claim it corrects and what it adds"
                " or changes"
            )


Function = TypeVar("Function", bound=Callable[..., Finding])


def evidence(*claims: str, kind: str) -> Callable[[Function], Function]:
    """Mark a function as evidence for the named claims.

    The function may ask, by parameter name, for what `build` is offered (`max_examples`, `seed`,
    `results`, ...), and for `claim` when it serves several and answers for each.

    Args:
        claims: their ids.
        kind: one of `EVIDENCE`.

    Raises:
        ValueError: no claim, or another kind; a mistake of the project's own, not of its users.

    Examples:
        >>> from altpg_verify import evidence
        >>> from altpg_verify.judging import searched
        >>> @evidence("mean", kind="enumeration")
        ... def mean():
        ...     return searched("the mean is 1/2", [1], lambda case: (case, 1), domain="one case")
        >>> str(mean().verdict)
        'HOLDS'
    """
    if kind not in EVIDENCE:
        raise ValueError(f"evidence kind {kind!r} is none of {', '.join(EVIDENCE)}")
    if not claims:
        raise ValueError("evidence names no claim; give the id of each claim that it serves")

    def mark(function: Function) -> Function:
        function.__evidence__ = (claims, kind)  # type: ignore[attr-defined]
        return function

    return mark


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence after it ran.

    Args:
        kind: one of `EVIDENCE`.
        source: dotted name of the function that made it.
        source_hash: sha256 of that function's source, its first 16 hex digits: other source, other
            evidence.
        finding: what its judge said.
        seconds: by the clock; no part of equality, nor of the ledger's bytes.
    """

    kind: str
    source: str
    source_hash: str
    finding: Finding
    seconds: float = field(compare=False)


@sealed()
@dataclass(frozen=True)
class Entry:
    """A claim with its evidence and what follows from it.

    Args:
        claim: the statement.
        evidence: all that serves it, strongest kind first.
        verdict: computed from the evidence: REFUTED if some refutes and none supports it, else the
            strongest that supports it.
        inconsistent: some evidence refutes the claim and some supports it; the verdict is then
            INCONCLUSIVE.
        missing: required kinds that no decided evidence supplies.
        corrections: ids of the claims that correct it.
        established: it and all it rests on have verdicts for them and all the evidence they
            require.
    """

    claim: Claim
    evidence: tuple[Evidence, ...]
    verdict: Verdict
    inconsistent: bool
    missing: tuple[str, ...]
    corrections: tuple[str, ...] = ()
    established: bool = False

    @property
    def best(self) -> Evidence | None:
        """The evidence that decided the verdict: of what has that verdict, the strongest kind; None
        if a contradiction or the want of evidence did.
        """
        deciding = [item for item in self.evidence if item.finding.verdict is self.verdict]
        return min(deciding, key=lambda item: EVIDENCE.index(item.kind)) if deciding else None


@sealed()
@dataclass(frozen=True)
class Ledger:
    """Every claim in the order of the paper, each with its computed verdict.

    Asked for a claim by its id, it gives the entry, or raises `KeyError`. Made by `build` and
    sealed: on a copy that was edited no verdict can be read.

    Args:
        entries: one for each claim.
    """

    entries: tuple[Entry, ...]

    def __getitem__(self, claim: str) -> Entry:
        for entry in self.entries:
            if entry.claim.id == claim:
                return entry
        raise KeyError(claim)

    @property
    def consistent(self) -> bool:
        """No claim has evidence both for and against it; else one of the two is wrong, and the
        report says so.
        """
        return not any(entry.inconsistent for entry in self.entries)

    def counts(self) -> dict[str, int]:
        """How many claims have each verdict; every verdict is named, also those with none."""
        return {
            str(verdict): sum(entry.verdict is verdict for entry in self.entries)
            for verdict in Verdict
        }

    def as_json(self, made: Mapping[str, object] | None = None) -> str:
        """The ledger as stable JSON: no clock, no machine; the same results give the same bytes.

        Its names are part of the format (`schema` 1): counts of verdicts, then the claims in the
        order of the paper, each with its evidence.

        Args:
            made: what it was made with, such as the digest of the code and the seed; kept beside
                the claims.
        """
        head = {"schema": 1, **({"made": dict(made)} if made else {})}
        whole = {
            **head,
            "counts": self.counts(),
            "claims": [_entry_json(entry) for entry in self.entries],
        }
        return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _entry_json(entry: Entry) -> dict[str, Any]:
    claim = entry.claim
    return {
        "id": claim.id,
        "line": claim.line,
        "section": claim.section,
        "label": claim.label,
        "kind": claim.kind,
        "statement": claim.statement,
        "given": list(claim.given),
        "uses": list(claim.depends_on),
        "corrects": claim.corrects,
        "adds": claim.adds,
        "extension": claim.extension,
        "verdict": str(entry.verdict),
        "established": entry.established,
        "inconsistent": entry.inconsistent,
        "missing": list(entry.missing),
        "corrections": list(entry.corrections),
        "evidence": [
            {
                "kind": item.kind,
                "source": item.source,
                "source_hash": item.source_hash,
                "verdict": str(item.finding.verdict),
                "says": item.finding.summary,
                "domain": item.finding.domain,
                "instance": dict(item.finding.instance),
                "numbers": dict(item.finding.numbers),
                "steps": [
                    {
                        "text": step.text,
                        "formula": "" if step.formula is None else str(step.formula),
                    }
                    for step in item.finding.steps
                ],
            }
            for item in entry.evidence
        ],
    }
