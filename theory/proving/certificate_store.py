"""The files that certificates are stored in: JSON, one file for each derivation, with everything a
re-check needs and nothing to run.

    {"schema": 2, "claims": [ids], "statement": words, "domain": words,
     "certificates": [{"kind": ..., "statement": words, "data": {...}}, ...], "digest": sha256 of
         the rest}

What `data` means is explained by the checker of its kind, see `recheck.CHECKERS`. The digest finds
a file that was damaged; whether the certificate proves its statement is decided by the checker
alone. A certificate's statement is derived from its data, see `statements`; the statement and
domain of the file, and what the data say in words, are the author's and checked by nobody.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from altpg_verify.errors import BadInput
from altpg_verify.files import write_whole
from altpg_verify.theory.proving.certificate_statements import statement as in_words

SCHEMA = 2


class Storable(Protocol):
    """A certificate with its data."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The JSON object that is written."""


KINDS: Mapping[str, str] = {
    "IdentityCertificate": "identity",
    "ExponentialSign": "exponential sign",
    "SimplexDescent": "triangle tree",
    "ChainCertificate": "chain fixed point",
    "SimplexCover": "simplex cover",
    "ExactInstance": "exact instance",
    "AttractingFixedPoint": "attracting fixed point",
}
"""The class that makes a certificate, and the kind it is stored and re-checked as."""


def digest(content: Mapping[str, Any]) -> str:
    """SHA-256 of the content but for its digest, in one canonical spelling.

    Keys sorted and no spaces, so that layout doesn't count.
    """
    # the digest can't be part of what it is of
    rest = {name: value for name, value in content.items() if name != "digest"}
    return hashlib.sha256(
        json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def content(
    statement: str, domain: str, certificates: Sequence[Storable], claims: Sequence[str] = ()
) -> dict[str, Any]:
    """What one file holds, its digest included.

    Args:
        statement, domain: the author's words, which nothing checks.
        certificates: each with its data; the statement of each is derived from them.
        claims: ids of the claims that the derivation serves.
    """
    # as JSON gives it back: tuples are lists
    kept = [(KINDS[type(one).__name__], json.loads(json.dumps(one.data))) for one in certificates]
    entries = [
        {"kind": kind, "statement": in_words(kind, data), "data": data} for kind, data in kept
    ]
    whole = {
        "schema": SCHEMA,
        "claims": list(claims),
        "statement": statement,
        "domain": domain,
        "certificates": entries,
    }
    return {**whole, "digest": digest(whole)}


def as_text(whole: Mapping[str, Any]) -> str:
    """The file's text: a line for each certificate.

    Two versions of a file so differ in the lines of the certificates that changed.
    """
    head = {name: value for name, value in whole.items() if name not in ("certificates", "digest")}
    lines = ",\n".join("  " + json.dumps(one, ensure_ascii=False) for one in whole["certificates"])
    start = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{start},\n "certificates": [\n{lines}\n ],\n "digest": "{whole["digest"]}"\n}}\n'


def save(path: Path, whole: Mapping[str, Any], inside: Path | None = None) -> None:
    """Write one file, whole or not at all; with `inside`, only if that is the folder it ends up in.

    Raises:
        BadInput: the folder can't be written.
    """
    if path.is_dir():
        raise BadInput(f"--out: {str(path)!r} is a folder; name a file")
    write_whole(path, as_text(whole).encode(), "--out", inside=inside)


def derivations(again: bool = True) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Every derivation of the package: the claims it serves, and its proof.

    Args:
        again: the proof is written anew; else it is the one that was judged last in this process,
            where there is one.
    """
    from altpg_verify import theory
    from altpg_verify.ledger_building import collect

    for function in collect([theory]):
        if hasattr(function, "proof"):
            yield function.__evidence__[0], (None if again else function.judged) or function.proof()  # type: ignore[attr-defined]


def write_certificates(
    folder: Path, inside: Path | None = None, *, again: bool = True
) -> list[Path]:
    """Write the certificates of every derivation into the folder, a file for each, named for the
    first claim it serves.

    Args:
        folder, inside: where; as for `save`.
        again: as for `derivations`.

    Returns:
        The files, in a stable order; the same derivations give the same bytes. Other files in the
        folder are left alone.

    Raises:
        BadInput: the folder can't be written.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"--out: {str(folder)!r} is a file; name a folder")
    written: list[Path] = []
    for claims, proof in derivations(again):
        path = folder / f"{claims[0]}.json"
        # several derivations may serve the same first claim
        number = 2
        while path in written:
            path, number = folder / f"{claims[0]}-{number}.json", number + 1
        save(path, content(proof.summary, proof.domain, proof.certificates, claims), inside)
        written.append(path)
    return written
