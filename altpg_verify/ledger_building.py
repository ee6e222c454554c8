"""A ledger from claims and evidence: all evidence is run, each verdict is computed from what the judges
found, and strays in either direction are refused.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import pkgutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType
from typing import Any

from altpg_verify.errors import BadInput, Missing
from altpg_verify.judging import Finding, genuine, inconclusive, not_run
from altpg_verify.ledger import EVIDENCE, Claim, Entry, Evidence, Ledger
from altpg_verify.sealing import seal
from altpg_verify.verdicts import Verdict, combined


def collect(packages: Iterable[ModuleType]) -> list[Callable[..., Finding]]:
    """Every evidence function in the packages and their submodules, in a stable order."""
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
                if callable(function) and hasattr(function, "__evidence__"):
                    found[f"{function.__module__}.{function.__qualname__}"] = function
    return list(found.values())


def build(
    claims: Sequence[Claim],
    functions: Iterable[Callable[..., Finding]],
    *,
    offered: Mapping[str, Any] | None = None,
    progress: Callable[[str], None] = lambda name: None,
) -> Ledger:
    """Run all evidence and compute all verdicts.

    Raises:
        BadInput: an id is used twice, evidence names an unknown claim, or `depends_on`/`corrects`
            point nowhere or in a circle.
    """
    known = check_claims(claims)
    gathered: dict[str, list[Evidence]] = {identity: [] for identity in known}
    functions = list(functions)
    # strays are found before anything runs
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
    firm: dict[str, bool] = {}
    return seal(Ledger(tuple(_established(entries[claim.id], entries, firm) for claim in claims)))


def check_claims(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The claims by id.

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
    function: Callable[..., Finding], offered: Mapping[str, Any]
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
    offered: Mapping[str, Any],
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


def _ready(value: Any) -> Any:
    """What was offered; a Future is waited for only when evidence asks for it, so that other
    evidence may run meanwhile.
    """
    return value.result() if isinstance(value, Future) else value


def _speaks(item: Evidence) -> bool:
    return item.finding.verdict.is_for or item.finding.verdict is Verdict.REFUTED


def _established(entry: Entry, entries: Mapping[str, Entry], known: dict[str, bool]) -> Entry:
    """A claim is established when it and all it rests on have verdicts for them and no required
    evidence is missing. Args: known: what was found so far, by id.
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
