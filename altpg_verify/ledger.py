"""The ledger of claims: each claim written once, each verdict computed from evidence.

A `Claim` is a statement that could be false, with the place where it stands in the paper. It has no
verdict of its own. Evidence is a function decorated with `@evidence("claim-id", kind=...)` that
lives where the work is done and returns a `Finding` from one of the judges. `build` runs the
evidence, computes each verdict and refuses strays in either direction.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import json
import pkgutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeVar

from altpg_verify.errors import BadInput, Missing
from altpg_verify.judging import Finding, genuine, inconclusive, not_run
from altpg_verify.sealing import seal, sealed
from altpg_verify.verdicts import Verdict, combined

KINDS = (
    "identity",
    "inequality",
    "fixed point",
    "dynamics",
    "number",
    "example",
    "algorithm",
    "complexity",
    "empirical",
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


def collect(packages: Iterable[ModuleType]) -> list[Callable[..., Finding]]:
    """Every evidence function in the packages and their submodules, in a stable order.

    All submodules are imported, except `__main__`. A function that several modules import is found
    once, under the name of the module that defines it.

    Args:
        packages: where to look; a module without submodules will do.
    """
    found: dict[str, Callable[..., Finding]] = {}
    for package in packages:
        names = [package.__name__]
        if hasattr(package, "__path__"):
            names += sorted(
                info.name
                for info in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
                if not info.name.endswith("__main__")
            )
        for name in names:
            for function in vars(importlib.import_module(name)).values():
                # by where it is defined, so that a function imported elsewhere isn't run twice
                if callable(function) and hasattr(function, "__evidence__"):
                    found[f"{function.__module__}.{function.__qualname__}"] = function
    return list(found.values())


def build(
    claims: Sequence[Claim],
    functions: Iterable[Callable[..., Finding]],
    *,
    offered: Mapping[str, object] | None = None,
    progress: Callable[[str], None] = lambda name: None,
) -> Ledger:
    """Run all evidence and compute all verdicts.

    Evidence runs one after the other, but for proof assistants, which run beside the rest. A piece
    that raises makes its finding INCONCLUSIVE and hides no other; one that asks for what isn't
    offered is NOT RUN.

    Args:
        claims: the statements, in the order of the paper.
        functions: evidence, as `collect` finds it.
        offered: what evidence may ask for by parameter name; a `Future` is waited for by those only
            that ask for it.
        progress: is told the dotted name of each function before it runs.

    Raises:
        BadInput: an id is used twice, evidence names an unknown claim, or `depends_on`/`corrects`
            point nowhere or in a circle.
    """
    known = check_claims(claims)
    gathered: dict[str, list[Evidence]] = {identity: [] for identity in known}
    functions = list(functions)
    # strays are found before anything runs, which takes minutes
    for function in functions:
        for target in function.__evidence__[0]:  # type: ignore[attr-defined]
            if target not in known:
                source = f"{function.__module__}.{function.__qualname__}"
                raise BadInput(
                    f"evidence {source} serves claim {target!r}, which is not in the ledger;"
                    " correct the id or enter the claim"
                )
    # a proof assistant is a program of its own and runs beside the rest
    outside = [function for function in functions if function.__evidence__[1] == "coq"]  # type: ignore[attr-defined]
    with ThreadPoolExecutor(max_workers=1) as beside:
        waiting = [beside.submit(_serve, function, offered or {}) for function in outside]
        for function in functions:
            progress(f"{function.__module__}.{function.__qualname__}")
            if function not in outside:
                for target, item in _serve(function, offered or {}):
                    gathered[target].append(item)
        for served in waiting:
            for target, item in served.result():
                gathered[target].append(item)
    entries: dict[str, Entry] = {}
    for claim in claims:
        items = tuple(
            sorted(gathered[claim.id], key=lambda item: (EVIDENCE.index(item.kind), item.source))
        )
        verdict, inconsistent = combined([item.finding.verdict for item in items])
        missing = tuple(
            kind
            for kind in claim.required_evidence
            if not any(item.kind == kind and _speaks(item) for item in items)
        )
        corrections = tuple(other.id for other in claims if other.corrects == claim.id)
        entries[claim.id] = seal(Entry(claim, items, verdict, inconsistent, missing, corrections))
    # in a second pass, since a claim may rest on one that comes later
    firm: dict[str, bool] = {}
    return seal(Ledger(tuple(_established(entries[claim.id], entries, firm) for claim in claims)))


def check_claims(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The claims by id, in their order.

    Raises:
        BadInput: an id is used twice, or `depends_on` or `corrects` lead nowhere, or in a circle.
    """
    known: dict[str, Claim] = {}
    for claim in claims:
        if claim.id in known:
            raise BadInput(f"claim id {claim.id!r} is used twice; give the second one its own id")
        known[claim.id] = claim
    for claim in claims:
        for other in (*claim.depends_on, *filter(None, [claim.corrects])):
            if other not in known:
                raise BadInput(
                    f"claim {claim.id!r} refers to {other!r}, which is not in the ledger; correct"
                    " the id"
                )
    _no_circle(known)
    return known


def _no_circle(known: Mapping[str, Claim]) -> None:
    done: set[str] = set()

    def visit(identity: str, path: tuple[str, ...]) -> None:
        if identity in path:
            raise BadInput(
                f"the claims rest on each other in a circle: {' -> '.join((*path, identity))};"
                " remove one of the uses"
            )
        if identity not in done:
            for other in known[identity].depends_on:
                visit(other, (*path, identity))
            done.add(identity)

    for identity in known:
        visit(identity, ())


def _serve(
    function: Callable[..., Finding], offered: Mapping[str, object]
) -> list[tuple[str, Evidence]]:
    """The evidence for each claim that the function serves; made once for all of them unless it
    asks which claim it is for.
    """
    targets, kind = function.__evidence__  # type: ignore[attr-defined]
    source = f"{function.__module__}.{function.__qualname__}"
    if "claim" in inspect.signature(function).parameters:
        return [(target, _run(function, kind, source, target, offered)) for target in targets]
    item = _run(function, kind, source, targets[0], offered)
    return [(target, item) for target in targets]


def _run(
    function: Callable[..., Finding],
    kind: str,
    source: str,
    target: str,
    offered: Mapping[str, object],
) -> Evidence:
    everything = {**offered, "claim": target}
    wanted = inspect.signature(function).parameters
    missing = [
        name
        for name, parameter in wanted.items()
        if name not in everything and parameter.default is parameter.empty
    ]
    begin = time.perf_counter()
    if missing:
        finding = not_run(f"needs {', '.join(missing)}, which this build does not have")
    else:
        try:
            finding = function(
                **{name: _ready(everything[name]) for name in wanted if name in everything}
            )
        except Missing as error:
            finding = not_run(str(error))
        except Exception as error:
            # one broken piece of evidence must not hide the others, nor count for anything
            finding = inconclusive(f"the evidence broke: {type(error).__name__}: {error}")
    if not genuine(finding):
        finding = inconclusive(
            "what the evidence returned was made by no judge, or changed after one had made it"
        )
    return Evidence(kind, source, _digest(function), finding, time.perf_counter() - begin)


@functools.cache
def _digest(function: Callable[..., Finding]) -> str:
    """Of the function's source; one that serves many claims is read once."""
    return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:16]


def _ready(value: object) -> Any:
    """What was offered; a Future is waited for only when evidence asks for it, so that other
    evidence may run meanwhile.
    """
    return value.result() if isinstance(value, Future) else value


def _speaks(item: Evidence) -> bool:
    return item.finding.verdict.is_for or item.finding.verdict is Verdict.REFUTED


def _established(entry: Entry, entries: Mapping[str, Entry], known: dict[str, bool]) -> Entry:
    """A claim is established when it and all it rests on have verdicts for them and no required
    evidence is missing.

    Args:
        known: what was found so far, by id.
    """

    def firm(identity: str) -> bool:
        if identity not in known:
            one = entries[identity]
            known[identity] = (
                one.verdict.is_for and not one.missing and all(map(firm, one.claim.depends_on))
            )
        return known[identity]

    return seal(
        Entry(
            entry.claim,
            entry.evidence,
            entry.verdict,
            entry.inconsistent,
            entry.missing,
            entry.corrections,
            firm(entry.claim.id),
        )
    )


def _entry_json(entry: Entry) -> dict[str, object]:
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
