"""`python -m altpg_verify claims`: the ledger as a table or as JSON, computed afresh or read from a stored ledger.json."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import read_json
from altpg_verify.ledger import KINDS
from altpg_verify.report.contradictions import contradictions
from altpg_verify.verdicts import Verdict

COLUMNS = (("line", 6), ("verdict", 14), ("kind", 12), ("id", 0))


def claims(
    *,
    stored: Path | None = None,
    sections: Sequence[str] = (),
    kinds: Sequence[str] = (),
    verdicts: Sequence[str] = (),
    as_json: bool = False,
    max_examples: int = 200,
    seed: int = 0,
) -> int:
    """Print the claims that pass every filter; 0 if the whole ledger is consistent, 1 if not.

    Computing afresh leaves the simulations out: claims that only they can decide say NOT RUN.

    Raises:
        BadInput: an unknown filter value, or a stored ledger that can't be read.
    """
    _check_filters(kinds, verdicts)
    ledger = _stored(stored) if stored else _fresh(max_examples, seed)
    chosen = [
        claim
        for claim in ledger["claims"]
        if (not sections or any(section.lower() in claim["section"].lower() for section in sections))
        and (not kinds or claim["kind"] in kinds)
        and (not verdicts or claim["verdict"] in verdicts)
    ]
    if as_json:
        print(json.dumps({**ledger, "claims": chosen}, indent=1, ensure_ascii=False))
    else:
        print(_table(chosen, len(ledger["claims"])))
    return 1 if any(claim["inconsistent"] for claim in ledger["claims"]) else 0


def _check_filters(kinds: Sequence[str], verdicts: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput(f"--kind {kind!r} is not known; choose from {', '.join(KINDS)}")
    known = [str(verdict) for verdict in Verdict]
    for verdict in verdicts:
        if verdict not in known:
            raise BadInput(f"--verdict {verdict!r} is not known; choose from {', '.join(known)}")


def _fresh(max_examples: int, seed: int) -> dict[str, Any]:
    from altpg_verify import ledger
    from altpg_verify.report.build import evidence_functions
    from altpg_verify.report.progress import reporting
    from altpg_verify.theory.claims import CLAIMS

    # the table goes to standard output, so what is said meanwhile must not
    with reporting(not sys.stderr.isatty()) as progress, progress.stage("evidence") as stage:
        functions = evidence_functions()
        done = iter(range(len(functions) + 1))
        offered = {"max_examples": max_examples, "seed": seed}
        built = ledger.build(CLAIMS, functions, offered=offered, progress=lambda name: stage.at(next(done), len(functions), name))
    return json.loads(built.as_json())


def _stored(path: Path) -> dict[str, Any]:
    ledger = read_json(path, "--ledger: ", "give the ledger.json of a report")
    if not isinstance(ledger, dict) or not isinstance(ledger.get("claims"), list):
        raise BadInput(f"--ledger: {str(path)!r} is no ledger; give the ledger.json of a report")
    if ledger.get("schema") != 1 or not all(map(_is_claim, ledger["claims"])):
        raise BadInput(f"--ledger: {str(path)!r} is from another version; write it anew with python -m altpg_verify.report")
    # a verdict is computed from evidence, also one that was stored
    if found := list(contradictions(ledger)):
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise BadInput(f"--ledger: {str(path)!r} contradicts itself: {found[0]}{more}; write it anew with python -m altpg_verify.report")
    return ledger


def _is_claim(found: Any) -> bool:
    words, flags = ("id", "section", "kind", "verdict", "corrects", "adds"), ("inconsistent", "extension", "established")
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(name), str) for name in words)
        and all(isinstance(found.get(name), bool) for name in flags)
        and all(isinstance(found.get(name), list) and all(isinstance(one, str) for one in found[name]) for name in ("uses", "missing"))
        and isinstance(found.get("line"), int)
        and found["verdict"] in map(str, Verdict)
        and isinstance(found.get("evidence"), list)
        and all(map(_is_evidence, found["evidence"]))
    )


def _is_evidence(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(name), str) for name in ("kind", "source", "verdict"))
        and all(isinstance(found.get(name), dict) for name in ("instance", "numbers"))
        and found["verdict"] in map(str, Verdict)
    )


def _table(chosen: Sequence[dict[str, Any]], total: int) -> str:
    lines = ["".join(f"{name:<{width}}" for name, width in COLUMNS)]
    for claim in chosen:
        notes = [f"corrects {claim['corrects']}: {claim['adds']}"] if claim["corrects"] else []
        notes += ["extension"] if claim["extension"] else []
        notes += ["INCONSISTENT: evidence for and against"] if claim["inconsistent"] else []
        row = "".join(f"{claim[name]!s:<{width}}" for name, width in COLUMNS)
        lines.append(row + (f"   ({'; '.join(notes)})" if notes else ""))
    counts = Counter(claim["verdict"] for claim in chosen)
    tally = ", ".join(f"{counts[str(verdict)]} {verdict}" for verdict in Verdict if counts[str(verdict)]) or "none"
    lines.append(f"{len(chosen)} of {total} claims: {tally}")
    return "\n".join(lines)
