"""`python -m altpg_verify claims`: statements with verdicts and counterexamples, from the last
report's ledger or computed anew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import exists, read_json
from altpg_verify.ledger import KINDS
from altpg_verify.report.contradictions import contradictions
from altpg_verify.report.plain import statement
from altpg_verify.report.provenance import fits, made
from altpg_verify.screen import say
from altpg_verify.verdicts import Verdict
from altpg_verify.wording import counted

LAST = Path("reports") / "ledger.json"
"""Where `python -m altpg_verify.report` leaves the ledger, by default."""


def claims(
    *,
    stored: Path | None = None,
    sections: Sequence[str] = (),
    kinds: Sequence[str] = (),
    verdicts: Sequence[str] = (),
    texts: Sequence[str] = (),
    as_json: bool = False,
    max_examples: int = 200,
    seed: int = 0,
) -> int:
    """Print the claims that pass every filter; 0 if the whole ledger is consistent, 1 if not.

    The ledger is the stored one; or that of the last report in this folder, if this very code made
    it with these settings; or it is computed, with the simulations at the report's quick scale.

    Args:
        stored: a ledger.json; its verdicts are computed anew from its evidence.
        sections: words of which one must be in the section's title.
        kinds: of `ledger.KINDS`; any of them.
        verdicts: as printed; any of them.
        texts: what the id or the statement must contain, in any case of letters.
        as_json: the whole ledger as JSON, with the chosen claims only.
        max_examples, seed: of a ledger that is computed.

    Raises:
        BadInput: an unknown filter value, or a stored ledger that can't be read.
    """
    _check_filters(kinds, verdicts)
    ledger = _stored(stored) if stored else _last(max_examples, seed) or _fresh(max_examples, seed)
    chosen = [
        claim
        for claim in ledger["claims"]
        if (
            not sections or any(section.lower() in claim["section"].lower() for section in sections)
        )
        and (not kinds or claim["kind"] in kinds)
        and (not verdicts or claim["verdict"] in verdicts)
        and all(
            text.lower() in f"{claim['id']} {statement(claim['statement'])}".lower()
            for text in texts
        )
    ]
    if as_json:
        print(json.dumps({**ledger, "claims": chosen}, indent=1, ensure_ascii=False))
    else:
        for claim in chosen:
            say(_block(claim))
        say(_tally(chosen, len(ledger["claims"])))
    return 1 if any(claim["inconsistent"] for claim in ledger["claims"]) else 0


def _check_filters(kinds: Sequence[str], verdicts: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput(f"--kind {kind!r} is not known; choose from {', '.join(KINDS)}")
    known = [str(verdict) for verdict in Verdict]
    for verdict in verdicts:
        if verdict not in known:
            raise BadInput(f"--verdict {verdict!r} is not known; choose from {', '.join(known)}")


def _last(max_examples: int, seed: int) -> dict[str, Any] | None:
    """The ledger of the last report here, if it is what would be computed now."""
    if not exists(LAST):
        return None
    try:
        ledger = _stored(LAST)
    except BadInput:
        return None
    return ledger if fits(ledger, max_examples=max_examples, seed=seed) else None


def _fresh(max_examples: int, seed: int) -> dict[str, Any]:
    from altpg_verify.report.build import run_evidence
    from altpg_verify.report.progress import reporting
    from altpg_verify.report.settings import Settings
    from altpg_verify.report.side_process import start

    # the claims go to standard output, so what is said meanwhile must not
    with TemporaryDirectory() as folder, reporting(not sys.stderr.isatty()) as progress:
        settings = Settings(Path(folder), max_examples=max_examples, seed=seed)
        side = start(settings.profile, settings.out, progress, figures=False)
        built = run_evidence(settings, side.results, progress)
    return json.loads(
        built.as_json(made(profile=settings.profile, max_examples=max_examples, seed=seed))
    )


def _stored(path: Path) -> dict[str, Any]:
    ledger = read_json(path, "--ledger: ", "give the ledger.json of a report")
    if not isinstance(ledger, dict) or not isinstance(ledger.get("claims"), list):
        raise BadInput(f"--ledger: {str(path)!r} is no ledger; give the ledger.json of a report")
    if ledger.get("schema") != 1 or not all(map(_is_claim, ledger["claims"])):
        raise BadInput(
            f"--ledger: {str(path)!r} is from another version; write it anew with python -m"
            " altpg_verify.report"
        )
    # a verdict is computed from evidence, also one that was stored
    if found := list(contradictions(ledger)):
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise BadInput(
            f"--ledger: {str(path)!r} contradicts itself: {found[0]}{more}; write it anew with"
            " python -m altpg_verify.report"
        )
    return ledger


def _is_claim(found: Any) -> bool:
    words, flags = (
        ("id", "section", "statement", "kind", "verdict", "corrects", "adds"),
        ("inconsistent", "extension", "established"),
    )
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(name), str) for name in words)
        and all(isinstance(found.get(name), bool) for name in flags)
        and all(
            isinstance(found.get(name), list) and all(isinstance(one, str) for one in found[name])
            for name in ("uses", "missing")
        )
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
        and all(isinstance(value, str) for value in found["instance"].values())
        and found["verdict"] in map(str, Verdict)
    )


def _block(claim: dict[str, Any]) -> str:
    """A claim for the terminal: verdict and id, the statement, and the evidence against it if there
    is any.
    """
    lines = [
        f"{claim['verdict']}  {claim['id']}  ({claim['kind']}; line {claim['line']},"
        f" {claim['section']})"
    ]
    lines += [f"    {name:<12}{text}" for name, text in _rows(claim)]
    return "\n".join(lines)


def _rows(claim: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "states", statement(claim["statement"])
    if claim["corrects"]:
        yield "corrects", f"{claim['corrects']}: {claim['adds']}"
    if claim["extension"]:
        yield "origin", "not in the paper"
    for item in claim["evidence"]:
        if item["verdict"] == str(Verdict.REFUTED):
            yield "by", f"{item['kind']}: {item.get('says', '')}"
            yield (
                "against",
                "; ".join(_equation(name, value) for name, value in item["instance"].items()),
            )
            break
    if claim.get("corrections"):
        yield "instead", ", ".join(claim["corrections"])
    if claim["missing"]:
        yield "missing", ", ".join(claim["missing"])
    if claim["inconsistent"]:
        yield "inconsistent", "there is evidence for and against it"


def _equation(name: str, value: str) -> str:
    return f"{name} {value}" if value[:1] in "<>≤≥" else f"{name} = {value}"


def _tally(chosen: Sequence[dict[str, Any]], total: int) -> str:
    counts = Counter(claim["verdict"] for claim in chosen)
    shown = (
        ", ".join(
            f"{counts[str(verdict)]} {verdict}" for verdict in Verdict if counts[str(verdict)]
        )
        or "none"
    )
    return f"{len(chosen)} of {counted(total, 'claim')}: {shown}"
