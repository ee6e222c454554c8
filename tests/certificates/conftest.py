"""The certificates of all derivations, and some of a user's own, written once for all tests
here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from altpg_verify.theory.__main__ import main
from altpg_verify.theory.proving import certificate_store
from altpg_verify.theory.proving.certificate_store import write_certificates
from tests.theory.proofs import DERIVATIONS

EXAMPLES = "tests.certificates.examples"
OWN = {
    "cover": ["--bandit", "r=1,2,3; b=4", "--alpha", "11/6"],
    "cover-of-four": ["--bandit", "r=1,2,3,4; b=5", "--alpha", "1"],
    "pessimistic": ["--bandit", "r=1,2,3; b=-4", "--alpha", "2"],
    "unbiased": ["altpg_verify.estimators:regular", "--law", "unbiased"],
    "biased": ["altpg_verify.estimators:alternate", "--law", "unbiased"],
    "bias": ["altpg_verify.estimators:alternate", "--law", "bias"],
    "gradient": ["altpg_verify.estimators:regular", "--law", "conservative"],
    "no-gradient": ["altpg_verify.estimators:alternate", "--law", "conservative"],
    "attracts": [
        "altpg_verify.estimators:alternate",
        "--law",
        "attracts",
        "--bandit",
        "r=1,2,3; b=4",
    ],
    "attracts-nearby": [f"{EXAMPLES}:damped", "--law", "attracts", "--bandit", "r=1,2,3; b=4"],
    "noise": [f"{EXAMPLES}:squared", "--law", "bias"],
}
"""Arguments of `certify` for one file of each sort."""


@pytest.fixture(scope="session", params=["a share", pytest.param("all", marks=pytest.mark.slow)])
def stored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with certificates of the package: those of every sixteenth derivation and of all
    that are no chain of equalities; or all.
    """
    folder = tmp_path_factory.mktemp("stored")
    if request.param == "all":
        write_certificates(folder)
        return folder
    chosen = [
        one
        for number, one in enumerate(DERIVATIONS.values())
        if not number % 16 or one.__evidence__[1] == "certificate"
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            certificate_store,
            "derivations",
            lambda again: ((one.__evidence__[0], one.proof()) for one in chosen),
        )
        write_certificates(folder)
    return folder


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one certificate of each sort that a user can ask for."""
    folder = tmp_path_factory.mktemp("own")
    for name, arguments in OWN.items():
        main(["certify", *arguments, "--out", str(folder / f"{name}.json")])
    return folder


@pytest.fixture(scope="session")
def wholes(stored: Path, own: Path) -> dict[str, dict]:
    """The content of every file, by name."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for folder in (stored, own)
        for path in sorted(folder.glob("*.json"))
    }
