"""The files that the project reads: a good one of each kind, and the command that reads it."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

EXPERIMENT = "corner_random_walk"


@dataclass(frozen=True)
class Kind:
    """One kind of file.

    Args:
        name: for people.
        files: relative path -> content; the good files that lie together.
        damaged: the one of them that gets damaged.
        commands: each reads it, standing in their folder, and returns an exit code.
        seal: makes changed content look untouched, as somebody would who knows the format; None if
            nothing seals it.
        content: bytes -> what the file says, if anything at all is to be noticed; else None.
        form: "json", "lines" or "npz".
    """

    name: str
    files: Mapping[str, bytes]
    damaged: str
    commands: tuple[Callable[[], int], ...]
    seal: Callable[[Any], Any] | None = None
    content: Callable[[bytes], Any] | None = None
    form: str = "json"

    @property
    def good(self) -> bytes:
        """The content of the file that gets damaged."""
        return self.files[self.damaged]


def kinds() -> tuple[Kind, ...]:
    """Every kind."""
    return tuple(
        kind for make in (_certificates, _ledger, _audits, _trust, _results) for kind in make()
    )


def kind_named(name: str) -> Kind:
    """The kind of that name; only its own files are made."""
    makes = {
        "certificate": _certificates,
        "ledger.json": _ledger,
        "audits.json": _audits,
        "trust.json": _trust,
    }
    return next(kind for kind in makes.get(name.split()[0], _results)() if kind.name == name)


@cache
def _certificates() -> tuple[Kind, ...]:
    from altpg_verify.files import read_whole
    from altpg_verify.theory import __main__ as theory
    from altpg_verify.theory.attraction.three_arms import ExponentialSign
    from altpg_verify.theory.certify.simplex_cover import certify_bandit
    from altpg_verify.theory.certify.user_certificates import certify_target
    from altpg_verify.theory.proving.certificate_store import as_text, content, digest

    made: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "made.json"
        for name, law, bandit in (
            ("identity", "unbiased", None),
            ("instance", "conservative", None),
            ("fixed-point", "attracts", "r=1,2,3; b=4"),
        ):
            certify_target(
                f"altpg_verify.estimators:{'regular' if law == 'unbiased' else 'alternate'}",
                law,
                bandit,
                out,
            )
            made[name] = read_whole(out)
        certify_bandit("r=1,2,3; b=4", "1/8", out)
        made["cover"] = read_whole(out)
    sign = ExponentialSign({"terms": [["1", "-1"], ["-1", "1/2"]], "relation": "<"})
    made["sign"] = as_text(content("a sum of exponentials is negative", "", [sign])).encode()

    def sealed(whole: Any) -> Any:
        return {**whole, "digest": digest(whole)} if isinstance(whole, dict) else whole

    good = {"certificates/neighbour.json": made["identity"]}
    return tuple(
        Kind(
            f"certificate ({name})",
            {f"certificates/{name}.json": text, **good},
            f"certificates/{name}.json",
            (lambda: theory.main(["recheck", "certificates"]),),
            sealed,
            _parsed,
        )
        for name, text in made.items()
    )


def _parsed(text: bytes) -> Any:
    return json.loads(text.decode())


@cache
def _ledger() -> tuple[Kind, ...]:
    from altpg_verify import __main__ as command
    from altpg_verify.judging import Finding
    from altpg_verify.ledger import Claim, evidence
    from altpg_verify.ledger_building import build
    from altpg_verify.verdicts import Verdict

    claims = [
        Claim("one-thing", 10, "3 Bandits", "$a = b$", "identity"),
        Claim(
            "corrected",
            11,
            "3 Bandits",
            "$a < b$",
            "inequality",
            corrects="one-thing",
            adds="k > 2",
        ),
    ]

    @evidence("one-thing", "corrected", kind="enumeration")
    def shown() -> Finding:
        return Finding(Verdict.HOLDS, "three cases", "all")

    text = build(claims, [shown]).as_json().encode()
    commands = (
        lambda: command.main(["claims", "--ledger", "ledger.json"]),
        lambda: command.main(
            ["claims", "--ledger", "ledger.json", "--json", "--section", "bandits"]
        ),
    )
    return (Kind("ledger.json", {"ledger.json": text}, "ledger.json", commands),)


@cache
def _audits() -> tuple[Kind, ...]:
    from altpg_verify.audit.libraries.table import Row, as_data, every_audit
    from altpg_verify.report.audited import audited
    from altpg_verify.terminal import ended

    table = as_data(
        [Row(what, reason="the library is not installed") for what in every_audit()[:3]]
    )
    text = (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode()

    def read() -> int:
        audited(Path("audits.json"))
        return 0

    return (
        Kind(
            "audits.json",
            {"audits.json": text},
            "audits.json",
            (lambda: ended("altpg-verify", read),),
        ),
    )


@cache
def _trust() -> tuple[Kind, ...]:
    from altpg_verify.terminal import ended
    from trust import record
    from trust.figures import Figure, Outcome, Part

    part = Part("old", "an older part", lambda sample, say: Outcome(()))
    entry = record.entry(part, Outcome((Figure("n", 3, "tries", at_least=1),)), 1.0, sample=False)
    text = (json.dumps({"schema": record.SCHEMA, "parts": [entry]}, indent=1) + "\n").encode()

    def read() -> int:
        record.read(Path("trust.json"))
        return 0

    return (
        Kind("trust.json", {"trust.json": text}, "trust.json", (lambda: ended("trust", read),)),
    )


@cache
def _results() -> tuple[Kind, ...]:
    from altpg_verify.sim import __main__ as sim

    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        from altpg_verify.sim.experiments import work_for
        from altpg_verify.sim.store import name_of
        from altpg_verify.sim.sweep import run

        run(work_for("quick", EXPERIMENT), Path(folder))
        for path in Path(folder).rglob("*.*"):
            files[f"results/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
        cell = work_for("quick", EXPERIMENT)[0]
        (where,) = (name for name in files if name.endswith(f"{name_of(cell)}.npz"))
    home = where.rpartition("/")[0]
    commands = (
        lambda: sim.main(["recheck", "results", "--profile", "quick", "--cells", "0"]),
        lambda: sim.main(["run", EXPERIMENT, "--out", "results", "--executor", "serial"]),
    )
    again = lambda: sim.main(["recheck", "results", "--profile", "quick", "--cells", "2"])  # noqa: E731
    log = f"{home}/log.jsonl"
    # a log may grow, and a cell that is set aside is a file of its own
    still = {name: content for name, content in files.items() if name != log}
    return (
        Kind("cell", still, where, (*commands, again), _cell_sealed, _arrays, "npz"),
        Kind("manifest.json", still, f"{home}/manifest.json", commands, None, bytes),
        Kind("log.jsonl", files, log, (_spent,), form="lines"),
    )


def _spent() -> int:
    from altpg_verify.sim.experiments import work_for
    from altpg_verify.sim.results import Results
    from altpg_verify.terminal import ended

    def read() -> int:
        print(Results("quick", work_for("quick", EXPERIMENT), Path("results")).spent())
        return 0

    return ended("sim", read)


def _arrays(content: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return {
            name: (file[name].dtype.str, file[name].shape, file[name].tobytes())
            for name in file.files
        }


def _cell_sealed(arrays: Mapping[str, Any]) -> bytes:
    """The bytes of a cell file with these arrays and a right digest; object arrays are pickled into
    it.
    """
    from altpg_verify.sim.store import _digest

    rest = {name: value for name, value in arrays.items() if name != "sha256"}
    key = str(rest.pop("key"))
    try:
        digest = _digest(key, rest)
    except ValueError:
        digest = ""
    buffer = io.BytesIO()
    np.savez(buffer, key=np.array(key), sha256=np.array(digest), **rest)
    return buffer.getvalue()


def npz(members: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file of members as they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()
